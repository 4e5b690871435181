"""Seeded random hands for tests, benches, data sets and teaching.

Every hand is legal: no face more than four times, no bonus tile twice, and a winning hand is
complete under the rule set with facts that can be true together.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from .engine import score, score_with
from .hand import CHOW, CONCEALED_KONG, KONG, PUNG, Hand, Meld
from .registry import find_ruleset
from .ruleset import Ruleset
from .situation import Fed, Situation
from .table import Table, table_of
from .tiles import FACES, Tile
from .winds import Wind

MOODS: Final = ("mixed", "mixed", "flush", "pungs", "honours", "open", "closed")
"""What a sampled hand leans to, so that rare items occur; drawn at random."""
TOO_LITTLE: Final = frozenset({"below-minimum", "no-faan-from-tiles"})
"""Problems of a complete hand that is only worth too little to win."""
_TRIES: Final = 60


@dataclass(frozen=True, slots=True)
class Sample:
    """A hand with the facts of its win."""

    hand: Hand
    situation: Situation


class _Stock:
    """The copies of each face that are still free."""

    def __init__(self, rules: Ruleset, rng: Random, mood: str) -> None:
        self.left = [4] * FACES
        self.rng = rng
        suits = [0, 1, 2]
        rng.shuffle(suits)
        # Without honours one suit is always given up.
        kept = suits[:1] if mood in ("flush", "honours") else suits[: 3 if rules.honours else 2]
        faces = [9 * suit + rank for suit in kept for rank in range(9)]
        if rules.honours and (mood != "flush" or rng.random() < 0.6):
            faces += list(range(27, FACES)) * (2 if mood in ("honours", "pungs") else 1)
        if rules.honours and mood == "honours" and rng.random() < 0.15:
            faces = [face for face in faces if face > 26]
        self.faces = faces

    def take(self, tiles: list[int]) -> bool:
        """Take these tiles if there are copies of all of them."""
        for i, tile in enumerate(tiles):
            if not self.left[tile]:
                for back in tiles[:i]:
                    self.left[back] += 1
                return False
            self.left[tile] -= 1
        return True

    def set_of(self, kind: str) -> list[int] | None:
        for _ in range(_TRIES):
            face = self.rng.choice(self.faces)
            if kind == CHOW:
                if face > 26 or face % 9 > 6:
                    continue
                tiles = [face, face + 1, face + 2]
            else:
                tiles = [face] * {PUNG: 3, "pair": 2}.get(kind, 4)
            if self.take(tiles):
                return tiles
        return None


def winning_hand(rng: Random, ruleset: str = "taiwan", mood: str | None = None) -> Sample:
    """A random complete hand with everything known about its win.

    The result depends on the state of `rng` alone.
    """
    table = table_of(ruleset)
    while True:
        built = _built(rng, table, mood or rng.choice(MOODS))
        if built is not None:
            return built


def _built(rng: Random, table: Table, mood: str) -> Sample | None:
    rules = table.rules
    stock = _Stock(rules, rng, mood)
    melds: list[Meld] = []
    loose: list[int] = []
    pung = {"pungs": 0.95, "honours": 0.8, "closed": 0.35}.get(mood, rng.choice((0.1, 0.3, 0.5)))
    down = {"open": 0.95, "closed": 0.0}.get(mood, rng.choice((0.0, 0.3, 0.6)))
    kong = rng.choice((0.0, 0.0, 0.15, 0.4))
    eyes = stock.set_of("pair")
    for _ in range(rules.sets):
        kind = PUNG if rng.random() < pung else CHOW
        laid = rng.random() < down
        if kind == PUNG and rng.random() < kong:
            kind = KONG if laid else CONCEALED_KONG
        claims_chows = rules.honours
        tiles = stock.set_of(kind)
        if tiles is None:
            return None
        if kind == CONCEALED_KONG or (laid and (kind != CHOW or claims_chows)):
            melds.append(Meld(kind, tuple(map(Tile, tiles))))
        else:
            loose += tiles
    if eyes is None:
        return None
    loose += eyes
    winning = loose.pop(rng.randrange(len(loose)))
    bonus = _bonus(rng) if table.bonus_tiles else ()
    hand = Hand(tuple(map(Tile, loose)), tuple(melds), bonus, Tile(winning))
    return Sample(hand, random_situation(rng, table, hand))


def _bonus(rng: Random) -> tuple[Tile, ...]:
    count = rng.choice((0, 0, 1, 1, 2, 2, 3, 4, 6))
    return tuple(map(Tile, rng.sample(range(34, 42), count)))


def random_situation(rng: Random, table: Table, hand: Hand) -> Situation:
    """Facts of a win that go with this hand, now and then with an event."""
    rules = table.rules
    seat, dealer_round = Wind(rng.randrange(4)), Wind(rng.randrange(4))
    self_drawn = rng.random() < 0.4
    giver = None if self_drawn else Wind((seat + rng.randrange(1, 4)) % 4)
    suits = [suit for suit in "mps" if all(tile.suit != suit for tile in hand.tiles)]
    plain = Situation(
        seat=seat,
        round=dealer_round,
        self_drawn=self_drawn,
        from_seat=giver,
        streak=rng.choice((0, 0, 0, 1, 2, 5)),
        missing_suit=None if rules.honours or not suits else rng.choice(suits),
    )
    asked = rules.asks(hand, plain, table.house)
    plain = plain.but(**{f: rng.choice(asked[f]) for f in ("dora", "red_fives") if f in asked})
    if rng.random() < 0.75:
        return plain
    events = sorted(item.id for item in rules.items if item.event)
    if not events:
        return plain
    event = rng.choice(events)
    tried = plain.but(events=frozenset({event}))
    if event == "kong-draw":
        tried = tried.but(**_replaced(rng, hand, seat))
    fits = all(problem.id in TOO_LITTLE for problem in score_with(hand, tried, table).problems)
    return tried if fits else plain


def _replaced(rng: Random, hand: Hand, seat: Wind) -> dict[str, Any]:
    """What a win after a kong or bonus tile replaced, and who gave a claimed kong."""
    kinds = {KONG: "claimed-kong", CONCEALED_KONG: "concealed-kong"}
    found = [(kinds[meld.kind], meld) for meld in hand.melds if meld.kind in kinds]
    choices: list[tuple[str, Meld | None]] = [*found, *([("bonus", None)] if hand.bonus else [])]
    if not choices:
        return {}
    what, meld = rng.choice(choices)
    if what != "claimed-kong" or meld is None:
        return {"replacement": what}
    if rng.random() < 0.5:
        return {"replacement": "added-kong"}
    giver = Wind((seat + rng.randrange(1, 4)) % 4)
    return {"replacement": what, "fed": (Fed(giver, meld.tiles),)}


def waiting_hand(rng: Random, ruleset: str = "taiwan") -> Sample:
    """A hand one tile short of a win: a winning hand without its winning tile."""
    sample = winning_hand(rng, ruleset)
    hand = sample.hand
    return Sample(Hand(hand.concealed, hand.melds, hand.bonus), sample.situation)


def other_hand(rng: Random, ruleset: str = "taiwan", exchanged: int = 2) -> Sample:
    """A hand of the right size that is not complete: a winning hand with tiles exchanged."""
    rules = find_ruleset(ruleset)
    while True:
        sample = winning_hand(rng, ruleset)
        hand = sample.hand
        loose = list(hand.concealed)
        counts = [hand.tiles.count(Tile(face)) for face in range(FACES)]
        for _ in range(min(exchanged, len(loose))):
            at = rng.randrange(len(loose))
            free = [f for f in range(FACES if rules.honours else 27) if counts[f] < 4]
            fresh = rng.choice(free)
            counts[loose[at]] -= 1
            counts[fresh] += 1
            loose[at] = Tile(fresh)
        tried = Hand(tuple(loose), hand.melds, hand.bonus, hand.winning)
        result = score(tried, sample.situation.but(events=frozenset(), robbed=False), ruleset)
        if [problem.id for problem in result.problems] == ["not-complete"]:
            return Sample(tried, sample.situation.but(events=frozenset(), robbed=False))


def random_tiles(rng: Random, ruleset: str = "taiwan") -> Hand:
    """A list of tiles that may break every rule: for tests that nothing raises."""
    rules = find_ruleset(ruleset)
    size = rng.choice((0, 1, 3 * rules.sets + 1, 3 * rules.sets + 1, 3 * rules.sets + 4, 30))
    tiles = [Tile(rng.randrange(43 if rng.random() < 0.1 else FACES)) for _ in range(size)]
    if rng.random() < 0.3:
        tiles = [rng.choice(tiles[:5]) for _ in tiles] if tiles else tiles
    melds = []
    for _ in range(rng.choice((0, 0, 1, 2, 6))):
        face = Tile(rng.randrange(FACES))
        kind, count = rng.choice(((PUNG, 3), (KONG, 4), (CONCEALED_KONG, 4)))
        melds.append(Meld(kind, (face,) * count))
    bonus = tuple(Tile(rng.randrange(34, 42)) for _ in range(rng.choice((0, 0, 1, 3, 9))))
    winning = Tile(rng.randrange(FACES)) if rng.random() < 0.8 else None
    return Hand(tuple(tiles), tuple(melds), bonus, winning)
