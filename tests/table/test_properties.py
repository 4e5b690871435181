"""Random nights: totals are always the sum of payments, and a log always folds to the same."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorer import Hand, Situation, find_ruleset, score
from scorer.sampling import winning_hand
from table import EventError, Ledger, State, Store, settle, stats_of
from table.log import effective, fold, refold
from tests.support import slow_count
from tests.table.nights import PLAYERS, start

RULES = ("taiwan", "taiwan-classic", "hongkong", "hongkong-digital", "mcr")


def win(rng: Random, state: State, rules: str) -> dict[str, Any]:
    """A win of a random hand; the ledger may refuse it, since its events are not told."""
    winner, giver, *_ = rng.sample(state.players, 4)
    hand = str(winning_hand(rng, rules).hand)
    body: dict[str, Any] = {"winners": [{"player": winner, "hand": hand}]}
    return body if rng.random() < 0.4 else body | {"from": giver}


def event(rng: Random, state: State, rules: str) -> tuple[str, dict[str, Any]]:
    kind = rng.choice(("win",) * 6 + ("draw", "false-win", "penalty", "correction", "players"))
    one, other = rng.sample(state.players, 2)
    if kind == "win":
        return kind, win(rng, state, rules)
    if kind == "false-win":
        return kind, {"offender": one, "points": rng.randint(0, 9)}
    if kind == "penalty":
        to = {"to": other} if rng.random() < 0.5 else {}
        return kind, {"offender": one, "points": rng.randint(0, 30), **to}
    if kind == "correction":
        points = rng.randint(-50, 50)
        return kind, {"payments": {one: points, other: -points}}
    if kind == "players":
        return kind, {"out": one, "in": f"Guest {rng.randint(1, 3)}"}
    return kind, {}


def step(rng: Random, ledger: Ledger, rules: str) -> None:
    """One thing that somebody does; what cannot be changes nothing."""
    before = ledger.length
    try:
        choice = rng.random()
        if choice < 0.1:
            ledger.accept(ledger.propose_undo(rng.choice((None, rng.randint(1, before)))))
        elif choice < 0.2:
            kind, body = event(rng, ledger.state, rules)
            preview = ledger.propose_edit(rng.randint(1, before), kind, body)
            ledger.accept(preview)
            assert ledger.state.totals == preview.totals_after
        else:
            ledger.add(*event(rng, ledger.state, rules))
    except EventError:
        assert ledger.length == before


def check(ledger: Ledger) -> None:
    totals = dict.fromkeys(ledger.state.totals, 0)
    for entry in ledger.state.history:
        assert sum(entry.payments.values()) == 0
        for player, points in entry.payments.items():
            totals[player] += points
    assert totals == ledger.state.totals


@pytest.mark.parametrize("rules", RULES)
def test_totals_are_always_the_sum_of_payments(rules: str) -> None:
    for seed in range(slow_count(2, 40)):
        rng = Random(f"{rules} {seed}")
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "a.sqlite"
            ledger = start(place, rules)
            for _ in range(25):
                step(rng, ledger, rules)
                check(ledger)
            assert ledger.length > 10
            events = effective(ledger.records)
            assert fold(events).to_json() == ledger.state.to_json()
            again, changed = refold(events)
            assert again.to_json() == ledger.state.to_json()
            assert not changed
            assert ledger.verify() == []
            assert Ledger(Store(place), "friday").records == ledger.records
            owed = dict(ledger.state.totals)
            for payment in settle(owed):
                owed[payment.payer] += payment.points
                owed[payment.payee] -= payment.points
            assert not any(owed.values())
            assert sum(row.points for row in stats_of([ledger.state])) == 0


def test_a_booked_hand_is_what_the_scorer_says(tmp_path: Path) -> None:
    """Seat, round, dealer and streak are derived as a player at the table would state them."""
    rng = Random("facts")
    ledger = start(tmp_path / "a.sqlite")
    booked, deal, streak, round_ = 0, 0, 0, 0  # an own, plain count of the rotation
    while booked < slow_count(10, 200):
        body = win(rng, ledger.state, "taiwan")
        winner, giver = PLAYERS.index(body["winners"][0]["player"]), body.get("from")
        situation = Situation(
            seat=(winner - deal) % 4,  # type: ignore[arg-type]
            round=round_ % 4,  # type: ignore[arg-type]
            self_drawn=giver is None,
            from_seat=None if giver is None else (PLAYERS.index(giver) - deal) % 4,  # type: ignore[arg-type]
            streak=streak,
        )
        result = score(Hand.parse(body["winners"][0]["hand"]), situation)
        if not result.is_good or result.payments is None:
            continue
        ledger.add("win", body)
        booked += 1
        entry = ledger.state.history[-1]
        assert entry.payments == {
            PLAYERS[(seat + deal) % 4]: points for seat, points in result.payments.items()
        }
        assert entry.outcome is not None
        assert entry.outcome["wins"][0]["total"] == result.total
        assert entry.outcome["version"] == find_ruleset("taiwan").version
        if winner == deal:
            streak += 1
        else:
            deal, streak = (deal + 1) % 4, 0
            round_ += deal == 0


def test_statistics_count_what_happened(tmp_path: Path) -> None:
    ledger = start(tmp_path / "a.sqlite")
    for player, giver, total in (("Bo", "Chi", 4), ("Bo", None, 2), ("An", "Chi", 9)):
        body: dict[str, Any] = {"winners": [{"player": player, "total": total}]}
        ledger.add("win", body | ({"from": giver} if giver else {}))
    ledger.add("draw", {})
    ledger.add("false-win", {"offender": "Dee"})
    rows = {row.player: row for row in stats_of([ledger.state])}
    bo, chi = rows["Bo"], rows["Chi"]
    assert (bo.won, bo.self_drawn, bo.average, bo.hands) == (2, 1, 3.0, 4)
    assert (chi.won, chi.dealt_in, chi.average) == (0, 2, None)
    assert rows["An"].biggest == (9, "")
    assert rows["Dee"].false_wins == 1
    twice = {row.player: row for row in stats_of([ledger.state, ledger.state])}
    assert twice["Bo"].points == 2 * bo.points


def test_favourite_items_are_those_scored_most(tmp_path: Path) -> None:
    ledger = start(tmp_path / "a.sqlite")
    hand = "66678m11333p555z[222z]@6m"
    for _ in range(2):
        ledger.add("win", {"winners": [{"player": "Dee", "hand": hand}], "from": "Bo"})
    [dee] = [row for row in stats_of([ledger.state]) if row.player == "Dee"]
    assert dict(dee.favourites(2)) == {"dragon-pung": 2, "three-concealed-pungs": 2}
