"""Hands that are typed in: the JSON of `hupai score`, with names and what else it would be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from kiosk.server.problems import Problem
from kiosk.server.situations import answered, situation_json, situation_of
from scorer import Hand, Situation, Wind, score
from scorer.registry import preset_house
from scorer.situation import REPLACEMENTS

HAND = "66678m11333p555z[222z]@6m"
FACTS = {"seat": "W", "round": "E", "self_drawn": False, "from_seat": "S"}
"""Three concealed pungs 2 + dragon 1 = 3 tai (shared/faults.md)."""


def post(client: TestClient, lang: str = "en", **body: Any) -> Any:
    answer = client.post(f"/api/scores?lang={lang}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_score_is_that_of_the_command_line(client: TestClient) -> None:
    facts = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=False, from_seat=Wind.SOUTH)
    expected = score(Hand.parse(HAND), facts, "taiwan", preset_house("taiwan")).to_json()
    data = post(client, hand=HAND, situation=FACTS)
    assert data["total"] == 3
    assert {name: data[name] for name in ("total", "certain", "range", "payments")} == {
        name: expected[name] for name in ("total", "certain", "range", "payments")
    }
    assert [item["id"] for item in data["items"]] == [i["id"] for i in expected["items"]]


@pytest.mark.parametrize(
    ("lang", "name", "unit"),
    [("en", "Dragon pung", "tai"), ("zh-Hant", "三元刻", "台"), ("zh-Hans", "三元刻", "台")],
)
def test_items_have_names_in_the_language(
    client: TestClient, lang: str, name: str, unit: str
) -> None:
    data = post(client, lang, hand=HAND, situation=FACTS)
    assert name in [item["name"] for item in data["items"]]
    assert data["unit_name"] == unit
    assert unit in data["receipt"]
    assert data["transfers"][0]["text"]


def test_house_rules_change_what_is_paid(client: TestClient) -> None:
    data = post(client, hand=HAND, situation=FACTS, house={"options": {"base": 10}})
    assert data["payments"]["S"] == -13
    client.put("/api/config", json={"values": {"base": 20}})
    assert post(client, hand=HAND, situation=FACTS)["payments"]["S"] == -23


def test_an_impossible_hand_says_every_reason(client: TestClient) -> None:
    data = post(client, "zh-Hant", hand="3333m(3333m)55p@5p", situation=FACTS)
    assert data["total"] is None
    assert {"fifth-copy", "too-few-tiles"} <= {p["id"] for p in data["problems"]}
    assert all(p["text"] for p in data["problems"])


def test_what_would_complete_a_hand_is_told_by_the_names_of_tiles(client: TestClient) -> None:
    [told] = post(client, "zh-Hant", hand="123678m4589p[222z][777z]@6p")["problems"]
    assert told["facts"]["repairs"] == [{"out": "8p", "in": ["9p"]}, {"out": "9p", "in": ["8p"]}]
    assert "八筒 → 九筒; 九筒 → 八筒" in told["text"]


def test_missing_facts_are_asked_with_what_they_are_worth(client: TestClient) -> None:
    data = post(client, hand="666678m11333p555z[222z]", situation={"round": "E"})
    asked = {ask["id"]: ask for ask in data["asks"]}
    assert {"seat", "winning", "self_drawn"} <= set(asked)
    assert {"answer", "text", "range"} == set(asked["seat"]["answers"][0])
    answers = {"seat": "W", "winning": "6m", "self_drawn": "no", "from_seat": "S"}
    told = post(client, hand="666678m11333p555z[222z]", situation={"round": "E"}, answers=answers)
    assert told["total"] == 3


def test_what_it_would_be_elsewhere(client: TestClient) -> None:
    data = post(client, hand=HAND, situation=FACTS, compare=True)
    rows = {row["ruleset"]: row for row in data["compare"]}
    assert {"taiwan-a", "taiwan-b", "taiwan-classic", "taiwan-sml"} <= set(rows)
    assert "hongkong" not in rows  # that game has fewer tiles
    assert "taiwan" not in rows
    alone = post(client, hand=HAND, situation=FACTS, rules="taiwan-b")
    assert rows["taiwan-b"]["total"] == alone["total"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"hand": "1x"}, "hand"),
        ({"hand": "1" * 400}, "hand"),
        ({"hand": 5}, "hand"),
        ({}, "hand"),
        ({"hand": HAND, "rules": "chess"}, "rules"),
        ({"hand": HAND, "situation": {"seat": "S", "from_seat": "S"}}, "situation.from_seat"),
        ({"hand": HAND, "situation": {"events": ["rain"]}}, "situation.events"),
        ({"hand": HAND, "situation": {"streak": -1}}, "situation.streak"),
        ({"hand": HAND, "situation": {"streak": 10**9}}, "situation.streak"),
        ({"hand": HAND, "situation": {"fed": ["S"]}}, "situation.fed"),
        ({"hand": HAND, "situation": {"self_drawn": "yes"}}, "situation.self_drawn"),
        ({"hand": HAND, "house": {"options": {"limit": "x"}}}, "house.limit"),
        ({"hand": HAND, "house": {"colour": 1}}, "house.colour"),
        ({"hand": HAND, "answers": {"winning": "1s"}}, "answers.winning"),
        ({"hand": HAND, "answers": {"streak": "many"}}, "answers.streak"),
    ],
)
def test_a_wrong_field_is_named(client: TestClient, body: Any, field: str) -> None:
    answer = client.post("/api/scores", json=body)
    assert answer.status_code == 422
    assert answer.json()["field"] == field


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000, b"NaN"])
def test_what_is_no_json_object_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/scores", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"


seats = st.sampled_from("ESWN")
situations = st.fixed_dictionaries(
    {},
    optional={
        "seat": seats,
        "round": seats,
        "dealer": seats,
        "streak": st.integers(0, 20),
        "already_won": st.lists(seats, max_size=3),
        "sticks": st.lists(seats, max_size=4),
        "wall_left": st.integers(0, 100),
        "seen": st.booleans(),
        "replacement": st.sampled_from(REPLACEMENTS),
        "fed": st.lists(st.sampled_from(["S:234p", "N:777z"]), max_size=2),
        "dora": st.sampled_from(["", "3m7z"]),
        "events": st.lists(st.sampled_from(["kong-draw", "last-copy", "robbing-kong"]), max_size=2),
    },
)


@given(situations)
def test_a_situation_comes_back_as_it_was_sent(data: dict[str, Any]) -> None:
    """What the page is shown and sends again means the same."""
    house = preset_house("taiwan")
    first = situation_of(data, "taiwan", house)
    assert situation_of(situation_json(first), "taiwan", house) == first


@pytest.mark.parametrize(
    ("answers", "fact", "value"),
    [
        ({"self_drawn": "yes"}, "self_drawn", True),
        ({"self_drawn": "yes"}, "from_seat", None),
        ({"seat": "N"}, "seat", Wind.NORTH),
        ({"streak": "3"}, "streak", 3),
        ({"event:kong-draw": "yes"}, "events", frozenset({"kong-draw"})),
        ({"seen": "no"}, "seen", False),
        ({"dora": "none"}, "dora", ()),
        ({"replacement": "bonus"}, "replacement", "bonus"),
    ],
)
def test_answers_become_facts(answers: dict[str, str], fact: str, value: object) -> None:
    before = Situation(from_seat=Wind.EAST, self_drawn=False)
    assert getattr(answered(before, answers), fact) == value


def test_an_answer_to_nothing_is_refused() -> None:
    with pytest.raises(Problem):
        answered(Situation(), {"weather": "fine"})
