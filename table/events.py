"""The events of a night as plain data, checked before they enter the log.

An event is a kind and a body of JSON values. Players are named, never seats: the seat, the round
and the streak of a hand are derived from what came before it, so that a correction moves them.

| kind | body |
|---|---|
| start | players (East, South, West, North), rules, dealer?, stakes?, draw_dealer?, title? |
| win | winners: [{player, hand or total, events?, …}], from?, robbed? |
| deal | missing: {player: suit}, events: the events of docs/deal.md with players as seats |
| draw | – |
| false-win | offender, points? (to each of the others, where the rules name no amount) |
| penalty | offender, points, to? (default: points to each of the others) |
| correction | payments: {player: points}, which add up to zero |
| players | out, in: a player leaves, another takes the seat |
| seats | players in the new order East, South, West, North; dealer? |
| rules | rules |
| undo | of: the number of the event that shall not count |
| edit | of, kind, body: what that event should have been |

Every body may carry a `note`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from scorer import HouseRuleError, HouseRules, UnknownRulesetError, find_ruleset

from .errors import EventError
from .games import DRAW_DEALER
from .money import Stakes

Body = Mapping[str, Any]

START, WIN, DEAL, DRAW = "start", "win", "deal", "draw"
FALSE_WIN, PENALTY, CORRECTION = "false-win", "penalty", "correction"
PLAYERS, SEATS, RULES, UNDO, EDIT = "players", "seats", "rules", "undo", "edit"
HANDS: Final = frozenset({WIN, DEAL, DRAW})
"""Kinds that end a deal."""
SCORED: Final = frozenset({WIN, DEAL, FALSE_WIN})
"""Kinds whose payments come from the rules; they have an outcome."""

# Needed fields, then allowed ones.
FIELDS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    kind: (frozenset(needed.split()), frozenset(allowed.split()))
    for kind, needed, allowed in (
        (START, "players rules", "dealer stakes draw_dealer title"),
        (WIN, "winners", "from robbed"),
        (DEAL, "events", "missing"),
        (DRAW, "", ""),
        (FALSE_WIN, "offender", "points"),
        (PENALTY, "offender points", "to"),
        (CORRECTION, "payments", ""),
        (PLAYERS, "out in", ""),
        (SEATS, "players", "dealer"),
        (RULES, "rules", "draw_dealer"),
        (UNDO, "of", ""),
        (EDIT, "of kind body", ""),
    )
}
WINNER_FIELDS: Final = frozenset({
    *("player", "hand", "total", "events", "replacement", "missing_suit", "fed"),
    *("wall_left", "seen", "dora", "ura_dora", "red_fives", "sticks"),
})  # fmt: skip
FORMS: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("hand", "replacement", "missing_suit", "dora", "ura_dora"), (str,)),
    **dict.fromkeys(("wall_left", "red_fives"), (int,)),
    **dict.fromkeys(("events", "sticks", "fed"), (list, tuple)),
    "seen": (bool,),
}
"""What the fields of a winner are."""
LONGEST_NAME: Final = 40
LARGEST: Final = 10**9
"""Points that one event can move at most; a slip of the finger is more likely than more."""


def check(kind: str, body: Body) -> None:
    """The form of an event; whether it can be at this table is the state's business.

    Raises EventError.
    """
    if not isinstance(kind, str) or kind not in FIELDS:
        raise EventError(f"no such kind of event: {kind!r}; there are {', '.join(FIELDS)}")
    if not isinstance(body, Mapping):
        raise EventError("the body of an event is an object of fields")
    needed, allowed = FIELDS[kind]
    if missing := {field for field in needed if body.get(field) is None}:
        raise EventError(f"{kind} needs {', '.join(sorted(missing))}")
    if foreign := set(body) - needed - allowed - {"note"}:
        raise EventError(f"{kind} has no field {', '.join(sorted(foreign))}")
    try:
        json.dumps(body, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise EventError(f"{kind} is not plain data: {error}") from None
    if "players" in body:
        check_players(body["players"])
    if "rules" in body:
        house_of(body["rules"])
    if "stakes" in body:
        Stakes.of(body["stakes"])
    if body.get("draw_dealer") not in (None, *DRAW_DEALER):
        raise EventError(f"draw_dealer is {', '.join(DRAW_DEALER)}, not {body['draw_dealer']!r}")
    if "points" in body:
        whole(body["points"], "points", 0)
    if kind == WIN:
        _check_winners(body["winners"])
    elif kind == CORRECTION:
        check_payments(body["payments"])
    elif kind == PLAYERS:
        check_name(body["in"])
    elif kind in (UNDO, EDIT):
        whole(body["of"], "of", 1)
        if kind == EDIT:
            if body["kind"] in (UNDO, EDIT):
                raise EventError("an event cannot be edited into an undo or an edit")
            check(body["kind"], body["body"])


def house_of(rules: Any) -> tuple[str, HouseRules]:
    """Rule set or preset id, and the house rules over it, of a `rules` field. Raises EventError."""
    if not isinstance(rules, Mapping) or not set(rules) <= {"id", "options", "values", "title"}:
        raise EventError('rules are an object such as {"id": "taiwan", "options": {"base": 5}}')
    for name in ("options", "values"):
        if not isinstance(rules.get(name) or {}, Mapping):
            raise EventError(f"rules: {name} are an object of fields, not {rules[name]!r}")
    id = rules.get("id")
    try:
        find_ruleset(str(id))
        house = HouseRules.of(
            str(id), rules.get("options"), rules.get("values"), str(rules.get("title", ""))
        )
    except (UnknownRulesetError, HouseRuleError) as error:
        raise EventError(f"rules: {error}") from None
    return str(id), house


def rules_body(id: str, house: HouseRules) -> dict[str, Any]:
    """The `rules` field for these house rules, without what the preset says anyway."""
    from scorer.registry import preset_house

    base = preset_house(id).all()
    options = {
        name: [list(row) for row in value] if isinstance(value, tuple) else value
        for name, value in house.all().items()
        if value != base[name] or type(value) is not type(base[name])
    }
    body: dict[str, Any] = {"id": id}
    if options:
        body["options"] = options
    if house.values:
        body["values"] = dict(house.values)
    return body | ({"title": house.title} if house.title else {})


def check_players(players: Any) -> None:
    if not isinstance(players, list) or len(players) != 4:
        raise EventError("players are four names, in the order East, South, West, North")
    for name in players:
        check_name(name)
    if len(set(players)) != 4:
        raise EventError(f"four different names are needed, not {', '.join(players)}")


def check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise EventError(f"a player's name is text without spaces around it, not {name!r}")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise EventError(f"a name has at most {LONGEST_NAME} printable letters: {name!r}")
    if name.upper() in ("E", "S", "W", "N") or set(name) & set(",:="):
        raise EventError(f"{name!r} cannot be a name: E, S, W, N and , : = have a meaning here")


def check_payments(payments: Any) -> None:
    if not isinstance(payments, Mapping) or not payments:
        raise EventError('payments are an object such as {"An": 8, "Bo": -8}')
    for player, points in payments.items():
        whole(points, f"payments of {player}", -LARGEST)
    if sum(payments.values()):
        raise EventError(f"payments add up to zero, not to {sum(payments.values())}")


def whole(value: Any, what: str, low: int) -> int:
    if type(value) is not int or not low <= value <= LARGEST:
        raise EventError(f"{what} is a whole number from {low} to {LARGEST}, not {value!r}")
    return value


def _check_winners(winners: Any) -> None:
    if not isinstance(winners, list) or not 1 <= len(winners) <= 3:
        raise EventError("winners are a list of one to three players with their hands")
    for winner in winners:
        if not isinstance(winner, Mapping) or not isinstance(winner.get("player"), str):
            raise EventError("a winner has a player and a hand")
        if ("hand" in winner) == ("total" in winner):
            raise EventError("a winner has either a hand or, where none was written down, a total")
        if foreign := set(winner) - WINNER_FIELDS:
            raise EventError(f"a winner has no field {', '.join(sorted(foreign))}")
        if "total" in winner:
            whole(winner["total"], "total", 0)
        for name, value in winner.items():
            if name in FORMS and value is not None and type(value) not in FORMS[name]:
                kind = FORMS[name][0].__name__
                raise EventError(f"{name} of a winner is of the kind {kind}, not {value!r}")
        if "hand" in winner and winner["hand"] is None:
            raise EventError("a winner has either a hand or, where none was written down, a total")
        if not all(isinstance(event, str) for event in winner.get("events") or ()):
            raise EventError("events of a winner are a list of their ids")
    if len({winner["player"] for winner in winners}) != len(winners):
        raise EventError("a player wins once")
