"""Getting started as rules/taiwan.md describes it."""

from __future__ import annotations

from random import Random

import pytest

from kiosk.seating_talk import seat_players
from scorer import Wind
from table.seating import break_wall, draw_order, seat_of_dice, seats_of_winds, throw

BY_DICE = {
    Wind.EAST: (5, 9, 13, 17),  # the thrower
    Wind.SOUTH: (6, 10, 14, 18),  # the next player
    Wind.WEST: (3, 7, 11, 15),  # the one opposite
    Wind.NORTH: (4, 8, 12, 16),  # the one before
}


def test_dice_count_round_from_the_thrower() -> None:
    found = {dots: seat_of_dice(dots) for dots in range(3, 19)}
    assert found == {dots: seat for seat, all_dots in BY_DICE.items() for dots in all_dots}


def test_eleven_makes_west_the_dealer_and_stacks_12_and_13_are_taken_first() -> None:
    wall = break_wall((5, 4, 2))
    assert (wall.seat, wall.left, wall.first) == (Wind.WEST, 11, 12)


def test_a_throw_of_all_stacks_begins_with_the_next_wall() -> None:
    assert break_wall((6, 6, 6)).first == 1
    assert break_wall((6, 6, 5), bonus_tiles=False).first == 1  # 17 stacks without bonus tiles


@pytest.mark.parametrize("dice", [(1, 2), (0, 3, 3), (7, 1, 1)])
def test_dice_that_are_none(dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="three dice"):
        break_wall(dice)


def test_winds_are_drawn_in_turn_and_east_sits_east() -> None:
    order = draw_order(["An", "Bo", "Chi", "Dee"], "Bo", 7)  # opposite of Bo
    assert order == ["Dee", "An", "Bo", "Chi"]
    winds = [Wind.SOUTH, Wind.EAST, Wind.NORTH, Wind.WEST]
    assert seats_of_winds(order, winds) == ["An", "Dee", "Chi", "Bo"]
    with pytest.raises(ValueError, match="once"):
        seats_of_winds(order, [Wind.EAST] * 4)


def test_throws_are_dice() -> None:
    rng = Random(4)
    assert {die for _ in range(100) for die in throw(rng)} == {1, 2, 3, 4, 5, 6}


def test_the_guided_start_asks_until_it_understands() -> None:
    said: list[str] = []
    answers = iter(
        ["An, Bo", "An, Bo, Chi, Dee", "seven", "1 2 2", "X", "S", "w", "E", "5,4,2"]
    )  # 5: An draws first; Dee is left with North; 11: West deals
    seating = seat_players(said.append, lambda question: next(answers), Random(1), "en")
    assert seating.players == ["Chi", "An", "Bo", "Dee"]
    assert seating.dealer == "Bo"
    assert said[-1] == "From the right end of that wall 11 stacks stay; stack 12 is dealt first."


def test_the_guided_start_throws_and_draws_where_enter_is_pressed() -> None:
    for seed in range(20):
        answers = iter(["An,Bo,Chi,Dee"])
        seating = seat_players(
            lambda text: None, lambda q, a=answers: next(a, ""), Random(seed), "zh-Hant"
        )
        assert sorted(seating.players) == ["An", "Bo", "Chi", "Dee"]
        assert seating.dealer in seating.players
