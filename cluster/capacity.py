"""What so many tables need, from what was measured: the arithmetic of docs/cluster.md.

Every number that was measured stands in `measured.json` with how it was measured; every number that
is assumed stands in `Evening` with a sentence. Nothing else goes in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

PARTS: Final = ("readings", "detector", "reader")
LEAST: Final = 2
"""Replicas of each part, so that one may die."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What is assumed of a table. `hands_per_hour`: one in four minutes; `photos_per_hand`: every
    second hand is photographed twice; `peak`: the busiest minute to the mean; `events_per_hand`:
    draws, penalties and corrections beside the hands; `hours` a night, `nights` a year;
    `busy`: share of its time that a replica may work before people wait.
    """

    hands_per_hour: float = 15.0
    photos_per_hand: float = 1.5
    peak: float = 2.0
    events_per_hand: float = 1.2
    hours: float = 4.0
    nights: float = 100.0
    busy: float = 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """`cpu_s`: processor seconds a photo in each part; `memory_mb`: of one replica of each;
    `event_bytes`: what an event takes in PostgreSQL with its indexes.
    """

    cpu_s: Mapping[str, float]
    memory_mb: Mapping[str, float]
    event_bytes: float


@dataclass(frozen=True, slots=True)
class Needs:
    """`photos_per_s` and `events_per_s` at the peak; `replicas` of each part; `cores` that they
    keep busy, rounded up; `memory_gb`; `database_gb` of one year.
    """

    tables: int
    photos_per_s: float
    events_per_s: float
    replicas: Mapping[str, int]
    cores: int
    memory_gb: float
    database_gb: float

    def to_json(self) -> dict[str, Any]:
        return {
            "tables": self.tables,
            "photos_per_s": self.photos_per_s,
            "events_per_s": self.events_per_s,
            "replicas": dict(self.replicas),
            "cores": self.cores,
            "memory_gb": self.memory_gb,
            "database_gb": self.database_gb,
        }

    def lines(self) -> list[tuple[str, str]]:
        """Name and value, as people read them."""
        return [
            ("tables", f"{self.tables:,}"),
            ("photos a second at the peak", f"{self.photos_per_s:,.2f}"),
            ("events a second at the peak", f"{self.events_per_s:,.2f}"),
            *((f"replicas: {name}", f"{n:,}") for name, n in self.replicas.items()),
            ("cores", f"{self.cores:,}"),
            ("memory of the replicas, GB", f"{self.memory_gb:,.1f}"),
            ("database after a year, GB", f"{self.database_gb:,.2f}"),
        ]


def needs(tables: int, measured: Measured, evening: Evening | None = None) -> Needs:
    """What the tables need. A replica is one thread, so that it has one core at most."""
    e = evening or Evening()
    hands_per_s = tables * e.hands_per_hour / 3600
    photos = hands_per_s * e.photos_per_hand * e.peak
    events = hands_per_s * e.events_per_hand * e.peak
    working = {part: photos * measured.cpu_s[part] / e.busy for part in PARTS}
    replicas = {part: max(LEAST, math.ceil(working[part])) for part in PARTS}
    memory_mb = sum(n * measured.memory_mb[part] for part, n in replicas.items())
    kept = tables * e.hands_per_hour * e.events_per_hand * e.hours * e.nights
    return Needs(
        tables=tables,
        photos_per_s=round(photos, 3),
        events_per_s=round(events, 3),
        replicas=replicas,
        cores=math.ceil(sum(working.values())),
        memory_gb=round(memory_mb / 1000, 1),
        database_gb=round(kept * measured.event_bytes / 1e9, 2),
    )


def figures() -> dict[str, Any]:
    """`measured.json`: what was measured, and how."""
    text = files("cluster").joinpath("measured.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def measured() -> Measured:
    """What was measured, as the arithmetic takes it."""
    found = figures()
    return Measured(found["cpu_s"], found["memory_mb"], found["event_bytes"])
