"""Scores while facts are unknown: every answer is tried, the range and the questions remain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from .engine import score_known
from .hand import CONCEALED_KONG, Hand, Meld
from .houserules import HouseRules
from .legality import NO_WINNING_TILE, events_of
from .result import Problem, Result
from .situation import Situation
from .table import Table, table_of
from .tiles import FACES, Tile
from .winds import Wind

Facts = dict[str, tuple[Any, ...]]
_MOST = 20_000
"""Answers that are tried together; with more of them nothing is said but what to ask."""
# Problems that no answer about seats, winds or the winning tile can lift.
OF_THE_TILES = frozenset(
    {"too-many-tiles", "too-few-tiles", "too-many-sets", "fifth-copy", "second-bonus",
     "bonus-in-hand", "no-bonus-tiles", "foreign-tile", "not-complete"}
)  # fmt: skip


def open_facts(hand: Hand, situation: Situation, table: Table) -> Facts:
    """The unknown facts that can change the total, each with the answers it may have."""
    facts: Facts = {}
    if situation.seat is None:
        facts["seat"] = tuple(Wind)
    if situation.round is None and table.rules.honours:
        facts["round"] = tuple(Wind)
    if situation.self_drawn is None:
        facts["self_drawn"] = (False,) if situation.robbed else (True, False)
    if hand.winning is None and hand.concealed and not situation.events & NO_WINNING_TILE:
        facts["winning"] = tuple(dict.fromkeys(hand.concealed))
    if hand.has_backs:
        facts["face_down"] = tuple(
            Tile(face) for face in range(FACES if table.rules.honours else 27)
        )
    for event in sorted(situation.unknown_events - situation.events):
        if event in events_of(table):
            facts["event:" + event] = (False, True)
    facts.update(table.rules.asks(hand, situation, table.house))
    return facts


def score_open(hand: Hand, situation: Situation, table: Table, facts: Facts) -> Result:
    """Score a hand with unknown facts: certain only if every answer gives the same items."""
    backs = hand.tiles.count(Tile.BACK)
    if backs > 1 and not _one_kong(hand):
        return _uncertain(table, None, ["face_down", *(f for f in facts if f != "face_down")])
    outcomes = []
    refused: list[tuple[tuple[Hand, Situation], Result]] = []
    hopeless = OF_THE_TILES
    if any(fact.startswith("event:") for fact in facts):
        hopeless = frozenset()
    elif "face_down" in facts:
        hopeless -= {"fifth-copy", "not-complete"}
    countless = prod(map(len, facts.values())) > _MOST
    for answers in _answers(facts):
        tried = _applied(hand, situation, table, answers)
        if tried is None:
            continue
        result = score_known(*tried, table, explain=False)
        if result.total is None:
            refused.append((tried, result))
            if any(problem.id in hopeless for problem in result.problems):
                break
        else:
            outcomes.append((answers, result))
        if countless:
            return _uncertain(table, None, list(facts))
    if not outcomes:
        return _why_none(table, refused)
    totals = [result.total for _, result in outcomes if result.total is not None]
    low, high = min(totals), max(totals)
    good = {not result.problems for _, result in outcomes}
    # The same total for other reasons is not certain either: the items shown could be wrong.
    reasons = {tuple(result.ids()) for _, result in outcomes}
    if low < high or len(good) > 1 or len(reasons) > 1:
        return _uncertain(table, (low, high), _deciding(facts, outcomes))
    if refused and _hangs_on([result for _, result in refused], facts):
        return _uncertain(table, (low, high), list(facts))
    return _merged([result for _, result in outcomes], facts)


def score_range(
    hand: Hand,
    situation: Situation,
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
) -> tuple[int, int, tuple[str, ...]] | None:
    """(lowest total, highest total, deciding questions, the most telling first).

    With everything known the two totals are equal and there are no questions. None for a hand
    that is no win however the questions are answered. Raises as `score` does.
    """
    from .engine import score_with

    result = score_with(hand, situation, table_of(ruleset, house))
    if result.range is not None:
        return (*result.range, result.questions)
    return None if result.total is None else (result.total, result.total, ())


def _answers(facts: Facts) -> Iterator[dict[str, Any]]:
    for values in product(*facts.values()):
        yield dict(zip(facts, values, strict=True))


def _applied(
    hand: Hand, situation: Situation, table: Table, answers: dict[str, Any]
) -> tuple[Hand, Situation] | None:
    """The hand and situation under these answers; None when they cannot be."""
    changes: dict[str, Any] = {}
    events = set(situation.events)
    for name, value in answers.items():
        if name.startswith("event:"):
            if value:
                events.add(name.removeprefix("event:"))
        elif name == "face_down":
            hand = _turned_up(hand, value)
        elif name != "winning":
            changes[name] = value
    if "winning" in answers and hand.winning is None:
        left = list(hand.concealed)
        tile = answers["winning"]
        if tile is Tile.BACK:
            tile = answers["face_down"]
        left.remove(tile)
        hand = replace(hand, concealed=tuple(left), winning=tile)
    if changes.get("self_drawn") is True and situation.from_seat is not None:
        return None
    if changes.get("seat") is not None and changes["seat"] == situation.from_seat:
        return None
    fixed = situation.but(**changes, events=frozenset(events), unknown_events=frozenset())
    if events:
        fixed = table.rules.prepare(hand, fixed, table.house)
    return hand, fixed


def _one_kong(hand: Hand) -> bool:
    """Whether all backs belong to one concealed kong."""
    return Tile.BACK not in hand.concealed and (
        sum(Tile.BACK in meld.tiles for meld in hand.melds) == 1
    )


def _turned_up(hand: Hand, face: Tile) -> Hand:
    melds = []
    for meld in hand.melds:
        if Tile.BACK in meld.tiles:
            meld = Meld(CONCEALED_KONG, (face,) * 4)
        melds.append(meld)
    up = tuple(face if tile is Tile.BACK else tile for tile in hand.concealed)
    winning = face if hand.winning is Tile.BACK else hand.winning
    return Hand(up, tuple(melds), hand.bonus, winning)


def _deciding(facts: Facts, outcomes: list[tuple[dict[str, Any], Result]]) -> list[str]:
    """The facts that change the total while the others stay, by how much, the widest first."""
    spread = {}
    for name in facts:
        groups: dict[tuple[Any, ...], list[int]] = {}
        for answers, result in outcomes:
            rest = tuple(value for key, value in answers.items() if key != name)
            groups.setdefault(rest, []).append(result.total or 0)
        spread[name] = max(max(group) - min(group) for group in groups.values())
    return sorted((n for n in spread if spread[n]), key=lambda n: -spread[n]) or list(facts)


def _hangs_on(refused: list[Result], facts: Facts) -> bool:
    """Whether an answer that is refused would still be a possible answer (below the minimum, or
    another tile under a back), so that it cannot simply be ruled out.
    """
    soft = {"below-minimum", "not-complete"}
    hard = all(any(p.id not in soft for p in result.problems) for result in refused)
    return not hard and ("face_down" in facts or "winning" in facts)


def _merged(results: list[Result], facts: Facts) -> Result:
    """One certain result out of several with the same total, all wins or none."""
    first = results[0]
    same = all(r.payments == first.payments for r in results)
    return replace(
        first,
        payments=first.payments if same else None,
        transfers=first.transfers if same else (),
        dealer_line=first.dealer_line if same else 0,
        questions=first.questions if same else (*facts, *first.questions),
    )


def _uncertain(table: Table, span: tuple[int, int] | None, questions: list[str]) -> Result:
    return Result(
        table.name,
        table.rules.version,
        range=span,
        questions=tuple(questions),
        minimum=table.minimum,
        unit=table.rules.unit,
    )


def _why_none(table: Table, refused: list[tuple[tuple[Hand, Situation], Result]]) -> Result:
    """No answer makes it a win: what stands against the answer that comes nearest."""
    if not refused:
        return replace(_uncertain(table, None, []), problems=(Problem("no-answer-fits"),))
    nearest, _ = min(refused, key=lambda pair: len(pair[1].problems))
    return score_known(*nearest, table)
