"""`hongkong-digital`: the faan table of a card-game site (rules/hong-kong.md, HK-B)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..ruleset import Exclusion as Leaves
from ..ruleset import Item, Ruleset
from ..view import View
from .fourteen import SEVEN_DIFFERENT_PAIRS, THIRTEEN_ORPHANS, pairs_with_quads
from .hongkong import HONGKONG
from .hongkong_facts import asks, check, minimum, prepare
from .hongkong_options import disagree, with_defaults
from .hongkong_payments import false_win, pay
from .hongkong_points import reference

B: Final = "HK-B"
EAST: Final = 27
LIMIT: Final = 13

LIMIT_HANDS: Final = (
    "thirteen-orphans", "all-honours", "all-terminals", "big-three-dragons", "big-four-winds",
    "four-kongs", "nine-gates", "four-concealed-pungs",
)  # fmt: skip
FAAN_HANDS: Final = (
    "all-chows", "all-pungs", "half-flush", "full-flush", "seven-pairs", "little-three-dragons",
    "seat-wind-pung", "round-wind-pung", "dragon-pung", "self-drawn", "concealed-hand",
    "robbing-kong", "last-tile", "kong-draw", "no-flowers", "seat-flower", "flower-set",
)  # fmt: skip

# Only the pung of East: the round is East throughout. Four concealed pungs only self-drawn.
_OWN_CONDITION: Final[dict[str, Callable[[View], int]]] = {
    "round-wind-pung": lambda v: v.wind_pungs and EAST in v.pungs,
    "four-concealed-pungs": lambda v: v.self_drawn and v.concealed_pungs == 4,
}


def _row(id: str) -> Item:
    """The row of `hongkong` with the source, and where it differs the condition, of this table."""
    item = HONGKONG.item(id)
    own = replace(item, source=B, when=_OWN_CONDITION.get(id, item.when))
    if id == "seven-pairs":
        return replace(own, option="")
    if id == "round-wind-pung":
        return replace(own, lit=lambda v: v.sets_of((EAST,)))
    return replace(own, value=LIMIT) if id in LIMIT_HANDS else own


ITEMS = tuple(map(_row, ("chicken-hand", *LIMIT_HANDS, *FAAN_HANDS)))
EXCLUSIONS = (
    *(Leaves(id, (*LIMIT_HANDS[i + 1 :], *FAAN_HANDS), B) for i, id in enumerate(LIMIT_HANDS)),
    Leaves("little-three-dragons", ("dragon-pung",), B),
)

OPTIONS = with_defaults(
    {
        "minimum_faan": 3,
        "limit_faan": LIMIT,
        "one_faan_from_tiles": False,
        "payment_table": "full-spicy",
        "payment_doubling": "none",
        "discarder_pays_all": True,
        "flowers": True,
        "flower_set_replaces": True,
        "flower_replacement": False,
        "all_chows_pair": "suit",
        "concealed_hand_needs_self_draw": False,
        "multiple_winners": "nearest",
        "nine_piece": False,
        "twelve_piece": False,
        "fifth_tile": False,
        "robbed_kong": False,
        "false_win": "off",
        "no_points_left": "ends",
    }
)

HONGKONG_DIGITAL = Ruleset(
    id="hongkong-digital",
    version="1.0",
    unit="faan",
    sets=4,
    items=ITEMS,
    exclusions=EXCLUSIONS,
    options=OPTIONS,
    pay=pay,
    shapes=(THIRTEEN_ORPHANS, SEVEN_DIFFERENT_PAIRS, pairs_with_quads()),
    minimum="minimum_faan",
    limit="limit_faan",
    bonus_option="flowers",
    fallback="chicken-hand",
    check=check,
    prepare=prepare,
    after=minimum,
    asks=asks,
    false_win=false_win,
    disagree=disagree,
    reference=(reference(),),
)
