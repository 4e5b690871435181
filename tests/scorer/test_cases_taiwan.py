"""Worked hands of public Taiwan sources, each put into its class."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from scorer import (
    Hand,
    HouseRules,
    Result,
    Situation,
    Wind,
    pay_false_win,
    pay_total,
    score,
    waits_of,
)
from scorer.registry import preset_house
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

EVENTS = {
    "kong_draw": "kong-draw",
    "last_draw": "last-tile",
    "last_discard": "last-tile",
    "heavenly": "heavenly-hand",
    "earthly": "earthly-hand",
    "human": "human-hand",
    "heavenly_ready": "first-discard-ready",
    "earthly_ready": "first-round-ready",
    "declared_ready": "ready-declared",
    "eight_flowers_win": "eight-flowers",
    "seven_rob_one": "seven-flowers",
}
# Names that other programs give the items.
NAMES = {
    "all_chows": ["all-chows"],
    "self_draw": ["self-drawn"],
    "自摸": ["self-drawn"],
    "half_begging": ["half-claimed"],
    "heavenly_win": ["heavenly-hand"],
    "human_win": ["human-hand"],
    "earthly_ready": ["first-round-ready"],
    "flower_tile": ["seat-flower"],
    "flower_kong": ["flower-kong"],
    "last_tile_claim": ["last-tile"],
    "wind_pung": ["every-wind-pung"],
    "seat_wind_pung": ["seat-wind-pung"],
    "prevalent_wind_pung": ["round-wind-pung"],
    "dragon_pung": ["dragon-pung"],
    "concealed_kong": ["concealed-kong"],
    "out_with_replacement_tile": ["kong-draw"],
    "robbing_kong": ["robbing-kong"],
    "concealed_hand": ["concealed-hand"],
    "門清": ["concealed-hand"],
    "fully_concealed_hand": ["concealed-self-drawn"],
    "不求": ["concealed-self-drawn"],
    "eight_flowers_and_seasons": ["eight-flowers"],
    "eight_and_a_half_pairs": ["eight-pairs"],
    "full_flush": ["full-flush"],
    "half_flush": ["half-flush"],
    "single_wait": ["edge-wait", "closed-wait", "pair-wait"],
    "little_four_winds": ["little-four-winds"],
    "all_honors": ["all-honours"],
    "all_pungs": ["all-pungs"],
    "three_concealed_pungs": ["three-concealed-pungs"],
    "三暗刻": ["three-concealed-pungs"],
    "four_concealed_pungs": ["four-concealed-pungs"],
    "five_concealed_pungs": ["five-concealed-pungs"],
}


def house(**options: object) -> HouseRules:
    return HouseRules.of("taiwan", options)


HOUSES = {
    "tw-openmj-allchows-open": [house(all_chows_honours="yes")],
    "tw-openmj-half-begging": [house(half_claimed_self_drawn=True)],
    "tw-openmj-flowerkong": [
        HouseRules.of("taiwan", {"flower_kong_keeps_seat_flower": True}, {"flower-kong": 1})
    ],
    "tw-openmj-flowerkong-both": [house(flower_kong_keeps_seat_flower=True)],
    "tw-openmj-winds-each": [
        HouseRules.of(
            "taiwan",
            {"every_wind_pung": True, "every_wind_adds": True},
            {"seat-wind-pung": 0, "round-wind-pung": 0},
        )
    ],
    "tw-openmj-concealedkong": [house(concealed_kong=True)],
    "tw-openmj-halfpairs": [house(eight_pairs_concealed_hand=True)],
    "tw-openmj-halfpairs-flush": [house(eight_pairs_concealed_hand=True)],
    "tw-openmj-pinfu-12345-3": [house(all_chows_waits="any")],
    "tw-openmj-pinfu-12345-3-strict": [house(all_chows_waits="only_two_sided")],
    "tw-openmj-smallwinds": [house(winds_with_little_four=False)],
    "tw-openmj-allhonors-excl": [house(all_honours_stacks=False)],
    "tw-openmj-earthlyready-excl": [house(first_round_ready_concealed_hand=False)],
    "tw-openmj-eightflowers-compound": [house(flower_completes=False, flower_wins="hand")],
    "tw-openmj-eightflowers-alone": [house(flower_wins="standalone")],
    "tw-openmj-pay-liability-self": [house(base=5, liability="big_hands")],
    "tw-lanya-H09": [house(eight_pairs=False)],
    "tw-wikibooks-falsehu": [house(false_win=8)],
}


def houses(case: Case) -> Iterable[HouseRules]:
    yield from HOUSES.get(case["id"], ())
    stake = {"base 5": 5, "base 1,": 1, "base 30": 30, "30/10": 30}
    for words, base in stake.items():
        if words in case["variant"]:
            limit = flags_of(case).get("cap")
            options: dict[str, object] = {"limit": int(limit)} if limit else {}
            yield house(base=base, tai_value=10 if base == 30 else 1, **options)


def agrees(case: Case, rules: HouseRules | None) -> bool:
    flags = flags_of(case)
    if "payment_only" in flags:
        return _pays(case, rules)
    if "dealer_tai_only" in flags:
        facts = Situation(
            seat=Wind.EAST, round=Wind.EAST, self_drawn=True, streak=int(flags["streak"])
        )
        return bool(pay_total(0, facts, house=rules).dealer_line == case["expected_total"])
    if case.get("expected_waits") is not None and "waits_only" in flags:
        found = waits_of(hand_of(case), house=rules)
        return bool([tile.code for tile in found] == case["expected_waits"])
    result = _scored(case, rules)
    if "structure_only" in flags:
        complete = result.total is not None or result.range is not None
        return bool(complete == case["expected_win"])
    return not result.problems and _totals(case, result) and _names(case, result)


def _scored(case: Case, rules: HouseRules | None) -> Result:
    facts = situation_of(case, EVENTS)
    return score(hand_of(case), facts, "taiwan", rules)


def _totals(case: Case, result: Result) -> bool:
    total, dealer = case["expected_total"], case.get("expected_dealer_tai")
    return (total is None or total == result.total) and dealer in (None, result.dealer_line)


def _names(case: Case, result: Result) -> bool:
    ids = set(result.ids())
    asserts = case.get("asserts") or {"must_include": [], "must_exclude": []}
    wanted = [name for name in asserts["must_include"] if name not in ("莊家", "five_kongs")]
    included = all(ids & set(NAMES[name]) for name in wanted)
    excluded = asserts["must_exclude"]
    if "莊家" in asserts["must_include"] and not result.dealer_line:
        return False
    return included and not any(ids & set(NAMES.get(name, ())) for name in excluded)


def _pays(case: Case, rules: HouseRules | None) -> bool:
    flags, expected = flags_of(case), case["expected_payments"]
    if "false_hu" in flags:
        paid = pay_false_win(Wind.SOUTH, "taiwan", rules)
        claimed = int(flags["claimed_tai"])
        return paid is not None and all(t.amount == 3 + claimed for t in paid.transfers)
    if expected.get("winner") == "3 bases + 10 tai":
        expected = {"winner": 3 * 3 + 10}
    winner, giver, dealer = _seats(case)
    facts = Situation(
        seat=winner,
        round=Wind.EAST,
        self_drawn=giver is None,
        from_seat=giver,
        dealer=dealer,
        streak=int(flags.get("streak", 0)),
    )
    hand = Hand(())
    if "liable" in flags:
        hand = Hand.parse("[555z][666z][777z]")
        facts = facts.but(fed=fed_of(hand.melds, Wind(int(flags["liable"]))))
    found = pay_total(int(flags["tai"]), facts, "taiwan", rules, hand).payments
    return found is not None and matches_payments(expected, found, winner, giver, dealer)


def _seats(case: Case) -> tuple[Wind, Wind | None, Wind]:
    """Winner, discarder and dealer of a payment case; the dealer is East."""
    flags, expected = flags_of(case), case["expected_payments"]
    numbered = {Wind(int(key)): value for key, value in expected.items() if key.isdigit()}
    if numbered:
        winner = max(numbered, key=numbered.__getitem__)
        giver = min(numbered, key=numbered.__getitem__)
    else:
        winner = Wind.EAST if flags.get("winner") == "dealer" else Wind.SOUTH
        giver = Wind.EAST if flags.get("from") == "dealer" else Wind.NORTH
    return winner, None if case["win_by"] == "self" else giver, Wind.EAST


def test_worked_hands_of_taiwan_sources(capsys: pytest.CaptureFixture[str]) -> None:
    """Every case agrees, agrees under its source's house rules, or is a known difference."""
    tally = classify("taiwan", load("taiwan"), agrees, houses)
    with capsys.disabled():
        print("\n" + "\n".join(tally.lines()))
    against = {id for id, which in tally.classes.items() if which == CONTRADICTS}
    assert against <= known_differences()
    assert tally.share(CONTRADICTS) <= 0.05


def test_random_hands_on_which_other_programs_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """Other programs' totals come out, under the house rules that they share."""
    cases = load("random_taiwan")
    programs = [
        house(half_claimed=False),
        house(half_claimed_self_drawn=True),
        house(winds_with_little_four=False),
    ]
    tally = classify("random_taiwan", cases, agrees, lambda case: programs)
    with capsys.disabled():
        print("\n" + "\n".join(tally.lines()))
    against = {id for id, which in tally.classes.items() if which == CONTRADICTS}
    assert against <= known_differences()
    assert tally.share(CONTRADICTS) <= 0.05


def test_no_known_difference_is_out_of_date() -> None:
    """A case that has come to agree is taken off the list."""
    still = set()
    for name in ("taiwan", "random_taiwan"):
        tally = classify(name, load(name), agrees, houses)
        still |= {id for id, which in tally.classes.items() if which == CONTRADICTS}
    listed = {id for id in known_differences() if id.startswith(("tw-", "cons-taiwan"))}
    assert listed <= still


def test_presets_read_the_two_tables() -> None:
    """The presets are the two sources to the letter."""
    assert preset_house("taiwan-a")["all_chows_waits"] == "no_edge_pair"
    assert preset_house("taiwan-b")["kong_draw_payer"] == "no_item"
