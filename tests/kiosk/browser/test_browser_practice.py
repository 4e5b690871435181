"""The practice page: from nothing to a scored hand, a hand explained, things to look up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from kiosk.teach_json import spec_of
from scorer import HouseRules
from scorer.names import LANGUAGES
from teach.dealing import Club
from teach.questions import question
from teach.words import texts
from tests.kiosk.browser.conftest import PHOTO, expect
from tests.teach.test_verb import without_its_winning_tile

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.kiosk.browser.conftest import Site

HAND = "66678m11333p555z[222z]@6m"
"""Taiwan, West off South, East round: dragon pung 1, three concealed pungs 2."""


def asked_by(page: Page, button: str) -> dict[str, Any]:
    """Press a button and hear which question came."""
    with page.expect_response("**/api/teach/next*") as answer:
        page.locator(button).click()
    found: dict[str, Any] = answer.value.json()["question"]
    return found


def right_answer(asked: dict[str, Any]) -> str:
    """What the engine says."""
    rules = asked["spec"]["rules"]
    return question(spec_of(asked["spec"], Club(rules, HouseRules.of(rules)))).answer


def say_answer(page: Page, asked: dict[str, Any], said: str) -> None:
    if asked["input"] == "choice":
        page.locator(f'[data-choice="{said}"]').click()
    else:
        page.locator("#answer").fill(said)
        page.locator("#check").click()


def test_browser_a_newcomer_comes_to_a_scored_hand(page: Page) -> None:
    """One round asks a question of each kind; the last one is a hand to count."""
    page.goto("/practice")
    button = "#start"
    kinds = []
    for _ in range(6):
        asked = asked_by(page, button)
        kinds.append(asked["kind"])
        expect(page.locator("#prompt")).to_have_text(asked["prompt"])
        say_answer(page, asked, right_answer(asked))
        expect(page.locator("#verdict")).to_have_text("Right!")
        button = "#next"
    assert kinds == ["name", "illegal", "wait", "which", "pays", "count"]
    expect(page.locator("#practice-score")).to_have_text("6 of 6 right")
    expect(page.locator(".why-item").first).to_be_visible()


def test_browser_what_was_missed_comes_again_after_a_reload(page: Page) -> None:
    page.goto("/practice")
    page.locator("#kind").select_option("name")
    first = page.locator(".question").get_attribute("data-card")
    asked: dict[str, Any] = {"input": "choice"}
    hidden = page.locator(".one-tile img").get_attribute("alt")
    assert hidden == ""  # the name of the tile is the answer
    wrong = page.locator("[data-choice]").evaluate_all(
        "(buttons) => buttons.map((button) => button.dataset.choice)"
    )
    assert first is not None
    say_answer(page, asked, next(code for code in wrong if not first.endswith(code)))
    expect(page.locator("#verdict")).to_contain_text("Not quite")
    page.reload()
    page.locator("#kind").select_option("name")
    expect(page.locator(".question")).to_have_attribute("data-card", first)


def test_browser_hints_come_one_by_one_and_a_word_is_no_number(page: Page) -> None:
    page.goto("/practice")
    page.locator("#kind").select_option("count")
    page.locator("#hint").click()
    page.locator("#hint").click()
    expect(page.locator(".hints li")).to_have_count(2)
    page.locator("#answer").fill("many")
    page.locator("#check").click()
    expect(page.locator("#toast")).to_contain_text("write a number")


def test_browser_damaged_progress_is_set_aside(page: Page) -> None:
    page.goto("/practice")
    page.locator("#start").wait_for()
    for damaged in ("{", json.dumps({"form": 1, "cards": {"name/1m": "?"}})):
        page.evaluate("(text) => localStorage.setItem('hupai-practice', text)", damaged)
        page.reload()
        page.locator("#start").click()
        page.wait_for_function(
            "(text) => localStorage.getItem('hupai-practice-damaged') === text", arg=damaged
        )
    page.locator("#start").click()
    expect(page.locator("#prompt")).to_be_visible()


def explain(page: Page, hand: str, **choices: str) -> None:
    page.goto("/practice#explain")
    page.locator("#hand-text").fill(hand)
    for id, value in choices.items():
        page.locator(f"#{id}").select_option(value)
    page.locator("#explain-it").click()


def test_browser_an_item_lights_its_tiles(page: Page) -> None:
    explain(page, HAND, seat="W", won="S")
    page.locator('[data-item="dragon-pung"]').click()
    lit = page.locator(".hand-drawn .tile.lit")
    expect(lit).to_have_count(3)
    assert lit.locator("img").evaluate_all("(all) => all.map((i) => i.alt)") == ["white dragon"] * 3
    expect(page.locator(".sum")).to_have_text("1 + 2 = 3 tai")
    expect(page.locator(".sets figure")).to_have_count(6)
    expect(page.locator("#explained")).to_contain_text("South pays West: base 3 + tai 3 = 6")


def test_browser_what_does_not_count_is_struck_through(page: Page) -> None:
    """Half claimed includes the pair wait and the self-draw."""
    explain(page, "8p[444s][111z][555p][345m][678m]@8p", seat="W", won="self", round="N")
    struck = page.locator(".why-item.against s")
    expect(struck).to_have_text(["Pair wait", "Self-drawn"])


def test_browser_near_misses_and_two_tiles(page: Page) -> None:
    """Two tiles from all pungs: 67m for 88m."""
    page.goto("/practice#explain")
    page.locator("#two").check()
    page.locator("#hand-text").fill(HAND)
    page.locator("#seat").select_option("W")
    page.locator("#won").select_option("self")
    page.locator("#explain-it").click()
    expect(page.locator('[data-near="all-pungs"]').first).to_contain_text("11 tai (7 more)")


def test_browser_waits_and_a_hand_that_is_no_win(page: Page) -> None:
    explain(page, HAND.partition("@")[0], seat="W")
    expect(page.locator("[data-wait]")).to_have_count(3)
    expect(page.locator('[data-wait="9m"]')).to_contain_text("4 left")
    page.locator("#hand-text").fill("123456m33s22z[111z][456p]@4s")
    page.locator("#explain-it").click()
    expect(page.locator("#explained")).to_contain_text("This is no win")
    expect(page.locator("#explained")).to_contain_text("2s instead of 3s")


def test_browser_the_tiles_of_a_photo_are_lit(page: Page) -> None:
    """The sample hand 123678m4599p[222z][777z]@6p: the pung of red dragons."""
    page.goto("/practice#explain")
    page.locator("#seat").select_option("S")
    page.locator("#hand-photo").set_input_files(PHOTO)
    page.locator('[data-item="dragon-pung"]').click()
    expect(page.locator("#photo polygon")).to_have_count(17)
    expect(page.locator("#photo polygon.lit")).to_have_count(3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_browser_every_panel_speaks_every_language(page: Page, language: str) -> None:
    page.goto("/practice#tiles")
    page.locator("#language").select_option(language)
    title = texts("page", language)["title"]
    expect(page.locator("#teach-title")).to_have_text(title)
    expect(page.locator("[data-tile]")).to_have_count(42)
    for name in ("winds", "explain", "practice"):
        page.locator(f"#tab-{name}").click()
        expect(page.locator(f"#tab-{name}")).to_have_attribute("aria-selected", "true")
        expect(page.locator(f"#tab-{name}")).to_have_text(texts("page", language)[name])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_browser_the_winds_go_round(page: Page) -> None:
    """West sits, so South is before West; the third season and the third plant are West's."""
    page.goto("/practice#winds")
    page.locator("#wind-seat").select_option("W")
    expect(page.locator(".wind.below")).to_contain_text("West (3)")
    expect(page.locator(".wind.right")).to_contain_text("North (4)")
    expect(page.locator("#panel")).to_contain_text("autumn, chrysanthemum")


def test_browser_a_photo_without_its_winning_tile_named_asks_for_it(page: Page) -> None:
    """Hand and winning tile lie pushed together: nothing is explained as a score."""
    page.goto("/practice#explain")
    page.locator("#hand-photo").set_input_files(PHOTO.parent / "taiwan-pushed-together.jpg")
    expect(page.locator("#explained")).to_contain_text("Which tile completed the hand?")
    expect(page.locator(".why-item")).to_have_count(0)


def test_browser_unsure_tiles_of_a_photo_are_shown_before_anything_is_explained(
    page: Page, tmp_path: Path
) -> None:
    """Sixteen tiles wait for 3 and 6 dots; a tile that is unsure is to be looked at first."""
    page.goto("/practice#explain")
    page.locator("#hand-photo").set_input_files(without_its_winning_tile(tmp_path))
    page.locator("#unsure, [data-wait]").first.wait_for()
    if page.locator("#unsure").count():
        expect(page.locator("[data-wait]")).to_have_count(0)
        page.locator("#explain-it").click()
    expect(page.locator("[data-wait]")).to_have_count(2)


def test_browser_hands_are_dealt_by_item_and_from_the_table(page: Page, site: Site) -> None:
    page.goto("/practice")
    page.locator("#kind").select_option("count")
    page.locator("#item").select_option("half-flush")
    expect(page.locator(".question")).to_have_attribute("data-card", "taiwan/count/half-flush")
    site.begin_night()
    winner = {"player": "Chi", "hand": HAND}
    booked = httpx2.post(
        f"{site.address}/api/table/hands", json={"winners": [winner], "from": "Bo"}
    )
    booked.raise_for_status()
    page.locator("#kind").select_option("ledger")
    page.locator("#answer").fill("3")
    page.locator("#check").click()
    expect(page.locator("#verdict")).to_have_text("Right!")
