"""How far a hand is from winning: tiles it lacks, over all shapes that its rule set plays.

Lacking 0 is complete, 1 is one tile short (ready), 2 is one exchange from ready, and so on. Only
tiles that can still be held count: four of a face, less those laid down or seen elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from scorer import Hand, Ruleset, Shape, Tile
from scorer.arrange import key_of
from scorer.rules.fourteen import ORPHANS
from scorer.rules.knitted import GREATER, LESSER, PATTERNS, STRAIGHT
from scorer.suits import BITS, COUNT, SUIT_BITS, SUIT_MASK, UNIT
from scorer.table import Table
from scorer.tiles import FACES, SUITS

from .suit_needs import FAR, Needs, held, suit_needs, together

_PAIRS_WITH_FOUR: Final = key_of([0, 0, 0, 0, *(face for t in range(1, 6) for face in (t, t))])
_ROOMS: Final = tuple((*pattern, *range(27, FACES)) for pattern in PATTERNS)


@dataclass(frozen=True, slots=True)
class Standing:
    """What counts for the distance: the concealed tiles as a key, the sets laid down, and how
    many of each face can be held concealed (also as a key). `given_up` are the suits (0 to 2) of
    which a game without honours may ask the hand to hold none.
    """

    key: int
    melds: int
    usable: int
    given_up: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        hand: Hand,
        rules: Ruleset,
        seen: tuple[Tile, ...] = (),
        missing_suit: str | None = None,
    ) -> Standing:
        """The standing of a hand, its winning tile included.

        `seen` are tiles that lie open elsewhere, `missing_suit` (m, p or s) is the suit that the
        player has given up, where that is known.
        """
        loose = [*hand.concealed, *([] if hand.winning is None else [hand.winning])]
        shown = [tile for meld in hand.melds for tile in meld.tiles]
        gone = key_of(shown) + key_of(seen)
        faces = range(FACES if rules.honours else 27)
        usable = sum(UNIT[face] * max(0, 4 - held(gone, face)) for face in faces)
        given_up: tuple[int, ...] = ()
        if not rules.honours:
            asked = SUITS if missing_suit is None else missing_suit
            laid = {tile.suit for tile in shown}
            given_up = tuple(SUITS.index(suit) for suit in asked if suit not in laid)
        return cls(key_of(loose), len(hand.melds), usable, given_up)

    def with_tile(self, face: int) -> Standing:
        return replace(self, key=self.key + UNIT[face])

    def without(self, face: int) -> Standing:
        return replace(self, key=self.key - UNIT[face])

    def left(self, face: int) -> int:
        """Copies of a face that may still come."""
        return max(0, held(self.usable, face) - held(self.key, face))


def lacking(standing: Standing, table: Table) -> int:
    """The fewest tiles that, put in place of others where needed, make the hand complete.

    FAR when no such hand can be had.
    """
    if table.rules.honours:
        return _lacking(standing, table)
    ways = (_lacking(_without_suit(standing, suit), table) for suit in standing.given_up)
    return min(ways, default=FAR)


def _without_suit(standing: Standing, suit: int) -> Standing:
    return replace(standing, usable=standing.usable & ~(SUIT_MASK << SUIT_BITS * suit))


def _lacking(standing: Standing, table: Table) -> int:
    best = _of_sets(standing, table.rules.sets - standing.melds)
    for shape in table.shapes:
        best = min(best, _of_shape(standing, shape, best))
    return best


def _of_sets(standing: Standing, sets: int) -> int:
    if sets < 0:
        return FAR
    key, usable = standing.key, standing.usable
    needs: Needs | None = None
    for suit in range(4):
        part = key >> SUIT_BITS * suit & SUIT_MASK
        own = suit_needs(suit == 3, part, usable >> SUIT_BITS * suit & SUIT_MASK)
        needs = own if needs is None else together(needs, own)
    assert needs is not None
    return min(FAR, needs[1][sets])


def _of_shape(standing: Standing, shape: Shape, known: int) -> int:
    """What the shape lacks, where that may be less than is `known` already."""
    key, usable = standing.key, standing.usable
    if shape.id == STRAIGHT:
        return _knitted_straight(standing, known)
    if standing.melds:
        return FAR
    if shape.id in (LESSER, GREATER):
        return min(_each_once(key, usable, room, 14) for room in _ROOMS)
    if shape.id == "thirteen-orphans":
        doubled = FAR
        for face in ORPHANS:
            if held(usable, face) > 1:
                doubled = min(doubled, 0 if held(key, face) > 1 else 1)
        return min(FAR, _each_once(key, usable, ORPHANS, 13) + doubled)
    if shape.id == "seven-pairs":
        if shape.find(_PAIRS_WITH_FOUR, 0):
            return _with_special(key, usable, 4, 5)
        return _different_pairs(key, usable)
    if shape.id in ("eight-pairs", "seven-pairs-and-triplet"):
        return _with_special(key, usable, 3, 7)
    raise ValueError(f"no way is known to count the distance to {shape.id}")


def _each_once(key: int, usable: int, room: tuple[int, ...], count: int) -> int:
    """So many different faces of the room, one tile of each."""
    faces = [face for face in room if held(usable, face)]
    have = sum(1 for face in faces if held(key, face))
    return FAR if len(faces) < count else count - min(count, have)


def _knitted_straight(standing: Standing, best: int) -> int:
    if standing.melds > 1:
        return FAR
    for pattern in PATTERNS:
        ours = [face for face in pattern if held(standing.key, face)]
        if 9 - len(ours) >= best or any(not held(standing.usable, face) for face in pattern):
            continue
        rest = Standing(
            standing.key - key_of(ours), standing.melds, standing.usable - key_of(pattern)
        )
        best = min(best, 9 - len(ours) + _of_sets(rest, 1 - standing.melds))
    return best


def _different_pairs(key: int, usable: int) -> int:
    costs = sorted(max(0, 2 - held(key, face)) for face in range(FACES) if held(usable, face) > 1)
    return sum(costs[:7]) if len(costs) > 6 else FAR


def _with_special(key: int, usable: int, size: int, pairs: int) -> int:
    """One face `size` times, and pairs of which two may be alike."""
    slots: list[tuple[int, int]] = []
    for face in range(FACES):
        here, most = held(key, face), held(usable, face)
        if most > 1:
            slots.append((max(0, 2 - here), face))
        if most > 3:
            slots.append((min(2, 4 - here), face))
    slots.sort()
    best = FAR
    for special in range(FACES):
        if held(usable, special) >= size:
            rest = [cost for cost, face in slots if face != special][:pairs]
            if len(rest) == pairs:
                best = min(best, max(0, size - held(key, special)) + sum(rest))
    return best


def useful(standing: Standing, table: Table) -> dict[int, int]:
    """Faces that bring the hand nearer, each with the copies that may still come."""
    now = lacking(standing, table)
    found = {}
    for face in range(FACES):
        left = standing.left(face)
        if left and lacking(standing.with_tile(face), table) < now:
            found[face] = left
    return found


def tiles_of(standing: Standing) -> list[int]:
    """The faces that the concealed part holds, each once."""
    return [face for face in range(FACES) if standing.key >> BITS * face & COUNT]
