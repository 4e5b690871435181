"""Why an event cannot be, given what went before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..hand import CHOW, Hand, Meld
from ..result import Problem
from ..tiles import Tile, tiles_text
from ..winds import Wind
from .events import Kong, WallEnd, Win, Winner
from .play import Play, kongs_made, kongs_of
from .settlement import DealProblem

FIRST_TURN = ("heavenly-hand", "earthly-hand")


class Reasons(list[DealProblem]):
    """The problems of one event."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def add(self, id: str, seat: Wind | None = None, /, **facts: object) -> None:
        self.append(DealProblem(self.number, Problem(id, facts), seat))

    def copies(self, count: Counter[Tile]) -> None:
        for tile in sorted(count):
            if count[tile] > 4:
                self.add("copies", tile=tile.code, count=count[tile])


def check_kong(play: Play, kong: Kong) -> Reasons:
    """The players, the suit, the wall and the copies of a kong."""
    found = _begin(play, [kong.seat], kong.giver, needs_wall=True)
    if not kong.tile.is_suited:
        found.add("foreign-tile", tile=kong.tile.code)
    if kong.tile.suit == play.missing(kong.seat):
        found.add("own-missing-suit", kong.seat, tile=kong.tile.code)
    if len(play.kongs[kong.seat]) == 4:
        found.add("fifth-kong", kong.seat)
    tile, seat = kong.tile, kong.seat
    if tile in play.robbed[seat]:
        found.add("robbed-before", seat, tile=tile.code)
    else:
        found.copies(play.copies({}, kong))
    return found


def check_win(play: Play, win: Win) -> Reasons:
    """The players, what must have come before, the kongs and the copies; not yet the score."""
    seats = [winner.seat for winner in win.winners]
    found = _begin(play, seats, win.giver)
    if len(set(seats)) < len(seats):
        found.add("twice", seats=", ".join(seat.letter for seat in seats))
    if len({winner.hand.winning for winner in win.winners}) > 1:
        found.add("different-tiles")
    if win.robbed:
        _check_robbed(play, win, found)
    also = {}
    for i, winner in enumerate(win.winners):
        _check_events(play, win, winner, found)
        _check_melds(play, winner.seat, winner.hand, found)
        # Of one discard there is one tile, however many win with it.
        tiles = winner.hand.tiles
        also[winner.seat] = tiles[:-1] if i and winner.hand.winning is not None else tiles
    found.copies(play.copies(also))
    return found


def check_wall_end(play: Play, end: WallEnd) -> Reasons:
    """That the hands still held are there, whole and possible."""
    found = _begin(play, [])
    for seat in Wind:
        if seat in play.won and seat in end.hands:
            found.add("hand-of-winner", seat)
        elif seat not in play.won and seat not in end.hands:
            found.add("hand-not-given", seat)
    held = {seat: end.hands[seat] for seat in play.active if seat in end.hands}
    for seat, hand in held.items():
        _check_held(play, seat, hand, found)
    found.copies(play.copies({seat: hand.tiles for seat, hand in held.items()}))
    return found


def _begin(
    play: Play, seats: Iterable[Wind], giver: Wind | None = None, needs_wall: bool = False
) -> Reasons:
    """What holds for every event: the deal is not over, and who acts is still in play."""
    found = Reasons(play.number)
    if play.over:
        found.add("over")
    elif play.wall_empty and (needs_wall or seats):
        found.add("wall-empty")
    acting = set(seats) | ({giver} if giver is not None else set())
    for seat in sorted(acting & play.won):
        found.add("out", seat)
    if giver is not None and giver in seats:
        found.add("own-discard", seat=giver.letter)
    return found


def _check_robbed(play: Play, win: Win, found: Reasons) -> None:
    """A robbed kong adds to a pung that was claimed, so not of the owner's missing suit."""
    tile = win.winners[0].hand.winning
    if win.giver is not None and tile is not None and tile.suit == play.missing(win.giver):
        found.add("own-missing-suit", win.giver, tile=tile.code)


def _check_events(play: Play, win: Win, winner: Winner, found: Reasons) -> None:
    def kong_by(event: object, seat: Wind | None) -> bool:
        return isinstance(event, Kong) and event.seat == seat

    events = winner.events
    if events & {"kong-draw", "double-kong"} and not kong_by(play.before(), winner.seat):
        found.add("no-kong-before", winner.seat, event="kong-draw")
    elif "double-kong" in events and not kong_by(play.before(2), winner.seat):
        found.add("no-kong-before", winner.seat, event="double-kong")
    if "kong-discard" in events and not kong_by(play.before(), win.giver):
        found.add("no-kong-before", winner.seat, event="kong-discard")
    if play.number > 1:
        for event in sorted(events.intersection(FIRST_TURN)):
            found.add("not-first", winner.seat, event=event)
    if "earthly-hand" in events and win.giver != play.deal.dealer:
        found.add("not-of-dealer", winner.seat)
    if "robbing-kong" in events and not win.robbed:
        found.add("not-robbed", winner.seat)


def _check_melds(play: Play, seat: Wind, hand: Hand, found: Reasons) -> None:
    """The sets laid down: the kongs that were told of and no other, none of the missing suit."""
    shown, made = kongs_of(hand), kongs_made(play.kongs[seat])
    for id, kongs in (("kong-not-told", shown - made), ("kong-not-shown", made - shown)):
        for (tile, concealed), _ in sorted(kongs.items()):
            text = f"({tile.code})" if concealed else f"[{tile.code}]"
            found.add(id, seat, kong=text.replace(tile.code, tiles_text([tile] * 4)))
    for tile in play.robbed[seat]:
        if all(meld.tiles != (tile,) * 3 for meld in hand.melds):
            found.add("robbed-pung", seat, tile=tile.code)


def _check_held(play: Play, seat: Wind, hand: Hand, found: Reasons) -> None:
    need, have = 13 + hand.kongs, len(hand.tiles)
    if hand.winning is not None:
        found.add("winning-tile-held", seat)
    elif have != need:
        id = "held-too-many" if have > need else "held-too-few"
        found.add(id, seat, have=have, need=need)
    if hand.bonus:
        found.add("no-bonus-tiles", seat, count=len(hand.bonus))
    if Tile.BACK in hand.tiles:
        found.add("face-down", seat, count=hand.tiles.count(Tile.BACK))
    for tile in sorted({tile for tile in hand.tiles if tile.is_honour}):
        found.add("foreign-tile", seat, tile=tile.code)
    for meld in hand.melds:
        _check_meld(play, seat, meld, found)
    _check_melds(play, seat, hand, found)


def _check_meld(play: Play, seat: Wind, meld: Meld, found: Reasons) -> None:
    if meld.kind == CHOW:
        found.add("claimed-chow", seat, set=str(meld))
    elif meld.tile.suit == play.missing(seat):
        found.add("own-missing-suit", seat, tile=meld.tile.code)
