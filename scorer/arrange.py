"""All arrangements of a hand's concealed part into sets and eyes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .suits import SUIT_BITS, SUIT_MASK, UNIT, Split, splits

NONE, OPEN, SHANPON, EDGE, CLOSED, PAIR = range(6)
WAIT_NAMES: Final = ("", "open", "shanpon", "edge", "closed", "pair")


def key_of(tiles: Iterable[int]) -> int:
    """The tiles as one integer, five bits a face (see suits.py)."""
    return sum(map(UNIT.__getitem__, tiles))


def arrangements(key: int) -> list[Split]:
    """Every way to take the tiles of `key` apart into sets and one pair of eyes.

    Returns (chows by lowest tile, pungs, eyes) with tile ids; none when it cannot be done.
    """
    ways: list[Split] = [((), (), -1)]
    for suit in range(4):
        part = key >> SUIT_BITS * suit & SUIT_MASK
        if not part:
            continue
        found = splits(suit, part)
        if len(found) == 1 and len(ways) == 1:
            chows, pungs, eyes = found[0]
            before = ways[0]
            if eyes >= 0 and before[2] >= 0:
                return []
            ways = [(before[0] + chows, before[1] + pungs, eyes if eyes >= 0 else before[2])]
            continue
        ways = [
            (a[0] + b[0], a[1] + b[1], b[2] if b[2] >= 0 else a[2])
            for a in ways
            for b in found
            if a[2] < 0 or b[2] < 0
        ]
        if not ways:
            return ways
    return ways if ways[0][2] >= 0 else []


def places(split: Split, winning: int) -> list[int]:
    """The kinds of wait the winning tile can have ended in this arrangement."""
    chows, pungs, eyes = split
    found = []
    if winning in pungs:
        found.append(SHANPON)
    if winning == eyes:
        found.append(PAIR)
    if winning < 27:
        rank = winning % 9
        if winning - 1 in chows:
            found.append(CLOSED)
        low, high = winning in chows, winning - 2 in chows
        if (low and rank == 6) or (high and rank == 2):
            found.append(EDGE)
        if (low and rank != 6) or (high and rank != 2):
            found.append(OPEN)
    return found
