"""Chinese Official in tests: seat South, round East, won on North's discard unless said."""

from __future__ import annotations

from typing import Any

from scorer import Hand, HouseRules, Result, Situation, Wind, score

WON = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=False, from_seat=Wind.NORTH)
DRAWN = WON.but(self_drawn=True, from_seat=None)


def won(text: str, facts: Situation = WON, **options: Any) -> Result:
    """The result of a hand, under house rules where options are named."""
    house = HouseRules.of("mcr", options) if options else None
    return score(Hand.parse(text), facts, "mcr", house)


def points(text: str, facts: Situation = WON, **options: Any) -> dict[str, int]:
    return {item.id: item.total for item in won(text, facts, **options).items}


def reasons(text: str, facts: Situation = WON, **options: Any) -> set[tuple[str, str, str]]:
    """(fan left out, by which fan, for which reason)."""
    return {(out.id, out.by, out.reason) for out in won(text, facts, **options).left_out}


def problems(text: str, facts: Situation) -> list[str]:
    return [problem.id for problem in won(text, facts).problems]


def after(*events: str, facts: Situation = WON) -> Situation:
    return facts.with_events(events)
