"""Chinese Official against pymahjonggb, an independent program, on random legal hands.

Classes of disagreement, and what the rules file says of each:

- *tie*: two readings of the hand are worth the same and the two programs show different ones.
  rules/chinese-official.md, "Finding the total": the list with the fewest items stands, then the
  one whose rows come first in the table. Ours is that one; the totals agree.
- Five tiles of a face, and the last discard met with a robbed kong: pymahjonggb scores both, we
  refuse both (they are not legal, so the random hands hold none; tests below).
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from scorer import Hand, Result, Situation, Wind, score
from scorer.rules.mcr import MCR
from scorer.table import table_of
from tests.scorer.mcr_hands import mcr_hand
from tests.scorer.mcr_oracle import fans
from tests.support import require, slow_count

TABLE = table_of("mcr")
VALUES = {item.id: value for item, value in zip(TABLE.items, TABLE.values, strict=True)}
ROWS = {item.id: row for row, item in enumerate(MCR.items)}


def listed(result: Result) -> Counter[str]:
    return Counter(result.ids())


def rank(found: Counter[str]) -> tuple[int, list[int]]:
    """What decides a tie: the number of items, then the rows they stand in."""
    return found.total(), sorted(ROWS[id] for id in found.elements())


def test_random_hands_as_pymahjonggb_scores_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Every total agrees, and every list but those of ties, where ours is the one to show."""
    require("pymahjonggb")
    rng = Random("mcr and pymahjonggb")
    seen: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for _ in range(slow_count(3_000, 40_000)):
        hand, facts = mcr_hand(rng)
        result = score(hand, facts, "mcr")
        what = hand, facts
        assert {problem.id for problem in result.problems} <= {"below-minimum"}, what
        ours, theirs = listed(result), fans(hand, facts)
        seen.update(ours.keys())
        assert result.total == sum(VALUES[id] * count for id, count in theirs.items()), what
        if ours != theirs:
            kinds["tie"] += 1
            assert rank(ours) < rank(theirs), what
        kinds["melded"] += bool(hand.melds)
        kinds["with kongs"] += bool(hand.kongs)
        kinds["with events"] += bool(facts.events)
        kinds["hands"] += 1
    with capsys.disabled():
        print("\npymahjonggb:", ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    assert seen.keys() == VALUES.keys()


def test_hands_that_pymahjonggb_scores_and_we_refuse() -> None:
    """Five of a face, and a kong that is robbed with an empty wall."""
    require("pymahjonggb")
    facts = Situation(seat=Wind.EAST, round=Wind.EAST, self_drawn=False, from_seat=Wind.WEST)
    five = Hand.parse("123456m99s[3333m][555p]@9s")
    assert fans(Hand.parse("12456m99s[3333m][555p]@3m"), facts)
    assert "fifth-copy" in {problem.id for problem in score(five, facts, "mcr").problems}
    robbed = facts.but(events=frozenset({"last-discard", "robbing-kong"}))
    hand = Hand.parse("34678m22p567999s@5m")
    assert fans(hand, robbed)
    assert [problem.id for problem in score(hand, robbed, "mcr").problems] == ["contradiction"]
