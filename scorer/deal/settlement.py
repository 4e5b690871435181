"""What the settlement of a deal says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..names import problem_text, shown, texts
from ..result import SCHEMA, Problem, Result, Transfer
from ..tiles import Tile
from ..winds import Wind

PIG, NOT_READY, READY, WON = "flower-pig", "not-ready", "ready", "won"
REASONS: Final = (
    "claimed-kong", "added-kong", "concealed-kong", "self-drawn", "discard", "robbing-kong",
    "kong-moves", "kong-refund", PIG, NOT_READY,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A transfer, the number of the event that caused it (from 1), and for a kong payment that
    comes back or moves on the number of the kong's event.
    """

    event: int
    transfer: Transfer
    of: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"event": self.event, **self.transfer.to_json(), "of": self.of}


@dataclass(frozen=True, slots=True)
class Won:
    """A win, with its score."""

    event: int
    seat: Wind
    result: Result

    def to_json(self) -> dict[str, Any]:
        return {"event": self.event, "seat": self.seat.letter, "result": self.result.to_json()}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stood when the wall was empty.

    `state` is won, ready, not-ready or flower-pig; `waits` the faces that would have won, `fan`
    the most they would have earned (0 and () unless ready).
    """

    seat: Wind
    state: str
    waits: tuple[Tile, ...] = ()
    fan: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat.letter,
            "state": self.state,
            "waits": [tile.code for tile in self.waits],
            "fan": self.fan,
        }


@dataclass(frozen=True, slots=True)
class DealProblem:
    """Why the event of this number cannot be; `seat` is the player whose hand is meant."""

    event: int
    problem: Problem
    seat: Wind | None = None

    def text(self, language: str = "en") -> str:
        own = texts("deal", language)
        template = own["problems"].get(self.problem.id)
        if template is None:
            sentence = problem_text(self.problem.id, self.problem.facts, language)
        else:
            facts = {key: shown(value, language) for key, value in self.problem.facts.items()}
            sentence = str(template).format(**facts)
        key = "event" if self.seat is None else "event_of"
        seat = "" if self.seat is None else texts("common", language)["winds"][self.seat.letter]
        return str(own["words"][key]).format(event=self.event, seat=seat, sentence=sentence)

    def to_json(self) -> dict[str, Any]:
        seat = None if self.seat is None else self.seat.letter
        facts = dict(self.problem.facts)
        return {
            "event": self.event,
            "seat": seat,
            "id": self.problem.id,
            "text": self.text(),
            "facts": facts,
        }


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who pays whom for a whole deal.

    `entries` are in order, `totals` add up to zero. `finished` says whether the deal was over:
    three players have won, or the wall was empty. With `problems`, every reason why the first
    impossible event cannot be, nothing is settled: no entries, and totals of zero.
    """

    ruleset: str
    version: str
    entries: tuple[Entry, ...] = ()
    wins: tuple[Won, ...] = ()
    standings: tuple[Standing, ...] = ()
    problems: tuple[DealProblem, ...] = ()
    finished: bool = False

    @property
    def totals(self) -> Mapping[Wind, int]:
        sums = dict.fromkeys(Wind, 0)
        for entry in self.entries:
            sums[entry.transfer.payer] -= entry.transfer.amount
            sums[entry.transfer.payee] += entry.transfer.amount
        return sums

    def to_json(self) -> dict[str, Any]:
        """The settlement as plain data (docs/json.md)."""
        return {
            "schema": SCHEMA,
            "ruleset": self.ruleset,
            "version": self.version,
            "finished": self.finished,
            "transfers": [entry.to_json() for entry in self.entries],
            "totals": {seat.letter: amount for seat, amount in self.totals.items()},
            "wins": [won.to_json() for won in self.wins],
            "standings": [standing.to_json() for standing in self.standings],
            "problems": [problem.to_json() for problem in self.problems],
        }
