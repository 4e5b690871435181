"""Knitted hands of Chinese Official: 147, 258 and 369, each in a suit of its own."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from ..arrange import NONE, arrangements, places
from ..ruleset import Shape
from ..suits import COUNT, Split
from ..waits import set_waits
from .fourteen import NO_SETS, ONES, SIZE, faces_mask, keys, on_the_pair

PATTERNS: Final = tuple(
    tuple(9 * suit + start + step for start, suit in enumerate(suits) for step in (0, 3, 6))
    for suits in permutations(range(3))
)
"""The nine tiles of each of the six knitted patterns."""

STRAIGHT: Final = "knitted-straight"
LESSER: Final = "lesser-knitted"
GREATER: Final = "greater-knitted"

_HONOURS: Final = keys(range(27, 34))
_TWICE: Final = 30 * ONES
_HIGH: Final = 16 * ONES
_ROOMS: Final = tuple(keys(pattern) | _HONOURS for pattern in PATTERNS)


def pattern_held(key: int) -> tuple[int, ...]:
    """The nine tiles of the knitted pattern that a key holds in full, or nothing.

    No 14 tiles hold two.
    """
    for pattern in PATTERNS:
        if not _missing(key, keys(pattern)):
            return pattern
    return ()


def _missing(key: int, wanted: int) -> int:
    """The tiles of `wanted` (each once) that a key does not hold."""
    # A face keeps the high bit through the subtraction if it is held.
    return wanted & ~(((key | _HIGH) - wanted) >> 4)


def _straight(pattern: tuple[int, ...]) -> Shape:
    """The knitted straight of one pattern, with one set and the eyes as the arrangement."""
    wanted = keys(pattern)

    def find(key: int, melds: int) -> list[Split]:
        if melds > 1 or _missing(key, wanted):
            return []
        return arrangements(key - wanted)

    def waits(key: int, melds: int) -> int:
        if melds > 1:
            return 0
        missing = _missing(key, wanted)
        if not missing:
            return set_waits(key - wanted)
        if missing & (missing - 1) or not arrangements(key - (wanted - missing)):
            return 0
        return faces_mask(missing)

    def spots(split: Split, winning: int) -> list[int]:
        return [*places(split, winning), *([NONE] if winning in pattern else [])]

    return Shape(STRAIGHT, find, waits, places=spots)


KNITTED_STRAIGHTS: Final = tuple(map(_straight, PATTERNS))


def _fits(key: int, melds: int, size: int) -> int:
    """What the pattern and the honours leave room for, or 0 when the tiles do not fit."""
    if melds or key & _TWICE or key % COUNT != size:
        return 0
    for room in _ROOMS:
        if not key & ~room:
            return room
    return 0


def _lesser(key: int, melds: int) -> list[Split]:
    return NO_SETS if _fits(key, melds, SIZE) and (key & _HONOURS) != _HONOURS else []


def _greater(key: int, melds: int) -> list[Split]:
    return NO_SETS if _fits(key, melds, SIZE) and (key & _HONOURS) == _HONOURS else []


def _unpaired_waits(key: int, melds: int) -> int:
    room = _fits(key, melds, SIZE - 1)
    return faces_mask(room & ~key) if room else 0


def _with_the_lesser(key: int, melds: int) -> int:
    return 0


LESSER_KNITTED: Final = Shape(LESSER, _lesser, _unpaired_waits, places=on_the_pair)
GREATER_KNITTED: Final = Shape(GREATER, _greater, _with_the_lesser, places=on_the_pair)
"""Its waits are among those of the lesser."""
