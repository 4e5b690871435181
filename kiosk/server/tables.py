"""The night that is played at this table, through the ledger; safe for threads."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

from kiosk.server.problems import Problem
from kiosk.verbs.ledger import where
from scorer import Hand, HandTextError, HouseRules, Situation, Wind, score_winners
from scorer.names import question_text, ruleset_name, wind_name
from table import (
    EventError,
    KeyReusedError,
    Ledger,
    LedgerError,
    MovedOnError,
    Preview,
    State,
    Store,
    settle,
)
from table.events import START, WIN
from table.export import describe
from table.ledger import now
from table.outcome import situation_of
from teach.dealing import Club, Dealt, from_ledger

HISTORY: Final = 20
NAMED: Final = ("from", "offender", "to", "out", "dealer")
"""Fields of an event that name a player."""
Body = dict[str, Any]


class Tables:
    """One table's nights. The newest is played; it is opened when first asked for."""

    def __init__(self, ledger: str | None, table: str) -> None:
        self._where = ledger
        self._table = table
        self._lock = threading.RLock()
        self._store: Store | None = None
        self._ledger: Ledger | None = None

    # -- what is asked

    def to_json(self, players: list[str], language: str, last: int = HISTORY) -> dict[str, Any]:
        """The table as it stands (docs/http.md); `players` before the first night."""
        with self._open() as ledger:
            if ledger is None:
                return _before_the_first(players, language)
            return _table_json(ledger, language, last)

    def situation(self) -> Situation:
        """What the table knows of the next win."""
        try:
            with self._open() as ledger:
                if ledger is None:
                    return Situation()
                state = ledger.state
                dealer = state.seat_of(state.players[state.dealer])
                return Situation(round=state.round, dealer=dealer, streak=state.streak)
        except Problem:
            return Situation()

    def rules(self) -> tuple[str, HouseRules] | None:
        """By which rules the night is played; None before the first, or where none can be read."""
        try:
            with self._open() as ledger:
                return None if ledger is None else (ledger.state.rules_id, ledger.state.house)
        except Problem:
            return None

    def won_hands(self) -> list[tuple[Dealt, Club]]:
        """The hands won in this night, to practise on."""
        with self._open() as ledger:
            return [] if ledger is None else list(from_ledger(ledger))

    def settlement(self) -> dict[str, Any]:
        with self._open() as ledger:
            state = _begun(ledger).state
            payments = [
                {
                    "payer": p.payer,
                    "payee": p.payee,
                    "points": p.points,
                    "money": state.stakes.money(p.points),
                }
                for p in settle(state.totals)
            ]
            return {"totals": dict(state.totals), "payments": payments}

    def nights(self) -> dict[str, Any]:
        with self._open():
            assert self._store is not None
            return {"nights": [night.to_json() for night in self._store.nights(self._table)]}

    def mark(self) -> tuple[str, int]:
        """Changes whenever something is booked, here or by another program."""
        with self._open() as ledger:
            return ("", 0) if ledger is None else (ledger.night, ledger.length)

    # -- what is booked

    def begin(self, body: Body, key: str | None) -> int:
        """Begin a night."""
        with self._open():
            assert self._store is not None
            at = now()
            name = (key and self._begun_with(key)) or self._free_name(at)
            self._ledger = Ledger.start(self._store, name, body, table=self._table, key=key, at=at)
            return self._ledger.length

    def add(
        self, kind: str, body: Body, key: str | None, expected: int | None, language: str
    ) -> int:
        """Book an event; its number. Raises Problem."""
        with self._open() as opened:
            ledger = _begun(opened)
            body = with_players(body, ledger.state)
            known = key is not None and any(r.key == key for r in ledger.records)
            if kind == WIN and not known:
                _check_win(ledger.state, body, language)
            return ledger.add(kind, body, key=key, expected=expected).no

    def undo(
        self, of: int | None, accept: bool, expected: int | None, key: str | None
    ) -> tuple[dict[str, Any] | None, int]:
        """(What would change, 0), or (None, the number of the booked undo)."""
        with self._open() as opened:
            ledger = _begun(opened)
            if accept and (no := _booked(ledger, key)):
                return None, no
            return _decided(ledger, ledger.propose_undo(of), accept, expected, key)

    def edit(
        self, of: int, kind: str, body: Body, accept: bool, expected: int | None, key: str | None
    ) -> tuple[dict[str, Any] | None, int]:
        """The same for putting another event in an event's place."""
        with self._open() as opened:
            ledger = _begun(opened)
            if accept and (no := _booked(ledger, key)):
                return None, no
            body = with_players(body, ledger.state_before(of) if kind != START else ledger.state)
            preview = ledger.propose_edit(of, kind, body)
            return _decided(ledger, preview, accept, expected, key)

    # -- the ledger

    @contextmanager
    def _open(self) -> Iterator[Ledger | None]:
        """The newest night, read up to now; what goes wrong becomes a Problem."""
        with self._lock:
            try:
                if self._store is None:
                    self._store = Store(where(Namespace(ledger=self._where)))
                nights = self._store.nights(self._table)
                if nights:
                    if self._ledger is None or self._ledger.night != nights[-1].night:
                        self._ledger = Ledger(self._store, nights[-1].night)
                    self._ledger.refresh()
                yield self._ledger
            except MovedOnError:
                raise Problem("moved-on") from None
            except KeyReusedError:
                raise Problem("key-reused") from None
            except EventError as error:
                raise Problem("not-booked", why=_sentence(str(error))) from None
            except LedgerError as error:
                raise Problem("storage", seconds=10, why=_sentence(str(error))) from None

    def _free_name(self, at: str) -> str:
        """The time, and a number where several nights begin in one second."""
        assert self._store is not None
        taken = {night.night for night in self._store.nights()}
        name = at.replace(":", "").removesuffix("Z")
        return next(n for k in count(1) if (n := name if k == 1 else f"{name}-{k}") not in taken)

    def _begun_with(self, key: str) -> str | None:
        """The night that this key began, so that the request may be repeated."""
        ledger = self._ledger
        return ledger.night if ledger is not None and ledger.records[0].key == key else None


def with_players(body: Mapping[str, Any], state: State) -> Body:
    """The body with players by name where it names seats."""

    def named(value: Any) -> Any:
        return state.named(value) if isinstance(value, str) else value

    fresh = {k: named(v) if k in NAMED else v for k, v in body.items() if v is not None}
    if isinstance(fresh.get("winners"), list):
        fresh["winners"] = [_winner(row, named) for row in fresh["winners"]]
    if isinstance(fresh.get("payments"), Mapping):
        fresh["payments"] = {
            name if name in state.totals else named(name): points
            for name, points in fresh["payments"].items()
        }
    return fresh


def _winner(row: Mapping[str, Any], named: Any) -> Body:
    fresh = {k: v for k, v in row.items() if v is not None}
    if "player" in fresh:
        fresh["player"] = named(fresh["player"])
    if isinstance(fresh.get("fed"), list):
        fresh["fed"] = [{**fed, "player": named(fed.get("player"))} for fed in fresh["fed"]]
    if isinstance(fresh.get("sticks"), list):
        fresh["sticks"] = [named(player) for player in fresh["sticks"]]
    return fresh


def _check_win(state: State, body: Body, language: str) -> None:
    """Says in the language why a win cannot be booked, where its hand is the reason."""
    winners = body.get("winners")
    if not isinstance(winners, list) or not all("hand" in row for row in winners):
        return
    try:
        hands = [Hand.parse(row["hand"]) for row in winners]
        facts = [situation_of(state, body, row) for row in winners]
        results = score_winners(list(zip(hands, facts, strict=True)), state.rules_id, state.house)
    except (HandTextError, EventError, ValueError, TypeError, KeyError, AttributeError):
        return  # the ledger says what is wrong with the form
    for result in results:
        why = [problem.text(language) for problem in result.problems]
        if not why and (not result.certain or result.payments is None):
            why = [question_text(question, language) for question in result.questions]
        if why:
            raise Problem("not-booked", why=" ".join(why))


def _decided(
    ledger: Ledger, preview: Preview, accept: bool, expected: int | None, key: str | None
) -> tuple[dict[str, Any] | None, int]:
    if not accept:
        return preview.to_json(), 0
    if expected is not None and expected != preview.length:
        raise Problem("moved-on")
    return None, ledger.accept(preview, key=key).no


def _booked(ledger: Ledger, key: str | None) -> int:
    return next((r.no for r in ledger.records if key and r.key == key), 0)


def _begun(ledger: Ledger | None) -> Ledger:
    if ledger is None:
        raise Problem("no-night")
    return ledger


def _before_the_first(players: list[str], language: str) -> dict[str, Any]:
    seats = [
        {
            "seat": wind.letter,
            "seat_name": wind_name(wind, language),
            "player": name,
            "total": 0,
            "money": "",
            "dealer": wind is Wind.EAST,
        }
        for wind, name in zip(Wind, players, strict=True)
    ]
    return {"night": None, "length": 0, "seats": seats, "others": [], "history": []}


def _table_json(ledger: Ledger, language: str, last: int) -> dict[str, Any]:
    state = ledger.state
    dealer = state.players[state.dealer]

    def money(points: int) -> str:
        return state.stakes.money(points) if state.stakes.currency else ""

    seats = [
        {
            "seat": wind.letter,
            "seat_name": wind_name(wind, language),
            "player": player,
            "total": state.totals[player],
            "money": money(state.totals[player]),
            "dealer": player == dealer,
        }
        for wind in Wind
        for player in [state.player_at(wind)]
    ]
    others = [
        {"player": player, "total": points, "money": money(points)}
        for player, points in state.totals.items()
        if player not in state.players
    ]
    history = [
        entry.to_json() | {"text": describe(entry), "key": ledger.records[entry.no - 1].key}
        for entry in (state.history[-last:] if last else [])
    ]
    return {
        "night": ledger.night,
        "length": ledger.length,
        "title": state.title,
        "round": state.round.letter,
        "round_name": wind_name(state.round, language),
        "deals": state.deals,
        "dealer": dealer,
        "streak": state.streak,
        "finished": state.finished,
        "rules": state.rules,
        "ruleset_name": ruleset_name(state.rules_id, language),
        "whole_deals": state.game.first_winner_deals,
        "stakes": state.stakes.to_json(),
        "situation": {
            "round": state.round.letter,
            "dealer": state.seat_of(dealer).letter,
            "streak": state.streak,
        },
        "seats": seats,
        "others": others,
        "history": history,
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
