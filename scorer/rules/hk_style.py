"""Rows of a published Taiwan table with Hong Kong style items, off by default."""

from __future__ import annotations

from ..ruleset import Item, nothing
from ..view import View
from .lit import DRAGON_FACES, pungs_of

SOURCE = "HK-style table"
ON = "hk_style_rows"


def _double_chows(view: View) -> int:
    return sum(view.chows.count(chow) // 2 for chow in set(view.chows))


def _terminal_chows(view: View) -> int:
    return sum(min(view.chows.count(b), view.chows.count(b + 6)) for b in (0, 9, 18))


def _double_pungs(view: View) -> int:
    ranks = [tile % 9 for tile in view.pungs if tile < 27]
    return sum(ranks.count(rank) > 1 for rank in set(ranks))


HK_STYLE_ITEMS = (
    Item("dealer-win", 1, lambda v: v.dealer, SOURCE, nothing, option=ON),
    Item("seat-wind-pung", 1, lambda v: 27 + v.seat in v.pungs, SOURCE,
         lambda v: v.sets_of((27 + v.seat,)), option=ON),
    Item("round-wind-pung", 1, lambda v: 27 + v.round in v.pungs, SOURCE,
         lambda v: v.sets_of((27 + v.round,)), option=ON),
    Item("dragon-pung", 1, lambda v: v.dragon_pungs, SOURCE, pungs_of(DRAGON_FACES), option=ON),
    Item("pure-double-chow", 3, _double_chows, SOURCE, option=ON),
    Item("two-terminal-chows", 2, _terminal_chows, SOURCE, option=ON),
    Item("double-pung", 3, _double_pungs, SOURCE, option=ON),
    Item("one-voided-suit", 5, lambda v: v.suits == 2, SOURCE, option=ON),
)  # fmt: skip
