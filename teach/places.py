"""Where the tiles of a hand stand when it is shown, so that single ones can be lit.

A hand is shown as its concealed tiles, the sets laid down, the winning tile, the bonus tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scorer import Arrangement, Hand, Tile

PAIR: Final = "pair"
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class SetShown:
    """One set of the arrangement: chow, pung, kong, concealed-kong, pair, or all (of a shape that
    has no sets), and the places of its tiles; `laid` where it lies on the table.
    """

    kind: str
    places: tuple[int, ...]
    laid: bool


def shown_tiles(hand: Hand) -> tuple[Tile, ...]:
    """The tiles in the order in which a hand is shown."""
    laid = [tile for meld in hand.melds for tile in meld.tiles]
    last = [] if hand.winning is None else [hand.winning]
    return (*hand.concealed, *laid, *last, *hand.bonus)


def winning_place(hand: Hand) -> int | None:
    """The place of the winning tile."""
    if hand.winning is None:
        return None
    return len(hand.concealed) + sum(len(meld.tiles) for meld in hand.melds)


def sets_shown(hand: Hand, arrangement: Arrangement | None) -> tuple[SetShown, ...]:
    """The arrangement set by set, the winning tile in the set that it completed."""
    free: dict[int, list[int]] = {}
    for place, tile in enumerate(hand.concealed):
        free.setdefault(int(tile), []).append(place)
    last = winning_place(hand)
    laid = _laid(hand)
    if arrangement is None or arrangement.shape == "none":
        return laid
    groups: list[tuple[str, tuple[int, ...]]] = [
        *(("chow", (t, t + 1, t + 2)) for t in arrangement.chows),
        *(("pung", (t, t, t)) for t in arrangement.pungs),
    ]
    if arrangement.pair >= 0:
        groups.append((PAIR, (arrangement.pair,) * 2))
    ended = _ended(groups, arrangement.wait, hand.winning)
    found = []
    for i, (kind, tiles) in enumerate(groups):
        left = list(tiles)
        places = []
        if i == ended and hand.winning is not None and last is not None:
            left.remove(int(hand.winning))
            places.append(last)
        places += [free[tile].pop(0) for tile in left]
        found.append(SetShown(kind, tuple(places), False))
    rest = [place for places in free.values() for place in places]
    if rest or (ended < 0 and last is not None):
        rest += [last] if ended < 0 and last is not None else []
        found += _rest(rest, shown_tiles(hand))
    return (*found, *laid)


def _laid(hand: Hand) -> tuple[SetShown, ...]:
    first = len(hand.concealed)
    found = []
    for meld in hand.melds:
        found.append(SetShown(meld.kind, tuple(range(first, first + len(meld.tiles))), True))
        first += len(meld.tiles)
    return tuple(found)


def _rest(places: list[int], tiles: tuple[Tile, ...]) -> list[SetShown]:
    """What stands in no set: pairs where it is nothing but pairs and one triplet, else as one."""
    by_face: dict[int, list[int]] = {}
    for place in places:
        by_face.setdefault(int(tiles[place]), []).append(place)
    if all(len(group) > 1 for group in by_face.values()):
        found = []
        for group in by_face.values():
            size = 3 if len(group) == 3 else 2
            for at in range(0, len(group), size):
                kind = "pung" if size == 3 else PAIR
                found.append(SetShown(kind, tuple(group[at : at + size]), False))
        return found
    ordered = sorted(places, key=lambda place: (tiles[place], place))
    return [SetShown(ALL, tuple(ordered), False)]


_WAITS: Final = {"shanpon": "pung", "pair": PAIR, "open": "chow", "edge": "chow", "closed": "chow"}


def _ended(groups: list[tuple[str, tuple[int, ...]]], wait: str, winning: Tile | None) -> int:
    """The group that the winning tile completed; -1 for none."""
    if winning is None:
        return -1
    fitting = [i for i, (_, tiles) in enumerate(groups) if winning in tiles]
    for i in fitting:
        kind, tiles = groups[i]
        if kind != _WAITS.get(wait, kind):
            continue
        if kind != "chow" or not wait or _chow_wait(tiles, int(winning)) == wait:
            return i
    return fitting[0] if fitting else -1


def _chow_wait(chow: tuple[int, ...], winning: int) -> str:
    at = chow.index(winning)
    if at == 1:
        return "closed"
    edge = (at == 0 and chow[0] % 9 == 6) or (at == 2 and chow[2] % 9 == 2)
    return "edge" if edge else "open"


def lit_places(
    hand: Hand, tiles: Iterable[int], sets: tuple[SetShown, ...], whole: bool
) -> tuple[int, ...]:
    """The places of the tiles that earn an item: whole sets before tiles of others.

    A single tile that is the winning tile is that one; `whole` lights every tile but the bonus
    tiles.
    """
    everything = shown_tiles(hand)
    wanted = list(map(int, tiles))
    if whole:
        return tuple(range(len(everything) - len(hand.bonus)))
    last = winning_place(hand)
    if last is not None and wanted == [hand.winning]:
        return (last,)
    found: list[int] = []
    for group in sorted(sets, key=lambda group: -len(group.places)):
        faces = [int(everything[place]) for place in group.places]
        left = list(wanted)
        for face in faces:
            if face not in left:
                break
            left.remove(face)
        else:
            found += group.places
            wanted = left
    for place, tile in enumerate(everything):
        if tile in wanted and place not in found:
            wanted.remove(tile)
            found.append(place)
    return tuple(sorted(found))
