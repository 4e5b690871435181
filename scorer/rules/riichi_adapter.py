"""Handing a complete hand to the package `mahjong`, and its answer in our words.

The package's tiles are numbered 0 to 135, four copies a face; the red five of a suit is its first
copy. Its dragons stand white, green, red.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..arrange import WAIT_NAMES
from ..hand import CHOW, PUNG, Hand
from ..payments import UNKNOWN, WINDS, paid
from ..result import Arrangement, Earned, Problem, Result, Transfer
from ..ruleset import Paid
from ..tiles import Tile
from ..winds import EAST, Wind
from .riichi_yaku import ID_OF, SITUATIONAL

if TYPE_CHECKING:
    from ..table import Evaluation, Table
    from ..view import View

STICK = 1000
"""Points of a riichi stick."""
FIVES = (4, 13, 22)
MINIMUM = 1


class Copies:
    """Numbers tiles as the package does, red fives as told."""

    def __init__(self, tiles: Iterable[Tile], reds: int) -> None:
        held = [int(tile) for tile in tiles]
        most = sorted((five for five in FIVES if five in held), key=lambda five: -held.count(five))
        self.used = dict.fromkeys(range(34), 0)
        for five in FIVES:
            # The first copy is the red one; a suit without it begins at the second.
            self.used[five] = int(five not in most[:reds])

    def take(self, tile: Tile) -> int:
        copy = self.used[tile]
        self.used[tile] += 1
        return 4 * face(tile) + copy


def red_fives(hand: Hand, house: Any) -> tuple[int, int]:
    """The fewest and the most red fives that the hand can hold: one of each suit's four is red."""
    if not house.red_fives:
        return 0, 0
    counts = [hand.tiles.count(Tile(five)) for five in FIVES]
    return sum(count == 4 for count in counts), sum(count > 0 for count in counts)


def face(tile: int) -> int:
    """The package's number of a face."""
    return {31: 33, 33: 31}.get(tile, int(tile))


def answer(view: View, table: Table) -> Result:
    """The score of a complete hand; a Result with the reason where the package is missing."""
    try:
        from mahjong.hand_calculating.hand import HandCalculator
    except ImportError:
        return _none(table, Problem("needs-package", {"package": "hupai[riichi]"}))
    if view.winning < 0:
        return _best_winning_tile(view, table)
    hand, situation = view.hand, view.situation
    reds = situation.red_fives
    copies = Copies(hand.tiles, red_fives(hand, table.house)[0] if reds is None else reds)
    melds = [_meld(meld, copies) for meld in view.melds]
    loose = [copies.take(tile) for tile in hand.concealed]
    assert hand.winning is not None
    winning = copies.take(hand.winning)
    tiles = [*loose, winning, *(tile for meld in melds for tile in meld.tiles)]
    found = HandCalculator.estimate_hand_value(
        tiles,
        winning,
        melds,
        [4 * face(tile) for tile in situation.dora or ()],
        _config(view, table),
        ura_dora_indicators=[4 * face(tile) for tile in situation.ura_dora],
    )
    if found.error == HandCalculator.ERR_NO_YAKU:
        short = {"have": 0, "need": MINIMUM, "short": MINIMUM}
        return _none(table, Problem("below-minimum", short), total=0)
    if found.error is not None or found.han is None or not found.yaku:
        return _none(table, Problem("not-scored", {"reason": str(found.error)}))
    items = _items(found, view)
    payments = _paid(found, view)
    return Result(
        table.name,
        table.rules.version,
        found.han,
        True,
        items=tuple(items),
        payments=payments.payments,
        transfers=payments.transfers,
        minimum=MINIMUM,
        uncut=found.han,
        unit=table.rules.unit,
        arrangement=_arrangement(view, found.han),
    )


def _best_winning_tile(view: View, table: Table) -> Result:
    """A heavenly hand has no winning tile: the dearest of its tiles is taken for it."""
    from ..engine import score_known

    hand = view.hand
    results = []
    for tile in dict.fromkeys(hand.concealed):
        left = list(hand.concealed)
        left.remove(tile)
        fixed = replace(hand, concealed=tuple(left), winning=tile)
        results.append(score_known(fixed, view.situation, table))
    return max(results, key=lambda result: result.total or 0)


def _none(table: Table, problem: Problem, total: int | None = None) -> Result:
    rules = table.rules
    return Result(
        table.name,
        rules.version,
        total,
        total is not None,
        problems=(problem,),
        minimum=MINIMUM,
        unit=rules.unit,
    )


def _meld(meld: Any, copies: Copies) -> Any:
    from mahjong.meld import Meld as Theirs

    kind = {CHOW: Theirs.CHI, PUNG: Theirs.PON}.get(meld.kind, Theirs.KAN)
    return Theirs(kind, [copies.take(tile) for tile in meld.tiles], opened=meld.is_exposed)


def _config(view: View, table: Table) -> Any:
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

    house, situation, events = table.house, view.situation, view.events
    limits = {
        "yakuman": HandConfig.KAZOE_LIMITED,
        "sanbaiman": HandConfig.KAZOE_SANBAIMAN,
        "no_limit": HandConfig.KAZOE_NO_LIMIT,
    }
    options = OptionalRules(
        has_open_tanyao=house.open_tanyao,
        has_aka_dora=house.red_fives,
        has_double_yakuman=house.double_yakuman,
        kazoe_limit=limits[house.counted_yakuman],
        kiriage=house.kiriage,
        renhou_as_yakuman=house.human_hand_yakuman,
    )
    return HandConfig(
        is_tsumo=view.self_drawn,
        is_riichi="riichi" in events,
        is_ippatsu="ippatsu" in events,
        is_rinshan="kong-draw" in events,
        is_chankan=view.robbed,
        is_haitei="last-draw" in events,
        is_houtei="last-discard" in events,
        is_daburu_riichi="double-riichi" in events,
        is_tenhou="heavenly-hand" in events,
        is_renhou="human-hand" in events,
        is_chiihou="earthly-hand" in events,
        player_wind=27 + view.seat if view.seat >= 0 else None,
        round_wind=27 + view.round if view.round >= 0 else None,
        tsumi_number=situation.streak or 0,
        options=options,
    )


def _items(found: Any, view: View) -> list[Earned]:
    items: dict[str, Earned] = {}
    for yaku in found.yaku:
        id = ID_OF[type(yaku).__name__]
        value = yaku.han_open if found.is_open_hand else yaku.han_closed
        tiles = () if id in SITUATIONAL else view.all_tiles
        if id in ("dora", "ura-dora", "red-five"):
            items[id] = Earned(id, 1, value, (), "mahjong")
        elif id in items:
            items[id].count += 1
        else:
            items[id] = Earned(id, value, 1, tiles, "mahjong")
    return list(items.values())


def _paid(found: Any, view: View) -> Paid:
    situation = view.situation
    winner, cost = situation.seat, found.cost
    if winner is None or situation.streak is None:
        return UNKNOWN
    base: tuple[tuple[str, int], ...] = (("han", found.han), ("fu", found.fu))
    transfers = []
    if view.self_drawn:
        for payer in WINDS:
            if payer is winner:
                continue
            which = "main" if EAST in (payer, winner) else "additional"
            transfers.append(_transfer(payer, winner, cost, which, "self-drawn", base))
    elif situation.from_seat is not None:
        giver = situation.from_seat
        transfers.append(_transfer(giver, winner, cost, "main", "discard", base))
    else:
        return UNKNOWN
    # The sticks on the table were put there by these players; one's own comes back for nothing.
    transfers += [
        Transfer(seat, winner, STICK, "riichi-stick")
        for seat in situation.sticks
        if seat is not winner
    ]
    return paid(transfers)


def _transfer(
    payer: Wind, winner: Wind, cost: Any, which: str, how: str, base: tuple[tuple[str, int], ...]
) -> Transfer:
    bonus = cost[f"{which}_bonus"]
    parts = (*base, ("honba", bonus)) if bonus else base
    return Transfer(payer, winner, cost[which] + bonus, how, parts)


def pay(total: int, view: View, evaluation: Evaluation, table: Table) -> Paid:
    """Points hang on the fu as well, so a total alone does not say who pays."""
    return UNKNOWN


def _arrangement(view: View, han: int) -> Arrangement:
    split = (view.own_chows, view.own_pungs, view.pair)
    return Arrangement(view.shape, *split, view.melds, WAIT_NAMES[view.wait], han)
