"""A whole deal of Sichuan Bloody, settled at its end from an ordered list of events.

    >>> from scorer.deal import Deal, Kong, settle
    >>> from scorer import Tile, Wind
    >>> E, S, W, N = Wind
    >>> deal = Deal({E: "m", S: "m", W: "p", N: "s"}, (Kong(S, Tile.P5, "claimed-kong", E),))
    >>> settle(deal).totals[S]
    2

`Deal` and its events state what happened, `settle` answers a `Settlement`: every transfer in order
with its reason, the totals, or why the list cannot be. `read_deal` reads the events as text.
"""

from __future__ import annotations

from .dealfile import DealFileError, deal_of, read_deal
from .events import Deal, Kong, WallEnd, Win, Winner
from .settle import settle
from .settlement import DealProblem, Entry, Settlement, Standing, Won

__all__ = [
    "Deal",
    "DealFileError",
    "DealProblem",
    "Entry",
    "Kong",
    "Settlement",
    "Standing",
    "WallEnd",
    "Win",
    "Winner",
    "Won",
    "deal_of",
    "read_deal",
    "settle",
]
