"""Score a hand written as text.

Concealed tiles first, exposed sets in square brackets, a concealed kong in round brackets, the
winning tile after @, bonus tiles last: 1-9m characters, 1-9p dots, 1-9s bamboo, 1-4z winds
(East South West North), 5-7z white, green and red dragon, 1-8f bonus tiles.

examples:
  hupai score "66678m11333p555z[222z]@6m" --seat W --round E --discard-from S
  hupai score "123456m33s22z[111z][456p]@3s 1f6f" --seat E --round E --self-drawn --streak 2
  hupai score "123456m33s22z[111z][456p]@3s" --rules taiwan --house club.toml --seat S --json
  hupai score "234m456p2234567s@8s" --rules riichi --seat S --round E --self-drawn --dora 1s

A whole deal of Sichuan Bloody is settled from a file of its events (docs/deal.md):

  hupai score --deal friday.toml
  hupai score --deal friday.toml --house club.toml --json

Exit code 0: a score. 1: not a win, or not certain because a fact is missing. 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kiosk import facts
from kiosk.receipt import receipt
from kiosk.settlement_receipt import settlement_receipt
from kiosk.trouble import GOOD, NOT_GOOD, WrongUse
from kiosk.words import preferred_language
from scorer import Hand, HandTextError, find_ruleset, score
from scorer.deal import DealFileError, read_deal, settle

DEAL_RULESET = "sichuan"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("hand", metavar="HAND", nargs="?", help="the hand text; quote it")
    what.add_argument(
        "--deal", metavar="FILE", type=Path, help="settle a whole Sichuan deal from its events"
    )
    facts.add_rules_arguments(parser)
    facts.add_situation_arguments(parser)
    facts.add_riichi_arguments(parser)
    facts.add_language_argument(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    if arguments.deal is not None:
        return _settle(arguments)
    ruleset, house = facts.house_of(arguments)
    situation = facts.situation_of(arguments)
    facts.check_events(ruleset, house, situation)
    try:
        hand = Hand.parse(arguments.hand)
    except HandTextError as error:
        raise WrongUse(f"the hand cannot be read: {error}.") from None
    facts.check_own_facts(ruleset, hand, arguments)
    result = score(hand, situation, ruleset, house)
    if arguments.json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=2))
    else:
        language = arguments.lang or preferred_language()
        print(receipt(hand, situation, result, language, flags=True))
    return GOOD if result.is_good else NOT_GOOD


def _settle(arguments: argparse.Namespace) -> int:
    """Settle a deal; its facts stand in the file, so only the rules and the language are asked."""
    if arguments.rules is None and arguments.house is None:
        arguments.rules = DEAL_RULESET
    ruleset, house = facts.house_of(arguments)
    if find_ruleset(ruleset).id != DEAL_RULESET:
        raise WrongUse(f"--deal settles a deal of {DEAL_RULESET}, not of {ruleset}.")
    path = arguments.deal
    try:
        deal = read_deal(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise WrongUse(f"the deal {path} cannot be read: {reason}.") from None
    except DealFileError as error:
        raise WrongUse(f"{error}.") from None
    settlement = settle(deal, house)
    if arguments.json:
        print(json.dumps(settlement.to_json(), ensure_ascii=False, indent=2))
    else:
        print(settlement_receipt(deal, settlement, arguments.lang or preferred_language()))
    return NOT_GOOD if settlement.problems or not settlement.finished else GOOD
