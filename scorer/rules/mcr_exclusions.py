"""What leaves out what in `mcr`, as data (the last column of rules/chinese-official.md).

TEXT marks what the fan's own rule text names, REPEAT (there †) what follows only from the
no-repeat principle. STRICT rows are those that only the wording of 1998 asks for.
"""

from __future__ import annotations

from ..ruleset import ONE, OWN, READING
from ..ruleset import Exclusion as Leaves

TEXT = "MCR-A"
REPEAT = "no-repeat"
ALLOWED = (("fully_concealed_special", False),)
STRICT = (("strict_1998", True),)

SELF_DRAWN = ("concealed-self-drawn",)
VOIDED = ("one-voided-suit",)
TERMINALS = ("terminal-honour-pung",)
OF_SETS = (
    "all-green", "all-honours", "all-terminals", "mixed-terminals", "upper-tiles",
    "middle-tiles", "lower-tiles", "upper-four", "lower-four",
)  # fmt: skip

EXCLUSIONS = (
    Leaves("big-four-winds", ("big-three-winds", "round-wind-pung", "seat-wind-pung",
                              "all-pungs"), TEXT),
    Leaves("big-four-winds", TERMINALS, REPEAT),
    Leaves("big-three-dragons", ("dragon-pung",), TEXT),
    Leaves("big-three-dragons", ("two-dragon-pungs",), REPEAT),
    Leaves("big-three-dragons", VOIDED, TEXT, STRICT),
    Leaves("all-green", ("half-flush",), TEXT),
    Leaves("nine-gates", ("full-flush",), TEXT),
    Leaves("nine-gates", ("concealed-hand", "no-honours"), REPEAT),
    Leaves("nine-gates", SELF_DRAWN, REPEAT, ALLOWED),
    Leaves("nine-gates", TERMINALS, REPEAT, scope=ONE),
    Leaves("four-kongs", ("all-pungs", "pair-wait", "three-kongs"), REPEAT),
    Leaves("seven-shifted-pairs", ("full-flush", "pair-wait"), TEXT),
    Leaves("seven-shifted-pairs", SELF_DRAWN, TEXT, ALLOWED),
    Leaves("seven-shifted-pairs", ("seven-pairs", "concealed-hand", "no-honours"), REPEAT),
    Leaves("thirteen-orphans", ("all-types", "pair-wait"), TEXT),
    Leaves("thirteen-orphans", SELF_DRAWN, TEXT, ALLOWED),
    Leaves("thirteen-orphans", ("concealed-hand", "mixed-terminals"), REPEAT),
    Leaves("all-terminals", ("all-pungs", "double-pung", "no-honours"), TEXT),
    Leaves("all-terminals", ("outside-hand", *TERMINALS, "mixed-terminals"), REPEAT),
    Leaves("all-terminals", ("triple-pung",), TEXT, STRICT),
    Leaves("little-four-winds", ("big-three-winds",), TEXT),
    Leaves("little-four-winds", TERMINALS, REPEAT, scope=OWN),
    Leaves("little-three-dragons", ("dragon-pung",), TEXT),
    Leaves("little-three-dragons", ("two-dragon-pungs",), REPEAT),
    Leaves("little-three-dragons", VOIDED, TEXT, STRICT),
    Leaves("all-honours", ("all-pungs",), TEXT),
    Leaves("all-honours", (*TERMINALS, "outside-hand", "mixed-terminals"), REPEAT),
    Leaves("four-concealed-pungs", ("concealed-hand", "all-pungs"), TEXT),
    Leaves("four-concealed-pungs", SELF_DRAWN, REPEAT, ALLOWED),
    Leaves("four-concealed-pungs", ("three-concealed-pungs",), REPEAT),
    Leaves("pure-terminal-chows", ("all-chows", "full-flush"), TEXT),
    Leaves("pure-terminal-chows", ("seven-pairs",), TEXT, scope=READING),
    Leaves("pure-terminal-chows", ("pure-double-chow", "two-terminal-chows", "no-honours"),
           REPEAT),
    Leaves("quadruple-chow", ("pure-double-chow", "tile-hog"), TEXT),
    Leaves("quadruple-chow", ("pure-shifted-pungs",), TEXT, scope=READING),
    Leaves("quadruple-chow", ("pure-triple-chow",), REPEAT),
    Leaves("quadruple-chow", VOIDED, TEXT, STRICT),
    Leaves("four-pure-shifted-pungs", ("all-pungs",), TEXT),
    Leaves("four-pure-shifted-pungs", ("pure-triple-chow",), TEXT, scope=READING),
    Leaves("four-pure-shifted-pungs", ("pure-shifted-pungs",), REPEAT),
    Leaves("four-pure-shifted-pungs", VOIDED, TEXT, STRICT),
    Leaves("four-pure-shifted-chows",
           ("pure-shifted-chows", "short-straight", "two-terminal-chows"), REPEAT),
    Leaves("four-pure-shifted-chows", VOIDED, TEXT, STRICT),
    Leaves("mixed-terminals", ("all-pungs",), TEXT),
    Leaves("mixed-terminals", ("outside-hand", *TERMINALS), REPEAT),
    Leaves("seven-pairs", ("pair-wait",), TEXT),
    Leaves("seven-pairs", SELF_DRAWN, TEXT, ALLOWED),
    Leaves("seven-pairs", ("concealed-hand",), REPEAT),
    Leaves("seven-pairs", OF_SETS, TEXT, STRICT),
    Leaves("greater-knitted", ("all-types", "pair-wait"), TEXT),
    Leaves("greater-knitted", SELF_DRAWN, TEXT, ALLOWED),
    Leaves("greater-knitted", ("concealed-hand", "lesser-knitted"), REPEAT),
    Leaves("all-even-pungs", ("all-pungs", "all-simples"), TEXT),
    Leaves("all-even-pungs", ("no-honours",), REPEAT),
    Leaves("full-flush", ("no-honours",), TEXT),
    Leaves("pure-triple-chow", ("pure-shifted-pungs",), TEXT, scope=READING),
    Leaves("pure-triple-chow", ("pure-double-chow",), REPEAT, scope=OWN),
    Leaves("pure-shifted-pungs", ("pure-triple-chow",), TEXT, scope=READING),
    Leaves("upper-tiles", ("no-honours",), TEXT),
    Leaves("upper-tiles", ("upper-four",), REPEAT),
    Leaves("middle-tiles", ("all-simples",), TEXT),
    Leaves("middle-tiles", ("no-honours",), REPEAT),
    Leaves("lower-tiles", ("no-honours",), TEXT),
    Leaves("lower-tiles", ("lower-four",), REPEAT),
    Leaves("pure-straight", ("short-straight", "two-terminal-chows"), REPEAT, scope=OWN),
    Leaves("three-suited-terminal-chows",
           ("mixed-double-chow", "two-terminal-chows", "no-honours", "all-chows"), TEXT),
    Leaves("all-fives", ("all-simples",), TEXT),
    Leaves("all-fives", ("no-honours",), REPEAT),
    Leaves("triple-pung", ("double-pung",), REPEAT, scope=OWN),
    Leaves("three-concealed-pungs", ("two-concealed-pungs",), REPEAT),
    Leaves("lesser-knitted", ("all-types", "pair-wait"), TEXT),
    Leaves("lesser-knitted", SELF_DRAWN, TEXT, ALLOWED),
    Leaves("lesser-knitted", ("concealed-hand",), REPEAT),
    Leaves("upper-four", ("no-honours",), TEXT),
    Leaves("lower-four", ("no-honours",), TEXT),
    Leaves("big-three-winds", TERMINALS, REPEAT, scope=OWN),
    Leaves("big-three-winds", VOIDED, TEXT, STRICT),
    Leaves("reversible-tiles", VOIDED, TEXT),
    Leaves("mixed-triple-chow", ("mixed-double-chow",), REPEAT, scope=OWN),
    Leaves("last-draw", ("self-drawn",), TEXT),
    Leaves("kong-draw", ("self-drawn",), TEXT),
    Leaves("robbing-kong", ("last-copy",), TEXT),
    Leaves("all-claimed", ("pair-wait",), TEXT),
    Leaves("two-concealed-kongs", ("concealed-kong", "two-concealed-pungs"), REPEAT),
    Leaves("two-dragon-pungs", ("dragon-pung",), REPEAT),
    Leaves("concealed-self-drawn", ("self-drawn",), REPEAT),
    Leaves("two-melded-kongs", ("melded-kong",), REPEAT),
    Leaves("round-wind-pung", TERMINALS, REPEAT, scope=OWN),
    Leaves("seat-wind-pung", TERMINALS, REPEAT, scope=OWN),
    Leaves("all-chows", ("no-honours",), REPEAT),
    Leaves("all-simples", ("no-honours",), REPEAT),
)  # fmt: skip
