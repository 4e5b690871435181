"""Brute force: every tile, every face. Nothing is shared with `teach` but the scorer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from scorer import Hand, Meld, MeldError, Result, Situation, Tile
from scorer.engine import score_with
from scorer.table import Table

Place = tuple[int, int]
"""(0 concealed, 1 winning, 2 + i the i-th set laid down; position in it)."""
Key = tuple[tuple[Tile, ...], tuple[str, ...], Tile | None]
FACES = [Tile(face) for face in range(34)]


def places(hand: Hand) -> list[Place]:
    found = [(0, i) for i in range(len(hand.concealed))]
    found += [(1, 0)] if hand.winning is not None else []
    return found + [(2 + k, i) for k, m in enumerate(hand.melds) for i in range(len(m.tiles))]


def tile_at(hand: Hand, place: Place) -> Tile:
    part, i = place
    if part == 0:
        return hand.concealed[i]
    if part == 1:
        assert hand.winning is not None
        return hand.winning
    return hand.melds[part - 2].tiles[i]


def with_tiles(hand: Hand, changes: dict[Place, Tile]) -> Hand | None:
    """The hand with other tiles in these places; None where a set is a set no more."""
    concealed = list(hand.concealed)
    winning = hand.winning
    melds = [list(meld.tiles) for meld in hand.melds]
    for (part, i), tile in changes.items():
        if part == 0:
            concealed[i] = tile
        elif part == 1:
            winning = tile
        else:
            melds[part - 2][i] = tile
    try:
        laid = tuple(
            old if list(old.tiles) == tiles else Meld.of(tiles, old.kind == "concealed-kong")
            for old, tiles in zip(hand.melds, melds, strict=True)
        )
    except MeldError:
        return None
    return Hand(tuple(concealed), laid, hand.bonus, winning)


def key_of_hand(hand: Hand) -> Key:
    return hand.concealed, tuple(sorted(map(str, hand.melds))), hand.winning


def exchanged(hand: Hand, tiles: int) -> Iterator[Hand]:
    """Every hand with that many places changed, no face both out and in. Places that hold the
    same face in the same part of the hand are tried once.
    """
    seen = set()
    for chosen in combinations(places(hand), tiles):
        out = [tile_at(hand, place) for place in chosen]
        alike = tuple((place[0], tile) for place, tile in zip(chosen, out, strict=True))
        if alike in seen:
            continue
        seen.add(alike)
        for faces in product(FACES, repeat=tiles):
            if set(faces).isdisjoint(out):
                found = with_tiles(hand, dict(zip(chosen, faces, strict=True)))
                if found is not None:
                    yield found


def near(
    hand: Hand, situation: Situation, table: Table, tiles: int
) -> dict[Key, tuple[int, frozenset[tuple[str, int]]]]:
    """Every certain, complete win so many tiles away: its total and the items it earns more."""
    own = worth(score_with(hand, situation, table))
    found = {}
    for other in exchanged(hand, tiles):
        # A fifth copy is refused by the rules; asking them for every such hand takes long.
        if any(other.tiles.count(tile) > 4 for tile in set(other.tiles)):
            continue
        result = score_with(other, situation, table)
        if result.problems or result.total is None or not result.certain:
            continue
        if result.arrangement is None or result.arrangement.shape == "none":
            continue
        more = {(id, n) for id, n in worth(result).items() if n > own.get(id, 0)}
        if more:
            found[key_of_hand(other)] = (result.total, frozenset(more))
    return found


def worth(result: Result) -> dict[str, int]:
    """What each item is worth in all."""
    found: dict[str, int] = {}
    for item in result.items:
        found[item.id] = found.get(item.id, 0) + item.value * item.count
    return found
