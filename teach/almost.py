"""Near misses: the items that a finished hand was one tile, or two tiles, away from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from scorer import Hand, HouseRules, Result, Situation
from scorer.engine import score_with
from scorer.result import Earned
from scorer.table import table_of
from scorer.tiles import Tile

from .neighbours import Faces, neighbours


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A win that differs in one or two tiles: what goes out and in, what it earns besides.

    `new` holds the items that count more often than they do in the hand itself; `gain` is the
    difference of the totals and may be negative, because another arrangement may be needed.
    """

    out: Faces
    into: Faces
    hand: Hand
    total: int
    gain: int
    new: tuple[Earned, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "out": [Tile(t).code for t in self.out],
            "in": [Tile(t).code for t in self.into],
            "hand": str(self.hand),
            "total": self.total,
            "gain": self.gain,
            "new": [item.to_json() for item in self.new],
        }


def near_misses(
    hand: Hand,
    situation: Situation,
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
    tiles: int = 1,
) -> tuple[NearMiss, ...]:
    """Every win that differs in exactly `tiles` tiles (1 or 2) and earns an item more.

    Every tile of the hand may be exchanged for each of the 34 faces, won in the same way; the
    highest gain comes first. Nothing for a hand whose own score is not certain. Raises as `score`
    does.
    """
    table = table_of(ruleset, house)
    own = score_with(hand, situation, table)
    if own.total is None or not own.is_good:
        return ()
    found = []
    for near in neighbours(hand, table, tiles):
        result = score_with(near.hand, situation, table)
        new = more_than(own, result) if wins(result) else ()
        if new and result.total is not None:
            gain = result.total - own.total
            found.append(NearMiss(near.out, near.into, near.hand, result.total, gain, new))
    return tuple(sorted(found, key=lambda miss: (-miss.gain, miss.out, miss.into)))


def wins(result: Result) -> bool:
    """Whether a result is a certain win with a complete hand."""
    shape = result.arrangement.shape if result.arrangement else "none"
    return result.is_good and shape != "none"


def more_than(own: Result, other: Result) -> tuple[Earned, ...]:
    """The items that count more often, or for more, in `other` than in `own`."""
    had = Counter[str]()
    for item in own.items:
        had[item.id] += item.total
    return tuple(item for item in other.items if item.total > had[item.id])


def by_item(misses: tuple[NearMiss, ...]) -> dict[str, list[NearMiss]]:
    """Item id -> the exchanges that earn it, the highest gain first; items in that order too."""
    found: dict[str, list[NearMiss]] = {}
    for miss in misses:
        for item in miss.new:
            found.setdefault(item.id, []).append(miss)
    return found
