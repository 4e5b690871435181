"""The OpenAPI description: complete, and nothing that follows it makes trouble (schemathesis)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from kiosk.eyes import networks
from kiosk.server.app import create_app
from kiosk.server.desk import Options
from kiosk.server.service import create_service
from tests.kiosk.server.conftest import HERE
from tests.support import REPOSITORY, slow_count

HOST = {"Host": "127.0.0.1"}


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory, photo: bytes) -> Iterator[Any]:
    """A server with a night and a reading, so that requests find something."""
    folder = tmp_path_factory.mktemp("openapi")
    options = Options(config=folder / "config.toml", ledger=str(folder / "ledger.sqlite"))
    app = create_app(options, rates={})
    with TestClient(app, base_url=HERE) as client:
        client.post("/api/table/nights", json={"players": ["An", "Bo", "Chi", "Dee"]})
        reading = client.post("/api/readings", files={"picture": photo}).json()
        described = schemathesis.openapi.from_asgi("/openapi.json", app, headers=HOST)
        yield described, reading["id"]


def ask_about(operation: Any, reading: str) -> None:
    """Requests that follow the description of one operation."""
    known = operation.path.startswith("/api/readings/{id}") and operation.method != "delete"

    @settings(
        max_examples=slow_count(10, 300), deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(operation.as_strategy())
    def ask(case: Any) -> None:
        if known:  # one that is there says more than one that is not
            case.path_parameters["id"] = reading
        answer = case.call(headers=HOST)
        if answer.status_code >= 400:
            assert answer.headers["content-type"][0] == "application/problem+json"
        # 503 is an answer: there is no picture yet, two phones are live, the queue is full.
        assert answer.status_code < 500 or answer.status_code == 503, answer.text

    ask()


def test_nothing_that_follows_the_description_makes_trouble(description: Any) -> None:
    schema, reading = description
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 30
    for operation in operations:
        ask_about(operation, reading)


def test_every_address_of_the_document_is_described(client: TestClient) -> None:
    text = (REPOSITORY / "docs" / "http.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(?:GET|POST|PUT|DELETE) (/[a-z{}./-]*[a-z}])", text))
    described = set(client.get("/openapi.json").json()["paths"])
    described |= set(create_service(networks()).openapi()["paths"])
    assert len(told) > 25
    # A stream has no end, and so no place in a description.
    assert told - {"/api/table/events", "/api/club/events"} <= described
