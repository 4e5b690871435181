"""A night at the table: seats, winds, deals, dealer streak, event log and settlement.

    >>> from table import Ledger, Store
    >>> from tempfile import mkdtemp
    >>> store = Store(mkdtemp() + "/club.sqlite")
    >>> night = {"players": ["An", "Bo", "Chi", "Dee"], "rules": {"id": "taiwan"}}
    >>> ledger = Ledger.start(store, "friday", night)
    >>> hand = {"player": "Chi", "hand": "66678m11333p555z[222z]@6m"}
    >>> _ = ledger.add("win", {"winners": [hand], "from": "Bo"})
    >>> ledger.state.totals
    {'An': 0, 'Bo': -6, 'Chi': 6, 'Dee': 0}

The append-only log of events is the truth (events.py says what they hold); seats, streak, rounds
and totals are folded from it (state.py). Nothing here knows pictures or pages.
"""

from __future__ import annotations

from .club import Club, Season, Standing, TableNow
from .errors import (
    DamagedError,
    EventError,
    KeyReusedError,
    LedgerError,
    MovedOnError,
    StorageError,
)
from .ledger import Change, Difference, Ledger, Preview
from .log import Record
from .money import Payment, Stakes, settle
from .state import Entry, State
from .stats import PlayerStats, stats_of
from .store import Night, Store

__all__ = [
    "Change",
    "Club",
    "DamagedError",
    "Difference",
    "Entry",
    "EventError",
    "KeyReusedError",
    "Ledger",
    "LedgerError",
    "MovedOnError",
    "Night",
    "Payment",
    "PlayerStats",
    "Preview",
    "Record",
    "Season",
    "Stakes",
    "Standing",
    "State",
    "StorageError",
    "Store",
    "TableNow",
    "settle",
    "stats_of",
]
