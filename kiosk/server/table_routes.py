"""The table: its state, bookings, corrections, and news for everybody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from kiosk.server import forms
from kiosk.server.desk import Desk, Said, TheDesk
from kiosk.server.hub import BEAT, Hub, message
from kiosk.server.problems import Problem
from kiosk.server.situations import house_of
from kiosk.server.tables import HISTORY
from table import events as ev
from table.events import rules_body

router = APIRouter(prefix="/api/table")
BOOKINGS: Final = (
    ("hands", ev.WIN, forms.HandForm, "A hand won; it is scored here."),
    ("deals", ev.DEAL, forms.DealForm, "A whole deal of Sichuan Bloody."),
    ("draws", ev.DRAW, forms.Booking, "Nobody won."),
    ("false-wins", ev.FALSE_WIN, forms.OffenceForm, "A win called that was none."),
    ("penalties", ev.PENALTY, forms.PenaltyForm, "Points for a fault."),
    ("corrections", ev.CORRECTION, forms.PaymentsForm, "Points moved by agreement."),
    ("players", ev.PLAYERS, forms.PlayersForm, "A player leaves, another takes the seat."),
    ("seats", ev.SEATS, forms.SeatsForm, "The four change seats."),
)
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=100)]
OWN = {"key", "expected", "note", "accept"}


@router.get("")
def table(
    desk: TheDesk,
    said: Said,
    last: Annotated[int, Query(ge=0, le=2000)] = HISTORY,
) -> dict[str, Any]:
    """Seats, winds, totals and the last events."""
    return desk.tables.to_json(desk.settings["players"], said, last)


@router.get("/settlement")
def settlement(desk: TheDesk) -> dict[str, Any]:
    """Who pays whom, with the fewest payments."""
    return desk.tables.settlement()


@router.get("/nights")
def nights(desk: TheDesk) -> dict[str, Any]:
    """The nights of this table."""
    return desk.tables.nights()


@router.post("/nights", status_code=201)
def begin(form: forms.NightForm, desk: TheDesk, said: Said, key: Key = None) -> dict[str, Any]:
    """Begin a night."""
    body: dict[str, Any] = {
        "players": form.players or desk.settings["players"],
        "rules": rules_body(*house_of(form.rules, form.house, desk.settings.house())),
        "stakes": desk.settings.stakes() if form.stakes is None else form.stakes,
    }
    for name in ("dealer", "title", "draw_dealer"):
        if getattr(form, name):
            body[name] = getattr(form, name)
    no = desk.tables.begin(body, form.key or key)
    return _booked(desk, no, said)


@router.post("/rules", status_code=201)
def rules(form: forms.RulesForm, desk: TheDesk, said: Said, key: Key = None) -> dict[str, Any]:
    """Other rules from now on."""
    chosen = rules_body(*house_of(form.rules, form.house, desk.settings.house()))
    body = {"rules": chosen} | ({"note": form.note} if form.note else {})
    no = desk.tables.add(ev.RULES, body, form.key or key, form.expected, said)
    return _booked(desk, no, said)


@router.post("/undo")
def undo(form: forms.UndoForm, desk: TheDesk, said: Said, key: Key = None) -> Response:
    """Take an event back: first what would change, then, accepted, booked."""
    found = desk.tables.undo(form.of, form.accept, form.expected, form.key or key)
    return _decided(desk, found, said)


@router.post("/edits")
def edit(form: forms.EditForm, desk: TheDesk, said: Said, key: Key = None) -> Response:
    """Put another event in an event's place."""
    found = desk.tables.edit(
        form.of, form.kind, form.body, form.accept, form.expected, form.key or key
    )
    return _decided(desk, found, said)


@router.get("/events", response_class=StreamingResponse, include_in_schema=False)
async def events(request: Request, desk: TheDesk, said: Said) -> StreamingResponse:
    """News as server-sent events."""
    listener = desk.hub.listen()
    return StreamingResponse(_news(listener, desk, said), media_type="text/event-stream")


async def _news(listener: Hub.Listener, desk: Desk, said: str) -> AsyncIterator[bytes]:
    with listener:
        yield message("table", await asyncio.to_thread(_shown, desk, said))
        yield message("kiosk", desk.kiosk_json(said, reading=False))
        async for event in listener.news():
            if event == "table":
                yield message("table", await asyncio.to_thread(_shown, desk, said))
            elif event == "kiosk":
                yield message("kiosk", desk.kiosk_json(said, reading=False))
            elif event == BEAT:
                yield b": still here\n\n"
            else:
                yield message(event, {})


def _shown(desk: Desk, said: str) -> dict[str, Any]:
    """The table, or why it cannot be shown: a stream goes on when the ledger is locked."""
    try:
        return desk.tables.to_json(desk.settings["players"], said)
    except Problem as problem:
        return {"problem": problem.to_json(said)}


def _booking(kind: str, fields: type[forms.Booking]) -> Any:
    def book(form: Any, desk: TheDesk, said: Said, key: Key = None) -> dict[str, Any]:
        return _add(kind, form, key, desk, said)

    book.__annotations__["form"] = fields
    return book


for _name, _kind, _fields, _about in BOOKINGS:
    router.add_api_route(
        f"/{_name}",
        _booking(_kind, _fields),
        methods=["POST"],
        status_code=201,
        name=_name,
        description=_about,
    )


def _add(kind: str, form: forms.Booking, key: str | None, desk: Desk, said: str) -> dict[str, Any]:
    sent = form.model_dump(by_alias=True, exclude_none=True)
    body = {name: value for name, value in sent.items() if name not in OWN}
    if form.note:
        body["note"] = form.note
    no = desk.tables.add(kind, body, form.key or key, form.expected, said)
    return _booked(desk, no, said)


def _booked(desk: Desk, no: int, said: str) -> dict[str, Any]:
    desk.hub.tell("table")
    desk.watch()  # the camera counts by the rules of the night
    return {"no": no, "table": desk.tables.to_json(desk.settings["players"], said)}


def _decided(desk: Desk, found: tuple[dict[str, Any] | None, int], said: str) -> Response:
    preview, no = found
    if preview is not None:
        return JSONResponse({"preview": preview})
    return JSONResponse(_booked(desk, no, said), 201)
