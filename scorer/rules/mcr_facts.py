"""`mcr`: house rules, events, the minimum and payments."""

from __future__ import annotations

from itertools import product
from typing import Any

from ..hand import Hand
from ..houserules import Option
from ..payments import UNKNOWN, WINDS, paid
from ..result import Problem, Transfer
from ..ruleset import Paid
from ..situation import Situation
from ..table import Evaluation, Table
from ..view import View
from ..winds import Wind
from .events import before_any_set, drawn_or_given, never_together, only_dealer

OPTIONS = (
    Option("minimum", 8),
    Option("base_payment", 8),
    Option("false_win", 10),
    Option("multiple_winners", "nearest", ("nearest", "all")),
    Option("bonus_tiles", True),
    Option("wait_rule", "formal", ("formal", "real")),
    Option("knitted_wait", True),
    Option("knitted_stack", True),
    Option("seven_pairs_quads", True),
    Option("fully_concealed_special", False),
    Option("last_copy_auto", True),
    Option("two_concealed_kongs", 6, (6, 8)),
    Option("mixed_kongs", 5, (5, 3)),
    Option("strict_1998", False),
)  # fmt: skip

DEALT = "heavenly-hand"
"""The dealer's dealt complete hand: it has no winning tile, and earns nothing of its own."""
_LATE = ("kong-draw", "last-draw", "last-discard", "robbing-kong", "last-copy")


def prepare(hand: Hand, situation: Situation, house: Any) -> Situation:
    """Self-draw or discard as the events say."""
    if situation.self_drawn is None:
        if situation.events & {"last-draw", "kong-draw", DEALT}:
            return situation.but(self_drawn=True)
        if situation.events & {"last-discard", "robbing-kong"}:
            return situation.but(self_drawn=False)
    return situation


def check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    """Every contradiction among the events; no kong is declared with an empty wall."""
    events = situation.events
    if not events:
        return []
    problems = [
        *never_together(events, [("last-discard", "robbing-kong")]),
        *never_together(events, product((DEALT,), _LATE)),
        *only_dealer(situation, (DEALT,), ()),
        *drawn_or_given(situation, ("last-draw", "kong-draw", DEALT), ("last-discard",)),
        *before_any_set(hand, events, (DEALT,), ()),
    ]
    if "kong-draw" in events and hand.bonus and not hand.kongs and situation.replacement != "bonus":
        problems.append(Problem("kong-draw-needs-kong"))
    return problems


def after(view: View, evaluation: Evaluation, table: Table) -> list[Problem]:
    """The minimum, which bonus tiles do not help to reach."""
    flower = table.index.get("every-flower")
    have = evaluation.total - sum(
        table.values[i] * count for i, count in evaluation.counted if i == flower
    )
    if have >= table.minimum:
        return []
    facts = {"have": have, "need": table.minimum, "short": table.minimum - have}
    return [Problem("below-minimum", facts)]


def pay(total: int, view: View, evaluation: Evaluation, table: Table) -> Paid:
    """Self-drawn, each loser pays base and total; else the discarder does, the others the base."""
    situation, base = view.situation, table.house.base_payment
    winner, giver = situation.seat, situation.from_seat
    if winner is None or (giver is None and not view.self_drawn):
        return UNKNOWN
    transfers = []
    for payer in WINDS:
        if payer is winner:
            continue
        parts: tuple[tuple[str, int], ...] = (("base", base),)
        owes = base
        if view.self_drawn or payer is giver:
            parts = (*parts, ("fan", total))
            owes += total
        reason = "self-drawn" if view.self_drawn else "discard"
        transfers.append(Transfer(payer, winner, owes, reason, parts))
    return paid(transfers)


def false_win(offender: Wind, table: Table) -> Paid:
    """Below the minimum, or not complete: the offender pays each player."""
    amount = table.house.false_win
    return paid(
        Transfer(offender, other, amount, "false-win", (("false-win", amount),))
        for other in WINDS
        if other is not offender
    )
