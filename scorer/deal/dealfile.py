"""A deal as text: TOML for people, JSON for programs, of the same fields.

dealer = "E"
missing = { E = "m", S = "p", W = "s", N = "m" }

[[events]]
kong = "concealed"                # concealed, added, or claimed with a line: from = "N"
by = "S"
tile = "5m"

[[events]]
win = "W"                         # self-drawn; a discard win has a line: from = "N"
hand = "123456m789m55p99m@9m"
events = ["last-tile"]            # what happened, by the ids of the items; robbed = true

[[events]]
from = "N"                        # two win with one discard
win = [{ by = "E", hand = "…" }, { by = "S", hand = "…" }]

[[events]]
wall_end = { E = "…", N = "…" }   # the hands of the players who have not won
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from ..hand import Hand
from ..tiles import Tile
from ..winds import EAST, Wind
from .events import KINDS, Deal, Event, Kong, WallEnd, Win, Winner

FIELDS = ("kong", "win", "wall_end")
ALLOWED = {
    "kong": {"kong", "by", "tile", "from"},
    "win": {"win", "from", "robbed", "hand", "events"},
    "wall_end": {"wall_end"},
}


class DealFileError(ValueError):
    """A deal that cannot be read; the text names the file, the event's number and the reason."""

    def __init__(self, name: str, why: str, event: int = 0) -> None:
        at = f", event {event}" if event else ""
        super().__init__(f"{name}{at}: {why}")
        self.event = event
        self.why = why


def read_deal(text: str, name: str = "deal") -> Deal:
    """Read a deal from TOML or, where the text begins with a brace, from JSON.

    Raises DealFileError naming the event and what is wrong with it.
    """
    as_json = text.lstrip().startswith("{")
    try:
        data = json.loads(text) if as_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also endless numbers, endless brackets
        what = "JSON" if as_json else "TOML"
        raise DealFileError(name, f"not {what}: {error}") from None
    return deal_of(data, name)


def deal_of(data: Mapping[str, Any], name: str = "deal") -> Deal:
    """The deal of plain data, the reverse of `Deal.to_json`. Raises DealFileError."""
    foreign = set(data) - {"dealer", "missing", "events"}
    if foreign:
        why = f"no field {', '.join(sorted(foreign))}; there are dealer, missing and events"
        raise DealFileError(name, why)
    rows = data.get("events", [])
    if not isinstance(rows, list):
        raise DealFileError(name, "events must be a list; in TOML each begins with [[events]]")
    events = []
    for number, row in enumerate(rows, 1):
        try:
            events.append(_event(row))
        except ValueError as error:
            raise DealFileError(name, str(error), number) from None
    try:
        missing = data.get("missing", {})
        if not isinstance(missing, Mapping):
            raise ValueError('missing must be a table such as { E = "m", … }')
        suits = {_seat(seat): str(suit) for seat, suit in missing.items()}
        dealer = _seat(data["dealer"]) if "dealer" in data else EAST
        return Deal(suits, tuple(events), dealer)
    except ValueError as error:
        raise DealFileError(name, str(error)) from None


def _event(row: Any) -> Event:
    if not isinstance(row, Mapping):
        raise ValueError("an event is a table of fields")
    kinds = [field for field in FIELDS if field in row]
    if len(kinds) != 1:
        raise ValueError(f"an event has one of the fields {', '.join(FIELDS)}")
    foreign = set(row) - ALLOWED[kinds[0]]
    if foreign:
        raise ValueError(f"no field {', '.join(sorted(foreign))} beside {kinds[0]}")
    if kinds[0] == "kong":
        return _kong(row)
    if kinds[0] == "win":
        return _win(row)
    held = row["wall_end"]
    if not isinstance(held, Mapping):
        raise ValueError('wall_end must be a table such as { E = "123m…" }')
    return WallEnd({_seat(seat): _hand(hand) for seat, hand in held.items()})


def _kong(row: Mapping[str, Any]) -> Kong:
    kind = str(row["kong"])
    kind = kind if kind in KINDS else f"{kind}-kong"
    for field in ("by", "tile"):
        if field not in row:
            raise ValueError(f"a kong needs the field {field}")
    return Kong(_seat(row["by"]), Tile.parse(str(row["tile"])), kind, _giver(row))


def _win(row: Mapping[str, Any]) -> Win:
    rows = row["win"]
    if isinstance(rows, str):
        rows = [{"by": rows, **{k: row[k] for k in ("hand", "events") if k in row}}]
    elif not isinstance(rows, list) or {"hand", "events"} & set(row):
        raise ValueError("win names a seat, or is a list of winners with by, hand and events")
    robbed = row.get("robbed", False)
    if not isinstance(robbed, bool):
        raise ValueError("robbed must be true or false")
    return Win(tuple(map(_winner, rows)), _giver(row), robbed)


def _winner(row: Any) -> Winner:
    if not isinstance(row, Mapping) or not {"by", "hand"} <= set(row) <= {"by", "hand", "events"}:
        raise ValueError("a winner has the fields by and hand, and may have events")
    events = row.get("events", [])
    if not isinstance(events, list) or not all(isinstance(event, str) for event in events):
        raise ValueError('events must be a list such as ["last-tile"]')
    return Winner(_seat(row["by"]), _hand(row["hand"]), frozenset(events))


def _giver(row: Mapping[str, Any]) -> Wind | None:
    return _seat(row["from"]) if "from" in row else None


def _seat(value: Any) -> Wind:
    return Wind.parse(str(value))


def _hand(value: Any) -> Hand:
    return Hand.parse(str(value))
