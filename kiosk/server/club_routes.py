"""The hub: every table of the ledger live, and the standings of a season."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from kiosk.server.desk import Desk, Said, TheDesk
from kiosk.server.hub import BEAT_S, message
from kiosk.server.problems import Problem
from table.club import standings_csv

router = APIRouter(prefix="/api/club")
MOST_STREAMS: Final = 16
TICK_S: Final = 0.5
NAMED: Final = {"Content-Disposition": 'attachment; filename="season.csv"'}
Day = Annotated[str, Query(pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")]
Rules = Annotated[str, Query(max_length=40)]


@router.get("")
def club(desk: TheDesk) -> dict[str, Any]:
    """Every table as it is now, and what everybody has at all of them together."""
    return desk.club.to_json()


@router.get("/season")
def season(desk: TheDesk, since: Day = "", until: Day = "", rules: Rules = "") -> dict[str, Any]:
    """Standings over all nights that began in a time."""
    rows = desk.club.standings(since, until, rules)
    asked = {"since": since, "until": until, "rules": rules}
    return asked | {"standings": [row.to_json() for row in rows]}


@router.get("/season.csv", response_class=Response)
def season_csv(desk: TheDesk, since: Day = "", until: Day = "", rules: Rules = "") -> Response:
    """The same for a spreadsheet."""
    text = standings_csv(desk.club.standings(since, until, rules))
    return Response(text, media_type="text/csv", headers=NAMED)


@router.get("/events", response_class=StreamingResponse, include_in_schema=False)
async def events(desk: TheDesk, said: Said) -> StreamingResponse:
    """The tables as server-sent events: at once, and after every change."""
    if desk.club_streams >= MOST_STREAMS:
        raise Problem("busy", seconds=30)
    return StreamingResponse(_news(desk, said), media_type="text/event-stream")


async def _news(desk: Desk, said: str) -> AsyncIterator[bytes]:
    desk.club_streams += 1
    try:
        shown: object = None
        sent = 0.0
        while not desk.closing:
            mark, data = await asyncio.to_thread(_look, desk, said, shown)
            if data is not None:
                shown, sent = mark, time.monotonic()
                yield message("club", data)
            elif time.monotonic() - sent >= BEAT_S:
                sent = time.monotonic()
                yield b": still here\n\n"
            await asyncio.sleep(TICK_S)
    finally:
        desk.club_streams -= 1


def _look(desk: Desk, said: str, shown: object) -> tuple[object, dict[str, Any] | None]:
    """What identifies the state, and the state where it is another than what is shown."""
    try:
        version = desk.club.version()
        return version, None if version == shown else desk.club.to_json()
    except Problem as problem:  # a stream goes on when the ledger is away for a while
        data = {"problem": problem.to_json(said)}
        mark = str(data)
        return mark, None if mark == shown else data
