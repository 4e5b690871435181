"""Scoring a hand for the page: the result, what is to be asked, the same under other rules."""

from __future__ import annotations

from typing import Any

from kiosk.server.names import brief_json, result_json
from kiosk.server.situations import situation_json
from scorer import Hand, HouseRules, Situation, find_ruleset, presets, rulesets, score
from scorer.legality import events_of
from scorer.registry import preset_house
from scorer.table import table_of
from vision.questions import ask
from vision.reading import Question


def score_json(
    hand: Hand, situation: Situation, ruleset: str, house: HouseRules, language: str
) -> dict[str, Any]:
    """The result of a hand with names and questions."""
    result = score(hand, situation, ruleset, house)
    asks: tuple[Question, ...] = ()
    if result.questions and not result.problems:
        asks = ask(hand, situation, ruleset, house).questions
    data = result_json(hand, situation, result, asks, language)
    return data | {"hand": str(hand), "situation": situation_json(situation)}


def compared(hand: Hand, situation: Situation, ruleset: str, language: str) -> list[dict[str, Any]]:
    """The same tiles under every other rule set and preset with hands of that size.

    Events that a rule set does not know do not count there.
    """
    sets = find_ruleset(ruleset).sets
    rows = []
    for other in (*rulesets(), *presets()):
        if other == ruleset or find_ruleset(other).sets != sets:
            continue
        known = events_of(table_of(other, preset_house(other)))
        fitting = situation.but(
            events=situation.events & known, unknown_events=situation.unknown_events & known
        )
        rows.append(brief_json(other, score(hand, fitting, other), language))
    return rows
