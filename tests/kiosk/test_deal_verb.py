"""`hupai score --deal`: a whole deal from a file, as text and as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kiosk import cli
from kiosk.words import LANGUAGES
from scorer.deal import Deal, read_deal, settle
from scorer.names import texts
from tests.docs.test_links_and_commands import documented_fields
from tests.support import REPOSITORY

PAGE = (REPOSITORY / "docs" / "deal.md").read_text(encoding="utf-8")
DEAL = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
SETTLED = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def deal(tmp_path: Path) -> Path:
    """The deal of docs/deal.md as a file."""
    assert DEAL is not None
    path = tmp_path / "deal.toml"
    path.write_text(DEAL.group(1), encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = cli.main(["score", *arguments])
    out, err = capsys.readouterr()
    return code, out + err


def test_the_page_shows_what_is_printed(deal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert SETTLED is not None
    assert run(capsys, "--deal", str(deal), "--lang", "en") == (0, SETTLED.group(1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_settles(
    language: str, deal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(capsys, "--deal", str(deal), "--lang", language)
    assert code == 0
    assert texts("deal", language)["reasons"]["kong-refund"] in text


def test_the_languages_say_the_same_things() -> None:
    keys = [
        {(section, key) for section, words in texts("deal", language).items() for key in words}
        for language in LANGUAGES
    ]
    assert keys[0] == keys[1] == keys[2]


def test_json_is_the_settlement(deal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "--deal", str(deal), "--json")
    assert code == 0
    assert json.loads(text)["totals"] == {"E": 1, "S": -1, "W": -1, "N": 1}


def test_every_field_of_a_settlement_is_documented() -> None:
    assert documented_fields("Settlement") == set(settle(Deal({})).to_json())


def test_a_refused_deal_names_the_event(deal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal.write_text(
        deal.read_text(encoding="utf-8").replace('kong = "concealed"', 'kong = "added"'),
        encoding="utf-8",
    )
    code, text = run(capsys, "--deal", str(deal), "--lang", "en")
    assert code == 1
    assert "Event 3, South" in text


def test_house_rules_hold_for_a_deal(
    deal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "club.toml"
    house.write_text('ruleset = "sichuan"\nexposed_kong = "all"\n', encoding="utf-8")
    claimed = deal.read_text(encoding="utf-8").replace(
        'kong = "concealed"', 'kong = "claimed"\nfrom = "W"'
    )
    deal.write_text(claimed.replace("(5555p)", "[5555p]"), encoding="utf-8")
    code, text = run(capsys, "--deal", str(deal), "--house", str(house), "--json")
    assert code == 0
    kong = [t["amount"] for t in json.loads(text)["transfers"] if t["reason"] == "claimed-kong"]
    assert kong == [2, 1, 1]


def test_a_deal_that_is_not_over_is_not_good(
    deal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = deal.read_text(encoding="utf-8").rpartition("[[events]]")[0]
    deal.write_text(text, encoding="utf-8")
    code, said = run(capsys, "--deal", str(deal), "--lang", "en")
    assert code == 1
    assert "not over" in said
    assert len(read_deal(text).events) == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--deal", "none.toml"], "cannot be read"),
        (["--deal", "{deal}", "--rules", "taiwan"], "not of taiwan"),
    ],
)
def test_wrong_use(
    arguments: list[str], why: str, deal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(capsys, *[a.format(deal=deal) for a in arguments])
    assert code == 2
    assert why in text


def test_a_file_that_is_no_deal_is_wrong_use(
    deal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deal.write_text('[[events]]\nby = "E"\n', encoding="utf-8")
    code, text = run(capsys, "--deal", str(deal))
    assert code == 2
    assert "event 1" in text


def test_a_hand_or_a_deal_is_asked_for() -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["score"])
    assert end.value.code == 2
