"""Practice and explanations. The player's progress stays in the browser and comes with requests."""

from __future__ import annotations

import time
from secrets import randbelow
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field, StrictBool, StrictInt
from starlette.responses import Response

from kiosk import teach_json
from kiosk.server.desk import Desk, Said, TheDesk
from kiosk.server.forms import Object, Played, Short, Text
from kiosk.server.problems import wrong
from kiosk.server.situations import hand_of, house_of, situation_of
from scorer import HouseRules, Wind
from teach.cards import DeckError
from teach.dealing import Club, TooRareError
from teach.questions import KINDS, AnswerError, question
from teach.sheet import sheet_html
from teach.words import say

router = APIRouter(prefix="/api/teach")
DAY_S = 86_400
LEDGER = "ledger"
"""The kind of questions about hands that were won at the table."""
Rules = Annotated[str | None, Query(max_length=40)]


class NextForm(Played):
    progress: Object | None = None
    kind: Short | None = None
    item: Short = ""
    difficulty: Annotated[StrictInt, Field(ge=1, le=3)] = 1
    asked: Annotated[StrictInt, Field(ge=0, le=10**6)] = 0
    last: Text = ""


class AnswerForm(Played):
    spec: Object
    answer: Text
    progress: Object | None = None
    hints: Annotated[StrictInt, Field(ge=0, le=100)] = 0


class ExplainForm(Played):
    hand: Text
    two: StrictBool = False


@router.get("/words")
def words(said: Said) -> dict[str, Any]:
    """What the practice page says."""
    return teach_json.words_json(said)


@router.get("/tiles")
def tiles(said: Said) -> dict[str, Any]:
    """Every tile: names, readings, how to tell it."""
    return teach_json.tiles_json(said)


@router.get("/winds")
def winds(
    desk: TheDesk, said: Said, seat: str = "E", round: str = "E", rules: Rules = None
) -> dict[str, Any]:
    """What a seat and a round mean for a player."""
    club = _club(desk, rules)
    return teach_json.winds_json(club, _wind("seat", seat), _wind("round", round), said)


@router.get("/sheet", response_class=Response)
def sheet(desk: TheDesk, said: Said, rules: Rules = None) -> Response:
    """The score sheet to print, under the table's house rules."""
    club = _club(desk, rules)
    return Response(sheet_html(club.ruleset, club.house, said), media_type="text/html")


@router.post("/next")
def next_question(form: NextForm, desk: TheDesk, said: Said) -> dict[str, Any]:
    """The next question for this player."""
    if form.kind not in (None, LEDGER, *KINDS):
        raise wrong("kind", f"It is one of {', '.join((*KINDS, LEDGER))}.")
    club = _club(desk, form.rules, form.house)
    if form.item and form.item not in club.table.index:
        raise wrong("item", f"There is no {form.item} under these rules.")
    told = (form.progress, said, _today())
    try:
        if form.kind == LEDGER:
            won, seed = desk.tables.won_hands(), randbelow(2**31)
            return teach_json.next_won_json(won, *told, last=form.last, seed=seed)
        return teach_json.next_json(
            club,
            *told,
            kind=form.kind,
            item=form.item,
            difficulty=form.difficulty,
            asked=form.asked,
            last=form.last,
            seed=randbelow(2**31),
        )
    except DeckError as error:
        raise wrong("progress", f"{error}.") from None


@router.post("/answer")
def answer(form: AnswerForm, desk: TheDesk, said: Said) -> dict[str, Any]:
    """Whether an answer is right, and why."""
    club = _club(desk, form.rules or form.spec.get("rules"), form.house)
    try:
        asked = teach_json.won_question(form.spec, desk.tables.won_hands)
        asked = asked or question(teach_json.spec_of(form.spec, club))
        return teach_json.verdict_json(
            asked, form.answer, form.progress, form.hints, said, _today()
        )
    except DeckError as error:
        raise wrong("progress", f"{error}.") from None
    except AnswerError as error:
        want = say("verdict", f"want-{error.want}", said, choices="…")
        raise wrong("answer", want) from None
    except (TooRareError, ValueError) as error:
        raise wrong("spec", f"{error}.") from None


@router.post("/explain")
def explain(form: ExplainForm, desk: TheDesk, said: Said) -> dict[str, Any]:
    """Why a hand is worth what it is, what was near, what it waits for, or why it is no win."""
    club = _club(desk, form.rules, form.house)
    assert club.house is not None
    facts = situation_of(form.situation, club.ruleset, club.house)
    return teach_json.explain_json(
        hand_of(form.hand), facts, club.ruleset, club.house, said, form.two
    )


def _club(desk: Desk, rules: Any, house: dict[str, Any] | None = None) -> Club:
    chosen = rules if isinstance(rules, str) else None
    id, in_force = house_of(chosen, house, desk.settings.house())
    assert isinstance(in_force, HouseRules)
    return Club(id, in_force)


def _wind(field: str, text: str) -> Wind:
    try:
        return Wind.parse(text)
    except ValueError as error:
        raise wrong(field, f"{error}.") from None


def _today() -> float:
    return time.time() / DAY_S
