"""The screen at the table, with a fixed camera that sees the sample hand lie still."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from kiosk.local_page import LocalPage
from tests.kiosk.browser.axe import findings
from tests.kiosk.browser.conftest import PHOTO, Site, expect, serving
from tests.support import require

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, ViewportSize

SCREEN: ViewportSize = {"width": 1920, "height": 1080}


@contextmanager
def filming() -> Iterator[str]:
    """A network camera on this machine that sees the sample hand: its address."""
    camera = LocalPage()
    ended = threading.Event()

    def shoot() -> None:
        while not ended.wait(0.3):
            camera.show(PHOTO.read_bytes())

    threading.Thread(target=shoot, daemon=True).start()
    try:
        yield f"{camera.address}stream.mjpg"
    finally:
        ended.set()
        camera.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    require("browser")
    home = tmp_path_factory.mktemp("site")
    with filming() as camera, serving(home, camera=camera) as found:
        found.begin_night("An", "Bo", "Chi", "Dee")
        yield found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_beside_a_hand(
    scheme: str, new_context: Callable[..., BrowserContext]
) -> None:
    """Before the test that books the hand, so that it is still shown."""
    page = new_context(viewport=SCREEN, color_scheme=scheme, reduced_motion="reduce").new_page()
    page.goto("/kiosk")
    page.locator("#hand [data-certain]").wait_for()
    assert findings(page) == []
    page.locator("#correct-hand").click()
    page.locator("#correct .of-bonus .add").wait_for()
    assert findings(page) == []


def test_a_settled_hand_is_shown_corrected_and_confirmed(page: Page, site: Site) -> None:
    """Bo sits South and wins off Chi: 2 tai, so Chi pays 3 + 2."""
    page.set_viewport_size(SCREEN)
    page.goto("/kiosk")
    page.locator("#hand [data-certain=false]").wait_for()
    assert page.locator("#hand .total").count() == 0
    assert page.locator("#hand .picture .seen").count() == 17
    page.locator("#winner-S").click()
    page.locator("#how-W").click()
    expect(page.locator("#hand .total")).to_contain_text("2")
    for button in ("#book", "#correct-hand"):  # on a common screen nothing has to be scrolled
        box = page.locator(button).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= SCREEN["height"]

    page.locator("#correct-hand").click()
    expect(page.locator("#correct #also-won")).to_be_visible()
    page.locator("#correct .of-bonus .add").click()
    page.locator('dialog [data-tile="2f"]').click()
    expect(page.locator("#correct .total")).to_contain_text("3")
    page.locator("#again").click()
    expect(page.locator("#hand .total")).to_contain_text("3")

    page.locator("#book").dblclick()
    page.locator("#hand .notice.good").wait_for()
    expect(page.locator("#table .seat .amount")).to_have_text(["+6", "−6", "0", "0"])
    kinds = [event["kind"] for event in site.table()["history"]]
    assert kinds.count("win") == 1


def test_a_booked_hand_is_known_on_another_screen_and_free_again_when_it_is_taken_back(
    new_context: Callable[..., BrowserContext], site: Site
) -> None:
    """The hand of the test before, or booked here: with the names of those who played it."""

    def wins() -> int:
        return [event["kind"] for event in site.table()["history"]].count("win")

    first, second = (new_context(viewport=SCREEN).new_page() for _ in range(2))
    first.goto("/kiosk")
    first.locator("#hand [data-certain]").wait_for()
    if not wins():
        first.locator("#winner-S").click()
        first.locator("#how-W").click()
        first.locator("#book").click()
    first.locator("#hand .notice.good").wait_for()
    second.goto("/kiosk")
    second.locator("#hand .notice.good").wait_for()
    expect(second.locator("#hand .receipt .seat .name")).to_have_text(["An", "Bo", "Chi", "Dee"])
    assert second.locator("#book").count() == 0
    second.locator("#act-undo").click()
    second.locator("dialog .main-button").click()
    for page in (first, second):
        page.locator("#book").wait_for()
    assert wins() == 0
    first.locator("#book").click()
    for page in (first, second):
        page.locator("#hand .notice.good").wait_for()
    assert wins() == 1
