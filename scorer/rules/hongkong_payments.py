"""Payments of `hongkong` and `hongkong-digital`: points, who pays double, who pays for all."""

from __future__ import annotations

from typing import Any, Final

from ..hand import Hand, Meld
from ..payments import UNKNOWN, WINDS, paid
from ..result import Transfer
from ..ruleset import Paid
from ..situation import Fed, Situation
from ..table import Evaluation, Table
from ..view import View
from ..winds import Wind
from .hongkong_points import first_row, last_row, points

FEW_TILES: Final = 5
"""Wall tiles with which the fifth-tile penalty begins."""


def pay(total: int, view: View, evaluation: Evaluation, table: Table) -> Paid:
    """Each loser pays the points of the total, doubled for each reason that applies; where one
    player is liable, that player pays the three shares as they stand.
    """
    house, situation = table.house, view.situation
    winner, giver = situation.seat, situation.from_seat
    if winner is None or (not view.self_drawn and giver is None):
        return UNKNOWN
    if total < first_row(house.payment_table):
        return UNKNOWN
    east_doubles = house.payment_doubling == "east_and_discarder"
    if east_doubles and situation.dealer is None:
        return UNKNOWN
    liable = _liable(view, house)
    if liable is None or liable[0] is winner:
        return UNKNOWN
    payer, reason = liable
    spared: frozenset[Wind] = frozenset()
    if payer is None and not view.self_drawn and house.multiple_winners == "all":
        spared = situation.also_won
    base = points(house.payment_table, total)
    transfers = []
    for loser in WINDS:
        if loser is winner or loser in spared:
            continue
        parts: tuple[tuple[str, int], ...] = (("faan", total), ("points", base))
        if house.payment_doubling != "none":
            if view.self_drawn:
                parts = (*parts, ("times-self-drawn", 2))
            elif loser is giver:
                parts = (*parts, ("times-discarder", 2))
            if east_doubles and situation.dealer in (winner, loser):
                parts = (*parts, ("times-east", 2))
        amount = base * 2 ** (len(parts) - 2)
        transfers.append(Transfer(loser if payer is None else payer, winner, amount, reason, parts))
    return paid(transfers)


def _liable(view: View, house: Any) -> tuple[Wind | None, str] | None:
    """Who pays for all, and why; nobody and how it was won where each pays for himself. None
    while a fact that decides it is not known.
    """
    situation = view.situation
    giver = situation.from_seat
    flush = view.suits == 1 and not view.honours
    if view.self_drawn:
        if house.twelve_piece and flush and view.exposed == 4:
            feeder = _fed_last(view.hand, situation)
            return None if feeder is None else (feeder, "twelve-piece")
        return None, "self-drawn"
    if view.robbed and house.robbed_kong:
        return giver, "robbed-kong"
    if house.nine_piece and flush and view.exposed >= 3:
        return giver, "nine-piece"
    if house.discarder_pays_all:
        return giver, "discarder-pays-all"
    if house.fifth_tile and wall_is_short(situation):
        if situation.seen is None:
            return None
        if not situation.seen:
            return giver, "fifth-tile"
    return None, "discard"


def wall_is_short(situation: Situation) -> bool:
    """Whether a discard came with five or fewer tiles left; many are taken for granted where
    nobody counted.
    """
    left = situation.wall_left
    if situation.robbed:
        return False  # the pung of a robbed kong has shown the face
    if left is None:
        return "last-tile" in situation.events
    return left <= FEW_TILES


def _fed_last(hand: Hand, situation: Situation) -> Wind | None:
    """Who gave the newest exposed set, as far as it is said."""
    for fed in reversed(situation.fed):
        if any(_is_set(fed, meld) for meld in hand.melds):
            return fed.seat
    return None


def _is_set(fed: Fed, meld: Meld) -> bool:
    # A kong that was claimed as a pung and added to may be named by three tiles.
    return meld.is_exposed and set(fed.tiles) == set(meld.tiles)


def asks(hand: Hand, situation: Situation, house: Any) -> dict[str, tuple[Any, ...]]:
    """Facts that decide who is liable, where the hand makes it possible."""
    facts: dict[str, tuple[Any, ...]] = {}
    if situation.self_drawn:
        if (
            house.twelve_piece
            and len(hand.melds) == 4
            and all(meld.is_exposed for meld in hand.melds)
            and len({tile // 9 for tile in hand.tiles if tile < 34}) == 1
            and not hand.tiles[0].is_honour
            and _fed_last(hand, situation) is None
        ):
            newest = hand.melds[-1].tiles
            facts["fed"] = tuple((Fed(w, newest),) for w in WINDS if w != situation.seat)
    elif (
        situation.seen is None
        and situation.self_drawn is False
        and house.fifth_tile
        and not house.discarder_pays_all
        and wall_is_short(situation)
    ):
        facts["seen"] = (True, False)
    return facts


def false_win(offender: Wind, table: Table) -> Paid:
    """False win: the offender pays every player the points of the limit or of the minimum."""
    house = table.house
    if house.false_win == "off":
        return paid([])
    faan = table.minimum
    if house.false_win == "limit":
        faan = table.limit if table.limit is not None else last_row(house.payment_table)
    amount = points(house.payment_table, faan)
    parts = (("faan", faan), ("points", amount))
    return paid(
        Transfer(offender, other, amount, "false-win", parts)
        for other in WINDS
        if other is not offender
    )
