"""What `score` answers: a Result, whatever the hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from .hand import Meld
from .tiles import Tile, tiles_text
from .winds import Wind

SCHEMA: Final = 1
"""Version of the JSON form."""


@dataclass(slots=True)
class Earned:
    """An item that counts: `count` times `value` (of the rule set's unit), for these tiles."""

    id: str
    value: int
    count: int
    tiles: tuple[int, ...]
    source: str

    @property
    def total(self) -> int:
        return self.value * self.count

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "value": self.value,
            "count": self.count,
            "tiles": [Tile(t).code for t in self.tiles],
            "source": self.source,
        }


@dataclass(slots=True)
class LeftOut:
    """An item whose condition is met but which does not count, and the item that includes it.

    `by` is the id of that item, or empty where a principle leaves it out; `reason` names the
    source of the exclusion or the principle.
    """

    id: str
    value: int
    count: int
    by: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "value": self.value,
            "count": self.count,
            "by": self.by,
            "reason": self.reason,
        }


@dataclass(slots=True)
class Problem:
    """One reason why this is not a good win. `id` is fixed, `facts` fill the sentence."""

    id: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def text(self, language: str = "en") -> str:
        from .names import problem_text

        return problem_text(self.id, self.facts, language)

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "text": self.text(), "facts": dict(self.facts)}


@dataclass(slots=True)
class Transfer:
    """Points that one player pays another. `parts` names what they are made of, in order."""

    payer: Wind
    payee: Wind
    amount: int
    reason: str
    parts: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "payer": self.payer.letter,
            "payee": self.payee.letter,
            "amount": self.amount,
            "reason": self.reason,
            "parts": [list(part) for part in self.parts],
        }


@dataclass(slots=True)
class Arrangement:
    """One way to see the hand.

    `shape` is `sets` or the id of a special shape. `chows` (lowest tile), `pungs` (face) and
    `pair` (-1 for none) are the concealed part; `melds` lie on the table. `wait` is the place of
    the winning tile: open, shanpon, edge, closed, pair, or empty.
    """

    shape: str
    chows: tuple[int, ...]
    pungs: tuple[int, ...]
    pair: int
    melds: tuple[Meld, ...]
    wait: str
    total: int

    def __str__(self) -> str:
        sets = [tiles_text([Tile(t), Tile(t + 1), Tile(t + 2)]) for t in self.chows]
        sets += [tiles_text([Tile(t)] * 3) for t in self.pungs]
        if self.pair >= 0:
            sets.append(tiles_text([Tile(self.pair)] * 2))
        if self.shape != "sets":
            sets.insert(0, self.shape)
        return " ".join([*sets, *map(str, self.melds)])

    def to_json(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "text": str(self),
            "chows": [Tile(t).code for t in self.chows],
            "pungs": [Tile(t).code for t in self.pungs],
            "pair": Tile(self.pair).code if self.pair >= 0 else None,
            "melds": [str(meld) for meld in self.melds],
            "wait": self.wait,
            "total": self.total,
        }


Payments = Mapping[Wind, int]


@dataclass(slots=True)
class Result:
    """The score of a hand, or every reason why it has none.

    `certain` is true only when everything that changes the total is known. When it is false,
    `total` is None and `range` is the lowest and highest total (None when nothing can be said).
    `payments` is None while it is not known who pays. `dealer_line` is not part of `total`.
    `questions` are the facts whose answers decide, the most telling first.
    """

    ruleset: str
    version: str
    total: int | None = None
    certain: bool = False
    range: tuple[int, int] | None = None
    dealer_line: int = 0
    items: tuple[Earned, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    problems: tuple[Problem, ...] = ()
    payments: Payments | None = None
    transfers: tuple[Transfer, ...] = ()
    questions: tuple[str, ...] = ()
    minimum: int = 0
    uncut: int | None = None
    """The total before the limit cut it."""
    unit: str = ""
    arrangement: Arrangement | None = None
    others: tuple[Arrangement, ...] = ()

    @property
    def is_good(self) -> bool:
        """A legal win whose score is known."""
        return self.certain and not self.problems

    @property
    def minimum_met(self) -> bool | None:
        """Whether the total reaches the minimum; None when the total is not known."""
        if self.total is None:
            return None
        return all(problem.id != "below-minimum" for problem in self.problems)

    def ids(self) -> list[str]:
        """The ids of the items, one for each time it counts."""
        return [item.id for item in self.items for _ in range(item.count)]

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; the field names are fixed (docs/json.md)."""
        return {
            "schema": SCHEMA,
            "total": self.total,
            "certain": self.certain,
            "range": list(self.range) if self.range else None,
            "dealer_line": self.dealer_line,
            "items": _all(self.items),
            "left_out": _all(self.left_out),
            "problems": _all(self.problems),
            "payments": payments_json(self.payments),
            "ruleset": self.ruleset,
            "version": self.version,
            "unit": self.unit,
            "minimum": self.minimum,
            "minimum_met": self.minimum_met,
            "uncut": self.uncut,
            "questions": list(self.questions),
            "transfers": _all(self.transfers),
            "arrangement": self.arrangement.to_json() if self.arrangement else None,
            "others": _all(self.others),
        }


def payments_json(payments: Payments | None) -> dict[str, int] | None:
    if payments is None:
        return None
    return {wind.letter: payments.get(wind, 0) for wind in Wind}


def _all(things: Iterable[Any]) -> list[dict[str, Any]]:
    return [thing.to_json() for thing in things]
