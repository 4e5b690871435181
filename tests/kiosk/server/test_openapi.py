"""The OpenAPI description: complete, and nothing that follows it makes trouble (schemathesis)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from kiosk.server.app import create_app
from kiosk.server.desk import Options
from tests.kiosk.server.conftest import HERE
from tests.support import REPOSITORY, slow_count

HOST = {"Host": "127.0.0.1"}


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server with a night and a reading, so that requests find something."""
    folder = tmp_path_factory.mktemp("openapi")
    options = Options(config=folder / "config.toml", ledger=str(folder / "ledger.sqlite"))
    app = create_app(options, rates={})
    with TestClient(app, base_url=HERE) as client:
        client.post("/api/table/nights", json={"players": ["An", "Bo", "Chi", "Dee"]})
        yield schemathesis.openapi.from_asgi("/openapi.json", app, headers=HOST)


def test_nothing_that_follows_the_description_makes_trouble(description: Any) -> None:
    count = 0
    for found in description.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=slow_count(10, 300), deadline=None, suppress_health_check=list(HealthCheck)
        )
        @given(operation.as_strategy())
        def ask(case: Any) -> None:
            answer = case.call(headers=HOST)
            said = answer.headers.get("content-type", [""])[0]
            if answer.status_code >= 400:
                assert said == "application/problem+json", answer.status_code
            # 503 is an answer: there is no picture yet, two phones are live, the queue is full.
            assert answer.status_code < 500 or answer.status_code == 503, answer.text

        ask()
        count += 1
    assert count >= 30


def test_every_address_of_the_document_is_described(client: TestClient) -> None:
    text = (REPOSITORY / "docs" / "http.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(?:GET|POST|PUT|DELETE) (/[a-z{}./-]*[a-z}])", text))
    described = set(client.get("/openapi.json").json()["paths"])
    assert len(told) > 25
    # A stream has no end, and so no place in a description.
    assert told - {"/api/table/events"} <= described
