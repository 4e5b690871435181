"""`hongkong`: the 13-tile game, faan. Values and conditions of rules/hong-kong.md (HK-A)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..ruleset import Exclusion as Leaves
from ..ruleset import Item, Ruleset, nothing
from ..suits import BITS, COUNT, SUIT_BITS, SUIT_MASK, UNIT
from ..view import View
from .fourteen import ORPHANS, SEVEN_DIFFERENT_PAIRS, THIRTEEN_ORPHANS, pairs_with_quads
from .hongkong_facts import FLOWER_WINS, asks, bare, check, minimum, prepare
from .hongkong_options import OPTIONS, disagree
from .hongkong_payments import false_win, pay
from .hongkong_points import reference
from .lit import (
    DRAGON_FACES,
    WIND_FACES,
    bonus_of,
    bonus_tiles,
    concealed_pungs,
    kongs,
    pungs_and_eyes,
    pungs_of,
    winning_tile,
)

A: Final = "HK-A"
PRACTICE: Final = "practice around HK-A"
GROUPS: Final = (0b1111, 0b11110000)
_NOT_TERMINALS: Final = ~sum(COUNT << BITS * tile for tile in ORPHANS if tile < 27)
_NOT_ORPHANS: Final = ~sum(COUNT << BITS * tile for tile in ORPHANS)
_SUIT_FOURS: Final = 4 * sum(UNIT[:9])
# Five-bit counts plus 4 reach 4 where a gate is full: 1 tile of ranks 2-8, 3 of 1 and 9.
_GATES: Final = 3 * UNIT[0] + sum(UNIT[1:8]) + 3 * UNIT[8]


def full_groups(view: View) -> int:
    """Bit mask of the seasons or plants that are all there."""
    return sum(group for group in GROUPS if view.bonus & group == group)


def own_flowers(view: View) -> int:
    """Bit mask of the bonus tiles that earn seat-flower."""
    own = (1 << view.seat | 16 << view.seat) & view.bonus
    return own & ~full_groups(view) if view.house.flower_set_replaces else own


def event(id: str) -> Callable[[View], bool]:
    return lambda view: id in view.events


def all_chows(view: View) -> bool:
    return len(view.chows) == 4 and (view.pair < 27 or view.house.all_chows_pair == "any")


def all_terminals(view: View) -> bool:
    return not view.honours and not view.key & _NOT_TERMINALS and len(view.pungs) == 4


def nine_gates(view: View) -> bool:
    """1112345678999 of one suit and any tile of it, nothing laid down."""
    if view.suits != 1 or view.honours or view.melds:
        return False
    key = view.key
    while not key & SUIT_MASK:
        key >>= SUIT_BITS
    return (key + _SUIT_FOURS - _GATES) & _SUIT_FOURS == _SUIT_FOURS


def concealed_hand(view: View) -> bool:
    return view.concealed_hand and (
        view.self_drawn or not view.house.concealed_hand_needs_self_draw
    )


def four_concealed(view: View) -> bool:
    return view.concealed_pungs == 4 and (
        view.self_drawn or bool(view.house.four_concealed_pair_discard)
    )


def kong_draw(view: View) -> bool:
    return "kong-draw" in view.events and (
        bool(view.house.flower_replacement) or view.situation.replacement != "bonus"
    )


def four_kongs(view: View) -> tuple[int, ...]:
    return (*kongs(view, True), *kongs(view, False))


CHICKEN = Item("chicken-hand", 0, lambda v: 0, A)
ITEMS = (
    CHICKEN,
    Item("all-chows", 1, all_chows, A),
    Item("all-pungs", 3, lambda v: len(v.pungs) == 4, A),
    Item("half-flush", 3, lambda v: v.suits == 1 and v.honours > 0, A),
    Item("full-flush", 7, lambda v: v.suits == 1 and not v.honours, A),
    Item("all-honours", 10, lambda v: not v.suits, A),
    Item("little-three-dragons", 5, lambda v: v.dragon_pungs == 2 and v.pair > 30, A,
         pungs_and_eyes(DRAGON_FACES)),
    Item("big-three-dragons", 8, lambda v: v.dragon_pungs == 3, A, pungs_of(DRAGON_FACES)),
    Item("little-four-winds", 6, lambda v: v.wind_pungs == 3 and 26 < v.pair < 31, A,
         pungs_and_eyes(WIND_FACES)),
    Item("big-four-winds", 13, lambda v: v.wind_pungs == 4, A, pungs_of(WIND_FACES)),
    Item("thirteen-orphans", 13, lambda v: v.shape == "thirteen-orphans", A),
    Item("four-kongs", 13, lambda v: v.kongs + v.concealed_kongs == 4, A, four_kongs),
    Item("four-concealed-pungs", 10, four_concealed, A, concealed_pungs),
    Item("all-terminals", 10, all_terminals, A),
    Item("mixed-terminals", 1, lambda v: (
        v.honours and v.suits and not v.key & _NOT_ORPHANS), A),
    Item("nine-gates", 10, nine_gates, A),
    Item("seven-pairs", 4, lambda v: v.shape == "seven-pairs", A, option="seven_pairs"),
    Item("seat-wind-pung", 1, lambda v: v.wind_pungs and 27 + v.seat in v.pungs, A,
         lambda v: v.sets_of((27 + v.seat,))),
    Item("round-wind-pung", 1, lambda v: v.wind_pungs and 27 + v.round in v.pungs, A,
         lambda v: v.sets_of((27 + v.round,))),
    Item("dragon-pung", 1, lambda v: v.dragon_pungs, A, pungs_of(DRAGON_FACES)),
    Item("self-drawn", 1, lambda v: v.self_drawn, A, nothing),
    Item("concealed-hand", 1, concealed_hand, A),
    Item("robbing-kong", 1, lambda v: v.robbed, A, winning_tile, True),
    Item("last-tile", 1, event("last-tile"), A, nothing, True),
    Item("kong-draw", 1, kong_draw, A, nothing, True),
    Item("double-kong", 8, event("double-kong"), A, nothing, True),
    Item("heavenly-hand", 13, event("heavenly-hand"), A, nothing, True),
    Item("earthly-hand", 13, event("earthly-hand"), A, nothing, True),
    Item("no-flowers", 1, lambda v: not v.bonus, PRACTICE, nothing, option="flowers"),
    Item("seat-flower", 1, lambda v: v.bonus and own_flowers(v).bit_count(), A,
         lambda v: bonus_of(own_flowers(v)), option="flowers"),
    Item("flower-set", 2, lambda v: v.bonus and full_groups(v).bit_count() // 4, A,
         lambda v: bonus_of(full_groups(v)), option="flowers"),
    Item("flower-win", 3, lambda v: v.bonus_count == 7, A, bonus_tiles, option="flower_win",
         bare=True),
    Item("eight-flowers", 8, lambda v: v.bonus_count == 8, A, bonus_tiles, option="flower_win",
         bare=True),
)  # fmt: skip

SEAT_AND_ROUND = ("seat-wind-pung", "round-wind-pung")
INCLUDED = "a stricter item includes the looser"

EXCLUSIONS = (
    *(Leaves(id, ("all-pungs",), A) for id in (
        "all-honours", "all-terminals", "four-concealed-pungs", "four-kongs", "big-four-winds")),
    Leaves("little-three-dragons", ("dragon-pung",), A, (("little_dragons_pungs", False),)),
    Leaves("big-three-dragons", ("dragon-pung",), A, (("big_dragons_pungs", False),)),
    Leaves("little-four-winds", SEAT_AND_ROUND, A),
    Leaves("big-four-winds", SEAT_AND_ROUND, INCLUDED),
    Leaves("thirteen-orphans", ("mixed-terminals",), A),
    Leaves("thirteen-orphans", ("concealed-hand",), INCLUDED),
    Leaves("four-concealed-pungs", ("concealed-hand",), A),
    Leaves("nine-gates", ("full-flush", "concealed-hand"), A),
    Leaves("seven-pairs", ("concealed-hand",), A, (("seven_pairs_concealed", False),)),
    Leaves("self-drawn", ("concealed-hand",), "practice", (("concealed_with_self", "one"),)),
    Leaves("double-kong", ("kong-draw",), A),
    Leaves("heavenly-hand", ("concealed-hand", "self-drawn"), INCLUDED),
    Leaves("earthly-hand", ("concealed-hand",), INCLUDED),
    Leaves("flower-win", ("seat-flower", "flower-set"), A),
    Leaves("eight-flowers", ("seat-flower", "flower-set"), A),
)  # fmt: skip

HONGKONG = Ruleset(
    id="hongkong",
    version="1.0",
    unit="faan",
    sets=4,
    items=ITEMS,
    exclusions=EXCLUSIONS,
    options=OPTIONS,
    pay=pay,
    events=FLOWER_WINS,
    shapes=(
        THIRTEEN_ORPHANS,
        replace(SEVEN_DIFFERENT_PAIRS, option="seven_pairs"),
        pairs_with_quads("seven_pairs"),
    ),
    presets=(
        "hongkong-limit-8",
        "hongkong-limit-10",
        "hongkong-half-spicy",
        "hongkong-full-spicy",
        "hongkong-seven-pairs",
        "hongkong-no-flowers",
    ),
    minimum="minimum_faan",
    limit="limit_faan",
    bonus_option="flowers",
    fallback="chicken-hand",
    check=check,
    prepare=prepare,
    bare=bare,
    after=minimum,
    asks=asks,
    false_win=false_win,
    disagree=disagree,
    reference=(reference(),),
)
