"""The arranged hand as the predicates of the tables see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arrange import SHANPON
from .hand import CHOW, CONCEALED_KONG, KONG, Hand
from .situation import Situation
from .suits import BITS, COUNT, SUIT_BITS, SUIT_MASK, UNIT, Split
from .tiles import FACES

if TYPE_CHECKING:
    from .hand import Meld

_HONOURS = 3 * SUIT_BITS
_BONUS = tuple(1 << tile - FACES if tile >= FACES else 0 for tile in range(43))


class View:
    """Everything a predicate may ask. Tiles are plain ids; nothing here is changed by predicates.

    Of the hand: `key` (all tiles, see suits.py), `concealed_key` (winning tile included),
    `suits` (how many of m p s occur), `honours` (tiles), `size` (tiles, kongs as four),
    `meld_chows`, `meld_pungs` (faces; all melds), `exposed` (sets claimed), `kongs` (exposed),
    `concealed_kongs`, `concealed_hand`, `bonus` (mask, bit k-1 for kf), `bonus_count`,
    `winning` (-1 for none).
    Of the situation: `self_drawn`, `robbed`, `seat`, `round` (0 to 3), `dealer` (the winner
    deals), `events`. `house` has the options as attributes. `waits` is the mask of faces that
    would have completed the hand, `sole` whether that was one face only.
    Of the arrangement: `shape` (`sets`, a special shape or `none`), `chows` (lowest tiles),
    `pungs` (faces, kongs too), `own_chows`, `own_pungs` (the concealed part), `pair` (-1 for
    none), `wait` (see arrange.py), `concealed_pungs`, `wind_pungs`, `dragon_pungs`, `choice`
    (what the rule set's own `evaluate` has chosen).
    """

    __slots__ = (
        "bonus",
        "bonus_count",
        "choice",
        "chows",
        "concealed_hand",
        "concealed_key",
        "concealed_kongs",
        "concealed_pungs",
        "dealer",
        "dragon_pungs",
        "events",
        "exposed",
        "hand",
        "honours",
        "house",
        "key",
        "kongs",
        "meld_chows",
        "meld_pungs",
        "melds",
        "own_chows",
        "own_pungs",
        "pair",
        "pungs",
        "robbed",
        "round",
        "seat",
        "self_drawn",
        "shape",
        "situation",
        "size",
        "sole",
        "suits",
        "wait",
        "waits",
        "wind_pungs",
        "winning",
    )

    def __init__(self, hand: Hand, situation: Situation, house: Any, concealed_key: int) -> None:
        self.hand = hand
        self.situation = situation
        self.house = house
        self.concealed_key = concealed_key
        self.melds: tuple[Meld, ...] = hand.melds
        self.winning = -1 if hand.winning is None else int(hand.winning)
        self.size = len(hand.concealed) + (self.winning >= 0)
        self.exposed = self.kongs = self.concealed_kongs = 0
        key = concealed_key
        if hand.melds:
            key += self._read_melds(hand.melds)
        else:
            self.meld_chows: tuple[int, ...] = ()
            self.meld_pungs: tuple[int, ...] = ()
        self.key = key
        self.concealed_hand = not self.exposed
        self.honours = (key >> _HONOURS) % COUNT
        self.suits = (
            bool(key & SUIT_MASK)
            + bool(key >> SUIT_BITS & SUIT_MASK)
            + bool(key >> 2 * SUIT_BITS & SUIT_MASK)
        )
        self.bonus_count = len(hand.bonus)
        self.bonus = sum(map(_BONUS.__getitem__, hand.bonus)) if hand.bonus else 0
        self.self_drawn = bool(situation.self_drawn)
        self.robbed = situation.robbed
        self.seat = -1 if situation.seat is None else situation.seat.value
        self.round = -1 if situation.round is None else situation.round.value
        self.dealer = situation.dealer is not None and situation.seat == situation.dealer
        self.events = situation.events
        self.waits = 0
        self.sole = False
        self.choice: Any = None
        self.arrange("none", ((), (), -1), 0)

    def _read_melds(self, melds: tuple[Meld, ...]) -> int:
        chows: tuple[int, ...] = ()
        pungs: tuple[int, ...] = ()
        key = 0
        for meld in melds:
            kind = meld.kind
            tile = int(meld.tiles[0])
            unit = UNIT[tile]
            if kind == CHOW:
                chows += (tile,)
                key += unit * (1 + (1 << BITS) + (1 << 2 * BITS))
                self.size += 3
                self.exposed += 1
                continue
            pungs += (tile,)
            if kind == CONCEALED_KONG:
                self.concealed_kongs += 1
            else:
                self.exposed += 1
                self.kongs += kind == KONG
            count = len(meld.tiles)
            key += count * unit
            self.size += count
        self.meld_chows = chows
        self.meld_pungs = pungs
        return key

    def arrange(self, shape: str, split: Split, wait: int) -> None:
        """Look at the hand in this arrangement, with the winning tile in this place."""
        self.shape = shape
        self.own_chows, self.own_pungs, self.pair = split
        self.chows = self.own_chows + self.meld_chows
        self.pungs = pungs = self.own_pungs + self.meld_pungs
        self.wait = wait
        self.concealed_pungs = len(self.own_pungs) + self.concealed_kongs
        if wait == SHANPON and not self.self_drawn:
            self.concealed_pungs -= 1
        winds = dragons = 0
        if self.honours:
            for tile in pungs:
                if tile > 26:
                    if tile > 30:
                        dragons += 1
                    else:
                        winds += 1
        self.wind_pungs = winds
        self.dragon_pungs = dragons

    @property
    def counts(self) -> list[int]:
        """How often each of the 34 faces occurs, kongs as four."""
        key = self.key
        return [key >> BITS * tile & COUNT for tile in range(FACES)]

    @property
    def all_tiles(self) -> tuple[int, ...]:
        """Every tile of the hand, bonus tiles apart."""
        return tuple(map(int, self.hand.tiles))

    def set_of(self, tile: int) -> tuple[int, ...]:
        """The tiles of the pung or kong of this face."""
        kong = any(meld.is_kong and meld.tiles[0] == tile for meld in self.melds)
        return (tile,) * (4 if kong else 3)

    def sets_of(self, faces: tuple[int, ...]) -> tuple[int, ...]:
        """The tiles of the pungs and kongs among these faces."""
        return tuple(t for face in faces if face in self.pungs for t in self.set_of(face))
