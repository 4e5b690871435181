"""The settlement of a deal, sentence by sentence of rules/sichuan.md."""

from __future__ import annotations

import pytest

from scorer import Hand, HouseRules, Tile, Wind
from scorer.deal import Deal, Kong, Settlement, WallEnd, Win, Winner, settle
from scorer.deal.events import Event

E, S, W, N = Wind
# East and South gave up characters, West dots, North bamboo.
MISSING = {E: "m", S: "m", W: "p", N: "s"}
Row = tuple[Wind, Wind, int, str]


def settled(*events: Event, house: HouseRules | None = None) -> Settlement:
    result = settle(Deal(MISSING, events), house)
    assert [p.text() for p in result.problems] == []
    return result


def rows(result: Settlement) -> list[Row]:
    """(payer, payee, amount, reason) in order."""
    transfers = (entry.transfer for entry in result.entries)
    return [(t.payer, t.payee, t.amount, t.reason) for t in transfers]


def rules(**options: object) -> HouseRules:
    return HouseRules.of("sichuan", options)


def win(
    seat: Wind, hand: str, giver: Wind | None = None, *events: str, robbed: bool = False
) -> Win:
    return Win((Winner(seat, Hand.parse(hand), frozenset(events)),), giver, robbed)


def wall(**hands: str) -> WallEnd:
    return WallEnd({Wind.parse(seat): Hand.parse(hand) for seat, hand in hands.items()})


EAST_WINS = win(E, "123789p1234477s@7s", N)  # plain hand, 0 fan
SOUTH_WINS = win(S, "456p456p234s5558s@8s", W)  # plain hand
# Hands at the end of the wall; none of them holds a kong.
READY_E, PIG_E = "123789p1234477s", "1m23789p1234477s"
READY_S = "445566p2345558s"
NOT_READY_W = "12345678m24579s"
READY_N = "123456789m1133p"


def test_kongs_are_paid_when_made() -> None:
    """Claimed: 2 from the giver. Added: 1 from each. Concealed: 2 from each."""
    result = settled(
        Kong(E, Tile.P1, "claimed-kong", S),
        Kong(E, Tile.P2, "added-kong"),
        Kong(E, Tile.P3, "concealed-kong"),
    )
    assert rows(result) == [
        (S, E, 2, "claimed-kong"),
        *((seat, E, 1, "added-kong") for seat in (S, W, N)),
        *((seat, E, 2, "concealed-kong") for seat in (S, W, N)),
    ]
    assert result.totals == {E: 11, S: -5, W: -3, N: -3}
    assert not result.finished


def test_a_claimed_kong_is_paid_by_all_where_a_club_plays_so() -> None:
    result = settled(Kong(E, Tile.P1, "claimed-kong", S), house=rules(exposed_kong="all"))
    assert result.totals == {E: 4, S: -2, W: -1, N: -1}


def test_who_has_won_neither_pays_nor_earns_afterwards() -> None:
    result = settled(
        EAST_WINS,
        Kong(S, Tile.P5, "concealed-kong"),
        win(S, "444678p2388s(5555p)@4s"),
    )
    assert [row for row in rows(result)[1:] if E in row] == []
    # 2 from each of two for the kong; one root: 2 points and one more from each of two.
    assert result.totals == {E: 1, S: 4 + 6, W: -5, N: -6}


def test_an_added_kong_that_is_robbed_earns_nothing() -> None:
    """Whether the kong stands in the list or not; robbing earns a fan, the robbed player pays."""
    robbing = win(E, "123789p1234456s@7s", N, robbed=True)
    for events in ((robbing,), (Kong(N, Tile.S7, "added-kong"), robbing)):
        deal = Deal(MISSING | {N: "p"}, events)
        result = settle(deal)
        assert not result.problems
        assert rows(result) == [(N, E, 2, "robbing-kong")]


def test_several_winners_on_one_discard_are_each_paid_in_full() -> None:
    east = Winner(E, Hand.parse("123789p1234477s@7s"))
    south = Winner(S, Hand.parse("456p456p23455s68s@7s"))
    result = settled(Win((south, east), N))
    assert rows(result) == [(N, E, 1, "discard"), (N, S, 1, "discard")]
    assert [won.seat for won in result.wins] == [E, S]


def test_three_wins_end_the_deal() -> None:
    west = win(W, "111222333m456s9s@9s", N)
    result = settled(EAST_WINS, SOUTH_WINS, west)
    assert result.finished
    assert not result.standings


def test_at_the_end_of_the_wall_who_is_not_ready_pays_the_best_hand_of_who_is() -> None:
    """查大叫: 2^fan of the dearest wait, without the self-draw point."""
    # South wins a plain hand with 1p or 4p, all pungs with 3p.
    result = settled(wall(E=READY_E, S="2223555p666888s", W=NOT_READY_W, N=READY_N))
    states = {s.seat: s.state for s in result.standings}
    assert states == {E: "ready", S: "ready", W: "not-ready", N: "ready"}
    assert {s.seat: s.fan for s in result.standings} == {E: 0, S: 1, W: 0, N: 0}
    assert rows(result) == [(W, seat, points, "not-ready") for seat, points in
                            ((E, 1), (S, 2), (N, 1))]  # fmt: skip


def test_ready_hands_lie_in_order_and_name_their_waits() -> None:
    result = settled(wall(E=READY_E, S=READY_S, W=NOT_READY_W, N=READY_N))
    waits = {s.seat: [tile.code for tile in s.waits] for s in result.standings}
    assert waits[E] == ["4s", "7s"]
    assert waits[W] == []


def test_a_player_who_has_won_is_not_paid_by_who_is_not_ready() -> None:
    result = settled(EAST_WINS, wall(S=READY_S, W=NOT_READY_W, N=READY_N))
    assert [row for row in rows(result)[1:] if E in row] == []


def test_kong_payments_of_who_is_not_ready_come_back_to_those_who_made_them() -> None:
    """Also to a player who has won since; for every kind of kong; once each."""
    result = settled(
        Kong(W, Tile.M9, "added-kong"),
        Kong(W, Tile.M8, "claimed-kong", N),
        EAST_WINS,
        wall(S=READY_S, W="147m2569s[9999m][8888m]", N="112233456m3366p"),
    )  # fmt: skip
    back = [e for e in result.entries if e.transfer.reason == "kong-refund"]
    assert [(e.of, e.transfer.payer, e.transfer.payee, e.transfer.amount) for e in back] == [
        (1, W, E, 1), (1, W, S, 1), (1, W, N, 1), (2, W, N, 2),
    ]  # fmt: skip
    money = {
        seat: sum(e.transfer.amount for e in result.entries
                  if e.transfer.payee == seat and "kong" in e.transfer.reason)
        - sum(e.transfer.amount for e in result.entries
              if e.transfer.payer == seat and "kong" in e.transfer.reason)
        for seat in Wind
    }  # fmt: skip
    assert set(money.values()) == {0}


def test_kong_payments_of_who_has_won_or_is_ready_are_kept() -> None:
    kong = Kong(S, Tile.P5, "concealed-kong")
    result = settled(
        kong,
        win(S, "444678p2388s(5555p)@4s", None, "kong-draw"),
        wall(E="123789p1234477s", W=NOT_READY_W, N=READY_N),
    )
    assert "kong-refund" not in [row[3] for row in rows(result)]


def test_two_winners_on_one_discard_cause_one_refund() -> None:
    """The refund of West's kong is made once, whoever has won on whatever discard."""
    east = Winner(E, Hand.parse("123789p1234477s@7s"))
    south = Winner(S, Hand.parse("456p456p23455s68s@7s"))
    result = settled(
        Kong(W, Tile.M9, "added-kong"),
        Win((east, south), N),
        wall(W="1457m123569s[9999m]", N="112233456m3366p"),
    )
    assert [row for row in rows(result) if row[3] == "kong-refund"] == [
        (W, E, 1, "kong-refund"), (W, S, 1, "kong-refund"), (W, N, 1, "kong-refund"),
    ]  # fmt: skip


def test_a_flower_pig_pays_32_to_each_who_is_none_and_nothing_more() -> None:
    """Those who have won included; a pig that would be ready but for the suit is not ready."""
    result = settled(SOUTH_WINS, wall(E=PIG_E, W=NOT_READY_W, N=READY_N))
    states = {s.seat: s.state for s in result.standings}
    assert states == {E: "flower-pig", S: "won", W: "not-ready", N: "ready"}
    assert rows(result)[1:] == [
        (E, S, 32, "flower-pig"),
        (E, W, 32, "flower-pig"),
        (E, N, 32, "flower-pig"),
        (W, N, 1, "not-ready"),
    ]


@pytest.mark.parametrize(
    ("options", "paid"),
    [
        ({"pig_pays_winners": False}, {W: 32, N: 32}),
        ({"pig": "16_ready"}, {N: 16}),
    ],
)
def test_what_a_pig_pays_is_a_house_rule(options: dict[str, object], paid: dict[Wind, int]) -> None:
    end = wall(E=PIG_E, W=NOT_READY_W, N=READY_N)
    result = settled(SOUTH_WINS, end, house=rules(**options))
    assert {row[1]: row[2] for row in rows(result) if row[3] == "flower-pig"} == paid


def test_two_pigs_pay_each_other_nothing() -> None:
    result = settled(wall(E=PIG_E, S="1m45566p2345558s", W=NOT_READY_W, N=READY_N))
    pigs = [row[:2] for row in rows(result) if row[3] == "flower-pig"]
    assert pigs == [(E, W), (E, N), (S, W), (S, N)]


@pytest.mark.parametrize(
    ("hand", "kong", "waits"),
    [("123789p2399s(1111s)", Tile.S1, [Tile.S4]), ("123789p1299s(3333s)", Tile.S3, [])],
)
def test_four_of_a_face_in_the_hand_are_no_wait(hand: str, kong: Tile, waits: list[Tile]) -> None:
    """1s and 4s would win, of which East holds all 1s; or 3s alone, of which East holds all."""
    result = settled(
        Kong(E, kong, "concealed-kong"),
        wall(E=hand, S="445566p5556788s", W=NOT_READY_W, N=READY_N),
    )
    assert list(result.standings[0].waits) == waits
    refunded = [row[0] for row in rows(result) if row[3] == "kong-refund"]
    assert refunded == ([] if waits else [E, E, E])


def test_a_shot_after_a_kong_moves_its_earnings_where_a_club_plays_so() -> None:
    kong = Kong(N, Tile.M9, "concealed-kong")
    shot = win(E, "123789p1234477s@7s", N, "kong-discard")
    result = settled(kong, shot, house=rules(kong_moves=True, shoot_after_kong=True))
    assert rows(result)[3:] == [(N, E, 2, "discard"), (N, E, 6, "kong-moves")]
    assert result.entries[-1].of == 1
    assert settled(kong, shot).totals == {E: -1, S: -2, W: -2, N: 5}


def test_the_settlement_is_plain_data() -> None:
    data = settled(EAST_WINS).to_json()
    assert data["totals"] == {"E": 1, "S": 0, "W": 0, "N": -1}
    assert data["transfers"] == [
        {"event": 1, "payer": "N", "payee": "E", "amount": 1, "reason": "discard",
         "parts": [["base", 1]], "of": None},
    ]  # fmt: skip
    assert data["wins"][0]["result"]["total"] == 0
    assert data["finished"] is False
