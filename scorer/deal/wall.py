"""The end of the wall: kong payments that come back, flower pigs, and hands that are not ready."""

from __future__ import annotations

from dataclasses import replace

from ..arrange import key_of
from ..engine import score_with, waits_before
from ..hand import Hand
from ..result import Transfer
from ..situation import Situation
from ..table import Table
from ..tiles import Tile
from ..waits import faces_of
from ..winds import Wind
from .events import WallEnd
from .play import Play
from .settlement import NOT_READY, PIG, READY, WON, Standing

PIG_POINTS, PIG_POINTS_READY = 32, 16


def end_of_wall(play: Play, end: WallEnd) -> None:
    """Enter what the players pay who have not won and are not ready."""
    standing = {seat: _standing(play, seat, end) for seat in Wind}
    play.standings = list(standing.values())
    state = {seat: s.state for seat, s in standing.items()}
    ready = [seat for seat in Wind if state[seat] == READY]
    late = [seat for seat in Wind if state[seat] in (PIG, NOT_READY)]
    for event, payments in play.kong_payments.items():
        for paid in payments:
            if paid.payee in late:
                back = Transfer(paid.payee, paid.payer, paid.amount, "kong-refund")
                play.pay(back, event)
    for seat in late:
        if state[seat] == PIG:
            for payee, points in _pig_pays(play, seat, state):
                play.pay(Transfer(seat, payee, points, PIG))
    for seat in late:
        if state[seat] == NOT_READY:
            for payee in ready:
                parts = (("fan", standing[payee].fan),)
                play.pay(Transfer(seat, payee, 2 ** standing[payee].fan, NOT_READY, parts))


def _pig_pays(play: Play, pig: Wind, state: dict[Wind, str]) -> list[tuple[Wind, int]]:
    if play.house.pig == "16_ready":
        return [(seat, PIG_POINTS_READY) for seat in Wind if state[seat] == READY]
    paid = {READY, NOT_READY} | ({WON} if play.house.pig_pays_winners else set())
    return [(seat, PIG_POINTS) for seat in Wind if state[seat] in paid]


def _standing(play: Play, seat: Wind, end: WallEnd) -> Standing:
    if seat in play.won:
        return Standing(seat, WON)
    hand, missing = end.hands[seat], play.missing(seat)
    if any(tile.suit == missing for tile in hand.tiles):
        return Standing(seat, PIG)
    waits = best_wins(hand, seat, missing, play.table)
    if not waits:
        return Standing(seat, NOT_READY)
    return Standing(seat, READY, tuple(waits), max(waits.values()))


def best_wins(hand: Hand, seat: Wind, missing: str | None, table: Table) -> dict[Tile, int]:
    """The faces that would win this hand of 13 tiles, with the fan of each.

    Fan are capped; nothing is given for how the tile would have come. Empty: not ready.
    """
    concealed = key_of(hand.concealed)
    whole = concealed + key_of(tile for meld in hand.melds for tile in meld.tiles)
    facts = Situation(seat=seat, self_drawn=False, missing_suit=missing)
    wins = {}
    for face in faces_of(waits_before(whole, concealed, len(hand.melds), table)):
        result = score_with(replace(hand, winning=Tile(face)), facts, table)
        if result.total is not None:
            wins[Tile(face)] = result.total
    return wins
