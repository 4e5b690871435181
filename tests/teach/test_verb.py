"""`hupai teach` as people start it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kiosk import cli, teach_practice
from scorer.names import LANGUAGES
from teach.asking import told
from teach.questions import Question

HAND = "66678m11333p555z[222z]@6m"
FACTS = ["--seat", "W", "--round", "E"]


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Question]]:
    """Somebody at the keyboard: gives these answers; `right` stands for the right one."""
    asked: list[Question] = []
    real = teach_practice._ask

    def ask(question: Question, *more: object) -> bool:
        asked.append(question)
        return real(question, *more)  # type: ignore[arg-type]

    def plays(*answers: str) -> list[Question]:
        given: Iterator[str] = iter(answers)

        def typed(prompt: str = "") -> str:
            answer = next(given, None)
            if answer is None:
                raise EOFError
            return asked[-1].answer if answer == "right" else answer

        monkeypatch.setattr("builtins.input", typed)
        monkeypatch.setattr(teach_practice, "_ask", ask)
        return asked

    return plays


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path / "data"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_newcomer_comes_to_a_scored_hand(
    language: str,
    player: Callable[..., list[Question]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Nothing but `hupai teach` and answers: what a hand is, six questions, a hand counted."""
    asked = player(*["right"] * 6)
    assert cli.main(["teach", "--lang", language, "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert [question.spec.kind for question in asked][-1] == "count"
    assert told(asked[-1], language).explanation[0] in out
    assert "17" in out  # how many tiles a hand has
    assert (tmp_path / "data" / "practice.json").is_file()


def test_hints_wrong_words_and_stopping(
    player: Callable[..., list[Question]], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = player("?", "??", "right", "q")
    assert cli.main(["teach", "--lang", "en", "--kind", "name"]) == 0
    out = capsys.readouterr().out
    assert told(asked[0]).hints[0] in out
    assert "write one of 1, 2, 3, 4" in out
    assert "You got 0 of 1." in out  # with a hint it is not known yet


def test_what_was_missed_comes_again_the_next_time(player: Callable[..., list[Question]]) -> None:
    asked = player("9999")
    cli.main(["teach", "practice", "--kind", "count", "--questions", "1", "--seed", "1"])
    again = player("right")
    cli.main(["teach", "practice", "--kind", "count", "--questions", "1", "--seed", "2"])
    assert again[-1].spec.card == asked[0].spec.card


def test_options_before_and_behind_the_word_practice_count(
    player: Callable[..., list[Question]],
) -> None:
    asked = player("right", "right")
    for words in (["--rules", "hongkong", "practice"], ["practice", "--rules", "hongkong"]):
        cli.main(["teach", *words, "--item", "all-chows", "--questions", "1"])
    assert [question.spec.club.ruleset for question in asked] == ["hongkong", "hongkong"]


def test_damaged_progress_is_named_and_kept(
    player: Callable[..., list[Question]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "progress.json"
    file.write_text("{", encoding="utf-8")
    player("q")
    assert cli.main(["teach", "--progress", str(file), "--lang", "en"]) == 0
    assert "progress-damaged-1.json" in capsys.readouterr().out
    assert (tmp_path / "progress-damaged-1.json").read_text(encoding="utf-8") == "{"


def test_practice_from_the_ledger(
    player: Callable[..., list[Question]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ledger = str(tmp_path / "club.sqlite")
    cli.main(["ledger", "new", "--players", "An,Bo,Chi,Dee", "--ledger", ledger])
    player()
    assert cli.main(["teach", "practice", "--from-ledger", "--ledger", ledger, "--lang", "en"]) == 0
    assert "no won hand" in capsys.readouterr().out
    win = ["add", "win", HAND, "--winner", "Chi", "--discard-from", "Bo", "--ledger", ledger]
    cli.main(["ledger", *win])
    asked = player("3")
    cli.main(["teach", "practice", "--from-ledger", "--ledger", ledger, "--lang", "en"])
    assert str(asked[0].hand) == HAND
    assert "You got 1 of 1." in capsys.readouterr().out


def test_why_almost_and_waits_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    english = [*FACTS, "--lang", "en"]
    assert cli.main(["teach", "why", HAND, *english, "--discard-from", "S"]) == 0
    assert "South pays West: base 3 + tai 3 = 6" in capsys.readouterr().out
    assert cli.main(["teach", "almost", HAND, *english, "--self-drawn", "--two"]) == 0
    assert "All pungs (worth 4): 88m instead of 67m" in capsys.readouterr().out
    assert cli.main(["teach", "waits", HAND.partition("@")[0], *english]) == 0
    assert "9 characters (9m): 4 left, two-sided wait" in capsys.readouterr().out


def test_why_almost_and_waits_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["teach", "why", HAND, *FACTS, "--self-drawn", "--json"]) == 0
    explained = json.loads(capsys.readouterr().out)["explained"]
    assert [item["id"] for item in explained["items"]] == [
        "self-drawn",
        "dragon-pung",
        "three-concealed-pungs",
    ]
    assert cli.main(["teach", "almost", HAND, *FACTS, "--self-drawn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"one": []}
    assert cli.main(["teach", "waits", HAND.partition("@")[0], *FACTS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["waits"]
    assert [wait["tile"] for wait in found] == ["6m", "9m", "1p"]


def test_a_hand_that_is_no_win_or_not_certain_ends_with_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    spoilt = "123456m33s22z[111z][456p]@4s"
    assert cli.main(["teach", "why", spoilt, *FACTS, "--self-drawn", "--lang", "en"]) == 1
    assert "2s instead of 3s" in capsys.readouterr().out
    assert cli.main(["teach", "why", HAND, "--lang", "en"]) == 1
    assert "--seat" in capsys.readouterr().out
    assert cli.main(["teach", "waits", spoilt, *FACTS, "--lang", "en"]) == 0
    assert "Give away" in capsys.readouterr().out
    assert cli.main(["teach", "waits", "1m", *FACTS, "--lang", "en"]) == 1


def test_tiles_winds_and_sheet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["teach", "tiles", "7z", "3f", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "red dragon 紅中" in out
    assert "belongs to West" in out
    assert cli.main(["teach", "winds", "--seat", "W", "--lang", "en"]) == 0
    assert "South sits before you" in capsys.readouterr().out
    sheet = tmp_path / "sheet.html"
    assert cli.main(["teach", "sheet", "--rules", "taiwan-b", "--out", str(sheet)]) == 0
    assert sheet.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    "words",
    [
        ["why"],
        ["why", HAND, "--picture", "x.jpg"],
        ["why", "xyz"],
        ["tiles", "9z"],
        ["tiles", "0b"],
        ["winds", "--seat", "Q"],
        ["waits", HAND, "--open", "8z"],
        ["practice", "--item", "no-such"],
    ],
    ids=lambda words: " ".join(words),
)
def test_wrong_use_is_a_sentence_and_ends_with_two(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["teach", *words]) == 2
    assert capsys.readouterr().err.startswith("hupai: ")


def test_a_picture_is_read_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """The sample hand 123678m4599p[222z][777z]@6p, South off East in an East round."""
    picture = str(Path(cli.__file__).parent / "samples" / "taiwan.jpg")
    facts = ["--seat", "S", "--round", "E", "--discard-from", "E", "--lang", "en"]
    assert cli.main(["teach", "why", "--picture", picture, *facts]) == 0
    out = capsys.readouterr().out
    assert "Dragon pung" in out
    assert "Seat wind" in out


def test_a_picture_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["teach", "why", "--picture", "/nowhere.jpg", *FACTS]) == 1
    assert "nowhere.jpg" in capsys.readouterr().err


def without_its_winning_tile(tmp_path: Path) -> Path:
    """The sample hand with table cloth where the 6 dots lay: 16 tiles."""
    import cv2
    import numpy as np

    from kiosk.verbs.read import read_frame
    from scorer import Situation
    from vision.sources import open_source

    sample = Path(cli.__file__).parent / "samples" / "taiwan.jpg"
    with open_source(str(sample), live=False) as frames:
        frame = next(iter(frames))
    reading = read_frame(frame, "taiwan", Situation(), None)
    [winning] = [g.tiles[0] for g in reading.groups if g.kind == "winning-tile"]
    quad = reading.layout.detections.quads[winning].astype(int)
    mask = np.zeros(frame.image.shape[:2], np.uint8)
    (left, top), (right, bottom) = quad.min(0) - 14, quad.max(0) + 14
    mask[top:bottom, left:right] = 255
    path = tmp_path / "sixteen.png"
    cv2.imwrite(str(path), cv2.inpaint(frame.image, mask, 5, cv2.INPAINT_TELEA))
    return path


def test_the_waits_of_a_photographed_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """123678m4599p[222z][777z] waits for 3 and 6 dots. Where a tile is unsure it is said first,
    and the exit code is 1.
    """
    picture = str(without_its_winning_tile(tmp_path))
    code = cli.main(["teach", "waits", "--picture", picture, *FACTS, "--lang", "en"])
    out = capsys.readouterr().out
    assert "3 dots (3p): 4 left, two-sided wait" in out
    assert "6 dots (6p): 4 left, two-sided wait" in out
    assert code == int("unsure" in out)
