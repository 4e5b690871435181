"""Payments asked for directly: a known total, a false win, several winners."""

from __future__ import annotations

from collections.abc import Sequence

from .arrange import key_of
from .engine import score
from .hand import Hand
from .houserules import HouseRules
from .result import Result
from .ruleset import Paid
from .situation import Situation
from .table import Evaluation, table_of
from .view import View
from .winds import Wind


def pay_total(
    total: int,
    situation: Situation,
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
    hand: Hand | None = None,
) -> Paid:
    """Who pays whom for a total that is already known, dealer line not included.

    `hand` is asked only where a house rule makes somebody liable for a set. Raises ValueError
    for an unknown rule set or foreign house rules.
    """
    table = table_of(ruleset, house)
    hand = hand or Hand(())
    view = View(hand, situation, table.house, key_of(hand.concealed))
    return table.rules.pay(table.cut(total), view, Evaluation(total, []), table)


def pay_false_win(
    offender: Wind, ruleset: str = "taiwan", house: HouseRules | None = None
) -> Paid | None:
    """What a false win costs; None where the rule set names no amount."""
    table = table_of(ruleset, house)
    return None if table.rules.false_win is None else table.rules.false_win(offender, table)


def score_winners(
    wins: Sequence[tuple[Hand, Situation]],
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
) -> list[Result]:
    """Score several wins on one discard, in the order given.

    Each situation names its seat and the same discarder. By the house rule only the nearest
    player after the discarder is paid, and the others' results say so; or all are paid in full.
    """
    seats = frozenset(s.seat for _, s in wins if s.seat is not None)
    return [
        score(hand, s.but(also_won=s.also_won | seats - {s.seat}), ruleset, house)
        for hand, s in wins
    ]
