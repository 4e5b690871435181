"""Checks of events that several rule sets share; each answers the problems it finds."""

from __future__ import annotations

from collections.abc import Iterable

from ..hand import Hand
from ..legality import clash
from ..result import Problem
from ..situation import Situation


def never_together(events: frozenset[str], groups: Iterable[Iterable[str]]) -> list[Problem]:
    """Of each group at most one can be true."""
    problems: list[Problem] = []
    if len(events) < 2:
        return problems
    for group in groups:
        true = [event for event in group if event in events]
        problems += [clash(true[0], other) for other in true[1:]]
    return problems


def only_dealer(
    situation: Situation, dealer: Iterable[str], others: Iterable[str]
) -> list[Problem]:
    """Events that only the dealer, or only another player, can have."""
    deals = situation.winner_deals
    if deals is None:
        return []
    wrong = [(event, "event-of-others") for event in others if deals]
    wrong += [(event, "event-of-dealer") for event in dealer if not deals]
    return [Problem(id, {"event": event}) for event, id in wrong if event in situation.events]


def drawn_or_given(
    situation: Situation, drawn: Iterable[str], given: Iterable[str]
) -> list[Problem]:
    """Events that only a self-draw, or only another player's tile, can bring."""
    if situation.self_drawn is None:
        return []
    how = "self-drawn" if situation.self_drawn else "discard"
    wrong = given if situation.self_drawn else drawn
    return [clash(event, how) for event in wrong if event in situation.events]


def from_dealer(situation: Situation, event: str) -> list[Problem]:
    """An event that only the dealer's discard can bring."""
    giver, dealer = situation.from_seat, situation.dealer
    if event not in situation.events or None in (giver, dealer) or giver == dealer:
        return []
    assert giver is not None
    return [Problem("not-from-dealer", {"event": event, "seat": giver.letter})]


def before_any_set(
    hand: Hand, events: frozenset[str], no_set: Iterable[str], none_claimed: Iterable[str]
) -> list[Problem]:
    """Events before which the winner can have laid down no set, or claimed none."""
    claimed = any(meld.is_exposed for meld in hand.melds)
    wrong = [event for event in no_set if hand.melds]
    wrong += [event for event in none_claimed if claimed]
    return [Problem("event-with-sets", {"event": event}) for event in wrong if event in events]


def bonus_count(
    hand: Hand, events: frozenset[str], needs: Iterable[tuple[str, int]]
) -> list[Problem]:
    """Events that need a number of bonus tiles."""
    have = len(set(hand.bonus))
    return [
        Problem("event-bonus-count", {"event": event, "have": have, "need": need})
        for event, need in needs
        if event in events and have != need
    ]
