"""Seven pairs and a triplet: 17 concealed tiles, four alike being two pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..ruleset import Shape
from ..suits import BITS, COUNT, UNIT, Split
from ..tiles import FACES

_ONES = sum(UNIT)
_NO_SETS: Final[list[Split]] = [((), (), -1)]
_PLACES = range(0, BITS * FACES, BITS)


def _find(key: int, melds: int) -> list[Split]:
    # One face is held an odd number of times, and that is three times.
    odd = key & _ONES
    if melds or not odd or odd & (odd - 1):
        return []
    return _NO_SETS if key & odd << 1 and key % COUNT == 17 else []


def _waits(key: int, melds: int) -> int:
    odd = key & _ONES
    if melds or odd.bit_count() not in (0, 2) or key % COUNT != 16:
        return 0
    mask = 0
    for tile, shift in enumerate(_PLACES):
        one = 1 << shift
        left = odd ^ one
        if left & (left - 1) == 0 and key + one & left << 1:
            mask |= 1 << tile
    return mask


def _no_place(split: Split, winning: int) -> list[int]:
    return []


EIGHT_PAIRS = Shape("eight-pairs", _find, _waits, "eight_pairs", _no_place)
SEVEN_PAIRS_AND_TRIPLET = replace(EIGHT_PAIRS, id="seven-pairs-and-triplet", option="")
