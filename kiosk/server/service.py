"""The reading service: `/api/readings` as at a table, and `/api/sights`, without a table.

It keeps nothing: no reading, no picture, no settings. Any number of them may stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import FastAPI, Query, Request
from starlette.responses import Response

from kiosk.cli import product_version
from kiosk.server import problems, reading_routes, uploads
from kiosk.server.access import Access
from kiosk.server.desk import TheDesk
from kiosk.server.eyes import Eyes
from kiosk.server.far import digests
from kiosk.server.guard import Guard
from kiosk.server.limits import Buckets
from kiosk.server.pool import RETRY_S, Pool
from kiosk.server.problems import Problem
from kiosk.server.readings import Kept
from kiosk.settings import Settings
from scorer import HouseRules
from vision.detector import Detector
from vision.reader import Reader

PICTURE_BODY: Final = {"requestBody": {"required": True, "content": {"image/*": {"schema": {
    "type": "string", "format": "binary"}}}}}  # fmt: skip


class Looking:
    """The networks that were given, without a profile: that is the table's."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    def eyes(self) -> Eyes:
        return self._eyes


class Nowhere:
    """Where readings go that nobody will ask for again."""

    def add(self, kept: Kept) -> None:
        """Let it go."""


@dataclass(frozen=True, slots=True)
class Counter:
    """As much of a desk as reading needs."""

    looking: Looking
    language: str = "en"
    pool: Pool = field(default_factory=Pool)
    settings: Settings = field(default_factory=lambda: Settings.of({}))
    readings: Nowhere = field(default_factory=Nowhere)

    def in_force(self) -> tuple[str, HouseRules]:
        """Rules are those of the request, else the settings' own defaults."""
        return self.settings.house()

    def end_streams(self) -> None:
        """None is open here."""


def create_service(networks: tuple[Detector, Reader], access: Access | None = None) -> FastAPI:
    """The service as an ASGI application."""
    counter = Counter(Looking(Eyes(*networks, None)))
    app = FastAPI(title="hupai readings", version=product_version(), docs_url=None, redoc_url=None)
    app.state.desk = counter
    problems.install(app)
    app.add_exception_handler(TimeoutError, _no_replica)
    for path, answer, code, extra in (
        ("/api/readings", reading_routes.post_reading, 201, None),
        ("/api/sights", sight, 200, PICTURE_BODY),
    ):
        app.add_api_route(path, answer, methods=["POST"], status_code=code, openapi_extra=extra)
    app.add_api_route("/health", health)
    app.add_middleware(
        Guard,
        access=access or Access(),
        buckets=Buckets({}),  # the clients are tables, not people; the queue is the limit
        language=lambda: counter.language,
    )
    return app


async def _no_replica(request: Request, error: Exception) -> Response:
    """No replica of a network has answered in time: those who ask again may be luckier."""
    return Problem("busy", seconds=RETRY_S).answer(problems.language_of(request.scope))


async def sight(
    request: Request, desk: TheDesk, half: Annotated[bool, Query()] = False
) -> dict[str, Any]:
    """What the networks see in a picture, for a table that names it by its own tile set."""
    data = await request.body()
    return await desk.pool.run(_look, data, half, desk.looking.eyes())


def _look(data: bytes, half: bool, eyes: Eyes) -> dict[str, Any]:
    image = uploads.decode(data, half=half)
    found = eyes.reader.look(image, eyes.detector(image))
    return {"networks": digests(), "sight": found.to_json()}


async def health() -> dict[str, Any]:
    """Whether the service answers, and by which networks."""
    return {"status": "ok", "version": product_version(), "networks": digests()}


def builder(access: Access) -> Callable[[tuple[Detector, Reader]], FastAPI]:
    """What makes the service in a replica."""
    return lambda networks: create_service(networks, access)
