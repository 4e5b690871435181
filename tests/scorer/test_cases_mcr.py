"""Worked hands of public Chinese Official sources, each put into its class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import pytest

from scorer import HouseRules, Situation, Wind, pay_total, score
from tests.scorer.cases import (
    CONTRADICTS,
    Case,
    Tally,
    classify,
    flags_of,
    hand_of,
    known_differences,
    load,
    matches_payments,
    situation_of,
)

EVENTS = {
    "kong_draw": "kong-draw",
    "last_draw": "last-draw",
    "last_discard": "last-discard",
    "last_copy": "last-copy",
}
# Names of the English rule book that are not ours.
BOOK_NAMES = {
    "all-fives": "all-five",
    "all-honours": "all-honors",
    "mixed-terminals": "all-terminals-and-honors",
    "lesser-knitted": "lesser-honors-and-knitted-tiles",
    "greater-knitted": "greater-honors-and-knitted-tiles",
    "two-dragon-pungs": "two-dragons-pungs",
    "mixed-kongs": "concealed-kong-and-melded-kong",
    "all-claimed": "melded-hand",
    "concealed-self-drawn": "fully-concealed-hand",
    "round-wind-pung": "prevalent-wind",
    "seat-wind-pung": "seat-wind",
    "terminal-honour-pung": "pung-of-terminals-or-honors",
    "no-honours": "no-honors",
    "pair-wait": "single-wait",
    "last-draw": "last-tile-draw",
    "last-discard": "last-tile-claim",
    "kong-draw": "out-with-replacement-tile",
    "last-copy": "last-tile",
    "every-flower": "flower-tiles",
}


def agrees(case: Case, house: HouseRules | None) -> bool:
    """Total and list, or the payments, come out as the case says."""
    if "payment_only" in flags_of(case):
        return _pays(case, house)
    result = score(hand_of(case), situation_of(case, EVENTS), "mcr", house)
    if {problem.id for problem in result.problems} - {"below-minimum"}:
        return False
    fans = case["expected_fans"]
    if fans is not None:
        points: Counter[str] = Counter()
        for item in result.items:
            points[BOOK_NAMES.get(item.id, item.id)] += item.total
        listed = {_plain(name): value for name, value in fans}
        if points != Counter({BOOK_NAMES.get(name, name): v for name, v in listed.items()}):
            return False
    return bool(result.total == case["expected_total"])


def _plain(name: str) -> str:
    return name.lower().replace(" ", "-")


def _pays(case: Case, house: HouseRules | None) -> bool:
    flags = flags_of(case)
    winner = Wind.parse(case["seat"])
    giver = None if case["win_by"] == "self" else Wind.parse(flags["from"])
    facts = Situation(seat=winner, round=Wind.EAST, self_drawn=giver is None, from_seat=giver)
    total = int(flags["fan"]) + int(flags["flower_fan"])
    found = pay_total(total, facts, "mcr", house).payments
    assert found is not None
    expected = case["expected_payments"]
    return total == case["expected_total"] and matches_payments(
        expected, found, winner, giver, Wind.EAST
    )


def houses(case: Case) -> Iterable[HouseRules]:
    """The house rule that the case names."""
    named = re.fullmatch(r"house rule (\w+) = (.+)", case["variant"])
    if named:
        name, text = named.groups()
        choices = {"true": True, "false": False}
        value: object = choices.get(text, text.strip('"'))
        yield HouseRules.of("mcr", {name: int(text) if text.isdigit() else value})
    base = flags_of(case).get("base")
    if base:
        yield HouseRules.of("mcr", {"base_payment": int(base)})


@pytest.fixture(scope="module")
def tallies() -> list[Tally]:
    return [classify(name, load(name), agrees, houses) for name in ("mcr", "mcr_fans")]


def test_worked_hands_of_mcr_sources(
    tallies: list[Tally], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every case agrees, agrees under the house rule it names, or is a known difference."""
    for tally in tallies:
        with capsys.disabled():
            print("\n" + "\n".join(tally.lines()))
        against = {id for id, which in tally.classes.items() if which == CONTRADICTS}
        assert against <= known_differences()
        assert tally.share(CONTRADICTS) <= 0.02


def test_no_known_difference_is_out_of_date(tallies: list[Tally]) -> None:
    """A case that has come to agree is taken off the list."""
    still = {id for tally in tallies for id, which in tally.classes.items() if which == CONTRADICTS}
    assert {id for id in known_differences() if id.startswith("mcr-")} <= still
