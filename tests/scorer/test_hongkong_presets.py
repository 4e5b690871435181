"""The club variants of Hong Kong that come as presets, each with worked hands."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from scorer import Hand, Situation, Wind, find_ruleset, score
from tests.support import REPOSITORY

FILE = REPOSITORY / "tests" / "data" / "hongkong-presets.csv"
ROWS = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()[1:]))
# Shares of East, South, West and North in points, South winning: HK-A doubles for East too.
WITH_EAST = {"discard": (-2, 5, -2, -1), "self": (-4, 8, -2, -2)}
WITHOUT_EAST = {"discard": (-1, 4, -2, -1), "self": (-2, 6, -2, -2)}
SHARES = {"hongkong-half-spicy": WITHOUT_EAST, "hongkong-full-spicy": WITHOUT_EAST}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['preset']} {row['hand']}")
def test_worked_hand(row: dict[str, str]) -> None:
    drawn = row["won"] == "self"
    facts = Situation(
        seat=Wind.SOUTH,
        round=Wind.EAST,
        self_drawn=drawn,
        from_seat=None if drawn else Wind.WEST,
    )
    result = score(Hand.parse(row["hand"]), facts, row["preset"])
    assert result.is_good
    assert result.total == int(row["faan"])
    shares = SHARES.get(row["preset"], WITH_EAST)[row["won"]]
    assert result.payments is not None
    expected = [share * int(row["points"]) for share in shares]
    assert [result.payments[wind] for wind in Wind] == expected


def test_every_preset_has_at_least_ten_worked_hands() -> None:
    counts = Counter(row["preset"] for row in ROWS)
    assert set(counts) == set(find_ruleset("hongkong").presets)
    assert min(counts.values()) >= 10
