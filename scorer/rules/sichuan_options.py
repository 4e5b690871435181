"""House rules of `sichuan`; the first choice is the default, which is what SC-A says."""

from __future__ import annotations

from ..houserules import Option

OPTIONS = (
    Option("fan_cap", 5, "Fan are cut here: 5 fan are 32 points; 3 and 4 are usual too.",
           low=1, high=30, optional=True),
    Option("missing_suit", True, "Each player gives up a suit and cannot win with a tile of it."),
    Option("wait_rule", "real", "Whether a face held four times still is a wait (formal) or not.",
           ("real", "formal")),
    Option("self_draw", "plus_point", "A self-draw is worth a point more, a fan more, or nothing.",
           ("plus_point", "plus_fan", "nothing")),
    Option("last_discard_counts", True, "Last tile counts on the last discard too."),
    Option("golden_hook", "four_melds", "Golden single wait: with four sets laid down, on any pair "
           "wait of all pungs, or with four sets laid down and instead of all pungs.",
           ("four_melds", "any_pair_wait", "replaces_pungs")),
    Option("root_counts_kongs", True, "A declared kong is a root too."),
    Option("outside_hand", True, "The outside hand earns fan."),
    Option("pungs_258", True, "Pungs of 2, 5 and 8 only earn fan of their own."),
    Option("shoot_after_kong", False, "A win on the tile thrown after a kong earns a fan."),
    Option("double_kong", False, "A second kong in a row before the kong draw earns a fan more."),
    Option("arhats", "sum", "Four kongs: the sum of the items, or the cap at once.",
           ("sum", "limit")),
    Option("heavenly", "off", "Heavenly and earthly hand: not played, or the cap at once.",
           ("off", "limit")),
    Option("multiple_winners", "all", "Two winners on one discard: all, or the nearest only.",
           ("all", "nearest")),
    Option("exposed_kong", "supplier", "A claimed kong: 2 points from who gave the tile, or 1 from "
           "each other player as well.", ("supplier", "all")),
    Option("kong_moves", False, "A win on the tile thrown after a kong takes what that kong "
           "earned; of two winners the nearest takes it."),
    Option("pig", "32_each", "Flower pig: 32 points to each player who is none, or 16 to each who "
           "is ready.", ("32_each", "16_ready")),
    Option("pig_pays_winners", True, "A flower pig pays those who have won as well."),
    Option("false_win", 0, "Points that a false win pays each player; 8 is known.", high=1000),
)  # fmt: skip
