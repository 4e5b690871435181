"""A hand further away: its distance, the tiles that help, and which tile to give away.

Speed is how near the hand stays and how many tiles then help; value is what it is worth on a
discard when it is finished by its fastest way, each tile weighed by the copies left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer import Hand, HouseRules, Situation, Tile
from scorer.table import Table, table_of

from .distance import Standing, lacking, tiles_of, useful
from .suit_needs import FAR
from .waits import waits

FASTEST: Final = "fastest"
DEARER: Final = "dearer"
SAME: Final = "as-fast"
FEWER: Final = "fewer"
SLOWER: Final = "slower"
"""Why a discard stands where it does, from best to worst; the words are in the language files."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """A hand before a draw. `distance` is the number of exchanges to a ready hand (0 is ready),
    `useful` the faces that bring it nearer (or finish it) with the copies left.
    """

    distance: int
    useful: dict[int, int]

    @property
    def tiles(self) -> int:
        """Copies left of all useful faces together."""
        return sum(self.useful.values())

    def to_json(self) -> dict[str, Any]:
        useful = {Tile(face).code: left for face, left in self.useful.items()}
        return {"distance": self.distance, "useful": useful, "tiles": self.tiles}


@dataclass(frozen=True, slots=True)
class Discard:
    """One tile to give away and what the hand is then. `value` is None where the hand is too far
    from ready to say.
    """

    tile: Tile
    outlook: Outlook
    value: float | None
    reason: str

    def to_json(self) -> dict[str, Any]:
        value = None if self.value is None else round(self.value, 1)
        outlook = self.outlook.to_json()
        return {"tile": self.tile.code, **outlook, "value": value, "reason": self.reason}


def outlook(
    hand: Hand,
    situation: Situation,
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
    seen: Iterable[Tile] = (),
) -> Outlook | None:
    """How far a hand before its draw is; None when no way leads to a win."""
    table = table_of(ruleset, house)
    return _outlook(Standing.of(hand, table.rules, tuple(seen), situation.missing_suit), table)


def discards(
    hand: Hand,
    situation: Situation,
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
    seen: Iterable[Tile] = (),
) -> tuple[Discard, ...]:
    """The tiles that a hand after its draw can give away, the best first.

    Among those that leave the hand nearest, the order is tiles that help times value; the others
    follow by distance. Raises as `score` does.
    """
    table = table_of(ruleset, house)
    elsewhere = tuple(seen)
    standing = Standing.of(hand, table.rules, elsewhere, situation.missing_suit)
    loose = [*hand.concealed, *([] if hand.winning is None else [hand.winning])]
    found: list[Discard] = []
    for face in tiles_of(standing):
        view = _outlook(standing.without(face), table)
        if view is not None:
            found.append(Discard(Tile(face), view, None, ""))
    if not found:
        return ()
    nearest = min(each.outlook.distance for each in found)
    if nearest <= 1:
        score = _Values(hand, situation, table, elsewhere)
        found = [
            replace(each, value=score.of(_after(loose, each.tile), standing.without(each.tile)))
            if each.outlook.distance == nearest
            else each
            for each in found
        ]
    found.sort(key=_rank)
    return _reasoned(found, nearest)


def _rank(each: Discard) -> tuple[float, ...]:
    worth = each.outlook.tiles * (1 if each.value is None else each.value)
    return each.outlook.distance, -worth, -each.outlook.tiles, each.tile


def _reasoned(found: list[Discard], nearest: int) -> tuple[Discard, ...]:
    near = [each for each in found if each.outlook.distance == nearest]
    fastest = max(each.outlook.tiles for each in near)
    worth = max((e.value or 0 for e in near if e.outlook.tiles == fastest), default=0)

    def why(each: Discard) -> str:
        if each.outlook.distance > nearest:
            return SLOWER
        if each.outlook.tiles == fastest:
            return FASTEST if each == near[0] or (each.value or 0) == worth else SAME
        return DEARER if (each.value or 0) > worth else FEWER

    return tuple(replace(each, reason=why(each)) for each in found)


def _outlook(standing: Standing, table: Table) -> Outlook | None:
    away = lacking(standing, table)
    return None if away >= FAR else Outlook(away - 1, useful(standing, table))


def _after(loose: list[Tile], tile: int) -> tuple[Tile, ...]:
    kept = list(loose)
    kept.remove(Tile(tile))
    return tuple(kept)


class _Values:
    """What hands are worth when they are finished by their fastest way, remembered by tiles."""

    def __init__(
        self, hand: Hand, situation: Situation, table: Table, seen: tuple[Tile, ...]
    ) -> None:
        self.hand = hand
        self.situation = situation
        self.table = table
        self.seen = seen
        self.ready: dict[int, tuple[float, int]] = {}

    def of(self, loose: tuple[Tile, ...], standing: Standing) -> float:
        """The mean value of a hand that is ready or one exchange from it."""
        if lacking(standing, self.table) == 1:
            return self._ready(loose, standing)[0]
        sums = weights = 0.0
        for face, left in useful(standing, self.table).items():
            drawn = standing.with_tile(face)
            tiles = (*loose, Tile(face))
            best = (0.0, 0)
            for out in tiles_of(drawn):
                kept = drawn.without(out)
                if lacking(kept, self.table) == 1:
                    value, copies = self._ready(_after(list(tiles), out), kept)
                    if value * copies >= best[0] * best[1]:
                        best = value, copies
            sums += left * best[0]
            weights += left
        return sums / weights if weights else 0.0

    def _ready(self, loose: tuple[Tile, ...], standing: Standing) -> tuple[float, int]:
        """(mean total, copies left) of a ready hand; a tile that cannot win on a discard counts
        by self-draw, and as nothing where that is no win either.
        """
        known = self.ready.get(standing.key)
        if known is None:
            hand = Hand(loose, self.hand.melds, self.hand.bonus)
            table = self.table
            found = waits(hand, self.situation, table.name, table.house_rules, self.seen)
            copies = sum(wait.left for wait in found)
            total = sum(wait.left * _worth(wait.by_discard, wait.by_draw) for wait in found)
            known = self.ready[standing.key] = (total / copies if copies else 0.0, copies)
        return known


def _worth(*results: Any) -> float:
    for result in results:
        if not result.problems:
            low, high = result.range or (result.total or 0, result.total or 0)
            return (low + high) / 2
    return 0.0
