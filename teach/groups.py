"""An unfinished hand as a player sees it: sets that are there, eyes, and what is only begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scorer.tiles import Tile, tiles_text

SET, EYES, BEGUN, LONE = "set", "eyes", "begun", "lone"
"""Kinds of groups: a complete set, a pair, two tiles that one more makes a set, a tile alone."""

Block = tuple[str, tuple[int, ...]]
_Found = dict[tuple[int, int, int], tuple[Block, ...]]


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that belong together in ascending order, and what they are so far."""

    kind: str
    tiles: tuple[Tile, ...]

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "tiles": tiles_text(self.tiles)}


def groups_of(tiles: Iterable[Tile], sets: int) -> tuple[Group, ...]:
    """The way to see these tiles in which the fewest are lacking to so many sets and eyes.

    Sets first, then the eyes, what is begun, and the tiles that stand alone.
    """
    counts = Counter(int(tile) for tile in tiles)
    ways: _Found = {(0, 0, 0): ()}
    for suit in range(4):
        size = 7 if suit == 3 else 9
        found = _suit(suit, tuple(counts[9 * suit + rank] for rank in range(size)))
        joined: _Found = {}
        for (s, p, b), blocks in ways.items():
            for (more_s, more_p, more_b), more in found.items():
                joined.setdefault((s + more_s, p + more_p, b + more_b), blocks + more)
        ways = joined
    best = min(ways, key=lambda way: (_lacks(way, sets), -way[0], -way[1]))
    chosen = sorted(ways[best], key=lambda block: (_ORDER[block[0]], block[1]))
    return tuple(Group(kind, tuple(map(Tile, faces))) for kind, faces in chosen)


_ORDER = {SET: 0, EYES: 1, BEGUN: 2, LONE: 3}


def _lacks(way: tuple[int, int, int], need: int) -> int:
    sets, pairs, begun = way
    eyes = min(1, pairs)
    # A second pair is the beginning of a pung.
    halves = min(max(0, need - sets), begun + pairs - eyes)
    return max(0, 3 * (need - sets)) - 2 * halves + 2 - 2 * eyes


@lru_cache(maxsize=4096)
def _suit(suit: int, counts: tuple[int, ...]) -> _Found:
    """(sets, pairs, begun) -> the blocks of one suit, every way once."""
    rank = next((i for i, count in enumerate(counts) if count), -1)
    if rank < 0:
        return {(0, 0, 0): ()}
    found: _Found = {}
    for kind, shape in _blocks(suit, rank, counts):
        left = list(counts)
        for place in shape:
            left[place] -= 1
        faces = tuple(9 * suit + place for place in shape)
        add = (int(kind == SET), int(kind == EYES), int(kind == BEGUN))
        for (s, p, b), blocks in _suit(suit, tuple(left)).items():
            found.setdefault((s + add[0], p + add[1], b + add[2]), ((kind, faces), *blocks))
    return found


def _blocks(suit: int, rank: int, counts: tuple[int, ...]) -> Iterable[tuple[str, tuple[int, ...]]]:
    """What the lowest tile may be part of."""
    here = counts[rank]
    if suit < 3 and rank < 7 and counts[rank + 1] and counts[rank + 2]:
        yield SET, (rank, rank + 1, rank + 2)
    if here > 2:
        yield SET, (rank,) * 3
    if here > 1:
        yield EYES, (rank,) * 2
    if suit < 3:
        for step in (1, 2):
            if rank + step < 9 and counts[rank + step]:
                yield BEGUN, (rank, rank + step)
    yield LONE, (rank,)
