"""`taiwan`: the 16-tile game, folds (tai). Values and conditions of rules/taiwan.md."""

from __future__ import annotations

from collections.abc import Callable

from ..arrange import CLOSED, EDGE, OPEN, PAIR, places
from ..ruleset import Item, Ruleset, nothing
from ..view import View
from .eight_pairs import EIGHT_PAIRS
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
from .taiwan_exclusions import EXCLUSIONS
from .taiwan_facts import asks, bare, check, prepare
from .taiwan_options import OPTIONS
from .taiwan_payments import false_win, pay

A, B, AB = "TW-A", "TW-B", "TW-A TW-B"
GROUPS = (0b1111, 0b11110000)
FORBIDDEN = {"two_sided": (EDGE, CLOSED, PAIR), "no_edge_pair": (EDGE, PAIR), "any": ()}


def _own_flowers(view: View) -> int:
    """Bit mask of the bonus tiles held that belong to the seat."""
    plant = view.seat
    if plant >= 2 and view.house.flower_map == "mei-lan-zhu-ju":
        plant = 5 - plant
    return (1 << view.seat | 16 << plant) & view.bonus


def _full_groups(view: View) -> int:
    return sum(group for group in GROUPS if view.bonus & group == group)


def _seat_flowers(view: View) -> int:
    """Bit mask of the bonus tiles that earn seat-flower."""
    if not view.bonus or view.house.every_flower:
        return 0
    own = _own_flowers(view)
    return own if view.house.flower_kong_keeps_seat_flower else own & ~_full_groups(view)


def _five_claimed(view: View) -> bool:
    if len(view.melds) < 5 or not view.exposed:
        return False
    return not view.concealed_kongs or view.house.all_claimed_concealed_kong == "allowed"


def _wait(kind: int) -> Callable[[View], bool]:
    def waits(view: View) -> bool:
        return view.wait == kind and (view.sole or view.house.wait_shapes == "shape")

    return waits


def _all_chows(view: View) -> bool:
    house = view.house
    if len(view.chows) != 5 or (view.self_drawn and not house.all_chows_self_drawn):
        return False
    if view.honours and not _pair_allowed(view):
        return False
    if view.bonus and not house.all_chows_flowers:
        return False
    if house.all_chows_needs_concealed if view.exposed else house.all_chows_needs_claim:
        return False
    if house.all_chows_waits == "only_two_sided":
        return places((view.own_chows, view.own_pungs, view.pair), view.winning) == [OPEN]
    return view.wait not in FORBIDDEN[house.all_chows_waits]


def _pair_allowed(view: View) -> bool:
    """Whether eyes of honours are allowed: any, or only those that could earn nothing."""
    if view.house.all_chows_honours == "yes":
        return True
    scoring = (*DRAGON_FACES, 27 + view.seat, 27 + view.round)
    return view.house.all_chows_honours == "pair_only" and view.pair not in scoring


def _other_winds(view: View) -> tuple[int, ...]:
    """The wind pungs that earn every-wind-pung."""
    winds = tuple(t for t in view.pungs if 27 <= t <= 30)
    if view.house.every_wind_adds:
        return winds
    return tuple(t for t in winds if t not in (27 + view.seat, 27 + view.round))


def _kong_draw(view: View) -> bool:
    if "kong-draw" not in view.events:
        return False
    what, house = view.situation.replacement, view.house
    if what == "claimed-kong" and house.kong_draw_payer == "no_item":
        return False
    return what != "bonus" or bool(house.flower_replacement_counts)


def _last_tile(view: View) -> bool:
    counts = view.self_drawn or view.house.last_discard_counts
    return "last-tile" in view.events and counts


def _event(id: str) -> Callable[[View], bool]:
    return lambda view: id in view.events


ITEMS = (
    Item("chicken-hand", 0, lambda v: 0, AB),
    Item("self-drawn", 1, lambda v: v.self_drawn, AB, nothing),
    Item("concealed-hand", 1, lambda v: v.concealed_hand, AB),
    Item("concealed-self-drawn", 1, lambda v: (
        v.self_drawn and v.concealed_hand and v.house.concealed_self_drawn - 2), AB, once=True),
    Item("ready-declared", 1, _event("ready-declared"), A, nothing, True, "ready_declared"),
    Item("dragon-pung", 1, lambda v: v.dragon_pungs, AB, pungs_of(DRAGON_FACES)),
    Item("round-wind-pung", 1, lambda v: v.wind_pungs and 27 + v.round in v.pungs, AB,
         lambda v: v.sets_of((27 + v.round,))),
    Item("seat-wind-pung", 1, lambda v: v.wind_pungs and 27 + v.seat in v.pungs, AB,
         lambda v: v.sets_of((27 + v.seat,))),
    Item("seat-flower", 1, lambda v: v.bonus and _seat_flowers(v).bit_count(), AB,
         lambda v: bonus_of(_seat_flowers(v)), option="seat_flower", bare=True),
    Item("flower-kong", 2, lambda v: v.bonus and _full_groups(v).bit_count() // 4, AB,
         lambda v: bonus_of(_full_groups(v)), bare=True),
    Item("edge-wait", 1, _wait(EDGE), AB, winning_tile),
    Item("closed-wait", 1, _wait(CLOSED), AB, winning_tile),
    Item("pair-wait", 1, _wait(PAIR), AB, winning_tile),
    Item("robbing-kong", 1, lambda v: v.robbed, AB, winning_tile, True),
    Item("kong-draw", 1, _kong_draw, AB, nothing, True),
    Item("last-tile", 1, _last_tile, AB, nothing, True),
    Item("half-claimed", 1, lambda v: v.self_drawn and _five_claimed(v), AB,
         option="half_claimed"),
    Item("all-claimed", 2, lambda v: not v.self_drawn and _five_claimed(v), AB),
    Item("all-chows", 2, _all_chows, AB),
    Item("three-concealed-pungs", 2, lambda v: v.concealed_pungs == 3, AB, concealed_pungs),
    Item("four-concealed-pungs", 5, lambda v: v.concealed_pungs == 4, AB, concealed_pungs),
    Item("five-concealed-pungs", 8, lambda v: v.concealed_pungs == 5, AB, concealed_pungs),
    Item("all-pungs", 4, lambda v: len(v.pungs) == 5, AB),
    Item("half-flush", 4, lambda v: v.suits == 1 and v.honours > 0, AB),
    Item("full-flush", 8, lambda v: v.suits == 1 and not v.honours, AB),
    Item("little-three-dragons", 4, lambda v: v.dragon_pungs == 2 and v.pair > 30, AB,
         pungs_and_eyes(DRAGON_FACES)),
    Item("big-three-dragons", 8, lambda v: v.dragon_pungs == 3, AB, pungs_of(DRAGON_FACES)),
    Item("little-four-winds", 8, lambda v: v.wind_pungs == 3 and 26 < v.pair < 31, AB,
         pungs_and_eyes(WIND_FACES)),
    Item("big-four-winds", 16, lambda v: v.wind_pungs == 4, AB, pungs_of(WIND_FACES)),
    Item("all-honours", "all_honours", lambda v: not v.suits, AB),
    Item("eight-pairs", 8, lambda v: v.shape == "eight-pairs", A, option="eight_pairs"),
    Item("heavenly-hand", "heavenly_hand", _event("heavenly-hand"), AB, nothing, True),
    Item("earthly-hand", "earthly_hand", _event("earthly-hand"), AB, nothing, True),
    Item("human-hand", "human_hand", _event("human-hand"), AB, nothing, True),
    Item("first-discard-ready", 8, _event("first-discard-ready"), AB, nothing, True),
    Item("first-round-ready", 4, lambda v: (
        "first-round-ready" in v.events and v.house.first_round_ready_window != "off"),
        AB, nothing, True),
    Item("seven-flowers", 8, _event("seven-flowers"), AB, bonus_tiles, True,
         bare=True),
    Item("eight-flowers", 8, _event("eight-flowers"), AB, bonus_tiles, True,
         bare=True),
    Item("flower-completes", 4, lambda v: v.shape != "none" and "eight-flowers" in v.events,
         A, event=True, option="flower_completes"),
    Item("every-flower", 1, lambda v: v.bonus_count, A, bonus_tiles,
         option="every_flower", bare=True),
    Item("every-wind-pung", 1, lambda v: v.wind_pungs and len(_other_winds(v)), A,
         lambda v: v.sets_of(_other_winds(v)), option="every_wind_pung"),
    Item("exposed-kong", 1, lambda v: v.kongs, A, lambda v: kongs(v, True),
         option="exposed_kong"),
    Item("concealed-kong", 2, lambda v: v.concealed_kongs, A, lambda v: kongs(v, False),
         option="concealed_kong"),
    Item("no-honours-no-flowers", 2, lambda v: not v.honours and not v.bonus, A,
         option="no_honours_no_flowers"),
)  # fmt: skip

TAIWAN = Ruleset(
    id="taiwan",
    version="1.0",
    unit="tai",
    sets=5,
    items=ITEMS,
    exclusions=EXCLUSIONS,
    options=OPTIONS,
    pay=pay,
    shapes=(EIGHT_PAIRS,),
    presets=(
        "taiwan-a",
        "taiwan-b",
        "club-example",
        "taiwan-sml",
        "taiwan-cml",
        "taiwan-atawmj",
        "taiwan-star31",
        "taiwan-shenlaiye",
        "taiwan-zhaishenye",
    ),
    limit="limit",
    fallback="chicken-hand",
    check=check,
    prepare=prepare,
    bare=bare,
    asks=asks,
    false_win=false_win,
)
