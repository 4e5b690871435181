"""Payments of one win in `sichuan`: 2 to the power of the fan, a point more on a self-draw."""

from __future__ import annotations

from ..payments import UNKNOWN, WINDS, paid
from ..result import Transfer
from ..ruleset import Paid
from ..table import Evaluation, Table
from ..view import View
from ..winds import Wind


def pay(total: int, view: View, evaluation: Evaluation, table: Table) -> Paid:
    """The discarder pays the base alone; on a self-draw each player still in play pays."""
    situation = view.situation
    winner = situation.seat
    if winner is None or not (view.self_drawn or situation.from_seat is not None):
        return UNKNOWN
    base = 2**total
    parts: tuple[tuple[str, int], ...] = (("base", base),)
    if not view.self_drawn:
        assert situation.from_seat is not None
        how = "robbing-kong" if view.robbed else "discard"
        return paid([Transfer(situation.from_seat, winner, base, how, parts)])
    more = int(table.house.self_draw == "plus_point")
    if more:
        parts = (*parts, ("self-drawn", more))
    out = {winner, *situation.already_won}
    return paid(
        Transfer(payer, winner, base + more, "self-drawn", parts)
        for payer in WINDS
        if payer not in out
    )


def false_win(offender: Wind, table: Table) -> Paid:
    """False win: the offender pays each other player the points of the house rule."""
    points = table.house.false_win
    others = [wind for wind in WINDS if wind is not offender and points]
    return paid(Transfer(offender, other, points, "false-win") for other in others)
