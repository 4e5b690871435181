"""A night through the HTTP interface: booked once, scored here, seen by all, taken back."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from kiosk.server.desk import Options
from table import Ledger, Store

PLAYERS = ["An", "Bo", "Chi", "Dee"]
HAND = "66678m11333p555z[222z]@6m"
WIN = {"winners": [{"player": "Chi", "hand": HAND}], "from": "Bo"}
"""Three tai in seat West (shared/faults.md); base 3 and a tai 1: Bo pays 6."""


def post(client: TestClient, path: str, status: int = 201, /, **body: Any) -> Any:
    answer = client.post(f"/api/table/{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.fixture
def night(client: TestClient) -> Any:
    return post(
        client, "nights", players=PLAYERS, rules="taiwan", stakes={"point": "10", "currency": "TWD"}
    )


def totals(client: TestClient) -> dict[str, int]:
    table = client.get("/api/table").json()
    return {row["player"]: row["total"] for row in (*table["seats"], *table["others"])}


def test_before_the_first_night_the_seats_have_the_settings_names(client: TestClient) -> None:
    client.put("/api/config", json={"values": {"players": PLAYERS}})
    table = client.get("/api/table").json()
    assert table["night"] is None
    assert [seat["player"] for seat in table["seats"]] == PLAYERS
    assert post(client, "hands", 409, **WIN)["id"] == "no-night"


def test_a_night_begins_with_the_settings(client: TestClient) -> None:
    values = {"players": PLAYERS, "rules": "hongkong", "currency": "HKD", "point": "0.5"}
    assert client.put("/api/config", json={"values": values}).status_code == 200
    table = post(client, "nights")["table"]
    assert table["rules"] == {"id": "hongkong"}
    assert table["stakes"]["currency"] == "HKD"
    assert [seat["player"] for seat in table["seats"]] == PLAYERS


@pytest.mark.usefixtures("night")
def test_a_hand_is_scored_here_and_paid(client: TestClient) -> None:
    booked = post(client, "hands", **WIN)
    assert booked["no"] == 2
    table = booked["table"]
    assert totals(client) == {"An": 0, "Bo": -6, "Chi": 6, "Dee": 0}
    chi = next(seat for seat in table["seats"] if seat["player"] == "Chi")
    assert chi["money"] == "60 TWD"
    assert table["dealer"] == "Bo"  # the dealer did not win: the deal passes
    assert table["history"][-1]["payments"]["Bo"] == -6


@pytest.mark.usefixtures("night")
def test_players_may_be_meant_by_their_seat(client: TestClient) -> None:
    post(client, "hands", winners=[{"player": "W", "hand": HAND}], **{"from": "S"})
    assert totals(client)["Chi"] == 6


@pytest.mark.usefixtures("night")
def test_a_repeated_request_is_booked_once(client: TestClient) -> None:
    first = post(client, "hands", **WIN, key="tap 1")
    again = post(client, "hands", **WIN, key="tap 1")
    assert first["no"] == again["no"]
    assert totals(client)["Chi"] == 6
    headers = {"Idempotency-Key": "tap 2"}
    for _ in range(2):
        client.post("/api/table/draws", json={}, headers=headers)
    assert client.get("/api/table").json()["length"] == 3
    assert post(client, "draws", 409, key="tap 1")["id"] == "key-reused"


def test_a_night_that_was_begun_twice_is_one(client: TestClient) -> None:
    for _ in range(2):
        post(client, "nights", players=PLAYERS, key="first tap")
    assert len(client.get("/api/table/nights").json()["nights"]) == 1


@pytest.mark.usefixtures("night")
def test_who_has_not_seen_the_last_booking_is_told(client: TestClient) -> None:
    post(client, "draws", expected=1)
    answer = post(client, "hands", 409, **WIN, expected=1)
    assert answer["id"] == "moved-on"
    assert totals(client)["Chi"] == 0


@pytest.mark.usefixtures("night")
@pytest.mark.parametrize(
    ("hand", "language", "said"),
    [
        ("66678m11333p555z[222z]@6m", "en", ""),
        ("66678m11333p55z[222z]@6m", "en", "too few"),
        ("66678m11333p55z[222z]@6m", "zh-Hant", "張"),
        ("666678m11333p555z[222z]", "en", "Which tile completed the hand?"),
        ("666678m11333p555z[222z]", "zh-Hans", "哪一张"),
        ("66678m11333p555z[222z]@6x", "en", "no such tile"),
    ],
)
def test_what_is_not_certain_is_not_booked_and_says_why(
    client: TestClient, hand: str, language: str, said: str
) -> None:
    body = {"winners": [{"player": "Chi", "hand": hand}], "from": "Bo"}
    answer = client.post(f"/api/table/hands?lang={language}", json=body)
    if not said:
        assert answer.status_code == 201
        return
    assert (answer.status_code, answer.json()["id"]) == (422, "not-booked")
    assert said in answer.json()["detail"]
    assert client.get("/api/table").json()["length"] == 1


@pytest.mark.usefixtures("night")
def test_everything_can_be_booked_by_tap(client: TestClient) -> None:
    post(client, "draws")
    post(client, "penalties", offender="Dee", points=5, to="An")
    post(client, "false-wins", offender="Bo", points=2)
    post(client, "corrections", payments={"An": -5, "Dee": 5}, note="agreed")
    post(client, "players", **{"out": "Dee", "in": "Eve"})
    post(client, "seats", players=["Eve", "Chi", "Bo", "An"])
    table = post(client, "rules", rules="hongkong")["table"]
    assert totals(client) == {"An": 2, "Bo": -6, "Chi": 2, "Dee": 2, "Eve": 0}
    assert [seat["player"] for seat in table["seats"]] == ["Eve", "Chi", "Bo", "An"]
    assert table["others"] == [{"player": "Dee", "total": 2, "money": "20 TWD"}]
    assert table["rules"] == {"id": "hongkong"}


@pytest.mark.usefixtures("night")
def test_an_undo_is_shown_first_then_accepted(client: TestClient) -> None:
    post(client, "hands", **WIN)
    preview = post(client, "undo", 200)["preview"]
    assert preview["totals_after"] == dict.fromkeys(PLAYERS, 0)
    assert totals(client)["Chi"] == 6
    told = {"accept": True, "expected": preview["length"], "key": "undo tap"}
    assert post(client, "undo", 201, **told)["no"] == 3
    assert totals(client)["Chi"] == 0
    assert post(client, "undo", 201, **told)["no"] == 3  # the same tap again


@pytest.mark.usefixtures("night")
def test_an_undo_that_was_shown_before_another_booking_is_refused(client: TestClient) -> None:
    post(client, "hands", **WIN)
    length = post(client, "undo", 200)["preview"]["length"]
    post(client, "draws")
    assert post(client, "undo", 409, accept=True, expected=length)["id"] == "moved-on"


@pytest.mark.usefixtures("night")
def test_an_edit_scores_again_what_came_after(client: TestClient) -> None:
    """Was it self-drawn, everybody pays: 3 + 3 tai + self-drawn 1, the dealer one more."""
    post(client, "hands", **WIN)
    body = {"winners": WIN["winners"]}
    preview = post(client, "edits", 200, of=2, kind="win", body=body)["preview"]
    assert [change["no"] for change in preview["changes"]] == [2]
    post(client, "edits", 201, of=2, kind="win", body=body, accept=True, expected=2)
    after = totals(client)
    assert after == preview["totals_after"]
    assert after["Chi"] > 6
    assert sum(after.values()) == 0


@pytest.mark.usefixtures("night")
def test_the_night_is_settled_with_the_fewest_payments(client: TestClient) -> None:
    post(client, "hands", **WIN)
    answer = client.get("/api/table/settlement").json()
    assert answer["payments"] == [{"payer": "Bo", "payee": "Chi", "points": 6, "money": "60 TWD"}]


@pytest.mark.usefixtures("night")
def test_what_another_program_books_is_seen(client: TestClient, options: Options) -> None:
    store = Store(options.ledger or "")
    night = store.nights("main")[-1].night
    Ledger(store, night).add("draw", {})
    assert client.get("/api/table").json()["length"] == 2


@pytest.mark.usefixtures("night")
def test_the_table_tells_what_the_next_score_needs(client: TestClient) -> None:
    post(client, "draws")
    table = client.get("/api/table?lang=zh-Hant").json()
    assert table["situation"] == {"round": "E", "dealer": "E", "streak": 1}
    assert table["seats"][0]["seat_name"] == "東"
    assert not table["whole_deals"]


def test_a_sichuan_night_books_whole_deals(client: TestClient) -> None:
    table = post(client, "nights", players=PLAYERS, rules="sichuan")["table"]
    assert table["whole_deals"]
    assert post(client, "hands", 422, **WIN)["id"] == "not-booked"


def test_a_ledger_that_cannot_be_used_says_so(options: Options) -> None:
    from dataclasses import replace

    from tests.kiosk.server.conftest import client_of

    with client_of(replace(options, ledger="/proc/nothing/ledger.sqlite")) as client:
        answer = client.get("/api/table")
    assert (answer.status_code, answer.json()["id"]) == (503, "storage")


@pytest.mark.usefixtures("night")
def test_what_is_shown_is_what_is_booked(client: TestClient) -> None:
    """A night keeps the rules it began with until it is given others."""
    asked = {"hand": HAND, "situation": {"seat": "W", "round": "E", "from_seat": "S"}}

    def shown() -> int:
        return int(client.post("/api/scores", json=asked).json()["payments"]["W"])

    assert shown() == 6  # base 3 + 3 tai
    client.put("/api/config", json={"values": {"base": 5}})
    assert shown() == 6
    post(client, "hands", **WIN)
    assert totals(client)["Chi"] == 6
    post(client, "undo", of=2, accept=True)
    post(client, "rules")
    assert shown() == 8
    post(client, "hands", **WIN)
    assert totals(client)["Chi"] == 8
