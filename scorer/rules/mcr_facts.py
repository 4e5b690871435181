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
    Option("minimum", 8, "Points a hand needs to win, bonus tiles apart."),
    Option("base_payment", 8, "Points each loser pays besides the total."),
    Option("false_win", 10, "False win 錯和: what the offender pays to each player."),
    Option("multiple_winners", "nearest", "Two winners on one discard: the nearest only, or all.",
           ("nearest", "all")),
    Option("bonus_tiles", True, "Play with the eight bonus tiles."),
    Option("wait_rule", "formal", "Whether a face held four times still is a wait (formal) or "
           "not (real).", ("formal", "real")),
    Option("knitted_wait", True, "A wait counts though the winning face also lies in the knitted "
           "straight."),
    Option("knitted_stack", True, "Lesser knitted with nine suit tiles adds the knitted straight."),
    Option("seven_pairs_quads", True, "Four alike are two of the seven pairs."),
    Option("fully_concealed_special", False, "Concealed and self-drawn counts beside the hands "
           "that are always concealed."),
    Option("last_copy_auto", True, "Last copy counts by itself where the own claimed sets show "
           "the other three."),
    Option("two_concealed_kongs", 6, "Points of two concealed kongs.", (6, 8)),
    Option("mixed_kongs", 5, "A melded and a concealed kong: one fan of 5, or their own 1 + 2.",
           (5, 3)),
    Option("strict_1998", False, "Exclusions that only the wording of 1998 asks for."),
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
