"""What requests hold, for checking them and for the OpenAPI description."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

Index = Annotated[StrictInt, Field(ge=0, le=1000)]
Short = Annotated[StrictStr, Field(max_length=40)]
Text = Annotated[StrictStr, Field(max_length=500)]
Object = dict[str, Any]
Key = Annotated[StrictStr, Field(min_length=1, max_length=100)]


class Form(BaseModel):
    """A field that is not known is a mistake that should be told."""

    model_config = ConfigDict(extra="forbid")


class Played(Form):
    """By which rules, and under which facts."""

    rules: Short | None = None
    house: Object | None = None
    situation: Object | None = None


class TileCorrection(Form):
    """One of: index and face, index and remove, add and group."""

    index: Index | None = None
    face: Short | None = None
    remove: StrictBool = False
    add: Short | None = None
    group: Index | Short | None = None


class Group(Form):
    kind: Short
    tiles: Annotated[list[Index], Field(max_length=200)]


class CorrectionsForm(Played):
    tiles: Annotated[list[TileCorrection], Field(max_length=200)] = []
    groups: Annotated[list[Group], Field(max_length=60)] | None = None
    answers: Annotated[dict[Short, Text], Field(max_length=40)] = {}


class Consent(Form):
    consent: StrictBool = False


class ScoreForm(Played):
    hand: Text
    answers: Annotated[dict[Short, Text], Field(max_length=40)] = {}
    compare: StrictBool = False


class ConfigForm(Form):
    values: Object


class Booking(Form):
    """`key` makes a request safe to repeat, `expected` is the length that was shown."""

    key: Key | None = None
    expected: Annotated[StrictInt, Field(ge=0)] | None = None
    note: Text | None = None


class NightForm(Form):
    players: list[Text] | None = None
    rules: Short | None = None
    house: Object | None = None
    dealer: Text | None = None
    stakes: Object | None = None
    title: Text | None = None
    draw_dealer: Short | None = None
    key: Key | None = None


class HandForm(Booking):
    winners: Annotated[list[Object], Field(max_length=3)]
    from_: Annotated[Text | None, Field(alias="from")] = None
    robbed: StrictBool | None = None


class DealForm(Booking):
    events: Annotated[list[Object], Field(max_length=400)]
    missing: dict[Text, Short] | None = None


class OffenceForm(Booking):
    offender: Text
    points: StrictInt | None = None


class PenaltyForm(Booking):
    offender: Text
    points: StrictInt
    to: Text | None = None


class PaymentsForm(Booking):
    payments: dict[Text, StrictInt]


class PlayersForm(Booking):
    out: Text
    in_: Annotated[Text, Field(alias="in")]


class SeatsForm(Booking):
    players: list[Text]
    dealer: Text | None = None


class RulesForm(Booking):
    rules: Short | None = None
    house: Object | None = None


class UndoForm(Booking):
    of: Annotated[StrictInt, Field(ge=1)] | None = None
    accept: StrictBool = False


class EditForm(Booking):
    of: Annotated[StrictInt, Field(ge=1)]
    kind: Short
    body: Object = {}
    accept: StrictBool = False
