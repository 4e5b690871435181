"""The application: routes, pages, errors, the guard before them, and what runs beside them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from fastapi import FastAPI
from starlette.formparsers import MultiPartParser

from kiosk.cli import product_version
from kiosk.server import (
    club_routes,
    live_routes,
    page_routes,
    problems,
    reading_routes,
    table_routes,
    teach_routes,
)
from kiosk.server.desk import Desk, Options
from kiosk.server.guard import Guard
from kiosk.server.limits import Buckets, Rate
from kiosk.server.problems import Problem
from kiosk.server.uploads import MAX_BYTES

# Uploads stay in memory; Starlette would write what is over a megabyte to a temporary file.
MultiPartParser.spool_max_size = 2 * MAX_BYTES

LOOK_S: Final = 2.0
"""So often the ledger is asked whether another program has written to it."""
PROBLEM: Final = {
    "description": "What went wrong, and what to do",
    "content": {problems.MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
SCHEMA: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "id": {"type": "string"},
        "field": {"type": "string"},
        "retry_after_s": {"type": "integer"},
    },
}


def create_app(options: Options | None = None, rates: dict[str, Rate] | None = None) -> FastAPI:
    """The whole server as an ASGI application; `rates` are the limits of a client's requests.

    Raises Trouble when the settings cannot be read.
    """
    options = options or Options()
    desk = Desk(options)
    app = FastAPI(
        title="hupai",
        version=product_version(),
        summary="Mahjong hands read, scored and booked; docs/http.md says it in words.",
        docs_url=None,
        redoc_url=None,
        lifespan=_beside,
        responses={"4XX": PROBLEM, "5XX": PROBLEM},
    )
    app.state.desk = desk
    problems.install(app)
    for routes in (
        page_routes,
        reading_routes,
        live_routes,
        table_routes,
        club_routes,
        teach_routes,
    ):
        app.include_router(routes.router)
    page_routes.add_pages(app)
    _describe(app)
    app.add_middleware(
        Guard, access=options.access, buckets=Buckets(rates), language=lambda: desk.language
    )
    return app


def _describe(app: FastAPI) -> None:
    """The OpenAPI description with the form that errors have."""
    made = app.openapi

    def openapi() -> dict[str, object]:
        description = made()
        components = description.setdefault("components", {})
        components.setdefault("schemas", {})["Problem"] = SCHEMA
        return description

    app.openapi = openapi  # type: ignore[method-assign]


@contextlib.asynccontextmanager
async def _beside(app: FastAPI) -> AsyncIterator[None]:
    """Load the networks, watch the camera, look whether others write to the ledger."""
    desk: Desk = app.state.desk
    tasks = [asyncio.create_task(_warm(desk)), asyncio.create_task(_follow(desk))]
    desk.watch()
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        desk.close()


async def _warm(desk: Desk) -> None:
    with contextlib.suppress(Problem):  # the first picture says it
        await desk.pool.run(desk.looking.eyes)


async def _follow(desk: Desk) -> None:
    mark: tuple[str, int] | None = None
    while True:
        await asyncio.sleep(LOOK_S)
        if not len(desk.hub):
            continue
        with contextlib.suppress(Problem):  # locked or gone for a moment: look again
            now = await asyncio.to_thread(desk.tables.mark)
            if mark is not None and now != mark:
                desk.hub.tell("table")
            mark = now
