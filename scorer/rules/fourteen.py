"""Whole hands of the 14-tile games that are not four sets and a pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from ..arrange import PAIR
from ..ruleset import Shape
from ..suits import BITS, COUNT, UNIT, Split
from ..tiles import FACES

SIZE: Final = 14
ONES: Final = sum(UNIT)
NO_SETS: Final[list[Split]] = [((), (), -1)]


def keys(faces: Iterable[int]) -> int:
    """One tile of each of these faces, as a key (see suits.py)."""
    return sum(UNIT[face] for face in faces)


def faces_mask(key: int) -> int:
    """The faces of a key that holds each once at most, as a bit mask of tile ids."""
    return sum(1 << face for face in range(FACES) if key >> BITS * face & 1)


def on_the_pair(split: Split, winning: int) -> list[int]:
    """Such a hand always waits for one tile to match another, or for one that is missing."""
    return [PAIR]


def _pairs(quads: bool) -> tuple[Callable[[int, int], list[Split]], Callable[[int, int], int]]:
    """`find` and `waits` of seven pairs, with four alike (as two pairs) or without."""
    fours = 4 * ONES

    def find(key: int, melds: int) -> list[Split]:
        if melds or key & ONES or key % COUNT != SIZE or bool(key & fours) is not quads:
            return []
        return NO_SETS

    def waits(key: int, melds: int) -> int:
        odd = key & ONES
        if melds or not odd or odd & (odd - 1) or key % COUNT != SIZE - 1:
            return 0
        return faces_mask(odd) if bool((key + odd) & fours) is quads else 0

    return find, waits


SEVEN_DIFFERENT_PAIRS: Final = Shape("seven-pairs", *_pairs(False), places=on_the_pair)


def pairs_with_quads(option: str = "") -> Shape:
    """Seven pairs of which some are four alike; `option` is the house rule that allows it."""
    return Shape("seven-pairs", *_pairs(True), option, on_the_pair)


ORPHANS: Final = (0, 8, 9, 17, 18, 26, *range(27, 34))
_ORPHANS: Final = keys(ORPHANS)
_ORPHAN_UNITS: Final = frozenset(UNIT[face] for face in ORPHANS)


def _orphans(key: int, melds: int) -> list[Split]:
    return NO_SETS if not melds and key - _ORPHANS in _ORPHAN_UNITS else []


def _orphan_waits(key: int, melds: int) -> int:
    if melds or key & ~(3 * _ORPHANS):
        return 0
    if key == _ORPHANS:
        return faces_mask(_ORPHANS)
    # The missing face, where another is held twice.
    for face in ORPHANS:
        if key + UNIT[face] - _ORPHANS in _ORPHAN_UNITS:
            return 1 << face if not key >> BITS * face & COUNT else 0
    return 0


THIRTEEN_ORPHANS: Final = Shape("thirteen-orphans", _orphans, _orphan_waits, places=on_the_pair)
