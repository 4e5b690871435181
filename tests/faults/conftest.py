"""What these tests share with those of the server and of the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from kiosk.server.desk import Options
from tests.kiosk.server.conftest import photo
from tests.table.conftest import place, server

__all__ = ["options", "photo", "place", "server"]


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(config=tmp_path / "config.toml", ledger=str(tmp_path / "ledger.sqlite"))
