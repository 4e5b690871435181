"""A server in this process, with its own settings and ledger, and no limits on how often."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kiosk.server.app import create_app
from kiosk.server.desk import Options

HERE = "http://127.0.0.1:8080"


def client_of(options: Options, **more: object) -> TestClient:
    """A client on the same machine."""
    app = create_app(options, rates={})
    return TestClient(app, base_url=HERE, raise_server_exceptions=False, **more)  # type: ignore[arg-type]


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(config=tmp_path / "config.toml", ledger=str(tmp_path / "ledger.sqlite"))


@pytest.fixture
def client(options: Options) -> Iterator[TestClient]:
    with client_of(options) as client:
        yield client


@pytest.fixture(scope="session")
def photo() -> bytes:
    """The sample hand 123678m4599p[222z][777z]@6p, which is read without a doubt."""
    return (Path(str(files("kiosk"))) / "samples" / "taiwan.jpg").read_bytes()


FACTS = {"seat": "S", "round": "E", "self_drawn": False, "from_seat": "E", "streak": 1}
"""How that hand was won: 2 tai and 3 of the dealer line; East pays 8."""
