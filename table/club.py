"""All tables of a club in one ledger: what is played now, and who stands where in a season.

A player is a name: whoever plays at several tables is named alike at all of them.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from .errors import LedgerError
from .ledger import Ledger
from .sheet import cell
from .state import Points, State
from .stats import PlayerStats, stats_of
from .store import Night, Store

COLUMNS: Final = (
    *("place", "player", "nights", "points", "hands", "won", "self_drawn", "dealt_in"),
    *("false_wins", "average", "biggest"),
)


@dataclass(frozen=True, slots=True)
class TableNow:
    """The newest night of a table. `trouble` says why it cannot be read, and then `state` is that
    of the last time, if any; `at` is the time of the last event.
    """

    table: str
    night: str
    events: int
    at: str
    state: State | None
    trouble: str = ""

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "table": self.table,
            "night": self.night,
            "events": self.events,
            "at": self.at,
            "trouble": self.trouble,
        }
        if (state := self.state) is None:
            return data | {"seats": [], "totals": {}}
        seats = state.seats()
        return data | {
            "title": state.title,
            "rules": state.rules_id,
            "round": state.round.letter,
            "deals": state.deals,
            "dealer": state.players[state.dealer],
            "streak": state.streak,
            "finished": state.finished,
            "seats": [
                {"seat": seat, "player": player, "total": state.totals[player]}
                for seat, player in seats.items()
            ],
            "totals": dict(state.totals),
        }


class Club:
    """The tables as they are now, read on with little effort whenever it is asked.

    For one thread at a time. `version` changes whenever anything has been booked.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ledgers: dict[str, Ledger] = {}
        self._now: dict[str, TableNow] = {}
        self.version = 0

    def refresh(self) -> bool:
        """Read what was booked since; whether there was anything. Raises StorageError."""
        fresh = False
        for night in self._store.newest():
            known = self._now.get(night.table)
            if known is None or (known.night, known.events) != (night.night, night.events):
                self._now[night.table] = self._read(night)
                fresh = True
        self.version += fresh
        return fresh

    @property
    def tables(self) -> list[TableNow]:
        """By the tables' ids; numbers in the order of numbers."""
        return sorted(self._now.values(), key=lambda now: _in_order(now.table))

    def totals(self) -> Points:
        """What everybody has at all tables together, most first."""
        found: Counter[str] = Counter()
        for now in self._now.values():
            if now.state is not None:
                found.update(now.state.totals)
        return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))

    def to_json(self) -> dict[str, Any]:
        tables = self.tables
        return {
            "tables": [now.to_json() for now in tables],
            "totals": self.totals(),
            "events": sum(now.events for now in tables),
            "deals": sum(now.state.deals for now in tables if now.state is not None),
        }

    def _read(self, night: Night) -> TableNow:
        ledger = self._ledgers.get(night.table)
        try:
            if ledger is None or ledger.night != night.night:
                ledger = self._ledgers[night.table] = Ledger(self._store, night.night)
            ledger.refresh()
        except LedgerError as error:  # one table in trouble must not hide the others
            before = self._now.get(night.table)
            self._ledgers.pop(night.table, None)
            state = before.state if before is not None and before.night == night.night else None
            return TableNow(night.table, night.night, night.events, "", state, str(error))
        at = ledger.records[-1].at
        return TableNow(night.table, night.night, ledger.length, at, ledger.state)


@dataclass(frozen=True, slots=True)
class Standing:
    """One player in a season."""

    place: int
    nights: int
    stats: PlayerStats

    def to_json(self) -> dict[str, Any]:
        return {"place": self.place, "nights": self.nights} | self.stats.to_json()


class Season:
    """Standings over the nights of all tables; a night that has not changed is read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[int, str, list[PlayerStats]]] = {}

    def standings(self, since: str = "", until: str = "", rules: str = "") -> list[Standing]:
        """Everybody who has played in nights that began from `since` on and before `until`
        (beginnings of ISO times such as 2026-09), under `rules` only where that is given.

        Most points first; equal points share a place. Raises LedgerError.
        """
        nights: Counter[str] = Counter()
        found: dict[str, list[PlayerStats]] = {}
        for night in self._store.nights():
            if night.created < since or (until and night.created >= until):
                continue
            _, of, rows = self._read(night)
            if rules and of != rules:
                continue
            for row in rows:
                nights[row.player] += 1
                found.setdefault(row.player, []).append(row)
        ordered = sorted(map(merged, found.values()), key=lambda one: (-one.points, one.player))
        points = [one.points for one in ordered]
        return [Standing(points.index(s.points) + 1, nights[s.player], s) for s in ordered]

    def _read(self, night: Night) -> tuple[int, str, list[PlayerStats]]:
        known = self._known.get(night.night)
        if known is None or known[0] != night.events:
            state = Ledger(self._store, night.night).state
            known = self._known[night.night] = (night.events, state.rules_id, stats_of([state]))
        return known


def merged(rows: Iterable[PlayerStats]) -> PlayerStats:
    """The statistics of one player over several nights as one."""
    first, *others = rows
    total = PlayerStats(first.player)
    for row in (first, *others):
        for name in ("points", "hands", "won", "self_drawn", "dealt_in", "false_wins"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
        total.totals += row.totals
        total.items += row.items
        if row.biggest and (total.biggest is None or row.biggest[0] > total.biggest[0]):
            total.biggest = row.biggest
    return total


def standings_csv(standings: Iterable[Standing]) -> str:
    """One line for each player, for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for standing in standings:
        row = standing.to_json()
        row["average"] = "" if row["average"] is None else f"{row['average']:.2f}"
        row["biggest"] = row["biggest"][0] if row["biggest"] else ""
        writer.writerow([cell(row[name]) for name in COLUMNS])
    return out.getvalue()


def _in_order(table: str) -> tuple[int, int, str]:
    return (0, int(table), table) if table.isdecimal() else (1, 0, table)
