"""All tables of the ledger, for the hub's page; safe for threads."""

from __future__ import annotations

import threading
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from kiosk.server.problems import Problem
from kiosk.verbs.ledger import where
from table import Club, LedgerError, Season, Standing, Store

LOOK_S: Final = 1.0
"""The ledger is asked no more often, however many look."""


class ClubRoom:
    """Opened when first asked for; everybody who looks shares one look at the ledger."""

    def __init__(self, ledger: str | None) -> None:
        self._where = ledger
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._club: Club | None = None
        self._season: Season | None = None
        self._looked = float("-inf")

    def version(self) -> int:
        """Changes when anything has been booked at any table. Raises Problem."""
        with self._open() as (club, _):
            return club.version

    def to_json(self) -> dict[str, Any]:
        """Every table as it is now (docs/http.md). Raises Problem."""
        with self._open() as (club, _):
            return club.to_json()

    def standings(self, since: str, until: str, rules: str) -> list[Standing]:
        """The standings of a season. Raises Problem."""
        with self._open() as (_, season):
            return season.standings(since, until, rules)

    @contextmanager
    def _open(self) -> Iterator[tuple[Club, Season]]:
        with self._lock:
            try:
                if self._store is None:
                    self._store = Store(where(Namespace(ledger=self._where)))
                club = self._club = self._club or Club(self._store)
                season = self._season = self._season or Season(self._store)
                if time.monotonic() - self._looked >= LOOK_S:
                    club.refresh()
                    self._looked = time.monotonic()
                yield club, season
            except LedgerError as error:
                why = str(error)
                said = why[:1].upper() + why[1:].rstrip(".") + "."
                raise Problem("storage", seconds=10, why=said) from None
