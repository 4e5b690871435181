"""The rule sets and presets there are, found by id."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from .houserules import HouseRules, no_such
from .ruleset import Ruleset

RULESETS: Final[dict[str, str]] = {
    "taiwan": "taiwan:TAIWAN",
    "taiwan-classic": "taiwan_classic:TAIWAN_CLASSIC",
    "hongkong": "hongkong:HONGKONG",
    "hongkong-digital": "hongkong_digital:HONGKONG_DIGITAL",
    "sichuan": "sichuan:SICHUAN",
    "riichi": "riichi:RIICHI",
    "mcr": "mcr:MCR",
}
"""Rule set id -> module and name under scorer.rules, imported when asked for."""

PRESETS: Final[dict[str, str]] = {
    "taiwan-a": "taiwan",
    "taiwan-b": "taiwan",
    "club-example": "taiwan",
    "taiwan-hk-style": "taiwan-classic",
    "taiwan-sml": "taiwan",
    "taiwan-cml": "taiwan",
    "taiwan-atawmj": "taiwan",
    "taiwan-star31": "taiwan",
    "taiwan-shenlaiye": "taiwan",
    "taiwan-zhaishenye": "taiwan",
    "hongkong-limit-8": "hongkong",
    "hongkong-limit-10": "hongkong",
    "hongkong-half-spicy": "hongkong",
    "hongkong-full-spicy": "hongkong",
    "hongkong-seven-pairs": "hongkong",
    "hongkong-no-flowers": "hongkong",
}
"""Preset id -> its rule set; the house rules of a preset are scorer/presets/ID.toml."""


class UnknownRulesetError(ValueError):
    """There is no rule set or preset of that id."""


def rulesets() -> tuple[str, ...]:
    """The ids of the rule sets, the default first."""
    return tuple(RULESETS)


def presets() -> tuple[str, ...]:
    """The ids of the presets that are not rule sets of their own."""
    return tuple(PRESETS)


@cache
def find_ruleset(id: str) -> Ruleset:
    """The rule set of this id, or of the preset of this id. Raises UnknownRulesetError."""
    name = PRESETS.get(id, id)
    if name not in RULESETS:
        known = [*RULESETS, *PRESETS]
        raise UnknownRulesetError(f"{id!r}: " + no_such(id, known, "rule set"))
    module, _, attribute = RULESETS[name].partition(":")
    rules = getattr(import_module(f"scorer.rules.{module}"), attribute)
    assert isinstance(rules, Ruleset)
    return rules


@cache
def preset_house(id: str) -> HouseRules:
    """The house rules of a preset; none for a rule set itself."""
    if id not in PRESETS:
        return HouseRules(find_ruleset(id).id)
    from .housefile import read_house
    from .names import data_text

    return read_house(data_text("presets", f"{id}.toml"), f"{id}.toml")
