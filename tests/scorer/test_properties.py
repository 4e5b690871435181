"""What must hold for every hand, over random ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import (
    Fed,
    Hand,
    HouseRules,
    Meld,
    Situation,
    Tile,
    Wind,
    find_ruleset,
    presets,
    rulesets,
    score,
    score_range,
)
from scorer.legality import events_of
from scorer.names import LANGUAGES
from scorer.registry import preset_house
from scorer.sampling import TOO_LITTLE, Sample, other_hand, random_tiles, waiting_hand, winning_hand
from scorer.situation import REPLACEMENTS
from scorer.table import table_of
from tests.scorer import brute
from tests.support import slow_count

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
ALL = (*rulesets(), *presets())
# Items that name a suit, so that renaming suits may change them.
OF_A_SUIT = {"all-green", "reversible-tiles"}
# Options that switch on one more item: (rule set, option).
OPTIONAL = [
    (id, item.option)
    for id in rulesets()
    for item in find_ruleset(id).items
    if item.option
    and not item.option.startswith("!")
    and "=" not in item.option
    and [i.option for i in find_ruleset(id).items].count(item.option) == 1
    and next(o for o in find_ruleset(id).options if o.name == item.option).default is False
]


def cases(quick: int, full: int, ruleset: str = "") -> settings:
    """So many examples; a preset, whose rule set has its own, takes a fifth of them."""
    share = 5 if ruleset in presets() else 1
    count = slow_count(quick, full) // share
    return settings(max_examples=count, deadline=None, database=None)


def sample(seed: int, ruleset: str) -> Sample:
    return winning_hand(Random(seed), ruleset)


def renamed(hand: Hand, order: list[int]) -> Hand:
    """The hand with its suits renamed."""

    def other(tile: Tile) -> Tile:
        return Tile(order[tile // 9] * 9 + tile % 9) if tile < 27 else tile

    melds = tuple(Meld(m.kind, tuple(map(other, m.tiles))) for m in hand.melds)
    winning = None if hand.winning is None else other(hand.winning)
    return Hand(tuple(map(other, hand.concealed)), melds, hand.bonus, winning)


@pytest.mark.parametrize("ruleset", ALL)
def test_sampled_hands_are_won(ruleset: str) -> None:
    @cases(60, 600, ruleset)
    @given(SEEDS)
    def run(seed: int) -> None:
        drawn = sample(seed, ruleset)
        result = score(drawn.hand, drawn.situation, ruleset)
        assert result.certain
        assert {p.id for p in result.problems} <= TOO_LITTLE

    run()


@pytest.mark.parametrize("ruleset", ALL)
def test_payments_sum_to_zero(ruleset: str) -> None:
    @cases(60, 600, ruleset)
    @given(SEEDS)
    def run(seed: int) -> None:
        drawn = sample(seed, ruleset)
        result = score(drawn.hand, drawn.situation, ruleset)
        if result.payments is not None:
            assert sum(result.payments.values()) == 0
            assert result.payments[drawn.situation.seat or Wind.EAST] >= 0

    run()


@cases(200, 2000)
@given(SEEDS)
def test_hand_text_round_trips(seed: int) -> None:
    rng = Random(seed)
    for hand in (winning_hand(rng).hand, random_tiles(rng), waiting_hand(rng).hand):
        again = Hand.parse(str(hand))
        assert str(again) == str(hand)
        assert again == hand


@pytest.mark.parametrize("ruleset", ALL)
def test_order_of_tiles_and_melds_changes_nothing(ruleset: str) -> None:
    @cases(40, 400, ruleset)
    @given(SEEDS)
    def run(seed: int) -> None:
        drawn = sample(seed, ruleset)
        rng = Random(seed)
        hand = drawn.hand
        loose, melds, bonus = list(hand.concealed), list(hand.melds), list(hand.bonus)
        for part in (loose, melds, bonus):
            rng.shuffle(part)
        mixed = Hand(tuple(loose), tuple(melds), tuple(bonus), hand.winning)
        a = score(hand, drawn.situation, ruleset)
        b = score(mixed, drawn.situation, ruleset)
        assert (a.total, sorted(a.ids()), a.payments) == (b.total, sorted(b.ids()), b.payments)

    run()


@pytest.mark.parametrize("ruleset", ALL)
def test_renaming_suits_changes_nothing(ruleset: str) -> None:
    @cases(40, 400, ruleset)
    @given(SEEDS, st.permutations([0, 1, 2]))
    def run(seed: int, order: list[int]) -> None:
        drawn = sample(seed, ruleset)
        facts = drawn.situation
        if facts.missing_suit:
            facts = facts.but(missing_suit="mps"[order["mps".index(facts.missing_suit)]])
        if facts.dora:
            facts = facts.but(dora=renamed(Hand(facts.dora), order).concealed)
        fed = [Fed(f.seat, tuple(renamed(Hand(f.tiles), order).concealed)) for f in facts.fed]
        a = score(drawn.hand, drawn.situation, ruleset)
        b = score(renamed(drawn.hand, order), facts.but(fed=tuple(fed)), ruleset)
        if not OF_A_SUIT & {*a.ids(), *b.ids()}:
            assert (a.total, a.payments) == (b.total, b.payments)

    run()


@pytest.mark.parametrize(("ruleset", "option"), OPTIONAL)
def test_an_optional_item_never_lowers_the_total(ruleset: str, option: str) -> None:
    @cases(40, 400, ruleset)
    @given(SEEDS)
    def run(seed: int) -> None:
        drawn = sample(seed, ruleset)
        with_item = HouseRules.of(ruleset, {option: True})
        a = score(drawn.hand, drawn.situation, ruleset)
        b = score(drawn.hand, drawn.situation, ruleset, with_item)
        assert a.total is not None
        assert b.total is not None
        assert b.total >= a.total

    run()


@cases(150, 1500)
@given(SEEDS)
def test_best_arrangement_is_that_of_a_plain_search(seed: int) -> None:
    """A second scorer, which shares no code with the first, finds the same total."""
    drawn = sample(seed, "taiwan")
    facts = drawn.situation.but(events=frozenset(), robbed=False)
    result = score(drawn.hand, facts)
    assert result.total == brute.total(drawn.hand, facts), str(drawn.hand)


@pytest.mark.parametrize("ruleset", ALL)
def test_the_range_holds_the_true_total(ruleset: str) -> None:
    @cases(25, 250, ruleset)
    @given(SEEDS)
    def run(seed: int) -> None:
        drawn = sample(seed, ruleset)
        rng = Random(seed)
        known = score(drawn.hand, drawn.situation, ruleset)
        assert known.total is not None
        blank: dict[str, None] = {}
        for fact in ("seat", "round", "self_drawn"):
            if rng.random() < 0.5:
                blank[fact] = None
        facts = drawn.situation.but(**blank)
        if "self_drawn" in blank:
            facts = facts.but(from_seat=None)
        result = score(drawn.hand, facts, ruleset)
        span = score_range(drawn.hand, facts, ruleset)
        assert span is not None
        assert span[0] <= known.total <= span[1]
        assert result.certain == (span[0] == span[1] and result.total is not None)
        if not result.certain:
            assert result.total is None
            assert result.questions

    run()


@pytest.mark.parametrize("ruleset", ALL)
def test_any_tiles_give_a_result(ruleset: str) -> None:
    """Nothing raises, and a hand that is not good says why."""
    rng = Random(ruleset)
    for _ in range(slow_count(1000, 20_000) // (1 if ruleset == "taiwan" else 5)):
        hand = random_tiles(rng, find_ruleset(ruleset).id)
        facts = Situation(
            seat=rng.choice([None, *Wind]),
            round=rng.choice([None, *Wind]),
            self_drawn=rng.choice([None, True, False]),
            from_seat=rng.choice([None, None, *Wind]),
        )
        result = score(hand, facts, ruleset)
        assert result.certain or result.problems or result.questions
        assert isinstance(result.to_json(), dict)


def any_facts(rng: Random, hand: Hand, ruleset: str) -> Situation:
    """Facts drawn without looking whether they can be true together."""
    seats = [None, *Wind]
    known = sorted(events_of(table_of(ruleset)))
    return Situation(
        seat=rng.choice(seats),
        round=rng.choice(seats),
        self_drawn=rng.choice([None, True, False]),
        from_seat=rng.choice(seats),
        robbed=rng.random() < 0.1,
        dealer=rng.choice(seats),
        streak=rng.choice([None, 0, 3]),
        events=frozenset(rng.sample([*known, "no-such-event"], rng.choice((0, 1, 1, 2)))),
        unknown_events=frozenset(rng.sample(known, rng.choice((0, 0, 1)))),
        replacement=rng.choice([None, *REPLACEMENTS]),
        missing_suit=rng.choice([None, "m", "p", "s"]),
        already_won=frozenset(rng.sample(list(Wind), rng.choice((0, 0, 1)))),
        also_won=frozenset(rng.sample(list(Wind), rng.choice((0, 0, 1)))),
        fed=tuple(Fed(rng.choice(list(Wind)), meld.tiles) for meld in hand.melds),
        wall_left=rng.choice([None, 0, 3, 50]),
        seen=rng.choice([None, True, False]),
    )


@pytest.mark.parametrize("ruleset", rulesets())
def test_any_facts_give_a_result(ruleset: str) -> None:
    """However odd the facts, there is an answer, and what is paid sums to zero."""
    rng = Random(ruleset)
    for _ in range(slow_count(60, 1000)):
        make = rng.choice((winning_hand, waiting_hand))
        hand = make(rng, ruleset).hand
        result = score(hand, any_facts(rng, hand, ruleset), ruleset)
        assert result.certain or result.problems or result.questions
        assert result.payments is None or sum(result.payments.values()) == 0
        for problem in result.problems:
            assert all(problem.text(language) for language in LANGUAGES)


@pytest.mark.parametrize("ruleset", rulesets())
def test_hands_that_are_not_complete_name_their_repairs(ruleset: str) -> None:
    """Every repair that is named makes the hand complete."""
    rng = Random(ruleset)
    for _ in range(slow_count(10, 100)):
        drawn = other_hand(rng, ruleset, exchanged=1)
        [problem] = score(drawn.hand, drawn.situation, ruleset).problems
        assert problem.id == "not-complete"
        for repair in problem.facts["repairs"]:
            tiles = [*drawn.hand.concealed, drawn.hand.winning]
            tiles.remove(Tile.parse(repair["out"]))
            for code in repair["in"]:
                fixed = replace(
                    drawn.hand, concealed=tuple(t for t in tiles if t), winning=Tile.parse(code)
                )
                ids = {p.id for p in score(fixed, drawn.situation, ruleset).problems}
                assert "not-complete" not in ids


@pytest.mark.parametrize("preset", ALL)
def test_presets_are_valid_house_rules(preset: str) -> None:
    house = preset_house(preset)
    assert HouseRules.of(house.ruleset, dict(house.options), dict(house.values)) == replace(
        house, title=""
    )
