"""The four winds, which are also the four seats."""

from __future__ import annotations

from enum import IntEnum

LETTERS = "ESWN"


class Wind(IntEnum):
    """A wind; as a seat, the player who sits there. Play goes in the order of the values."""

    EAST = 0
    SOUTH = 1
    WEST = 2
    NORTH = 3

    @classmethod
    def parse(cls, text: str) -> Wind:
        """Read `E`, `S`, `W` or `N` (either case, or the whole English name)."""
        word = text.strip().upper()
        for wind in cls:
            if word in (wind.letter, wind.name):
                return wind
        raise ValueError(f"{text!r} is not a wind: write E, S, W or N")

    @property
    def letter(self) -> str:
        return LETTERS[self.value]

    @property
    def number(self) -> int:
        """The seat number, East 1 to North 4: bonus tile k of a group belongs to seat k."""
        return self.value + 1

    def after(self, other: Wind) -> int:
        """How many turns this seat comes after `other`, 0 to 3."""
        return (self.value - other.value) % 4


EAST, SOUTH, WEST, NORTH = Wind.EAST, Wind.SOUTH, Wind.WEST, Wind.NORTH
