"""Events of the Hong Kong games: what they imply, what cannot be, and the minimum."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from ..hand import Hand
from ..legality import clash
from ..result import Problem
from ..shortfall import below_minimum
from ..situation import Situation
from ..table import Evaluation, Table
from ..view import View
from . import hongkong_payments
from .events import (
    before_any_set,
    bonus_count,
    drawn_or_given,
    from_dealer,
    never_together,
    only_dealer,
)

HEAVENLY: Final = frozenset({"heavenly-hand", "earthly-hand"})
FLOWER_WINS: Final = frozenset({"flower-win", "eight-flowers"})
LATE: Final = ("last-tile", "robbing-kong", "kong-draw", "double-kong", *sorted(FLOWER_WINS))
DRAWN: Final = ("heavenly-hand", "kong-draw", "double-kong", *sorted(FLOWER_WINS))
GIVEN: Final = ("earthly-hand", "robbing-kong")
HOW_WON: Final = frozenset(
    {"self-drawn", "concealed-hand", "robbing-kong", "last-tile", "kong-draw", "double-kong"}
)
"""Items that say how a hand was won and not what it holds."""


def prepare(hand: Hand, situation: Situation, house: Any) -> Situation:
    """Self-draw or discard as the events say."""
    if situation.self_drawn is None:
        if situation.events.intersection(DRAWN):
            return situation.but(self_drawn=True)
        if situation.events.intersection(GIVEN):
            return situation.but(self_drawn=False)
    return situation


def asks(hand: Hand, situation: Situation, house: Any) -> dict[str, tuple[Any, ...]]:
    """What a kong-draw replaced, where that matters, and who may be liable."""
    facts = hongkong_payments.asks(hand, situation, house)
    events = situation.events or situation.unknown_events
    if not events or house.flower_replacement or situation.replacement is not None:
        return facts
    if "kong-draw" in situation.events | situation.unknown_events and situation.self_drawn:
        kinds = {"kong": "claimed-kong", "concealed-kong": "concealed-kong"}
        answers = [kinds[kind] for kind in sorted({m.kind for m in hand.melds}) if kind in kinds]
        answers += ["bonus"] if hand.bonus else []
        if answers:
            facts["replacement"] = tuple(answers)
    return facts


def bare(hand: Hand, situation: Situation, house: Any) -> str:
    """The flower wins need no complete hand; a complete one adds."""
    if not situation.events & FLOWER_WINS:
        return ""
    return "may" if getattr(house, "flower_win", False) else ""


def check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    """Every contradiction among the events, the dealer, the sets and the bonus tiles."""
    events = situation.events
    problems = [
        *never_together(events, [sorted(HEAVENLY), sorted(FLOWER_WINS)]),
        *never_together(events, product(sorted(HEAVENLY), LATE)),
        *only_dealer(situation, ("heavenly-hand",), ("earthly-hand",)),
        *drawn_or_given(situation, DRAWN, GIVEN),
        *before_any_set(hand, events, sorted(HEAVENLY), ()),
        *from_dealer(situation, "earthly-hand"),
    ]
    if getattr(house, "flower_win", False):
        needs = (("flower-win", 7), ("eight-flowers", 8))
        problems += bonus_count(hand, events, needs)
    else:
        off = sorted(events & FLOWER_WINS)
        problems += [Problem("event-switched-off", {"event": event}) for event in off]
    if "double-kong" in events and hand.kongs < 2:
        problems.append(Problem("two-kongs"))
    if "double-kong" in events and situation.replacement == "bonus":
        problems.append(clash("double-kong", "bonus-replacement"))
    return problems


def minimum(view: View, evaluation: Evaluation, table: Table) -> list[Problem]:
    """The faan a win needs, and where they must come from; heavenly hands need nothing."""
    if view.events & HEAVENLY or view.shape == "none":
        return []
    problems = below_minimum(view, evaluation, table)
    if not problems and table.house.one_faan_from_tiles:
        items = table.items
        if all(items[i].id in HOW_WON for i, _ in evaluation.counted):
            return [Problem("no-faan-from-tiles", {"need": 1})]
    return problems
