"""House rules of `hongkong` and, with other defaults, of `hongkong-digital`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..houserules import HouseRuleError, Option, Value
from .hongkong_points import TABLES, first_row

OPTIONS = (
    Option("minimum_faan", 3, high=40),
    Option("limit_faan", 13, low=1, high=100, optional=True),
    Option("one_faan_from_tiles", True),
    Option("payment_table", "traditional", TABLES, table=True),
    Option("payment_doubling", "east_and_discarder", ("east_and_discarder", "discarder", "none")),
    Option("discarder_pays_all", False),
    Option("flowers", True),
    Option("flower_set_replaces", True),
    Option("flower_replacement", True),
    Option("flower_win", False),
    Option("all_chows_pair", "any", ("any", "suit")),
    Option("little_dragons_pungs", False),
    Option("big_dragons_pungs", False),
    Option("four_concealed_pair_discard", True),
    Option("seven_pairs", False),
    Option("seven_pairs_concealed", False),
    Option("concealed_hand_needs_self_draw", False),
    Option("concealed_with_self", "both", ("both", "one")),
    Option("multiple_winners", "nearest", ("nearest", "all")),
    Option("nine_piece", True),
    Option("twelve_piece", True),
    Option("fifth_tile", True),
    Option("robbed_kong", True),
    Option("false_win", "limit", ("limit", "minimum", "off")),
    Option("no_points_left", "ends", ("ends", "plays_on")),
)  # fmt: skip


def with_defaults(defaults: Mapping[str, Value]) -> tuple[Option, ...]:
    """Some of the options, in their order, with other defaults."""
    return tuple(
        replace(option, default=defaults[option.name])
        for option in OPTIONS
        if option.name in defaults
    )


def disagree(options: Mapping[str, Any]) -> None:
    """Raises HouseRuleError where the minimum has no row in the payment table, or no room."""
    minimum, limit = options["minimum_faan"], options["limit_faan"]
    if limit is not None and limit < minimum:
        raise HouseRuleError("limit_faan", "limit-below", limit=limit, minimum=minimum)
    first = first_row(options["payment_table"])
    if minimum < first:
        raise HouseRuleError("payment_table", "begins-above", first=first, minimum=minimum)
