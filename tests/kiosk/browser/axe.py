"""What axe finds on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support import missing

if TYPE_CHECKING:
    from playwright.sync_api import Page

SERIOUS = {"serious", "critical"}


def findings(page: Page) -> list[str]:
    """What axe finds that is serious or worse, as `rule: element`."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        missing("browser", "the Python package axe-playwright-python is not installed")
    response: dict[str, Any] = Axe().run(page).response
    return [
        f"{row['id']}: {node['html'][:120]}"
        for row in response["violations"]
        if row["impact"] in SERIOUS
        for node in row["nodes"]
    ]
