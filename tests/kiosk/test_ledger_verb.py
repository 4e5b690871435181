"""`hupai ledger`: a night from its start to its settlement on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.cli import main
from kiosk.words import LANGUAGES

HAND = "66678m11333p555z[222z]@6m"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "club.sqlite"
    monkeypatch.setenv("HUPAI_LEDGER", str(path))
    monkeypatch.setenv("HUPAI_LANG", "en")
    return path


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    try:
        code = main(["ledger", *words])
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def data(capsys: Capture, *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    return json.loads(out)


def begin(capsys: Capture, *more: str) -> Any:
    return data(capsys, "new", "--players", "An,Bo,Chi,Dee", "--night", "friday", *more)


def test_without_another_place_the_ledger_lies_in_the_data_folder(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HUPAI_LEDGER")
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path / "data"))
    begin(capsys)
    assert (tmp_path / "data" / "ledger.sqlite").is_file()

    (tmp_path / "file").touch()
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path / "file"))
    code, _, err = run(capsys, "show")
    assert (code, err) == (1, f"hupai: {tmp_path / 'file'} cannot be written: File exists.\n")


def test_a_night_from_start_to_settlement(capsys: Capture) -> None:
    begin(capsys, "--point", "10", "--currency", "TWD")
    booked = data(capsys, "add", "win", HAND, "--winner", "W", "--discard-from", "Bo")
    assert booked["no"] == 2
    assert booked["state"]["totals"] == {"An": 0, "Bo": -6, "Chi": 6, "Dee": 0}
    assert booked["state"]["dealer"] == "Bo"
    assert data(capsys, "add", "draw")["state"]["streak"] == 1
    data(capsys, "add", "false-win", "Dee")
    data(capsys, "add", "penalty", "An", "--points", "4", "--to", "Bo", "--note", "phone rang")
    data(capsys, "add", "correction", "An=2", "Bo=-2")
    data(capsys, "add", "players", "Dee", "Eve")
    data(capsys, "add", "seats", "Eve,Chi,Bo,An", "--dealer", "Bo")
    data(capsys, "add", "rules", "--rules", "hongkong")
    shown = data(capsys, "show")
    assert shown["state"]["rules"] == {"id": "hongkong"}
    assert [entry["kind"] for entry in shown["history"]][-1] == "rules"
    totals = shown["state"]["totals"]
    assert totals == {"An": 4, "Bo": 2, "Chi": 12, "Dee": -18, "Eve": 0}
    settled = data(capsys, "settle")
    assert sum(p["points"] for p in settled["payments"]) == 18
    assert {p["payer"] for p in settled["payments"]} == {"Dee"}
    assert {p["currency"] for p in settled["payments"]} == {"TWD"}
    assert run(capsys, "verify")[0] == 0


def test_a_repeated_key_books_once(capsys: Capture) -> None:
    begin(capsys, "--key", "k0")
    begin(capsys, "--key", "k0")
    for _ in range(2):
        assert data(capsys, "add", "draw", "--key", "k1")["no"] == 2
    for _ in range(2):
        assert data(capsys, "undo", "--yes", "--key", "k2")["no"] == 3
    code, _, err = run(capsys, "add", "penalty", "An", "--points", "1", "--key", "k1")
    assert code == 1
    assert "k1" in err


def test_undo_and_edit_show_what_changes_and_need_consent(capsys: Capture) -> None:
    begin(capsys)
    run(capsys, "add", "win", HAND, "--winner", "Chi", "--discard-from", "Bo")
    code, out, err = run(capsys, "edit", "2", "win", HAND, "--winner", "Chi", "--self-drawn")
    assert code == 1
    assert "Bo −6, Chi +6 → An −8, Bo −7, Chi +22, Dee −7" in out
    assert "+6 → +22" in out
    assert "--yes" in err
    assert data(capsys, "show")["state"]["totals"]["Chi"] == 6
    # W is who sat West when the hand was played, not who sits there now
    code, out, _ = run(capsys, "edit", "2", "win", HAND, "--winner", "W", "--self-drawn", "--yes")
    assert code == 0
    assert data(capsys, "show")["state"]["totals"]["Chi"] == 22
    assert data(capsys, "undo", "--yes")["state"]["totals"]["Chi"] == 6


def test_export_and_import(capsys: Capture, tmp_path: Path) -> None:
    begin(capsys)
    run(capsys, "add", "win", HAND, "--winner", "Chi", "--discard-from", "Bo")
    out = tmp_path / "friday.json"
    assert run(capsys, "export", "--out", str(out))[0] == 0
    other = str(tmp_path / "other.sqlite")
    again = data(capsys, "import", str(out), "--ledger", other)
    assert again["state"]["totals"]["Chi"] == 6
    table = tmp_path / "friday.csv"
    assert run(capsys, "export", "--format", "csv", "--out", str(table))[0] == 0
    assert "An,Bo,Chi,Dee" in table.read_text("utf-8").splitlines()[0]
    third = str(tmp_path / "third.sqlite")
    from_table = data(capsys, "import", str(table), "--ledger", third)
    assert from_table["state"] == again["state"]
    assert run(capsys, "export", "--format", "html")[1].startswith("<!doctype html>")
    code, _, err = run(capsys, "import", str(out))
    assert code == 1
    assert "already" in err


def test_a_sichuan_deal_from_a_file_that_names_seats(capsys: Capture, tmp_path: Path) -> None:
    """The deal of docs/deal.md: East +1, South -1, West -1, North +1."""
    begin(capsys, "--rules", "sichuan")
    file = tmp_path / "deal.toml"
    file.write_text(
        """dealer = "E"
missing = { E = "m", S = "m", W = "p", N = "s" }
[[events]]
kong = "concealed"
by = "S"
tile = "5p"
[[events]]
win = "E"
from = "N"
hand = "123789p1234477s@7s"
[[events]]
wall_end = { S = "46p55566688s(5555p)", W = "12345678m24599s", N = "123456789m1133p" }
""",
        "utf-8",
    )
    booked = data(capsys, "add", "deal", str(file))
    assert booked["state"]["totals"] == {"An": 1, "Bo": -1, "Chi": -1, "Dee": 1}


def test_any_event_as_json(capsys: Capture, tmp_path: Path) -> None:
    begin(capsys)
    file = tmp_path / "event.json"
    file.write_text('{"kind": "penalty", "body": {"offender": "An", "points": 1}}', "utf-8")
    assert data(capsys, "add", "event", str(file))["state"]["totals"]["An"] == -3
    file.write_text('{"body": 1}', "utf-8")
    assert run(capsys, "add", "event", str(file))[0] == 2


def test_a_damaged_file_is_restored(capsys: Capture, place: Path) -> None:
    begin(capsys)
    for _ in range(9):
        run(capsys, "add", "draw")
    # With its write-ahead log at hand SQLite would mend the file by itself.
    for log in (f"{place}-wal", f"{place}-shm"):
        Path(log).unlink(missing_ok=True)
    place.write_bytes(b"broken" * 1000)
    code, _, err = run(capsys, "show")
    assert code == 1
    assert "hupai ledger restore" in err
    assert run(capsys, "restore")[0] == 0
    assert data(capsys, "show")["state"]["streak"] == 9
    code, _, err = run(capsys, "restore")
    assert code == 1
    assert "not damaged" in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_three_languages(capsys: Capture, language: str) -> None:
    begin(capsys)
    run(capsys, "add", "win", HAND, "--winner", "Chi", "--discard-from", "Bo")
    for words in (["show"], ["settle"], ["verify"], ["stats"], ["undo"]):
        code, out, _ = run(capsys, *words, "--lang", language)
        assert code == (1 if words == ["undo"] else 0)
        assert out
    shown = run(capsys, "show", "--lang", language)[1]
    assert {"en": "Bo deals", "zh-Hant": "Bo做莊", "zh-Hans": "Bo做庄"}[language] in shown


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["show"], 1, "ledger new"),
        (["new"], 2, "--players"),
        (["new", "--players", "An,Bo"], 1, "four names"),
        (["new", "--players", "An,Bo,E,Dee"], 1, "cannot be a name"),
        (["new", "--players", "An,Bo,Chi,Dee", "--point", "lots"], 1, "money"),
        (["import", "nothing.json"], 2, "cannot be read"),
    ],
)
def test_trouble_is_a_sentence(capsys: Capture, words: list[str], code: int, why: str) -> None:
    found, _, err = run(capsys, *words)
    assert found == code
    assert why in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["win", HAND, "--winner", "Eve", "--self-drawn"], "Eve does not sit at the table"),
        (["win", HAND[:-2], "--winner", "Chi", "--self-drawn"], "Chi"),
        (["win", "--winner", "Chi", "--self-drawn"], "--total"),
        (["correction", "An=1"], "zero"),
        (["correction", "An"], "PLAYER=POINTS"),
        (["win", HAND, "--winner", "Chi", "--self-drawn", "--fed", "An"], "PLAYER:SET"),
    ],
)
def test_events_that_cannot_be(capsys: Capture, words: list[str], why: str) -> None:
    begin(capsys)
    code, _, err = run(capsys, "add", *words)
    assert code in (1, 2)
    assert why in err
    assert data(capsys, "show")["history"] == []
