"""The hub's page: every table as it is, kept in step; the season below, in three languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import httpx2

from tests.kiosk.browser.axe import findings
from tests.kiosk.browser.conftest import Site, expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def test_tables_are_shown_live_and_the_season_below(
    new_context: Callable[..., BrowserContext], site: Site
) -> None:
    site.begin_night("An", "Bo", "Chi", "Dee")
    page = new_context(reduced_motion="reduce").new_page()
    page.goto("/hub")
    card = page.locator('[data-table="main"]')
    expect(card).to_contain_text("Chi")
    body = {"offender": "An", "points": 4}
    httpx2.post(f"{site.address}/api/table/penalties", json=body).raise_for_status()
    expect(card).to_contain_text("-12")
    expect(card).to_contain_text("+4")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".season tbody tr")).to_have_count(4)
    expect(page.locator(".season tbody tr").last).to_contain_text("-12")
    assert not findings(page)
    page.select_option("#language", "zh-Hant")
    expect(page.get_by_role("heading", level=1)).to_have_text("所有牌桌")
