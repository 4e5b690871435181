"""The sample hand's photo, as for the tests of the server."""

from __future__ import annotations

from tests.kiosk.server.conftest import photo

__all__ = ["photo"]
