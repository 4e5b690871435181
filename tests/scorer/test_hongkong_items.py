"""`hongkong`, row by row: hands with their items and faan (rules/hong-kong.md, HK-A).

Seat South, round East, won on a discard of West where nothing else is said. The bonus tile `1f`
belongs to East: it earns South nothing and takes no-flowers away.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorer import Hand, HouseRules, Result, Situation, Wind, find_ruleset, score
from scorer.names import LANGUAGES, item_jyutping, item_name, item_text

WON = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=False, from_seat=Wind.WEST)
DRAWN: dict[str, Any] = {"self_drawn": True, "from_seat": None}
EAST: dict[str, Any] = {"seat": Wind.EAST}


def won(text: str, rules: HouseRules | None = None, **facts: Any) -> Result:
    events = facts.pop("events", ())
    return score(Hand.parse(text), WON.but(events=frozenset(events), **facts), "hongkong", rules)


def house(values: dict[str, int] | None = None, **options: object) -> HouseRules:
    return HouseRules.of("hongkong", options, values)


HANDS: list[tuple[str, dict[str, Any], list[str], int]] = [
    ("123456m1239p[555s]@9p 1f", {}, ["chicken-hand"], 0),
    ("8m456p123456s[123p]@8m 1f", {}, ["all-chows"], 1),
    ("1z456p123456s[123p]@1z 1f", {}, ["all-chows"], 1),
    ("8m456p123456s[111p]@8m 1f", {}, ["chicken-hand"], 0),
    ("7m888s444z[222m][555p]@7m 1f", {}, ["all-pungs"], 3),
    ("7m888s(4444z)[2222m][555p]@7m 1f", {}, ["all-pungs"], 3),
    ("456789m1444z[123m]@1z 1f", {}, ["half-flush"], 3),
    ("2224556789m[123m]@5m 1f", {}, ["full-flush"], 7),
    ("123678m9m[345m][678m]@9m 1f", {}, ["all-chows", "full-flush"], 8),
    ("4z[333z][444z][777z][666z]@4z 1f", {}, [], -1),
    (
        "4z[333z][111z][777z][666z]@4z 1f",
        {},
        ["all-honours", "round-wind-pung", "dragon-pung", "dragon-pung"],
        13,
    ),
    ("123m456p5z[777z][666z]@5z 1f", {}, ["little-three-dragons"], 5),
    ("123m9p[555z][666z][777z]@9p 1f", {}, ["big-three-dragons"], 8),
    ("567p4z[111z][222z][333z]@4z 1f", {}, ["half-flush", "little-four-winds"], 9),
    ("7z[111z][222z][333z][444z]@7z 1f", {}, ["all-honours", "big-four-winds"], 13),
    ("9p[111z][222z][333z][444z]@9p 1f", {}, [
        "half-flush", "big-four-winds", "mixed-terminals"], 13),
    ("19m19p19s123456z1z@7z 1f", {}, ["thirteen-orphans"], 13),
    ("19m19p19s1234567z@7z 1f", {}, ["thirteen-orphans"], 13),
    ("5s(1111m)[9999m][1111p](9999p)@5s 1f", {}, ["four-kongs"], 13),
    ("111m222p333s44z55m@4z 1f", DRAWN, ["four-concealed-pungs", "self-drawn"], 11),
    ("111m222p333s44z55m@4z 1f", {}, ["all-pungs", "concealed-hand"], 4),
    ("111m222p333s444z5m@5m 1f", {}, ["four-concealed-pungs"], 10),
    ("111m222p333s5m(4444z)@5m 1f", {}, ["four-concealed-pungs"], 10),
    ("9m111m999p111s[999s]@9m 1f", {}, [
        "all-terminals"], 10),
    ("1z[111m][999p][111s][333z]@1z 1f", {}, ["all-pungs", "mixed-terminals"], 4),
    ("1112345678999m@5m 1f", {}, ["nine-gates"], 10),
    ("1112345678999p@9p 1f", DRAWN, ["nine-gates", "self-drawn"], 11),
    ("1123456788999s@1s 1f", {}, ["nine-gates"], 10),
    ("1112345678999s@3p 1f", {}, [], -1),
    ("123m456p9s[222z][555s]@9s 1f", {}, ["seat-wind-pung"], 1),
    ("123m456p9s[1111z][555s]@9s 1f", {}, ["round-wind-pung"], 1),
    ("123m456p9s[333z][555s]@9s 1f", {}, ["chicken-hand"], 0),
    ("123m456p9s[111z][555s]@9s 2f", EAST, ["seat-wind-pung", "round-wind-pung"], 2),
    ("123m456p9s[777z][555s]@9s 1f", {}, ["dragon-pung"], 1),
    ("123m456p9s[777z](6666z)@9s 1f", {}, ["dragon-pung", "dragon-pung"], 2),
    ("123456m1239p[555s]@9p 1f", DRAWN, ["self-drawn"], 1),
    ("123456m1239p555s@9p 1f", {}, ["concealed-hand"], 1),
    ("123456m1239p(5555s)@9p 1f", {}, ["concealed-hand"], 1),
    ("123456m1239p555s@9p 1f", DRAWN, ["self-drawn", "concealed-hand"], 2),
    ("12m456p789s55m[888p]@3m 1f", {"events": ["robbing-kong"]}, ["robbing-kong"], 1),
    ("123456m1239p[555s]@9p 1f", {"events": ["last-tile"]}, ["last-tile"], 1),
    ("123456m1239p[555s]@9p 1f", DRAWN | {"events": ["last-tile"]}, [
        "self-drawn", "last-tile"], 2),
    ("123456m1239p[5555s]@9p 1f", DRAWN | {"events": ["kong-draw"]}, [
        "self-drawn", "kong-draw"], 2),
    ("123456m1239p[555s]@9p 1f", DRAWN | {"events": ["kong-draw"]}, [
        "self-drawn", "kong-draw"], 2),
    ("123m456p5s[8888p](1111s)@5s 1f", DRAWN | {"events": ["double-kong"]}, [
        "self-drawn", "double-kong"], 9),
    ("123m456p5s[8888p](1111s)@5s 1f", DRAWN | {"events": ["double-kong", "kong-draw"]}, [
        "self-drawn", "double-kong"], 9),
    ("123456789m1116p@6p 2f", DRAWN | EAST | {"events": ["heavenly-hand"]}, [
        "heavenly-hand"], 13),
    ("123456789m11166p 2f", DRAWN | EAST | {"events": ["heavenly-hand"]}, ["heavenly-hand"], 13),
    ("123456789m1116p@6p 1f", {"events": ["earthly-hand"], "from_seat": Wind.EAST}, [
        "earthly-hand"], 13),
    ("123456m1239p[555s]@9p", {}, ["no-flowers"], 1),
    ("123456m1239p[555s]@9p 2f", {}, ["seat-flower"], 1),
    ("123456m1239p[555s]@9p 26f", {}, ["seat-flower", "seat-flower"], 2),
    ("123456m1239p[555s]@9p 1234f", {}, ["flower-set"], 2),
    ("123456m1239p[555s]@9p 12346f", {}, ["seat-flower", "flower-set"], 3),
    ("123456m1239p[555s]@9p 12345678f", {}, ["flower-set", "flower-set"], 4),
]  # fmt: skip


@pytest.mark.parametrize(("text", "facts", "ids", "total"), HANDS)
def test_hands_of_every_row(text: str, facts: dict[str, Any], ids: list[str], total: int) -> None:
    result = won(text, **facts)
    if total < 0:
        assert result.total is None
        assert result.problems
        return
    assert result.ids() == ids
    assert result.total == total
    good = {"below-minimum", "no-faan-from-tiles"}
    assert {problem.id for problem in result.problems} <= good


def test_every_item_of_the_table_has_a_hand() -> None:
    earned = {id for _, _, ids, _ in HANDS for id in ids}
    optional = {"seven-pairs", "flower-win", "eight-flowers"}
    assert {item.id for item in find_ruleset("hongkong").items} == earned | optional


@pytest.mark.parametrize("ruleset", ["hongkong", "hongkong-digital"])
def test_every_item_has_its_names_and_its_cantonese_reading(ruleset: str) -> None:
    for item in find_ruleset(ruleset).items:
        for language in LANGUAGES:
            assert item_name(ruleset, item.id, language)
            assert item_text(ruleset, item.id, language)
        syllables = item_jyutping(ruleset, item.id).split()
        assert len(syllables) == len(item_name(ruleset, item.id, "zh-Hant"))
        assert all(syllable[-1] in "123456" for syllable in syllables)


# What is left out


@pytest.mark.parametrize(
    ("text", "facts", "by", "dropped"),
    [
        ("4z[333z][111z][777z][666z]@4z", {}, "all-honours", {"all-pungs"}),
        ("9m111m999p111s[999s]@9m", {}, "all-terminals", {"all-pungs"}),
        ("111m222p333s444z5m@5m", {}, "four-concealed-pungs", {"all-pungs", "concealed-hand"}),
        ("5s(1111m)[9999m][1111p](9999p)@5s", {}, "four-kongs", {"all-pungs"}),
        ("9p[111z][222z][333z][444z]@9p", {}, "big-four-winds",
         {"all-pungs", "seat-wind-pung", "round-wind-pung"}),
        ("567p4z[111z][222z][333z]@4z", {}, "little-four-winds",
         {"seat-wind-pung", "round-wind-pung"}),
        ("123m456p5z[777z][666z]@5z", {}, "little-three-dragons", {"dragon-pung"}),
        ("123m9p[555z][666z][777z]@9p", {}, "big-three-dragons", {"dragon-pung"}),
        ("1112345678999m@5m", {}, "nine-gates", {"full-flush", "concealed-hand"}),
        ("19m19p19s1234567z@7z", {}, "thirteen-orphans", {"mixed-terminals", "concealed-hand"}),
    ],
)  # fmt: skip
def test_a_stricter_item_leaves_out_the_looser(
    text: str, facts: dict[str, Any], by: str, dropped: set[str]
) -> None:
    result = won(text, **facts)
    assert by in result.ids()
    assert {item.id for item in result.left_out if item.by == by} == dropped
    assert not dropped & set(result.ids())


# The faults that public programs were reported for


def test_nine_gates_are_not_given_to_a_hand_with_exposed_sets() -> None:
    """The fault: `2347899m[111m][456m]@9m` as nine gates; it is a full flush, 7 and no-flowers."""
    result = won("2347899m[111m][456m]@9m")
    assert result.ids() == ["full-flush", "no-flowers"]
    assert result.total == 8


def test_nine_gates_are_not_given_to_a_hand_with_a_concealed_kong() -> None:
    assert "nine-gates" not in won("2345678999m(1111m)@9m").ids()


def test_little_three_dragons_hold_their_two_pungs() -> None:
    """The fault: 5 and the two dragon pungs again."""
    result = won("12m55566677z[456p]@3m")
    assert result.ids() == ["little-three-dragons", "no-flowers"]
    assert result.total == 6


def test_a_full_set_of_flowers_replaces_the_own_tile() -> None:
    assert won("123456m1239p[555s]@9p 1234f").ids() == ["flower-set"]


@pytest.mark.parametrize(
    ("seat", "tiles"), list(zip(Wind, ("15f", "26f", "37f", "48f"), strict=True))
)
def test_bonus_tiles_belong_to_their_seat(seat: Wind, tiles: str) -> None:
    giver = Wind((seat + 1) % 4)
    result = won(f"345678m1239p[555s]@9p {tiles}", seat=seat, from_seat=giver)
    assert result.ids() == ["seat-flower", "seat-flower"]


def test_four_alike_in_a_chow_and_a_pung_are_no_kong() -> None:
    """Pung 111 and chow 123: no fourth kong, and no fourth pung."""
    assert won("11123m1m5s[2222p](3333s)@5s").ids() == ["no-flowers"]


def test_a_pung_completed_by_a_discard_is_not_concealed() -> None:
    assert "four-concealed-pungs" not in won("111m222p333s44z55m@4z").ids()
    assert "four-concealed-pungs" in won("111m222p333s44z55m@4z", **DRAWN).ids()


def test_a_concealed_kong_leaves_the_hand_concealed_and_is_a_concealed_pung() -> None:
    result = won("111m222p5s(3333s)(4444z)@5s")
    assert result.ids() == ["four-concealed-pungs", "no-flowers"]
    assert "concealed-hand" in won("123456m1239p(5555s)@9p").ids()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("123m456p9s(3333m)(5555p)@9s", "fifth-copy"),
        ("11123m[111m]456p99s@9s", "fifth-copy"),
        ("123456m1239p[555s]@9p 1f1f", "second-bonus"),
        ("123456m12399p[555s]@9p", "too-many-tiles"),
        ("123456m123p[555s]@9p", "too-few-tiles"),
        ("123456m1279p[555s]@9p", "not-complete"),
        ("123456m1239p[555s]@9p", ""),
    ],
)
def test_impossible_hands_are_refused(text: str, problem: str) -> None:
    ids = {found.id for found in won(text).problems} - {"below-minimum"}
    assert ids == ({problem} if problem else set())


@pytest.mark.parametrize(
    ("text", "facts", "problem"),
    [
        ("123456789m1116p@6p", DRAWN | {"events": ["heavenly-hand"]}, "event-of-dealer"),
        ("123456789m1116p@6p", EAST | {"events": ["earthly-hand"]}, "event-of-others"),
        ("123456789m1116p@6p", EAST | {"events": ["heavenly-hand"]}, "contradiction"),
        ("123456789m6p[111p]@6p", DRAWN | EAST | {"events": ["heavenly-hand"]}, "event-with-sets"),
        ("123456789m1116p@6p", DRAWN | EAST | {"events": ["heavenly-hand", "last-tile"]},
         "contradiction"),
        ("123456m1239p[555s]@9p", DRAWN | {"events": ["kong-draw"]}, "kong-draw-without-kong"),
        ("123456m1239p[5555s]@9p", DRAWN | {"events": ["double-kong"]}, "two-kongs"),
        ("222m345p5s[1111z](6666p)@5s 1f", DRAWN | {"events": ["double-kong"],
         "replacement": "bonus"}, "contradiction"),
        ("123456m1239p[555s]@9p 1234567f", DRAWN | {"events": ["flower-win"]},
         "event-switched-off"),
        ("123456m1239p[555s]@9p", {"events": ["double-kong"]}, "contradiction"),
        ("123456789m1116p@6p", {"events": ["earthly-hand"]}, "not-from-dealer"),
    ],
)  # fmt: skip
def test_impossible_facts_are_refused(text: str, facts: dict[str, Any], problem: str) -> None:
    assert problem in {found.id for found in won(text, **facts).problems}


# House rules


def test_all_chows_may_need_a_suited_pair() -> None:
    suit = house(all_chows_pair="suit")
    assert won("1z456p123456s[123p]@1z 1f", suit).total == 0
    assert won("8m456p123456s[123p]@8m 1f", suit).total == 1


def test_dragon_pungs_may_count_beside_the_dragon_hands() -> None:
    assert won("123m456p5z[777z][666z]@5z 1f", house(little_dragons_pungs=True)).total == 7
    assert won("123m9p[555z][666z][777z]@9p 1f", house(big_dragons_pungs=True)).total == 11


def test_four_concealed_pungs_may_need_a_self_draw() -> None:
    strict = house(four_concealed_pair_discard=False)
    assert won("111m222p333s444z5m@5m 1f", strict).ids() == ["all-pungs", "concealed-hand"]
    assert "four-concealed-pungs" in won("111m222p333s444z5m@5m 1f", strict, **DRAWN).ids()


PAIRS = "1122m3344p55s11z2z@2z 1f"


def test_seven_pairs_are_off_until_a_club_plays_them() -> None:
    assert [problem.id for problem in won(PAIRS).problems] == ["not-complete"]
    assert won(PAIRS, house(seven_pairs=True)).ids() == ["seven-pairs"]
    both = house(seven_pairs=True, seven_pairs_concealed=True)
    assert won(PAIRS, both).ids() == ["seven-pairs", "concealed-hand"]


@pytest.mark.parametrize(
    ("text", "ids", "total"),
    [
        ("1122m3344m55m11z2z@2z 1f", ["half-flush", "seven-pairs"], 7),
        ("1133m4455m7799m8m@8m 1f", ["full-flush", "seven-pairs"], 11),
        ("1122334455667z@7z 1f", ["all-honours", "seven-pairs"], 13),
        ("1199m1199p1199s1z@1z 1f", ["mixed-terminals", "seven-pairs"], 5),
        ("11119m5577p3355s@9m 1f", ["seven-pairs"], 4),
        # Two equal chows twice: as sets all chows 1, full flush 7, concealed 1; as pairs 11.
        ("1122335566778m@8m 1f", ["full-flush", "seven-pairs"], 11),
    ],
)
def test_seven_pairs_add_to_the_flushes_and_compete_with_sets(
    text: str, ids: list[str], total: int
) -> None:
    """4; four alike count as two pairs."""
    result = won(text, house(seven_pairs=True))
    assert (result.ids(), result.total) == (ids, total)


def test_the_concealed_hand_may_need_a_self_draw_or_not_count_beside_it() -> None:
    text = "123456m1239p555s@9p 1f"
    assert won(text, house(concealed_hand_needs_self_draw=True)).total == 0
    assert won(text, house(concealed_hand_needs_self_draw=True), **DRAWN).total == 2
    assert won(text, house(concealed_with_self="one"), **DRAWN).total == 1
    assert won(text, house(concealed_with_self="one")).total == 1


def test_kong_draw_may_be_denied_after_a_bonus_tile() -> None:
    facts = DRAWN | {"events": ["kong-draw"]}
    kong_only = house(flower_replacement=False)
    assert won("123456m1239p[555s]@9p 1f", kong_only, **facts).ids() == ["self-drawn"]
    both = "123456m1239p[5555s]@9p 1f"
    assert won(both, kong_only, **facts).questions == ("replacement",)
    assert won(both, kong_only, replacement="bonus", **facts).total == 1
    assert won(both, kong_only, replacement="claimed-kong", **facts).total == 2


def test_the_own_flower_may_count_beside_its_full_set() -> None:
    adds = house(flower_set_replaces=False)
    assert won("123456m1239p[555s]@9p 1234f", adds).total == 3


def test_without_bonus_tiles_there_are_no_flower_items() -> None:
    plain = house(flowers=False)
    assert won("123456m1239p[555s]@9p", plain).ids() == ["chicken-hand"]
    assert [p.id for p in won("123456m1239p[555s]@9p 2f", plain).problems] == ["no-bonus-tiles"]


@pytest.mark.parametrize(
    ("text", "event", "ids", "total"),
    [
        # The tiles make no hand: the flower win alone.
        ("1379m2468p1357s1z 1234567f", "flower-win", ["flower-win"], 3),
        ("1379m2468p1357s1z 12345678f", "eight-flowers", ["eight-flowers"], 8),
        # They make one: it adds.
        ("123456m1239p555s@9p 1234567f", "flower-win",
         ["self-drawn", "concealed-hand", "flower-win"], 5),
    ],
)  # fmt: skip
def test_flower_wins_where_a_club_plays_them(
    text: str, event: str, ids: list[str], total: int
) -> None:
    result = won(text, house(flower_win=True), events=[event], **DRAWN)
    assert (result.ids(), result.total, result.problems) == (ids, total, ())
    assert result.payments is not None
    assert all(result.payments[wind] < 0 for wind in Wind if wind is not Wind.SOUTH)


def test_seven_bonus_tiles_count_in_a_hand_won_otherwise() -> None:
    result = won("123456m1239p[555s]@9p 1234567f", house(flower_win=True))
    assert result.ids() == ["flower-win"]
    assert {item.id for item in result.left_out} == {"seat-flower", "flower-set"}


def test_a_flower_win_with_the_wrong_number_of_bonus_tiles_is_refused() -> None:
    result = won("123456m1239p555s@9p 123456f", house(flower_win=True), events=["flower-win"],
                 **DRAWN)  # fmt: skip
    assert [problem.id for problem in result.problems] == ["event-bonus-count"]


# Limit and minimum


@pytest.mark.parametrize(("limit", "total"), [(7, 7), (8, 8), (10, 10), (13, 13), ("none", 23)])
def test_the_total_is_cut_at_the_limit(limit: object, total: int) -> None:
    result = won("7z[111z][222z][333z][444z]@7z 1f", house(limit_faan=limit))
    assert (result.total, result.uncut) == (total, 23)


@pytest.mark.parametrize("minimum", range(6))
def test_a_hand_below_the_minimum_is_no_win(minimum: int) -> None:
    result = won("7m888s444z[222m][555p]@7m 1f", house(minimum_faan=minimum))
    assert result.total == 3
    if minimum <= 3:
        assert result.is_good
        return
    [problem] = result.problems
    assert problem.id == "below-minimum"
    assert problem.facts["short"] == minimum - 3
    assert result.payments is None
    assert not result.is_good


HOW = "123456m12p99p555s@3p 1f"


def test_one_faan_must_come_from_the_tiles() -> None:
    """Self-drawn, concealed hand and last tile are 3 faan, but none of the tiles."""
    facts = DRAWN | {"events": ["last-tile"]}
    assert [p.id for p in won(HOW, **facts).problems] == ["no-faan-from-tiles"]
    assert won(HOW, house(one_faan_from_tiles=False), **facts).is_good
    assert won(HOW, house(minimum_faan=0), **facts).is_good
    # Bonus tiles, or having none, count as tiles.
    assert won(HOW.replace("1f", "2f"), **facts).is_good
    assert won(HOW.replace(" 1f", ""), **facts).is_good


def test_heavenly_hands_win_whatever_the_minimum() -> None:
    facts = DRAWN | EAST | {"events": ["heavenly-hand"]}
    high = HouseRules.of("hongkong", {"minimum_faan": 13, "limit_faan": 13}, {"heavenly-hand": 5})
    result = won("123456789m1116p@6p 2f", high, **facts)
    assert (result.total, result.problems) == (5, ())


def test_hands_of_a_club_that_changed_the_worth_of_an_item() -> None:
    """differences.md, Hong Kong 9 to 16: 8 or limit, 6 or 8 …, each by [values]."""
    text = "123m9p[555z][666z][777z]@9p 1f"
    assert won(text, house({"big-three-dragons": 13})).total == 13
    assert won(text, house({"big-three-dragons": 0})).ids() == ["dragon-pung"] * 3
