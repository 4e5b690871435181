"""`sichuan`: Bloody rules, the 13-tile game with 108 suited tiles (rules/sichuan.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..arrange import PAIR
from ..ruleset import Exclusion, Item, Ruleset, nothing
from ..suits import UNIT
from ..view import View
from ..waits import faces_of, held_four_times
from .fourteen import SEVEN_DIFFERENT_PAIRS, pairs_with_quads
from .lit import winning_tile
from .sichuan_facts import check, prepare
from .sichuan_options import OPTIONS
from .sichuan_payments import false_win, pay

SC: Final = "SC-A"
LOCAL: Final = "local"
"""Rows that SC-A does not have; off unless a club switches them on."""

_FOURS = 4 * sum(UNIT)
_TWO_FIVE_EIGHT = frozenset(suit + rank for suit in (0, 9, 18) for rank in (1, 4, 7))


def _all_pungs(view: View) -> bool:
    return len(view.pungs) == 4


def _all_258(view: View) -> bool:
    return _all_pungs(view) and _TWO_FIVE_EIGHT.issuperset((*view.pungs, view.pair))


def _outside(view: View) -> bool:
    return (
        view.pair % 9 in (0, 8)
        and all(chow % 9 in (0, 6) for chow in view.chows)
        and all(pung % 9 in (0, 8) for pung in view.pungs)
        and view.shape == "sets"
    )


def _golden(view: View) -> bool:
    if view.house.golden_hook == "any_pair_wait":
        return _all_pungs(view) and view.wait == PAIR
    return len(view.melds) == 4


def _roots(view: View) -> int:
    fours = (view.key & _FOURS).bit_count()
    if fours and not view.house.root_counts_kongs:
        fours -= view.kongs + view.concealed_kongs
    return fours


def _root_tiles(view: View) -> tuple[int, ...]:
    fours = faces_of(held_four_times(view.key))
    if not view.house.root_counts_kongs:
        kongs = {int(meld.tile) for meld in view.melds if meld.is_kong}
        fours = [face for face in fours if face not in kongs]
    return tuple(face for face in fours for _ in range(4))


def _eyes(view: View) -> tuple[int, ...]:
    return (view.pair, view.pair)


def _last_tile(view: View) -> bool:
    return "last-tile" in view.events and (view.self_drawn or view.house.last_discard_counts)


def _event(id: str) -> Callable[[View], bool]:
    return lambda view: id in view.events


def _limit(id: str) -> Callable[[View], int]:
    """The cap at once; five fan where a club plays without one."""
    return lambda view: id in view.events and (view.house.fan_cap or 5)


ITEMS = (
    Item("plain-hand", 0, lambda v: 0, SC),
    Item("all-pungs", 1, _all_pungs, SC),
    Item("seven-pairs", 2, lambda v: v.shape == "seven-pairs", SC),
    Item("outside-hand", 2, _outside, SC, option="outside_hand"),
    Item("all-258-pungs", 3, _all_258, SC, option="pungs_258"),
    Item("full-flush", 2, lambda v: v.suits == 1, SC),
    Item("golden-single-wait", 1, _golden, SC, _eyes),
    Item("root", 1, _roots, SC, _root_tiles),
    Item("kong-draw", 1, _event("kong-draw"), SC, nothing, True),
    Item("robbing-kong", 1, lambda v: v.robbed, SC, winning_tile, True),
    Item("last-tile", 1, _last_tile, SC, nothing, True),
    Item("self-drawn", 1, lambda v: v.self_drawn, LOCAL, nothing, option="self_draw=plus_fan"),
    Item("kong-discard", 1, _event("kong-discard"), LOCAL, winning_tile, True,
         "shoot_after_kong"),
    Item("double-kong", 1, _event("double-kong"), LOCAL, nothing, True, "double_kong"),
    Item("eighteen-arhats", 1, lambda v: (
        v.kongs + v.concealed_kongs == 4 and (v.house.fan_cap or 5)), LOCAL,
        option="arhats=limit", once=True),
    Item("heavenly-hand", 1, _limit("heavenly-hand"), LOCAL, event=True,
         option="heavenly=limit", once=True),
    Item("earthly-hand", 1, _limit("earthly-hand"), LOCAL, event=True,
         option="heavenly=limit", once=True),
)  # fmt: skip

EXCLUSIONS = (
    Exclusion("all-258-pungs", ("all-pungs",), SC),
    Exclusion("golden-single-wait", ("all-pungs",), LOCAL, (("golden_hook", "replaces_pungs"),)),
)

SICHUAN = Ruleset(
    id="sichuan",
    version="1.0",
    unit="fan",
    sets=4,
    items=ITEMS,
    exclusions=EXCLUSIONS,
    options=OPTIONS,
    pay=pay,
    shapes=(SEVEN_DIFFERENT_PAIRS, pairs_with_quads()),
    honours=False,
    check_always=True,
    limit="fan_cap",
    fallback="plain-hand",
    fallback_beside=frozenset(
        {"root", "kong-draw", "robbing-kong", "last-tile", "self-drawn", "kong-discard",
         "double-kong"}
    ),
    check=check,
    prepare=prepare,
    false_win=false_win,
)  # fmt: skip
