"""Settlement with the fewest transfers, against brute force; stakes."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table import EventError, Payment, Stakes, settle
from tests.support import slow_count


def fewest(totals: list[int]) -> int:
    """By definition: n accounts less the most groups of sum zero, found by trying all groups."""
    accounts = [points for points in totals if points]

    def groups(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, rest = left[0], range(1, len(left))
        best = 1  # all that is left, in one group
        for size in range(1, len(left)):
            for chosen in combinations(rest, size):
                if first + sum(left[i] for i in chosen) == 0:
                    others = tuple(left[i] for i in rest if i not in chosen)
                    best = max(best, 1 + groups(others))
        return best

    return len(accounts) - groups(tuple(accounts)) if accounts else 0


@settings(max_examples=slow_count(80, 2000), deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=7))
def test_settlement_pays_everybody_with_the_fewest_transfers(points: list[int]) -> None:
    points.append(-sum(points))
    totals = {f"P{i}": n for i, n in enumerate(points)}
    payments = settle(totals)
    left = dict(totals)
    for payment in payments:
        assert payment.points > 0
        left[payment.payer] += payment.points
        left[payment.payee] -= payment.points
    assert not any(left.values())
    assert len(payments) == fewest(points)


def test_two_pairs_are_two_transfers_and_not_three() -> None:
    totals = {"An": 5, "Bo": -3, "Chi": 3, "Dee": -5}
    assert set(settle(totals)) == {Payment("Dee", "An", 5), Payment("Bo", "Chi", 3)}


def test_many_players_are_settled_too() -> None:
    totals = {f"P{i}": i for i in range(1, 30)} | {"house": -sum(range(1, 30))}
    assert len(settle(totals)) == 29


def test_totals_that_are_not_whole_are_refused() -> None:
    with pytest.raises(ValueError, match="zero"):
        settle({"An": 1})


def test_money_is_exact() -> None:
    stakes = Stakes.of({"point": "0.10", "currency": "eur"})
    assert stakes.money(3) == "0.30 EUR"
    assert stakes.money(-12) == "-1.20 EUR"
    assert Stakes().money(7) == "7"
    assert Stakes.of({"point": 20, "currency": "TWD"}).point == Decimal(20)


@pytest.mark.parametrize(
    "data",
    [
        {"point": "many"},
        {"point": "0"},
        {"point": "NaN"},
        {"point": "0.00001"},
        {"currency": "dollar"},
        {"start": -1},
        {"bust_ends": True},
        {"odds": 2},
        7,
    ],
)
def test_stakes_that_make_no_sense_are_refused(data: object) -> None:
    with pytest.raises(EventError, match="stakes"):
        Stakes.of(data)
