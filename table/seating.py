"""Getting started: who draws a wind first, who deals first, where the wall is broken.

    >>> from scorer import Wind
    >>> seat_of_dice(11)
    <Wind.WEST: 2>
    >>> break_wall((5, 4, 2))
    WallBreak(seat=<Wind.WEST: 2>, left=11, first=12, stacks=18)

Rules: rules/taiwan.md, "Around the hand".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from scorer import Wind

DICE: Final = 3
STACKS, STACKS_WITHOUT_BONUS = 18, 17


@dataclass(frozen=True, slots=True)
class WallBreak:
    """`left` stacks stay at the right end of the wall of `seat`; stack `first` is dealt first.

    Where the dice show as many stacks as the wall has, the deal begins with the next wall, in
    the direction in which the stacks are taken.
    """

    seat: Wind
    left: int
    first: int
    stacks: int


def seat_of_dice(dots: int) -> Wind:
    """Who is counted to from the thrower (East): 5, 9, 13, 17 the thrower, then in turn."""
    if not DICE <= dots <= 6 * DICE:
        raise ValueError(f"three dice show 3 to 18, not {dots}")
    return Wind((dots - 1) % 4)


def break_wall(dice: Sequence[int], bonus_tiles: bool = True) -> WallBreak:
    """Where the wall is broken: counted like the seats, as many stacks stay as the dice show."""
    if len(dice) != DICE or not all(1 <= die <= 6 for die in dice):
        raise ValueError(f"three dice of 1 to 6 are needed, not {list(dice)}")
    dots = sum(dice)
    stacks = STACKS if bonus_tiles else STACKS_WITHOUT_BONUS
    return WallBreak(seat_of_dice(dots), dots, dots % stacks + 1, stacks)


def throw(rng: Random) -> tuple[int, int, int]:
    """Three dice."""
    return rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6)


def draw_order(players: Sequence[str], thrower: str, dots: int) -> list[str]:
    """The order in which wind tiles are drawn: from the player counted to, in playing order."""
    first = (players.index(thrower) + seat_of_dice(dots)) % len(players)
    return [*players[first:], *players[:first]]


def seats_of_winds(order: Sequence[str], winds: Sequence[Wind]) -> list[str]:
    """The players in the order East, South, West, North by the wind each drew."""
    if sorted(winds) != list(Wind) or len(order) != len(winds):
        raise ValueError("each of the four winds is drawn once")
    return [player for _, player in sorted(zip(winds, order, strict=True))]
