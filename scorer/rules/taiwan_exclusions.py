"""What leaves out what in `taiwan`, as data (the last columns of rules/taiwan.md)."""

from __future__ import annotations

from ..ruleset import Exclusion as Leaves

A, B, AB = "TW-A", "TW-B", "TW-A TW-B"
WAITS = ("edge-wait", "closed-wait", "pair-wait")
HIDDEN = ("concealed-hand", "concealed-self-drawn")
CONCEALED = (*HIDDEN, "self-drawn")
SEAT_AND_ROUND = ("round-wind-pung", "seat-wind-pung")
WINDS = (*SEAT_AND_ROUND, "every-wind-pung")
BIG_HANDS = ("big-three-dragons", "big-four-winds")
LITTLE_HANDS = ("little-three-dragons", "little-four-winds")
FLOWERS = ("seat-flower", "flower-kong", "every-flower")
ALONE = (("all_honours_stacks", False),)
NO_LITTLE = (*ALONE, ("all_honours_little", False))
NOT_ADDITIVE = (("flower_wins", frozenset({"compound", "standalone", "hand"})),)

EXCLUSIONS = (
    Leaves("first-discard-ready", ("concealed-hand",), B,
           (("first_discard_ready_concealed_hand", False),)),
    Leaves("first-discard-ready", ("ready-declared",), A,
           (("ready_declared_with_early_ready", False),)),
    Leaves("first-round-ready", ("concealed-hand",), B,
           (("first_round_ready_concealed_hand", False),)),
    Leaves("first-round-ready", ("ready-declared",), A,
           (("ready_declared_with_early_ready", False),)),
    Leaves("little-three-dragons", ("dragon-pung",), AB),
    Leaves("big-three-dragons", ("dragon-pung",), B, (("big_dragons_pungs", False),)),
    Leaves("big-four-winds", WINDS, AB),
    Leaves("little-four-winds", WINDS, AB, (("winds_with_little_four", False),)),
    Leaves("all-honours", ("all-pungs", "dragon-pung", *WINDS, *BIG_HANDS), A, ALONE),
    Leaves("all-honours", LITTLE_HANDS, A, NO_LITTLE),
    Leaves("half-claimed", WAITS, AB),
    Leaves("half-claimed", ("self-drawn",), A, (("half_claimed_self_drawn", False),)),
    Leaves("all-claimed", WAITS, AB, (("all_claimed_pair_wait", False),)),
    Leaves("five-concealed-pungs", ("all-pungs",), A, (("five_concealed_plus_pungs", False),)),
    Leaves("eight-pairs", ("concealed-hand", "concealed-self-drawn"), A,
           (("eight_pairs_concealed_hand", False),)),
    Leaves("heavenly-hand", (*CONCEALED, "kong-draw"), B, (("heavenly_excludes", "all"),)),
    Leaves("heavenly-hand", (*HIDDEN, "kong-draw"), B,
           (("heavenly_excludes", "all_but_self_drawn"),)),
    Leaves("heavenly-hand", WAITS, B),
    Leaves("earthly-hand", HIDDEN, B),
    Leaves("earthly-hand", ("self-drawn",), B, (("earthly_self_drawn", False),)),
    Leaves("human-hand", ("concealed-hand",), B),
    Leaves("seven-flowers", FLOWERS, AB, NOT_ADDITIVE),
    Leaves("eight-flowers", FLOWERS, AB, NOT_ADDITIVE),
    Leaves("flower-completes", ("self-drawn",), A),
)  # fmt: skip
