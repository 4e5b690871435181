"""`hupai rules`: what there is, what a club's file says, and a reference that is up to date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kiosk import rulebook
from kiosk.cli import main
from scorer import find_ruleset, read_house, rulesets
from tests.support import REPOSITORY

Capture = pytest.CaptureFixture[str]


def test_list_names_every_rule_set_and_preset(capsys: Capture) -> None:
    assert main(["rules", "list", "--json"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rulesets()) <= set(rows)
    assert rows["taiwan"]["preset_of"] == ""
    assert rows["taiwan-b"]["preset_of"] == "taiwan"


@pytest.mark.parametrize("ruleset", rulesets())
def test_show_prints_items_with_values_and_every_house_rule(ruleset: str, capsys: Capture) -> None:
    assert main(["rules", "show", ruleset, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert all(item["name"] and item["text"] and item["source"] for item in shown["items"])
    names = {option.name for option in find_ruleset(ruleset).options}
    assert {rule["name"] for rule in shown["house_rules"]} == names
    assert main(["rules", "show", ruleset, "--lang", "en"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in names)


@pytest.mark.parametrize("ruleset", rulesets())
def test_a_printed_file_is_a_good_file(ruleset: str, capsys: Capture, tmp_path: Path) -> None:
    assert main(["rules", "show", ruleset, "--toml"]) == 0
    text = capsys.readouterr().out
    assert read_house(text) == find_ruleset(ruleset).house()
    club = tmp_path / "club.toml"
    club.write_text(text, "utf-8")
    assert main(["rules", "check", str(club)]) == 0


def test_check_names_line_and_choices(capsys: Capture, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('ruleset = "taiwan"\n\nwait_rule = "loose"\n', "utf-8")
    assert main(["rules", "check", str(club)]) == 1
    out = capsys.readouterr().out
    assert "line 3" in out
    assert "formal" in out


def test_diff_scores_a_hand_in_both_tables(capsys: Capture) -> None:
    facts = ["--seat", "E", "--round", "E", "--discard-from", "N", "--dealer", "N"]
    hand = ["--hand", "23456p123456s77z[123m]@1p", *facts]
    assert main(["rules", "diff", "taiwan", "taiwan-sml", *hand, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["left"]["total"], answer["right"]["total"]) == (0, 2)
    assert main(["rules", "diff", "taiwan", "taiwan-sml", *hand, "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["taiwan: 0 tai (Chicken hand 0)", "taiwan-sml: 2 tai (All chows 2)"]
    assert main(["rules", "diff", "taiwan", "taiwan-sml", "--hand", "12x"]) == 2


def test_diff_finds_what_differs_and_only_that(capsys: Capture, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('ruleset = "taiwan"\nbase = 7\n[values]\nflower-kong = 1\n', "utf-8")
    assert main(["rules", "diff", "taiwan", str(club), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {(row["id"], row["left"], row["right"]) for row in rows} == {
        ("base", "3", "7"),
        ("flower-kong", "2", "1"),
    }
    assert main(["rules", "diff", "taiwan", "taiwan"]) == 0
    assert "the same" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [["rules"], ["rules", "show", "x"], ["rules", "show", "x.toml"], ["rules", "list", "1"]],
)
def test_wrong_use(words: list[str], capsys: Capture) -> None:
    try:
        code = main(words)
    except SystemExit as end:
        code = int(str(end.code))
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("ruleset", rulesets())
def test_rules_reference_is_current(ruleset: str) -> None:
    path = REPOSITORY / "docs" / f"rules-{ruleset}.md"
    assert path.read_text(encoding="utf-8") == rulebook.page(ruleset), "run `make rules`"
