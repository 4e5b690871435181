"""Which faces complete a hand."""

from __future__ import annotations

from .suits import BITS, COUNT, SUIT_BITS, SUIT_MASK, UNIT, suit_waits
from .tiles import FACES

_ONES = sum(UNIT)
_FOURS = 4 * _ONES


def set_waits(key: int) -> int:
    """The faces that complete sets and one pair of eyes, as a bit mask of tile ids.

    `key` is the concealed part before the win (see arrange.key_of); its size is 3n + 1.
    """
    lone = -1
    pairs: list[tuple[bool, int]] = []
    for suit in range(4):
        part = key >> SUIT_BITS * suit & SUIT_MASK
        if not part:
            continue
        complete, faces = known = suit_waits(suit, part)
        size = part % COUNT % 3
        if size == 0:
            if not complete:
                return 0
        elif size == 1:
            if lone >= 0:
                return 0
            lone = faces
        else:
            pairs.append(known)
    if lone >= 0:
        return lone if not pairs else 0
    if len(pairs) != 2:
        return 0
    (a_done, a_faces), (b_done, b_faces) = pairs
    return (a_faces if b_done else 0) | (b_faces if a_done else 0)


def held_four_times(key: int) -> int:
    """The faces of which `key` holds four, as a bit mask."""
    fours = key & _FOURS
    mask = 0
    while fours:
        first = fours & -fours
        mask |= 1 << first.bit_length() // BITS
        fours ^= first
    return mask


def faces_of(mask: int) -> list[int]:
    """The tile ids of a bit mask."""
    return [tile for tile in range(FACES) if mask >> tile & 1]
