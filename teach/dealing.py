"""Hands to practise on: dealt by difficulty and item, or taken from the ledger. All seeded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

from scorer import Hand, HandTextError, HouseRules, Result, Situation
from scorer.engine import score_with
from scorer.sampling import MOODS, Sample, winning_hand
from scorer.table import Table, table_of
from table import Ledger
from table.events import WIN
from table.log import effective
from table.outcome import situation_of
from table.state import State

from .almost import more_than
from .neighbours import neighbours

DIFFICULTIES: Final = (1, 2, 3)
_SURVEYED: Final = 500
_TRIES: Final = 1500
_NEAR: Final = 12
_COMMON: Final = 0.08
_USUAL: Final = 0.02
_MOST_ITEMS: Final = {1: 3, 2: 6, 3: 99}


class TooRareError(ValueError):
    """No hand of the wanted kind turned up. `item` is the id that was asked for."""

    def __init__(self, item: str) -> None:
        super().__init__(f"no hand with {item} turned up")
        self.item = item


@dataclass(frozen=True, slots=True)
class Dealt:
    """A won hand with its score."""

    hand: Hand
    situation: Situation
    result: Result


@dataclass(frozen=True, slots=True)
class Club:
    """The rules a lesson is about: a rule set or preset, and house rules where a club has them."""

    ruleset: str = "taiwan"
    house: HouseRules | None = None

    @property
    def table(self) -> Table:
        return table_of(self.ruleset, self.house)


@lru_cache(maxsize=64)
def items_by_difficulty(club: Club) -> dict[int, tuple[str, ...]]:
    """Items by how often dealt hands earn them: common, usual, rare. Seldom ones are left out."""
    rng = Random(f"items of {club.ruleset}")
    met = Counter[str]()
    for _ in range(_SURVEYED):
        sample = winning_hand(rng, club.ruleset)
        result = score_with(sample.hand, sample.situation, club.table)
        if result.is_good:
            met.update({item.id for item in result.items})
    found: dict[int, tuple[str, ...]] = {}
    for level, most in ((1, 1.0), (2, _COMMON), (3, _USUAL)):
        least = {1: _COMMON, 2: _USUAL, 3: 0.0}[level]
        rows = [i.id for i in club.table.items if least < met[i.id] / _SURVEYED <= most]
        found[level] = tuple(rows)
    return found


def deal(rng: Random, club: Club, difficulty: int, item: str = "") -> Dealt:
    """A certain win of this difficulty that earns the item, where one is named.

    Easy hands have few items and no events. Raises TooRareError, and KeyError for an item that
    the rule set does not have.
    """
    if item:
        club.table.rules.item(item)
    return find(rng, club, difficulty, lambda dealt: not item or item in dealt.result.ids(), item)


def find(
    rng: Random, club: Club, difficulty: int, fits: Callable[[Dealt], bool], item: str = ""
) -> Dealt:
    """A dealt hand that fits. Raises TooRareError when none turns up."""
    spare: list[Dealt] = []
    for _ in range(_TRIES):
        sample = winning_hand(rng, club.ruleset, rng.choice(MOODS))
        dealt = _scored(sample, club, difficulty, bool(item))
        if dealt is None:
            continue
        if fits(dealt):
            return dealt
        if len(spare) < _NEAR:
            spare.append(dealt)
    # What hardly ever turns up is made from a hand that is a tile or two away from it.
    for dealt in spare:
        for tiles in (1, 2):
            for near in neighbours(dealt.hand, club.table, tiles):
                made = _scored(Sample(near.hand, dealt.situation), club, 3, True)
                if made and more_than(dealt.result, made.result) and fits(made):
                    return made
    raise TooRareError(item)


def _scored(sample: Sample, club: Club, difficulty: int, events: bool) -> Dealt | None:
    if difficulty < 3 and sample.situation.events and not events:
        return None
    result = score_with(sample.hand, sample.situation, club.table)
    shape = result.arrangement.shape if result.arrangement else "none"
    if not result.is_good or shape == "none" or len(result.items) > _MOST_ITEMS[difficulty]:
        return None
    if difficulty == 1 and not events and len(sample.hand.melds) > 3:
        return None
    return Dealt(sample.hand, sample.situation, result)


def from_ledger(ledger: Ledger) -> Iterator[tuple[Dealt, Club]]:
    """Every hand that was won in a night, with the facts of then, scored by the rules of today.

    Hands written down as totals only, and such as no longer score, are passed over.
    """
    events = effective(ledger.records)
    state = State(events[0].body)
    for event in events[1:]:
        if event.kind == WIN:
            for winner in event.body["winners"]:
                dealt = _won(state, event.body, winner)
                if dealt is not None:
                    yield dealt, Club(state.rules_id, state.house)
        state.apply(event.no, event.kind, event.at, event.body, event.outcome)


def _won(state: State, body: object, winner: dict[str, object]) -> Dealt | None:
    text = winner.get("hand")
    if not isinstance(text, str):
        return None
    try:
        hand = Hand.parse(text)
        situation = situation_of(state, body, winner)  # type: ignore[arg-type]
    except (HandTextError, ValueError):
        return None
    result = score_with(hand, situation, table_of(state.rules_id, state.house))
    return Dealt(hand, situation, result) if result.is_good else None
