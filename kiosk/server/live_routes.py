"""A phone that is live, and the fixed camera."""

from __future__ import annotations

import asyncio
from asyncio import to_thread
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from kiosk.server.desk import Desk, Said, TheDesk
from kiosk.server.forms import Played
from kiosk.server.live import EXPIRES_S, RATE, Phone
from kiosk.server.problems import Problem
from kiosk.server.situations import house_of, situation_of

router = APIRouter()
BOUNDARY: Final = "frame"
MOST_STREAMS: Final = 8
FRAME_S: Final = 0.1
"""No viewer gets frames more often."""
JPEG_BODY: Final = {"requestBody": {"required": True, "content": {"image/jpeg": {"schema": {
    "type": "string", "format": "binary"}}}}}  # fmt: skip


@router.post("/api/live", status_code=201)
async def begin(form: Played, desk: TheDesk) -> dict[str, Any]:
    """Begin to be live; two phones can be."""
    rules, house = house_of(form.rules, form.house, await to_thread(desk.in_force))
    situation = situation_of(form.situation, rules, house)
    phone = Phone(rules, house, situation, desk.looking, desk.settings["camera_side"])
    desk.lives.start(phone)
    return {"id": phone.id, "expires_s": EXPIRES_S, "rate": RATE}


@router.post("/api/live/{id}/frames", openapi_extra=JPEG_BODY)
async def frame(
    id: str,
    request: Request,
    n: Annotated[int, Query(ge=0, le=2**53)],
    desk: TheDesk,
    said: Said,
) -> dict[str, Any]:
    """Send a frame."""
    phone = desk.lives.get(id)
    data = await request.body()
    return await phone.frame(n, data, desk.pool, desk.readings, said)


@router.delete("/api/live/{id}", status_code=204, response_class=Response)
async def end(id: str, desk: TheDesk) -> Response:
    """Be live no longer."""
    desk.lives.end(id)
    return Response(status_code=204)


@router.get("/api/kiosk")
def kiosk(desk: TheDesk, said: Said) -> dict[str, Any]:
    """What the fixed camera sees now."""
    return desk.kiosk_json(said)


@router.get("/snapshot.jpg", response_class=Response)
async def snapshot(desk: TheDesk) -> Response:
    """The fixed camera's newest picture."""
    _, data = await asyncio.to_thread(desk.camera.snapshot)
    return Response(data, media_type="image/jpeg")


@router.get("/stream.mjpg", response_class=StreamingResponse, include_in_schema=False)
async def stream(request: Request, desk: TheDesk) -> StreamingResponse:
    """The fixed camera's pictures as they come."""
    await asyncio.to_thread(desk.camera.snapshot)
    if desk.streams >= MOST_STREAMS:
        raise Problem("busy", seconds=30)
    media = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
    return StreamingResponse(_parts(request, desk), media_type=media)


async def _parts(request: Request, desk: Desk) -> AsyncIterator[bytes]:
    number = -1
    desk.streams += 1
    try:
        while not await request.is_disconnected() and not desk.closing:
            before = number
            number, data = await asyncio.to_thread(desk.camera.snapshot, number, 1.0)
            if number != before:
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}"
                yield f"{head}\r\n\r\n".encode() + data + b"\r\n"
            await asyncio.sleep(FRAME_S)
    except Problem:
        return  # the camera has been switched off
    finally:
        desk.streams -= 1
