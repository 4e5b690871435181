"""Chinese Official: facts of the win, pungs and kongs, minimum, payments and house rules.

The examples and their values are those of rules/chinese-official.md.
"""

from __future__ import annotations

import pytest

from scorer import HouseRuleError, HouseRules, Wind, pay_false_win, pay_total
from tests.scorer.mcr_wins import DRAWN, WON, after, points, problems, reasons, won

# Facts of the win


def test_last_tile_of_the_wall() -> None:
    text = "34m88p[678m][1111p][567s]@5m"
    assert points(text, after("last-draw", "kong-draw", facts=DRAWN))["kong-draw"] == 8
    assert won(text, after("last-draw", "kong-draw", facts=DRAWN)).total == 20
    assert points(text, after("last-discard"))["last-discard"] == 8
    assert "self-drawn" not in points(text, after("last-draw", facts=DRAWN))


def test_facts_that_cannot_be_true_together() -> None:
    text = "34m88p[678m][111p][567s]@5m"
    assert problems(text, after("last-draw")) == ["contradiction"]
    assert problems(text, after("last-discard", facts=DRAWN)) == ["contradiction"]
    assert problems(text, after("last-discard", "robbing-kong")) == ["contradiction"]
    assert problems(text, after("kong-draw", facts=DRAWN)) == ["kong-draw-without-kong"]
    assert problems(text + " 1f", after("kong-draw", facts=DRAWN)) == ["kong-draw-needs-kong"]
    assert problems(text, after("heavenly-hand", facts=DRAWN)) == [
        "event-of-dealer", "event-with-sets",
    ]  # fmt: skip


def test_a_bonus_tile_brings_no_kong_draw() -> None:
    facts = after("kong-draw", facts=DRAWN).but(replacement="bonus")
    text = "34m22p[678m][777p][567s]@5m 1f"
    assert points(text, facts) == {
        "all-simples": 2, "short-straight": 1, "self-drawn": 1, "every-flower": 1,
    }  # fmt: skip
    assert ("kong-draw", "", "bonus-replacement") in reasons(text, facts)


def test_self_draw_follows_from_the_event() -> None:
    """What the event says need not be said again."""
    facts = WON.but(self_drawn=None, from_seat=None)
    text = "34m88p[678m][1111p][567s]@5m"
    assert won(text, after("last-draw", facts=facts)).payments
    assert "self-drawn" not in points(text, after("kong-draw", facts=facts))
    assert points(text, after("last-discard", facts=facts))["last-discard"] == 8


def test_last_copy() -> None:
    """Stated, or proved by the own claimed sets; a copy in the own hand forbids it."""
    plain = "34m88p[678m][111p][567s]@5m"
    assert points(plain, after("last-copy"))["last-copy"] == 4
    proved = "13m88p[222m][567s][999p]@2m"
    assert points(proved)["last-copy"] == 4
    assert "last-copy" not in points(proved, last_copy_auto=False)
    assert points(proved, after("last-copy"), last_copy_auto=False)["last-copy"] == 4
    hidden = "23445m22z[678p][999s]@3m"
    assert "last-copy" not in points(hidden, after("last-copy"))
    assert ("last-copy", "", "concealed-copy") in reasons(hidden, after("last-copy"))


def test_last_copy_is_asked_for_where_nothing_proves_it() -> None:
    facts = WON.but(unknown_events=frozenset({"last-copy"}))
    open_question = won("34m88p[678m][111p][567s]@5m", facts)
    assert not open_question.certain
    assert open_question.range == (3, 7)
    assert open_question.questions == ("event:last-copy",)
    assert won("13m88p[222m][567s][999p]@2m", facts).certain
    assert won("23445m22z[678p][999s]@3m", facts).certain


def test_robbing_a_kong() -> None:
    """A win on a discard, without the last copy; nobody can rob what they hold."""
    facts = after("robbing-kong")
    assert points("13m88p[678m][567s][999p]@2m", facts) == {
        "robbing-kong": 8, "terminal-honour-pung": 1, "no-honours": 1, "closed-wait": 1,
    }  # fmt: skip
    left = reasons("13m88p[678m][567s][999p]@2m", after("robbing-kong", "last-copy"))
    assert ("last-copy", "robbing-kong", "MCR-A") in left
    assert problems("22m88p[678m][567s][999p]@2m", facts) == ["robbed-copies"]


# Pungs and kongs


def test_a_pung_completed_by_a_discard_is_not_concealed() -> None:
    text = "111333m55p99s[777s]@5p"
    assert won(text).total == 10
    assert points(text)["two-concealed-pungs"] == 2
    assert won(text, DRAWN).total == 25
    assert points(text, DRAWN)["three-concealed-pungs"] == 16


def test_it_stays_concealed_where_the_tile_can_stand_in_a_chow() -> None:
    assert points("44456m777999p22z@4m")["three-concealed-pungs"] == 16


@pytest.mark.parametrize(
    ("kongs", "fans"),
    [
        ("[2222s][777p]", {"melded-kong": 1}),
        ("(2222s)[777p]", {"concealed-kong": 2}),
        ("[2222s][7777p]", {"two-melded-kongs": 4}),
        ("(2222s)[7777p]", {"mixed-kongs": 5}),
        ("(2222s)(7777p)", {"two-concealed-kongs": 6}),
    ],
)
def test_kongs_are_one_item(kongs: str, fans: dict[str, int]) -> None:
    found = points(f"34m88p{kongs}[678m]@5m")
    assert {id: value for id, value in found.items() if "kong" in id} == fans


def test_three_and_four_kongs() -> None:
    assert points("35m99p[2222m][7777s](1111z)@4m")["three-kongs"] == 32
    assert points("9p[2222m](5555p)[7777s][1111z]@9p") == {"four-kongs": 88, "round-wind-pung": 2}
    assert ("pair-wait", "four-kongs", "no-repeat") in reasons("9p[2222m](5555p)[7777s][1111z]@9p")


def test_concealed_kongs_are_concealed_pungs() -> None:
    """Two concealed kongs and a concealed pung: 6 + 16."""
    found = points("222345m8p(2222s)(7777p)@8p")
    assert found["two-concealed-kongs"] == 6
    assert found["three-concealed-pungs"] == 16


def test_a_concealed_kong_breaks_the_all_claimed_hand() -> None:
    assert points("8p[345m][678m][111p][5555s]@8p")["all-claimed"] == 6
    broken = points("8p[345m][678m][111p](5555s)@8p")
    assert "all-claimed" not in broken
    assert broken["pair-wait"] == 1
    assert "all-claimed" not in points("8p[345m][678m][111p][5555s]@8p", DRAWN)


def test_pungs_of_terminals_and_winds_are_used_once() -> None:
    """Big three winds use up its three winds; a pung of ones stays."""
    text = "5m111p333z[111z][222z]@5m"
    assert points(text) == {
        "big-three-winds": 12, "all-pungs": 6, "round-wind-pung": 2, "seat-wind-pung": 2,
        "two-concealed-pungs": 2, "terminal-honour-pung": 1, "one-voided-suit": 1, "pair-wait": 1,
    }  # fmt: skip
    assert ("terminal-honour-pung", "big-three-winds", "no-repeat") in reasons(text)
    [pung] = [i for i in won(text).items if i.id == "terminal-honour-pung"]
    assert pung.tiles == (9, 9, 9)


def test_nine_gates_use_up_one_pung() -> None:
    """1112345678999 with a 5: of the pungs of 1 and 9 one is left."""
    assert points("1112345678999m@5m")["terminal-honour-pung"] == 1
    assert ("terminal-honour-pung", "nine-gates", "no-repeat") in reasons("1112345678999m@5m")


# Minimum and payments


def test_minimum_without_bonus_tiles() -> None:
    """Three points and six bonus tiles are no legal win: five are missing."""
    result = won("34m22p[678m][777p][567s]@5m 1f2f3f4f5f6f")
    assert result.total == 9
    [problem] = result.problems
    assert problem.facts == {"have": 3, "need": 8, "short": 5}
    assert "5 short" in problem.text()
    assert result.payments is None
    assert not result.minimum_met
    assert won("34m22p[678m][777p][567s]@5m", minimum=3).payments


def test_payments() -> None:
    """8 + total from the discarder or from each; 8 from the two others on a discard."""
    chicken = "34m44z[789m][123p][567s]@5m 1f6f"
    assert won(chicken).payments == {
        Wind.EAST: -8, Wind.SOUTH: 34, Wind.WEST: -8, Wind.NORTH: -18,
    }  # fmt: skip
    drawn = pay_total(10, DRAWN, "mcr").payments
    assert drawn == {Wind.EAST: -18, Wind.SOUTH: 54, Wind.WEST: -18, Wind.NORTH: -18}
    robbed = won("13m88p[678m][567s][999p]@2m", after("robbing-kong")).payments
    assert robbed is not None
    assert robbed[Wind.NORTH] == -19
    assert won(chicken, WON.but(from_seat=None)).payments is None
    assert won(chicken, base_payment=0).payments == {
        Wind.EAST: 0, Wind.SOUTH: 10, Wind.WEST: 0, Wind.NORTH: -10,
    }  # fmt: skip


def test_the_dealer_pays_and_is_paid_like_the_others() -> None:
    chicken = "34m44z[789m][123p][567s]@5m 1f6f"
    east = WON.but(seat=Wind.EAST, streak=3)
    assert won(chicken, east).dealer_line == 0
    assert won(chicken, WON.but(dealer=None, streak=None)).payments


def test_the_nearest_player_wins_alone() -> None:
    """North discards: East comes first, South is refused."""
    facts = WON.but(also_won=frozenset({Wind.EAST}))
    chicken = "34m44z[789m][123p][567s]@5m"
    assert problems(chicken, facts) == ["not-nearest"]
    assert won(chicken, facts, multiple_winners="all").payments == {
        Wind.EAST: -8, Wind.SOUTH: 32, Wind.WEST: -8, Wind.NORTH: -16,
    }  # fmt: skip


def test_false_win() -> None:
    paid = pay_false_win(Wind.WEST, "mcr")
    assert paid is not None
    assert paid.payments == {Wind.EAST: 10, Wind.SOUTH: 10, Wind.WEST: -30, Wind.NORTH: 10}
    dearer = pay_false_win(Wind.WEST, "mcr", HouseRules.of("mcr", {"false_win": 20}))
    assert dearer is not None
    assert dearer.payments is not None
    assert dearer.payments[Wind.WEST] == -60


# House rules


def test_two_concealed_kongs_may_be_dearer() -> None:
    found = points("9p123678s(3333m)(5555p)@9p", two_concealed_kongs=8)
    assert found["two-concealed-kongs"] == 8
    assert "two-concealed-pungs" not in found


def test_mixed_kongs_may_be_two_items() -> None:
    found = points("9p123678s(3333m)[5555p]@9p", mixed_kongs=3)
    assert (found["melded-kong"], found["concealed-kong"]) == (1, 2)
    assert "mixed-kongs" not in found


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("222555m777p3388s@3s", 70),
        ("2255m1199p3344s6z@6z", 28),
        ("1112345678999m@5m", 95),
        ("199m9p19s1234567z@1p", 92),
        ("2233445667788p@5p", 94),
        ("17m258p39s123456z@7z", 28),
        ("147m258p36s12456z@7z", 16),
    ],
)
def test_fully_concealed_special(text: str, total: int) -> None:
    """Concealed-self-drawn 4 takes the place of self-drawn 1."""
    assert won(text, DRAWN, fully_concealed_special=True).total == total
    assert won(text, DRAWN).total == total - 3


@pytest.mark.parametrize(
    ("text", "less"),
    [
        ("1299m777z[555z][666z]@3m", 0),
        ("12m99p777z[555z][666z]@3m", 1),
        ("234678p6677z[555z]@6z", 0),
        ("234m678p6677z[555z]@6z", 1),
        ("567m8p333z[111z][222z]@8p", 1),
        ("22344m99s[234m][234m]@3m", 1),
        ("44455m99p[222m][333m]@5m", 1),
        ("23344556p99s[123p]@4p", 1),
        ("99m99s[111m][111p][111s]@9m", 16),
        ("1122334455667z@7z", 64),
        ("113344m2244p114s@4s", 11),
    ],
)
def test_strict_1998(text: str, less: int) -> None:
    """Points lost where the wording of 1998 is followed to the letter."""
    total = won(text).total
    assert total is not None
    assert won(text, strict_1998=True).total == total - less


def test_seven_pairs_may_refuse_four_alike() -> None:
    text = "2222m1199p3344s6z@6z"
    assert points(text) == {"seven-pairs": 24, "tile-hog": 2}
    refused = won(text, seven_pairs_quads=False)
    assert [problem.id for problem in refused.problems] == ["not-complete"]
    assert won("2255m1199p3344s6z@6z", seven_pairs_quads=False).total == 24


def test_bonus_tiles_may_be_left_in_the_box() -> None:
    result = won("34m44z[789m][123p][567s]@5m 1f6f", bonus_tiles=False)
    assert [problem.id for problem in result.problems] == ["no-bonus-tiles"]


def test_house_rules_are_checked() -> None:
    with pytest.raises(HouseRuleError, match="6 or 8"):
        HouseRules.of("mcr", {"two_concealed_kongs": 7})
    with pytest.raises(HouseRuleError, match="formal"):
        HouseRules.of("mcr", {"wait_rule": "strict"})
