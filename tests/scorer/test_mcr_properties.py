"""Chinese Official: what must hold for every hand, over random ones of all kinds of shapes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import Arrangement, Hand, HouseRules, score
from scorer.names import texts
from scorer.rules.mcr_combine import CHOW_FANS, choices, fan_of
from tests.scorer import brute
from tests.scorer.mcr_hands import mcr_hand
from tests.scorer.mcr_wins import WON
from tests.support import slow_count

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
# Options that add to a hand, with the value that adds.
GENEROUS = [
    ("fully_concealed_special", True),
    ("two_concealed_kongs", 8),
    ("knitted_stack", True),
    ("knitted_wait", True),
    ("last_copy_auto", True),
]
MEAGRE = {"knitted_stack": False, "knitted_wait": False, "last_copy_auto": False}


def cases(quick: int, full: int) -> settings:
    return settings(max_examples=slow_count(quick, full), deadline=None, database=None)


@pytest.mark.parametrize(("option", "value"), GENEROUS)
def test_an_option_that_adds_never_lowers_the_total(option: str, value: object) -> None:
    @cases(60, 600)
    @given(SEEDS)
    def run(seed: int) -> None:
        hand, facts = mcr_hand(Random(seed))
        without = score(hand, facts, "mcr", HouseRules.of("mcr", MEAGRE))
        having = score(hand, facts, "mcr", HouseRules.of("mcr", {**MEAGRE, option: value}))
        assert without.total is not None
        assert having.total is not None
        # A fan more can only take the place of a chicken hand.
        assert having.total >= without.total or "chicken-hand" in without.ids()

    run()


def place(arrangement: Arrangement) -> tuple[tuple[tuple[int, ...], ...], str]:
    sets = [(low, low + 1, low + 2) for low in arrangement.chows]
    sets += [(face,) * 3 for face in arrangement.pungs]
    return tuple(sorted([*sets, (arrangement.pair,) * 2])), arrangement.wait


@cases(150, 1500)
@given(SEEDS)
def test_every_arrangement_and_place_is_tried(seed: int) -> None:
    """The ways that are listed are those that a plain search finds, and none beats the best."""
    hand, facts = mcr_hand(Random(seed))
    result = score(hand, facts, "mcr")
    assert result.arrangement is not None
    tried = [result.arrangement, *result.others]
    of_sets = {place(way) for way in tried if way.shape == "sets"}
    assert hand.winning is not None
    plain = {(way, brute._wait(group, int(hand.winning))) for way, group in brute.readings(hand)}
    assert of_sets == plain
    assert max(way.total for way in tried) == result.total


@cases(200, 2000)
@given(SEEDS)
def test_what_is_left_out_says_why(seed: int) -> None:
    """By a fan that counts, or by a principle that has a sentence; and never beside itself."""
    hand, facts = mcr_hand(Random(seed))
    result = score(hand, facts, "mcr")
    counted = set(result.ids())
    sentences = texts("common", "en")["reasons"]
    for out in result.left_out:
        assert out.by in counted or (not out.by and out.reason in sentences), out
        assert out.reason == "MCR-A" or out.reason in sentences, out
        assert out.value * out.count > 0


@cases(200, 2000)
@given(SEEDS)
def test_payments_are_base_and_total(seed: int) -> None:
    """Zero in sum; three times base to the winner, and the total once or three times."""
    hand, facts = mcr_hand(Random(seed))
    result = score(hand, facts, "mcr")
    assert result.total is not None
    if result.payments is None:
        assert result.total - len(hand.bonus) < 8
        return
    assert sum(result.payments.values()) == 0
    times = 3 if facts.self_drawn else 1
    assert facts.seat is not None
    assert result.payments[facts.seat] == 24 + times * result.total


@cases(200, 2000)
@given(st.lists(st.integers(0, 26), min_size=2, max_size=4), st.integers(0, 33))
def test_n_sets_carry_at_most_one_fan_less(tiles: list[int], eyes: int) -> None:
    """Account once: with a fan of three or four sets at most one more, else n - 1 of two sets."""
    chows = tuple(tile // 9 * 9 + tile % 9 % 7 for tile in tiles)
    for choice in choices(chows, (), eyes):
        groups = [group for made in choice.fans.values() for group in made]
        larger = [group for group in groups if len(group) > 2]
        assert len(groups) <= (len(chows) - len(larger[0]) + 1 if larger else len(chows) - 1)
        for id, made in choice.fans.items():
            assert all(
                fan_of(group, CHOW_FANS, eyes if len(group) == 4 else -1) == id for group in made
            )
            used = [low for group in made for low in group]
            assert all(used.count(low) <= chows.count(low) for low in used)


@cases(100, 1000)
@given(SEEDS)
def test_a_dearer_price_never_lowers_the_total(seed: int) -> None:
    """Doubling the price of one fan of the hand raises the total by what it counts, or more."""
    rng = Random(seed)
    hand, facts = mcr_hand(rng)
    result = score(hand, facts, "mcr")
    fan = rng.choice(result.items)
    house = HouseRules.of("mcr", {}, {fan.id: 2 * fan.value})
    dearer = score(hand, facts, "mcr", house)
    assert result.total is not None
    assert dearer.total is not None
    assert dearer.total >= result.total + fan.total


def test_a_fan_priced_nothing_is_not_played() -> None:
    """A club without two-terminal-chows keeps the other fans of the same sets."""
    house = HouseRules.of("mcr", {}, {"two-terminal-chows": 0})
    result = score(Hand.parse("1z[123m][789m][123p][777s]@1z"), WON, "mcr", house)
    assert result.ids() == ["all-claimed", "mixed-double-chow"]
    assert "two-terminal-chows" not in {out.id for out in result.left_out}
