"""How many tiles one suit lacks for so many sets, with or without the eyes.

A suit is walked rank by rank. What was reached is one integer for each pair of chows that are
still open: bit `8 * lacking + sets` says that so many sets can be had with so many tiles more.
"""

from __future__ import annotations

from typing import Final

from scorer.suits import BITS, COUNT, counts_of

MOST_SETS: Final = 5
FAR: Final = 99
"""More tiles than any hand lacks: it cannot be had."""
Needs = tuple[tuple[int, ...], tuple[int, ...]]
"""(without eyes, with eyes): tiles that are lacking, by number of sets 0 to 5."""

_LEVEL: Final = 8
_LEVELS: Final = 20
_KEPT: Final = sum((2 ** (MOST_SETS + 1) - 1) << _LEVEL * level for level in range(_LEVELS))
_REMEMBERED: Final = 50_000
_needs: dict[tuple[bool, int, int], Needs] = {}
FREE: Final = sum(4 << BITS * rank for rank in range(9))
"""A suit of which all four copies of each face may be used (see `suit_needs`)."""


def suit_needs(honours: bool, key: int, usable: int = FREE) -> Needs:
    """What a suit of these tiles lacks. `usable` says how many of each face can be held at all:
    four, less those in sets laid down or seen elsewhere; like `key` it has five bits a face.
    """
    known = _needs.get((honours, key, usable))
    if known is None:
        if len(_needs) >= _REMEMBERED:
            _needs.clear()
        counts, most = counts_of(key), counts_of(usable)
        if honours:
            counts, most = counts[:7], most[:7]
        known = _needs[honours, key, usable] = _walk(not honours, counts, most)
    return known


def _walk(chows: bool, counts: list[int], most: list[int]) -> Needs:
    # (chows begun one rank before, two ranks before) -> reached without and with eyes.
    reached: dict[tuple[int, int], tuple[int, int]] = {(0, 0): (1, 0)}
    last = len(counts) - 1
    for rank, (held, limit) in enumerate(zip(counts, most, strict=True)):
        following: dict[tuple[int, int], tuple[int, int]] = {}
        for (one, two), (bare, eyed) in reached.items():
            # Three equal chows are three pungs, so at most two begin at a rank.
            for begun in range(3 if chows and rank <= last - 2 else 1):
                used = one + two + begun
                if used > limit:
                    break
                old = following.get((begun, one), (0, 0))
                following[begun, one] = _grown(bare, eyed, old, used, begun, held, limit)
        reached = following
    bare = eyed = 0
    for (one, two), (a, b) in reached.items():
        if not one and not two:
            bare |= a
            eyed |= b
    return _lowest(bare), _lowest(eyed)


def _grown(
    bare: int, eyed: int, old: tuple[int, int], used: int, begun: int, held: int, limit: int
) -> tuple[int, int]:
    """What is reached with these chows and, at this rank, nothing more, a pung, eyes or both."""
    new_bare, new_eyed = old
    for pung in (0, 1):
        for eyes in (0, 1):
            need = used + 3 * pung + 2 * eyes
            if need > limit:
                continue
            shift = _LEVEL * max(0, need - held) + begun + pung
            if eyes:
                new_eyed |= bare << shift & _KEPT
            else:
                new_bare |= bare << shift & _KEPT
                new_eyed |= eyed << shift & _KEPT
    return new_bare, new_eyed


def _lowest(reached: int) -> tuple[int, ...]:
    """The fewest tiles lacking by number of sets."""
    found = [FAR] * (MOST_SETS + 1)
    for level in range(_LEVELS):
        here = reached >> _LEVEL * level & (2**_LEVEL - 1)
        for sets in range(MOST_SETS + 1):
            if here >> sets & 1 and found[sets] == FAR:
                found[sets] = level
    return tuple(found)


def together(a: Needs, b: Needs) -> Needs:
    """What two suits lack together."""
    sums = range(MOST_SETS + 1)
    bare = [FAR] * (MOST_SETS + 1)
    eyed = [FAR] * (MOST_SETS + 1)
    for i in sums:
        for j in range(MOST_SETS + 1 - i):
            bare[i + j] = min(bare[i + j], a[0][i] + b[0][j])
            eyed[i + j] = min(eyed[i + j], a[0][i] + b[1][j], a[1][i] + b[0][j])
    return tuple(bare), tuple(eyed)


def held(key: int, face: int) -> int:
    """How many of a face a key holds."""
    return key >> BITS * face & COUNT
