"""Who deals, who sits where, which round it is, and when a night is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer import Wind
from table import EventError, Ledger
from tests.table.nights import PLAYERS, start, won


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "a.sqlite")


def dealer(ledger: Ledger) -> str:
    return ledger.state.players[ledger.state.dealer]


def test_the_dealer_sits_east_and_play_goes_in_turn(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("Chi", "Dee", 0))
    assert ledger.state.seats() == {"E": "Bo", "S": "Chi", "W": "Dee", "N": "An"}
    assert ledger.state.seat_of("An") is Wind.NORTH
    assert ledger.state.named("n") == "An"


def test_the_round_changes_when_the_deal_is_back_at_the_first_dealer(place: str) -> None:
    ledger = start(place, dealer="Chi")  # the dice made Chi the first dealer
    for _ in range(3):
        ledger.add("win", won("An" if dealer(ledger) != "An" else "Bo", "Dee", 0))
        assert ledger.state.round is Wind.EAST
    ledger.add("win", won("An", "Dee", 0))
    assert (dealer(ledger), ledger.state.round) == ("Chi", Wind.SOUTH)


@pytest.mark.parametrize(
    ("rule", "dealt_by", "streak"), [("stay_plus", "An", 1), ("stay", "An", 0), ("pass", "Bo", 0)]
)
def test_draws_go_by_the_house_rule(place: str, rule: str, dealt_by: str, streak: int) -> None:
    ledger = start(place, options={"draw_dealer": rule})
    ledger.add("draw", {})
    assert (dealer(ledger), ledger.state.streak) == (dealt_by, streak)


def test_the_dealer_among_several_winners_stays(place: str) -> None:
    ledger = start(place, options={"multiple_winners": "all"})
    ledger.add(
        "win", {"winners": [won("An")["winners"][0], won("Bo")["winners"][0]], "from": "Dee"}
    )
    assert (dealer(ledger), ledger.state.streak) == ("An", 1)
    assert ledger.state.totals["Dee"] == -sum(ledger.state.totals[p] for p in ("An", "Bo", "Chi"))


def test_chinese_official_changes_seats_and_ends_after_sixteen_deals(place: str) -> None:
    """Published seating: who begins West goes W-N-E-S, who begins North N-W-S-E."""
    ledger = start(place, "mcr")
    begins: dict[str, str] = dict.fromkeys(PLAYERS, "")
    deals: dict[str, int] = dict.fromkeys(PLAYERS, 0)
    for deal in range(16):
        if deal % 4 == 0:
            for seat, player in ledger.state.seats().items():
                begins[player] += seat
        deals[dealer(ledger)] += 1
        ledger.add("draw", {})
    assert begins == {"An": "ESNW", "Bo": "SEWN", "Chi": "WNES", "Dee": "NWSE"}
    assert set(deals.values()) == {4}
    with pytest.raises(EventError, match="16 deals have been played"):
        ledger.add("draw", {})
    ledger.add("penalty", {"offender": "An", "points": 5})  # what is left is still settled
    ledger.accept(ledger.propose_undo(2))
    ledger.add("draw", {})  # fifteen had counted


def test_sichuan_winner_deals_next_and_of_several_their_discarder(place: str) -> None:
    ledger = start(place, "sichuan", options={"missing_suit": False})
    hand = "123789p1234477s@7s"
    both = [{"by": "An", "hand": hand}, {"by": "Bo", "hand": "123456789m2268s@7s"}]
    end = {"wall_end": {"Chi": "1122334455667m", "Dee": "1122334455667p"}}
    ledger.add("deal", {"events": [{"from": "Dee", "win": both}, end]})
    assert dealer(ledger) == "Dee"
    assert ledger.state.seats()["E"] == "An"  # seats do not turn with the deal
    with pytest.raises(EventError, match="whole deal"):
        ledger.add("win", won("An", "Bo"))
    with pytest.raises(EventError, match="not over"):
        ledger.add("deal", {"events": [{"from": "Dee", "win": both}]})


def test_a_new_player_takes_the_seat_and_starts_at_zero(place: str) -> None:
    ledger = start(place)
    ledger.add("win", won("Chi", "Bo"))
    ledger.add("players", {"out": "Bo", "in": "Eve"})
    ledger.add("win", won("Chi", "Eve"))  # Chi sits South now: seat wind 1 more, line 1
    assert ledger.state.totals == {"An": 0, "Bo": -6, "Chi": 14, "Dee": 0, "Eve": -8}
    assert sum(ledger.state.totals.values()) == 0


def test_seats_and_rules_can_change_in_a_night(place: str) -> None:
    ledger = start(place)
    ledger.add("seats", {"players": ["Dee", "Chi", "Bo", "An"]})
    assert ledger.state.seats() == {"E": "Dee", "S": "Chi", "W": "Bo", "N": "An"}
    ledger.add("rules", {"rules": {"id": "taiwan", "options": {"base": 10, "tai_value": 5}}})
    ledger.add("win", won("Bo", "Chi", 2))
    assert ledger.state.totals["Bo"] == 20
    # an edit of the rules moves the hands after it
    rules = {"rules": {"id": "taiwan", "options": {"base": 0}}}
    assert ledger.propose_edit(3, "rules", rules).totals_after["Bo"] == 2


def test_a_night_can_end_when_a_player_has_no_points_left(place: str) -> None:
    ledger = start(place, stakes={"start": 20, "bust_ends": True})
    ledger.add("win", won("Chi", "Bo", 17))
    with pytest.raises(EventError, match="Bo has no points left"):
        ledger.add("draw", {})


def test_false_wins_of_a_rule_set_without_an_amount_need_one(place: str) -> None:
    ledger = start(place, "taiwan-classic")
    with pytest.raises(EventError, match="how many points"):
        ledger.add("false-win", {"offender": "An"})
    ledger.add("false-win", {"offender": "An", "points": 4})
    assert ledger.state.totals == {"An": -12, "Bo": 4, "Chi": 4, "Dee": 4}
