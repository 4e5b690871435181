"""Who pays what under `taiwan`: every row of the table, the dealer streak, special wins."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from scorer import (
    Fed,
    Hand,
    HouseRules,
    Situation,
    Wind,
    pay_false_win,
    pay_total,
    score,
    score_winners,
)

E, S, W, N = Wind
BASE = 3


def paid(
    total: int, winner: Wind, giver: Wind | None, streak: int = 0, **house: object
) -> list[int]:
    facts = Situation(
        seat=winner,
        round=E,
        self_drawn=giver is None,
        from_seat=giver,
        streak=streak,
    )
    found = pay_total(total, facts, "taiwan", HouseRules.of("taiwan", house)).payments
    assert found is not None
    assert sum(found.values()) == 0
    return [found[wind] for wind in Wind]


@pytest.mark.parametrize("streak", range(21))
def test_every_row_of_the_table(streak: int) -> None:
    """T tai, D = 2n + 1 where one of the two is the dealer (East)."""
    t, d = 5, 2 * streak + 1
    one, dealt = BASE + t, BASE + t + d
    assert paid(t, S, W, streak) == [0, one, -one, 0]
    assert paid(t, S, E, streak) == [-dealt, dealt, 0, 0]
    assert paid(t, S, None, streak) == [-dealt, dealt + 2 * one, -one, -one]
    assert paid(t, E, N, streak) == [dealt, 0, 0, -dealt]
    assert paid(t, E, None, streak) == [3 * dealt, -dealt, -dealt, -dealt]


def test_the_example_of_the_source() -> None:
    """Non-dealer, concealed and self-drawn, T = 3, n = 0: 3 base + 10 in all."""
    assert paid(3, S, None) == [-7, 19, -6, -6]


@pytest.mark.parametrize(("deal", "line"), [(0, 1), (1, 3), (2, 5), (3, 7)])
def test_dealer_line_of_the_first_four_deals(deal: int, line: int) -> None:
    facts = Situation(seat=E, round=E, self_drawn=True, streak=deal)
    assert pay_total(0, facts).dealer_line == line


def test_base_and_value_of_a_tai() -> None:
    """50 / 20: 50 + (4 + 1) × 20 from the dealer, 50 + 4 × 20 from the others."""
    assert paid(4, N, None, base=50, tai_value=20) == [-150, -130, -130, 410]


def test_the_limit_cuts_before_the_dealer_line_is_added() -> None:
    assert paid(30, E, S, 2, limit=16) == [24, -24, 0, 0]


def test_the_streak_cap() -> None:
    assert paid(0, E, S, 12, streak_cap=9) == paid(0, E, S, 9)


def test_another_seat_may_deal() -> None:
    facts = Situation(seat=S, round=E, self_drawn=True, dealer=W)
    found = pay_total(2, facts).payments
    assert found == {E: -5, S: 16, W: -6, N: -5}


HAND = Hand.parse("123456m56p55s[111z][789p]@4p")


@pytest.mark.parametrize(("giver", "seats"), list(product(Wind, [(S, W), (N, E)])))
def test_two_winners_on_one_discard(giver: Wind, seats: tuple[Wind, Wind]) -> None:
    """Nearest after the discarder alone, or all in full by house rule."""
    if giver in seats:
        return
    wins = [
        (HAND, Situation(seat=seat, round=N, self_drawn=False, from_seat=giver)) for seat in seats
    ]
    near = min(seats, key=lambda seat: seat.after(giver))
    for seat, result in zip(seats, score_winners(wins), strict=True):
        assert result.is_good == (seat is near)
        assert result.is_good or [p.id for p in result.problems] == ["not-nearest"]
    everyone = HouseRules.of("taiwan", {"multiple_winners": "all"})
    for seat, result in zip(seats, score_winners(wins, house=everyone), strict=True):
        assert result.payments is not None
        assert result.payments[seat] == -result.payments[giver] > 0


def test_a_false_win_pays_each_player() -> None:
    found = pay_false_win(S)
    assert found is not None
    assert found.payments == {E: 6, S: -18, W: 6, N: 6}
    eight = pay_false_win(S, house=HouseRules.of("taiwan", {"false_win": 8}))
    assert eight is not None
    assert eight.payments == {E: 11, S: -33, W: 11, N: 11}


def test_seven_flowers_are_paid_by_the_player_of_the_eighth() -> None:
    """Base 3 + 8 tai, and the dealer line when the dealer is one of the two."""
    hand = Hand.parse("123m 1f2f3f4f5f6f7f")
    facts = Situation(seat=W, round=E, from_seat=E, events=frozenset({"seven-flowers"}))
    assert score(hand, facts).payments == {E: -12, S: 0, W: 12, N: 0}


def test_eight_flowers_are_paid_as_a_self_draw() -> None:
    hand = Hand.parse("123m 1f2f3f4f5f6f7f8f")
    facts = Situation(seat=W, round=E, events=frozenset({"eight-flowers"}))
    assert score(hand, facts).payments == {E: -12, S: -11, W: 34, N: -11}


def kong_draw(**facts: Any) -> Situation:
    return Situation(
        seat=S,
        round=E,
        self_drawn=True,
        events=frozenset({"kong-draw"}),
        **facts,
    )


def test_a_win_after_a_claimed_kong() -> None:
    """All pay; or by house rule the giver of the kong tile, and it is a win on a discard."""
    hand = Hand.parse("123456m56p55s[1111z][789p]@4p")
    facts = kong_draw(replacement="claimed-kong", fed=(Fed.parse("W:1111z"),))
    all_pay = score(hand, facts)
    assert all_pay.ids() == ["self-drawn", "round-wind-pung", "kong-draw"]
    assert all_pay.payments == {E: -7, S: 19, W: -6, N: -6}
    discarder = score(hand, facts, house=HouseRules.of("taiwan", {"kong_draw_payer": "discarder"}))
    assert discarder.ids() == ["round-wind-pung", "kong-draw"]
    assert discarder.payments == {E: 0, S: 5, W: -5, N: 0}
    silent = score(hand, facts, house=HouseRules.of("taiwan", {"kong_draw_payer": "no_item"}))
    assert silent.ids() == ["self-drawn", "round-wind-pung"]


def test_which_kong_it_was_is_asked_where_it_matters() -> None:
    hand = Hand.parse("123456m56p55s[1111z][789p]@4p")
    assert score(hand, kong_draw()).certain
    asked = score(hand, kong_draw(), "taiwan-a")
    assert not asked.certain
    assert asked.range == (2, 3)
    assert asked.questions == ("replacement",)


def test_liability_of_the_feeder_of_big_hands() -> None:
    hand = Hand.parse("23m99p[789p][555z][666z][777z]@4m")
    facts = Situation(seat=S, round=E, self_drawn=True, fed=(Fed.parse("W:777z"),))
    off = score(hand, facts)
    assert off.payments == {E: -13, S: 37, W: -12, N: -12}
    on = score(hand, facts, house=HouseRules.of("taiwan", {"liability": "big_hands"}))
    assert on.payments == {E: 0, S: 37, W: -37, N: 0}


def test_the_parts_of_a_payment_are_spelt_out() -> None:
    result = score(HAND, Situation(seat=S, round=N, self_drawn=True, streak=1))
    parts = {transfer.payer: transfer.parts for transfer in result.transfers}
    assert parts[E] == (("base", 3), ("tai", 1), ("dealer-line", 3))
    assert parts[W] == (("base", 3), ("tai", 1))
    for transfer in result.transfers:
        assert transfer.amount == sum(amount for _, amount in transfer.parts)
