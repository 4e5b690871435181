"""The hub over HTTP: every table live, and the standings of a season."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from kiosk.server.desk import Options
from table import Ledger, Store
from tests.kiosk.server.started import served
from tests.table.nights import won


def begun(options: Options, table: str, *players: str) -> Ledger:
    body = {"players": list(players), "rules": {"id": "taiwan"}}
    assert options.ledger is not None
    return Ledger.start(
        Store(options.ledger), f"n{table}", body, table=table, at="2026-03-01T18:00:00Z"
    )


def test_the_hub_adds_the_tables_up(client: TestClient, options: Options) -> None:
    assert client.get("/api/club").json() == {"tables": [], "totals": {}, "events": 0, "deals": 0}


def test_every_table_and_what_everybody_has(options: Options) -> None:
    begun(options, "1", "An", "Bo", "Chi", "Dee").add("win", won("Chi", "Bo", 5))
    begun(options, "2", "An", "Fay", "Gus", "Hal").add("penalty", {"offender": "Fay", "points": 1})
    with served(options) as server, httpx2.Client(base_url=server.address) as client:
        club = client.get("/api/club").json()
        assert [table["table"] for table in club["tables"]] == ["1", "2"]
        assert club["tables"][0]["deals"] == 1
        summed = {
            name: sum(table["totals"].get(name, 0) for table in club["tables"])
            for name in club["totals"]
        }
        assert summed == club["totals"]
        season = client.get("/api/club/season?since=2026-03&until=2026-04&rules=taiwan").json()
        assert {row["player"]: row["points"] for row in season["standings"]} == club["totals"]
        sheet = client.get("/api/club/season.csv")
        assert sheet.headers["content-type"].startswith("text/csv")
        assert len(sheet.text.splitlines()) == 1 + len(club["totals"])
        assert client.get("/api/club/season?since=yesterday").status_code == 422
        assert client.get("/hub").status_code == 200


def test_the_stream_brings_what_another_program_books(options: Options) -> None:
    ledger = begun(options, "1", "An", "Bo", "Chi", "Dee")
    with (
        served(options) as server,
        httpx2.stream("GET", f"{server.address}/api/club/events", timeout=60) as stream,
    ):
        news = events(stream)
        assert next(news)["events"] == 1
        threading.Timer(0.2, lambda: ledger.add("draw", {})).start()
        assert next(news)["events"] == 2


def test_a_ledger_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    wrong = tmp_path / "no-ledger.sqlite"
    wrong.write_bytes(b"this is no database, only text" * 40)
    options = Options(config=tmp_path / "c.toml", ledger=str(wrong))
    with served(options) as server, httpx2.Client(base_url=server.address, timeout=60) as client:
        assert client.get("/api/club").status_code == 503
        with client.stream("GET", "/api/club/events?lang=zh-Hant") as stream:
            assert next(events(stream))["problem"]["id"] == "storage"


def events(stream: httpx2.Response) -> Any:
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_the_page_has_its_words(language: str, client: TestClient) -> None:
    words = client.get(f"/static/words/{language}.json").json()
    script = client.get("/static/js/hub.js").text
    for key in ("hub-sum", "hub-table", "season-csv", "season-none"):
        assert f"'{key}'" in script
        assert words[key]
