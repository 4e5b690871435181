"""Random legal hands of Chinese Official in which every fan occurs.

`scorer.sampling` makes ordinary hands; here recipes aim at the rare ones: sets that lie close
together, tiles of one kind only, special shapes, and every event that can go with a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from scorer import Hand, Meld, Situation, Tile, Wind
from scorer.rules.fourteen import ORPHANS
from scorer.rules.knitted import PATTERNS
from scorer.sampling import winning_hand

Set = tuple[int, ...]
HONOURS = tuple(range(27, 34))
GREEN = (19, 20, 21, 23, 25, 32)
REVERSIBLE = (*range(9, 14), 16, 17, 19, 21, 22, 23, 25, 26, 33)


def _ranks(*ranks: int) -> tuple[int, ...]:
    return tuple(9 * suit + rank - 1 for suit in range(3) for rank in ranks)


ONE_SUIT = tuple(tuple(range(9 * suit, 9 * suit + 9)) for suit in range(3))
POOLS: tuple[tuple[int, ...], ...] = (
    GREEN,
    REVERSIBLE,
    _ranks(1, 9),
    (*_ranks(1, 9), *HONOURS),
    HONOURS,
    _ranks(7, 8, 9),
    _ranks(4, 5, 6),
    _ranks(1, 2, 3),
    _ranks(6, 7, 8, 9),
    _ranks(1, 2, 3, 4),
    _ranks(2, 4, 6, 8),
    _ranks(3, 4, 5, 6, 7),
    *ONE_SUIT,
    *((*suit, *HONOURS) for suit in ONE_SUIT),
    tuple(range(18)),
    tuple(range(34)),
)


class Box:
    """The tiles of one set of 136, from which hands are taken."""

    def __init__(self) -> None:
        self.left = [4] * 34

    def take(self, tiles: Iterable[int]) -> bool:
        taken: list[int] = []
        for tile in tiles:
            if not self.left[tile]:
                for back in taken:
                    self.left[back] += 1
                return False
            self.left[tile] -= 1
            taken.append(tile)
        return True


def chow(low: int) -> Set:
    return (low, low + 1, low + 2)


def pung(tile: int) -> Set:
    return (tile,) * 3


def random_set(rng: Random, pool: Sequence[int], box: Box, pungs: float) -> Set | None:
    """A set of the tiles of a pool, or None after some tries."""
    lows = [t for t in pool if t < 27 and t % 9 < 7 and t + 1 in pool and t + 2 in pool]
    for _ in range(30):
        found = pung(rng.choice(pool))
        if lows and rng.random() >= pungs:
            found = chow(rng.choice(lows))
        if box.take(found):
            return found
    return None


def fill(rng: Random, sets: list[Set], pool: Sequence[int], pungs: float,
         eyes: int | None = None) -> tuple[list[Set], int] | None:  # fmt: skip
    """Four sets and eyes: those given, the others of the pool."""
    box = Box()
    if not all(map(box.take, sets)):
        return None
    if eyes is not None and not box.take((eyes, eyes)):
        return None
    while len(sets) < 4:
        more = random_set(rng, pool, box, pungs)
        if more is None:
            return None
        sets.append(more)
    if eyes is None:
        pairs = [tile for tile in pool if box.left[tile] >= 2]
        if not pairs:
            return None
        eyes = rng.choice(pairs)
    return sets, eyes


def of_a_pool(rng: Random) -> Hand | None:
    pool = rng.choice(POOLS)
    return laid(rng, fill(rng, [], pool, rng.choice((0.1, 0.5, 0.9))))


def _window(rng: Random) -> tuple[int, ...]:
    """Neighbouring ranks of one, two or three suits."""
    low, suits = rng.randrange(1, 6), rng.sample(range(3), rng.choice((1, 2, 3)))
    return tuple(9 * s + r - 1 for s in suits for r in range(low, low + 5))


def close_sets(rng: Random) -> Hand | None:
    return laid(rng, fill(rng, [], _window(rng), rng.choice((0.0, 0.1, 0.5))))


def rows_of_chows(rng: Random) -> Hand | None:
    """Chows that make fans together: same, shifted or in a straight, in one suit or three."""
    suits = rng.sample(range(3), 3)
    step = rng.choice((0, 1, 1, 2, 3, 3))
    count = rng.choice((3, 3, 4)) if step < 3 else 3
    low = rng.randrange(0, 7 - step * (count - 1)) if step * (count - 1) < 7 else 0
    ranks = [low + step * i for i in range(count)]
    if rng.random() < 0.5:
        sets = [chow(9 * suits[0] + rank) for rank in ranks]
    else:
        rng.shuffle(ranks)
        sets = [chow(9 * suits[i % 3] + rank) for i, rank in enumerate(ranks[:3])]
    pool = range(34) if rng.random() < 0.5 else _window(rng)
    return laid(rng, fill(rng, sets, pool, rng.choice((0.0, 0.5))))


def terminal_chows(rng: Random) -> Hand | None:
    a, b, c = rng.sample(range(3), 3)
    if rng.random() < 0.5:
        b = c = a
    sets = [chow(9 * suit + rank) for suit in (a, b) for rank in (0, 6)]
    eyes = 9 * c + 4 if rng.random() < 0.7 else rng.randrange(34)
    if rng.random() < 0.3:
        sets.pop()
    return laid(rng, fill(rng, sets, range(34), 0.3, eyes))


def rows_of_pungs(rng: Random) -> Hand | None:
    """Pungs that make fans together, of suits or of honours."""
    kind = rng.randrange(5)
    eyes: int | None = None
    if kind == 0:
        low, count = rng.randrange(0, 6), rng.choice((3, 4))
        base = 9 * rng.randrange(3)
        sets = [pung(base + low + i) for i in range(count)]
    elif kind == 1:
        rank = rng.randrange(9)
        sets = [pung(9 * suit + rank) for suit in range(3)]
    elif kind == 2:
        low, suits = rng.randrange(7), rng.sample(range(3), 3)
        sets = [pung(9 * suit + low + i) for i, suit in enumerate(suits)]
    elif kind == 3:
        winds = rng.sample(range(27, 31), 4)
        sets = [pung(tile) for tile in winds[: rng.choice((3, 3, 4))]]
        eyes = winds[3] if len(sets) == 3 and rng.random() < 0.5 else None
    else:
        dragons = rng.sample(range(31, 34), 3)
        sets = [pung(tile) for tile in dragons[: rng.choice((2, 2, 3))]]
        eyes = dragons[2] if len(sets) == 2 and rng.random() < 0.5 else None
    pool = rng.choice(POOLS) if rng.random() < 0.5 else range(34)
    return laid(rng, fill(rng, sets, pool, rng.choice((0.2, 0.8)), eyes))


def pung_hands(rng: Random) -> Hand | None:
    return laid(rng, fill(rng, [], rng.choice(POOLS), 1.0))


def seven_pairs(rng: Random) -> Hand | None:
    pool = list(rng.choice(POOLS)) * rng.choice((1, 1, 2))
    if rng.random() < 0.1:
        low = 9 * rng.randrange(3) + rng.randrange(3)
        pool = list(range(low, low + 7))
    if len(pool) < 7:
        return None
    faces = rng.sample(pool, 7)
    return won(rng, [tile for tile in faces for _ in range(2)], ())


def orphans(rng: Random) -> Hand:
    return won(rng, [*ORPHANS, rng.choice(ORPHANS)], ())


def knitted_tiles(rng: Random) -> Hand:
    honours = rng.choice((5, 6, 7))
    tiles = rng.sample(HONOURS, honours) + rng.sample(rng.choice(PATTERNS), 14 - honours)
    return won(rng, tiles, ())


def knitted_straight(rng: Random) -> Hand | None:
    pattern = rng.choice(PATTERNS)
    box = Box()
    box.take(pattern)
    one = random_set(rng, range(34), box, 0.5)
    pairs = [tile for tile in range(34) if box.left[tile] >= 2]
    if one is None:
        return None
    eyes = rng.choice(pairs)
    tiles = [*pattern, eyes, eyes]
    if rng.random() < 0.4:
        return won(rng, tiles + list(one), ())
    meld = as_meld(rng, one, box)
    return won(rng, tiles, (meld,))


def gates(rng: Random) -> Hand:
    base = 9 * rng.randrange(3)
    before = [base + rank for rank in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)]
    return Hand(tuple(map(Tile, before)), winning=Tile(base + rng.randrange(9)))


def of_nothing(rng: Random) -> Hand | None:
    """A chow in each suit, a pung of simples and a pair of honours: now and then no fan at all."""
    sets = [chow(9 * suit + rng.randrange(7)) for suit in range(3)]
    sets.append(pung(9 * rng.randrange(3) + rng.randrange(1, 8)))
    return laid(rng, fill(rng, sets, (), 0, rng.choice(HONOURS)))


def ordinary(rng: Random) -> Hand:
    return winning_hand(rng, "mcr").hand


def as_meld(rng: Random, tiles: Set, box: Box, kong: float = 0.35) -> Meld:
    """The set laid down, a pung now and then as a kong."""
    face = tiles[0]
    if tiles[0] == tiles[1] and rng.random() < kong and box.take((face,)):
        return Meld.of([Tile(face)] * 4, concealed=rng.random() < 0.5)
    return Meld.of(map(Tile, tiles))


def laid(rng: Random, found: tuple[list[Set], int] | None) -> Hand | None:
    """Four sets and eyes as a hand, some of the sets on the table."""
    if found is None:
        return None
    sets, eyes = found
    box = Box()
    box.take([tile for one in sets for tile in one])
    box.take((eyes, eyes))
    down, kong = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0)), rng.choice((0.0, 0.3, 1.0))
    loose = [eyes, eyes]
    melds = []
    for one in sets:
        if rng.random() < down:
            melds.append(as_meld(rng, one, box, kong))
        else:
            loose += one
    return won(rng, loose, tuple(melds))


def won(rng: Random, loose: list[int], melds: tuple[Meld, ...]) -> Hand:
    """The hand with one of its concealed tiles as the winning tile."""
    winning = loose.pop(rng.randrange(len(loose)))
    return Hand(tuple(map(Tile, loose)), melds, (), Tile(winning))


RECIPES: tuple[Callable[[Random], Hand | None], ...] = (
    ordinary,
    ordinary,
    of_a_pool,
    of_a_pool,
    close_sets,
    close_sets,
    rows_of_chows,
    rows_of_chows,
    terminal_chows,
    rows_of_pungs,
    pung_hands,
    seven_pairs,
    knitted_tiles,
    knitted_straight,
    of_nothing,
    orphans,
    gates,
)


def mcr_hand(rng: Random) -> tuple[Hand, Situation]:
    """A random legal win: the hand, and facts that can be true together."""
    while True:
        hand = rng.choice(RECIPES)(rng)
        if hand is not None:
            break
    bonus = rng.sample(range(34, 42), rng.choice((0, 0, 0, 1, 2, 8)))
    hand = Hand(hand.concealed, hand.melds, tuple(map(Tile, bonus)), hand.winning)
    seat = Wind(rng.randrange(4))
    self_drawn = rng.random() < 0.4
    facts = Situation(
        seat=seat,
        round=Wind(rng.randrange(4)),
        self_drawn=self_drawn,
        from_seat=None if self_drawn else Wind((seat + rng.randrange(1, 4)) % 4),
    )
    return hand, facts.with_events(_events(rng, hand, self_drawn))


def _events(rng: Random, hand: Hand, self_drawn: bool) -> set[str]:
    """Events that can go with the hand, about half the time none."""
    assert hand.winning is not None
    copies = hand.tiles.count(hand.winning)
    events = set()
    if rng.random() < 0.15:
        events.add("last-draw" if self_drawn else "last-discard")
    if self_drawn and hand.kongs and rng.random() < 0.3:
        events.add("kong-draw")
    if not self_drawn and not events and copies == 1 and rng.random() < 0.15:
        events.add("robbing-kong")
    open_copies = sum(m.tiles.count(hand.winning) for m in hand.melds if m.is_exposed)
    if copies - 1 == open_copies and rng.random() < 0.15:
        events.add("last-copy")
    return events
