"""`hupai score`: the fixed JSON fields, the exit codes, the receipt, and no score when unsure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.cli import main
from kiosk.receipt import width

THREE_CONCEALED = "66678m11333p555z[222z]@6m"
BY_DISCARD = (THREE_CONCEALED, "--seat", "W", "--round", "E", "--discard-from", "S")
BY_DRAW = (THREE_CONCEALED, "--seat", "W", "--round", "E", "--self-drawn", "--streak", "2")

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `hupai score …`."""
    try:
        code = main(["score", *words])
    except SystemExit as end:  # argparse ends wrong use this way
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def scored(capsys: Capture, *words: str) -> tuple[int, dict[str, Any]]:
    code, out, _ = run(capsys, *words, "--json")
    return code, json.loads(out)


def test_json_has_the_fields_scripts_rely_on(capsys: Capture) -> None:
    code, result = scored(capsys, *BY_DISCARD)
    assert code == 0
    assert result["total"] == 3  # three concealed pungs 2, dragon 1 (faults: the 6m stays in 678)
    assert result["certain"] is True
    assert result["range"] is None
    assert result["dealer_line"] == 0
    assert [set(item) for item in result["items"]] == 2 * [
        {"id", "value", "count", "tiles", "source"}
    ]
    assert result["left_out"] == []
    assert result["problems"] == []
    assert result["payments"] == {"E": 0, "S": -6, "W": 6, "N": 0}
    assert result["ruleset"] == "taiwan"
    assert result["version"]


def test_dealer_line_stands_in_the_payments_and_not_in_the_total(capsys: Capture) -> None:
    code, result = scored(capsys, *BY_DRAW)
    assert (code, result["total"], result["dealer_line"]) == (0, 4, 5)
    assert result["payments"] == {"E": -12, "S": -7, "W": 26, "N": -7}


def test_base_and_tai_are_worth_what_is_said(capsys: Capture) -> None:
    _, result = scored(capsys, *BY_DISCARD, "--base", "100", "--tai", "20")
    assert result["payments"]["S"] == -(100 + 3 * 20)


def test_receipt_names_items_payments_and_sources(capsys: Capture) -> None:
    code, out, _ = run(capsys, *BY_DISCARD, "--lang", "en")
    assert code == 0
    for words in ("Three concealed pungs", "666m333p555z", "TW-A", "Total", "3 tai", "+6", "−6"):
        assert words in out


def test_receipt_speaks_the_language_asked_for(capsys: Capture) -> None:
    traditional = run(capsys, *BY_DISCARD, "--lang", "zh-Hant")[1]
    simplified = run(capsys, *BY_DISCARD, "--lang", "zh-Hans")[1]
    assert "合計" in traditional
    assert "三暗刻" in traditional
    assert "合计" in simplified


def test_language_follows_the_locale(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")
    assert "合計" in run(capsys, *BY_DISCARD)[1]
    monkeypatch.setenv("HUPAI_LANG", "en")
    assert "Total" in run(capsys, *BY_DISCARD)[1]


def test_unknown_facts_give_a_range_and_questions_but_no_score(capsys: Capture) -> None:
    code, result = scored(capsys, THREE_CONCEALED)
    assert code == 1
    assert result["certain"] is False
    assert result["total"] is None
    low, high = result["range"]
    assert low < high
    assert set(result["questions"]) == {"seat", "round", "self_drawn"}

    code, out, _ = run(capsys, THREE_CONCEALED, "--lang", "en")
    assert code == 1
    assert f"between {low} and {high} tai" in out
    assert "--seat" in out
    assert "Total" not in out
    assert "Payments" not in out


@pytest.mark.parametrize(
    ("hand", "problem"),
    [
        ("66678m11333p555z[222z]@5m", "not-complete"),
        ("66678m11333p555z[222z][333z]@6m", "too-many-tiles"),
        ("6678m11333p555z[222z]@6m", "too-few-tiles"),
        ("11111m123p456p789p99s@9s", "fifth-copy"),
        ("66678m11333p555z[222z]@6m 11f", "second-bonus"),
    ],
)
def test_impossible_hands_name_the_reason_and_have_no_score(
    capsys: Capture, hand: str, problem: str
) -> None:
    facts = ("--seat", "W", "--round", "E", "--discard-from", "S")
    code, result = scored(capsys, hand, *facts)
    assert code == 1
    assert problem in [found["id"] for found in result["problems"]]
    assert result["total"] is None
    assert result["payments"] is None
    code, out, _ = run(capsys, hand, *facts, "--lang", "en")
    assert code == 1
    assert "cannot be scored" in out
    assert "Total" not in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["66678m11333p555z[222z]@6x"], "'@6x'"),
        (["66678m11q"], "'1q'"),
        ([THREE_CONCEALED, "--rules", "taiwam"], "did you mean taiwan"),
        ([THREE_CONCEALED, "--seat", "Q"], "write E, S, W or N"),
        ([THREE_CONCEALED, "--streak", "-1"], "0 or more"),
        ([THREE_CONCEALED, "--event", "kong-drawn"], "did you mean kong-draw"),
        ([THREE_CONCEALED, "--seat", "E", "--discard-from", "E"], "are both E"),
        ([THREE_CONCEALED, "--house", "no-such-file.toml"], "cannot be read"),
        ([THREE_CONCEALED, "--self-drawn", "--discard-from", "E"], "not allowed with"),
        ([THREE_CONCEALED, "--fed", "S:333z"], "--fed S:333z: the hand has no such exposed set"),
        ([THREE_CONCEALED, "--fed", "S:555z"], "no such exposed set"),
        ([THREE_CONCEALED, "--missing-suit", "m"], "--missing-suit is a fact of sichuan only"),
        ([THREE_CONCEALED, "--already-won", "E"], "--already-won is a fact of sichuan only"),
        ([THREE_CONCEALED, "--dora", "1s"], "--dora is a fact of riichi only"),
        ([], "HAND"),
    ],
)
def test_wrong_use_says_what_is_wrong_in_one_sentence(
    capsys: Capture, words: list[str], sentence: str
) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert sentence in err
    assert "Traceback" not in err


def test_house_rules_of_a_club_are_used(capsys: Capture, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('ruleset = "taiwan"\nbase = 10\n[values]\ndragon-pung = 5\n', "utf-8")
    code, result = scored(capsys, *BY_DISCARD, "--house", str(club))
    assert (code, result["total"]) == (0, 7)
    assert result["payments"]["S"] == -17


def test_house_rules_that_are_wrong_name_the_line(capsys: Capture, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('ruleset = "taiwan"\nbase = "ten"\n', "utf-8")
    code, _, err = run(capsys, *BY_DISCARD, "--house", str(club))
    assert code == 2
    assert "club.toml, line 2" in err


def test_no_verb_and_unknown_verbs_are_wrong_use(capsys: Capture) -> None:
    for words in ([], ["scor"]):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_an_unexpected_error_is_one_line(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> int:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr("kiosk.verbs.score.run", broken)
    assert main(["score", "1m"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "the disk is on fire" in err


def test_chinese_letters_take_two_columns() -> None:
    assert width("台 tai") == 6
