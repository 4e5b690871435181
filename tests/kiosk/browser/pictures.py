"""Draws the pictures of docs/guide again: `python -m tests.kiosk.browser.pictures [NAME…]`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpx2
from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.kiosk.browser.conftest import FLAGS, PHONE, SAMPLES, Site, say_facts, serving, take_photo
from tests.kiosk.browser.test_browser_kiosk import SCREEN, filming
from tests.kiosk.browser.test_browser_live import camera_flags, write_clip
from tests.support import REPOSITORY, browser

OUT = REPOSITORY / "docs" / "guide"
HANDS = (
    ("Chi", "66678m11333p555z[222z]@6m", "Bo"),
    ("Bo", "234678m33p34s[222z][567s]@5s 2f6f", "Dee"),
    ("An", "123456m22345p56788s@8s", None),
)


def begin(site: Site) -> None:
    """A night with a few hands."""
    site.begin_night("An", "Bo", "Chi", "Dee")
    for player, hand, giver in HANDS:
        win = {"winners": [{"player": player, "hand": hand}]} | ({"from": giver} if giver else {})
        httpx2.post(f"{site.address}/api/table/hands", json=win).raise_for_status()
    httpx2.post(f"{site.address}/api/table/draws", json={}).raise_for_status()


def shoot(page: Page, name: str, part: str | None = None) -> None:
    """The screen, or the part of the page from `part` on."""
    if not page.locator("dialog").count():
        page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0); }")
    if part:
        page.locator(part).first.evaluate("e => scrollTo(0, e.getBoundingClientRect().top - 12)")
    page.wait_for_timeout(400)
    page.screenshot(path=OUT / f"{name}.jpg", type="jpeg", quality=72)
    print(name, (OUT / f"{name}.jpg").stat().st_size // 1024, "kB")


def phone(chromium: Browser, site: Site) -> None:
    page = new_page(chromium, site)
    page.goto("/phone")
    page.locator("#take-photo").wait_for(state="attached")
    shoot(page, "phone")
    take_photo(page, SAMPLES / "taiwan-flowers.jpg")
    shoot(page, "phone-questions")
    page.locator(".of-bonus .tile").first.click()
    shoot(page, "phone-picker")
    page.keyboard.press("Escape")
    take_photo(page)
    say_facts(page, round_wind=None)
    page.locator("#result [data-certain=true]").wait_for()
    shoot(page, "phone-receipt")
    shoot(page, "phone-groups", ".part-groups")
    page.locator("#compare").click()
    page.locator("dialog table.compare").wait_for()
    shoot(page, "phone-compare")
    page.keyboard.press("Escape")
    page.goto("/phone#table")
    page.locator("#act-draw").wait_for()
    shoot(page, "phone-table")
    page.locator("#act-undo").click()
    page.locator("dialog table.preview").wait_for()
    shoot(page, "phone-undo")


def dark(chromium: Browser, site: Site) -> None:
    page = new_page(chromium, site, color_scheme="dark", locale="zh-TW")
    take_photo(page)
    say_facts(page, round_wind=None)
    page.locator("#result [data-certain=true]").wait_for()
    shoot(page, "phone-dark")


def enter(chromium: Browser, site: Site) -> None:
    page = new_page(chromium, site, viewport={"width": 1100, "height": 800})
    page.goto("/enter")
    page.locator("#hand-text").fill("66678m11333p555z[222z]@6m")
    page.locator("#winner-W").click()
    page.locator("#how-S").click()
    page.locator("#score [data-certain=true]").wait_for()
    shoot(page, "enter")


def settings(chromium: Browser, site: Site) -> None:
    page = new_page(chromium, site)
    page.goto("/settings")
    page.locator(".field").first.wait_for()
    shoot(page, "settings")
    site.configure(first_start_done=False)
    page.reload()
    page.locator(".walk").wait_for()
    shoot(page, "first-start")
    site.configure(first_start_done=True)


def practice(chromium: Browser, site: Site) -> None:
    page = new_page(chromium, site)
    page.goto("/practice")
    page.locator("#kind").select_option("wait")
    page.locator("#prompt").wait_for()
    page.locator("#hint").click()
    page.locator(".hints li").first.wait_for()
    shoot(page, "practice", ".question")
    page.goto("/practice#explain")
    page.locator("#hand-text").fill(HANDS[0][1])
    page.locator("#seat").select_option("W")
    page.locator("#won").select_option("S")
    page.locator("#explain-it").click()
    page.locator('[data-item="dragon-pung"]').click()
    shoot(page, "practice-explain", ".hand-drawn")


def still_open(route: Route) -> None:
    """The answer to a frame, as before the hand has settled."""
    answer = route.fetch()
    if answer.ok:
        route.fulfill(response=answer, json=answer.json() | {"settled": False, "reading": None})
    else:
        route.fulfill(response=answer)


def live(site: Site, start: Callable[..., Browser], home: Path) -> None:
    with start(args=[*FLAGS, *camera_flags(write_clip(home / "hand.y4m"))]) as chromium:
        page = new_page(chromium, site)
        page.route("**/frames?*", still_open)
        page.goto("/phone#live")
        page.locator("#live .seen").first.wait_for()
        page.wait_for_timeout(1500)
        shoot(page, "phone-live")
        page.unroute_all(behavior="ignoreErrors")


def kiosk(chromium: Browser, site: Site) -> None:
    for name, facts in (("kiosk-hand", {}), ("kiosk-dark", {"color_scheme": "dark"})):
        page = new_page(chromium, site, viewport=SCREEN, **facts)
        page.goto("/kiosk")
        page.locator("#hand [data-certain]").wait_for()
        page.locator("#winner-S").click()
        page.locator("#how-W").click()
        page.locator("#hand [data-certain=true]").wait_for()
        shoot(page, name)


def new_page(chromium: Browser, site: Site, **facts: object) -> Page:
    options = {"viewport": PHONE, "locale": "en-GB", "reduced_motion": "reduce"} | facts
    context = chromium.new_context(base_url=site.address, **options)  # type: ignore[arg-type]
    context.set_default_timeout(60_000)
    return context.new_page()


def main(wanted: list[str]) -> None:
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        program = str(browser())

        def start(args: list[str]) -> Browser:
            return driver.chromium.launch(executable_path=program, args=args)

        home = Path(folder)
        (home / "a").mkdir()
        (home / "b").mkdir()
        with start(FLAGS) as chromium, serving(home / "a") as site:
            begin(site)
            for draw in (phone, dark, enter, settings, practice):
                if not wanted or draw.__name__ in wanted:
                    draw(chromium, site)
            if not wanted or "live" in wanted:
                live(site, start, home)
            if not wanted or "kiosk" in wanted:
                page = new_page(chromium, site, viewport=SCREEN)
                page.goto("/kiosk")
                page.locator("#table .seat-map").wait_for()
                shoot(page, "kiosk")
                with filming() as camera, serving(home / "b", camera=camera) as filmed:
                    begin(filmed)
                    kiosk(chromium, filmed)


if __name__ == "__main__":
    main(sys.argv[1:])
