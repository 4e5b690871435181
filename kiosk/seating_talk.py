"""The guided start of a night: four names, winds drawn by dice, the first dealer, the wall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from kiosk.ledger_arguments import names_of
from kiosk.words import say
from scorer.names import wind_name
from scorer.winds import Wind
from table.errors import EventError
from table.events import check_players
from table.seating import break_wall, draw_order, seat_of_dice, seats_of_winds, throw

Say = Callable[[str], None]
Ask = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Seating:
    """`players` sit East, South, West, North; `dealer` deals first."""

    players: list[str]
    dealer: str


def seat_players(
    tell: Say, ask: Ask, rng: Random, language: str, *, bonus_tiles: bool = True
) -> Seating:
    """Ask for the names, the dice and the winds; what is left empty is thrown or drawn here.

    Dice are typed as three numbers (`5 4 2`), a wind as E, S, W or N.
    """
    players = _names(tell, ask)
    dots = _dice(tell, ask, rng, f"Dice of {players[0]} for the winds (Enter throws them):")
    order = draw_order(players, players[0], sum(dots))
    tell(say("ledger_wind_order", language, dice=_shown(dots), player=order[0]))
    left = list(Wind)
    winds = []
    for player in order:
        wind = _wind(tell, ask, rng, player, left)
        left.remove(wind)
        winds.append(wind)
        tell(say("ledger_wind_drawn", language, player=player, wind=wind_name(wind, language)))
    seats = seats_of_winds(order, winds)
    dots = _dice(tell, ask, rng, f"Dice of {seats[0]} for the first dealer (Enter throws them):")
    dealer = seats[seat_of_dice(sum(dots))]
    tell(say("ledger_wall", language, dice=_shown(dots), player=dealer))
    wall = break_wall(dots, bonus_tiles)
    key = "ledger_break" if wall.left < wall.stacks else "ledger_break_next"
    tell(say(key, language, left=wall.left, first=wall.first))
    return Seating(seats, dealer)


def _names(tell: Say, ask: Ask) -> list[str]:
    while True:
        players = names_of(ask("Four names, with commas, in the order you sit now:"))
        try:
            check_players(players)
        except EventError as error:
            tell(f"{error}.")
        else:
            return players


def _dice(tell: Say, ask: Ask, rng: Random, question: str) -> tuple[int, ...]:
    while True:
        answer = ask(question).replace(",", " ").split()
        if not answer:
            return throw(rng)
        if len(answer) == 3 and all(die in "123456" and len(die) == 1 for die in answer):
            return tuple(map(int, answer))
        tell("Three numbers from 1 to 6, such as 5 4 2.")


def _wind(tell: Say, ask: Ask, rng: Random, player: str, left: list[Wind]) -> Wind:
    if len(left) == 1:
        return left[0]
    letters = ", ".join(wind.letter for wind in left)
    while True:
        answer = ask(f"Wind of {player} ({letters}; Enter draws one):")
        if not answer:
            return rng.choice(left)
        chosen = [wind for wind in left if wind.letter == answer.upper()]
        if chosen:
            return chosen[0]
        tell(f"One of {letters}.")


def _shown(dice: tuple[int, ...]) -> str:
    return " + ".join(map(str, dice)) + f" = {sum(dice)}"
