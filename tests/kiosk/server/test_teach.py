"""The HTTP interface of practice: questions, answers, explanations; nothing raises."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from kiosk.teach_json import spec_of
from scorer import HouseRules
from scorer.names import LANGUAGES
from teach.dealing import Club
from teach.questions import KINDS, question


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_asked_and_its_answer_checked(client: TestClient, kind: str) -> None:
    asked = client.post("/api/teach/next", json={"kind": kind}).json()["question"]
    assert asked["kind"] == kind
    spec = spec_of(asked["spec"], Club("taiwan", HouseRules.of("taiwan")))
    body = {"spec": asked["spec"], "answer": question(spec).answer}
    told = client.post("/api/teach/answer", json=body).json()
    assert told["right"] is True
    assert told["progress"]["cards"][asked["card"]][:1] == [1]
    after = body | {"progress": told["progress"], "hints": 1}
    again = client.post("/api/teach/answer", json=after).json()
    assert again["progress"]["cards"][asked["card"]][0] == 0  # with a hint it is not known yet


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"spec": {"kind": "x"}, "answer": "1"}, "spec"),
        (
            {"spec": {"kind": "name", "focus": "5s", "seed": 1, "difficulty": 9}, "answer": "1"},
            "spec",
        ),
        (
            {"spec": {"kind": "name", "focus": "5s", "seed": "1", "difficulty": 1}, "answer": "1"},
            "spec",
        ),
        (
            {"spec": {"kind": "name", "focus": "0b", "seed": 1, "difficulty": 1}, "answer": "1"},
            "spec",
        ),
        (
            {"spec": {"kind": "name", "focus": "5s", "seed": 1, "difficulty": 1}, "answer": "x"},
            "answer",
        ),
        (
            {
                "spec": {"kind": "name", "focus": "5s", "seed": 1, "difficulty": 1},
                "answer": "5s",
                "progress": {"form": 1, "cards": 3},
            },
            "progress",
        ),
    ],
)
def test_what_is_no_answer_is_refused_with_its_field(
    client: TestClient, body: dict[str, Any], field: str
) -> None:
    answer = client.post("/api/teach/answer", json=body)
    assert answer.status_code == 422
    assert answer.json()["field"] == field


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("hand", "holds"),
    [
        ("66678m11333p555z[222z]@6m", "why"),
        ("66678m11333p555z[222z]", "waits"),
        ("66678m11333p455z[222z]", "outlook"),
        ("66678m11333p545z[222z]@9p", "discards"),
        ("1m", "problems"),
    ],
)
def test_a_hand_is_explained(client: TestClient, hand: str, holds: str, language: str) -> None:
    facts = {"seat": "W", "round": "E", "self_drawn": True}
    body = {"hand": hand, "situation": facts, "two": True}
    told = client.post(f"/api/teach/explain?lang={language}", json=body).json()
    assert told[holds]


def test_what_is_not_known_is_asked(client: TestClient) -> None:
    told = client.post("/api/teach/explain", json={"hand": "66678m11333p555z[222z]@6m"}).json()
    assert "Which wind is the winner's seat?" in told["asks"]
    assert "why" not in told


def test_things_to_look_up(client: TestClient) -> None:
    assert len(client.get("/api/teach/tiles").json()["tiles"]) == 42
    assert client.get("/api/teach/winds?seat=W").json()["yours"][0].startswith("You sit West")
    assert client.get("/api/teach/winds?seat=Q").status_code == 422
    sheet = client.get("/api/teach/sheet?rules=mcr&lang=zh-Hant")
    assert sheet.headers["content-type"].startswith("text/html")
    assert "中國" in sheet.text or "國標" in sheet.text
    assert client.get("/api/teach/sheet?rules=bridge").status_code == 422
    assert client.get("/practice").status_code == 200


def test_hands_won_at_the_table_are_practised(client: TestClient) -> None:
    """Chi, who sits West, wins 3 tai off Bo; the night's only hand is asked for, then known."""
    empty = client.post("/api/teach/next", json={"kind": "ledger"}).json()
    assert empty["question"] is None
    client.post("/api/table/nights", json={"players": ["An", "Bo", "Chi", "Dee"]})
    winner = {"player": "Chi", "hand": "66678m11333p555z[222z]@6m"}
    client.post("/api/table/hands", json={"winners": [winner], "from": "Bo"})
    asked = client.post("/api/teach/next", json={"kind": "ledger"}).json()["question"]
    assert asked["hand"]["text"] == winner["hand"]
    told = client.post("/api/teach/answer", json={"spec": asked["spec"], "answer": "3"}).json()
    assert told["right"] is True
    again = {"kind": "ledger", "progress": told["progress"]}
    assert client.post("/api/teach/next", json=again).json()["question"] is None


def test_hands_are_dealt_by_item(client: TestClient) -> None:
    body = {"kind": "count", "item": "half-flush", "difficulty": 2}
    asked = client.post("/api/teach/next", json=body).json()["question"]
    assert asked["spec"]["focus"] == "half-flush"
    told = client.post("/api/teach/answer", json={"spec": asked["spec"], "answer": "0"}).json()
    assert "half-flush" in [item["id"] for item in told["why"]["items"]]
    wrong = client.post("/api/teach/next", json=body | {"item": "bridge"})
    assert wrong.status_code == 422
