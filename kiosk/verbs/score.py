"""Score a hand written as text.

Concealed tiles first, exposed sets in square brackets, a concealed kong in round brackets, the
winning tile after @, bonus tiles last: 1-9m characters, 1-9p dots, 1-9s bamboo, 1-4z winds
(East South West North), 5-7z white, green and red dragon, 1-8f bonus tiles.

examples:
  hupai score "66678m11333p555z[222z]@6m" --seat W --round E --discard-from S
  hupai score "123456m33s22z[111z][456p]@3s 1f6f" --seat E --round E --self-drawn --streak 2
  hupai score "123456m33s22z[111z][456p]@3s" --rules taiwan --house club.toml --seat S --json

Exit code 0: a score. 1: not a win, or not certain because a fact is missing. 2: wrong use.
"""

from __future__ import annotations

import argparse
import json

from kiosk import facts
from kiosk.receipt import receipt
from kiosk.trouble import GOOD, NOT_GOOD, WrongUse
from kiosk.words import preferred_language
from scorer import Hand, HandTextError, score


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hand", metavar="HAND", help="the hand text; quote it")
    facts.add_rules_arguments(parser)
    facts.add_situation_arguments(parser)
    facts.add_language_argument(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    ruleset, house = facts.house_of(arguments)
    situation = facts.situation_of(arguments)
    facts.check_events(ruleset, house, situation)
    try:
        hand = Hand.parse(arguments.hand)
    except HandTextError as error:
        raise WrongUse(f"the hand cannot be read: {error}.") from None
    result = score(hand, situation, ruleset, house)
    if arguments.json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=2))
    else:
        language = arguments.lang or preferred_language()
        print(receipt(hand, situation, result, language, flags=True))
    return GOOD if result.is_good else NOT_GOOD
