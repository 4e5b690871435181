"""The score sheet: what counts by the club's rules, on one printed page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from scorer import HouseRules, presets, read_house, rulesets
from scorer.names import LANGUAGES, item_name
from scorer.table import table_of
from teach.sheet import sheet_html
from tests.support import browser, missing, require, slow_count

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHEETS = [(id, language) for id in (*rulesets(), *presets()) for language in LANGUAGES]
PRINTED = (
    SHEETS if slow_count(0, 1) else [s for s in SHEETS if s[0] in (*rulesets(), "club-example")]
)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    require("browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("browser", "the Python package playwright is not installed")
    with sync_playwright() as driver:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        program = str(browser())
        with driver.chromium.launch(executable_path=program, args=flags) as chromium:
            yield chromium.new_page()


def pages_printed(page: Page, html: str) -> int:
    page.set_content(html)
    pdf = page.pdf(prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def test_browser_every_sheet_prints_on_one_page(page: Page) -> None:
    pages = {s: pages_printed(page, sheet_html(s[0], None, s[1])) for s in PRINTED}
    assert {sheet: n for sheet, n in pages.items() if n != 1} == {}


def test_browser_two_pages_are_seen_as_two(page: Page) -> None:
    """The counter above would notice."""
    assert pages_printed(page, "<p style='break-after: page'>1</p><p>2</p>") == 2


@pytest.mark.parametrize(("ruleset", "language"), SHEETS)
def test_every_item_that_counts_is_on_the_sheet_once(ruleset: str, language: str) -> None:
    table = table_of(ruleset)
    html = sheet_html(ruleset, None, language)
    assert html.count("<dt>") == len(table.items)
    for item in table.items:
        assert item_name(table.rules.id, item.id, language) in html.replace("&#x27;", "'")


def test_a_clubs_own_values_and_rules_stand_on_its_sheet() -> None:
    """All pungs for 6, base 5: the sheet says both and what a hand then pays."""
    text = 'ruleset = "taiwan"\ntitle = "Friday club"\nbase = 5\n[values]\nall-pungs = 6\n'
    house = read_house(text, "club.toml")
    html = sheet_html("taiwan", house)
    assert "Played by Friday club" in html
    assert "<b>base = 5</b>" in html
    six = html.partition("<h2>6 tai</h2>")[2].partition("</section>")[0]
    assert "All pungs *" in six
    assert "<td>2 tai</td><td>8</td>" in html  # East deals: base 5, tai 2, dealer 1


def test_default_rules_say_so_and_nothing_is_read_as_markup() -> None:
    assert "As the rule set says." in sheet_html("taiwan")
    house = HouseRules.of("taiwan")
    html = sheet_html("taiwan", read_house('ruleset = "taiwan"\ntitle = "<b>&"\n', "x"))
    assert house.title == ""
    assert "&lt;b&gt;&amp;" in html
