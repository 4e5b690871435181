"""`taiwan-classic`: the 16-tile game in which winning is worth 2 (rules/taiwan-classic.md)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from ..arrange import CLOSED, EDGE, OPEN, PAIR
from ..hand import Hand
from ..houserules import Option
from ..payments import UNKNOWN, WINDS, paid
from ..result import Problem, Transfer
from ..ruleset import Exclusion as Leaves
from ..ruleset import Item, Paid, Ruleset, nothing
from ..situation import Situation
from ..table import Evaluation, Table, below_minimum
from ..view import View
from .eight_pairs import SEVEN_PAIRS_AND_TRIPLET
from .events import (
    before_any_set,
    bonus_count,
    drawn_or_given,
    from_dealer,
    never_together,
    only_dealer,
)
from .hk_style import HK_STYLE_ITEMS
from .lit import (
    DRAGON_FACES,
    HONOUR_FACES,
    WIND_FACES,
    bonus_tiles,
    concealed_pungs,
    kongs,
    pungs_and_eyes,
    pungs_of,
    winning_tile,
)

C = "TW-C"
FULL = "TW-C full table"
NOT_PRINTED = "!only_printed_rows"

OPTIONS = (
    Option("tai_value", 1, low=1, high=100_000),
    Option("minimum", 0, high=40),
    Option("limit", None, low=1, optional=True),
    Option("bonus_tiles", True),
    Option("wait_rule", "real", ("real", "formal")),
    Option("only_printed_rows", False),
    Option("stack_contained", False),
    Option("big_four_winds_bare", True),
    Option("dealer_bonus", False),
    Option("hk_style_rows", False),
    Option("multiple_winners", "nearest", ("nearest", "all")),
)  # fmt: skip


def _event(id: str) -> Callable[[View], bool]:
    return lambda view: id in view.events


def _no_flowers(view: View) -> bool:
    return not view.bonus and view.house.bonus_tiles


def _straight(view: View) -> tuple[int, ...]:
    """The lowest tiles of 123 456 789 of one suit, or nothing."""
    for base in (0, 9, 18):
        chows = (base, base + 3, base + 6)
        if all(chow in view.chows for chow in chows):
            return chows
    return ()


def _straight_units(view: View) -> int:
    """1, or 2 when all three chows are concealed (a chow the discard completed is not)."""
    chows = _straight(view)
    if not chows:
        return 0
    own = list(view.own_chows)
    if not view.self_drawn and view.wait in (OPEN, EDGE, CLOSED):
        # The discard stands in one own chow; outside the straight if the wait allows that.
        for chow in chows:
            if chow in own:
                own.remove(chow)
        if any(_ends(view, chow) for chow in own):
            return 2 if all(chow in view.own_chows for chow in chows) else 1
        return 1
    return 2 if all(chow in own for chow in chows) else 1


def _ends(view: View, chow: int) -> bool:
    """Whether the winning tile can have completed this chow with the wait it had."""
    place = view.winning - chow
    if place not in (0, 1, 2):
        return False
    if place == 1:
        return view.wait == CLOSED
    edge = chow % 9 == (6 if place == 0 else 0)
    return view.wait == (EDGE if edge else OPEN)


def _five_chows(view: View) -> bool:
    return len(view.chows) == 5


ITEMS = (
    Item("winning", 2, lambda v: 1, C, nothing),
    Item("flower", 1, lambda v: v.bonus_count, FULL, bonus_tiles, option=NOT_PRINTED, bare=True),
    Item("no-flowers", 1, _no_flowers, FULL, nothing, option=NOT_PRINTED),
    Item("no-honours", 1, lambda v: not v.honours, FULL, option=NOT_PRINTED),
    Item("no-honours-no-flowers", 3, lambda v: not v.honours and _no_flowers(v), FULL,
         option=NOT_PRINTED),
    Item("honour-pung", 1, lambda v: v.wind_pungs + v.dragon_pungs, C, pungs_of(HONOUR_FACES)),
    Item("exposed-kong", 1, lambda v: v.kongs, C, lambda v: kongs(v, True)),
    Item("concealed-kong", 2, lambda v: v.concealed_kongs, FULL, lambda v: kongs(v, False),
         option=NOT_PRINTED),
    Item("straight", 5, _straight_units, FULL, lambda v: tuple(
        t + i for t in _straight(v) for i in range(3)), option=NOT_PRINTED, once=True),
    Item("two-concealed-pungs", 2, lambda v: v.concealed_pungs >= 2, FULL, concealed_pungs,
         option=NOT_PRINTED),
    Item("three-concealed-pungs", 5, lambda v: v.concealed_pungs >= 3, FULL, concealed_pungs,
         option=NOT_PRINTED),
    Item("four-concealed-pungs", 15, lambda v: v.concealed_pungs >= 4, FULL, concealed_pungs,
         option=NOT_PRINTED),
    Item("five-concealed-pungs", 40, lambda v: v.concealed_pungs == 5, FULL, concealed_pungs,
         option=NOT_PRINTED),
    Item("little-three-winds", 5, lambda v: v.wind_pungs >= 2 and 26 < v.pair < 31, FULL,
         pungs_and_eyes(WIND_FACES), option=NOT_PRINTED),
    Item("big-three-winds", 15, lambda v: v.wind_pungs >= 3, FULL, pungs_of(WIND_FACES),
         option=NOT_PRINTED),
    Item("little-three-dragons", 15, lambda v: v.dragon_pungs == 2 and v.pair > 30, FULL,
         pungs_and_eyes(DRAGON_FACES), option=NOT_PRINTED),
    Item("big-three-dragons", 30, lambda v: v.dragon_pungs == 3, C, pungs_of(DRAGON_FACES)),
    Item("little-four-winds", 30, lambda v: v.wind_pungs == 3 and 26 < v.pair < 31, C,
         pungs_and_eyes(WIND_FACES)),
    Item("big-four-winds", 40, lambda v: v.wind_pungs == 4, C, pungs_of(WIND_FACES)),
    Item("chow-hand", 3, _five_chows, FULL, option=NOT_PRINTED),
    Item("chow-hand-plain", 10, lambda v: _five_chows(v) and not v.honours and _no_flowers(v),
         FULL, option=NOT_PRINTED),
    Item("pung-hand", 10, lambda v: len(v.pungs) == 5, C),
    Item("half-flush", 10, lambda v: v.suits == 1 and v.honours > 0, FULL, option=NOT_PRINTED),
    Item("full-flush", 40, lambda v: v.suits == 1 and not v.honours, FULL, option=NOT_PRINTED),
    Item("concealed-hand", 1, lambda v: v.concealed_hand and not v.self_drawn, FULL,
         option=NOT_PRINTED),
    Item("fully-concealed", 3, lambda v: v.concealed_hand and v.self_drawn, FULL,
         option=NOT_PRINTED),
    Item("self-drawn", 1, lambda v: v.self_drawn, C, nothing),
    Item("one-chance-chow", 1, lambda v: v.sole and v.wait in (EDGE, CLOSED), C, winning_tile),
    Item("pair-wait", 1, lambda v: v.sole and v.wait == PAIR, C, winning_tile),
    Item("exposed-hand", 10, lambda v: v.exposed == 5, FULL, option=NOT_PRINTED),
    Item("last-tile", 1, _event("last-tile"), C, nothing, event=True),
    Item("last-discard", 1, _event("last-discard"), C, nothing, event=True),
    Item("robbing-kong", 1, lambda v: v.robbed, C, winning_tile, event=True),
    Item("early-win-10", 10, _event("early-win-10"), C, nothing, event=True),
    Item("early-win-5", 5, _event("early-win-5"), C, nothing, event=True),
    Item("ready-on-deal", 15, _event("ready-on-deal"), C, nothing, event=True),
    Item("seven-pairs-and-triplet", 30, lambda v: v.shape == "seven-pairs-and-triplet", C),
    Item("heavenly-hand", 40, _event("heavenly-hand"), C, nothing, event=True),
    Item("earthly-hand", 40, _event("earthly-hand"), C, nothing, event=True),
    Item("eight-flowers", 30, _event("eight-flowers"), FULL, bonus_tiles, event=True, bare=True),
    Item("seven-flowers", 20, _event("seven-flowers"), FULL, bonus_tiles, event=True, bare=True),
    *HK_STYLE_ITEMS,
)  # fmt: skip

HK_STYLE = (("hk_style_rows", True),)
LADDER = (("stack_contained", False),)
EXCLUSIONS = (
    Leaves("no-honours-no-flowers", ("no-flowers", "no-honours"), FULL, LADDER),
    Leaves("chow-hand-plain",
           ("chow-hand", "no-honours-no-flowers", "no-honours", "no-flowers"), FULL, LADDER),
    Leaves("three-concealed-pungs", ("two-concealed-pungs",), FULL, LADDER),
    Leaves("four-concealed-pungs", ("two-concealed-pungs", "three-concealed-pungs"), FULL, LADDER),
    Leaves("five-concealed-pungs",
           ("two-concealed-pungs", "three-concealed-pungs", "four-concealed-pungs"), FULL, LADDER),
    Leaves("big-three-winds", ("little-three-winds",), FULL, LADDER),
    Leaves("little-four-winds", ("little-three-winds", "big-three-winds"), FULL, LADDER),
    Leaves("big-four-winds", ("little-three-winds", "big-three-winds"), FULL, LADDER),
    Leaves("little-four-winds", ("half-flush", "honour-pung"), C),
    Leaves("big-four-winds", ("half-flush", "honour-pung"), C, (("big_four_winds_bare", True),)),
    Leaves("fully-concealed", ("concealed-hand", "self-drawn"), FULL, LADDER),
    Leaves("exposed-hand", ("pair-wait",), FULL, LADDER),
    Leaves("early-win-10", ("early-win-5",), C, LADDER),
    Leaves("seven-pairs-and-triplet", ("concealed-hand", "fully-concealed"), C),
    Leaves("straight", ("two-terminal-chows",), "HK-style table", HK_STYLE),
    Leaves("big-three-dragons", ("honour-pung", "dragon-pung"), "HK-style table", HK_STYLE),
    Leaves("big-four-winds", ("seat-wind-pung", "round-wind-pung"), "HK-style table", HK_STYLE),
    # The dealt hand has no winning tile: no tile completed it.
    Leaves("heavenly-hand", ("one-chance-chow", "pair-wait"), C),
    Leaves("eight-flowers", ("flower",), FULL),
    Leaves("seven-flowers", ("flower",), FULL),
)  # fmt: skip


def prepare(hand: Hand, situation: Situation, house: Any) -> Situation:
    """Self-draw or discard as the events say."""
    if situation.self_drawn is None:
        if situation.events & {"heavenly-hand", "eight-flowers", "last-tile"}:
            return situation.but(self_drawn=True)
        if situation.events & {"earthly-hand", "seven-flowers", "last-discard", "robbing-kong"}:
            return situation.but(self_drawn=False)
    return situation


def bare(hand: Hand, situation: Situation, house: Any) -> str:
    return "only" if situation.events & {"eight-flowers", "seven-flowers"} else ""


def check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    events = situation.events
    first = ("heavenly-hand", "earthly-hand")
    late = ("last-tile", "last-discard")
    return [
        *never_together(events, product(first, (*late, "robbing-kong"))),
        *never_together(events, [(*first, "eight-flowers", "seven-flowers"), late]),
        *never_together(events, product(("early-win-5", "early-win-10"), late)),
        *only_dealer(situation, ("heavenly-hand",), ("earthly-hand",)),
        *drawn_or_given(situation, ("heavenly-hand", "eight-flowers", "last-tile"),
                        ("earthly-hand", "seven-flowers", "last-discard")),
        *before_any_set(hand, events, first, ("ready-on-deal",)),
        *from_dealer(situation, "earthly-hand"),
        *bonus_count(hand, events, (("seven-flowers", 7), ("eight-flowers", 8))),
    ]  # fmt: skip


def pay(total: int, view: View, evaluation: Evaluation, table: Table) -> Paid:
    """The discarder pays the total; on a self-draw each loser pays it."""
    situation, house = view.situation, table.house
    winner = situation.seat
    if winner is None or (not view.self_drawn and situation.from_seat is None):
        return UNKNOWN
    payers = [w for w in WINDS if w is not winner] if view.self_drawn else [situation.from_seat]
    dealer, bonus = situation.dealer, situation.streak
    if house.dealer_bonus and (dealer is None or bonus is None):
        return UNKNOWN
    line = 0
    transfers = []
    for payer in payers:
        assert payer is not None
        extra = bonus if house.dealer_bonus and bonus and dealer in (winner, payer) else 0
        line = max(line, extra)
        parts: tuple[tuple[str, int], ...] = (("tai", total),)
        if extra:
            parts = (*parts, ("dealer-line", extra))
        if house.tai_value != 1:
            parts = (*parts, ("tai-value", house.tai_value))
        how = "self-drawn" if view.self_drawn else "discard"
        transfers.append(Transfer(payer, winner, (total + extra) * house.tai_value, how, parts))
    return paid(transfers, line)


TAIWAN_CLASSIC = Ruleset(
    id="taiwan-classic",
    version="1.0",
    unit="tai",
    sets=5,
    items=ITEMS,
    exclusions=EXCLUSIONS,
    options=OPTIONS,
    pay=pay,
    presets=("taiwan-hk-style",),
    shapes=(SEVEN_PAIRS_AND_TRIPLET,),
    minimum="minimum",
    limit="limit",
    check=check,
    prepare=prepare,
    bare=bare,
    after=below_minimum,
)
