"""House rules of `sichuan`; the first choice is the default, which is what SC-A says."""

from __future__ import annotations

from ..houserules import Option

OPTIONS = (
    Option("fan_cap", 5, low=1, high=30, optional=True),
    Option("missing_suit", True),
    Option("wait_rule", "real", ("real", "formal")),
    Option("self_draw", "plus_point", ("plus_point", "plus_fan", "nothing")),
    Option("last_discard_counts", True),
    Option("golden_hook", "four_melds", ("four_melds", "any_pair_wait", "replaces_pungs")),
    Option("root_counts_kongs", True),
    Option("outside_hand", True),
    Option("pungs_258", True),
    Option("shoot_after_kong", False),
    Option("double_kong", False),
    Option("arhats", "sum", ("sum", "limit")),
    Option("heavenly", "off", ("off", "limit")),
    Option("multiple_winners", "all", ("all", "nearest")),
    Option("exposed_kong", "supplier", ("supplier", "all")),
    Option("kong_moves", False),
    Option("pig", "32_each", ("32_each", "16_ready")),
    Option("pig_pays_winners", True),
    Option("false_win", 0, high=1000),
)  # fmt: skip
