"""Events of `taiwan`: what they imply, and what cannot be true together."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from ..hand import Hand
from ..result import Problem
from ..situation import Situation
from .events import (
    before_any_set,
    bonus_count,
    drawn_or_given,
    from_dealer,
    never_together,
    only_dealer,
)

FIRST_TURN: Final = ("heavenly-hand", "earthly-hand", "human-hand")
EARLY_READY: Final = ("first-discard-ready", "first-round-ready")
NOT_IN_FIRST_TURN: Final = (
    "last-tile", "ready-declared", "first-discard-ready", "first-round-ready", "robbing-kong",
    "seven-flowers", "eight-flowers",
)  # fmt: skip
FLOWER_WINS: Final = ("seven-flowers", "eight-flowers")
SELF_DRAWN: Final = {"heavenly-hand", "eight-flowers"}
DISCARD: Final = {"human-hand", "seven-flowers", "robbing-kong"}


def prepare(hand: Hand, situation: Situation, house: Any) -> Situation:
    """Self-draw or discard as the events say; a win after a claimed kong may be a discard win."""
    events = situation.events
    if situation.self_drawn is None:
        drawn, given = set(SELF_DRAWN), set(DISCARD)
        (drawn if house.earthly_when == "first_draw" else given).add("earthly-hand")
        if events & drawn or "kong-draw" in events:
            situation = situation.but(self_drawn=True)
        elif events & given:
            situation = situation.but(self_drawn=False)
    if (
        "kong-draw" in events
        and situation.self_drawn
        and situation.replacement == "claimed-kong"
        and house.kong_draw_payer == "discarder"
    ):
        return situation.but(self_drawn=False, from_seat=_kong_giver(hand, situation))
    return situation


def _kong_giver(hand: Hand, situation: Situation) -> Any:
    """Who gave the tile of the last claimed kong, None when it is not known."""
    kongs = [meld.tiles[0] for meld in hand.melds if meld.kind == "kong"]
    for fed in reversed(situation.fed):
        if fed.tiles and fed.tiles[0] in kongs and len(set(fed.tiles)) == 1:
            return fed.seat
    return None


def asks(hand: Hand, situation: Situation, house: Any) -> dict[str, tuple[Any, ...]]:
    """What a kong-draw replaced, where a house rule makes it matter."""
    matters = house.kong_draw_payer != "all" or not house.flower_replacement_counts
    drawn = "kong-draw" in situation.events | situation.unknown_events
    if not (matters and drawn and situation.replacement is None and situation.self_drawn):
        return {}
    kinds = {meld.kind for meld in hand.melds}
    answers: list[str] = []
    if "kong" in kinds:
        answers += ["claimed-kong", "added-kong"]
    if "concealed-kong" in kinds:
        answers.append("concealed-kong")
    if hand.bonus:
        answers.append("bonus")
    return {"replacement": tuple(answers)} if answers else {}


def bare(hand: Hand, situation: Situation, house: Any) -> str:
    """Seven flowers win with any tiles; eight flowers too, and with a complete hand they add."""
    if house.flower_wins == "additive" and situation.events & set(FLOWER_WINS):
        return "may"
    if "seven-flowers" in situation.events:
        return "only"
    if "eight-flowers" in situation.events:
        adds = house.flower_wins == "compound" and house.flower_completes
        return "may" if adds or house.flower_wins == "hand" else "only"
    return ""


def check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    """Every contradiction among the events, the dealer, the melds and the bonus tiles."""
    events = situation.events
    fed_kong = situation.replacement == "claimed-kong" and house.kong_draw_payer == "discarder"
    earthly_drawn = house.earthly_when == "first_draw"
    drawn = ["heavenly-hand", "eight-flowers", *(["earthly-hand"] if earthly_drawn else [])]
    given = ["human-hand", "seven-flowers", *([] if earthly_drawn else ["earthly-hand"])]
    if not fed_kong:
        drawn.append("kong-draw")
    return [
        *never_together(events, [FIRST_TURN, EARLY_READY]),
        *never_together(events, product(FIRST_TURN, NOT_IN_FIRST_TURN)),
        *only_dealer(situation, ("heavenly-hand", "first-discard-ready"),
                     ("earthly-hand", "human-hand", "first-round-ready")),
        *drawn_or_given(situation, drawn, given),
        *before_any_set(hand, events, FIRST_TURN, EARLY_READY),
        *([] if earthly_drawn else from_dealer(situation, "earthly-hand")),
        *bonus_count(hand, events, (("seven-flowers", 7), ("eight-flowers", 8),
                                    ("flower-completes", 8))),
    ]  # fmt: skip
