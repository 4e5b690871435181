"""`hongkong-digital`, row by row (rules/hong-kong.md, HK-B).

Seat South, won on a discard of West where nothing else is said. The bonus tile `1f` belongs to
East: it earns South nothing and takes no-flowers away.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorer import Hand, Result, Situation, Wind, find_ruleset, score

WON = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=False, from_seat=Wind.WEST)
DRAWN: dict[str, Any] = {"self_drawn": True, "from_seat": None}

LIMIT_HANDS = [
    ("thirteen-orphans", "19m19p19s1234567z@7z 1f", {}),
    ("all-honours", "4z[333z][111z][777z][666z]@4z 1f", {}),
    ("all-terminals", "9m111m999p111s[999s]@9m 1f", {}),
    ("big-three-dragons", "123m9p[555z][666z][777z]@9p 1f", {}),
    ("big-four-winds", "9p[111z][222z][333z][444z]@9p 1f", {}),
    ("four-kongs", "5s(1111m)[9999m][1111p](9999p)@5s 1f", {}),
    ("nine-gates", "1112345678999m@5m 1f", {}),
    ("four-concealed-pungs", "111m222p333s44z55m@4z 1f", DRAWN),
]
FAAN_HANDS: list[tuple[str, dict[str, Any], list[str], int]] = [
    ("8m456p123456s[123p]@8m 1f", {}, ["all-chows"], 1),
    ("1z456p123456s[123p]@1z 1f", {}, ["chicken-hand"], 0),
    ("7m888s444z[222m][555p]@7m 1f", {}, ["all-pungs"], 3),
    ("456789m1444z[123m]@1z 1f", {}, ["half-flush"], 3),
    ("2224556789m[123m]@5m 1f", {}, ["full-flush"], 7),
    ("1122m3344p55s11z2z@2z 1f", {}, ["seven-pairs", "concealed-hand"], 5),
    ("1122m3344p55s11z2z@2z 1f", DRAWN, ["seven-pairs", "self-drawn", "concealed-hand"], 6),
    ("1199m1199p1199s1z@1z 1f", {}, ["seven-pairs", "concealed-hand"], 5),
    ("123m456p5z[777z][666z]@5z 1f", {}, ["little-three-dragons"], 5),
    ("123m456p9s[222z][555s]@9s 1f", {}, ["seat-wind-pung"], 1),
    ("123m456p9s[111z][555s]@9s 1f", {}, ["round-wind-pung"], 1),
    ("123m456p9s[111z][555s]@9s 1f", {"round": Wind.SOUTH}, ["round-wind-pung"], 1),
    ("123m456p9s[333z][555s]@9s 1f", {"round": Wind.WEST}, ["chicken-hand"], 0),
    ("123m456p9s[777z](6666z)@9s 1f", {}, ["dragon-pung", "dragon-pung"], 2),
    ("567p4z[111z][222z][333z]@4z 1f", {}, [
        "half-flush", "seat-wind-pung", "round-wind-pung"], 5),
    ("1z[111m][999p][111s][333z]@1z 1f", {}, ["all-pungs"], 3),
    ("111m222p333s444z5m@5m 1f", {}, ["all-pungs", "concealed-hand"], 4),
    ("12m456p789s55m[888p]@3m 1f", {"events": ["robbing-kong"]}, ["robbing-kong"], 1),
    ("123456m1239p[555s]@9p 1f", {"events": ["last-tile"]}, ["last-tile"], 1),
    ("123456m1239p[5555s]@9p", DRAWN | {"events": ["kong-draw"]}, [
        "self-drawn", "kong-draw", "no-flowers"], 3),
    ("123456m1239p[555s]@9p 1f", DRAWN | {"events": ["kong-draw"]}, ["self-drawn"], 1),
    ("123456m1239p[555s]@9p", {}, ["no-flowers"], 1),
    ("123456m1239p[555s]@9p 26f", {}, ["seat-flower", "seat-flower"], 2),
    ("123456m1239p[555s]@9p 12346f", {}, ["seat-flower", "flower-set"], 3),
]  # fmt: skip


def won(text: str, **facts: Any) -> Result:
    events = facts.pop("events", ())
    return score(Hand.parse(text), WON.but(events=frozenset(events), **facts), "hongkong-digital")


@pytest.mark.parametrize(("id", "text", "facts"), LIMIT_HANDS)
def test_limit_hands_score_the_limit_and_no_further_item(
    id: str, text: str, facts: dict[str, Any]
) -> None:
    result = won(text, **facts)
    assert (result.ids(), result.total, result.problems) == ([id], 13, ())
    assert result.payments is not None
    assert max(result.payments.values()) == 3 * 2**13


@pytest.mark.parametrize(("text", "facts", "ids", "total"), FAAN_HANDS)
def test_hands_of_every_row(text: str, facts: dict[str, Any], ids: list[str], total: int) -> None:
    result = won(text, **facts)
    assert (result.ids(), result.total) == (ids, total)
    assert result.is_good == (total >= 3)


def test_the_table_holds_these_rows_and_no_others() -> None:
    earned = {id for _, _, ids, _ in FAAN_HANDS for id in ids} | {id for id, _, _ in LIMIT_HANDS}
    assert {item.id for item in find_ruleset("hongkong-digital").items} == earned


def test_two_limit_hands_at_once_are_one() -> None:
    result = won("7z[111z][222z][333z][444z]@7z")
    assert (result.ids(), result.total) == (["all-honours"], 13)


def test_three_faan_may_all_come_from_how_the_hand_was_won() -> None:
    result = won("123456m12p99p555s@3p 1f", **DRAWN | {"events": ["last-tile"]})
    assert result.ids() == ["self-drawn", "concealed-hand", "last-tile"]
    assert result.is_good


@pytest.mark.parametrize("event", ["heavenly-hand", "earthly-hand", "double-kong", "flower-win"])
def test_events_that_this_table_does_not_know(event: str) -> None:
    problems = won("123456m1239p555s@9p", events=[event]).problems
    assert "unknown-event" in {problem.id for problem in problems}


def test_the_round_is_always_east() -> None:
    result = score(Hand.parse("7m888s444z[222m][555p]@7m"), WON.but(round=None), "hongkong-digital")
    assert result.is_good
    assert result.questions == ()
