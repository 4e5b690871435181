"""Events of `taiwan`: what they imply, and what cannot be true together."""

from __future__ import annotations

from typing import Any, Final

from ..hand import Hand
from ..legality import clash
from ..result import Problem
from ..situation import Situation

FIRST_TURN: Final = ("heavenly-hand", "earthly-hand", "human-hand")
EARLY_READY: Final = ("first-discard-ready", "first-round-ready")
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
        compound = house.flower_wins == "compound" and house.flower_completes
        return "may" if compound else "only"
    return ""


def check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    """Every contradiction among the events, the dealer, the melds and the bonus tiles."""
    events = situation.events
    problems: list[Problem] = []

    def never(a: str, *others: str) -> None:
        problems.extend(clash(a, b) for b in others if b in events)

    for i, event in enumerate(FIRST_TURN):
        if event in events:
            never(event, *FIRST_TURN[i + 1 :], "last-tile", "ready-declared", *EARLY_READY)
            never(event, "robbing-kong")
            if hand.melds:
                problems.append(Problem("event-with-sets", {"event": event}))
    if "first-discard-ready" in events:
        never("first-discard-ready", "first-round-ready")
    for event in EARLY_READY:
        if event in events and any(meld.is_exposed for meld in hand.melds):
            problems.append(Problem("event-with-sets", {"event": event}))
    deals = situation.winner_deals
    for event, dealer in (
        ("heavenly-hand", True),
        ("earthly-hand", False),
        ("human-hand", False),
        ("first-discard-ready", True),
        ("first-round-ready", False),
    ):
        if event in events and deals is not None and deals is not dealer:
            id = "event-of-dealer" if dealer else "event-of-others"
            problems.append(Problem(id, {"event": event}))
    if "earthly-hand" in events:
        drawn = house.earthly_when == "first_draw"
        if situation.self_drawn is not None and situation.self_drawn is not drawn:
            problems.append(clash("earthly-hand", "discard" if drawn else "self-drawn"))
    if situation.self_drawn:
        never("self-drawn", "human-hand", "seven-flowers")
    elif situation.self_drawn is False:
        never("discard", "heavenly-hand", "eight-flowers")
    bonus = len(set(hand.bonus))
    for event, need in (("seven-flowers", 7), ("eight-flowers", 8)):
        if event in events:
            never(event, *FIRST_TURN, "robbing-kong")
            if bonus != need:
                facts = {"event": event, "have": bonus, "need": need}
                problems.append(Problem("event-bonus-count", facts))
    if "flower-completes" in events and "eight-flowers" not in events:
        facts = {"event": "flower-completes", "have": bonus, "need": 8}
        problems.append(Problem("event-bonus-count", facts))
    if situation.replacement == "claimed-kong" and house.kong_draw_payer == "discarder":
        # Such a win counts as a discard win, and kong-draw stays.
        problems = [p for p in problems if p.facts.get("a") != "kong-draw"]
    return problems
