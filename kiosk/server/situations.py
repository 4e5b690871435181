"""Situations, hands and house rules as they come in JSON (docs/http.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from kiosk.server.problems import wrong
from scorer import (
    Fed,
    Hand,
    HandTextError,
    HouseRuleError,
    HouseRules,
    Situation,
    Tile,
    UnknownRulesetError,
    Wind,
    find_ruleset,
    parse_tiles,
)
from scorer.houserules import no_such
from scorer.legality import events_of
from scorer.table import table_of
from scorer.tiles import tiles_text

SEATS: Final = ("seat", "round", "from_seat", "dealer")
SEAT_LISTS: Final = ("already_won", "also_won", "sticks")
FLAGS: Final = ("self_drawn", "robbed", "seen")
NUMBERS: Final = {"streak": 99, "wall_left": 144, "red_fives": 4}
TILES: Final = ("dora", "ura_dora")
EVENTS: Final = ("events", "unknown_events")
NAMES: Final = frozenset(field.name for field in fields(Situation))
LONGEST_HAND: Final = 200


def situation_of(data: Mapping[str, Any] | None, ruleset: str, house: HouseRules) -> Situation:
    """The situation that was sent; a fact that is missing or null is not known.

    Raises Problem naming the field.
    """
    facts: dict[str, Any] = {}
    for name, value in (data or {}).items():
        if name not in NAMES:
            raise wrong(f"situation.{name}", no_such(name, sorted(NAMES), "fact") + ".")
        if value is None and name not in ("dealer", "streak"):
            continue
        try:
            facts[name] = _fact(name, value)
        except (ValueError, TypeError) as error:
            raise wrong(f"situation.{name}", f"{error}.") from None
    return _checked(facts, ruleset, house)


def _fact(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in SEATS:
        return Wind.parse(_text(value))
    if name in SEAT_LISTS:
        seats = [Wind.parse(_text(seat)) for seat in _list(value, 40)]
        return tuple(seats) if name == "sticks" else frozenset(seats)
    if name in FLAGS:
        if not isinstance(value, bool):
            raise ValueError("write true, false or null")
        return value
    if name in NUMBERS:
        if type(value) is not int or not 0 <= value <= NUMBERS[name]:
            raise ValueError(f"write a whole number from 0 to {NUMBERS[name]}")
        return value
    if name in TILES:
        return tuple(parse_tiles(_text(value))) if value else ()
    if name in EVENTS:
        return frozenset(_text(event) for event in _list(value, 40))
    if name == "fed":
        return tuple(Fed.parse(_text(row)) for row in _list(value, 5))
    return _text(value)


def _checked(facts: dict[str, Any], ruleset: str, house: HouseRules) -> Situation:
    giver, seat = facts.get("from_seat"), facts.get("seat")
    if giver is not None and giver == seat:
        raise wrong("situation.from_seat", "The winner and the giver sit at the same place.")
    if giver is not None and facts.get("self_drawn") is None:
        facts["self_drawn"] = False
    try:
        situation = Situation(**facts)
    except ValueError as error:
        raise wrong("situation", f"{error}.") from None
    known = events_of(table_of(ruleset, house))
    for event in sorted((situation.events | situation.unknown_events) - known):
        raise wrong("situation.events", no_such(event, sorted(known), "event") + ".")
    return situation


def answered(situation: Situation, answers: Mapping[str, str]) -> Situation:
    """The situation with questions about it answered, in the words of the answers that were
    offered. Raises Problem.
    """
    facts: dict[str, Any] = {}
    events = set(situation.events)
    for id, answer in answers.items():
        try:
            if id.startswith("event:"):
                (events.add if _yes(answer) else events.discard)(id.removeprefix("event:"))
            elif id in FLAGS:
                facts[id] = _yes(answer)
            elif id in NUMBERS:
                facts[id] = _fact(id, int(answer))
            elif id in TILES:
                facts[id] = _fact(id, "" if answer == "none" else answer)
            elif id == "fed":
                facts[id] = (*situation.fed, Fed.parse(answer))
            elif id in NAMES:
                facts[id] = _fact(id, answer)
            else:
                raise ValueError("there is no such question")
        except (ValueError, TypeError) as error:
            raise wrong(f"answers.{id}", f"{error}.") from None
    unknown = situation.unknown_events - {id.removeprefix("event:") for id in answers}
    if facts.get("self_drawn"):
        facts |= {"from_seat": None, "robbed": False}
        events.discard("robbing-kong")
    try:
        return situation.but(**facts, events=frozenset(events), unknown_events=unknown)
    except ValueError as error:
        raise wrong("answers", f"{error}.") from None


def _yes(answer: str) -> bool:
    if answer not in ("yes", "no"):
        raise ValueError("write yes or no")
    return answer == "yes"


def situation_json(situation: Situation) -> dict[str, Any]:
    """The facts that are known, as they would be sent."""
    return {name: _sent(name, getattr(situation, name)) for name in sorted(NAMES)}


def _sent(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in SEATS:
        return value.letter
    if name in SEAT_LISTS:
        return [seat.letter for seat in (value if name == "sticks" else sorted(value))]
    if name in TILES:
        return tiles_text(value)
    if name in EVENTS:
        return sorted(value)
    if name == "fed":
        return [f"{fed.seat.letter}:{tiles_text(fed.tiles)}" for fed in value]
    return value


def hand_of(text: str) -> Hand:
    """The hand of a text. Raises Problem."""
    if len(text) > LONGEST_HAND:
        raise wrong("hand", f"A hand text has at most {LONGEST_HAND} letters.")
    try:
        return Hand.parse(text)
    except HandTextError as error:
        raise wrong("hand", f"{error}.") from None


def with_winning(hand: Hand, code: str) -> Hand:
    """The hand whose winning tile is one of its concealed tiles. Raises Problem."""
    try:
        tile = Tile.parse(code)
    except ValueError as error:
        raise wrong("answers.winning", f"{error}.") from None
    left = [*hand.concealed, *(() if hand.winning is None else (hand.winning,))]
    if tile not in left:
        raise wrong("answers.winning", f"There is no {code} among the concealed tiles.")
    left.remove(tile)
    return replace(hand, concealed=tuple(left), winning=tile)


def house_of(
    rules: str | None, house: Mapping[str, Any] | None, default: tuple[str, HouseRules]
) -> tuple[str, HouseRules]:
    """Rule set and house rules that were asked for, over those of the settings. Raises Problem."""
    id, base = default
    if rules is not None and rules != id:
        try:
            find_ruleset(rules)
        except UnknownRulesetError as error:
            raise wrong("rules", f"{error}.") from None
        id, base = rules, HouseRules.of(rules)
    if not house:
        return id, base
    if foreign := sorted(set(house) - {"options", "values", "title"}):
        raise wrong(f"house.{foreign[0]}", "House rules have options and values.")
    options, values = house.get("options") or {}, house.get("values") or {}
    if not isinstance(options, Mapping) or not isinstance(values, Mapping):
        raise wrong("house", "Options and values are objects.")
    try:
        fresh = HouseRules.of(
            id, dict(base.options) | dict(options), dict(base.values) | dict(values), base.title
        )
        return id, fresh
    except HouseRuleError as error:
        raise wrong(f"house.{error.option}", _ended(error.why)) from None


def _ended(why: Callable[[str], str]) -> Callable[[str], str]:
    return lambda language: why(language) + ("." if language == "en" else "。")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"write text, not {value!r:.40}")
    return value


def _list(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise TypeError(f"write a list of at most {most}")
    return value
