"""A night as JSON, CSV and a page; and back."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from table import EventError, Ledger, Store
from table.export import read_back, to_csv, to_html, to_json
from tests.table.nights import start, won


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A night with one of everything that an export must carry."""
    ledger = start(tmp_path / "a.sqlite", stakes={"point": "10", "currency": "TWD"})
    ledger.add("win", won("Chi", "Bo"))
    ledger.add("penalty", {"offender": "Dee", "points": 2, "note": "=1+1 <b>late</b>"})
    ledger.add("draw", {})
    ledger.accept(ledger.propose_edit(2, "win", won("An", total=1)))
    ledger.accept(ledger.propose_undo(4))
    ledger.add("players", {"out": "Dee", "in": "Eve"})
    return ledger


def test_json_comes_back_the_same(ledger: Ledger, tmp_path: Path) -> None:
    text = json.dumps(to_json(ledger))
    again = read_back(Store(tmp_path / "b.sqlite"), text)
    assert again.night == "friday"
    assert again.records == ledger.records
    assert again.state.to_json() == ledger.state.to_json()
    assert again.verify() == []
    copy = read_back(ledger.store, text, "friday again")
    assert copy.records == ledger.records
    with pytest.raises(EventError, match="already"):
        read_back(ledger.store, text)


def test_csv_comes_back_the_same(ledger: Ledger, tmp_path: Path) -> None:
    """All that counts, numbered anew; a spreadsheet's own marks and separators do no harm."""
    ledger.add("players", {"out": "Eve", "in": "+Ada"})
    text = to_csv(ledger)
    rows = list(csv.reader(io.StringIO(text)))
    saved = io.StringIO()
    csv.writer(saved, delimiter=";", quoting=csv.QUOTE_ALL).writerows(rows)
    for place, form in (("b", text), ("c", "\ufeff" + saved.getvalue())):
        again = read_back(Store(tmp_path / place), form)
        assert again.night == "friday"
        assert again.state.to_json() == ledger.state.to_json()
        assert [e.kind for e in again.state.history] == [e.kind for e in ledger.state.history]
        for one, other in zip(again.state.history, ledger.state.history, strict=True):
            assert (one.body, one.facts, one.payments, one.outcome, one.at) == (
                (other.body, other.facts, other.payments, other.outcome, other.at)
            )
        assert again.verify() == []
        assert to_csv(read_back(again.store, to_csv(again), "copy")).count("\n") == len(rows)


@pytest.mark.parametrize(
    ("row", "column", "value"),
    [
        (1, "Bo", "-99"),  # the points of a hand
        (2, "Dee", "0"),  # of a penalty
        (-1, "An", "1000"),  # a total
        (1, "log", "{}"),
        (1, "log", '["body"]'),
        (1, "kind", "party"),
        (1, "An", ""),
        (1, "log", ""),
        (-1, "log", "3"),
        (-1, "no", "sum"),
        (0, "log", "more"),
        (0, "Bo", "Eve"),
    ],
)
def test_csv_that_was_changed_is_refused(
    ledger: Ledger, tmp_path: Path, row: int, column: str, value: str
) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(ledger))))
    rows[row][rows[0].index(column)] = value
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    store = Store(tmp_path / "b.sqlite")
    with pytest.raises(EventError):
        read_back(store, text.getvalue())
    assert store.nights() == []


def test_csv_has_a_column_for_each_player_and_sums(ledger: Ledger) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(ledger))))
    assert [row["kind"] for row in rows[:-1]] == ["win", "penalty", "players"]
    for player in ("An", "Bo", "Chi", "Dee", "Eve"):
        total = sum(int(row[player]) for row in rows[:-1])
        assert total == int(rows[-1][player]) == ledger.state.totals[player]
    assert rows[1]["note"].startswith("'=")  # no formula in anybody's spreadsheet


class Page(HTMLParser):
    """Tags and words of a page; nothing on it may be loaded from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_shows_hands_totals_and_settlement(ledger: Ledger) -> None:
    page = Page(to_html(ledger))
    text = " ".join(page.words)
    assert "b" not in page.tags  # what a user wrote is text
    assert "<b>late</b>" in text
    assert "Dee → An: 110 TWD" in text
    assert page.tags.count("tr") == 1 + 3 + 2


def spoil(data: dict[str, Any], how: str) -> None:
    records = data["records"]
    if how == "missing":
        del records[2]
    elif how == "key":
        records[2]["key"] = records[1]["key"]
    elif how == "outcome":
        records[1]["outcomes"] = records[4]["outcomes"] = {}
    elif how == "payments":
        records[4]["outcomes"]["2"]["payments"]["Bo"] -= 1
    elif how == "kind":
        records[2]["kind"] = "party"
    elif how == "later":
        records[5]["body"]["of"] = 6
    elif how == "totals":
        data["state"]["totals"]["An"] += 1
    elif how == "at":
        records[1]["at"] = ["2026"]
    elif how == "number":
        records[1]["outcomes"]["2"]["wins"][0]["total"] = 1.5
    elif how == "note":
        records[2]["body"]["note"] = "\ud800"  # half a letter: no file can hold it
    elif how == "shape":
        data["records"] = {"a": 1}
    else:
        data[how] = []


@pytest.mark.parametrize(
    "how",
    [
        *("missing", "key", "outcome", "payments", "kind", "later", "totals", "shape"),
        *("at", "number", "note", "records", "format", "version", "night", "table"),
    ],
)
def test_an_export_that_is_not_whole_is_refused(ledger: Ledger, tmp_path: Path, how: str) -> None:
    data = to_json(ledger)
    spoil(data, how)
    store = Store(tmp_path / "b.sqlite")
    with pytest.raises(EventError):
        read_back(store, json.dumps(data))
    assert store.nights() == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "null", '{"format": "hupai-ledger"}', "9" * 5000, "[" * 100_000]
)
def test_what_is_no_export_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(EventError):
        read_back(Store(tmp_path / "b.sqlite"), text)
