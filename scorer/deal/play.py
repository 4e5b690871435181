"""A deal as far as it has gone: who has won, which kongs lie, which tiles are accounted for."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..hand import CONCEALED_KONG, Hand
from ..result import Result, Transfer
from ..table import Table
from ..tiles import Tile
from ..winds import Wind
from .events import CONCEALED, Deal, Event, Kong
from .settlement import Entry, Standing, Won


class Play:
    """The state while the events are gone through; `number` is that of the present event."""

    def __init__(self, deal: Deal, table: Table) -> None:
        self.deal = deal
        self.table = table
        self.house: Any = table.house
        self.number = 0
        self.entries: list[Entry] = []
        self.wins: list[Won] = []
        self.standings: list[Standing] = []
        self.won: set[Wind] = set()
        self.kongs: dict[Wind, list[Kong]] = {seat: [] for seat in Wind}
        self.robbed: dict[Wind, list[Tile]] = {seat: [] for seat in Wind}
        self.shown: dict[Wind, tuple[Tile, ...]] = {}
        self.kong_payments: dict[int, list[Transfer]] = {}
        self.wall_empty = False
        self.over = False

    @property
    def active(self) -> list[Wind]:
        """The players who have not won."""
        return [seat for seat in Wind if seat not in self.won]

    def before(self, back: int = 1) -> Event | None:
        """The event that came `back` events before the present one."""
        at = self.number - 1 - back
        return self.deal.events[at] if at >= 0 else None

    def missing(self, seat: Wind) -> str | None:
        return self.deal.missing.get(seat) if self.house.missing_suit else None

    def pay(self, transfer: Transfer, of: int | None = None) -> None:
        self.entries.append(Entry(self.number, transfer, of))

    def add_win(self, seat: Wind, result: Result) -> None:
        self.wins.append(Won(self.number, seat, result))
        self.won.add(seat)

    def copies(self, also: dict[Wind, tuple[Tile, ...]], kong: Kong | None = None) -> Counter[Tile]:
        """How often each face is accounted for, with the hands of `also` and a new kong.

        A player's hand holds the kongs; of players whose hand is not known the kongs count, and
        the three tiles left of a kong that was robbed.
        """
        count: Counter[Tile] = Counter()
        shown = self.shown | also
        for seat in Wind:
            if seat in shown:
                count.update(shown[seat])
                continue
            for made in self.kongs[seat]:
                count[made.tile] += 4
            for tile in self.robbed[seat]:
                count[tile] += 3
        if kong is not None:
            count[kong.tile] += 4
        return count


def kongs_of(hand: Hand) -> Counter[tuple[Tile, bool]]:
    """The kongs of a hand as (face, concealed)."""
    return Counter((meld.tile, meld.kind == CONCEALED_KONG) for meld in hand.melds if meld.is_kong)


def kongs_made(kongs: list[Kong]) -> Counter[tuple[Tile, bool]]:
    """The kongs that events told of as (face, concealed)."""
    return Counter((kong.tile, kong.kind == CONCEALED) for kong in kongs)
