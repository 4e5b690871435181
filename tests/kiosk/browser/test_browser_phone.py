"""The phone: a photo, what is asked, corrections, languages, a photo without a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.kiosk.browser.conftest import PHOTO, SAMPLES, expect, say_facts, take_photo

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

CERTAIN = "#result [data-certain=true]"
UNCERTAIN = "#result [data-certain=false]"
TOTAL = "#result .total"


def test_photo_gives_overlay_and_receipt(page: Page) -> None:
    """123678m4599p[222z][777z]@6p, South, off West in the East round: 2 tai, West pays 3 + 2."""
    take_photo(page)
    assert page.locator("#result .picture .seen").count() == 16 + 1
    say_facts(page)
    page.locator(CERTAIN).wait_for()
    assert page.locator(TOTAL).inner_text().split() == ["2", "tai"]
    amounts = page.locator("#result .receipt .seat .amount").all_inner_texts()
    assert amounts == ["0", "+5", "−5", "0"]  # East, South, West, North


def test_without_facts_there_is_a_range_and_questions_but_no_total(page: Page) -> None:
    take_photo(page)
    page.locator(UNCERTAIN).wait_for()
    assert page.locator(TOTAL).count() == 0
    assert "–" in page.locator("#result .span").inner_text()
    worth = page.locator('[data-question="seat"] .worth').all_inner_texts()
    assert len(worth) == 4
    assert all("tai" in text for text in worth)


def test_answering_the_questions_makes_it_certain(page: Page) -> None:
    take_photo(page)
    for question, answer in (("seat", "S"), ("round", "E"), ("self_drawn", "yes")):
        page.locator(f'[data-question="{question}"][data-answer="{answer}"]').click()
        page.locator("#result [data-certain]").wait_for()
    page.locator(CERTAIN).wait_for()
    names = page.locator("#result .receipt tbody th > div:first-child").all_inner_texts()
    assert "Self-drawn" in names


def test_who_gave_the_tile_is_asked_where_only_the_payment_hangs_on_it(page: Page) -> None:
    take_photo(page)
    for question, answer in (("seat", "S"), ("round", "E"), ("self_drawn", "no")):
        page.locator(f'[data-question="{question}"][data-answer="{answer}"]').click()
        page.locator("#result [data-certain]").wait_for()
    assert page.locator(TOTAL).inner_text().split() == ["2", "tai"]
    expect(page.locator("#result .receipt .seat")).to_have_count(0)  # who pays is not known
    page.locator('[data-question="from_seat"][data-answer="W"]').click()
    expect(page.locator("#result .receipt .seat .amount")).to_have_text(["0", "+5", "−5", "0"])


def test_a_tapped_tile_offers_likely_faces_first_and_the_score_follows(page: Page) -> None:
    """With 8p for one of the eyes 99p the hand is not complete; put back, it is 2 tai again."""
    take_photo(page)
    say_facts(page)
    page.locator(CERTAIN).wait_for()
    for face, other in (("9p", "8p"), ("8p", "9p")):
        page.locator(f'.of-concealed [data-face="{face}"]').first.click()
        first = page.locator("dialog .likely button").first
        assert first.get_attribute("data-tile") == "9p"  # what the reader saw
        page.locator(f'dialog .picker [data-tile="{other}"]').click()
        if other == "8p":
            page.locator(UNCERTAIN).wait_for()
            assert page.locator(TOTAL).count() == 0
    page.locator(CERTAIN).wait_for()
    assert page.locator(TOTAL).inner_text().split() == ["2", "tai"]


def test_tiles_are_named_by_a_tap_on_the_picture(page: Page) -> None:
    take_photo(page)
    page.locator("#result .seen-group").first.click()
    assert page.locator("dialog .likely button").count() >= 1
    page.keyboard.press("Escape")
    assert page.locator("dialog").count() == 0


def test_a_read_hand_is_explained_in_a_tab_of_its_own(page: Page) -> None:
    """By the facts and the rules that were told here; the hand waits to be booked."""
    take_photo(page)
    say_facts(page)
    page.locator(CERTAIN).wait_for()
    with page.expect_popup() as opened:
        page.locator("#explain").click()
    told = opened.value
    told.locator(".why-item").first.wait_for()
    assert told.locator("#seat").input_value() == "S"
    assert told.locator("#won").input_value() == "W"
    assert told.locator("#photo polygon").count() == 17
    expect(told.locator("#teach-rules")).to_have_value("taiwan")
    assert page.locator(TOTAL).inner_text().split() == ["2", "tai"]


def test_every_unsure_tile_is_ringed_and_there_is_no_total(page: Page) -> None:
    """Whatever the networks are unsure of: the rings are those of the reading, and no number."""
    page.goto("/phone")
    with page.expect_response("**/api/readings?*") as answered:
        page.locator("#take-photo").set_input_files(SAMPLES / "taiwan-flowers.jpg")
    unsure = answered.value.json()["unsure"]
    page.locator(UNCERTAIN).wait_for()
    assert page.locator("#result .picture ellipse").count() == len(unsure)
    assert page.locator("#result .groups .tile.unsure").count() == len(unsure)
    assert page.locator("#result .unsure-list button").count() == len(unsure)
    assert page.locator(TOTAL).count() == 0


def test_misread_tiles_are_learnt_with_consent_only(page: Page) -> None:
    take_photo(page)
    assert page.locator("#misread").count() == 0
    page.locator('.of-concealed [data-face="9p"]').first.click()
    page.locator('dialog .picker [data-tile="8p"]').click()
    page.locator("#misread").click()
    page.locator("dialog .row button").last.click()  # not agreed
    page.locator("#misread").click()
    with page.expect_response("**/misread") as answered:
        page.locator("dialog .main-button").click()
    assert answered.value.json()["learnt"] == 1


def test_a_long_press_removes_and_plus_adds(page: Page) -> None:
    """A bonus tile of the seat, 2f for South, is one tai more."""
    take_photo(page)
    say_facts(page)
    page.locator(CERTAIN).wait_for()
    page.locator(".of-bonus .add").click()
    page.locator('dialog [data-tile="2f"]').click()
    expect(page.locator(TOTAL)).to_contain_text("3")
    flower = page.locator('.of-bonus [data-face="2f"]')
    flower.scroll_into_view_if_needed()
    box = flower.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(flower).to_have_count(0)
    page.mouse.up()
    expect(page.locator(TOTAL)).to_contain_text("2")


def test_a_claimed_set_is_dragged_into_the_hand(page: Page) -> None:
    """[777z] put into the hand was not claimed: a concealed pung, which alone earns nothing."""
    take_photo(page)
    say_facts(page)
    page.locator(CERTAIN).wait_for()
    assert page.locator(".of-pung").count() == 2
    handle = page.locator(".of-pung header button:first-child").last
    handle.drag_to(page.locator(".of-concealed .tiles"))
    expect(page.locator(".of-pung")).to_have_count(1)
    assert page.locator('.of-concealed [data-face="7z"]').count() == 3


def test_with_the_keyboard_a_tile_goes_to_the_next_group(page: Page) -> None:
    take_photo(page)
    page.locator('.of-concealed [data-face="4p"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.face") == "5p"
    page.keyboard.press("Alt+ArrowRight")  # the winning tile stands in the next group
    page.locator('.of-winning-tile [data-face="5p"]').wait_for()
    assert page.locator('.of-concealed [data-face="6p"]').count() == 1


def test_three_languages_are_switched_at_once(page: Page) -> None:
    take_photo(page)
    say_facts(page)
    page.locator(CERTAIN).wait_for()
    for language, receipt, dragons in (
        ("zh-Hant", "計分單", "三元刻"),
        ("zh-Hans", "计分单", "三元刻"),
        ("en", "Receipt", "Dragon pung"),
    ):
        page.locator("#language").select_option(language)
        expect(page.locator("#result .receipt h2")).to_have_text(receipt)
        expect(page.locator("#result .receipt tbody")).to_contain_text(dragons)
        expect(page.locator("html")).to_have_attribute("lang", language)
    assert page.locator(TOTAL).inner_text().split() == ["2", "tai"]


def test_what_would_this_be_in_other_rules(page: Page) -> None:
    take_photo(page)
    say_facts(page)
    page.locator(CERTAIN).wait_for()
    page.locator("#compare").click()
    rows = page.locator("dialog table.compare tr")
    rows.first.wait_for()
    texts = rows.all_inner_texts()
    assert texts[0].split("\t")[-1] == "2 tai"
    assert any("table B" in text for text in texts)


def test_a_photo_without_a_network_is_kept_and_sent_later(
    new_context: Callable[..., BrowserContext],
) -> None:
    context = new_context()
    page = context.new_page()
    page.goto("/phone")
    page.locator("#take-photo").wait_for(state="attached")
    context.set_offline(True)
    page.locator("#take-photo").set_input_files(PHOTO)
    page.locator("#waiting .notice").wait_for()
    assert "1" in page.locator("#waiting").inner_text()
    context.set_offline(False)
    page.locator("#result [data-certain]").wait_for()
    assert page.locator("#waiting").is_hidden()


def test_a_file_that_is_no_picture_is_explained(page: Page, tmp_path: Path) -> None:
    text = tmp_path / "photo.jpg"
    text.write_bytes(b"this is no picture")
    page.goto("/phone")
    page.locator("#take-photo").set_input_files(text)
    page.locator("[role=alert]").wait_for()
    assert page.locator("#take-photo").count() == 1  # another can be taken at once
