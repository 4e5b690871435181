"""The wind explainer: what a seat and a round mean for a player."""

from __future__ import annotations

from scorer import Tile, Wind
from scorer.names import tile_name, wind_name
from scorer.table import Table

from .words import say

_SENTENCES = ("seat-1", "seat-2", "round", "dealer")


def explained(language: str, table: Table | None = None) -> tuple[str, ...]:
    """How seats, rounds and the deal go, in a few sentences."""
    lines = [say("winds", key, language) for key in _SENTENCES]
    if table is None or table.bonus_tiles:
        lines.append(say("winds", "flowers", language))
    return tuple(lines)


def for_seat(seat: Wind, round: Wind, language: str, table: Table) -> tuple[str, ...]:
    """What counts for a player who sits there in this round."""
    if not table.rules.honours:
        return (say("winds", "no-winds", language),)
    joint = ", " if language == "en" else "、"
    facts = {
        "seat": wind_name(seat, language),
        "round": wind_name(round, language),
        "winds": joint.join(wind_name(wind, language) for wind in dict.fromkeys((seat, round))),
    }
    before = say("winds", "before", language, seat=wind_name(Wind((seat - 1) % 4), language))
    if not table.bonus_tiles:
        return say("winds", "yours-plain", language, **facts), before
    own = [Tile(first + seat) for first in (Tile.SPRING, Tile.PLUM)]
    facts["flowers"] = joint.join(tile_name(tile, language) for tile in own)
    return say("winds", "yours", language, **facts), before
