"""Faults that public scorers were reported for, as tests: the Taiwan ones and the general ones.

The hands are those of the list of faults and others of the same kind; every value is for the
default house rules, won on a discard where nothing is said.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from scorer import Hand, HouseRules, Result, Situation, Tile, Wind, score, waits_of

WON = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=False, from_seat=Wind.NORTH)
DRAWN = WON.but(self_drawn=True, from_seat=None)


def won(text: str, facts: Situation = WON, house: HouseRules | None = None, **but: Any) -> Result:
    return score(Hand.parse(text), facts.but(**but), "taiwan", house)


# Choosing the arrangement


def test_discard_that_can_end_a_chow_leaves_the_pung_concealed() -> None:
    """6m completes 678, so 666 stays concealed: three concealed pungs 2 + dragon 1."""
    result = won("66678m11333p555z[222z]@6m")
    assert result.ids() == ["dragon-pung", "three-concealed-pungs"]
    assert result.total == 3


def test_the_seat_wind_adds_to_it() -> None:
    assert won("66678m11333p555z[222z]@6m", seat=Wind.SOUTH).total == 4


def test_seven_pairs_and_a_triplet_are_compared_with_sets() -> None:
    """Full flush 8 either way; 9 with concealed hand as sets, 16 as pairs."""
    result = won("1113344455667788s@4s")
    assert (result.total, result.ids()) == (16, ["full-flush", "eight-pairs"])
    assert {other.total for other in result.others} == {9}
    assert (
        won("1113344455667788s@4s", house=HouseRules.of("taiwan", {"eight_pairs": False})).total
        == 9
    )


def test_its_waits_are_those_of_sets_and_of_pairs() -> None:
    found = [tile.code for tile in waits_of(Hand.parse("1113344455667788s"))]
    assert found == ["1s", "3s", "4s", "5s", "8s"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        # 3m ends 123 (edge) or 345 (two-sided); only as a two-sided wait are there all chows.
        ("12345m34599p123678s@3m", ["concealed-hand", "all-chows"]),
        # 5p is the second 5 of the eyes or the middle of 456: a sole wait, and one item for it.
        ("123789m4556p456s[222z]@5p", ["closed-wait"]),
    ],
)
def test_every_place_of_the_winning_tile_is_tried(text: str, ids: list[str]) -> None:
    assert won(text).ids() == ids


# Waits


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("12m456m456p789s11z[555z]@3m", "edge-wait"),
        ("89m456m456p789s11z[555z]@7m", "edge-wait"),
        ("46m123m456p789s11z[555z]@5m", "closed-wait"),
        ("123456m456p789s1z[555z]@1z", "pair-wait"),
    ],
)
def test_a_sole_wait_earns_one_wait_item(text: str, wait: str) -> None:
    assert wait in won(text).ids()


@pytest.mark.parametrize(
    "text",
    [
        "1223334445567p[999m]@4p",  # 1p 4p 7p win
        "77789m11888p123s[222z]@7m",  # 1p would win too
        "78889m11888p123s[222z]@8m",  # 1p would win too
    ],
)
def test_two_faces_that_win_are_no_sole_wait(text: str) -> None:
    assert len(waits_of(Hand.parse(text))) > 1
    assert not {"edge-wait", "closed-wait", "pair-wait"} & set(won(text).ids())


def test_a_face_held_four_times_is_no_wait() -> None:
    """1m and 4m would win, but all four 4m are held; the formal rule counts it nevertheless."""
    text = "1234444678m456p[222z]@1m"
    assert "pair-wait" in won(text).ids()
    formal = HouseRules.of("taiwan", {"wait_rule": "formal"})
    assert "pair-wait" not in won(text, house=formal).ids()


def test_copies_in_a_kong_count_as_held() -> None:
    """3m and 6m complete 45m, but the kong holds all of 3m: the wait is sole."""
    hand = Hand.parse("45m456p789p99s111z(3333m)")
    assert [tile.code for tile in waits_of(hand)] == ["6m"]


def test_the_tile_whose_number_is_zero_is_a_winning_tile() -> None:
    assert Tile.parse("1m") == 0
    assert "edge-wait" not in won("23m456m456p789s11z[555z]@1m").ids()
    assert "pair-wait" in won("1m456m456p789s123s[555z]@1m").ids()


# Concealed pungs, kongs, four of a kind


def test_a_pung_completed_by_a_discard_is_not_concealed() -> None:
    """111 333 9 9 9: the discard completes 999, which leaves two concealed pungs."""
    given = won("111333m55p99s123s[777s]@9s")
    drawn = won("111333m55p99s123s[777s]@9s", DRAWN)
    assert "three-concealed-pungs" not in given.ids()
    assert "three-concealed-pungs" in drawn.ids()


def test_a_discard_on_the_pair_leaves_all_pungs_concealed() -> None:
    assert "five-concealed-pungs" in won("111333m555p999s222z5z@5z").ids()


def test_a_concealed_kong_keeps_the_hand_concealed_and_is_a_concealed_pung() -> None:
    result = won("111333m56p55s123s(7777s)@4p")
    assert {"concealed-hand", "three-concealed-pungs"} <= set(result.ids())
    exposed = won("111333m56p55s123s[7777s]@4p")
    assert not {"concealed-hand", "three-concealed-pungs"} & set(exposed.ids())


def test_four_of_a_face_in_a_chow_and_a_pung_are_no_kong() -> None:
    kongs = HouseRules.of("taiwan", {"exposed_kong": True, "concealed_kong": True})
    assert not {"exposed-kong", "concealed-kong"} & set(
        won("3333m45m456p789p99s111z@9p", house=kongs).ids()
    )


@pytest.mark.parametrize("text", ["1111m2222m33p44p5s666s@5s", "111m2222m33p44p55s66s7s@7s"])
def test_four_alike_are_two_of_the_seven_pairs(text: str) -> None:
    assert "eight-pairs" in won(text).ids()


# Bonus tiles


def test_a_full_group_does_not_count_its_seat_tile_again() -> None:
    result = won("123456m56p55s123s789s@4p 1f2f3f4f7f")
    assert [i for i in result.ids() if "flower" in i] == ["seat-flower", "flower-kong"]
    keeps = HouseRules.of("taiwan", {"flower_kong_keeps_seat_flower": True})
    assert won("123456m56p55s123s789s@4p 1f2f3f4f7f", house=keeps).ids().count("seat-flower") == 2


@pytest.mark.parametrize("number", range(1, 9))
def test_bonus_tile_k_belongs_to_seat_k(number: int) -> None:
    for seat in Wind:
        giver = Wind((seat + 1) % 4)
        found = won(f"123456m56p55s123s789s@4p {number}f", seat=seat, from_seat=giver)
        assert ("seat-flower" in found.ids()) == ((number - 1) % 4 + 1 == seat.number)


# A score does not depend on how the hand is written


def test_copies_order_and_melds_do_not_matter() -> None:
    one = won("66678m11333p555z[222z][123s]@6m".replace("66678m11333p555z", "66678m11333p"))
    orders = itertools.permutations(["66678m", "11333p", "[222z]", "[123s]", "@6m"])
    assert {won("".join(order)).total for order in orders} == {one.total}


# Impossible input


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("123m456p99s(3333m)(5555p)111z22z@2z", ["fifth-copy", "fifth-copy"]),
        ("55555m456p789p99s111z2z@2z", ["fifth-copy"]),
        ("333m456p789p99s111z[345m]@3m", ["fifth-copy"]),
        ("123456m56p55s123s789s@4p 1f1f", ["second-bonus"]),
        ("123456m56p55s123s@4p", ["too-few-tiles"]),
        ("123456m56p55s123s789s111z@4p", ["too-many-tiles"]),
        ("123456m56p55s123s78s1z@4p", ["not-complete"]),
        ("0b23456m56p55s123s789s0b@4p", ["face-down"]),
    ],
)
def test_every_reason_is_named(text: str, ids: list[str]) -> None:
    result = won(text)
    found = [problem.id for problem in result.problems]
    if ids == ["face-down"]:
        assert result.questions == ("face_down",)
    else:
        assert set(ids) <= set(found)
        assert found.count(ids[0]) == ids.count(ids[0])
    assert result.total is None
    assert not result.is_good


def test_a_hand_of_518_points_elsewhere_is_refused() -> None:
    problems = {p.id for p in won("123m456p9s(3333m)(5555p)@9s").problems}
    assert {"fifth-copy", "too-few-tiles"} <= problems
