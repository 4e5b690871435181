"""Every item of `taiwan` and `taiwan-classic`, each with a hand that earns it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scorer import Hand, HouseRules, Result, Situation, Wind, find_ruleset, score
from tests.support import shared

DISCARD = Situation(seat=Wind.SOUTH, round=Wind.WEST, self_drawn=False, from_seat=Wind.NORTH)
DRAWN = DISCARD.but(self_drawn=True, from_seat=None)
DEALER = DRAWN.but(seat=Wind.EAST)
OPTIONAL = {
    "every_flower": True,
    "every_wind_pung": True,
    "exposed_kong": True,
    "concealed_kong": True,
    "no_honours_no_flowers": True,
}
PLAIN = "123456m56p55s123s[789s]@4p"
CLOSED = "123456m56p55s123s789s@4p"
EIGHT = "1f2f3f4f5f6f7f8f"

# (hand, facts, events, every item it earns with what that is worth)
TAIWAN: list[tuple[str, Situation, str, dict[str, int]]] = [
    ("123456m56p55s[111z][789p]@7p", DISCARD, "", {}),
    ("123456m56p55s123s[777z]@4p", DRAWN, "", {"self-drawn": 1, "dragon-pung": 1}),
    (CLOSED, DISCARD, "", {"concealed-hand": 1, "all-chows": 2}),
    (
        CLOSED,
        DRAWN,
        "",
        {"concealed-hand": 1, "self-drawn": 1, "concealed-self-drawn": 1},
    ),
    (PLAIN, DISCARD, "ready-declared", {"ready-declared": 1, "all-chows": 2}),
    ("123456m56p55s[555z][666z]@4p", DISCARD, "", {"dragon-pung": 2}),
    ("123456m56p55s[333z][222z]@4p", DISCARD, "", {"round-wind-pung": 1, "seat-wind-pung": 1}),
    (PLAIN + "2f6f7f", DISCARD, "", {"seat-flower": 2}),
    (PLAIN + "1f2f3f4f", DISCARD, "", {"flower-kong": 2}),
    ("123456m89p55s123s[111z]@7p", DISCARD, "", {"edge-wait": 1}),
    ("123456m79p55s123s[111z]@8p", DISCARD, "", {"closed-wait": 1}),
    ("123456m789p5s123s[111z]@5s", DISCARD, "", {"pair-wait": 1}),
    ("123456m56p55s123s[111z]@4p", DISCARD, "robbing-kong", {"robbing-kong": 1}),
    ("123456m56p55s123s[1111z]@4p", DRAWN, "kong-draw", {"kong-draw": 1, "self-drawn": 1}),
    ("123456m56p55s123s[111z]@4p", DRAWN, "last-tile", {"last-tile": 1, "self-drawn": 1}),
    ("123456m56p55s123s[111z]@4p", DISCARD, "last-tile", {"last-tile": 1}),
    ("5s[123m][456m][789p][111z][123s]@5s", DRAWN, "", {"half-claimed": 1}),
    ("5s[123m][456m][789p][111z][123s]@5s", DISCARD, "", {"all-claimed": 2}),
    ("123456m56p55s123s[777s]@4p", DISCARD, "", {}),
    ("111444m333p56p88s[123s]@7p", DISCARD, "", {"three-concealed-pungs": 2}),
    (
        "111444m333p666s56p88s@7p",
        DISCARD,
        "",
        {"four-concealed-pungs": 5, "concealed-hand": 1},
    ),
    (
        "111444m333p666s999s5z@5z",
        DISCARD,
        "",
        {"five-concealed-pungs": 8, "all-pungs": 4, "concealed-hand": 1, "pair-wait": 1},
    ),
    ("11m44m[333p][666s][999s][111p]@1m", DISCARD, "", {"all-pungs": 4}),
    ("23m123456m55z[111z][789m]@4m", DISCARD, "", {"half-flush": 4}),
    ("23456m55m[111m][999m][678m]@7m", DISCARD, "", {"full-flush": 8}),
    ("555666z77z23m[789p][123s]@4m", DISCARD, "", {"little-three-dragons": 4}),
    ("666777z23m99s123p[555z]@4m", DISCARD, "", {"big-three-dragons": 8}),
    (
        "23m44z[111z][222z][333z][789p]@4m",
        DISCARD,
        "",
        {"little-four-winds": 8, "round-wind-pung": 1, "seat-wind-pung": 1},
    ),
    ("23m99p[111z][222z][333z][444z]@4m", DISCARD, "", {"big-four-winds": 16}),
    (
        "66z77z[111z][222z][333z][555z]@6z",
        DISCARD,
        "",
        {
            "all-honours": 16,
            "all-pungs": 4,
            "little-three-dragons": 4,
            "round-wind-pung": 1,
            "seat-wind-pung": 1,
        },
    ),
    ("1133m2244p3355s66s77z@7z", DISCARD, "", {"eight-pairs": 8}),
    ("123456m456p55s123s789s", DEALER, "heavenly-hand",
     {"heavenly-hand": 24}),
    (CLOSED, DRAWN, "earthly-hand", {"earthly-hand": 16}),
    (CLOSED, DISCARD, "human-hand", {"human-hand": 16, "all-chows": 2}),
    (CLOSED, DISCARD.but(seat=Wind.EAST), "first-discard-ready",
     {"first-discard-ready": 8, "all-chows": 2}),
    (CLOSED, DISCARD, "first-round-ready",
     {"first-round-ready": 4, "concealed-hand": 1, "all-chows": 2}),
    ("123m" + "1f2f3f4f5f6f7f", DISCARD, "seven-flowers", {"seven-flowers": 8}),
    ("123m" + EIGHT, DRAWN, "eight-flowers", {"eight-flowers": 8}),
    (PLAIN + EIGHT, DRAWN, "eight-flowers", {"eight-flowers": 8, "flower-completes": 4}),
]  # fmt: skip
WITH_OPTIONS: list[tuple[str, Situation, str, dict[str, int]]] = [
    (PLAIN + "1f3f", DISCARD, "", {"every-flower": 2}),
    ("123456m56p55s[111z][444z]@4p", DISCARD, "", {"every-wind-pung": 2}),
    ("123456m56p55s[1111z](9999p)@4p", DISCARD, "",
     {"exposed-kong": 1, "concealed-kong": 2, "every-wind-pung": 1}),
    (PLAIN, DISCARD, "", {"no-honours-no-flowers": 2, "all-chows": 2}),
]  # fmt: skip


def earned(result: Result) -> dict[str, int]:
    assert not result.problems, [problem.text() for problem in result.problems]
    assert result.total == sum(item.total for item in result.items)
    return {item.id: item.total for item in result.items if item.id != "chicken-hand"}


def scored(
    text: str, facts: Situation, events: str, ruleset: str, house: HouseRules | None = None
) -> Result:
    return score(Hand.parse(text), facts.with_events(events.split()), ruleset, house)


@pytest.mark.parametrize(("text", "facts", "events", "items"), TAIWAN)
def test_taiwan(text: str, facts: Situation, events: str, items: dict[str, int]) -> None:
    result = scored(text, facts, events, "taiwan")
    assert earned(result) == items
    assert items or result.ids() == ["chicken-hand"]


@pytest.mark.parametrize(("text", "facts", "events", "items"), WITH_OPTIONS)
def test_taiwan_options(text: str, facts: Situation, events: str, items: dict[str, int]) -> None:
    house = HouseRules.of("taiwan", OPTIONAL)
    assert earned(scored(text, facts, events, "taiwan", house)) == items


def test_every_item_of_taiwan_has_a_hand() -> None:
    shown = {id for *_, items in (*TAIWAN, *WITH_OPTIONS) for id in items}
    assert shown == {item.id for item in find_ruleset("taiwan").items} - {"chicken-hand"}


W = {"winning": 2}
CLASSIC: list[tuple[str, Situation, str, dict[str, int]]] = [
    ("123m567p55s12s[111z][789p]@3s1f3f", DISCARD, "",
     {**W, "flower": 2, "honour-pung": 1, "one-chance-chow": 1}),
    ("123m567p55s12s[111z][789p]@3s", DISCARD, "",
     {**W, "no-flowers": 1, "honour-pung": 1, "one-chance-chow": 1}),
    ("123m567p55s23s[888p][789p]@1s1f", DISCARD, "", {**W, "flower": 1, "no-honours": 1}),
    ("123m567p55s23s[888p][789p]@1s", DISCARD, "", {**W, "no-honours-no-flowers": 3}),
    ("123m567p5s123s[1111z][789p]@5s1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 1, "exposed-kong": 1, "pair-wait": 1}),
    ("123m567p55s23s(1111z)[789p]@1s1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 1, "concealed-kong": 2}),
    ("123456m55s23s[789m][111z]@1s1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 1, "straight": 5}),
    ("123456789m55s23s[111z]@1s1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 1, "straight": 10}),
    ("111m333p55s23s[999m][789p]@1s1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "two-concealed-pungs": 2}),
    ("111m333p777s55s23s[789p]@1s1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "three-concealed-pungs": 5}),
    ("111m333p777s999s55s23m@4m1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "four-concealed-pungs": 15, "concealed-hand": 1}),
    ("111m333p777s999s222m1s@1s1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "five-concealed-pungs": 40, "pung-hand": 10,
      "concealed-hand": 1, "pair-wait": 1}),
    ("23m33z[111z][222z][789p][123s]@4m1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 2, "little-three-winds": 5}),
    ("23m99p[111z][222z][333z][789s]@4m1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 3, "big-three-winds": 15}),
    ("23m77z[555z][666z][789p][123s]@4m1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 2, "little-three-dragons": 15}),
    ("23m99p[555z][666z][777z][123s]@4m1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 3, "big-three-dragons": 30}),
    ("23m44z[111z][222z][333z][789m]@4m1f", DISCARD, "",
     {**W, "flower": 1, "little-four-winds": 30}),
    ("23m99m[111z][222z][333z][444z]@4m1f", DISCARD, "", {**W, "flower": 1, "big-four-winds": 40}),
    ("123m567p55s23s[678m][789p]@1s1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "chow-hand": 3}),
    ("123m567p55s23s[678m][789p]@1s", DISCARD, "", {**W, "chow-hand-plain": 10}),
    ("11m44m[333p][666s][999s][111p]@1m1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "pung-hand": 10}),
    ("23m123456m55z[111z][678m]@4m1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 1, "half-flush": 10}),
    ("2345556m[111m][999m][678m]@7m1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "full-flush": 40}),
    ("123m567p55s23s777s789p@1s1f", DISCARD, "",
     {**W, "flower": 1, "no-honours": 1, "concealed-hand": 1}),
    ("123m567p55s23s777s789p@1s1f", DRAWN, "",
     {**W, "flower": 1, "no-honours": 1, "fully-concealed": 3}),
    ("123m567p55s23s[777s]789p@1s1f", DRAWN, "",
     {**W, "flower": 1, "no-honours": 1, "self-drawn": 1}),
    ("5s[123m][456m][789p][111z][123s]@5s1f", DISCARD, "",
     {**W, "flower": 1, "honour-pung": 1, "exposed-hand": 10}),
    ("123m567p55s23s[777s]789p@1s1f", DRAWN, "last-tile",
     {**W, "flower": 1, "no-honours": 1, "self-drawn": 1, "last-tile": 1}),
    ("123m567p55s23s[777s]789p@1s1f", DISCARD, "last-discard robbing-kong",
     {**W, "flower": 1, "no-honours": 1, "last-discard": 1, "robbing-kong": 1}),
    ("123m567p55s23s[777s]789p@1s1f", DISCARD, "early-win-10",
     {**W, "flower": 1, "no-honours": 1, "early-win-10": 10}),
    ("123m567p55s23s[777s]789p@1s1f", DISCARD, "early-win-5",
     {**W, "flower": 1, "no-honours": 1, "early-win-5": 5}),
    ("123m567p55s23s777s789p@1s1f", DISCARD, "ready-on-deal",
     {**W, "flower": 1, "no-honours": 1, "concealed-hand": 1, "ready-on-deal": 15}),
    ("1133m2244p3355s66s77z@7z1f", DISCARD, "", {**W, "flower": 1, "seven-pairs-and-triplet": 30}),
    ("123m567p55s123s777s789p1f", DEALER, "heavenly-hand",
     {**W, "flower": 1, "no-honours": 1, "fully-concealed": 3, "heavenly-hand": 40}),
    ("123m567p55s23s777s789p@1s1f", DISCARD.but(from_seat=Wind.EAST), "earthly-hand",
     {**W, "flower": 1, "no-honours": 1, "concealed-hand": 1, "earthly-hand": 40}),
    ("123m" + EIGHT, DRAWN, "eight-flowers", {"eight-flowers": 30}),
    ("123m1f2f3f4f5f6f7f", DISCARD, "seven-flowers", {"seven-flowers": 20}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "facts", "events", "items"), CLASSIC)
def test_taiwan_classic(text: str, facts: Situation, events: str, items: dict[str, int]) -> None:
    assert earned(scored(text, facts, events, "taiwan-classic")) == items


def test_classic_heavenly_hand_has_no_wait() -> None:
    """rules/README.md: a heavenly hand has no winning tile, so naming one changes nothing."""
    dealt, named = "123456789m123p11s555z", "123456789m123p1s555z@1s"
    without = scored(dealt, DEALER, "heavenly-hand", "taiwan-classic")
    assert earned(scored(named, DEALER, "heavenly-hand", "taiwan-classic")) == earned(without)
    # 2 winning, 40 heavenly, 10 straight, 3 fully concealed, 1 honour pung, 1 no flowers.
    assert without.total == 57


def test_classic_earthly_hand_is_won_on_the_dealers_discard() -> None:
    """TW-C: a non-dealer wins on the dealer's first discard."""
    text = "123m567p55s23s777s789p@1s1f"
    for seat, problems in ((Wind.EAST, []), (Wind.NORTH, ["not-from-dealer"])):
        result = score(
            Hand.parse(text),
            DISCARD.but(from_seat=seat, events={"earthly-hand"}),
            "taiwan-classic",
        )
        assert [p.id for p in result.problems] == problems


def test_every_item_of_taiwan_classic_has_a_hand() -> None:
    rules = find_ruleset("taiwan-classic")
    shown = {id for *_, items in CLASSIC for id in items}
    assert shown == {item.id for item in rules.items if item.option != "hk_style_rows"}


# The tables of the rules files, read again


def rows(name: str) -> list[list[str]]:
    text = shared("rules", name).read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def first_number(cell: str) -> int | None:
    found = re.match(r"\d+", cell)
    return int(found.group()) if found else None


def default_value(ruleset: str, id: str) -> Any:
    rules = find_ruleset(ruleset)
    value = rules.item(id).value
    if isinstance(value, str):
        return next(option.default for option in rules.options if option.name == value)
    return value


def test_values_are_those_of_the_taiwan_table() -> None:
    ids = {item.id for item in find_ruleset("taiwan").items}
    found = {row[0]: first_number(row[2]) for row in rows("taiwan.md") if row[0] in ids}
    assert set(found) == ids - {"limit"}
    for id, value in found.items():
        assert default_value("taiwan", id) == value, id


def test_values_are_those_of_the_classic_table() -> None:
    found: dict[str, int | None] = {}
    for row in rows("taiwan-classic.md"):
        if row[0].startswith("two-concealed-pungs"):
            ladder = zip(("two", "three", "four", "five"), row[1].split(","), strict=True)
            found |= {f"{word}-concealed-pungs": int(value) for word, value in ladder}
        elif first_number(row[1]) is not None:
            found[row[0]] = first_number(row[1])
    rules = find_ruleset("taiwan-classic")
    assert set(found) == {item.id for item in rules.items if item.option != "hk_style_rows"}
    for id, value in found.items():
        assert default_value("taiwan-classic", id) == value, id
