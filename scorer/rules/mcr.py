"""`mcr`: Chinese Official, the 81 fans (rules/chinese-official.md, where [T] rows read all tiles).

The rows stand in the order of the rule book, which is the order in which they leave out others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..arrange import CLOSED, EDGE, PAIR
from ..ruleset import Item, Lit, Ruleset, nothing
from ..view import View
from ..waits import faces_of, held_four_times
from .fourteen import ORPHANS, SEVEN_DIFFERENT_PAIRS, THIRTEEN_ORPHANS, keys, pairs_with_quads
from .knitted import (
    GREATER,
    GREATER_KNITTED,
    KNITTED_STRAIGHTS,
    LESSER,
    LESSER_KNITTED,
    STRAIGHT,
    pattern_held,
)
from .lit import (
    DRAGON_FACES,
    WIND_FACES,
    bonus_tiles,
    concealed_pungs,
    kongs,
    pungs_and_eyes,
    pungs_of,
    winning_tile,
)
from .mcr_combine import OF_CHOWS
from .mcr_count import evaluate
from .mcr_exclusions import EXCLUSIONS, TEXT
from .mcr_facts import DEALT, OPTIONS, after, check, false_win, pay, prepare

Predicate = Callable[[View], int]


def _ranks(*ranks: int) -> list[int]:
    """The tiles of these ranks (1 to 9) in the three suits."""
    return [9 * suit + rank - 1 for suit in range(3) for rank in ranks]


def _only(tiles: Iterable[int]) -> Predicate:
    """[T] nothing but these faces."""
    others = 31 * keys(set(range(34)) - set(tiles))
    return lambda view: not view.key & others


_only_even = _only(_ranks(2, 4, 6, 8))
_only_orphans = _only(ORPHANS)
GREEN = (19, 20, 21, 23, 25, 32)
"""2 3 4 6 8 of bamboo and the green dragon."""
REVERSIBLE = (*range(9, 14), 16, 17, 19, 21, 22, 23, 25, 26, 33)
"""1 2 3 4 5 8 9 of dots, 2 4 5 6 8 9 of bamboo and the white dragon."""
TERMINALS = tuple(_ranks(1, 9))
PUNG_FACES = frozenset((*TERMINALS, *WIND_FACES))
FIVES = tuple(_ranks(5))
WINDS, DRAGONS = 31 * keys(WIND_FACES), 31 * keys(DRAGON_FACES)
GATES = tuple(keys(range(base, base + 9)) + 2 * keys((base, base + 8)) for base in (0, 9, 18))
"""1112345678999 of each suit."""


def _nine_gates(view: View) -> bool:
    if view.suits != 1 or view.honours or view.melds:
        return False
    before = [view.winning] if view.winning >= 0 else range(27)
    return any(view.key - keys((tile,)) in GATES for tile in before)


def _seven_shifted(view: View) -> bool:
    if view.shape != "seven-pairs" or view.suits != 1 or view.honours:
        return False
    low = min(view.all_tiles)
    return low % 9 < 3 and view.key == 2 * keys(range(low, low + 7))


def _outside(view: View) -> bool:
    return (
        view.shape == "sets"
        and all(chow % 9 in (0, 6) for chow in view.chows)
        and all(tile in ORPHANS for tile in (*view.pungs, view.pair))
    )


def _all_fives(view: View) -> bool:
    return (
        view.shape == "sets"
        and not view.honours
        and all(2 <= chow % 9 <= 4 for chow in view.chows)
        and all(tile in FIVES for tile in (*view.pungs, view.pair))
    )


def _knitted_straight(view: View) -> bool:
    stacked = view.shape == LESSER and view.honours == 5 and view.house.knitted_stack
    return view.shape == STRAIGHT or stacked


def _all_chows(view: View) -> bool:
    return len(view.chows) == (1 if view.shape == STRAIGHT else 4) and view.pair < 27


def _hogs(view: View) -> int:
    """A bit mask of the faces held four times, kongs apart."""
    four = held_four_times(view.key)
    if four:
        for meld in view.melds:
            if meld.is_kong:
                four &= ~(1 << meld.tiles[0])
    return four


def _last_copy(view: View) -> bool:
    """The other three copies lie open: said, or shown by the own claimed sets."""
    tile = view.hand.winning
    if tile is None or tile in view.hand.concealed:
        return False
    if "last-copy" in view.events:
        return True
    if not view.house.last_copy_auto or not view.exposed:
        return False
    return sum(meld.tiles.count(tile) for meld in view.melds if meld.is_exposed) == 3


def _kong_draw(view: View) -> bool:
    return "kong-draw" in view.events and view.situation.replacement != "bonus"


def _wait(kind: int) -> Predicate:
    def waits(view: View) -> bool:
        if view.wait != kind or not view.sole or DEALT in view.events:
            return False
        if view.shape == STRAIGHT and not view.house.knitted_wait:
            return view.winning not in pattern_held(view.concealed_key)
        return True

    return waits


def _terminal_honour_pungs(view: View) -> tuple[int, ...]:
    """The pungs that earn the fan: all of them, or those that other fans have left."""
    left: tuple[int, ...] | None = view.choice.pungs
    if left is not None:
        return left
    return tuple(tile for tile in view.pungs if tile in PUNG_FACES)


def _kongs_are(exposed: int, concealed: int) -> Predicate:
    return lambda view: view.kongs == exposed and view.concealed_kongs == concealed


def _melded_kong(view: View) -> bool:
    apart = view.concealed_kongs == 1 and view.house.mixed_kongs == 3
    return view.kongs == 1 and (apart or not view.concealed_kongs)


def _concealed_kong(view: View) -> bool:
    apart = view.kongs == 1 and view.house.mixed_kongs == 3
    return view.concealed_kongs == 1 and (apart or not view.kongs)


def _mixed_kongs(view: View) -> bool:
    return view.kongs == view.concealed_kongs == 1 and view.house.mixed_kongs == 5


def _all_kongs(view: View) -> tuple[int, ...]:
    return (*kongs(view, True), *kongs(view, False))


def _event(id: str) -> Predicate:
    return lambda view: id in view.events


def _fan(id: str, value: int | str, when: Predicate, lit: Lit | None = None) -> Item:
    return Item(id, value, when, TEXT) if lit is None else Item(id, value, when, TEXT, lit)


def _of_sets(id: str, value: int) -> Item:
    """A fan made of some of the sets; mcr_combine.py says which may stand together."""

    def lit(view: View) -> tuple[int, ...]:
        lows = [low for group in view.choice.fans[id] for low in group]
        if id in OF_CHOWS:
            return tuple(low + step for low in lows for step in range(3))
        return tuple(tile for low in lows for tile in view.set_of(low))

    return Item(id, value, lambda view: len(view.choice.fans.get(id, ())), TEXT, lit)


ITEMS = (
    _fan("big-four-winds", 88, lambda v: v.wind_pungs == 4, pungs_of(WIND_FACES)),
    _fan("big-three-dragons", 88, lambda v: v.dragon_pungs == 3, pungs_of(DRAGON_FACES)),
    _fan("all-green", 88, _only(GREEN)),
    _fan("nine-gates", 88, _nine_gates),
    _fan("four-kongs", 88, lambda v: v.kongs + v.concealed_kongs == 4, _all_kongs),
    _fan("seven-shifted-pairs", 88, _seven_shifted),
    _fan("thirteen-orphans", 88, lambda v: v.shape == "thirteen-orphans"),
    _fan("all-terminals", 64, _only(TERMINALS)),
    _fan("little-four-winds", 64, lambda v: v.wind_pungs == 3 and 26 < v.pair < 31,
         pungs_and_eyes(WIND_FACES)),
    _fan("little-three-dragons", 64, lambda v: v.dragon_pungs == 2 and v.pair > 30,
         pungs_and_eyes(DRAGON_FACES)),
    _fan("all-honours", 64, lambda v: not v.suits),
    _fan("four-concealed-pungs", 64, lambda v: v.concealed_pungs == 4, concealed_pungs),
    _of_sets("pure-terminal-chows", 64),
    _of_sets("quadruple-chow", 48),
    _of_sets("four-pure-shifted-pungs", 48),
    _of_sets("four-pure-shifted-chows", 32),
    _fan("three-kongs", 32, lambda v: v.kongs + v.concealed_kongs == 3, _all_kongs),
    _fan("mixed-terminals", 32, lambda v: v.honours and v.suits and _only_orphans(v)),
    _fan("seven-pairs", 24, lambda v: v.shape == "seven-pairs"),
    _fan("greater-knitted", 24, lambda v: v.shape == GREATER),
    _fan("all-even-pungs", 24, lambda v: len(v.pungs) == 4 and _only_even(v)),
    _fan("full-flush", 24, lambda v: v.suits == 1 and not v.honours),
    _of_sets("pure-triple-chow", 24),
    _of_sets("pure-shifted-pungs", 24),
    _fan("upper-tiles", 24, _only(_ranks(7, 8, 9))),
    _fan("middle-tiles", 24, _only(_ranks(4, 5, 6))),
    _fan("lower-tiles", 24, _only(_ranks(1, 2, 3))),
    _of_sets("pure-straight", 16),
    _of_sets("three-suited-terminal-chows", 16),
    _of_sets("pure-shifted-chows", 16),
    _fan("all-fives", 16, _all_fives),
    _of_sets("triple-pung", 16),
    _fan("three-concealed-pungs", 16, lambda v: v.concealed_pungs == 3, concealed_pungs),
    _fan("lesser-knitted", 12, lambda v: v.shape == LESSER),
    _fan("knitted-straight", 12, _knitted_straight, lambda v: pattern_held(v.concealed_key)),
    _fan("upper-four", 12, _only(_ranks(6, 7, 8, 9))),
    _fan("lower-four", 12, _only(_ranks(1, 2, 3, 4))),
    _fan("big-three-winds", 12, lambda v: v.wind_pungs >= 3, pungs_of(WIND_FACES)),
    _of_sets("mixed-straight", 8),
    _fan("reversible-tiles", 8, _only(REVERSIBLE)),
    _of_sets("mixed-triple-chow", 8),
    _of_sets("mixed-shifted-pungs", 8),
    _fan("chicken-hand", 8, lambda v: 0),
    Item("last-draw", 8, _event("last-draw"), TEXT, nothing, True),
    Item("last-discard", 8, _event("last-discard"), TEXT, nothing, True),
    Item("kong-draw", 8, _kong_draw, TEXT, nothing, True),
    Item("robbing-kong", 8, lambda v: v.robbed, TEXT, winning_tile, True),
    _fan("all-pungs", 6, lambda v: len(v.pungs) == 4),
    _fan("half-flush", 6, lambda v: v.suits == 1 and v.honours > 0),
    _of_sets("mixed-shifted-chows", 6),
    _fan("all-types", 6, lambda v: v.suits == 3 and v.key & WINDS and v.key & DRAGONS and 1),
    _fan("all-claimed", 6, lambda v: v.exposed == 4 and not v.self_drawn),
    _fan("two-concealed-kongs", "two_concealed_kongs", _kongs_are(0, 2), _all_kongs),
    _fan("two-dragon-pungs", 6, lambda v: v.dragon_pungs >= 2, pungs_of(DRAGON_FACES)),
    _fan("mixed-kongs", 5, _mixed_kongs, _all_kongs),
    _fan("outside-hand", 4, _outside),
    _fan("concealed-self-drawn", 4, lambda v: v.concealed_hand and v.self_drawn),
    _fan("two-melded-kongs", 4, _kongs_are(2, 0), _all_kongs),
    _fan("last-copy", 4, _last_copy, winning_tile),
    _fan("dragon-pung", 2, lambda v: v.dragon_pungs, pungs_of(DRAGON_FACES)),
    _fan("round-wind-pung", 2, lambda v: v.wind_pungs and 27 + v.round in v.pungs,
         lambda v: v.sets_of((27 + v.round,))),
    _fan("seat-wind-pung", 2, lambda v: v.wind_pungs and 27 + v.seat in v.pungs,
         lambda v: v.sets_of((27 + v.seat,))),
    _fan("concealed-hand", 2, lambda v: v.concealed_hand and not v.self_drawn),
    _fan("all-chows", 2, _all_chows),
    _fan("tile-hog", 2, lambda v: _hogs(v).bit_count(),
         lambda v: tuple(tile for tile in faces_of(_hogs(v)) for _ in range(4))),
    _of_sets("double-pung", 2),
    _fan("two-concealed-pungs", 2, lambda v: v.concealed_pungs == 2, concealed_pungs),
    _fan("concealed-kong", 2, _concealed_kong, lambda v: kongs(v, False)),
    _fan("all-simples", 2, _only(_ranks(2, 3, 4, 5, 6, 7, 8))),
    _of_sets("pure-double-chow", 1),
    _of_sets("mixed-double-chow", 1),
    _of_sets("short-straight", 1),
    _of_sets("two-terminal-chows", 1),
    _fan("terminal-honour-pung", 1, lambda v: len(_terminal_honour_pungs(v)),
         lambda v: v.sets_of(_terminal_honour_pungs(v))),
    _fan("melded-kong", 1, _melded_kong, lambda v: kongs(v, True)),
    _fan("one-voided-suit", 1, lambda v: v.suits == 2),
    _fan("no-honours", 1, lambda v: not v.honours),
    _fan("edge-wait", 1, _wait(EDGE), winning_tile),
    _fan("closed-wait", 1, _wait(CLOSED), winning_tile),
    _fan("pair-wait", 1, _wait(PAIR), winning_tile),
    _fan("self-drawn", 1, lambda v: v.self_drawn, nothing),
    _fan("every-flower", 1, lambda v: v.bonus_count, bonus_tiles),
)  # fmt: skip

MCR = Ruleset(
    id="mcr",
    version="1.0",
    unit="fan",
    sets=4,
    items=ITEMS,
    exclusions=EXCLUSIONS,
    options=OPTIONS,
    pay=pay,
    events=frozenset({DEALT}),
    shapes=(
        SEVEN_DIFFERENT_PAIRS,
        pairs_with_quads("seven_pairs_quads"),
        THIRTEEN_ORPHANS,
        LESSER_KNITTED,
        GREATER_KNITTED,
        *KNITTED_STRAIGHTS,
    ),
    minimum="minimum",
    fallback="chicken-hand",
    fallback_beside=frozenset({"every-flower"}),
    check=check,
    prepare=prepare,
    after=after,
    evaluate=evaluate,
    false_win=false_win,
)
