"""What a player did over one night or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from . import events as ev
from .state import Entry, State


@dataclass(slots=True)
class PlayerStats:
    """`hands` counts deals played, `won` wins (several in a Sichuan deal count each),
    `dealt_in` wins of others on this player's discard or robbed kong. `average` is the mean
    total of the wins, in the unit of the rules; `biggest` the highest, `items` how often each
    item was scored.
    """

    player: str
    points: int = 0
    hands: int = 0
    won: int = 0
    self_drawn: int = 0
    dealt_in: int = 0
    false_wins: int = 0
    totals: list[int] = field(default_factory=list)
    biggest: tuple[int, str] | None = None
    items: Counter[str] = field(default_factory=Counter)

    @property
    def average(self) -> float | None:
        return sum(self.totals) / len(self.totals) if self.totals else None

    def favourites(self, n: int = 3) -> list[tuple[str, int]]:
        """The items scored most often; of equals the one whose id comes first."""
        return sorted(self.items.items(), key=lambda item: (-item[1], item[0]))[:n]

    def to_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "points": self.points,
            "hands": self.hands,
            "won": self.won,
            "self_drawn": self.self_drawn,
            "dealt_in": self.dealt_in,
            "false_wins": self.false_wins,
            "average": self.average,
            "biggest": None if self.biggest is None else list(self.biggest),
            "favourites": [list(item) for item in self.favourites()],
        }


def stats_of(states: Iterable[State]) -> list[PlayerStats]:
    """The statistics of everybody who played in these nights, most points first."""
    found: dict[str, PlayerStats] = {}
    for state in states:
        for player, points in state.totals.items():
            found.setdefault(player, PlayerStats(player)).points += points
        for entry in state.history:
            _count(found, entry)
    return sorted(found.values(), key=lambda stats: (-stats.points, stats.player))


def _count(found: dict[str, PlayerStats], entry: Entry) -> None:
    if entry.kind in ev.HANDS:
        for player in entry.facts["seats"].values():
            found[player].hands += 1
    if entry.kind == ev.FALSE_WIN:
        found[entry.body["offender"]].false_wins += 1
    if entry.outcome is None:
        return
    for winner, giver, hand in wins_of(entry):
        if giver is None:
            found[winner].self_drawn += 1
        else:
            found[giver].dealt_in += 1
        row = next(w for w in entry.outcome["wins"] if w["player"] == winner)
        stats = found[winner]
        stats.won += 1
        stats.totals.append(row["total"])
        if stats.biggest is None or row["total"] > stats.biggest[0]:
            stats.biggest = (row["total"], hand)
        for id, _, count in row["items"]:
            stats.items[id] += count


def wins_of(entry: Entry) -> list[tuple[str, str | None, str]]:
    """(Winner, who gave the tile or None, hand text or nothing) of each win of an event."""
    body = entry.body
    if entry.kind == ev.WIN:
        return [(w["player"], body.get("from"), w.get("hand", "")) for w in body["winners"]]
    found = []
    for event in body["events"] if entry.kind == ev.DEAL else ():
        winners = event.get("win", [])
        if isinstance(winners, str):
            winners = [{"by": winners, "hand": event["hand"]}]
        found += [(w["by"], event.get("from"), w["hand"]) for w in winners]
    return found
