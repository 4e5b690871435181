"""A hand below the minimum: how much is missing, and the cheapest ways it could have had it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .hand import CONCEALED_KONG, Hand, Meld
from .result import Arrangement, Problem
from .situation import Situation
from .tiles import CODES, FACES, Tile, tiles_text

if TYPE_CHECKING:
    from .table import Evaluation, Table
    from .view import View

DEAREST: Final = 3
"""Changes up to which ways are looked for."""
SHOWN: Final = 3
"""How many ways of the same cost are named."""


class Shortfall(Mapping[str, Any]):
    """Facts of a below-minimum problem; `ways` is searched for when it is first asked for, so
    that scoring many hands does not pay for it.
    """

    def __init__(self, facts: dict[str, Any], search: Callable[[], list[dict[str, Any]]]) -> None:
        self._facts = facts
        self._search = search

    def __getitem__(self, key: str) -> Any:
        if key == "ways" and "ways" not in self._facts:
            self._facts["ways"] = self._search()
        return self._facts[key]

    def __iter__(self) -> Iterator[str]:
        yield from ("have", "need", "short", "ways")

    def __len__(self) -> int:
        return 4

    def __repr__(self) -> str:
        return f"Shortfall({self._facts})"


def below_minimum(view: View, evaluation: Evaluation, table: Table) -> list[Problem]:
    """The minimum, for `Ruleset.after`, with the shortfall and the cheapest ways."""
    have, need = table.cut(evaluation.total), table.minimum
    if have >= need:
        return []
    hand, situation = view.hand, view.situation
    facts = {"have": have, "need": need, "short": need - have}
    return [
        Problem("below-minimum", Shortfall(facts, lambda: cheapest_ways(hand, situation, table)))
    ]


@dataclass(frozen=True, slots=True)
class _Tried:
    """A neighbour of the hand: how many changes lead to it, which, and whether its sets still lie
    on the table.
    """

    cost: int
    hand: Hand
    situation: Situation
    changes: tuple[dict[str, Any], ...] = ()
    claimed: bool = True


def cheapest_ways(hand: Hand, situation: Situation, table: Table) -> list[dict[str, Any]]:
    """The smallest changes that make a complete hand below the minimum a win.

    A change is one tile held instead of another, one set not claimed, the winning tile drawn
    instead of given, one bonus tile more or less; tiles change in one set or in the eyes. Each
    answer is {"changes": [{"id", ...}], "hand": text, "total": n}; the best three of the lowest
    cost, none when more than three changes would be needed.
    """
    from .engine import score_known

    told = list(_facts_told_otherwise(hand, situation))
    first = score_known(hand, situation, table)
    exchanges = [] if first.arrangement is None else list(_exchanges(hand, first.arrangement))
    for cost in range(1, DEAREST + 1):
        found = []
        for told_so in told:
            if told_so.cost > cost:
                continue
            for tried in _with_exchange(told_so, exchanges, cost):
                result = score_known(tried.hand, tried.situation, table)
                if not result.problems and result.total is not None:
                    found.append((result.total, tried))
        if found:
            found.sort(key=lambda way: -way[0])
            return [
                {"changes": list(t.changes), "hand": str(t.hand), "total": total}
                for total, t in found[:SHOWN]
            ]
    return []


def _facts_told_otherwise(hand: Hand, situation: Situation) -> Iterator[_Tried]:
    """The same tiles won in another way: self-drawn, unclaimed, with other bonus tiles."""
    for drawn in (False, True):
        if drawn and (situation.self_drawn or situation.events or situation.robbed):
            continue
        facts = situation
        if drawn:
            facts = situation.but(
                self_drawn=True, from_seat=None, also_won=frozenset(), wall_left=None, seen=None
            )
        for own in (hand, _unclaimed(hand)):
            claims = sum(meld.is_exposed for meld in hand.melds)
            if own is not hand and not claims:
                continue
            for bonus, by in _other_bonus(hand, situation):
                changes: list[dict[str, Any]] = [{"id": "self-drawn"}] if drawn else []
                cost = int(drawn)
                if own is not hand:
                    changes.append({"id": "not-claimed", "count": claims})
                    cost += claims
                if by:
                    changes.append(by)
                    cost += by.get("count", 1)
                told = Hand(own.concealed, own.melds, bonus, own.winning)
                yield _Tried(cost, told, facts, tuple(changes), own is hand)


def _unclaimed(hand: Hand) -> Hand:
    """The hand as it would be had nothing been claimed."""
    loose = list(hand.concealed)
    melds = []
    for meld in hand.melds:
        if meld.is_kong:
            melds.append(Meld(CONCEALED_KONG, meld.tiles))
        else:
            loose += meld.tiles
    return Hand(tuple(loose), tuple(melds), hand.bonus, hand.winning)


def _other_bonus(
    hand: Hand, situation: Situation
) -> Iterator[tuple[tuple[Tile, ...], dict[str, Any] | None]]:
    """The bonus tiles as they are, with one of the seat more, and without any."""
    yield hand.bonus, None
    if situation.seat is not None:
        for first in (Tile.SPRING, Tile.PLUM):
            own = Tile(first + situation.seat)
            if own not in hand.bonus:
                yield (*hand.bonus, own), {"id": "also-bonus", "tile": CODES[own]}
    if hand.bonus:
        yield (), {"id": "no-bonus", "count": len(hand.bonus)}


Exchange = tuple[int, tuple[int, ...], tuple[int, ...], int]
"""(tiles changed, tiles out, tiles in, index of the set laid down that it changes or -1)."""


def _exchanges(hand: Hand, arrangement: Arrangement) -> Iterator[Exchange]:
    """Another set for one of the sets, other eyes for the eyes."""
    groups: list[tuple[tuple[int, ...], int]] = []
    groups += [((t, t + 1, t + 2), -1) for t in arrangement.chows]
    groups += [((t, t, t), -1) for t in arrangement.pungs]
    groups += [
        (tuple(map(int, meld.tiles)), i) for i, meld in enumerate(hand.melds) if not meld.is_kong
    ]
    sets = [(t, t + 1, t + 2) for t in range(27) if t % 9 < 7]
    sets += [(t, t, t) for t in range(FACES)]
    for old, at in groups:
        for new in sets:
            yield _exchange(old, new, at)
    if arrangement.pair >= 0:
        pair = (arrangement.pair,) * 2
        for face in range(FACES):
            yield _exchange(pair, (face, face), -1)


def _exchange(old: tuple[int, ...], new: tuple[int, ...], at: int) -> Exchange:
    out = tuple(sorted((Counter(old) - Counter(new)).elements()))
    into = tuple(sorted((Counter(new) - Counter(old)).elements()))
    return len(out), out, into, at


def _with_exchange(told: _Tried, exchanges: list[Exchange], cost: int) -> Iterator[_Tried]:
    """The hand itself when its facts cost that much, else with a fitting exchange of tiles."""
    left = cost - told.cost
    if left == 0:
        yield told
        return
    for tiles, out, into, at in exchanges:
        if tiles != left:
            continue
        hand = _exchanged(told.hand, out, into, at if told.claimed else -1)
        if hand is not None:
            said = {
                "id": "exchange",
                "out": tiles_text([Tile(t) for t in out]),
                "in": tiles_text([Tile(t) for t in into]),
            }
            yield _Tried(cost, hand, told.situation, (*told.changes, said))


def _exchanged(hand: Hand, out: tuple[int, ...], into: tuple[int, ...], at: int) -> Hand | None:
    """The hand with these tiles changed; None when that cannot be."""
    melds = list(hand.melds)
    loose = list(hand.concealed) + ([] if hand.winning is None else [hand.winning])
    if at >= 0:
        tiles = [int(tile) for tile in melds[at].tiles]
        for tile in out:
            tiles.remove(tile)
        melds[at] = Meld.of([Tile(t) for t in (*tiles, *into)])
        return Hand(hand.concealed, tuple(melds), hand.bonus, hand.winning)
    for tile in out:
        if tile not in loose:
            return None
        loose.remove(Tile(tile))
    loose += [Tile(t) for t in into]
    winning = hand.winning
    if winning is not None:
        if winning not in loose:
            winning = Tile(into[0])
        loose.remove(winning)
    return Hand(tuple(loose), tuple(melds), hand.bonus, winning)
