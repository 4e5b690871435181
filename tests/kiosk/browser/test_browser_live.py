"""Live: Chromium's fake camera plays a rendered clip until the page locks on the hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest

from tests.kiosk.browser.conftest import (
    FLAGS,
    PATIENCE_MS,
    PHONE,
    PHOTO,
    Site,
    Watched,
    expect,
    say_facts,
)
from tests.support import browser as browser_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

SIZE_WH = (960, 720)
EMPTY_S, HAND_S = 3, 20
REMEMBER_OVERLAY = """new MutationObserver(() => {
  window.overlaySeen ||= document.querySelector('#live .seen') !== null;
}).observe(document, { childList: true, subtree: true });"""


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_clip(tmp_path_factory.mktemp("clip") / "hand.y4m")


def write_clip(path: Path) -> Path:
    """An empty cloth, then the sample hand lying still: raw frames, one a second."""
    image = cv2.imread(str(PHOTO))
    assert image is not None
    width, height = SIZE_WH
    scale = min(width / image.shape[1], height / image.shape[0])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    hand = np.full((height, width, 3), (110, 60, 30), np.uint8)
    hand[: small.shape[0], : small.shape[1]] = small
    empty = np.full((height, width, 3), (110, 60, 30), np.uint8)
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F1:1 Ip A1:1 C420jpeg\n".encode())
        for picture, seconds in ((empty, EMPTY_S), (hand, HAND_S)):
            planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes()
            for _ in range(seconds):
                file.write(b"FRAME\n" + planes)
    return path


def camera_flags(clip: Path) -> list[str]:
    """Chromium with this clip for its camera, and no question about it."""
    return [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={clip}",
    ]


@pytest.fixture
def camera(playwright: Playwright, clip: Path) -> Iterator[Browser]:
    program = str(browser_program())
    with playwright.chromium.launch(
        executable_path=program, args=[*FLAGS, *camera_flags(clip)]
    ) as browser:
        yield browser


def test_live_locks_when_the_hand_has_settled(camera: Browser, site: Site) -> None:
    context = camera.new_context(viewport=PHONE, base_url=site.address)
    context.set_default_timeout(3 * PATIENCE_MS)
    watched = Watched()
    watched.follow(context)
    context.add_init_script(REMEMBER_OVERLAY)
    page = context.new_page()
    page.goto("/phone#live")
    page.locator(".live-hint").wait_for()
    page.locator("#result [data-certain]").wait_for()  # locked
    assert page.evaluate("() => window.overlaySeen")  # on the way there
    assert page.locator("video").count() == 0
    assert page.locator("#result .picture .seen").count() == 17
    say_facts(page)
    expect(page.locator("#result .receipt h2, #result .uncertain h2").first).to_be_visible()
    assert watched.errors == []
    assert watched.hosts <= {urlsplit(site.address).netloc, ""}
    context.close()


def test_without_a_camera_it_says_what_to_do(chromium: Browser, site: Site) -> None:
    """A page from a plain address of another machine has no camera: `mediaDevices` is missing."""
    context = chromium.new_context(viewport=PHONE, base_url=site.address)
    watched = Watched()
    watched.follow(context)
    context.add_init_script("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})")
    page = context.new_page()
    page.goto("/phone#live")
    page.locator("#live [role=alert]").wait_for()
    assert "hupai serve --lan --https" in page.locator("#live").inner_text()
    assert watched.errors == []
    assert watched.hosts <= {urlsplit(site.address).netloc, ""}
    context.close()
