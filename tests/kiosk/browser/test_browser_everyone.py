"""For everyone: axe finds nothing serious on any page, words exist in three languages, and the
settings are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.kiosk.browser.axe import findings
from tests.kiosk.browser.conftest import PHOTO, Site, expect, say_facts, take_photo
from tests.support import REPOSITORY

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

WEB = REPOSITORY / "kiosk" / "web"
LANGUAGES = ("en", "zh-Hant", "zh-Hans")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    scheme: str, new_context: Callable[..., BrowserContext], site: Site
) -> None:
    site.begin_night()
    # Nothing moves, so that axe does not measure colours half-way through a fade.
    page = new_context(color_scheme=scheme, reduced_motion="reduce").new_page()
    found = {}
    page.goto("/phone")
    page.locator(".home-card").wait_for()
    found["photo"] = findings(page)
    take_photo(page)
    found["uncertain"] = findings(page)
    page.locator('.of-concealed [data-face="9p"]').first.click()
    page.locator("dialog .picker").wait_for()
    found["picker"] = findings(page)
    page.keyboard.press("Escape")
    say_facts(page, round_wind=None)
    page.locator("#result [data-certain=true]").wait_for()
    found["receipt"] = findings(page)
    page.goto("/phone#table")
    page.locator("#act-draw").wait_for()
    found["table"] = findings(page)
    page.locator("#act-penalty").click()
    found["penalty"] = findings(page)
    page.goto("/enter")
    page.locator("#hand-text").fill("66678m11333p555z[222z]@6m")
    page.locator("#score [data-certain]").wait_for()
    found["enter"] = findings(page)
    page.goto("/settings")
    page.locator(".field").first.wait_for()
    page.locator("#house_options summary").click()
    found["settings"] = findings(page)
    page.goto("/practice")
    page.locator("#start").click()
    page.locator("#prompt").wait_for()
    found["practice"] = findings(page)
    page.goto("/practice#explain")
    page.locator("#hand-text").fill("66678m11333p555z[222z]@6m")
    page.locator("#explain-it").click()
    page.locator(".why-item").first.wait_for()
    found["explained"] = findings(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("/kiosk")
    page.locator(".seat-map").wait_for()
    found["kiosk"] = findings(page)
    assert {name: rows for name, rows in found.items() if rows} == {}


def test_settings_are_drawn_from_the_fields_and_kept(page: Page, site: Site) -> None:
    page.goto("/settings")
    page.locator("#field-base").fill("5")
    page.locator("#field-players").fill("Mei")
    for name in ("base", "players"):
        form = page.locator(f"form:has(#field-{name})")
        form.locator(f"#field-{name}").fill({"base": "5", "players": "Mei"}[name])
        with page.expect_response(lambda answer: answer.request.method == "PUT") as saved:
            form.locator(".main-button").click()
        assert saved.value.ok
        expect(page.locator("#toast")).to_have_text("Saved.")
        if site.table()["night"] and name == "base":
            page.locator("dialog").wait_for()  # whether the night shall be played so too
            page.keyboard.press("Escape")
    page.reload()
    expect(page.locator("#field-base")).to_have_value("5")
    expect(page.locator("#field-players")).to_have_value("Mei")
    site.configure(base=None)


def test_house_rules_read_chinese_at_once(page: Page) -> None:
    """A new language is heard by what is already open; no English sentence stays."""
    page.goto("/settings")
    page.locator("#house_options summary").click()
    label = page.locator("label:has(#house-wait_rule)")
    expect(label).to_contain_text("Whether a face held four times")
    page.locator("#language").select_option("zh-Hans")
    expect(label).to_contain_text("仍算听牌")
    told = page.locator("#house_options label").all_inner_texts()
    assert told
    assert not [text for text in told if not re.search("[\u4e00-\u9fff]", text)]
    page.locator("#language").select_option("en")


def test_a_wrong_setting_is_named_beside_its_field(page: Page) -> None:
    page.goto("/settings")
    form = page.locator("form:has(#field-base)")
    page.locator("#field-base").fill("-3")
    form.locator(".main-button").click()
    expect(page.locator("#wrong-base")).to_be_visible()
    expect(page.locator("#field-base")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#field-base")).to_have_value("-3")  # what was typed stays


def test_a_wrong_house_rule_is_told_in_chinese(page: Page) -> None:
    page.goto("/settings")
    page.locator("#language").select_option("zh-Hant")
    page.locator("#house_options summary").click()
    page.locator("#house-limit").fill("-3")
    page.locator("form:has(#house-limit) .main-button").click()
    expect(page.locator("#wrong-house_options")).to_contain_text("請寫 1 到 1000 的整數")
    expect(page.locator("#house-limit")).to_have_value("-3")
    page.locator("#language").select_option("en")


def test_the_first_start_goes_through_the_settings(page: Page, site: Site) -> None:
    site.configure(first_start_done=False)
    page.goto("/settings")
    page.locator(".walk").wait_for()
    page.locator("#field-language").select_option("zh-Hant")
    page.locator("#next-step").click()
    expect(page.locator("#next-step")).to_have_text("下一步")
    for _ in range(10):
        step = page.locator(".walk p").first
        if not step.count():
            break
        now = step.inner_text()
        page.locator("#next-step").click()
        expect(page.locator("#settings")).not_to_contain_text(now)
    expect(page.locator("h1")).to_have_text("設定")
    site.configure(language="en")


def keys_used() -> set[str]:
    """Every key that the page's scripts and documents name outright."""
    used: set[str] = set()
    for path in [*WEB.glob("*.html"), *(WEB / "js").glob("*.js")]:
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"(?<!\w)say\('([^']+)'", text))
        used |= set(re.findall(r"data-(?:say|say-label|title)=\"([^\"]+)\"", text))
    return used


def test_every_sentence_exists_in_three_languages() -> None:
    words = {
        language: json.loads((WEB / "words" / f"{language}.json").read_text(encoding="utf-8"))
        for language in LANGUAGES
    }
    teaching = {key for key in keys_used() if key.startswith("teach")}
    assert keys_used() - teaching <= set(words["en"])
    for language in LANGUAGES:
        assert set(words[language]) == set(words["en"])
        for key, text in words[language].items():
            fields = re.findall(r"\{\w+\}", text)
            assert sorted(fields) == sorted(re.findall(r"\{\w+\}", words["en"][key])), key


def test_scripts_are_small_and_fetch_from_nowhere_else() -> None:
    for path in (WEB / "js").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 300, path.name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), path.name


def test_a_phone_in_chinese_reads_chinese(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(locale="zh-TW").new_page()
    page.goto("/phone")
    page.locator("#take-photo").set_input_files(PHOTO)
    page.locator("#result [data-certain=false]").wait_for()
    shown = page.locator("#result").inner_text()
    for word in ("East", "tai", "drawn", "wind"):
        assert word not in shown
