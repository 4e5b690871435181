"""A night in the ledger: add events, look at what an undo or an edit would do, verify."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from . import events as ev
from .errors import DamagedError, EventError, KeyReusedError, MovedOnError, StorageError
from .events import Body
from .log import FIRST_SEAL, TIME, Effective, Record, effective, fold, refold, undone
from .outcome import Outcome, outcome_of
from .state import Points, State
from .store import Store, TakenError

TRIES: Final = 200
"""So often a writer lets others go first."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a hand pays before and after; an empty mapping where it does not count."""

    no: int
    before: Mapping[str, int]
    after: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        return {"no": self.no, "before": dict(self.before), "after": dict(self.after)}


@dataclass(frozen=True, slots=True)
class Preview:
    """What an undo or an edit would do, before it is accepted. `length` is that of the log it
    was made for.
    """

    kind: str
    body: Body
    length: int
    totals_before: Points
    totals_after: Points
    changes: tuple[Change, ...]
    outcomes: Mapping[int, Outcome]

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "body": dict(self.body),
            "length": self.length,
            "totals_before": self.totals_before,
            "totals_after": self.totals_after,
            "changes": [change.to_json() for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A hand that the rules of today score otherwise than what was booked. `trouble` says why
    it cannot be scored at all.
    """

    no: int
    booked: Outcome
    today: Outcome | None
    trouble: str = ""

    @property
    def pays_otherwise(self) -> bool:
        return self.today is None or self.today["payments"] != self.booked["payments"]

    def to_json(self) -> dict[str, Any]:
        return {
            "no": self.no,
            "booked": self.booked,
            "today": self.today,
            "trouble": self.trouble,
            "pays_otherwise": self.pays_otherwise,
        }


class Ledger:
    """One night. Several programs may hold the same night open; each `add` reads on first.

    The object itself is for one thread at a time; `store` may be shared by many.
    Raises StorageError where there is no such night.
    """

    def __init__(self, store: Store, night: str) -> None:
        self.store = store
        self.night = night
        self.records: list[Record] = []
        self._mark = FIRST_SEAL
        self.state: State
        self.refresh()

    @classmethod
    def start(
        cls,
        store: Store,
        night: str,
        body: Body,
        *,
        table: str = "main",
        key: str | None = None,
        at: str | None = None,
    ) -> Ledger:
        """Begin a night. The same request again (same `key`) opens the night that it began.

        Raises EventError, or StorageError when another night has this id.
        """
        check_ids(night, table)
        body = _plain(body)
        ev.check(ev.START, body)
        State(body)
        record = Record(1, ev.START, body, key or _fresh_key(), at or now())
        try:
            store.begin(night, table, record)
        except TakenError:
            ledger = cls(store, night)
            first = ledger.records[0]
            if (first.key, first.body) == (record.key, body):
                return ledger
            raise StorageError(f"there is a night {night!r} already; choose another id") from None
        return cls(store, night)

    def refresh(self) -> bool:
        """Read what others have written since; whether there was anything."""
        fresh, mark = self.store.read(self.night, len(self.records), self._mark)
        if not fresh and not self.records:
            raise StorageError(f"there is no night {self.night!r} in this ledger")
        if not fresh:
            return False
        folded_on = bool(self.records)
        self.records += fresh
        self._mark = mark
        try:
            if folded_on and not any(r.kind in (ev.UNDO, ev.EDIT) for r in fresh):
                for r in fresh:
                    self.state.apply(r.no, r.kind, r.at, r.body, r.outcomes.get(r.no))
            else:
                self.state = fold(effective(self.records))
        except (EventError, KeyError, TypeError) as error:
            raise DamagedError(f"night {self.night} does not add up ({error})") from None
        return True

    @property
    def length(self) -> int:
        """The number of the last record."""
        return len(self.records)

    def state_before(self, no: int) -> State:
        """The state in which event `no` happened; that of now for a number that is still free."""
        first, *others = effective(self.records)
        return fold([first, *(event for event in others if event.no < no)])

    def add(
        self,
        kind: str,
        body: Body,
        *,
        key: str | None = None,
        expected: int | None = None,
        at: str | None = None,
    ) -> Record:
        """Book an event; it is stored when this returns.

        A repeated `key` with the same event answers the record that is there. With `expected`,
        the length of the log that the user saw, MovedOnError is raised when others wrote since.
        Raises EventError, KeyReusedError, StorageError; then nothing was booked.
        """
        body = _plain(body)
        ev.check(kind, body)
        if kind in (ev.UNDO, ev.EDIT):
            raise EventError("an undo or an edit is proposed first, then accepted")
        key = key or _fresh_key()
        for _ in range(TRIES):
            self.refresh()
            if (known := self._known(key, kind, body)) is not None:
                return known
            self._expect(expected)
            self.state.possible(kind, body)
            outcome = outcome_of(self.state, kind, body)
            no = self.length + 1
            outcomes = {} if outcome is None else {no: outcome}
            record = Record(no, kind, body, key, at or now(), outcomes)
            if self._write(record):
                return record
        raise StorageError("too many others write at the same time; try again")

    def propose_undo(self, of: int | None = None) -> Preview:
        """What taking back event `of` (default: the last that counts) would change.

        An undo or an edit can be taken back too. Raises EventError.
        """
        self.refresh()
        if of is None:
            dead = undone(self.records)
            counting = [r.no for r in self.records[1:] if r.kind != ev.UNDO and r.no not in dead]
            if not counting:
                raise EventError("there is nothing to take back")
            of = counting[-1]
        return self._propose(ev.UNDO, {"of": of})

    def propose_edit(self, of: int, kind: str, body: Body) -> Preview:
        """What putting another event in the place of event `of` would change. Raises EventError."""
        self.refresh()
        return self._propose(ev.EDIT, {"of": of, "kind": kind, "body": _plain(body)})

    def accept(self, preview: Preview, *, key: str | None = None, at: str | None = None) -> Record:
        """Book a proposed undo or edit.

        Raises MovedOnError when somebody wrote since: propose again, since more may change now.
        """
        key = key or _fresh_key()
        self.refresh()
        if (known := self._known(key, preview.kind, preview.body)) is not None:
            return known
        self._expect(preview.length)
        no = self.length + 1
        record = Record(no, preview.kind, preview.body, key, at or now(), preview.outcomes)
        if self._write(record):
            return record
        self.refresh()
        if (known := self._known(key, preview.kind, preview.body)) is not None:
            return known
        raise MovedOnError("somebody else wrote at the same moment; look again before accepting")

    def verify(self) -> list[Difference]:
        """Read the whole log again with its seals, and score every hand with the rules of today.

        Raises DamagedError where the log is not what was written.
        """
        events = effective(Ledger(self.store, self.night).records)
        state = State(events[0].body)
        found = []
        for event in events[1:]:
            if event.outcome is not None:
                found += _differences(state, event)
            state.apply(event.no, event.kind, event.at, event.body, event.outcome)
        return found

    def _propose(self, kind: str, body: Body) -> Preview:
        ev.check(kind, body)
        of = body["of"]
        if of > self.length:
            raise EventError(f"there is no event {of}; the last is {self.length}")
        if of in undone(self.records):
            raise EventError(f"event {of} does not count any more; undo the undo to bring it back")
        target = self.records[of - 1].kind
        if kind == ev.UNDO and target == ev.START:
            raise EventError("the start of a night cannot be taken back; edit it, or begin another")
        if kind == ev.EDIT and target in (ev.UNDO, ev.EDIT):
            raise EventError(f"event {of} is an {target}: take it back instead")
        if kind == ev.EDIT and (target == ev.START) != (body["kind"] == ev.START):
            raise EventError("the start of a night stays its start, and is its only one")
        trial = Record(self.length + 1, kind, body, "", "")
        before = {event.no: event for event in effective(self.records)}
        after = [
            event if _same(before.get(event.no), event) else replace(event, outcome=None)
            for event in effective([*self.records, trial])
        ]
        state, outcomes = refold(after)
        return Preview(
            kind,
            body,
            self.length,
            dict(self.state.totals),
            dict(state.totals),
            _changes(self.state, state),
            outcomes,
        )

    def _known(self, key: str, kind: str, body: Body) -> Record | None:
        """The record of this key. Raises KeyReusedError when it is another event."""
        for record in reversed(self.records):
            if record.key == key:
                if (record.kind, record.body) != (kind, body):
                    raise KeyReusedError(f"key {key!r} stands for event {record.no}, another one")
                return record
        return None

    def _expect(self, length: int | None) -> None:
        if length is not None and length != self.length:
            raise MovedOnError(
                f"{self.length - length} more events have been booked since; look again first"
            )

    def _write(self, record: Record) -> bool:
        """Whether the record could be stored at its number."""
        try:
            self.store.append(self.night, record, self._mark)
        except TakenError:
            return False
        self.refresh()
        return True


def check_ids(night: Any, table: Any) -> None:
    """Raises EventError for what cannot name a night or a table."""
    for name in (night, table):
        if not isinstance(name, str) or not 0 < len(name) <= 80 or not name.isprintable():
            raise EventError(f"an id of a night or table is 1 to 80 letters, not {name!r}")


def now() -> str:
    """The time as it stands in the log: UTC, to the second."""
    return datetime.now(UTC).strftime(TIME)


def _fresh_key() -> str:
    return uuid.uuid4().hex


def _plain(body: Body) -> dict[str, Any]:
    """The body as it will be read back. Raises EventError where it is no plain data."""
    try:
        plain: dict[str, Any] = json.loads(json.dumps(body, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise EventError(f"an event is plain data: {error}") from None
    return plain


def _same(before: Effective | None, after: Effective) -> bool:
    return before is not None and (before.kind, before.body) == (after.kind, after.body)


def _changes(before: State, after: State) -> tuple[Change, ...]:
    old = {entry.no: entry.payments for entry in before.history}
    new = {entry.no: entry.payments for entry in after.history}
    return tuple(
        Change(no, old.get(no, {}), new.get(no, {}))
        for no in sorted(old.keys() | new.keys())
        if old.get(no, {}) != new.get(no, {})
    )


def _differences(state: State, event: Effective) -> list[Difference]:
    assert event.outcome is not None
    try:
        today = outcome_of(state, event.kind, event.body)
    except EventError as error:
        return [Difference(event.no, event.outcome, None, error.why)]
    return [] if today == event.outcome else [Difference(event.no, event.outcome, today)]
