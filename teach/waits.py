"""What a ready hand waits for: each winning tile, the copies left, the wait, the two scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer import Hand, HouseRules, Result, Situation, Tile, waits_of
from scorer.engine import score_with
from scorer.table import table_of

LASTING: Final = frozenset({
    *("ready-declared", "first-discard-ready", "first-round-ready", "ready-on-deal"),
    *("riichi", "double-riichi"),
})  # fmt: skip
"""Events that are true before the hand is won and stay true."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One winning tile. `kind` is the wait as it counts (open, shanpon, edge, closed, pair, or
    empty for a shape that has none); `left` counts the copies that are neither in the hand nor
    seen. The two results hold the score, or why it would be no win.
    """

    tile: Tile
    left: int
    kind: str
    by_discard: Result
    by_draw: Result

    def to_json(self) -> dict[str, Any]:
        return {
            "tile": self.tile.code,
            "left": self.left,
            "kind": self.kind,
            "by_discard": self.by_discard.to_json(),
            "by_draw": self.by_draw.to_json(),
        }


def waits(
    hand: Hand,
    situation: Situation,
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
    seen: Iterable[Tile] = (),
) -> tuple[Wait, ...]:
    """Every tile that completes a hand one tile short, in order of tile id.

    `seen` are tiles that lie open elsewhere. A face of which the hand holds all four is no wait;
    one whose other copies have been seen is, with none left. A tile that completes the hand but
    cannot win, below the minimum for example, is there with its problems. Nothing for a hand that
    is not one tile short. Raises as `score` does.
    """
    table = table_of(ruleset, house)
    elsewhere = list(seen)
    lasting = situation.events & LASTING
    plain = replace(
        situation,
        robbed=False,
        events=lasting,
        unknown_events=frozenset(),
        replacement=None,
        also_won=frozenset(),
        from_seat=None,
    )
    given, drawn = plain.but(self_drawn=False), plain.but(self_drawn=True)
    found = []
    for tile in waits_of(replace(hand, winning=None), ruleset, house):
        copies = 4 - _held(hand, tile)
        if copies < 1 or (tile.is_honour and not table.rules.honours):
            continue
        whole = replace(hand, winning=tile)
        by_discard = score_with(whole, given, table)
        by_draw = score_with(whole, drawn, table)
        shapes = [r.arrangement for r in (by_discard, by_draw) if r.arrangement is not None]
        kind = shapes[0].wait if shapes else ""
        left = max(0, copies - elsewhere.count(tile))
        found.append(Wait(tile, left, kind, by_discard, by_draw))
    return tuple(found)


def _held(hand: Hand, tile: Tile) -> int:
    """Copies of a face in the hand, a winning tile aside."""
    shown = sum(meld.tiles.count(tile) for meld in hand.melds)
    return hand.concealed.count(tile) + shown


def winning_only(found: Iterable[Wait]) -> tuple[Wait, ...]:
    """The waits on which the hand can be won in one of the two ways, or may be: its score hangs
    on a fact that is not said.
    """
    return tuple(w for w in found if not (w.by_discard.problems and w.by_draw.problems))
