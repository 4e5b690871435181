"""Fuzzing what a club books: nights that are taken in, and single events."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from itertools import count
from typing import Any

from hypothesis import strategies as st

from table import EventError, Ledger, Store
from table import events as ev
from table.export import read_back, to_csv, to_json
from table.outcome import outcome_of
from tests.fuzz.common import READ, REFUSED, folder, said
from tests.fuzz.edits import spoilt_text, spoilt_trees, values
from tests.table.nights import start, won

_numbers = count()

# -- ledgers


@cache
def _store() -> Store:
    return Store(folder() / "club.sqlite")


@cache
def _seeds() -> tuple[Ledger, ...]:
    """A night of Taiwan mahjong, and one of Hong Kong's that goes on by other rules."""
    first = start(folder() / "seed.sqlite", stakes={"point": "10", "currency": "TWD"})
    first.add("win", won("Chi", "Bo"), at="2026-01-01T00:00:00Z")
    first.add("penalty", {"offender": "Dee", "points": 2, "note": "late"})
    first.add("draw", {})
    first.accept(first.propose_edit(2, "win", won("An", total=1)))
    first.accept(first.propose_undo(4))
    first.add("players", {"out": "Dee", "in": "Eve"})
    first.add("false-win", {"offender": "Eve", "points": 3})
    first.add("correction", {"payments": {"An": 5, "Bo": -5}})
    second = start(folder() / "seed.sqlite", "hongkong", "saturday", title="two")
    hand = {"player": "Bo", "hand": "123m456p77s[234s][999p]@7s", "events": []}
    for body in ({"winners": [{"player": "Bo", "total": 4}]}, {"winners": [hand], "from": "An"}):
        try:
            second.add("win", body)
        except EventError:
            continue
    second.add("seats", {"players": ["Bo", "An", "Dee", "Chi"]})
    second.add("rules", {"rules": {"id": "mcr"}})
    return first, second


@cache
def _nights() -> tuple[Any, ...]:
    return tuple(map(to_json, _seeds()))


@st.composite
def _sheet(draw: st.DrawFn) -> str:
    """A night as CSV in which some cells are others."""
    rows = list(csv.reader(io.StringIO(draw(st.sampled_from([to_csv(n) for n in _seeds()])))))
    for _ in range(draw(st.integers(1, 3))):
        row = draw(st.sampled_from(rows))
        if row:
            cell = draw(st.integers(0, len(row) - 1))
            some = st.one_of(
                spoilt_text([row[cell]], ["{", "0", "1", "null", "'="]), values.map(str)
            )
            row[cell] = draw(some)
        if draw(st.booleans()):
            row[draw(st.integers(0, len(row))) :] = []
    out = io.StringIO()
    csv.writer(out, delimiter=draw(st.sampled_from(",;\t"))).writerows(rows)
    return out.getvalue()


@st.composite
def _named_night(draw: st.DrawFn) -> str:
    tree = draw(spoilt_trees(_nights()))
    if isinstance(tree, dict) and draw(st.booleans()):
        tree.pop("state", None)  # totals that fit whatever is left
        tree["state"] = {"totals": draw(st.sampled_from([n["state"]["totals"] for n in _nights()]))}
    return json.dumps(tree)


def ledger_file() -> st.SearchStrategy[str]:
    whole = [*(json.dumps(night) for night in _nights()), *(to_csv(night) for night in _seeds())]
    cut = spoilt_text(whole, ['"', "{", "null", "1e999", "9" * 5000, "[" * 3000])
    return st.one_of(_named_night(), _named_night(), _sheet(), cut)


def check_ledger(text: str) -> str:
    """A night that is taken in is whole: it is read again, adds up, and is exported the same."""
    name = f"night {next(_numbers)}"
    try:
        ledger = read_back(_store(), text, name)
    except EventError as error:
        return said(error)
    again = Ledger(_store(), name)
    assert sum(again.state.totals.values()) == 0
    assert to_json(again) == to_json(ledger)
    json.dumps(to_json(ledger), allow_nan=False)
    ledger.verify()
    ledger.add("penalty", {"offender": again.state.players[0], "points": 1})
    return READ


# -- events, as they come from a page or from `hupai ledger add --json`

WHO = {"player": "Bo", "hand": "123m456p77s[234s][999p]@7s", "events": [], "fed": []}
EVENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("win", won("Chi", "Bo")),
    ("win", won("An", total=3)),
    ("win", {"winners": [WHO | {"replacement": "bonus", "wall_left": 4, "seen": True}]}),
    (
        "win",
        {"winners": [WHO | {"dora": "1m", "ura_dora": "2m", "red_fives": 1, "sticks": ["An"]}]},
    ),
    ("win", {"winners": [WHO | {"fed": [{"player": "An", "tiles": "234s"}]}], "from": "An"}),
    ("deal", {"missing": {"An": "m"}, "events": [{"win": "An", "from": "Bo", "hand": "1m@1m"}]}),
    ("deal", {"events": [{"kong": "added", "by": "An", "tile": "9m"}, {"wall_end": {"Bo": "1m"}}]}),
    ("draw", {}),
    ("false-win", {"offender": "An", "points": 3}),
    ("penalty", {"offender": "Dee", "points": 2, "to": "An", "note": "late"}),
    ("correction", {"payments": {"An": 5, "Bo": -5}}),
    ("players", {"out": "Dee", "in": "Eve"}),
    ("seats", {"players": ["Bo", "An", "Dee", "Chi"], "dealer": "An"}),
    ("rules", {"rules": {"id": "mcr", "options": {}, "values": {}}, "draw_dealer": "pass"}),
    ("start", {"players": ["An", "Bo", "Chi", "Dee"], "rules": {"id": "sichuan"}, "stakes": {}}),
)


@cache
def _night_of(rules: str) -> Ledger:
    ledger = start(folder() / "events.sqlite", rules, night=rules)
    ledger.add("penalty", {"offender": "An", "points": 1})
    return ledger


def event_text() -> st.SearchStrategy[str]:
    good = [{"kind": kind, "body": body} for kind, body in EVENTS]
    rules = st.sampled_from(["taiwan", "hongkong", "mcr", "sichuan", "riichi"])
    return st.tuples(rules, spoilt_trees(good)).map(json.dumps)


def check_event(text: str) -> str:
    """An event is possible or refused, as a new one and in another one's place."""
    rules, event = json.loads(text)
    if not isinstance(event, dict):
        return REFUSED
    kind, body = event.get("kind"), event.get("body")
    ledger = _night_of(rules)
    answer = REFUSED
    for again in (False, True):
        try:
            if again:
                ledger.propose_edit(2, kind, body)
            else:
                ev.check(kind, body)
                ledger.state.possible(kind, body)
                json.dumps(outcome_of(ledger.state, kind, body), allow_nan=False)
            answer = READ
        except EventError as error:
            said(error)
    return answer
