"""A server on a port of its own, Chromium, and pages that may talk to that server only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2
import pytest

from kiosk.server.app import create_app
from kiosk.server.desk import Options
from kiosk.server.running import listening, server_of
from tests.support import browser as browser_program
from tests.support import missing, require

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        Locator,
        Page,
        Playwright,
        ViewportSize,
    )

SAMPLES = Path(str(files("kiosk"))) / "samples"
PHOTO = SAMPLES / "taiwan.jpg"
"""The sample hand 123678m4599p[222z][777z]@6p."""
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--no-first-run"),
]
PHONE: ViewportSize = {"width": 400, "height": 860}
PATIENCE_MS = 60_000
"""How long a page may take on a busy machine before a test gives up; nothing is measured by it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A page that stumbles on a busy machine is tried again; what is broken fails three times."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=2))


@dataclass
class Site:
    """The running server, and what a test asks of it beside the page."""

    address: str

    def begin_night(self, *players: str) -> None:
        names = list(players or ("An", "Bo", "Chi", "Dee"))
        httpx2.post(f"{self.address}/api/table/nights", json={"players": names}).raise_for_status()

    def table(self) -> dict[str, Any]:
        return dict(httpx2.get(f"{self.address}/api/table").json())

    def configure(self, **values: Any) -> None:
        answer = httpx2.put(f"{self.address}/api/config", json={"values": values})
        answer.raise_for_status()


@dataclass
class Watched:
    """What pages asked for and complained of."""

    hosts: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)

    def follow(self, context: BrowserContext) -> None:
        context.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))


@contextmanager
def serving(home: Path, **more: Any) -> Iterator[Site]:
    """A server with its settings and ledger in `home`, on a free port."""
    app = create_app(
        Options(config=home / "config.toml", ledger=str(home / "ledger.sqlite"), **more), rates={}
    )
    bound = listening("127.0.0.1", 0)
    server = server_of(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    found = Site(f"http://127.0.0.1:{bound.getsockname()[1]}")
    try:
        httpx2.get(f"{found.address}/health", timeout=60).raise_for_status()
        found.configure(first_start_done=True)
        yield found
    finally:
        server.should_exit = True
        thread.join(20)
        bound.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    require("browser")
    with serving(tmp_path_factory.mktemp("site")) as found:
        yield found


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    require("browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("browser", "the Python package playwright is not installed")
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    program = str(browser_program())
    with playwright.chromium.launch(executable_path=program, args=FLAGS) as browser:
        yield browser


@pytest.fixture
def new_context(chromium: Browser, site: Site) -> Iterator[Callable[..., BrowserContext]]:
    """Makes contexts; in the end no page may have erred or asked another host."""
    watched = Watched()
    opened: list[BrowserContext] = []

    def make(**facts: Any) -> BrowserContext:
        options = {"viewport": PHONE, "locale": "en-GB", "base_url": site.address} | facts
        context = chromium.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        watched.follow(context)
        opened.append(context)
        return context

    yield make
    for context in opened:
        context.close()
    assert watched.hosts <= {urlsplit(site.address).netloc, ""}
    assert watched.errors == []


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A phone, speaking English."""
    return new_context().new_page()


def take_photo(page: Page, picture: Path = PHOTO) -> None:
    """The photo flow up to the reading."""
    page.goto("/phone")
    page.locator("#take-photo").set_input_files(picture)
    page.locator("#result [data-certain]").wait_for()


def say_facts(page: Page, seat: str = "S", giver: str = "W", round_wind: str | None = "E") -> None:
    """How the hand was won, in the panel of facts."""
    page.locator(f"#winner-{seat}").click()
    page.locator(f"#how-{giver}").click()
    if round_wind is not None:
        page.locator(f"#round-{round_wind}").click()


def expect(locator: Locator) -> Any:
    """Playwright's own assertions, with patience."""
    from playwright.sync_api import expect as expectation

    expectation.set_options(timeout=PATIENCE_MS)
    return expectation(locator)
