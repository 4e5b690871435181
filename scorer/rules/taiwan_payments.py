"""Payments of `taiwan`: base + tai, and the dealer line between the dealer and each other."""

from __future__ import annotations

from ..payments import UNKNOWN, WINDS, paid
from ..result import Transfer
from ..ruleset import Paid
from ..table import Evaluation, Table
from ..view import View
from ..winds import Wind


def pay(total: int, view: View, evaluation: Evaluation, table: Table) -> Paid:
    """Who pays: the discarder alone, or each of the three on a self-draw."""
    house, situation = table.house, view.situation
    winner = situation.seat
    dealer, streak = situation.dealer, situation.streak
    if winner is None:
        return UNKNOWN
    if view.self_drawn:
        payers = [wind for wind in WINDS if wind is not winner]
    elif situation.from_seat is None:
        return UNKNOWN
    else:
        payers = [situation.from_seat]
    line = 0
    if house.dealer_line:
        if streak is None or dealer is None:
            # Only a pair without the dealer can be settled without these facts.
            if dealer is None or winner is dealer or dealer in payers:
                return UNKNOWN
        elif winner is dealer or dealer in payers:
            if house.streak_cap is not None:
                streak = min(streak, house.streak_cap)
            line = 2 * streak + 1
    transfers = []
    for payer in payers:
        extra = line if winner is dealer or payer is dealer else 0
        amount = house.base + (total + extra) * house.tai_value
        parts: tuple[tuple[str, int], ...] = (("base", house.base), ("tai", total))
        if extra:
            parts = (*parts, ("dealer-line", extra))
        if house.tai_value != 1:
            parts = (*parts, ("tai-value", house.tai_value))
        transfers.append(
            Transfer(payer, winner, amount, "self-drawn" if view.self_drawn else "discard", parts)
        )
    feeder = _liable(view, table) if house.liability != "off" else None
    if feeder is not None:
        for transfer in transfers:
            transfer.payer = feeder
            transfer.reason = "liability"
    return paid(transfers, line)


def _liable(view: View, table: Table) -> Wind | None:
    """Who fed the third exposed dragon pung or the fourth exposed wind pung, if that was fed."""
    for faces, sets in ((range(31, 34), 3), (range(27, 31), 4)):
        exposed = [m for m in view.melds if m.is_exposed and int(m.tiles[0]) in faces]
        if len(exposed) == sets:
            last = exposed[-1].tiles[0]
            for fed in view.situation.fed:
                if fed.tiles[0] == last:
                    return fed.seat
    return None


def false_win(offender: Wind, table: Table) -> Paid:
    """False win: the offender pays each player base and the tai of the house rule."""
    house = table.house
    amount = house.base + house.false_win * house.tai_value
    parts = (("base", house.base), ("tai", house.false_win))
    return paid(
        Transfer(offender, other, amount, "false-win", parts)
        for other in WINDS
        if other is not offender
    )
