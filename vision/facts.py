"""Which unknown facts change the score of this very hand, and the score of each answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from scorer.engine import score
from scorer.hand import CONCEALED_KONG, Hand, Meld
from scorer.houserules import HouseRules
from scorer.result import Result
from scorer.situation import Situation
from scorer.table import table_of
from scorer.tiles import Tile, tiles_text
from scorer.unknowns import open_facts
from scorer.winds import Wind
from vision.reading import Answer

Span = tuple[int, int]
MAX_OUTCOMES = 4096
"""More combinations of answers than this are not tried one by one."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The score of a hand under every combination of answers to its open facts.

    span: lowest and highest total, None when no answer makes it a win. answers: per fact that
    changes the score, in order of how much, the span of each answer. result: what `score` says.
    """

    result: Result
    span: Span | None
    answers: dict[str, tuple[Answer, ...]]


def outcomes(hand: Hand, situation: Situation, ruleset: str, house: HouseRules | None) -> Outcomes:
    """Score the hand; with facts unknown, under every answer to them."""
    facts = open_facts(hand, situation, table_of(ruleset, house))
    size = 1
    for choices in facts.values():
        size *= len(choices)
    if not facts or size > MAX_OUTCOMES:
        result = score(hand, situation, ruleset, house)
        return Outcomes(result, _span_of(result), {})
    tried: list[tuple[tuple[Any, ...], Result]] = []
    for values in product(*facts.values()):
        answers = dict(zip(facts, values, strict=True))
        fixed = _apply(hand, situation, answers)
        if fixed is not None:
            tried.append((values, score(*fixed, ruleset, house)))
    good = [(values, r) for values, r in tried if r.total is not None]
    if not good:
        # Everything fails in the same way whatever is answered: say that, not what to ask.
        return Outcomes(_refused(tried, hand, situation, ruleset, house), None, {})
    totals = [r.total for _, r in good if r.total is not None]
    span = (min(totals), max(totals))
    changing: dict[str, tuple[float, tuple[Answer, ...]]] = {}
    for k, (name, choices) in enumerate(facts.items()):
        weight = _weight(k, tried)
        if weight > 0:
            said = tuple(
                Answer(_word(choice), _span(r for v, r in tried if v[k] == choice))
                for choice in choices
            )
            changing[name] = (weight, said)
    order = sorted(changing, key=lambda name: -changing[name][0])
    if not changing:
        result = score(hand, situation, ruleset, house)
        return Outcomes(result, span, {})
    result = replace(
        good[0][1],
        total=None,
        certain=False,
        range=span,
        items=(),
        left_out=(),
        payments=None,
        transfers=(),
        dealer_line=0,
        questions=tuple(order),
        arrangement=None,
        others=(),
        uncut=None,
        problems=(),
    )
    return Outcomes(result, span, {name: changing[name][1] for name in order})


def _refused(
    tried: list[tuple[tuple[Any, ...], Result]],
    hand: Hand,
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
) -> Result:
    if not tried:
        return score(hand, situation, ruleset, house)
    return min((r for _, r in tried), key=lambda r: len(r.problems))


def _weight(k: int, tried: list[tuple[tuple[Any, ...], Result]]) -> float:
    """By how much the k-th fact changes the total while the others stay; 0.5 for win or no win."""
    groups: dict[tuple[Any, ...], list[Result]] = {}
    for values, result in tried:
        groups.setdefault(values[:k] + values[k + 1 :], []).append(result)
    weight = 0.0
    for results in groups.values():
        totals = [r.total for r in results if r.total is not None]
        if totals:
            weight = max(weight, max(totals) - min(totals))
            if len(totals) < len(results):
                weight = max(weight, 0.5)
    return weight


def _apply(
    hand: Hand, situation: Situation, answers: dict[str, Any]
) -> tuple[Hand, Situation] | None:
    """Hand and situation under these answers; None when the answers contradict what is known."""
    facts: dict[str, Any] = {}
    events = set(situation.events)
    for name, value in answers.items():
        if name.startswith("event:"):
            if value:
                events.add(name.removeprefix("event:"))
        elif name == "face_down":
            hand = _turned_up(hand, value)
        elif name == "winning":
            left = list(hand.concealed)
            if value not in left:
                return None
            left.remove(value)
            hand = replace(hand, concealed=tuple(left), winning=value)
        else:
            facts[name] = value
    if facts.get("self_drawn") and situation.from_seat is not None:
        return None
    if facts.get("seat") is not None and facts["seat"] == situation.from_seat:
        return None
    fixed = situation.but(**facts, events=frozenset(events), unknown_events=frozenset())
    return hand, fixed


def _turned_up(hand: Hand, face: Tile) -> Hand:
    melds = []
    for meld in hand.melds:
        if Tile.BACK in meld.tiles:
            seen = [tile for tile in meld.tiles if tile is not Tile.BACK]
            meld = Meld(CONCEALED_KONG, ((seen[0] if seen else face),) * 4)
        melds.append(meld)
    up = tuple(face if tile is Tile.BACK else tile for tile in hand.concealed)
    winning = face if hand.winning is Tile.BACK else hand.winning
    return Hand(up, tuple(melds), hand.bonus, winning)


def _span_of(result: Result) -> Span | None:
    return (result.total, result.total) if result.total is not None else result.range


def _span(results: Iterable[Result]) -> Span | None:
    totals = [r.total for r in results if r.total is not None]
    return (min(totals), max(totals)) if totals else None


def _word(value: Any) -> str:
    if isinstance(value, Tile):
        return value.code
    if isinstance(value, Wind):
        return value.letter
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return tiles_text(value) or "none"
    return str(value)
