"""A night as CSV: what a spreadsheet shows, and in the last column what it takes to read it back.

One line for each event that counts, a column of points for each player, then their sums. Events
that were taken back are left out, edited ones stand as they were put right.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from . import events as ev
from .errors import EventError
from .ledger import Ledger
from .log import Record, compact, effective
from .state import Entry

COLUMNS: Final = ("no", "at", "kind", "round", "dealer", "streak", "what", "note")
LOG, TOTAL = "log", "total"
FORMULA: Final = ("=", "+", "-", "@", "\t")
"""Text that a spreadsheet would take for a formula gets an apostrophe."""


def write(ledger: Ledger, night: Mapping[str, Any], describe: Callable[[Entry], str]) -> str:
    """The table of a night; `night` says what is known beside its events."""
    state = ledger.state
    players = list(state.totals)
    keys = {record.no: record.key for record in ledger.records}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *map(cell, players), LOG])
    for entry in state.history:
        facts = entry.facts
        known = (facts["round"], facts["dealer"], facts["streak"], describe(entry))
        line = (entry.no, entry.at, entry.kind, *known, entry.body.get("note", ""))
        points = [entry.payments.get(player, 0) for player in players]
        log = {"key": keys[entry.no], "body": entry.body}
        log |= {} if entry.outcome is None else {"outcome": entry.outcome}
        writer.writerow([*map(cell, line), *points, compact(log)])
    start = effective(ledger.records)[0]
    log = {**night, "at": start.at, "key": keys[start.no], "body": start.body}
    blank = [""] * (len(COLUMNS) - 1)
    writer.writerow([TOTAL, *blank, *state.totals.values(), compact(log)])
    return out.getvalue()


def read(text: str) -> dict[str, Any]:
    """The night of such a table as `export.to_json` writes it, its events numbered anew.

    Spreadsheets may have put a byte order mark, semicolons or tabs. Raises EventError where it is
    no such table, or a number of points is not what was booked.
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=max(",;\t", key=first.count)))
    except csv.Error as error:
        raise EventError(f"not a CSV file: {error}") from None
    rows = [row for row in rows if any(row)]
    if len(rows) < 2 or tuple(rows[0][: len(COLUMNS)]) != COLUMNS or rows[0][-1] != LOG:
        raise EventError("not an exported night (`hupai ledger export` makes one)")
    players = [_uncell(name) for name in rows[0][len(COLUMNS) : -1]]
    try:
        return _night(rows[1:-1], rows[-1], players)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise EventError(f"the export is not whole: {error!r}") from None


def _night(rows: list[list[str]], last: list[str], players: list[str]) -> dict[str, Any]:
    night: dict[str, Any] = json.loads(last[-1])
    records = [Record(1, ev.START, night.pop("body"), night.pop("key"), night.pop("at"))]
    totals = dict.fromkeys(players, 0)
    for no, row in enumerate(rows, 2):
        points, log = _points(row, players), json.loads(row[-1])
        outcome = log.get("outcome")
        if outcome is not None and points != outcome["payments"] | _nothing(points, outcome):
            raise EventError("the points are not those that were booked", no)
        for player, moved in points.items():
            totals[player] += moved
        outcomes = {} if outcome is None else {no: outcome}
        records.append(Record(no, row[2], log["body"], log["key"], row[1], outcomes))
    if last[0] != TOTAL or _points(last, players) != totals:
        raise EventError("the totals of the file are not the sum of its payments")
    return night | {"records": [r.to_json() for r in records], "state": {"totals": totals}}


def _points(row: list[str], players: Iterable[str]) -> dict[str, int]:
    """The points of a line by player. Raises ValueError where one is no number."""
    return dict(zip(players, map(int, row[len(COLUMNS) : -1]), strict=True))


def _nothing(points: Mapping[str, int], outcome: Mapping[str, Any]) -> dict[str, int]:
    """No points for whoever an outcome does not name."""
    return dict.fromkeys(points.keys() - outcome["payments"].keys(), 0)


def cell(value: Any) -> Any:
    """A value as a spreadsheet may have it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _uncell(text: str) -> str:
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA) else text
