"""Worked hands, table rows and payments of public Hong Kong sources, each put into its class."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest

from scorer import Hand, HouseRules, Result, Situation, Wind, pay_total, score
from scorer.rules.hongkong_points import FULL_SPICY, points
from scorer.sampling import TOO_LITTLE
from tests.scorer.cases import (
    CONTRADICTS,
    Case,
    classify,
    fed_of,
    flags_of,
    hand_of,
    known_differences,
    load,
    matches_payments,
    situation_of,
)

LIMIT = 13
EVENTS = {
    "kong_draw": "kong-draw",
    "last_draw": "last-tile",
    "last_discard": "last-tile",
    "heavenly": "heavenly-hand",
    "earthly": "earthly-hand",
}
# Names that other programs give the items.
NAMES = {
    "no_bonus_tiles": "no-flowers",
    "無花": "no-flowers",
    "seat_flower": "seat-flower",
    "seat_season": "seat-flower",
    "正花": "seat-flower",
    "all_flowers": "flower-set",
    "all_seasons": "flower-set",
    "all_chows": "all-chows",
    "平糊": "all-chows",
    "COMMON_HAND": "all-chows",
    "concealed_hand": "concealed-hand",
    "門前清": "concealed-hand",
    "dragon_pung": "dragon-pung",
    "箭刻": "dragon-pung",
    "self_draw": "self-drawn",
    "last_tile_draw": "last-tile",
    "last_tile_discard": "last-tile",
    "robbing_kong": "robbing-kong",
    "all_pungs": "all-pungs",
    "對對胡": "all-pungs",
    "ALL_IN_TRIPLETS": "all-pungs",
    "half_flush": "half-flush",
    "混一色": "half-flush",
    "MIXED_ONE_SUIT": "half-flush",
    "full_flush": "full-flush",
    "清一色": "full-flush",
    "ALL_ONE_SUIT": "full-flush",
    "little_three_dragons": "little-three-dragons",
    "SMALL_DRAGON": "little-three-dragons",
    "big_three_dragons": "big-three-dragons",
    "大三元": "big-three-dragons",
    "GREAT_DRAGON": "big-three-dragons",
    "SMALL_WINDS": "little-four-winds",
    "big_four_winds": "big-four-winds",
    "all_honors": "all-honours",
    "字一色": "all-honours",
    "ALL_HONOR_TILES": "all-honours",
    "混么九": "mixed-terminals",
    "MIXED_ORPHANS": "mixed-terminals",
    "ORPHANS": "all-terminals",
    "seven_pairs": "seven-pairs",
    "七對子": "seven-pairs",
    "four_concealed_pungs": "four-concealed-pungs",
    "nine_gates": "nine-gates",
    "NINE_GATES": "nine-gates",
    "thirteen_orphans": "thirteen-orphans",
    "十三么": "thirteen-orphans",
    "THIRTEEN_ORPHANS": "thirteen-orphans",
    "all_kongs": "four-kongs",
    "十八羅漢": "four-kongs",
    "ALL_KONGS": "four-kongs",
    "heavenly_hand": "heavenly-hand",
    "天胡": "heavenly-hand",
    "earthly_hand": "earthly-hand",
    "槓上開花": "kong-draw",
    # A local hand: a half flush of bamboo, all pungs, with green dragons.
    "jade_dragon": "jade-dragon",
    "ruby_dragon": "ruby-dragon",
    "pearl_dragon": "pearl-dragon",
}
# What one program calls hand patterns; its other items are told by it as situations.
PATTERNS = {NAMES[name] for name in NAMES if name.isupper()}
# "half-spicy" of a program whose base is half of ours, because its discarder pays one full share.
HALVED = [[faan, points("canton", faan) // 2] for faan in range(3, LIMIT + 1)]
HALVED_SPICY = [[faan, points(FULL_SPICY, faan) // 2] for faan in range(3, LIMIT + 1)]
FULL_FLUSH = Hand.parse("5p[123p][456p][789p][111p]@5p")


def house(values: dict[str, int] | None = None, **options: object) -> HouseRules:
    return HouseRules.of("hongkong", options, values)


HOUSES = {
    "hk-coach-seven_pairs-pos": [house(seven_pairs=True, seven_pairs_concealed=True)],
    "hk-coach-x-sevenpairs-ladder": [
        house(seven_pairs=True, seven_pairs_concealed=True, limit_faan=10)
    ],
    "hk-smart828-7pairs-flush": [house(seven_pairs=True, seven_pairs_concealed=True)],
    "hk-coach-four_concealed_pungs-near": [house(four_concealed_pair_discard=False)],
    "hk-smart828-allpungs": [house(four_concealed_pair_discard=False)],
    "hk-coach-pay-two-winners-dealer": [house(multiple_winners="all")],
}
OF_PROGRAM = {
    "hk-oscar": [
        house({"four-concealed-pungs": 0}),
        house({"little-four-winds": 0}),
        house({"little-four-winds": 0, "four-concealed-pungs": 0}),
        house({"four-concealed-pungs": 0, "mixed-terminals": 0}),
    ],
    "hk-hskpeter": [house({"no-flowers": 0})],
}


def houses(case: Case) -> Iterable[HouseRules]:
    id, variant = case["id"], case["variant"].lower()
    yield from HOUSES.get(id, ())
    for start, rules in OF_PROGRAM.items():
        if id.startswith(start):
            yield from rules
    options: dict[str, object] = {}
    for word, table in (("simplified", "simplified"), ("canton", "canton")):
        if word in variant:
            options["payment_table"] = table
    if "no dealer doubling" in variant:
        options["payment_doubling"] = "discarder"
    if "responsibility" in variant:
        options["payment_table"] = HALVED_SPICY if "spicy-spicy" in variant else HALVED
        options["discarder_pays_all"] = "full responsibility" in variant
    if options and not id.startswith("hk-hkb"):
        yield house(**options)


def ruleset_of(case: Case) -> str:
    return "hongkong-digital" if case["id"].startswith("hk-hkb") else "hongkong"


def agrees(case: Case, rules: HouseRules | None) -> bool:
    flags = flags_of(case)
    if "base_points_only" in flags:
        table = (rules or house())["payment_table"]
        assert isinstance(table, str)
        return _points(table, int(flags["faan"])) == case["expected_total"]
    if "payment_only" in flags:
        return _pays(case, rules)
    if "rob_concealed" in flags:
        return False
    facts = situation_of(case, EVENTS)
    if "heavenly" in flags:
        facts = facts.but(self_drawn=True, from_seat=None)
    result = score(hand_of(case), facts, "hongkong", rules)
    if result.total is None or any(p.id not in TOO_LITTLE for p in result.problems):
        return _is_no_win(case)
    return _total(case, result) and _names(case, result) and _patterns(case, result)


def _points(table: str, faan: int) -> int | None:
    try:
        return points(table, faan)
    except ValueError:
        return None


def _is_no_win(case: Case) -> bool:
    """Whether the case too knows no win: a trick hand, or nothing scored for it."""
    fans = [name for name, _ in case["expected_fans"] or ()]
    if fans:
        return fans == ["TRICK_HAND"]
    return bool(case["expected_total"] == 0)


def _total(case: Case, result: Result) -> bool:
    expected = case["expected_total"]
    return expected is None or result.total == (LIMIT if expected == "limit" else expected)


def _names(case: Case, result: Result) -> bool:
    ids = result.ids()
    asserts = case.get("asserts") or {}
    included = all(NAMES[name] in ids for name in asserts.get("must_include", ()))
    return included and not any(NAMES[name] in ids for name in asserts.get("must_exclude", ()))


def _patterns(case: Case, result: Result) -> bool:
    if not case["id"].startswith("hk-oscar"):
        return True
    named = {name for name, _ in case["expected_fans"]} - {"CHICKEN_HAND"}
    return "TRICK_HAND" not in named and {NAMES[n] for n in named} == PATTERNS & set(result.ids())


def _pays(case: Case, rules: HouseRules | None) -> bool:
    flags = flags_of(case)
    if "winners" in flags:
        return _two_winners(case, rules)
    by_player = "A" in case["expected_payments"]
    winner = Wind.EAST if by_player else Wind.parse(case["seat"] or "S")
    giver = None
    if case["win_by"] == "discard":
        giver = Wind.parse(flags.get("from") or ("N" if by_player else "W"))
    facts = Situation(seat=winner, round=Wind.EAST, self_drawn=giver is None, from_seat=giver)
    hand = Hand(())
    if flags.get("results", "").endswith("S"):
        hand = FULL_FLUSH
        facts = facts.but(fed=fed_of(hand.melds, Wind.NORTH))
    faan = _faan(flags, rules)
    if faan is None:
        return False
    found = pay_total(faan, facts, ruleset_of(case), rules, hand).payments
    expected = {key.rstrip("12"): amount for key, amount in case["expected_payments"].items()}
    expected = {{"other": "others"}.get(key, key): amount for key, amount in expected.items()}
    return found is not None and matches_payments(expected, found, winner, giver, Wind.EAST)


def _faan(flags: dict[str, str], rules: HouseRules | None) -> int | None:
    """The faan of a case, or the first that has its base points."""
    if "faan" in flags:
        return int(flags["faan"])
    table = (rules or house())["payment_table"]
    assert isinstance(table, str)
    fitting = (f for f in range(LIMIT + 1) if _points(table, f) == int(flags["base"]))
    return next(fitting, None)


def _two_winners(case: Case, rules: HouseRules | None) -> bool:
    flags = flags_of(case)
    seats = {Wind.parse(letter) for letter in flags["winners"].split(",")}
    sums = dict.fromkeys(Wind, 0)
    for seat in seats:
        facts = Situation(
            seat=seat,
            round=Wind.EAST,
            self_drawn=False,
            from_seat=Wind.parse(flags["from"]),
            also_won=frozenset(seats - {seat}),
        )
        found = pay_total(int(flags["faan"]), facts, "hongkong", rules).payments
        assert found is not None
        for who, amount in found.items():
            sums[who] += amount
    return sums == {Wind.parse(k): v for k, v in case["expected_payments"].items()}


def test_worked_hands_of_hong_kong_sources(capsys: pytest.CaptureFixture[str]) -> None:
    """Every case agrees, agrees under its source's house rules, or is a known difference."""
    tally = classify("hongkong", load("hongkong"), agrees, houses)
    with capsys.disabled():
        print("\n" + "\n".join(tally.lines()))
    against = {id for id, which in tally.classes.items() if which == CONTRADICTS}
    assert against == {id for id in known_differences() if id.startswith("hk-")}
    assert tally.share(CONTRADICTS) <= 0.05


def test_random_hands_on_which_other_programs_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """Other programs' totals come out, under the house rules that they share."""
    choices = product((True, False), ("both", "one"), (True, False))
    programs = [
        house(
            seven_pairs=pairs,
            seven_pairs_concealed=pairs,
            concealed_with_self=both,
            four_concealed_pair_discard=discard,
        )
        for pairs, both, discard in choices
    ]
    tally = classify("random_hongkong", load("random_hongkong"), agrees, lambda case: programs)
    with capsys.disabled():
        print("\n" + "\n".join(tally.lines()))
    against = {id for id, which in tally.classes.items() if which == CONTRADICTS}
    assert against == {id for id in known_differences() if id.startswith("cons-hongkong")}
    assert tally.share(CONTRADICTS) <= 0.05
