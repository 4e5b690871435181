"""Faults that public scorers were reported for, as tests: those of Chinese Official.

The hands are those of the list of faults and others of the same kind.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from scorer import Hand, Meld, Situation, Tile, Wind, score
from tests.scorer.mcr_wins import DRAWN, WON, after, points, reasons, won

EAST = WON.but(seat=Wind.EAST)


def test_chicken_hand_is_judged_after_all_fans() -> None:
    """A knitted straight with an exposed chow is 12, not 20; seven points are no eight."""
    assert points("147m25p369s22z[678s]@8p", EAST) == {"knitted-straight": 12}
    assert "chicken-hand" not in points("34m88p[678m][111p][567s]@5m", after("last-discard"))
    assert "chicken-hand" not in points("34m88p[678m][222p][567s]@5m")


@pytest.mark.parametrize("fourth", ["[678m]", "[999s]", "[777z]", "(8888p)"])
def test_a_fourth_set_hides_no_shifted_fan(fourth: str) -> None:
    assert "pure-shifted-chows" in points(f"3p[234s][345s][456s]{fourth}@3p")
    assert "mixed-shifted-pungs" in points(f"1z[222m][333p][444s]{fourth}@1z")
    assert "triple-pung" in points(f"1z[222m][222p][222s]{fourth}@1z")
    assert "mixed-straight" in points(f"1z[123m][456p][789s]{fourth}@1z")


@pytest.mark.parametrize(
    "text",
    [
        "2233445566778p@8p",
        "147m258p36s12456z@7z",
        "19m19p19s1234567z@7z",
        "2255m1199p3344s6z@6z",
    ],
)
def test_hands_without_sets_are_not_hands_of_which_every_set_is_something(text: str) -> None:
    of_sets = {"all-fives", "outside-hand", "all-pungs", "all-even-pungs", "all-chows",
               "four-concealed-pungs"}  # fmt: skip
    assert not of_sets & set(won(text).ids())


def test_five_in_three_sets_are_not_all_fives() -> None:
    assert "all-fives" in points("45p55s[345m][567m][555p]@6p")
    assert "all-fives" not in points("45p55s[345m][678m][555p]@6p")
    assert "all-fives" not in points("45p66s[345m][567m][555p]@6p")


def test_waits_are_judged_over_the_whole_hand() -> None:
    """1p completes the first two hands as well: no edge wait, no closed wait."""
    assert won("77789m11888p[222z]@7m", EAST).total == 6
    assert won("78889m11888p[222z]@8m", EAST).total == 8


def test_pair_wait_or_closed_wait_never_both() -> None:
    result = won("123789m4556p456s@5p", EAST)
    waits = [id for id in result.ids() if id.endswith("-wait")]
    assert len(waits) == 1
    assert result.total == 7


def test_formal_wait_on_a_face_held_four_times() -> None:
    text = "1234444678m456p@1m"
    assert won(text, EAST).total == 6
    assert won(text, EAST, wait_rule="real").total == 7


def test_the_first_tile_of_the_numbering_can_win() -> None:
    """1m is the tile with the number 0, and a winning tile all the same."""
    assert points("1m345p[234m][777m][678s]@1m")["pair-wait"] == 1


def test_a_pung_of_the_discard_is_not_concealed() -> None:
    assert won("111333m55p99s[777s]@5p", EAST).total == 10


def test_a_concealed_kong_keeps_the_hand_concealed() -> None:
    assert points("34678m22p567s(9999s)@5m")["concealed-hand"] == 2
    assert points("34678m22p567s(9999s)@5m", DRAWN)["concealed-self-drawn"] == 4
    assert points("34m22p567s(9999s)[678m]@5m").get("concealed-hand") is None
    assert points("345m222p3s(9999s)[678m]@3s")["two-concealed-pungs"] == 2


def test_tile_hogs() -> None:
    """Four of a face in a chow and a pung, each face once, and never a kong."""
    assert points("45m22z[555m][678p][234s]@3m")["tile-hog"] == 2
    assert points("45m123p22z[555m][333p]@3m")["tile-hog"] == 4
    assert points("1111222233344m@4m")["tile-hog"] == 4
    assert "tile-hog" not in points("34m22p[678m][5555m][234s]@2m")


def test_nine_gates_need_a_concealed_hand() -> None:
    assert "nine-gates" not in points("2347899m[111m][456m]@9m")
    assert "nine-gates" not in points("2345678999m(1111m)@9m")
    assert points("1112345678999m@9m")["nine-gates"] == 88


def test_implied_fans_are_not_added_again() -> None:
    """All green with half flush, all even pungs and all fives with no honours, terminals and
    honours with the outside hand.
    """
    assert ("half-flush", "all-green", "MCR-A") in reasons("23466s66z[234s][888s]@6z")
    assert "no-honours" not in points("44p66s[222m][888m][666p]@4p")
    assert "no-honours" not in points("45p55s[345m][567m][555p]@6p")
    assert "outside-hand" not in points("99s55z[111m][999p][111z]@9s")


def test_one_excluded_pung_removes_no_other() -> None:
    """The round wind uses up its own pung; the pungs of 1 and West stay."""
    found = points("34m22p[111z][333z][111s]@5m")
    assert found["round-wind-pung"] == 2
    assert found["terminal-honour-pung"] == 2


def test_all_green_may_lack_the_dragon() -> None:
    assert {"all-green", "full-flush"} <= points("2342348s[666s][234s]@8s").keys()


def test_discard_payments_are_not_shared() -> None:
    """The discarder pays the whole total, bonus tiles included."""
    paid = won("34m44z[789m][123p][567s]@5m 1f6f").payments
    assert paid is not None
    assert paid[Wind.NORTH] == -18
    assert sum(paid.values()) == 0


def test_five_of_a_face_are_refused_wherever_they_lie() -> None:
    for text in ("123m456p9s(3333m)(5555p)@9s", "12333m99s[333m][456p]@9s",
                 "33m55p(3333m)[567p][789s]@3m"):  # fmt: skip
        assert "fifth-copy" in {problem.id for problem in won(text).problems}
    twice = Hand.parse("34m44z[789m][123p][567s]@5m 1f1f")
    assert "second-bonus" in {problem.id for problem in score(twice, WON, "mcr").problems}


def test_order_of_melds_and_tiles_changes_nothing() -> None:
    melds = [Meld.of([Tile.parse(code) for code in text.split()]) for text in
             ("2m 3m 4m", "3p 4p 5p", "4s 5s 6s", "5m 6m 7m")]  # fmt: skip
    pair = Tile.parse("8p")
    results = {
        tuple(score(Hand((pair,), order, (), pair), WON, "mcr").ids())
        for order in permutations(melds)
    }
    assert len(results) == 1


def test_every_path_gives_the_same_bonus_tiles() -> None:
    facts = Situation(seat=Wind.EAST, round=Wind.EAST, self_drawn=True)
    eight = won("34m44z[789m][123p][567s]@5m 1f2f3f4f5f6f7f8f", facts)
    assert eight.ids().count("every-flower") == 8
    assert eight.total == 9
