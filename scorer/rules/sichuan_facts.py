"""What a win in `sichuan` needs beside a complete hand, and which facts exclude each other."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from ..hand import CHOW, Hand
from ..result import Problem
from ..situation import Situation
from ..tiles import tiles_text
from .events import before_any_set, drawn_or_given, from_dealer, never_together, only_dealer

DRAWN: Final = ("kong-draw", "double-kong", "heavenly-hand")
GIVEN: Final = ("robbing-kong", "kong-discard", "earthly-hand")
FIRST_TURN: Final = ("heavenly-hand", "earthly-hand")
LATER: Final = ("kong-draw", "double-kong", "robbing-kong", "kong-discard", "last-tile")


def prepare(hand: Hand, situation: Situation, house: Any) -> Situation:
    """Self-draw or discard as the events say; a second kong draw is a kong draw."""
    events = situation.events
    if "double-kong" in events:
        situation = situation.with_events(["kong-draw"])
    if situation.self_drawn is None:
        if events & set(DRAWN):
            return situation.but(self_drawn=True)
        if events & set(GIVEN):
            return situation.but(self_drawn=False)
    return situation


def check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    """The missing suit, chows laid down, players who have won, and events that cannot be."""
    problems = []
    missing = situation.missing_suit
    if house.missing_suit:
        if missing is not None:
            held = [tile for tile in hand.tiles if tile.suit == missing]
            if held:
                problems.append(Problem("no-missing-suit", {"tile": tiles_text(held)}))
        elif len({tile.suit for tile in hand.tiles if tile.is_suited}) == 3:
            problems.append(Problem("three-suits"))
    problems += [
        Problem("claimed-chow", {"set": str(meld)}) for meld in hand.melds if meld.kind == CHOW
    ]
    won = situation.already_won
    if won:
        acting = {situation.seat, situation.from_seat, *situation.also_won}
        problems += [Problem("already-won", {"seat": seat.letter}) for seat in sorted(won & acting)]
        if len(won) > 2:
            problems.append(Problem("three-have-won"))
    events = situation.events
    if not events:
        return problems
    return [
        *problems,
        *never_together(events, [FIRST_TURN]),
        *never_together(events, product(FIRST_TURN, LATER)),
        *only_dealer(situation, ("heavenly-hand",), ("earthly-hand",)),
        *drawn_or_given(situation, DRAWN, ("kong-discard", "earthly-hand")),
        *before_any_set(hand, events, FIRST_TURN, ()),
        *from_dealer(situation, "earthly-hand"),
        *([Problem("two-kongs")] if "double-kong" in events and hand.kongs < 2 else []),
    ]
