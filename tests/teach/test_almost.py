"""Near misses equal brute force: every tile of the hand exchanged for each of the 34 faces."""

from __future__ import annotations

from random import Random

import pytest

from scorer import Hand, Situation, Wind, rulesets, score
from scorer.engine import score_with
from scorer.sampling import Sample, winning_hand
from scorer.table import table_of
from teach.almost import NearMiss, by_item, near_misses
from teach.neighbours import neighbours
from tests.support import slow_count
from tests.teach import brute

HANDS = slow_count(10, 200)
TWO_TILE_RULESETS = rulesets() if slow_count(0, 1) else ("taiwan",)
TWO_TILE_HANDS = slow_count(1, 2)


def certain_win(rng: Random, ruleset: str) -> Sample:
    while True:
        sample = winning_hand(rng, ruleset)
        if score(sample.hand, sample.situation, ruleset).is_good:
            return sample


def found(misses: tuple[NearMiss, ...]) -> dict[brute.Key, tuple[int, frozenset[tuple[str, int]]]]:
    rows = {}
    for miss in misses:
        more = frozenset((item.id, item.total) for item in miss.new)
        rows[brute.key_of_hand(miss.hand)] = (miss.total, more)
    assert len(rows) == len(misses)  # no hand twice
    return rows


def agree(sample: Sample, ruleset: str, tiles: int) -> None:
    table = table_of(ruleset)
    misses = near_misses(sample.hand, sample.situation, ruleset, tiles=tiles)
    expected = brute.near(sample.hand, sample.situation, table, tiles)
    assert found(misses) == expected, str(sample)
    own = score_with(sample.hand, sample.situation, table).total
    assert own is not None
    assert all(miss.gain == miss.total - own for miss in misses)


@pytest.mark.parametrize("ruleset", rulesets())
def test_one_tile_away_equals_brute_force(ruleset: str) -> None:
    rng = Random(f"one tile {ruleset}")
    for _ in range(HANDS):
        agree(certain_win(rng, ruleset), ruleset, 1)


@pytest.mark.parametrize("ruleset", TWO_TILE_RULESETS)
def test_two_tiles_away_equal_brute_force(ruleset: str) -> None:
    rng = Random(f"two tiles {ruleset}")
    for _ in range(TWO_TILE_HANDS):
        agree(certain_win(rng, ruleset), ruleset, 2)


@pytest.mark.parametrize(
    "text", ["9m[123m][456m][789m][345p][567s]@9m", "55m[123m][123m]234s789p@1p"]
)
def test_two_sets_laid_down_alike_give_no_hand_twice(text: str) -> None:
    keys = [brute.key_of_hand(n.hand) for n in neighbours(Hand.parse(text), table_of("taiwan"), 2)]
    assert len(set(keys)) == len(keys)


def test_half_flush_was_one_chow_tile_away() -> None:
    """A lone 5 dots as the eyes of a hand of characters and honours: any honour or character
    that is left would have made a half flush, 4 tai.
    """
    hand = Hand.parse("123456789m111z777z5p@5p")
    west = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=True)
    two = by_item(near_misses(hand, west, tiles=2))
    assert {miss.total - miss.gain for miss in two["half-flush"]} == {score(hand, west).total}
    assert all(set(miss.out) == {13} for miss in two["half-flush"])


def test_the_highest_gain_comes_first_and_items_follow_it() -> None:
    hand = Hand.parse("66678m11333p555z[222z]@6m")
    situation = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=True)
    misses = near_misses(hand, situation, tiles=2)
    gains = [miss.gain for miss in misses]
    assert gains == sorted(gains, reverse=True)
    assert next(iter(by_item(misses))) == misses[0].new[0].id


@pytest.mark.parametrize(
    ("text", "situation"),
    [
        ("66678m11333p545z[222z]@9p", Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=True)),
        ("66678m11333p555z[222z]@6m", Situation(seat=Wind.WEST, round=Wind.EAST)),
    ],
    ids=["no win", "how it was won is not said"],
)
def test_what_has_no_certain_score_has_no_near_misses(text: str, situation: Situation) -> None:
    assert near_misses(Hand.parse(text), situation) == ()
