"""A night is booked, undone, edited and verified: the same on SQLite and on PostgreSQL."""

from __future__ import annotations

import json

import pytest

from table import (
    EventError,
    KeyReusedError,
    Ledger,
    MovedOnError,
    StorageError,
    Store,
)
from table.export import read_back, to_json
from tests.table.nights import PLAYERS, start, won


def test_what_was_booked_is_there_when_it_is_opened_again(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("Chi", "Bo"))
    again = Ledger(Store(place), "friday")
    assert again.state.totals == {"An": 0, "Bo": -6, "Chi": 6, "Dee": 0}  # base 3 + 3 tai
    assert again.records == ledger.records


def test_a_repeated_request_books_a_hand_once(place: str) -> None:
    ledger = start(place)
    first = ledger.add("win", won("Chi", "Bo"), key="tap 1")
    assert ledger.add("win", won("Chi", "Bo"), key="tap 1") == first
    assert Ledger(Store(place), "friday").add("win", won("Chi", "Bo"), key="tap 1") == first
    assert ledger.length == 2
    with pytest.raises(KeyReusedError):
        ledger.add("draw", {}, key="tap 1")
    assert start(place).length == 2  # beginning the night again is repeating a request too


def test_two_programs_see_each_others_events(place: str) -> None:
    here, there = start(place), start(place)
    here.add("win", won("An", "Bo"))
    there.add("draw", {})
    here.add("draw", {})
    there.refresh()
    assert here.state.streak == there.state.streak == 3
    assert here.records == there.records


def test_an_undo_shows_what_it_changes_and_moves_later_hands(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("An", total=1))  # the dealer stays: 3 × (3 + 1 + 1)
    ledger.add("win", won("Bo", total=0))  # the dealer, stayed on once, pays 3 + 3
    assert ledger.state.totals == {"An": 9, "Bo": 7, "Chi": -8, "Dee": -8}
    preview = ledger.propose_undo(2)
    assert ledger.state.totals["An"] == 9  # nothing has happened yet
    assert preview.totals_after == {"An": -4, "Bo": 10, "Chi": -3, "Dee": -3}
    assert [(c.no, c.after) for c in preview.changes] == [
        (2, {}),
        (3, {"An": -4, "Bo": 10, "Chi": -3, "Dee": -3}),  # now the first deal: 3 + 1
    ]
    ledger.accept(preview)
    assert ledger.state.totals == preview.totals_after
    assert Ledger(Store(place), "friday").state.totals == preview.totals_after


def test_an_undo_can_be_undone(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("An", total=1))
    ledger.add("win", won("Bo", total=0))
    before = dict(ledger.state.totals)
    undo = ledger.accept(ledger.propose_undo(2))
    ledger.accept(ledger.propose_undo(undo.no))
    assert ledger.state.totals == before
    assert ledger.verify() == []


def test_an_edit_scores_again_from_there(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("Chi", "Bo"))  # the deal passes to Bo
    ledger.add("win", won("Bo", total=0))  # the dealer wins: 3 × 4
    edit = ledger.propose_edit(2, "win", won("An", total=1))  # it was the dealer An who won
    assert {c.no for c in edit.changes} == {2, 3}
    ledger.accept(edit)
    assert ledger.state.totals == {"An": 9, "Bo": 7, "Chi": -8, "Dee": -8}
    ledger.accept(ledger.propose_undo(4))  # the edit itself
    assert ledger.state.totals == {"An": -4, "Bo": 6, "Chi": 2, "Dee": -4}
    assert ledger.verify() == []


def test_an_edited_draw_no_longer_pays(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("An", total=1))
    ledger.accept(ledger.propose_edit(2, "draw", {}))
    assert set(ledger.state.totals.values()) == {0}
    assert Ledger(Store(place), "friday").state.streak == 1


def test_an_edit_that_makes_a_later_event_impossible_is_refused(place: str) -> None:
    ledger = start(place)
    ledger.add("players", {"out": "Dee", "in": "Eve"})
    ledger.add("win", won("Eve", "Bo"))
    with pytest.raises(EventError, match="event 3: Eve does not sit at the table"):
        ledger.propose_undo(2)
    assert ledger.length == 3


def test_a_preview_that_is_no_longer_true_is_not_accepted(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("Chi", "Bo"))
    preview = ledger.propose_undo()
    Ledger(Store(place), "friday").add("draw", {})
    with pytest.raises(MovedOnError):
        ledger.accept(preview)
    with pytest.raises(MovedOnError):
        ledger.add("draw", {}, expected=2)
    assert ledger.length == 3


def test_several_tables_write_to_one_database(place: str) -> None:
    store = Store(place)
    for table in ("1", "2"):
        body = {"players": PLAYERS, "rules": {"id": "mcr"}}
        Ledger.start(store, f"friday-{table}", body, table=table).add("draw", {})
    assert [(n.night, n.table, n.events) for n in store.nights("2")] == [("friday-2", "2", 2)]
    assert len(store.nights()) == 2


def test_a_night_has_one_start_and_no_namesake(place: str) -> None:
    ledger = start(place)
    body = {"players": PLAYERS, "rules": {"id": "mcr"}}
    with pytest.raises(StorageError, match="already"):
        Ledger.start(ledger.store, "friday", body, key="another")
    with pytest.raises(StorageError, match="no night"):
        Ledger(ledger.store, "monday")
    with pytest.raises(EventError):
        ledger.propose_undo(1)


REFUSED = [
    ("win", won("Eve", "Bo"), "does not sit"),
    ("win", won("Bo", "Bo"), "own discard"),
    ("win", {"winners": [{"player": "Bo", "hand": "123m"}]}, "Bo:"),
    ("win", {"winners": [{"player": "Bo", "hand": "12x"}]}, "cannot be read"),
    ("win", {"winners": []}, "one to three"),
    ("win", {"winners": [{"player": "An", "total": 1}], "robbed": True}, "robbed"),
    ("deal", {"events": []}, "sichuan"),
    ("penalty", {"offender": "An", "points": -4}, "whole number"),
    ("penalty", {"offender": "An", "points": 4, "to": "An"}, "himself"),
    ("correction", {"payments": {"An": 5, "Bo": -4}}, "zero"),
    ("correction", {"payments": {"Eve": 5, "An": -5}}, "Eve"),
    ("players", {"out": "An", "in": "Bo"}, "already"),
    ("seats", {"players": ["An", "Bo", "Chi", "Eve"]}, "these four"),
    ("rules", {"rules": {"id": "taiwann"}}, "did you mean taiwan"),
    ("rules", {"rules": {"id": "taiwan", "options": {"base": -1}}}, "base"),
    ("start", {"players": PLAYERS, "rules": {"id": "mcr"}}, "once"),
    ("undo", {"of": 1}, "proposed"),
    ("dance", {}, "no such kind"),
    ("draw", {"who": "An"}, "no field who"),
]


@pytest.mark.parametrize(("kind", "body", "why"), REFUSED)
def test_what_cannot_be_is_refused_and_nothing_is_booked(
    kind: str, body: dict[str, object], why: str, tmp_path: object
) -> None:
    ledger = start(f"{tmp_path}/a.sqlite")
    with pytest.raises(EventError, match=why):
        ledger.add(kind, body)
    assert ledger.length == 1
    assert not ledger.refresh()


def test_a_hand_that_is_not_certain_is_not_booked(tmp_path: object) -> None:
    """Below the minimum of 8: the reason is the scorer's own."""
    ledger = start(f"{tmp_path}/a.sqlite", "mcr")
    hand = {"player": "Bo", "hand": "123m456p345s1122z@2z"}
    with pytest.raises(EventError, match="8"):
        ledger.add("win", {"winners": [hand], "from": "An"})


def test_verify_names_hands_that_the_rules_of_today_score_otherwise(tmp_path: object) -> None:
    """A log whose outcome came from other rules is whole, but scores otherwise now."""
    ledger = start(f"{tmp_path}/a.sqlite")
    ledger.add("win", won("Chi", "Bo"))
    data = to_json(ledger)
    outcome = data["records"][1]["outcomes"]["2"]
    outcome["payments"] |= {"Bo": -5, "Chi": 5}
    outcome["version"] = "0.9"
    data["state"]["totals"] |= {"Bo": -5, "Chi": 5}
    other = read_back(Store(f"{tmp_path}/b.sqlite"), json.dumps(data))
    [difference] = other.verify()
    assert difference.no == 2
    assert difference.pays_otherwise
    assert other.state.totals["Chi"] == 5  # what was booked stands until somebody edits it
