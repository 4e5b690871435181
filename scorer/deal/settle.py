"""`settle`: the events one by one, and what each makes the players pay."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine import score_with
from ..houserules import HouseRules
from ..result import Problem, Result, Transfer
from ..situation import Situation
from ..table import Table, table_of
from ..winds import Wind
from .checks import check_kong, check_wall_end, check_win
from .events import ADDED, CONCEALED, Deal, Event, Kong, WallEnd, Win
from .play import Play
from .settlement import DealProblem, Settlement
from .wall import end_of_wall

CLAIMED_POINTS, ADDED_POINTS, CONCEALED_POINTS = 2, 1, 2
WINNERS_END = 3
"""So many wins end the deal."""


def settle(deal: Deal, house: HouseRules | None = None) -> Settlement:
    """Settle a deal under the rules `sichuan`, with a club's house rules where given.

    An impossible list of events is a value: `problems` holds every reason why its first
    impossible event cannot be. Raises ValueError for house rules of another rule set.
    """
    table = table_of("sichuan", house)
    play = Play(deal, table)
    if play.house.missing_suit and not deal.missing:
        return _refused(table, [DealProblem(0, Problem("missing-not-told"))])
    for play.number, event in enumerate(deal.events, 1):
        problems = _take(play, event)
        if problems:
            return _refused(table, problems)
    return Settlement(
        table.name,
        table.rules.version,
        tuple(play.entries),
        tuple(play.wins),
        tuple(play.standings),
        finished=play.over,
    )


def _take(play: Play, event: Event) -> Sequence[DealProblem]:
    """Check one event and enter what it makes the players pay."""
    if isinstance(event, Kong):
        return check_kong(play, event) or _kong(play, event)
    if isinstance(event, Win):
        return check_win(play, event) or _win(play, event)
    return check_wall_end(play, event) or _wall_end(play, event)


def _refused(table: Table, problems: Sequence[DealProblem]) -> Settlement:
    return Settlement(table.name, table.rules.version, problems=tuple(problems))


def _kong(play: Play, kong: Kong) -> Sequence[DealProblem]:
    if _is_robbed(play, kong):
        play.robbed[kong.seat].append(kong.tile)
        return ()
    play.kongs[kong.seat].append(kong)
    others = [seat for seat in play.active if seat != kong.seat]
    if kong.kind == CONCEALED:
        owed = dict.fromkeys(others, CONCEALED_POINTS)
    elif kong.kind == ADDED:
        owed = dict.fromkeys(others, ADDED_POINTS)
    else:
        assert kong.giver is not None
        owed = {kong.giver: CLAIMED_POINTS}
        if play.house.exposed_kong == "all":
            owed |= {seat: ADDED_POINTS for seat in others if seat != kong.giver}
    paid = [Transfer(seat, kong.seat, points, kong.kind) for seat, points in owed.items()]
    play.kong_payments[play.number] = paid
    for transfer in paid:
        play.pay(transfer)
    return ()


def _is_robbed(play: Play, kong: Kong) -> bool:
    """Whether the next event is the win that robs this kong."""
    after = play.deal.events[play.number : play.number + 1]
    return kong.kind == ADDED and any(
        isinstance(event, Win)
        and event.robbed
        and event.giver == kong.seat
        and event.winners[0].hand.winning == kong.tile
        for event in after
    )


def _win(play: Play, win: Win) -> Sequence[DealProblem]:
    out = frozenset(play.won)
    seats = frozenset(winner.seat for winner in win.winners)
    giver = win.giver
    in_turn = sorted(win.winners, key=lambda w: w.seat if giver is None else w.seat.after(giver))
    results: dict[Wind, Result] = {}
    problems = []
    for winner in in_turn:
        facts = Situation(
            seat=winner.seat,
            self_drawn=giver is None,
            from_seat=giver,
            robbed=win.robbed,
            dealer=play.deal.dealer,
            events=winner.events,
            missing_suit=play.missing(winner.seat),
            already_won=out,
            also_won=seats - {winner.seat},
        )
        result = results[winner.seat] = score_with(winner.hand, facts, play.table)
        reasons = result.problems or (() if result.certain else (Problem("not-certain"),))
        problems += [DealProblem(play.number, reason, winner.seat) for reason in reasons]
    if problems:
        return problems
    for seat, result in results.items():
        play.add_win(seat, result)
        for transfer in result.transfers:
            play.pay(transfer)
    _after_win(play, win, in_turn[0].seat)
    return ()


def _after_win(play: Play, win: Win, nearest: Wind) -> None:
    giver, tile = win.giver, win.winners[0].hand.winning
    for i, winner in enumerate(win.winners):
        tiles = winner.hand.tiles
        play.shown[winner.seat] = tiles[:-1] if i and tile is not None else tiles
        play.wall_empty |= "last-tile" in winner.events
    if win.robbed and giver is not None and tile is not None and tile not in play.robbed[giver]:
        play.robbed[giver].append(tile)
    if play.house.kong_moves and any("kong-discard" in w.events for w in win.winners):
        assert giver is not None
        kong = play.number - 1
        earned = sum(transfer.amount for transfer in play.kong_payments.pop(kong, ()))
        if earned:
            play.pay(Transfer(giver, nearest, earned, "kong-moves"), kong)
    play.over = len(play.won) >= WINNERS_END


def _wall_end(play: Play, end: WallEnd) -> Sequence[DealProblem]:
    end_of_wall(play, end)
    play.over = True
    return ()
