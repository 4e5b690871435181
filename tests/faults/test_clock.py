"""Clocks that are set back or ahead: what is timed runs on, and the order of things stays.

A machine without a battery for its clock begins in the year 1970, and is set right by the network
when somebody has played already.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import httpx2
import pytest

from table import Ledger, Store
from table.export import read_back, to_json
from teach.cards import Deck
from tests.kiosk.server.started import Command
from tests.support import REPOSITORY, missing
from tests.table.nights import PLAYERS, THREE_PUNGS, start

WALL = re.compile(r"\b(time\.time(_ns)?|(datetime|date)\.(now|utcnow|today)|localtime|ctime)\(")
MAY_ASK = {
    "table/ledger.py": "when an event was booked, for people to read; the order is that of numbers",
    "kiosk/server/saving.py": "the names of kept pictures, each with an id of its own",
    "kiosk/server/certificate.py": "the years in which a certificate is good",
    "kiosk/server/teach_routes.py": "the day on which a card is asked again",
    "kiosk/teach_practice.py": "the day on which a card is asked again",
}
"""The only modules that look at the clock on the wall, and what for."""


def test_nothing_is_timed_by_the_clock_on_the_wall() -> None:
    packages = ("scorer", "models", "calibration", "vision", "table", "teach", "kiosk")
    files = [file for package in packages for file in (REPOSITORY / package).rglob("*.py")]
    asking = {
        str(file.relative_to(REPOSITORY)) for file in files if WALL.search(file.read_text("utf-8"))
    }
    assert asking == set(MAY_ASK)


def test_the_newest_night_is_the_one_begun_last_whatever_the_clock_said(place: str) -> None:
    store = Store(place)
    body = {"players": PLAYERS, "rules": {"id": "taiwan"}}
    for night, at in (
        ("before", "2026-05-01T20:00:00Z"),
        ("set back", "1970-01-01T00:00:09Z"),
        ("far ahead", "2099-01-01T00:00:00Z"),
        ("right again", "2026-05-02T20:00:00Z"),
    ):
        ledger = Ledger.start(store, night, body, at=at)
        assert store.nights()[-1].night == night
        assert ledger.records[0].at == at  # what the clock said is not forged
    assert Ledger.start(store, "other table", body, table="2", at="2026-05-02T20:00:00Z").length
    assert [night.night for night in store.nights("2")] == ["other table"]
    old = read_back(store, json.dumps(to_json(Ledger(store, "before"))), "copy")
    assert old.length == 1
    assert store.nights("main")[-1].night == "right again"  # an import is no new night


def test_events_stay_in_order_and_add_up_when_the_clock_is_set_back(place: str) -> None:
    ledger = start(place)
    times = [
        "2026-05-01T20:00:00Z",
        "1970-01-01T00:00:00Z",
        "2099-12-31T23:59:59Z",
        "2026-05-01T20:01:00Z",
    ]
    for at in times:
        ledger.add("draw", {}, at=at)
    again = Ledger(ledger.store, "friday")
    assert [record.at for record in again.records[1:]] == times
    assert again.state.streak == 4
    assert again.verify() == []


def test_a_card_learnt_while_the_clock_was_ahead_is_asked_again() -> None:
    deck = Deck().answered("1m", True, 20_000.0 + 3650).answered("2m", True, 20_000.0)
    assert deck.next(["1m", "2m"], 20_000.5, Random(1)) == "1m"
    assert deck.next(["2m"], 20_000.5, Random(1)) is None


def library() -> str:
    """libfaketime: it lies about the time to a program that is started with it."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        missing("faketime", "libfaketime is not installed")
    return str(found[0])


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs that are started now have the time of this file; their monotonic clock is true."""
    file = tmp_path / "clock"
    file.write_text("@2026-05-01 20:00:00\n")
    monkeypatch.setenv("LD_PRELOAD", library())
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(file))
    monkeypatch.setenv("FAKETIME_NO_CACHE", "1")
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    monkeypatch.setenv("TZ", "UTC")
    return file


def test_a_night_goes_on_while_the_clock_jumps(tmp_path: Path, clock: Path) -> None:
    command = Command(tmp_path)
    try:
        with httpx2.Client(base_url=command.address, timeout=60) as client:
            client.post("/api/table/nights", json={"players": PLAYERS, "rules": "taiwan"})
            live = client.post("/api/live", json={}).json()["id"]
            for n, year in enumerate((1970, 2099, 2026)):
                clock.write_text(f"@{year}-05-01 20:00:00\n")
                win = {"winners": [{"player": "Chi", "hand": THREE_PUNGS}], "from": "Bo"}
                assert client.post("/api/table/hands", json=win).status_code == 201
                # A phone that was live a moment ago is not thought to have gone for years.
                answer = client.post(f"/api/live/{live}/frames?n={n}", content=b"x")
                assert answer.json()["id"] == "not-a-picture"
            clock.write_text("@1970-01-01 00:00:05\n")
            client.post("/api/table/nights", json={"players": PLAYERS[::-1]})
            table = client.get("/api/table").json()
            assert table["length"] == 1
            assert table["seats"][0]["player"] == "Dee"
    finally:
        assert command.end() == 0
    with Store(tmp_path / "l.sqlite") as store:
        records = Ledger(store, store.nights()[0].night).records
    assert [record.at[:4] for record in records] == ["2026", "1970", "2099", "2026"]
