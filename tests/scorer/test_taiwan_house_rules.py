"""House rules of `taiwan`: what each one changes, on a hand that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import Hand, HouseRules, Situation, Wind, find_ruleset, score
from scorer.registry import preset_house

GIVEN = Situation(seat=Wind.SOUTH, round=Wind.WEST, self_drawn=False, from_seat=Wind.NORTH)
DRAWN = GIVEN.but(self_drawn=True, from_seat=None)
DEALT = DRAWN.but(seat=Wind.EAST)
OPEN = "123456m56p55s123s[789s]@4p"
CLOSED = "123456m56p55s123s789s@4p"
DEALT_HAND = "123456m456p55s123s789s"
PAIR_OF_FIVE = "5s[123m][456m][789p][111z](9999s)@5s"
FIVE = "5s[123m][456m][789p][111z][123s]@5s"
LITTLE_WINDS = "23m44z[111z][222z][333z][789p]@4m"
HONOURS = "66z77z[111z][222z][333z][555z]@6z"
BIG_WINDS = "4466z[111z][222z][333z][555z]@4z"
EIGHT = "1f2f3f4f5f6f7f8f"
PAIRS = "1133m2244p3355s66s77z@7z"

# (option, value, hand, facts, event, total by default, total with the option)
CHANGES: list[tuple[str, Any, str, Situation, str, int, int]] = [
    ("limit", 5, "2345556m[111m][999m][678m]@7m",
     GIVEN, "", 8, 5),
    ("wait_rule", "formal", "1234444678m456p[222z]@1m", GIVEN, "", 2, 1),
    ("wait_shapes", "shape", "77789m11888p123s[222z]@7m", GIVEN, "", 1, 2),
    ("concealed_self_drawn", 2, CLOSED, DRAWN, "", 3, 2),
    ("concealed_self_drawn", 5, CLOSED, DRAWN, "", 3, 5),
    ("ready_declared", False, OPEN, GIVEN, "ready-declared", 3, 2),
    ("ready_declared_with_early_ready", True, CLOSED, GIVEN,
     "first-round-ready ready-declared", 7, 8),
    ("seat_flower", False, OPEN + "2f", GIVEN, "", 1, 0),
    ("flower_kong_keeps_seat_flower", True, OPEN + "1f2f3f4f", GIVEN, "", 2, 3),
    ("flower_map", "mei-lan-zhu-ju", OPEN + "7f", GIVEN.but(seat=Wind.WEST), "", 1, 0),
    ("flower_map", "mei-lan-zhu-ju", OPEN + "8f", GIVEN.but(seat=Wind.WEST), "", 0, 1),
    ("flower_replacement_counts", False, OPEN + "1f", DRAWN.but(replacement="bonus"),
     "kong-draw", 2, 1),
    ("last_discard_counts", False, OPEN, GIVEN, "last-tile", 3, 2),
    ("half_claimed", False, FIVE, DRAWN, "", 1, 2),
    ("half_claimed_self_drawn", True, FIVE, DRAWN, "", 1, 2),
    ("all_claimed_concealed_kong", "allowed", PAIR_OF_FIVE, GIVEN, "", 1, 2),
    ("all_claimed_pair_wait", True, FIVE, GIVEN, "", 2, 3),
    ("all_chows_needs_concealed", True, OPEN, GIVEN, "", 2, 0),
    ("all_chows_needs_claim", True, CLOSED, GIVEN, "", 3, 1),
    ("all_chows_waits", "no_edge_pair", "123456m46p55s123s[789s]@5p", GIVEN, "", 1, 3),
    ("all_chows_waits", "any", "123456m89p55s123s[789s]@7p", GIVEN, "", 1, 3),
    ("all_chows_waits", "only_two_sided", "12345m34599p123s[678s]@3m", GIVEN, "", 2, 0),
    ("all_chows_honours", "pair_only", "123456m56p44z123s[789s]@4p", GIVEN, "", 0, 2),
    ("all_chows_honours", "yes", "123456m56p77z123s[789s]@4p", GIVEN, "", 0, 2),
    ("all_chows_flowers", True, OPEN + "1f", GIVEN, "", 0, 2),
    ("all_chows_self_drawn", True, OPEN, DRAWN, "", 1, 3),
    ("five_concealed_plus_pungs", False, "111444m333p666s999s5z@5z", GIVEN, "", 14, 10),
    ("big_dragons_pungs", True, "23m99s789p[555z][666z][777z]@4m", GIVEN, "", 8, 11),
    ("winds_with_little_four", False, LITTLE_WINDS, GIVEN, "", 10, 8),
    ("all_honours", 8, HONOURS, GIVEN, "", 26, 18),
    ("all_honours", 0, HONOURS, GIVEN, "", 26, 10),
    ("all_honours_stacks", False, HONOURS, GIVEN, "", 26, 16),
    ("eight_pairs", False, "11223344m55667p999s@7p", GIVEN, "", 8, 1),
    ("eight_pairs_concealed_hand", True, PAIRS, GIVEN, "", 8, 9),
    ("heavenly_hand", 16, DEALT_HAND, DEALT, "heavenly-hand", 24, 16),
    ("heavenly_excludes", "none", DEALT_HAND, DEALT, "heavenly-hand", 24, 27),
    ("heavenly_excludes", "all_but_self_drawn", DEALT_HAND, DEALT, "heavenly-hand", 24, 25),
    ("earthly_self_drawn", True, CLOSED, DRAWN, "earthly-hand", 16, 17),
    ("earthly_hand", 24, CLOSED, DRAWN, "earthly-hand", 16, 24),
    ("human_hand", 8, CLOSED, GIVEN, "human-hand", 18, 10),
    ("human_hand", 0, CLOSED, GIVEN, "human-hand", 18, 3),
    ("first_discard_ready_concealed_hand", True, CLOSED, GIVEN.but(seat=Wind.EAST),
     "first-discard-ready", 10, 11),
    ("first_round_ready_window", "off", CLOSED, GIVEN, "first-round-ready", 7, 3),
    ("first_round_ready_concealed_hand", False, CLOSED, GIVEN, "first-round-ready", 7, 6),
    ("flower_wins", "standalone", OPEN + EIGHT, DRAWN, "eight-flowers", 12, 8),
    ("flower_wins", "additive", OPEN + EIGHT, DRAWN, "eight-flowers", 12, 16),
    ("flower_completes", False, OPEN + EIGHT, DRAWN, "eight-flowers", 12, 8),
    ("every_flower", True, OPEN + "2f3f5f", GIVEN, "", 1, 3),
    ("every_wind_pung", True, "123456m56p55s[111z][222z]@4p", GIVEN, "", 1, 2),
    ("exposed_kong", True, "123456m56p55s[1111z][789s]@4p", GIVEN, "", 0, 1),
    ("concealed_kong", True, "123456m56p55s(1111z)[789s]@4p", GIVEN, "", 0, 2),
    ("no_honours_no_flowers", True, OPEN, GIVEN, "", 2, 4),
]  # fmt: skip
# Options that change payments, the table or another option; each has a test elsewhere or below.
ELSEWHERE = {
    "base", "tai_value", "kong_draw_payer", "streak_cap", "multiple_winners", "liability",
    "false_win", "bonus_tiles", "all_honours_little", "earthly_when", "dealer_line",
    "every_wind_adds", "draw_dealer",
}  # fmt: skip


@pytest.mark.parametrize(
    ("option", "value", "text", "facts", "event", "before", "after"),
    CHANGES,
    ids=[f"{option}-{value}" for option, value, *_ in CHANGES],
)
def test_what_a_house_rule_changes(
    option: str, value: Any, text: str, facts: Situation, event: str, before: int, after: int
) -> None:
    hand, won = Hand.parse(text), facts.with_events(event.split())
    plain = score(hand, won)
    changed = score(hand, won, house=HouseRules.of("taiwan", {option: value}))
    assert not plain.problems, plain.problems
    assert (plain.total, changed.total) == (before, after)


def test_every_house_rule_has_a_test() -> None:
    shown = {option for option, *_ in CHANGES} | ELSEWHERE
    assert shown == {option.name for option in find_ruleset("taiwan").options}


def total(text: str, facts: Situation, event: str = "", **options: object) -> int | None:
    house = HouseRules.of("taiwan", options)
    return score(Hand.parse(text), facts.with_events(event.split()), house=house).total


def test_all_honours_alone_may_still_add_the_little_hands() -> None:
    alone: dict[str, Any] = {"all_honours_stacks": False}
    assert total(HONOURS, GIVEN, **alone) == 16
    assert total(HONOURS, GIVEN, **alone, all_honours_little=True) == 20
    assert total(BIG_WINDS, GIVEN) == 16 + 16 + 4 + 1
    assert total(BIG_WINDS, GIVEN, **alone) == 16


def test_every_wind_may_add_to_the_winds_of_seat_and_round() -> None:
    text = "123456m56p55s[111z][222z]@4p"
    assert total(text, GIVEN, every_wind_pung=True) == 2
    assert total(text, GIVEN, every_wind_pung=True, every_wind_adds=True) == 3


def test_the_earthly_hand_of_the_first_discard() -> None:
    first: dict[str, Any] = {"earthly_when": "first_discard"}
    assert total(CLOSED, GIVEN.but(from_seat=Wind.EAST), "earthly-hand", **first) == 18
    assert total(CLOSED, DRAWN, "earthly-hand", **first) is None
    assert total(CLOSED, GIVEN.but(from_seat=Wind.NORTH), "earthly-hand", **first) is None
    assert total(CLOSED, GIVEN.but(from_seat=Wind.EAST), "earthly-hand") is None


def test_playing_without_bonus_tiles_refuses_them() -> None:
    house = HouseRules.of("taiwan", {"bonus_tiles": False})
    result = score(Hand.parse(OPEN + "1f"), GIVEN, house=house)
    assert [problem.id for problem in result.problems] == ["no-bonus-tiles"]


def test_the_dealer_line_can_be_switched_off() -> None:
    house = HouseRules.of("taiwan", {"dealer_line": False})
    result = score(Hand.parse(OPEN), DRAWN, house=house)
    assert result.dealer_line == 0
    assert result.payments == {Wind.EAST: -4, Wind.SOUTH: 12, Wind.WEST: -4, Wind.NORTH: -4}


# The preset table of rules/taiwan.md: (house rule, taiwan, taiwan-a, taiwan-b)
PRESETS = [
    ("all_chows_waits", "two_sided", "no_edge_pair", "two_sided"),
    ("flower_kong_keeps_seat_flower", False, True, False),
    ("all_claimed_concealed_kong", "breaks", "allowed", "breaks"),
    ("half_claimed_self_drawn", False, False, True),
    ("last_discard_counts", True, True, False),
    ("kong_draw_payer", "all", "discarder", "no_item"),
    ("winds_with_little_four", True, True, True),
    ("all_honours_stacks", True, False, True),
    ("big_dragons_pungs", False, False, False),
    ("first_discard_ready_concealed_hand", False, True, False),
    ("eight_pairs", True, True, False),
    ("ready_declared", True, True, False),
    ("half_claimed", True, True, True),
    ("flower_completes", True, True, False),
    ("heavenly_hand", 24, 24, 24),
    ("earthly_hand", 16, 16, 16),
    ("human_hand", 16, 16, 16),
    ("first_round_ready_window", "first_round", "first_round", "eight_discards"),
]


@pytest.mark.parametrize(("option", "default", "a", "b"), PRESETS)
def test_presets(option: str, default: Any, a: Any, b: Any) -> None:
    for preset, value in (("taiwan", default), ("taiwan-a", a), ("taiwan-b", b)):
        assert preset_house(preset)[option] == value


def test_table_a_adds_the_closed_wait_to_all_chows() -> None:
    result = score(Hand.parse("123456m46p55s123s[789s]@5p"), GIVEN, "taiwan-a")
    assert result.ids() == ["closed-wait", "all-chows"]
    assert result.ruleset == "taiwan-a"
