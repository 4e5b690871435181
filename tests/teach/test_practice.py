"""Questions are answered by the engine; cards come again when they were missed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import Hand, rulesets, score
from scorer.engine import score_with
from scorer.names import LANGUAGES
from table import Ledger, Store
from teach.asking import told
from teach.cards import INTERVALS_DAYS, Card, Deck, DeckError
from teach.dealing import Club, TooRareError, deal, from_ledger, items_by_difficulty
from teach.lesson import ROUND, Lesson
from teach.questions import KINDS, AnswerError, Question, Spec, about, focuses, question
from tests.support import slow_count

EACH = slow_count(2, 30)


def questions(kind: str, ruleset: str) -> list[Question]:
    """A few of every difficulty."""
    found = []
    club = Club(ruleset)
    for difficulty in (1, 2, 3):
        rng = Random(f"{kind} {ruleset} {difficulty}")
        ids = focuses(kind, difficulty, club)
        for focus in rng.sample(ids, min(EACH, len(ids))):
            try:
                found.append(question(Spec(kind, focus, rng.randrange(999), difficulty, club)))
            except TooRareError:
                continue
    assert found
    return found


@pytest.mark.parametrize("ruleset", rulesets())
@pytest.mark.parametrize("kind", KINDS)
def test_the_right_answer_is_what_the_engine_says(kind: str, ruleset: str) -> None:
    for asked in questions(kind, ruleset):
        assert asked.check(asked.answer)
        assert question(asked.spec) == asked  # the same again from its spec
        if kind == "name":
            assert asked.tile is not None
            assert asked.tile.code == asked.answer
            assert asked.answer in asked.choices
            assert len(set(asked.choices)) == 4
        elif kind == "illegal":
            good = [not dealt.result.problems for dealt in asked.shown]
            assert good.count(False) == 1
            assert asked.choices[good.index(False)] == asked.answer
            for dealt in asked.shown:
                again = score_with(dealt.hand, dealt.situation, asked.spec.club.table)
                assert bool(again.problems) is bool(dealt.result.problems)
        elif kind == "which":
            assert asked.hand is not None
            assert asked.situation is not None
            for tile in Hand.parse(asked.answer).concealed:
                whole = Hand(asked.hand.concealed, asked.hand.melds, asked.hand.bonus, tile)
                ways = [
                    score(
                        whole,
                        asked.situation.but(
                            self_drawn=drawn, from_seat=None, events=frozenset(), robbed=False
                        ),
                        ruleset,
                    )
                    for drawn in (False, True)
                ]
                assert any(not way.problems for way in ways)
        else:
            assert asked.hand is not None
            assert asked.situation is not None
            result = score(asked.hand, asked.situation, ruleset)
            if kind == "count":
                assert int(asked.answer) == result.total
            elif kind == "wait":
                assert result.arrangement is not None
                assert result.arrangement.wait == asked.answer
            else:
                paid = sum(t.amount for t in result.transfers if t.payer == asked.payer)
                assert int(asked.answer) == paid


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_has_words_hints_and_an_explanation_in_three_languages(kind: str) -> None:
    for ruleset in ("taiwan", "hongkong", "sichuan"):
        for asked in questions(kind, ruleset):
            for language in LANGUAGES:
                words = told(asked, language)
                assert words.prompt
                assert words.answer
                assert words.hints
                assert words.explanation
                assert len(words.labels) == len(asked.choices)
                assert all(words.labels)


@pytest.mark.parametrize("said", ["", "many", "1.5", "ten"])
def test_a_word_is_no_number(said: str) -> None:
    asked = question(Spec("count", "self-drawn"))
    with pytest.raises(AnswerError, match="number"):
        asked.check(said)


def test_choices_are_answered_by_id_or_number_and_tiles_in_any_order() -> None:
    wait = question(Spec("wait", "closed"))
    assert wait.check("closed")
    assert wait.check(str(wait.choices.index("closed") + 1))
    with pytest.raises(AnswerError, match="choice"):
        wait.check("9")
    which = question(Spec("which", "2", 3))
    codes = [tile.code for tile in Hand.parse(which.answer).concealed]
    assert which.check(" ".join(reversed(codes)))
    assert not which.check(codes[0])
    with pytest.raises(AnswerError, match="tiles"):
        which.check("none")


@pytest.mark.parametrize("item", ["half-flush", "seat-flower", "three-concealed-pungs"])
def test_hands_are_dealt_by_item(item: str) -> None:
    for difficulty in (1, 2, 3):
        dealt = deal(Random(5), Club(), difficulty, item)
        assert item in dealt.result.ids()


def test_a_rare_item_is_made_from_a_hand_that_is_near() -> None:
    """All honours hardly ever turn up by themselves."""
    dealt = deal(Random(1), Club(), 3, "all-honours")
    assert "all-honours" in score(dealt.hand, dealt.situation).ids()


def test_an_item_that_cannot_be_is_said_to_be_too_rare() -> None:
    with pytest.raises(TooRareError):
        deal(Random(1), Club(), 1, "seven-flowers")
    with pytest.raises(KeyError):
        deal(Random(1), Club(), 1, "no-such-item")


def test_easy_hands_have_common_items_and_no_events() -> None:
    levels = items_by_difficulty(Club())
    assert "self-drawn" in levels[1]
    assert not set(levels[1]) & set(levels[2])
    for seed in range(20):
        dealt = deal(Random(seed), Club(), 1)
        assert not dealt.situation.events
        assert len(dealt.result.items) <= 3


def test_hands_of_the_ledger_are_those_that_were_won(tmp_path: Path) -> None:
    """The night of table/__init__: Chi, who sits West, wins 3 tai and 6 points off Bo."""
    store = Store(tmp_path / "club.sqlite")
    players = ["An", "Bo", "Chi", "Dee"]
    ledger = Ledger.start(store, "friday", {"players": players, "rules": {"id": "taiwan"}})
    hand = {"player": "Chi", "hand": "66678m11333p555z[222z]@6m"}
    ledger.add("win", {"winners": [hand], "from": "Bo"})
    ledger.add("draw", {})
    ledger.add("win", {"winners": [{"player": "An", "total": 3}], "from": "Bo"})
    [(dealt, club)] = list(from_ledger(ledger))
    assert dealt.result.total == 3
    assert dealt.situation.from_seat is not None
    asked = about(dealt, club)
    assert asked.check("3")
    store.close()


def test_a_round_asks_each_kind_and_ends_with_a_hand_to_count() -> None:
    lesson = Lesson(Club(), Random(2))
    kinds = []
    for _ in ROUND:
        asked = lesson.next(0.0)
        assert asked is not None
        kinds.append(asked.spec.kind)
        lesson.answered(asked, True, 0.0)
    assert tuple(kinds) == ROUND
    assert kinds[-1] == "count"


def test_what_was_missed_comes_before_anything_new() -> None:
    lesson = Lesson(Club(), Random(2), kinds=("name",))
    first = lesson.next(0.0)
    assert first is not None
    lesson.answered(first, False, 0.0)
    second = lesson.next(0.0)
    assert second is not None
    lesson.answered(second, True, 0.0)
    third = lesson.next(0.0)
    assert third is not None
    assert third.spec.card == first.spec.card


def test_a_card_goes_up_a_box_when_known_and_back_when_missed() -> None:
    deck = Deck()
    day = 100.0
    for box, wait in enumerate(INTERVALS_DAYS[1:], 1):
        deck = deck.answered("a", True, day)
        assert deck.cards["a"].box == box
        day = deck.cards["a"].due_day
        assert deck.next(["a"], day - wait / 2, Random(0)) is None
        assert deck.next(["a"], day, Random(0)) == "a"
    deck = deck.answered("a", False, day)
    assert deck.cards["a"] == Card(0, day, len(INTERVALS_DAYS), 1)
    assert deck.missed() == ["a"]


cards = st.builds(
    Card,
    st.integers(0, 5),
    st.floats(-(10**6), 10**6),
    st.integers(0, 9999),
    st.integers(0, 9999),
)


@given(st.dictionaries(st.text(max_size=20), cards, max_size=20))
def test_a_deck_reads_back_what_it_wrote(held: dict[str, Card]) -> None:
    assert Deck.from_json(Deck(held).to_json()) == Deck(held)


@given(
    st.dictionaries(st.sampled_from("abcdef"), cards), st.integers(0, 10**6), st.floats(0, 10**6)
)
def test_the_next_card_is_due_or_new_and_never_the_last_while_there_is_another(
    held: dict[str, Card], seed: int, day: float
) -> None:
    deck = Deck(held)
    card = deck.next("abcdef", day, Random(seed), last="a")
    # One that lies further ahead than its box lets it was answered while the clock was wrong.
    asleep = {id for id, c in held.items() if day < c.due_day <= day + INTERVALS_DAYS[c.box]}
    due = [id for id in "abcdef" if id not in asleep]
    assert card is None if not due else card in due
    if set(due) - {"a"}:
        assert card != "a"


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"form": "1"},
        {"form": 1},
        {"form": 1, "cards": {"a": [0, 0, 0]}},
        {"form": 1, "cards": {"a": [9, 0, 0, 0]}},
        {"form": 1, "cards": {"a": [0, 1e300, 0, 0]}},
        {"form": 1, "cards": {"a": [0, True, 0, 0]}},
        {"form": 1, "cards": {"a": [0, 0, -1, 0]}},
    ],
)
def test_what_is_no_deck_is_refused(data: object) -> None:
    with pytest.raises(DeckError):
        Deck.from_json(data)
