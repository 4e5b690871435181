"""By hand: tapped, typed, with the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.kiosk.browser.conftest import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

TOTAL = "#score .total"


def tab_to(page: Page, id: str) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.id") == id:
            return
    raise AssertionError(f"the keyboard does not reach #{id}")


def test_a_hand_is_entered_with_the_keyboard_alone(page: Page) -> None:
    """66678m11333p555z[222z]@6m, West off South, East round: 3 tai."""
    page.goto("/enter")
    page.locator("#pad-5m").wait_for()
    tab_to(page, "hand-text")
    page.keyboard.type("66678m11333p555z[222z]@6m")
    expect(page.locator('.of-winning-tile [data-face="6m"]')).to_have_count(1)
    for button in ("winner-W", "how-S", "round-E"):
        tab_to(page, button)
        page.keyboard.press("Enter")
        expect(page.locator(f"#{button}")).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("() => document.activeElement.id") == button  # the place is kept
    expect(page.locator(TOTAL)).to_have_text("3 tai")


def test_a_hand_is_tapped_set_by_set(page: Page) -> None:
    """Three dragon pungs, a concealed kong, a chow, the pair: every set is tapped once."""
    page.goto("/enter")
    page.locator("#pad-7z").wait_for()
    page.locator("#mode-pung").click()
    for code in ("5z", "6z", "7z"):
        page.locator(f"#pad-{code}").click()
    page.locator("#mode-concealed-kong").click()
    page.locator("#pad-1m").click()
    page.locator("#mode-chow").click()
    page.locator("#pad-2p").click()
    page.locator("#mode-concealed").click()
    page.locator("#pad-9s").click()
    page.locator("#mode-winning-tile").click()
    page.locator("#pad-9s").click()
    page.locator("#pad-1f").click()
    expect(page.locator("#hand-text")).to_have_value("9s[234p][555z][666z][777z](1111m)@9s 1f")
    expect(page.locator("#pad-1m")).to_be_disabled()  # all four are held
    page.locator("#winner-S").click()
    page.locator("#how-E").click()
    page.locator("#round-E").click()
    expect(page.locator("#score tbody")).to_contain_text("Big three dragons")


def test_what_is_not_known_gives_a_range_and_questions(page: Page) -> None:
    page.goto("/enter")
    page.locator("#hand-text").fill("66678m11333p555z[222z]@6m")
    page.locator("#score [data-certain=false]").wait_for()
    assert page.locator(TOTAL).count() == 0
    page.locator('[data-question="seat"][data-answer="S"]').click()
    expect(page.locator("#winner-S")).to_have_attribute("aria-pressed", "true")


def test_facts_that_only_some_rules_ask_for(page: Page) -> None:
    """Sticks in Riichi, who gave a set in Hong Kong, what was replaced after a kong; what is told
    stands in the request for the score."""

    def told(fact: str, value: Any, act: Callable[[], None]) -> None:
        def says(request: Request) -> bool:
            asked = request.url.partition("?")[0].endswith("/api/scores")
            return asked and request.post_data_json["situation"].get(fact) == value

        with page.expect_request(says):
            act()

    page.goto("/enter")
    page.locator("#rules").select_option("riichi")
    page.locator("#hand-text").fill("234m456p22678s[555z]@8s")
    page.locator("#sticks-W").fill("2")
    told("sticks", ["W", "W"], page.locator("#sticks-W").blur)

    page.locator("#rules").select_option("hongkong")
    page.locator("#fed-seat").select_option("N")
    told("fed", ["N:555z"], page.locator("#fed-add").click)
    expect(page.locator("#fed-add")).to_have_count(0)  # it is the only open set
    told("fed", [], page.locator("#fed-remove-0").click)
    page.locator("#events summary").click()
    told("events", ["kong-draw"], page.locator("#event-kong-draw").check)
    kong = page.locator("#replacement-added-kong")
    told("replacement", "added-kong", kong.click)
    expect(kong).to_have_attribute("aria-pressed", "true")
    told("replacement", None, page.locator("#event-kong-draw").uncheck)


def test_an_impossible_hand_says_why(page: Page) -> None:
    page.goto("/enter")
    page.locator("#hand-text").fill("11111m")
    expect(page.locator("#score ul")).to_contain_text("there are only four")
    assert page.locator(TOTAL).count() == 0


def test_other_rules_count_at_once(page: Page) -> None:
    """Hong Kong: 12m55566677z[456p]@3m has 5 faan for its little three dragons."""
    page.goto("/enter")
    page.locator("#rules").select_option("hongkong")
    page.locator("#hand-text").fill("12m55566677z[456p]@3m")
    page.locator("#winner-S").click()
    page.locator("#how-E").click()
    page.locator("#round-E").click()
    expect(page.locator("#score tbody")).to_contain_text("Little three dragons")
    expect(page.locator(TOTAL)).to_contain_text("faan")
