"""Worked nights of tests/data/nights: every payment, dealer, streak and round comes out."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from table import Ledger, Store
from table.export import read_back, to_csv, to_json
from tests.support import REPOSITORY
from tests.table.nights import PLAYERS

NIGHTS = sorted((REPOSITORY / "tests" / "data" / "nights").glob("*.toml"))


def event_of(row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    body = {k: v for k, v in row.items() if k not in ("kind", "pays", "next")}
    if row["kind"] == "win":
        what = {key: body.pop(key) for key in ("hand", "total", "events") if key in body}
        body = {"winners": [{"player": body.pop("winner"), **what}], **body}
    return row["kind"], body


@pytest.mark.parametrize("path", NIGHTS, ids=[path.stem for path in NIGHTS])
def test_worked_night(path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith("# rules/")  # where the numbers come from
    data = tomllib.loads(text)
    body = {"players": PLAYERS, "rules": {"id": data["rules"], "options": data.get("options")}}
    body |= {key: data[key] for key in ("draw_dealer", "stakes") if key in data}
    ledger = Ledger.start(Store(tmp_path / "a.sqlite"), path.stem, body)
    for row in data["events"]:
        kind, event = event_of(row)
        no = ledger.add(kind, event).no
        state = ledger.state
        entry = state.history[-1]
        assert entry.no == no
        paid = {player: points for player, points in entry.payments.items() if points}
        assert paid == row.get("pays", {}), f"event {no}"
        now = (state.players[state.dealer], state.streak, state.round.letter)
        assert now == tuple(row["next"][k] for k in ("dealer", "streak", "round")), f"event {no}"
    if "ends" in data:
        start = ledger.state.stakes.start
        assert {p: start + n for p, n in ledger.state.totals.items()} == data["ends"]
    assert ledger.verify() == []
    assert Ledger(ledger.store, path.stem).state.totals == ledger.state.totals
    for number, text in enumerate((json.dumps(to_json(ledger)), to_csv(ledger))):
        again = read_back(ledger.store, text, f"copy {number}")
        assert again.state.to_json() == ledger.state.to_json()
