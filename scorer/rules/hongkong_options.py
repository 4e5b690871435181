"""House rules of `hongkong` and, with other defaults, of `hongkong-digital`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..houserules import Option, Value
from .hongkong_points import TABLES, first_row

OPTIONS = (
    Option("minimum_faan", 3, "Faan a hand needs to win; 0, 1 and 2 are also played.", high=40),
    Option("limit_faan", 13, "Limit: faan are cut here; 7, 8 and 10 are also played.",
           low=1, high=100, optional=True),
    Option("one_faan_from_tiles", True, "With a minimum, at least one faan must come from the "
           "tiles and not only from how the hand was won."),
    Option("payment_table", "traditional", "Points of one loser by faan: a named table, or a "
           "list of the club's own.", TABLES, table=True),
    Option("payment_doubling", "east_and_discarder", "Who pays double: on a self-draw everybody, "
           "else the discarder, and whoever wins or loses as East; or without East; or nobody.",
           ("east_and_discarder", "discarder", "none")),
    Option("discarder_pays_all", False, "On a discard the discarder pays all three shares 全銃."),
    Option("flowers", True, "Play with the eight bonus tiles."),
    Option("flower_set_replaces", True, "The seat's own tile does not count beside its full set."),
    Option("flower_replacement", True, "Kong-draw counts after a bonus tile too."),
    Option("flower_win", False, "Seven or all eight bonus tiles win at once."),
    Option("all_chows_pair", "any", "All chows with any pair, or with a suited pair only.",
           ("any", "suit")),
    Option("little_dragons_pungs", False, "Dragon pungs count beside little three dragons."),
    Option("big_dragons_pungs", False, "Dragon pungs count beside big three dragons."),
    Option("four_concealed_pair_discard", True, "Four concealed pungs may be won on a discard "
           "that makes the pair."),
    Option("seven_pairs", False, "Seven pairs are a hand; four alike count as two pairs."),
    Option("seven_pairs_concealed", False, "Concealed hand counts beside seven pairs."),
    Option("concealed_hand_needs_self_draw", False, "Concealed hand must be self-drawn."),
    Option("concealed_with_self", "both", "A concealed hand won by self-draw earns both items, "
           "or one faan in all.", ("both", "one")),
    Option("multiple_winners", "nearest", "Two winners on one discard: the nearest only, or all.",
           ("nearest", "all")),
    Option("nine_piece", True, "Who discards the full flush to three exposed sets pays all."),
    Option("twelve_piece", True, "Who fed the fourth exposed set of the suit pays all when the "
           "full flush is self-drawn."),
    Option("fifth_tile", True, "With five or fewer tiles in the wall, who discards a tile not yet "
           "seen and it wins pays all."),
    Option("robbed_kong", True, "The robbed player pays all."),
    Option("false_win", "limit", "False win 詐糊: the offender pays every player the points of "
           "the limit, or of the minimum, without doublings; or nothing.",
           ("limit", "minimum", "off")),
    Option("no_points_left", "ends", "A player without points: the game ends at once, the leader "
           "winning, or that player goes on without further loss.", ("ends", "plays_on")),
)  # fmt: skip


def with_defaults(defaults: Mapping[str, Value]) -> tuple[Option, ...]:
    """Some of the options, in their order, with other defaults."""
    return tuple(
        replace(option, default=defaults[option.name])
        for option in OPTIONS
        if option.name in defaults
    )


def disagree(options: Mapping[str, Any]) -> tuple[str, str] | None:
    """A minimum that the payment table has no row for, or a limit below the minimum."""
    minimum, limit = options["minimum_faan"], options["limit_faan"]
    if limit is not None and limit < minimum:
        return "limit_faan", f"the limit {limit} is below the minimum {minimum}"
    first = first_row(options["payment_table"])
    if minimum < first:
        return "payment_table", (
            f"it begins at {first} faan, but the minimum is {minimum}; raise minimum_faan, "
            f'write "traditional", or a list that begins at {minimum}'
        )
    return None
