"""The 43 faces. The integer of a `Tile` is its class id in data sets and in the reader."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

SUITS: Final = "mps"
CODES: Final[tuple[str, ...]] = (
    *(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)),
    *("1z", "2z", "3z", "4z", "7z", "6z", "5z"),
    *(f"{number}f" for number in range(1, 9)),
    "0b",
)
FACES: Final = 34
"""Number of faces that may stand in a hand; they are the tiles 0 to 33."""


class Tile(IntEnum):
    """One face. Do not sort text by the id: dragons are numbered red 31, green 32, white 33."""

    M1, M2, M3, M4, M5, M6, M7, M8, M9 = range(9)
    P1, P2, P3, P4, P5, P6, P7, P8, P9 = range(9, 18)
    S1, S2, S3, S4, S5, S6, S7, S8, S9 = range(18, 27)
    EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE = range(27, 34)
    SPRING, SUMMER, AUTUMN, WINTER, PLUM, ORCHID, CHRYSANTHEMUM, BAMBOO = range(34, 42)
    BACK = 42

    @classmethod
    def parse(cls, code: str) -> Tile:
        """Read one code such as `5m`, `7z`, `3f` or `0b`.

        Raises TileCodeError when there is no such tile.
        """
        try:
            return TILE_OF_CODE[code]
        except KeyError:
            raise TileCodeError(code) from None

    @property
    def code(self) -> str:
        return CODES[self]

    @property
    def suit(self) -> str:
        """The letter of the code: m, p, s, z (honours), f (bonus tiles) or b (face down)."""
        return CODES[self][1]

    @property
    def rank(self) -> int:
        """The digit of the code."""
        return int(CODES[self][0])

    @property
    def is_suited(self) -> bool:
        return self < 27

    @property
    def is_wind(self) -> bool:
        return 27 <= self <= 30

    @property
    def is_dragon(self) -> bool:
        return 31 <= self <= 33

    @property
    def is_honour(self) -> bool:
        return 27 <= self <= 33

    @property
    def is_bonus(self) -> bool:
        return 34 <= self <= 41

    @property
    def is_terminal(self) -> bool:
        return self < 27 and self % 9 in (0, 8)

    @property
    def seat_number(self) -> int:
        """The seat (1 to 4) a bonus tile belongs to; 0 for other tiles."""
        return (self - 34) % 4 + 1 if self.is_bonus else 0


class HandTextError(ValueError):
    """A hand text that cannot be read. `text` is the part that is wrong."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(f"{text!r}: {why}")
        self.text = text


class TileCodeError(HandTextError):
    """A tile that does not exist."""

    def __init__(self, text: str) -> None:
        super().__init__(
            text, "no such tile; write 1-9 with m, p or s, 1-7z, 1-8f, or 0b for a tile face down"
        )


TILE_OF_CODE: Final[dict[str, Tile]] = {code: Tile(i) for i, code in enumerate(CODES)}
PRINT_ORDER: Final[tuple[int, ...]] = tuple(
    "mpszfb".index(code[1]) * 10 + int(code[0]) for code in CODES
)
"""Sort key by tile id: m p s z f b, then the rank of the code."""


def in_print_order(tiles: tuple[Tile, ...] | list[Tile]) -> list[Tile]:
    return sorted(tiles, key=PRINT_ORDER.__getitem__)


def tiles_text(tiles: tuple[Tile, ...] | list[Tile]) -> str:
    """Tiles as text, each suit once (`123m44z`); bonus tiles and backs one by one."""
    text = ""
    ordered = in_print_order(tiles)
    for i, tile in enumerate(ordered):
        digit, suit = CODES[tile][0], CODES[tile][1]
        together = suit in "mpsz" and i + 1 < len(ordered) and ordered[i + 1].suit == suit
        text += digit if together else digit + suit
    return text
