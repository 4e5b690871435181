"""The Sichuan table row by row, its house rules, and the faults that scorers were reported for."""

from __future__ import annotations

from random import Random

import pytest

from scorer import Hand, HouseRules, Result, Situation, Tile, Wind, score, waits_of
from scorer.deal.wall import best_wins
from scorer.sampling import winning_hand
from scorer.table import table_of
from tests.scorer import brute_sichuan
from tests.support import slow_count

E, S, W, N = Wind


def won(text: str, house: HouseRules | None = None, **facts: object) -> Result:
    """East wins on a discard of South, where nothing else is said."""
    given = {"seat": E, "self_drawn": False, "from_seat": S} | facts
    if given["self_drawn"]:
        given["from_seat"] = None
    return score(Hand.parse(text), Situation(**given), "sichuan", house)  # type: ignore[arg-type]


def rules(**options: object) -> HouseRules:
    return HouseRules.of("sichuan", options)


@pytest.mark.parametrize(
    ("hand", "items", "fan"),
    [
        ("123456m789p2245p@6p", {"plain-hand": 1}, 0),
        ("222m5p[444m][777m][3333p]@5p", {"all-pungs": 1, "root": 1}, 2),
        ("113355m446688p9p@9p", {"seven-pairs": 1}, 2),
        ("11113355m44668p@8p", {"seven-pairs": 1, "root": 1}, 3),
        ("123789m11179p99p@8p", {"outside-hand": 1}, 2),
        ("222m2225p[888m][555m]@5p", {"all-258-pungs": 1}, 3),
        ("1234445556668m@8m", {"full-flush": 1}, 2),
        ("5p[222m][444m][777m](9999p)@5p",
         {"all-pungs": 1, "golden-single-wait": 1, "root": 1}, 3),
        ("5p(2222m)(5555m)(8888m)(2222p)@5p",
         {"all-258-pungs": 1, "golden-single-wait": 1, "root": 4}, 5),
        ("111222333m456m7m@7m", {"full-flush": 1}, 2),
    ],
)  # fmt: skip
def test_a_row_of_the_table(hand: str, items: dict[str, int], fan: int | None) -> None:
    result = won(hand)
    assert result.total == fan
    assert {item.id: item.count for item in result.items} == items


def test_the_outside_hand_adds_to_all_pungs() -> None:
    """Four pungs and a pair of ones and nines need all three suits."""
    ids = won("99m111p[999p][111m]11s@9m", rules(missing_suit=False)).ids()
    assert ids == ["all-pungs", "outside-hand"]


def test_the_total_is_cut_at_five_fan_and_32_points() -> None:
    result = won("5p(2222m)(5555m)(8888m)(2222p)@5p")
    assert (result.uncut, result.total) == (8, 5)
    assert result.payments == {E: 32, S: -32, W: 0, N: 0}


@pytest.mark.parametrize(("fan", "points"), [(0, 1), (2, 4), (3, 8)])
def test_points_are_two_to_the_fan(fan: int, points: int) -> None:
    """rules/sichuan.md: base = 2^fan points; a self-draw is worth a point more from each."""
    hand = {0: "123456m789p2245p@6p", 2: "1234445556668m@8m", 3: "222m2225p[888m][555m]@5p"}[fan]
    assert won(hand).payments == {E: points, S: -points, W: 0, N: 0}
    each = points + 1
    drawn = won(hand, self_drawn=True)
    assert drawn.payments == {E: 3 * each, S: -each, W: -each, N: -each}


def test_players_who_have_won_do_not_pay_a_self_draw() -> None:
    result = won("123456m789p2245p@6p", self_drawn=True, already_won=frozenset({S, N}))
    assert result.payments == {E: 2, S: 0, W: -2, N: 0}


@pytest.mark.parametrize(
    ("event", "facts"),
    [
        ("kong-draw", {"self_drawn": True}),
        ("robbing-kong", {}),
        ("last-tile", {}),
        ("last-tile", {"self_drawn": True}),
    ],
)
def test_how_it_was_won_earns_a_fan(event: str, facts: dict[str, object]) -> None:
    result = won("123m789p2245p(8888m)@6p", events=frozenset({event}), **facts)
    assert result.total == 2
    assert event in result.ids()


def test_a_robbed_kong_is_paid_by_the_robbed_player_alone() -> None:
    result = won("123456m789p2245p@6p", robbed=True)
    assert result.payments == {E: 2, S: -2, W: 0, N: 0}
    assert [t.reason for t in result.transfers] == ["robbing-kong"]


# Faults of public programs (faults.md, Sichuan).


def test_roots_count_in_every_hand_not_only_in_seven_pairs() -> None:
    assert won("111123m2245678p@9p").total == 1
    assert won("11112233m44668p@8p").ids().count("root") == 1
    assert won("12222333m22p[111m]@3m").ids().count("root") == 3
    assert won("2245678p@9p [1111m](3333m)").ids().count("root") == 2


def test_a_pair_wait_of_all_pungs_is_no_golden_single_wait() -> None:
    """`222444m5p[777m][999p]@5p` is 1: only two sets lie on the table."""
    assert won("222444m5p[777m][999p]@5p").total == 1
    assert won("222444m5p[777m][999p]@5p", rules(golden_hook="any_pair_wait")).total == 2


def test_the_best_arrangement_is_taken() -> None:
    """Chows, or seven pairs; three chows alike, or three pungs."""
    assert won("1122334455667m@7m").ids() == ["seven-pairs", "full-flush"]
    assert won("111222333m9p[777p]@9p").ids() == ["all-pungs"]


def test_a_hand_that_holds_its_missing_suit_cannot_win() -> None:
    result = won("123456m789p2245p@6p", missing_suit="m")
    assert [(p.id, p.facts["tile"]) for p in result.problems] == [("no-missing-suit", "123456m")]
    assert "123456m" in result.problems[0].text()
    assert won("123456m789p2245p@6p", missing_suit="s").total == 0


def test_a_hand_of_three_suits_holds_its_missing_suit_whatever_it_is() -> None:
    result = won("123m456p789s1122p@2p")
    assert [p.id for p in result.problems] == ["three-suits"]
    assert won("123m456p789s1122p@2p", rules(missing_suit=False)).total == 0


def test_the_missing_suit_need_not_be_known_for_a_hand_of_two_suits() -> None:
    result = won("123456m789p2245p@6p")
    assert result.certain
    assert not result.questions


def test_chows_are_never_claimed() -> None:
    assert [p.id for p in won("123456m2245p[789p]@6p").problems] == ["claimed-chow"]


def test_honours_and_bonus_tiles_are_of_another_game() -> None:
    assert {p.id for p in won("123456m789p224p1z@1z 1f").problems} >= {
        "foreign-tile",
        "no-bonus-tiles",
    }


def test_five_of_a_face_are_refused() -> None:
    result = won("123m456p9p(3333m)(5555p)@9p")
    assert [p.facts["tile"] for p in result.problems] == ["3m", "5p"]


def test_a_player_who_has_won_plays_no_more() -> None:
    out = frozenset({E, S})
    result = won("123456m789p2245p@6p", already_won=out)
    assert [p.facts["seat"] for p in result.problems] == ["E", "S"]
    result = won("123456m789p2245p@6p", already_won=frozenset({S, W, N}))
    assert "three-have-won" in [p.id for p in result.problems]


def test_several_winners_are_each_paid_in_full() -> None:
    hand = Hand.parse("123456m789p2245p@6p")
    facts = Situation(seat=W, self_drawn=False, from_seat=N, also_won=frozenset({E}))
    assert score(hand, facts, "sichuan").payments == {E: 0, S: 0, W: 1, N: -1}
    nearest = score(hand, facts, "sichuan", rules(multiple_winners="nearest"))
    assert [p.id for p in nearest.problems] == ["not-nearest"]


@pytest.mark.parametrize(
    "facts",
    [
        {"events": frozenset({"kong-draw"})},  # nothing was drawn
        {"self_drawn": True, "events": frozenset({"kong-draw"})},  # and no kong was made
        {"self_drawn": True, "events": frozenset({"kong-discard"})},
        {"self_drawn": True, "events": frozenset({"double-kong"})},
        {"self_drawn": True, "events": frozenset({"robbing-kong"})},
        {"self_drawn": True, "events": frozenset({"heavenly-hand", "last-tile"})},
        {"self_drawn": True, "seat": S, "events": frozenset({"heavenly-hand"})},
        {"events": frozenset({"earthly-hand"})},
    ],
)
def test_facts_that_cannot_be_true_together(facts: dict[str, object]) -> None:
    assert won("123456m789p2245p@6p", **facts).problems


# House rules.


@pytest.mark.parametrize(
    ("hand", "facts", "options", "fan"),
    [
        ("5p(2222m)(5555m)(8888m)(2222p)@5p", {}, {"fan_cap": 3}, 3),
        ("5p(2222m)(5555m)(8888m)(2222p)@5p", {}, {"fan_cap": "none"}, 8),
        ("5p[2222m][444m][777m](9999p)@5p", {}, {"golden_hook": "replaces_pungs"}, 3),
        ("5p[2222m][444m][777m](9999p)@5p", {}, {"root_counts_kongs": False}, 2),
        ("2245678p@9p [1111m](3333m)", {}, {"root_counts_kongs": False}, 0),
        ("111123m2245678p@9p", {}, {"root_counts_kongs": False}, 1),
        ("123789m11179p99p@8p", {}, {"outside_hand": False}, 0),
        ("222m2225p[888m][555m]@5p", {}, {"pungs_258": False}, 1),
        ("123456m789p2245p@6p", {"events": frozenset({"kong-discard"})}, {}, 0),
        ("123456m789p2245p@6p", {"events": frozenset({"kong-discard"})},
         {"shoot_after_kong": True}, 1),
        ("123456m789p2245p@6p", {"events": frozenset({"last-tile"})},
         {"last_discard_counts": False}, 0),
        ("123456m789p2245p@6p", {"self_drawn": True}, {"self_draw": "plus_fan"}, 1),
        ("123456m2p(5555p)(8888p)@2p", {"events": frozenset({"double-kong"})},
         {"double_kong": True}, None),
        ("123456m2p(5555p)(8888p)@2p", {"self_drawn": True, "events": frozenset({"double-kong"})},
         {"double_kong": True}, 4),
        ("123456m2p(5555p)(8888p)@2p", {"self_drawn": True, "events": frozenset({"double-kong"})},
         {}, 3),
        ("9m(1111m)(3333m)(5555p)(7777p)@9m", {}, {"arhats": "limit", "fan_cap": 4}, 4),
        ("123456m789p22456p", {"self_drawn": True, "events": frozenset({"heavenly-hand"})},
         {"heavenly": "limit"}, 5),
        ("123456m789p22456p", {"self_drawn": True, "events": frozenset({"heavenly-hand"})}, {}, 0),
        ("123456m789p2245p@6p", {"seat": W, "from_seat": E, "events": frozenset({"earthly-hand"})},
         {"heavenly": "limit", "fan_cap": 4}, 4),
    ],
)  # fmt: skip
def test_a_house_rule_changes_the_fan(
    hand: str, facts: dict[str, object], options: dict[str, object], fan: int | None
) -> None:
    assert won(hand, rules(**options), **facts).total == fan


@pytest.mark.parametrize(("rule", "each"), [("plus_point", 5), ("plus_fan", 8), ("nothing", 4)])
def test_a_self_draw_is_a_point_a_fan_or_nothing(rule: str, each: int) -> None:
    result = won("1234445556668m@8m", rules(self_draw=rule), self_drawn=True)
    assert result.payments == {E: 3 * each, S: -each, W: -each, N: -each}


# Waits.


def test_four_of_a_face_in_the_hand_are_no_wait() -> None:
    """rules/sichuan.md: a face of which the player holds all four is no wait for being ready."""
    waiting = Hand.parse("1234m[1111p][2222p][333p]")
    assert [tile.code for tile in waits_of(waiting, "sichuan")] == ["1m", "4m"]
    held = Hand.parse("1m[1111p][2222p](3333p)[111m]")
    assert waits_of(held, "sichuan") == ()
    formal = rules(wait_rule="formal")
    assert [tile.code for tile in waits_of(held, "sichuan", formal)] == ["1m"]


def test_the_best_hand_over_all_waits_is_found() -> None:
    """Pungs and chows of one suit: the dearest wait counts, no event with it."""
    table = table_of("sichuan")
    wins = best_wins(Hand.parse("1112345678999m"), E, "p", table)
    assert len(wins) == 9
    pairs = best_wins(Hand.parse("1122334455667m"), E, "p", table)
    assert pairs == {Tile.M1: 2, Tile.M4: 2, Tile.M7: 4}


def test_the_total_is_that_of_a_plain_search() -> None:
    """A second scorer, which shares no code with the first, finds the same fan."""
    rng = Random("sichuan")
    for _ in range(slow_count(150, 2000)):
        drawn = winning_hand(rng, "sichuan")
        events = drawn.situation.events - {"heavenly-hand", "earthly-hand"}
        if "double-kong" in events:
            events |= {"kong-draw"}
        result = score(drawn.hand, drawn.situation, "sichuan")
        if drawn.hand.winning is not None:
            fan = brute_sichuan.fan(drawn.hand, events)
            assert result.total == min(fan, 5), str(drawn.hand)
            # Of arrangements that reach the cap the one with fewer items stands, not the dearest.
            assert result.uncut == fan or min(result.uncut, fan) >= 5, str(drawn.hand)
