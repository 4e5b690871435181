"""The options by which a command line states an event of a night."""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from kiosk import facts
from kiosk.trouble import WrongUse
from scorer.situation import REPLACEMENTS
from table.events import rules_body
from table.state import State

Event = tuple[str, dict[str, Any]]


def add_kinds(parser: argparse.ArgumentParser, parents: list[argparse.ArgumentParser]) -> None:
    """A sub-command for each kind of event. Players are named, or meant by their seat letter."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")

    def kind(name: str, about: str) -> argparse.ArgumentParser:
        own = kinds.add_parser(name, help=about, parents=parents)
        own.add_argument("--note", metavar="TEXT", help="a remark kept with the event")
        return own

    win = kind("win", "a hand won")
    win.add_argument("hand", metavar="HAND", nargs="?", help="the hand text; quote it")
    win.add_argument("--total", type=int, metavar="N", help="the total, where no hand was written")
    win.add_argument("--winner", metavar="PLAYER", required=True)
    how = win.add_mutually_exclusive_group(required=True)
    how.add_argument("--self-drawn", action="store_true")
    how.add_argument("--discard-from", metavar="PLAYER")
    how.add_argument("--robbed-from", metavar="PLAYER")
    win.add_argument("--event", action="append", default=[], metavar="ID", help="repeatable")
    win.add_argument("--replacement", choices=REPLACEMENTS, help="what a kong-draw replaced")
    win.add_argument(
        "--fed", action="append", default=[], metavar="PLAYER:SET", help="who gave an exposed set"
    )
    win.add_argument("--wall-left", type=int, metavar="N", help="tiles left in the wall")
    win.add_argument("--seen", choices=("yes", "no"), help="whether the face had been seen")
    win.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="PLAYER=HAND",
        help="another winner on the same discard; repeatable",
    )
    kind("draw", "nobody won")
    false_win = kind("false-win", "a win called that was none")
    false_win.add_argument("offender", metavar="PLAYER")
    false_win.add_argument("--points", type=int, metavar="N", help="to each of the others")
    penalty = kind("penalty", "points for a fault")
    penalty.add_argument("offender", metavar="PLAYER")
    penalty.add_argument("--points", type=int, metavar="N", required=True)
    penalty.add_argument("--to", metavar="PLAYER", help="to whom; default: to each of the others")
    correction = kind("correction", "points moved by agreement")
    correction.add_argument("pay", metavar="PLAYER=POINTS", nargs="+", help="they add up to zero")
    player = kind("players", "a player leaves, another takes the seat")
    player.add_argument("leaves", metavar="PLAYER")
    player.add_argument("comes", metavar="NAME")
    seats = kind("seats", "the four change seats")
    seats.add_argument("players", metavar="E,S,W,N", help="the names in the new order")
    seats.add_argument("--dealer", metavar="PLAYER", help="who deals (East)")
    facts.add_rules_arguments(kind("rules", "other rules from now on"))
    deal = kind("deal", "a whole Sichuan deal (docs/deal.md; players or seats)")
    deal.add_argument("file", metavar="FILE", type=Path)
    event = kind("event", 'any event as JSON: {"kind": …, "body": …}')
    event.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def event_of(arguments: argparse.Namespace, state: State) -> Event:
    """Kind and body of the event stated. Raises WrongUse, or EventError for a stranger."""
    kind = arguments.kind
    if kind == "event":
        kind, body = _any_event(arguments.file)
    else:
        body = _BODIES[kind](arguments, state)
    if arguments.note:
        body["note"] = arguments.note
    return kind, body


def _win(a: argparse.Namespace, state: State) -> dict[str, Any]:
    if (a.hand is None) == (a.total is None):
        raise WrongUse("give the hand of the winner, or --total where none was written down.")
    winner: dict[str, Any] = {"player": state.named(a.winner)}
    winner |= {"total": a.total} if a.hand is None else {"hand": a.hand}
    if a.event:
        winner["events"] = sorted(set(a.event))
    if a.replacement:
        winner["replacement"] = a.replacement
    if a.wall_left is not None:
        winner["wall_left"] = a.wall_left
    if a.seen:
        winner["seen"] = a.seen == "yes"
    if a.fed:
        winner["fed"] = []
        for text in a.fed:
            player, tiles = _pair(text, ":", "--fed PLAYER:SET, such as An:234p")
            row = {"player": state.named(player), "tiles": tiles.strip("[]() ")}
            winner["fed"].append(row)
    body: dict[str, Any] = {"winners": [winner]}
    for text in a.also:
        player, hand = _pair(text, "=", "--also PLAYER=HAND")
        body["winners"].append({"player": state.named(player), "hand": hand})
    giver = a.discard_from or a.robbed_from
    if giver:
        body["from"] = state.named(giver)
    if a.robbed_from:
        body["robbed"] = True
    return body


def _draw(a: argparse.Namespace, state: State) -> dict[str, Any]:
    return {}


def _offence(a: argparse.Namespace, state: State) -> dict[str, Any]:
    body: dict[str, Any] = {"offender": state.named(a.offender)}
    if a.points is not None:
        body["points"] = a.points
    if getattr(a, "to", None):
        body["to"] = state.named(a.to)
    return body


def _correction(a: argparse.Namespace, state: State) -> dict[str, Any]:
    payments = {}
    for text in a.pay:
        player, points = _pair(text, "=", "PLAYER=POINTS, such as An=-8")
        try:
            amount = int(points)
        except ValueError:
            raise WrongUse(f"{text!r}: the points are a whole number.") from None
        payments[player if player in state.totals else state.named(player)] = amount
    return {"payments": payments}


def _players(a: argparse.Namespace, state: State) -> dict[str, Any]:
    return {"out": state.named(a.leaves), "in": a.comes}


def _seats(a: argparse.Namespace, state: State) -> dict[str, Any]:
    body: dict[str, Any] = {"players": names_of(a.players)}
    return body | ({"dealer": state.named(a.dealer)} if a.dealer else {})


def _rules(a: argparse.Namespace, state: State) -> dict[str, Any]:
    return {"rules": rules_body(*facts.house_of(a))}


def _deal(a: argparse.Namespace, state: State) -> dict[str, Any]:
    text = _text(a.file)
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongUse(f"the deal {a.file} cannot be read: {error}.") from None
    data.pop("dealer", None)  # the ledger knows who deals
    return {str(key): _named(value, state) for key, value in data.items()}


def _named(value: Any, state: State, field: str = "") -> Any:
    """The same with players for seats, where a deal file names seats."""
    if isinstance(value, list):
        return [_named(row, state) for row in value]
    if isinstance(value, dict):
        return {
            state.named(key) if len(key) == 1 else key: _named(row, state, key)
            for key, row in value.items()
        }
    return state.named(value) if field in ("by", "from", "win") else value


_BODIES = {
    "win": _win,
    "draw": _draw,
    "false-win": _offence,
    "penalty": _offence,
    "correction": _correction,
    "players": _players,
    "seats": _seats,
    "rules": _rules,
    "deal": _deal,
}


def _any_event(name: str) -> Event:
    text = sys.stdin.read() if name == "-" else _text(Path(name))
    try:
        data = json.loads(text)
        return str(data["kind"]), dict(data.get("body", {}))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise WrongUse('an event is written as {"kind": …, "body": {…}}.') from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"{path} cannot be read: {error}.") from None


def names_of(text: str) -> list[str]:
    """Names between commas."""
    return [name.strip() for name in text.split(",")]


def _pair(text: str, mark: str, form: str) -> tuple[str, str]:
    left, found, right = text.partition(mark)
    if not found or not left.strip() or not right.strip():
        raise WrongUse(f"{text!r}: write {form}.")
    return left.strip(), right.strip()
