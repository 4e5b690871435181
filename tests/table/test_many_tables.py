"""Many tables on one PostgreSQL: restarted under them, no event is lost or booked twice."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kiosk.cli import main
from table import Club, Ledger, Season, StorageError, Store
from table.club import COLUMNS, standings_csv
from tests.support import slow_count
from tests.table.nights import won

TABLES = 30
MINUTES = 10
PAUSE_S = slow_count(30, 100) / 100
"""A table books in the mean so often; at a real one a hand takes minutes."""


def members(table: int) -> list[str]:
    """The four of a table; the first two are known under other names everywhere."""
    return [f"{name} {table}" for name in ("An", "Bo", "Chi", "Dee")]


class Simulated(threading.Thread):
    """One table: books until it is told to stop, each event again until it is acknowledged."""

    def __init__(self, place: str, number: int, stop: threading.Event) -> None:
        super().__init__(name=f"table {number}", daemon=True)
        self.number, self.stop = number, stop
        self.place = place
        self.rng = Random(f"table {number}")
        self.acknowledged: list[str] = []
        self.totals: Counter[str] = Counter(dict.fromkeys(members(number), 0))
        self.refused = 0
        self.slowest_s = 0.0
        self.trouble: BaseException | None = None

    def run(self) -> None:
        try:
            self._play()
        except BaseException as error:  # told by the test
            self.trouble = error

    def _play(self) -> None:
        store = self._again(lambda: Store(self.place))
        body = {"players": members(self.number), "rules": {"id": "taiwan"}}
        key = f"start {self.number}"
        ledger = self._again(
            lambda: Ledger.start(store, f"n{self.number}", body, table=str(self.number), key=key)
        )
        while not self.stop.is_set():
            kind, event, moved = self._event()
            key = f"{self.number}-{len(self.acknowledged)}"
            start = time.monotonic()
            record = self._again(lambda: ledger.add(kind, event, key=key))  # noqa: B023
            self.slowest_s = max(self.slowest_s, time.monotonic() - start)
            self.acknowledged.append(key)
            assert record.key == key
            self.totals.update(moved)
            self.stop.wait(self.rng.uniform(0.5, 1.5) * PAUSE_S)
        store.close()

    def _event(self) -> tuple[str, dict[str, Any], dict[str, int]]:
        """An event whose payments are known without the ledger, or none at all."""
        players = members(self.number)
        giver, taker = self.rng.sample(players, 2)
        points = self.rng.randint(1, 20)
        chance = self.rng.random()
        if chance < 0.6:
            return "correction", {"payments": {giver: -points, taker: points}}, {
                giver: -points,
                taker: points,
            }  # fmt: skip
        if chance < 0.9:
            return "draw", {}, {}
        others = [player for player in players if player != giver]
        moved = {giver: -3 * points} | dict.fromkeys(others, points)
        return "penalty", {"offender": giver, "points": points}, moved

    def _again(self, work: Any) -> Any:
        while True:
            try:
                return work()
            except StorageError:
                self.refused += 1
                time.sleep(0.2)


def test_thirty_tables_on_a_server_that_is_restarted_twice(
    server: Any, postgres_place: str
) -> None:
    """Its end is in order the first time and a crash the second; a hub looks all the while."""
    seconds = slow_count(10, MINUTES * 60)
    Store(postgres_place).close()
    stop = threading.Event()
    tables = [Simulated(postgres_place, number, stop) for number in range(1, TABLES + 1)]
    for table in tables:
        table.start()
    club = Club(Store(postgres_place, write=False))
    looks = away = 0
    begin = time.monotonic()
    restarts = [(seconds / 3, "fast"), (2 * seconds / 3, "immediate")]
    while (spent := time.monotonic() - begin) < seconds:
        if restarts and spent >= restarts[0][0]:
            server.stop(restarts.pop(0)[1])
            time.sleep(1)
            server.start()
        try:
            club.refresh()
            looks += 1
            assert sum(club.totals().values()) == 0
        except StorageError:
            away += 1
        time.sleep(0.2)
    stop.set()
    for table in tables:
        table.join(120)
        assert not table.is_alive()
        assert table.trouble is None, table.trouble
    assert not restarts
    club.refresh()
    store = Store(postgres_place)
    booked = 0
    for table, now in zip(tables, club.tables, strict=True):
        ledger = Ledger(store, f"n{table.number}")
        keys = [record.key for record in ledger.records]
        assert keys == [f"start {table.number}", *table.acknowledged]
        assert [record.no for record in ledger.records] == list(range(1, len(keys) + 1))
        assert ledger.state.totals == dict(table.totals)
        assert not ledger.verify()
        assert (now.table, now.events) == (str(table.number), len(keys))
        assert now.state is not None
        assert now.state.totals == ledger.state.totals
        booked += len(keys)
    expected: Counter[str] = Counter()
    for table in tables:
        expected.update(table.totals)
    assert club.totals() == dict(expected)
    assert club.to_json()["events"] == booked
    refused = sum(table.refused for table in tables)
    assert refused > 0  # the restarts were felt
    assert min(len(table.acknowledged) for table in tables) > 3
    slowest = max(table.slowest_s for table in tables)
    print(
        f"\n{TABLES} tables, {seconds} s: {booked} events, {refused} tries while the server was "
        f"away, slowest booking {slowest:.1f} s, {looks} looks of the hub, {away} in vain"
    )


def begun(place: str, table: str, players: list[str], at: str, **more: Any) -> Ledger:
    body = {"players": players, "rules": {"id": more.get("rules", "taiwan")}}
    return Ledger.start(Store(place), f"{table} {at}", body, table=table, at=at)


def test_the_hub_shows_the_newest_night_of_each_table(place: str) -> None:
    begun(place, "2", ["An", "Bo", "Chi", "Dee"], "2026-01-02T18:00:00Z").add(
        "win", won("An", "Bo", 7)
    )
    begun(place, "2", ["An", "Bo", "Chi", "Eve"], "2026-01-09T18:00:00Z")
    other = begun(place, "10", ["Fay", "Gus", "Hal", "An"], "2026-01-09T18:00:00Z")
    club = Club(Store(place))
    assert club.refresh()
    assert [now.table for now in club.tables] == ["2", "10"]
    assert club.tables[0].to_json()["seats"][3] == {"seat": "N", "player": "Eve", "total": 0}
    assert not club.refresh()
    version = club.version
    other.add("penalty", {"offender": "Fay", "points": 2})
    assert club.refresh()
    assert club.version > version
    assert club.totals()["Fay"] == -6
    assert club.totals()["An"] == 2  # at table 10; the new night of table 2 is still even
    assert club.to_json()["events"] == 3


def test_one_damaged_table_does_not_hide_the_others(tmp_path: Path) -> None:
    place = str(tmp_path / "club.sqlite")
    begun(place, "1", ["An", "Bo", "Chi", "Dee"], "2026-01-02T18:00:00Z")
    begun(place, "2", ["Eve", "Fay", "Gus", "Hal"], "2026-01-02T18:00:00Z").add("draw", {})
    store = Store(place)
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE hupai_events SET body = '[]' WHERE kind = 'draw'")
    club = Club(store)
    club.refresh()
    first, second = club.tables
    assert first.state is not None
    assert not first.trouble
    assert second.state is None
    assert "not what was written" in second.trouble


def test_a_season_adds_up_over_tables_and_nights(place: str) -> None:
    begun(place, "1", ["An", "Bo", "Chi", "Dee"], "2025-12-30T18:00:00Z").add(
        "win", won("An", "Bo", 90)
    )
    for table, at in (("1", "2026-01-02T18:00:00Z"), ("2", "2026-02-01T18:00:00Z")):
        ledger = begun(place, table, ["An", "Bo", "Chi", "Dee"], at)
        ledger.add("win", won("Chi", "Bo", 5))
        ledger.add("draw", {})
    begun(place, "3", ["An", "Zoe", "Yan", "Xu"], "2026-01-05T18:00:00Z", rules="mcr")
    season = Season(Store(place))
    rows = season.standings("2026", "2027")
    by_name = {row.stats.player: row for row in rows}
    assert sum(row.stats.points for row in rows) == 0
    assert rows[0].stats.player == "Chi"
    assert rows[-1].stats.player == "Bo"
    assert (by_name["Chi"].nights, by_name["Chi"].stats.won, by_name["Chi"].stats.hands) == (
        2,
        2,
        4,
    )
    assert by_name["An"].nights == 3
    assert by_name["An"].place == by_name["Zoe"].place == 2
    assert {row.stats.player for row in season.standings("2026", "", "mcr")} == {
        *("An", "Zoe", "Yan", "Xu")
    }
    assert season.standings("2025", "2026")[0].stats.player == "An"
    assert season.standings("2030") == []
    lines = standings_csv(rows).splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert len(lines) == 1 + len(rows)


def test_tables_and_season_at_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "club.sqlite")
    begun(place, "1", ["An", "Bo", "@Chi", "Dee"], "2026-01-02T18:00:00Z").add(
        "win", won("@Chi", "Bo", 5)
    )
    assert main(["ledger", "tables", "--ledger", place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"][0]["seats"][0]["player"] == "Bo"
    for lang in ("en", "zh-Hant", "zh-Hans"):
        for words in (["tables"], ["season", "--since", "2026"]):
            assert main(["ledger", *words, "--ledger", place, "--lang", lang]) == 0
            assert "Dee" in capsys.readouterr().out
    assert main(["ledger", "season", "--ledger", place, "--csv"]) == 0
    assert "'@Chi" in capsys.readouterr().out
    assert main(["ledger", "season", "--ledger", place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["player"] == "@Chi"
