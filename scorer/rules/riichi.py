"""`riichi`: the Japanese game, scored by the package `mahjong` (the optional extra `riichi`).

Nothing is computed here: a hand that is complete is handed over, and what comes back is put into
our words. Whether a hand is possible and complete is judged as for every other rule set.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from ..arrange import key_of
from ..hand import Hand
from ..houserules import Option
from ..result import Problem
from ..ruleset import Item, Ruleset, nothing, whole
from ..situation import Situation
from ..suits import BITS, COUNT
from ..tiles import FACES, Tile
from ..winds import EAST
from .events import before_any_set, drawn_or_given, never_together, only_dealer
from .fourteen import SEVEN_DIFFERENT_PAIRS, THIRTEEN_ORPHANS
from .riichi_adapter import answer, pay, red_fives
from .riichi_yaku import SITUATIONAL, YAKU

SOURCE: Final = "mahjong"
RIICHI_EVENTS: Final = ("riichi", "double-riichi")
FIRST_TURN: Final = ("heavenly-hand", "earthly-hand", "human-hand")
DRAWN: Final = ("kong-draw", "last-draw", "heavenly-hand", "earthly-hand")
GIVEN: Final = ("last-discard", "human-hand")
LATER: Final = (*RIICHI_EVENTS, "ippatsu", "kong-draw", "last-draw", "last-discard", "robbing-kong")
# Tile whose indicator shows each face: the next in the suit, the next wind, the next dragon.
NEXT: Final = tuple([9 * (t // 9) + (t + 1) % 9 for t in range(27)] + [28, 29, 30, 27, 33, 31, 32])

OPTIONS = (
    Option("open_tanyao", True),
    Option("red_fives", True),
    Option("double_yakuman", True),
    Option("counted_yakuman", "yakuman", ("yakuman", "sanbaiman", "no_limit")),
    Option("kiriage", False),
    Option("human_hand_yakuman", False),
    Option("multiple_winners", "all", ("all", "nearest")),
)  # fmt: skip

ITEMS = tuple(
    Item(id, value, lambda v: 0, SOURCE, nothing if id in SITUATIONAL else whole, told)
    for id, _, value, told in YAKU
)


def prepare(hand: Hand, situation: Situation, house: Any) -> Situation:
    """Self-draw or discard as the events say."""
    events = situation.events
    if situation.self_drawn is None:
        if events & set(DRAWN):
            return situation.but(self_drawn=True)
        if events & {*GIVEN, "robbing-kong"}:
            return situation.but(self_drawn=False)
    return situation


def check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    """Red fives that cannot be, a dealer who is not East, and events that exclude each other."""
    problems = []
    low, high = red_fives(hand, house)
    reds = situation.red_fives
    if reds is not None and not low <= reds <= high:
        problems.append(Problem("red-fives", {"have": reds, "low": low, "high": high}))
    if situation.dealer not in (None, EAST):
        problems.append(Problem("dealer-not-east"))
    events = situation.events
    if not events:
        return problems
    return [
        *problems,
        *never_together(events, [FIRST_TURN, RIICHI_EVENTS, ("last-draw", "last-discard")]),
        *never_together(events, product(FIRST_TURN, LATER)),
        *never_together(
            events, [("kong-draw", "last-draw"), ("robbing-kong", "last-discard"),
                     ("kong-draw", "ippatsu")]
        ),
        *only_dealer(situation, ("heavenly-hand",), ("earthly-hand", "human-hand")),
        *drawn_or_given(situation, DRAWN, GIVEN),
        *before_any_set(hand, events, FIRST_TURN, RIICHI_EVENTS),
        *([Problem("ippatsu-without-riichi")]
          if "ippatsu" in events and not events & set(RIICHI_EVENTS) else []),
    ]  # fmt: skip


def asks(hand: Hand, situation: Situation, house: Any) -> dict[str, tuple[Any, ...]]:
    """How many fives are red, and the dora indicators: the least and the most they can add."""
    facts: dict[str, tuple[Any, ...]] = {}
    low, high = red_fives(hand, house)
    if situation.red_fives is None and high > low:
        facts["red_fives"] = tuple(range(low, high + 1))
    if situation.dora is None:
        facts["dora"] = _least_and_most_dora(hand, situation)
    return facts


def _least_and_most_dora(hand: Hand, situation: Situation) -> tuple[tuple[Tile, ...], ...]:
    riichi = situation.events | situation.unknown_events
    indicators = (1 + hand.kongs) * (2 if riichi & set(RIICHI_EVENTS) else 1)
    key = key_of(tile for tile in hand.tiles if tile < FACES)
    held = [key >> BITS * tile & COUNT for tile in range(FACES)]
    useless = [t for t in range(FACES) if not held[NEXT[t]] and held[t] < 4]
    free = sorted(
        (Tile(t) for t in range(FACES) for _ in range(4 - held[t])),
        key=lambda t: -held[NEXT[t]],
    )
    least = tuple(Tile(t) for t in useless for _ in range(4 - held[t]))
    return least[:indicators], tuple(free[:indicators])


RIICHI = Ruleset(
    id="riichi",
    version="1.0",
    unit="han",
    sets=4,
    items=ITEMS,
    exclusions=(),
    options=OPTIONS,
    pay=pay,
    shapes=(SEVEN_DIFFERENT_PAIRS, THIRTEEN_ORPHANS),
    bonus_option="",
    check_always=True,
    check=check,
    prepare=prepare,
    asks=asks,
    answer=answer,
)
