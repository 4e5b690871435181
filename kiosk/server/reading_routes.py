"""Photos in, readings out; corrections; scores of hands that are typed in."""

from __future__ import annotations

import json
from asyncio import to_thread
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, UploadFile
from starlette.responses import Response

from kiosk.server import scores
from kiosk.server.desk import Desk, Said, TheDesk
from kiosk.server.forms import Consent, CorrectionsForm, ScoreForm
from kiosk.server.learning import learn_misread
from kiosk.server.problems import Problem
from kiosk.server.readings import Kept, correct, corrections_of, read_upload
from kiosk.server.saving import save_picture
from kiosk.server.situations import answered, hand_of, house_of, situation_of, with_winning
from scorer import HouseRules, Situation

router = APIRouter(prefix="/api")
JPEG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/jpeg": {}}, "description": "A JPEG"}
}


@router.post("/readings", status_code=201)
async def post_reading(
    picture: Annotated[UploadFile, File()],
    desk: TheDesk,
    said: Said,
    situation: Annotated[str | None, Form(max_length=4000)] = None,
    rules: Annotated[str | None, Form(max_length=40)] = None,
    house: Annotated[str | None, Form(max_length=20_000)] = None,
) -> dict[str, Any]:
    """Read a photo."""
    data = await picture.read()
    id, in_force = house_of(rules, _object("house", house), await to_thread(desk.in_force))
    facts = situation_of(_object("situation", situation), id, in_force)
    kept = await desk.pool.run(_read, desk, data, id, in_force, facts)
    desk.readings.add(kept)
    return kept.to_json(said)


def _read(desk: Desk, data: bytes, rules: str, house: HouseRules, situation: Situation) -> Kept:
    side = desk.settings["camera_side"]
    kept = read_upload(data, rules, house, situation, desk.looking.eyes(), side)
    if desk.settings["save_pictures"]:
        save_picture(desk.pictures_folder, kept)
    return kept


@router.get("/readings/{id}")
def get_reading(id: str, desk: TheDesk, said: Said) -> dict[str, Any]:
    """A reading as it stands."""
    return desk.readings.get(id).to_json(said)


@router.delete("/readings/{id}", status_code=204, response_class=Response)
async def forget_reading(id: str, desk: TheDesk) -> Response:
    """Forget a picture and its reading."""
    desk.readings.forget(id)
    return Response(status_code=204)


@router.get("/readings/{id}/picture.jpg", response_class=Response, responses=JPEG)
async def picture(id: str, desk: TheDesk) -> Response:
    """The picture, at most 2048 pixels long, without its EXIF."""
    return _jpeg(await desk.pool.run(desk.readings.get(id).shown))


@router.get("/readings/{id}/overlay.jpg", response_class=Response, responses=JPEG)
async def overlay(id: str, desk: TheDesk, said: Said) -> Response:
    """The picture with what was read drawn on it."""
    return _jpeg(await desk.pool.run(desk.readings.get(id).overlay, said))


@router.post("/readings/{id}/corrections")
async def correct_reading(
    id: str, form: CorrectionsForm, desk: TheDesk, said: Said
) -> dict[str, Any]:
    """Correct a reading: the whole list of corrections, so that a repeated request is harmless."""
    kept = desk.readings.get(id)
    default = (kept.rules, kept.house)
    rules, house = house_of(form.rules, form.house, default)
    tiles = [tile.model_dump() for tile in form.tiles]
    groups = None if form.groups is None else [group.model_dump() for group in form.groups]
    told = corrections_of(tiles, groups, form.answers)
    facts = kept.asked if form.situation is None else situation_of(form.situation, rules, house)
    await desk.pool.run(correct, kept, told, form.answers, facts, rules, house)
    return kept.to_json(said)


@router.post("/readings/{id}/misread")
async def misread(id: str, form: Consent, desk: TheDesk) -> dict[str, Any]:
    """Teach the club's tile profile the tiles that were corrected."""
    kept = desk.readings.get(id)
    if not form.consent:
        raise Problem("consent")
    learnt, profile = await desk.pool.run(learn_misread, kept, desk.looking)
    desk.watch()
    return {"learnt": learnt, "profile": profile}


@router.post("/scores")
def post_score(form: ScoreForm, desk: TheDesk, said: Said) -> dict[str, Any]:
    """Score a hand that is written as text."""
    rules, house = house_of(form.rules, form.house, desk.in_force())
    facts = {id: answer for id, answer in form.answers.items() if id != "winning"}
    situation = answered(situation_of(form.situation, rules, house), facts)
    hand = hand_of(form.hand)
    if "winning" in form.answers:
        hand = with_winning(hand, form.answers["winning"])
    data = scores.score_json(hand, situation, rules, house, said)
    if form.compare:
        data["compare"] = scores.compared(hand, situation, rules, said)
    return data


def _object(name: str, text: str | None) -> dict[str, Any] | None:
    """A form's text as a JSON object. Raises Problem."""
    if not text:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Problem("bad-json", field=name, why=f"{name} is not JSON") from None
    if data is not None and not isinstance(data, dict):
        raise Problem("bad-json", field=name, why=f"{name} is not an object")
    return data


def _jpeg(data: bytes) -> Response:
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "private, no-store"})
