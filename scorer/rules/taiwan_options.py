"""House rules of `taiwan`; where sources differ the first choice is the default."""

from __future__ import annotations

from ..houserules import Option

OPTIONS = (
    Option("base", 3, "Base 底: what a loser pays before any tai.", high=100_000),
    Option("tai_value", 1, "Value of one tai 台 in the same money.", low=1, high=100_000),
    Option("limit", None, "Limit 封頂: tai are cut here before the dealer line is added.",
           low=1, high=1000, optional=True),
    Option("bonus_tiles", True, "Play with the eight bonus tiles."),
    Option("wait_rule", "real", "Whether a face held four times still is a wait (formal) or not.",
           ("real", "formal")),
    Option("wait_shapes", "sole", "Wait items for a sole wait, or by the shape of the set alone.",
           ("sole", "shape")),
    Option("concealed_self_drawn", 3, "Tai of a concealed self-drawn win, in all.", (3, 2, 5)),
    Option("ready_declared", True, "Declared ready earns a tai."),
    Option("ready_declared_with_early_ready", False,
           "Declared ready counts beside the early ready hands."),
    Option("seat_flower", True, "A bonus tile of the own seat earns a tai."),
    Option("flower_kong_keeps_seat_flower", False,
           "The seat's own tile counts beside a full group."),
    Option("flower_map", "mei-lan-ju-zhu", "Which plant belongs to West and which to North.",
           ("mei-lan-ju-zhu", "mei-lan-zhu-ju")),
    Option("kong_draw_payer", "all", "A win after a claimed kong: a self-draw that all pay, a "
           "discard win that the giver of the tile pays, or a self-draw without kong-draw.",
           ("all", "discarder", "no_item")),
    Option("flower_replacement_counts", True, "Kong-draw counts after a bonus tile too."),
    Option("last_discard_counts", True, "Last tile counts on the last discard too."),
    Option("half_claimed", True, "All sets claimed and self-drawn earns a tai."),
    Option("half_claimed_self_drawn", False, "Self-drawn counts beside half-claimed."),
    Option("all_claimed_concealed_kong", "breaks",
           "Whether a concealed kong breaks the all-claimed and half-claimed hands.",
           ("breaks", "allowed")),
    Option("all_claimed_pair_wait", False, "Pair wait counts beside all-claimed."),
    Option("all_chows_needs_concealed", False, "All chows must be concealed."),
    Option("all_chows_needs_claim", False, "All chows must have a claimed set."),
    Option("all_chows_waits", "two_sided", "Waits of all chows: two-sided, not edge and pair, "
           "any, or a tile that can end nothing but two-sided chows.",
           ("two_sided", "no_edge_pair", "any", "only_two_sided")),
    Option("all_chows_honours", "no", "All chows with a pair of honours that score nothing, or "
           "any pair of honours.", ("no", "pair_only", "yes")),
    Option("all_chows_flowers", False, "All chows may hold bonus tiles."),
    Option("all_chows_self_drawn", False, "All chows may be self-drawn."),
    Option("five_concealed_plus_pungs", True, "All pungs counts beside five concealed pungs."),
    Option("big_dragons_pungs", False, "Dragon pungs count beside big three dragons."),
    Option("winds_with_little_four", True, "Wind pungs count beside little four winds."),
    Option("all_honours", 16, "Tai of all honours; 0 switches it off.", (16, 8, 0)),
    Option("all_honours_stacks", True, "All honours adds to all pungs, the honour pungs and the "
           "dragon and wind hands."),
    Option("all_honours_little", False, "Where it does not stack: little three dragons and "
           "little four winds still add."),
    Option("eight_pairs", True, "Seven pairs and a triplet are a hand."),
    Option("eight_pairs_concealed_hand", False, "Concealed hand counts beside eight pairs."),
    Option("heavenly_hand", 24, "Tai of the heavenly hand.", (24, 16, 32, 36)),
    Option("heavenly_excludes", "all", "Whether the heavenly hand leaves out concealed hand, "
           "self-drawn and kong draw, all of them but self-drawn, or none.",
           ("all", "all_but_self_drawn", "none")),
    Option("earthly_hand", 16, "Tai of the earthly hand.", (16, 24)),
    Option("earthly_when", "first_draw", "Earthly hand: the own first draw, or the dealer's first "
           "discard.", ("first_draw", "first_discard")),
    Option("earthly_self_drawn", False, "Self-drawn counts beside the earthly hand."),
    Option("human_hand", 16, "Tai of the human hand; 0 switches it off.", (16, 8, 0)),
    Option("first_discard_ready_concealed_hand", False,
           "Concealed hand counts beside ready on the first discard."),
    Option("first_round_ready_window", "first_round", "How long ready in the first round may be "
           "declared.", ("first_round", "eight_discards", "off")),
    Option("first_round_ready_concealed_hand", True,
           "Concealed hand counts beside ready in the first round."),
    Option("flower_wins", "compound", "The flower wins: eight flowers add to a complete hand if "
           "flower_completes is on, always stand alone, add to the hand's items in any case, or "
           "add to them and to the flower items.",
           ("compound", "standalone", "hand", "additive")),
    Option("flower_completes", True, "Eight flowers with a complete hand earn more."),
    Option("every_flower", False, "Every bonus tile earns a tai, whatever the seat."),
    Option("every_wind_pung", False, "Every other wind pung earns a tai."),
    Option("every_wind_adds", False, "Every wind pung counts the seat's and round's winds too."),
    Option("exposed_kong", False, "Every claimed or added kong earns a tai."),
    Option("concealed_kong", False, "Every concealed kong earns two tai."),
    Option("no_honours_no_flowers", False, "A hand without honours and bonus tiles earns two."),
    Option("streak_cap", None, "The dealer streak counts up to here.", high=100, optional=True),
    Option("dealer_line", True, "The dealer pays and is paid 2n + 1 tai more."),
    Option("multiple_winners", "nearest", "Two winners on one discard: the nearest only, or all.",
           ("nearest", "all")),
    Option("liability", "off", "Who fed the third dragon or fourth wind pays the whole win.",
           ("off", "big_hands")),
    Option("false_win", 3, "False win 詐胡: pays each player base and so many tai.", high=200),
    Option("draw_dealer", "stay_plus", "A drawn game: the dealer stays and the streak grows, "
           "stays, or the deal passes.", ("stay_plus", "stay", "pass")),
)  # fmt: skip
