"""Waits agree with the package `mahjong` on 13 tiles and with brute force on 16."""

from __future__ import annotations

import doctest
from dataclasses import replace
from random import Random

import pytest

from scorer import Hand, Situation, Tile, Wind, rulesets
from scorer.engine import score_with
from scorer.sampling import other_hand, waiting_hand, winning_hand
from scorer.table import table_of
from teach.waits import waits, winning_only
from tests.support import require, slow_count

HANDS = slow_count(15, 200)
EAST = Situation(seat=Wind.EAST, round=Wind.EAST)
THEIRS = {31: 33, 33: 31}
"""The package numbers white 31 and red 33."""


def thirteen(rng: Random) -> Hand:
    """A ready or nearly ready hand of 13 concealed tiles."""
    while True:
        hand = (waiting_hand if rng.random() < 0.6 else other_hand)(rng, "riichi").hand
        loose = [*hand.concealed, *(t for meld in hand.melds for t in meld.tiles[:3])][:13]
        if len(loose) == 13:
            return Hand(tuple(loose))


def test_thirteen_tiles_agree_with_the_package_mahjong() -> None:
    require("mahjong")
    from mahjong.agari import Agari

    rng = Random("thirteen")
    ready = 0
    for _ in range(slow_count(150, 2000)):
        hand = thirteen(rng)
        expected = set()
        for face in range(34):
            if hand.concealed.count(Tile(face)) < 4:
                counts = [0] * 34
                for tile in (*hand.concealed, face):
                    counts[THEIRS.get(tile, tile)] += 1
                if Agari.is_agari(counts):
                    expected.add(face)
        assert {w.tile for w in waits(hand, EAST, "riichi")} == expected, str(hand)
        ready += bool(expected)
    assert ready > 20


@pytest.mark.parametrize("ruleset", rulesets())
def test_waits_equal_brute_force(ruleset: str) -> None:
    """Each of the 34 faces is put to the hand and scored: the faces, and both scores."""
    rng = Random(f"waits {ruleset}")
    table = table_of(ruleset)
    for _ in range(HANDS):
        sample = (waiting_hand if rng.random() < 0.7 else other_hand)(rng, ruleset)
        hand = replace(sample.hand, winning=None)
        facts = sample.situation.but(
            robbed=False, events=frozenset(), from_seat=None, replacement=None
        )
        expected = {}
        for face in range(34):
            whole = replace(hand, winning=Tile(face))
            both = [
                score_with(whole, facts.but(self_drawn=drawn), table) for drawn in (False, True)
            ]
            # Below the minimum it is complete; who holds three suits in Sichuan is not.
            if any(result.arrangement or not result.problems for result in both):
                expected[face] = [(r.total, [p.id for p in r.problems]) for r in both]
        found = {
            int(wait.tile): [
                (r.total, [p.id for p in r.problems]) for r in (wait.by_discard, wait.by_draw)
            ]
            for wait in waits(hand, facts, ruleset)
        }
        assert {f: r for f, r in found.items() if f in expected} == expected, str(hand)
        for face in set(found) - set(expected):
            assert all(problems for _, problems in found[face])


def test_copies_left_and_which_wait() -> None:
    """Three 6m are held, so one is left; 6m and 9m end a chow, 1p makes the pair a pung."""
    hand = Hand.parse("66678m11333p555z[222z]")
    found = {w.tile.code: (w.left, w.kind) for w in waits(hand, EAST.but(seat=Wind.WEST))}
    assert found == {"6m": (1, "open"), "9m": (4, "open"), "1p": (2, "shanpon")}


def test_tiles_seen_elsewhere_are_not_left() -> None:
    hand = Hand.parse("66678m11333p555z[222z]")
    [six] = [w for w in waits(hand, EAST, seen=[Tile.M6, Tile.P1]) if w.tile is Tile.M6]
    assert six.left == 0


def test_scores_by_discard_and_by_draw() -> None:
    """Dragon pung 1 and three concealed pungs 2; the draw adds 1, and with 1p a fourth pung is
    concealed only when it is drawn.
    """
    hand = Hand.parse("66678m11333p555z[222z]")
    found = {w.tile.code: w for w in waits(hand, EAST.but(seat=Wind.WEST))}
    assert (found["9m"].by_discard.total, found["9m"].by_draw.total) == (3, 4)
    assert (found["1p"].by_discard.total, found["1p"].by_draw.total) == (1, 4)


def test_a_tile_that_completes_but_is_worth_too_little_cannot_win() -> None:
    """Hong Kong wants 3 faan: this hand has none on a discard and 1 by self-draw."""
    hand = Hand.parse("111m456p78s55m[234s] 4f")
    found = waits(hand, EAST, "hongkong")
    assert {w.tile.code for w in found} == {"6s", "9s"}
    assert winning_only(found) == ()
    assert {p.id for w in found for p in w.by_discard.problems} == {"below-minimum"}


def test_a_face_held_four_times_is_no_wait() -> None:
    """2222m 13m: the only tile that fits between 1 and 3 is gone."""
    hand = Hand.parse("1322223455m66m555p[111s]")
    assert Tile.M2 not in {w.tile for w in waits(hand, EAST)}


def test_the_winning_tile_is_ignored_and_events_of_the_win_do_not_stay() -> None:
    rng = Random("ignored")
    for _ in range(20):
        sample = winning_hand(rng)
        told = sample.situation.but(events=frozenset({"last-tile"}), robbed=False)
        plain = sample.situation.but(events=frozenset(), robbed=False)
        rows = [
            [(w.tile, w.by_draw.total) for w in waits(hand, facts)]
            for hand, facts in (
                (sample.hand, told),
                (replace(sample.hand, winning=None), plain),
            )
        ]
        assert rows[0] == rows[1]
        assert sample.hand.winning in {tile for tile, _ in rows[0]}


def test_the_example_of_the_package_is_true() -> None:
    import teach

    assert doctest.testmod(teach).failed == 0
    assert doctest.testmod(teach).attempted > 3
