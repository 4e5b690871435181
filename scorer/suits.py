"""All ways to take one suit apart, remembered by the suit's counts.

A multiset of tiles is an integer with five bits a face, so that adding tiles is adding numbers.
Only single suits are remembered, never whole hands.
"""

from __future__ import annotations

from typing import Final

from .tiles import FACES

BITS: Final = 5
SUIT_BITS: Final = 9 * BITS
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
COUNT: Final = (1 << BITS) - 1
UNIT: Final[tuple[int, ...]] = (*(1 << BITS * tile for tile in range(FACES)), *([0] * 9))
"""What one tile adds to a key; bonus tiles and backs add nothing."""
_REMEMBERED: Final = 100_000

Split = tuple[tuple[int, ...], tuple[int, ...], int]
"""(chows by lowest tile, pungs, eyes or -1), tiles by id."""

_splits: tuple[dict[int, tuple[Split, ...]], ...] = ({}, {}, {}, {})
_waits: tuple[dict[int, tuple[bool, int]], ...] = ({}, {}, {}, {})


def counts_of(key: int, faces: int = 9) -> list[int]:
    return [key >> BITS * i & COUNT for i in range(faces)]


def splits(suit: int, key: int) -> tuple[Split, ...]:
    """Every way to take a suit (0 m, 1 p, 2 s, 3 honours) apart into sets, with eyes where the
    number of tiles asks for them.
    """
    known = _splits[suit].get(key)
    if known is None:
        if len(_splits[suit]) >= _REMEMBERED:
            _splits[suit].clear()
        known = _splits[suit][key] = tuple(_search(suit, counts_of(key)))
    return known


def _search(suit: int, counts: list[int]) -> list[Split]:
    base = 9 * suit
    size = sum(counts)
    found: list[Split] = []
    if size % 3 == 0:
        found += [(chows, pungs, -1) for chows, pungs in _sets(base, counts, suit < 3)]
    elif size % 3 == 2:
        for rank in range(9):
            if counts[rank] >= 2:
                counts[rank] -= 2
                sets = _sets(base, counts, suit < 3)
                found += [(chows, pungs, base + rank) for chows, pungs in sets]
                counts[rank] += 2
    return found


def _sets(base: int, counts: list[int], chows_allowed: bool) -> list[tuple[tuple[int, ...], ...]]:
    """(chows, pungs) of every way to use up the counts."""
    ways: list[tuple[tuple[int, ...], ...]] = []

    def take(rank: int, left: list[int], chows: tuple[int, ...], pungs: tuple[int, ...]) -> None:
        while rank < 9 and not left[rank]:
            rank += 1
        if rank == 9:
            ways.append((chows, pungs))
            return
        here = left[rank]
        for pung in (1, 0) if here >= 3 else (0,):
            runs = here - 3 * pung
            if runs:
                fits = rank < 7 and left[rank + 1] >= runs and left[rank + 2] >= runs
                if not (chows_allowed and fits):
                    continue
            rest = left.copy()
            rest[rank] = 0
            if runs:
                rest[rank + 1] -= runs
                rest[rank + 2] -= runs
            take(
                rank + 1,
                rest,
                chows + (base + rank,) * runs,
                (*pungs, base + rank) if pung else pungs,
            )

    take(0, counts, (), ())
    return ways


def suit_waits(suit: int, key: int) -> tuple[bool, int]:
    """(is complete, faces that complete it) for one suit that gets at most one more tile.

    The faces are a bit mask of tile ids. Complete means sets alone, or sets and eyes, as the
    number of tiles asks.
    """
    known = _waits[suit].get(key)
    if known is None:
        if len(_waits[suit]) >= _REMEMBERED:
            _waits[suit].clear()
        known = _waits[suit][key] = _find_waits(suit, counts_of(key))
    return known


def _find_waits(suit: int, counts: list[int]) -> tuple[bool, int]:
    size = sum(counts) % 3
    if size == 0:
        return _all_sets(counts, suit), 0
    mask = 0
    for rank in range(9 if suit < 3 else 7):
        near = counts[max(0, rank - 2) : rank + 3] if suit < 3 else counts[rank : rank + 1]
        if any(near):
            counts[rank] += 1
            done = _sets_and_eyes(counts, suit) if size == 1 else _all_sets(counts, suit)
            counts[rank] -= 1
            mask |= done << (9 * suit + rank)
    return size == 2 and _sets_and_eyes(counts, suit), mask


def _all_sets(counts: list[int], suit: int) -> bool:
    """Whether the counts split into sets: three equal chows are three pungs, so pungs go first."""
    if suit == 3:
        return all(count % 3 == 0 for count in counts)
    this, following = counts[0], counts[1]
    for after in (*counts[2:], 0, 0):
        if this < 0:
            return False
        runs = this % 3
        this, following = following - runs, after - runs
    return this == 0 and following == 0


def _sets_and_eyes(counts: list[int], suit: int) -> bool:
    # Sets have a rank sum divisible by three, which leaves every third rank for the eyes.
    odd = sum(rank * count for rank, count in enumerate(counts)) % 3
    for rank in range(9):
        if counts[rank] >= 2 and (suit == 3 or (2 * rank - odd) % 3 == 0):
            counts[rank] -= 2
            done = _all_sets(counts, suit)
            counts[rank] += 2
            if done:
                return True
    return False
