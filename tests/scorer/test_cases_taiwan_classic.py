"""Worked hands and table rows of the taiwan-classic sources, each put into its class."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from scorer import HouseRules, Situation, Wind, find_ruleset, pay_total, score
from scorer.registry import preset_house
from tests.scorer.cases import (
    CONTRADICTS,
    Case,
    classify,
    flags_of,
    hand_of,
    known_differences,
    load,
    matches_payments,
    situation_of,
)

RULES = "taiwan-classic"
# The words of the table's rows, and the items they are.
ROWS = {
    "Each flower or season": "flower",
    "No flowers or seasons": "no-flowers",
    "All eight flowers and seasons (wins alone)": "eight-flowers",
    "Seven flowers robbing the 8th (wins alone)": "seven-flowers",
    "Pung/kong of honours (dragon or any wind), each": "honour-pung",
    "Melded kong, each": "exposed-kong",
    "Concealed kong, each": "concealed-kong",
    "same, all concealed": "straight",
    "Three concealed triplets": "three-concealed-pungs",
    "Big three winds": "big-three-winds",
    "Exposed hand (implies one-chance and out on a pair)": "exposed-hand",
    "Concealed hand (discard)": "concealed-hand",
    "Chow hand with no honours/flowers": "chow-hand-plain",
    "No flowers and no honours": "no-honours-no-flowers",
    "One suit and honours": "half-flush",
    "Winning": "winning",
    "Self-drawn last tile": "self-drawn",
    "Out on a one-chance chow": "one-chance-chow",
    "Out on a pair": "pair-wait",
    "Out on the last tile of the wall (adds to self-drawn)": "last-tile",
    "Out by robbing a kong": "robbing-kong",
    "Out of the last discard": "last-discard",
    "Early winning 6-9 discards": "early-win-5",
    "Early winning 5 or fewer": "early-win-10",
    "Ready on original hand": "ready-on-deal",
    "Three Great Scholars": "big-three-dragons",
    "Little Four Winds (no wind doubles, no one suit with honours)": "little-four-winds",
    "Big Four Winds": "big-four-winds",
    "Seven pairs and a triplet": "seven-pairs-and-triplet",
    "Heavenly Hand": "heavenly-hand",
    "Earthly Hand (dealer's first discard)": "earthly-hand",
}
STARTED_WITH = 2000


def agrees(case: Case, rules: HouseRules | None) -> bool:
    flags = flags_of(case)
    if "table_row" in flags:
        return _row(case)
    if case["id"].startswith("twc-twc-running"):
        return _running(case, rules)
    if "payment_only" in flags:
        facts = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=True)
        found = pay_total(int(flags["tai"]), facts, RULES, rules).payments
        assert found is not None
        expected = case["expected_payments"]
        return matches_payments(expected, found, Wind.SOUTH, None, Wind.EAST)
    result = score(hand_of(case), situation_of(case, {}), RULES, rules)
    if result.problems or result.total != case["expected_total"]:
        return False
    paid = {seat.letter: amount for seat, amount in (result.payments or {}).items()}
    return case["expected_payments"] in (None, paid)


def _row(case: Case) -> bool:
    [(words, value)] = case["expected_fans"]
    item = find_ruleset(RULES).item(ROWS[words])
    # A straight is worth 5, and the double when all three chows are concealed.
    return bool(value == (2 * item.value if item.id == "straight" else item.value))


def _running(case: Case, rules: HouseRules | None) -> bool:
    example = next(c for c in load("taiwan_classic") if c["id"] == "twc-twc-example")
    paid = score(hand_of(example), situation_of(example, {}), RULES, rules).payments
    [(seat, total)] = case["expected_payments"].items()
    return paid is not None and STARTED_WITH + paid[Wind.parse(seat)] == total


def houses(case: Case) -> Iterable[HouseRules]:
    yield HouseRules.of(RULES, {"only_printed_rows": True})
    if case["ruleset"] == "Taiwan HK-style":
        yield preset_house("taiwan-hk-style")


def test_worked_hands_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """Every case agrees, agrees under its source's house rules, or is a known difference."""
    tally = classify("taiwan_classic", load("taiwan_classic"), agrees, houses)
    with capsys.disabled():
        print("\n" + "\n".join(tally.lines()))
    against = {id for id, which in tally.classes.items() if which == CONTRADICTS}
    assert against == {id for id in known_differences() if id.startswith("twc-")}
    assert tally.share(CONTRADICTS) <= 0.05


def test_the_worked_example_with_the_whole_table() -> None:
    """The source speaks of 22 points: the whole table gives them, the printed rows give 16."""
    example = next(c for c in load("taiwan_classic") if c["id"] == "twc-twc-example")
    hand, facts = hand_of(example), situation_of(example, {})
    printed = HouseRules.of(RULES, {"only_printed_rows": True})
    assert score(hand, facts, RULES).total == 22
    assert score(hand, facts, RULES, printed).total == 16
