"""Complete hands that differ from a hand in one or two tiles: what was nearly held.

An exchange takes tiles out of any places of the hand (concealed, winning, in a set laid down) and
puts other faces into the same places, so that a chow laid down can become another chow and the
winning tile another winning tile. No face is both put in and taken out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer import Hand, Meld, Tile
from scorer.arrange import arrangements, key_of
from scorer.engine import waits_before
from scorer.hand import CHOW, PUNG
from scorer.suits import BITS, COUNT, UNIT
from scorer.table import Table
from scorer.tiles import FACES
from scorer.waits import faces_of

Faces = tuple[int, ...]
_ONES = sum(UNIT)
_MORE_THAN_FOUR = 24 * _ONES
_SETS: tuple[tuple[str, Faces], ...] = (
    *((CHOW, (t, t + 1, t + 2)) for t in range(27) if t % 9 < 7),
    *((PUNG, (t,) * 3) for t in range(FACES)),
)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A complete hand, and the faces by which it differs (both in ascending order of tile id)."""

    out: Faces
    into: Faces
    hand: Hand


def neighbours(hand: Hand, table: Table, tiles: int) -> Iterator[Neighbour]:
    """Every complete hand that differs in exactly `tiles` places (1 or 2), each once.

    The hand itself need not be complete. Whether a neighbour may win is for `score` to say.
    Hands that differ only in the order of their sets are the same.
    """
    loose = [t for t in (*hand.concealed, hand.winning) if t is not None and t < FACES]
    exchanges = [_loose(loose, hand, table, k) for k in range(tiles + 1)]
    met: set[tuple[object, ...]] = set()
    for melds, out, into in _other_melds(hand.melds, tiles):
        meld_key = key_of(tile for meld in melds for tile in meld.tiles)
        base = meld_key + key_of(loose)
        for taken, put in exchanges[tiles - len(out)]:
            if taken and not (set(taken).isdisjoint(into) and set(put).isdisjoint(out)):
                continue
            key = base - key_of(taken) + key_of(put)
            if key + 3 * _ONES & _MORE_THAN_FOUR:
                continue
            all_out, all_in = tuple(sorted(out + taken)), tuple(sorted(into + put))
            for concealed, winning in _places(hand, taken, put):
                fresh = replace(hand, concealed=concealed, melds=melds, winning=winning)
                same = (fresh.concealed, tuple(sorted(map(str, melds))), winning)
                if same not in met:
                    met.add(same)
                    yield Neighbour(all_out, all_in, fresh)


def _loose(loose: list[Tile], hand: Hand, table: Table, count: int) -> list[tuple[Faces, Faces]]:
    """Exchanges of so many tiles that are not laid down, after which these are complete."""
    key, melds = key_of(loose), len(hand.melds)
    if count == 0:
        done = arrangements(key) or any(shape.find(key, melds) for shape in table.shapes)
        return [((), ())] if done else []
    faces = range(FACES if table.rules.honours else 27)
    found: list[tuple[Faces, Faces]] = []
    for out in sorted(set(_subsets(sorted(loose), count))):
        left = key - key_of(out)
        if count == 1:
            mask = waits_before(0, left, melds, table)
            found += [(out, (f,)) for f in faces_of(mask) if f in faces and f not in out]
            continue
        for first in faces:
            if first in out or left >> BITS * first & COUNT > 3:
                continue
            # The second face is not lower, so that each pair is met once.
            mask = waits_before(0, left + UNIT[first], melds, table) >> first << first
            if mask:
                found += [(out, (first, f)) for f in faces_of(mask) if f in faces and f not in out]
    return found


def _subsets(tiles: list[Tile], count: int) -> Iterator[Faces]:
    for i, tile in enumerate(tiles):
        if count == 1:
            yield (int(tile),)
        else:
            for other in tiles[i + 1 :]:
                yield (int(tile), int(other))


def _other_melds(
    melds: tuple[Meld, ...], most: int
) -> Iterator[tuple[tuple[Meld, ...], Faces, Faces]]:
    """(sets laid down, faces out, faces in) with up to so many of their tiles changed."""
    yield melds, (), ()
    changes = [
        (i, Meld(kind, tuple(map(Tile, faces))), out, into)
        for i, meld in enumerate(melds)
        if not meld.is_kong and meld not in melds[:i]
        for kind, faces in _SETS
        for out, into in [_difference(meld.tiles, faces)]
        if 0 < len(out) <= most
    ]
    for i, fresh, out, into in changes:
        changed = (*melds[:i], fresh, *melds[i + 1 :])
        yield changed, out, into
        if len(out) == 1 < most:
            yield from _second_meld(changed, i, out, into)


def _second_meld(
    melds: tuple[Meld, ...], first: int, out: Faces, into: Faces
) -> Iterator[tuple[tuple[Meld, ...], Faces, Faces]]:
    """The same with one more tile changed in a later set."""
    for i in range(first + 1, len(melds)):
        for kind, faces in _SETS:
            more_out, more_in = _difference(melds[i].tiles, faces)
            apart = set(more_out).isdisjoint(into) and set(more_in).isdisjoint(out)
            if len(more_out) == 1 and not melds[i].is_kong and apart:
                fresh = Meld(kind, tuple(map(Tile, faces)))
                changed = (*melds[:i], fresh, *melds[i + 1 :])
                yield changed, out + more_out, into + more_in


def _difference(old: tuple[Tile, ...], new: Faces) -> tuple[Faces, Faces]:
    gone, come = Counter(map(int, old)), Counter(new)
    return tuple((gone - come).elements()), tuple((come - gone).elements())


def _places(hand: Hand, out: Faces, into: Faces) -> Iterator[tuple[tuple[Tile, ...], Tile | None]]:
    """(concealed, winning) of every way to put `into` in the places of `out`."""
    kept = list(hand.concealed)
    winning = hand.winning
    inside = Counter(map(int, kept))
    if not Counter(out) - inside:
        for tile in out:
            kept.remove(Tile(tile))
        yield (*kept, *map(Tile, into)), winning
    if winning is None or winning not in out:
        return
    kept = list(hand.concealed)
    rest = list(out)
    rest.remove(winning)
    if Counter(rest) - inside:
        return
    for tile in rest:
        kept.remove(Tile(tile))
    for face in sorted(set(into)):
        others = list(into)
        others.remove(face)
        yield (*kept, *map(Tile, others)), Tile(face)
