"""A hand that is no win: what of it is complete, what is not, and the nearest repairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorer import Hand, HouseRules, Result, Situation, Tile
from scorer.engine import score_with
from scorer.table import Table, table_of
from scorer.tiles import FACES

from .distance import Standing, lacking
from .groups import Group, groups_of
from .neighbours import Faces, neighbours
from .suit_needs import FAR

MOST_TILES = 20
SHOWN = 12
"""Repairs that are named at most, the dearest first."""


@dataclass(frozen=True, slots=True)
class Repair:
    """An exchange (or a tile more or less) that makes the hand a win, and what it then scores."""

    out: Faces
    into: Faces
    hand: Hand
    total: int | None

    def to_json(self) -> dict[str, Any]:
        return {
            "out": [Tile(t).code for t in self.out],
            "in": [Tile(t).code for t in self.into],
            "hand": str(self.hand),
            "total": self.total,
        }


@dataclass(frozen=True, slots=True)
class NotAWin:
    """`groups` are the concealed tiles as far as they belong together; `lacks` is how many tiles
    the nearest complete hand has that this one has not (None when there is none within reach).
    """

    result: Result
    groups: tuple[Group, ...]
    lacks: int | None
    repairs: tuple[Repair, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "problems": [problem.to_json() for problem in self.result.problems],
            "groups": [group.to_json() for group in self.groups],
            "lacks": self.lacks,
            "repairs": [repair.to_json() for repair in self.repairs],
        }


def not_a_win(
    hand: Hand, situation: Situation, ruleset: str = "taiwan", house: HouseRules | None = None
) -> NotAWin | None:
    """Why a hand is no win and what would make it one; None for a hand that is a win.

    Repairs are one tile exchanged, added or taken away, or two exchanged where one is not enough.
    Raises as `score` does.
    """
    table = table_of(ruleset, house)
    result = score_with(hand, situation, table)
    if not result.problems:
        return None
    loose = [t for t in (*hand.concealed, hand.winning) if t is not None and t < FACES]
    # So many tiles are no hand, and have more ways to be seen than anybody could look at.
    some = len(loose) <= MOST_TILES
    groups = groups_of(loose, table.rules.sets - len(hand.melds)) if some else ()
    away = lacking(Standing.of(hand, table.rules, (), situation.missing_suit), table)
    return NotAWin(result, groups, None if away >= FAR else away, _repairs(hand, situation, table))


def _repairs(hand: Hand, situation: Situation, table: Table) -> tuple[Repair, ...]:
    size = len(hand.tiles) - sum(meld.is_kong for meld in hand.melds)
    need = 3 * table.rules.sets + 2
    tries: list[list[Repair]]
    if size == need:
        tries = [
            [Repair(n.out, n.into, n.hand, None) for n in neighbours(hand, table, tiles)]
            for tiles in (1, 2)
        ]
    elif size == need + 1:
        tries = [[Repair((tile,), (), without, None) for tile, without in _one_less(hand)]]
    elif size == need - 1:
        tries = [[Repair((), (tile,), more, None) for tile, more in _one_more(hand)]]
    else:
        tries = []
    for tried in tries:
        found = []
        for repair in tried:
            result = score_with(repair.hand, situation, table)
            if not result.problems:
                found.append(replace(repair, total=result.total))
        if found:
            found.sort(key=lambda repair: (-(repair.total or 0), repair.out, repair.into))
            # The same exchange with another winning tile is worth less or the same.
            once = {(repair.out, repair.into): repair for repair in reversed(found)}
            return tuple(repair for repair in found if once[repair.out, repair.into] is repair)[
                :SHOWN
            ]
    return ()


def _one_less(hand: Hand) -> list[tuple[Tile, Hand]]:
    """The hand without one of its concealed tiles."""
    found = []
    for tile in dict.fromkeys(hand.concealed):
        kept = list(hand.concealed)
        kept.remove(tile)
        found.append((tile, replace(hand, concealed=tuple(kept))))
    return found


def _one_more(hand: Hand) -> list[tuple[Tile, Hand]]:
    """The hand with one tile more: the winning tile where it has none."""
    found = []
    for face in range(FACES):
        tile = Tile(face)
        if hand.winning is None:
            found.append((tile, replace(hand, winning=tile)))
        else:
            found.append((tile, replace(hand, concealed=(*hand.concealed, tile))))
    return found
