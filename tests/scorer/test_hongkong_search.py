"""Searches of the Hong Kong tables: the best arrangement, and the cheapest ways to the minimum."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from scorer import Hand, HouseRuleError, HouseRules, Situation, Wind, find_ruleset, score
from scorer.names import LANGUAGES
from scorer.sampling import winning_hand
from scorer.shortfall import cheapest_ways
from scorer.table import table_of
from tests.scorer import brute_hongkong
from tests.scorer.test_properties import SEEDS, cases
from tests.support import slow_count

TABLES = ("hongkong", "hongkong-digital")
WON = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=False, from_seat=Wind.WEST)


@pytest.mark.parametrize("ruleset", TABLES)
def test_best_arrangement_is_that_of_a_plain_search(ruleset: str) -> None:
    """A second scorer, which shares no code with the first, finds the same total."""

    @cases(150, 1500)
    @given(SEEDS)
    def run(seed: int) -> None:
        drawn = winning_hand(Random(seed), ruleset)
        facts = drawn.situation.but(events=frozenset(), robbed=False)
        result = score(drawn.hand, facts, ruleset)
        assert result.total == brute_hongkong.total(drawn.hand, facts, ruleset), str(drawn.hand)

    run()


@pytest.mark.parametrize("ruleset", TABLES)
@pytest.mark.parametrize(
    "text",
    [
        "19m19p19s1234567z@7z",
        "1112345678999m@5m",
        "1122335566778m@8m 1f",
        "1122334455667z@7z",
        "1199m1199p1199s1z@1z",
        "7z[111z][222z][333z][444z]@7z",
        "5s(1111m)[9999m][1111p](9999p)@5s",
        "111m222p333s44z55m@4z",
    ],
)
def test_the_plain_search_on_rare_hands(text: str, ruleset: str) -> None:
    for facts in (WON, WON.but(self_drawn=True, from_seat=None)):
        result = score(Hand.parse(text), facts, ruleset)
        if result.total is None:
            # Seven pairs, which only the digital table always plays.
            assert [problem.id for problem in result.problems] == ["not-complete"]
            continue
        assert result.total == brute_hongkong.total(Hand.parse(text), facts, ruleset)


def any_house(rng: Random, ruleset: str) -> HouseRules:
    """Random house rules that can go together."""
    while True:
        options: dict[str, object] = {}
        for option in find_ruleset(ruleset).options:
            if rng.random() < 0.5:
                continue
            if isinstance(option.default, bool):
                options[option.name] = rng.random() < 0.5
            elif option.choices:
                options[option.name] = rng.choice(option.choices)
            else:
                options[option.name] = rng.choice((0, 1, 3, 7, 13, 40, "none"))
        try:
            return HouseRules.of(ruleset, options)
        except HouseRuleError:
            continue


@pytest.mark.parametrize("ruleset", TABLES)
def test_any_house_rules_give_a_score(ruleset: str) -> None:
    """Totals stay within the limit, the minimum is kept, payments sum to zero."""

    @cases(60, 600)
    @given(SEEDS)
    def run(seed: int) -> None:
        rng = Random(seed)
        rules = any_house(rng, ruleset)
        drawn = winning_hand(rng, ruleset)
        hand = drawn.hand
        if not rules["flowers"]:
            hand = Hand(hand.concealed, hand.melds, (), hand.winning)
        result = score(hand, drawn.situation.but(events=frozenset(), robbed=False), ruleset, rules)
        assert result.total is not None
        limit = rules["limit_faan"]
        assert limit is None or (isinstance(limit, int) and result.total <= limit)
        minimum = rules["minimum_faan"]
        assert isinstance(minimum, int)
        assert result.total >= minimum or not result.is_good
        assert result.uncut is not None
        assert result.uncut == sum(item.total for item in result.items)
        if result.payments is not None:
            assert sum(result.payments.values()) == 0

    run()


# Below the minimum


def ways(text: str, facts: Situation = WON, **options: object) -> list[dict[str, object]]:
    rules = HouseRules.of("hongkong", options)
    [problem] = score(Hand.parse(text), facts, "hongkong", rules).problems
    assert problem.id == "below-minimum"
    found = problem.facts["ways"]
    assert isinstance(found, list)
    return found


def said(way: dict[str, object]) -> list[str]:
    changes = way["changes"]
    assert isinstance(changes, list)
    return [change["id"] for change in changes]


def test_two_faan_are_saved_by_one_change() -> None:
    """All chows and no flowers are 2: self-drawn or with nothing claimed there are 3."""
    found = ways("8m456p123456s[123p]@8m")
    assert ["self-drawn"] in [said(way) for way in found]
    assert ["not-claimed"] in [said(way) for way in found]
    assert all(way["total"] == 3 for way in found)


def test_a_self_drawn_hand_is_not_told_to_draw() -> None:
    """Self-drawn and all chows are 2, with a bonus tile of East: without it there are 3."""
    found = ways("8m456p123456s[123p]@8m 1f", WON.but(self_drawn=True, from_seat=None))
    assert all("self-drawn" not in said(way) for way in found)
    assert ["no-bonus"] in [said(way) for way in found]


def test_an_exchange_of_tiles_in_one_set() -> None:
    """A pung in place of the only chow takes two tiles and makes all pungs, 3 faan."""
    found = ways("456m9p[111m][222p][333s]@9p 1f")
    assert [way["hand"] for way in found] == [
        f"{face * 3}m9p[111m][222p][333s]@9p 1f" for face in "456"
    ]
    assert {(said(way)[0], way["total"]) for way in found} == {("exchange", 3)}


@pytest.mark.parametrize("need", [3, 4, 6])
def test_every_way_is_a_win_and_no_cheaper_one_is_left_out(need: int) -> None:
    """The named hand, scored as the change says, reaches the minimum."""
    rng = Random(f"ways {need}")
    rules = HouseRules.of("hongkong", {"minimum_faan": need})
    table = table_of("hongkong", rules)
    tried = 0
    while tried < slow_count(5, 80):
        drawn = winning_hand(rng, "hongkong")
        facts = drawn.situation
        result = score(drawn.hand, facts, "hongkong", rules)
        if [problem.id for problem in result.problems] != ["below-minimum"]:
            continue
        tried += 1
        for way in cheapest_ways(drawn.hand, facts, table):
            hand = Hand.parse(way["hand"])
            if any(change["id"] == "self-drawn" for change in way["changes"]):
                facts = facts.but(self_drawn=True, from_seat=None)
            else:
                facts = drawn.situation
            again = score(hand, facts, "hongkong", rules)
            assert again.is_good
            assert again.total == way["total"]
            if not drawn.situation.self_drawn and not drawn.situation.events:
                alone = drawn.situation.but(self_drawn=True, from_seat=None)
                if score(drawn.hand, alone, "hongkong", rules).is_good:
                    assert len(way["changes"]) == 1


def test_a_hand_far_from_the_minimum_has_no_cheap_way() -> None:
    assert ways("123456m1239p[555s]@9p 1f", minimum_faan=13) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shortfall_is_told_in_words(language: str) -> None:
    [problem] = score(Hand.parse("8m456p123456s[123p]@8m"), WON, "hongkong").problems
    text = problem.text(language)
    assert "2" in text
    assert "3" in text
    assert {"en": "self-drawn", "zh-Hant": "自摸", "zh-Hans": "自摸"}[language] in text
    assert problem.to_json()["facts"] == dict(problem.facts)


def test_more_open_facts_than_can_be_tried_are_asked_and_not_guessed() -> None:
    """A tile face down, nothing known and four events open: no score, and no range either."""
    events = frozenset({"last-tile", "kong-draw", "double-kong", "robbing-kong"})
    hand = Hand.parse("123456789m12p99s0b")
    result = score(hand, Situation(unknown_events=events), "hongkong")
    assert not result.certain
    assert result.range is None
    assert {"seat", "round", "self_drawn", "winning", "face_down"} <= set(result.questions)


def test_far_too_many_tiles_with_nothing_known_are_named() -> None:
    result = score(Hand.parse("123456789m123456789p123456789s12z0b"), Situation(), "hongkong")
    assert "too-many-tiles" in {problem.id for problem in result.problems}
