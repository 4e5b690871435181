"""The rules: tiles, hand text, arrangements, waits, rule sets, payments, names, sampling.

    >>> from scorer import Hand, Situation, Wind, score
    >>> hand = Hand.parse("66678m11333p555z[222z]@6m")
    >>> score(hand, Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=False)).total
    3

Pure Python without numpy; the only files read are the package's own data. Start at `score`;
scorer/rules/__init__.py says how to add a rule set.
"""

from __future__ import annotations

from .engine import score, waits_of
from .hand import Hand, Meld, MeldError
from .handtext import WinningTileError, parse_tiles
from .housefile import HouseFileError, read_house, write_house
from .houserules import HouseRuleError, HouseRules, Option
from .registry import UnknownRulesetError, find_ruleset, presets, rulesets
from .result import Arrangement, Earned, LeftOut, Problem, Result, Transfer
from .ruleset import Exclusion, Item, Paid, Ruleset, Shape
from .settle import pay_false_win, pay_total, score_winners
from .situation import Fed, Situation
from .tiles import HandTextError, Tile, TileCodeError
from .unknowns import score_range
from .winds import Wind

__all__ = [
    "Arrangement",
    "Earned",
    "Exclusion",
    "Fed",
    "Hand",
    "HandTextError",
    "HouseFileError",
    "HouseRuleError",
    "HouseRules",
    "Item",
    "LeftOut",
    "Meld",
    "MeldError",
    "Option",
    "Paid",
    "Problem",
    "Result",
    "Ruleset",
    "Shape",
    "Situation",
    "Tile",
    "TileCodeError",
    "Transfer",
    "UnknownRulesetError",
    "Wind",
    "WinningTileError",
    "find_ruleset",
    "parse_tiles",
    "pay_false_win",
    "pay_total",
    "presets",
    "read_house",
    "rulesets",
    "score",
    "score_range",
    "score_winners",
    "waits_of",
    "write_house",
]
