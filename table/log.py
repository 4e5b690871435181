"""The append-only log: records, which of them count, and the state they fold to.

Nothing in the log is ever changed. An undo makes an earlier record not count (also an undo or an
edit), an edit puts another event in its place. Every record carries the outcomes that were
computed when it was written: its own, and those of later hands that it moved. The newest outcome
of a hand is the one in force.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from . import events as ev
from .errors import EventError
from .events import Body
from .outcome import Outcome, outcome_of
from .state import State

FIRST_SEAL: Final = ""
TIME: Final = "%Y-%m-%dT%H:%M:%SZ"
"""How a time stands in the log: UTC, to the second."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the log. `no` counts from 1; `at` is UTC in ISO form; `key` is unique in its
    night; `outcomes` maps numbers of hands to outcomes.
    """

    no: int
    kind: str
    body: Body
    key: str
    at: str
    outcomes: Mapping[int, Outcome] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        outcomes = {str(no): outcome for no, outcome in self.outcomes.items()}
        return {
            "no": self.no,
            "kind": self.kind,
            "body": dict(self.body),
            "key": self.key,
            "at": self.at,
            "outcomes": outcomes,
        }

    def texts(self) -> tuple[str, str]:
        """Body and outcomes as they are stored."""
        return compact(self.body), compact(self.to_json()["outcomes"])


def compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def seal(before: str, night: str, row: Sequence[Any]) -> str:
    """The seal of a stored row (no, kind, key, at, body, outcomes): each holds all before it, so
    that a changed, missing or foreign row shows.
    """
    text = "\x1f".join([before, night, *map(str, row)])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Effective:
    """An event that counts, with the outcome in force, if there is one."""

    no: int
    kind: str
    at: str
    body: Body
    outcome: Outcome | None


def undone(log: Iterable[Record]) -> set[int]:
    """The numbers of the records that an undo which counts has taken back."""
    dead: set[int] = set()
    for record in sorted(log, key=lambda r: -r.no):
        if record.kind == ev.UNDO and record.no not in dead:
            dead.add(record.body["of"])
    return dead


def effective(log: Sequence[Record]) -> list[Effective]:
    """The events that count, in order, without undos and edits."""
    dead = undone(log)
    put: dict[int, tuple[str, Body]] = {}
    outcomes: dict[int, Outcome] = {}
    for record in log:
        outcomes.update(record.outcomes)
        if record.kind == ev.EDIT and record.no not in dead:
            put[record.body["of"]] = (record.body["kind"], record.body["body"])
    events = []
    for record in log:
        if record.no in dead or record.kind in (ev.UNDO, ev.EDIT):
            continue
        kind, body = put.get(record.no, (record.kind, record.body))
        outcome = outcomes.get(record.no) if kind in ev.SCORED else None
        events.append(Effective(record.no, kind, record.at, body, outcome))
    return events


def fold(events: Sequence[Effective]) -> State:
    """The state after these events, their outcomes taken as they are."""
    if not events or events[0].kind != ev.START:
        raise EventError("the log of a night begins with its start")
    state = State(events[0].body)
    for event in events[1:]:
        state.apply(event.no, event.kind, event.at, event.body, event.outcome)
    return state


def refold(events: Sequence[Effective]) -> tuple[State, dict[int, Outcome]]:
    """The same with every event checked, and an outcome computed where there is none or where
    its facts are no longer those it was scored with.

    Answers the state and the outcomes that differ from those in force. Raises EventError with
    the number of the event that can no longer be.
    """
    if not events or events[0].kind != ev.START:
        raise EventError("the log of a night begins with its start")
    state = State(events[0].body)
    changed: dict[int, Outcome] = {}
    for event in events[1:]:
        outcome = event.outcome
        try:
            state.possible(event.kind, event.body)
            if outcome is None or outcome["facts"] != state.facts():
                outcome = outcome_of(state, event.kind, event.body)
        except EventError as error:
            raise EventError(error.why, event.no) from None
        if outcome is not None and outcome != event.outcome:
            changed[event.no] = outcome
        state.apply(event.no, event.kind, event.at, event.body, outcome)
    return state, changed
