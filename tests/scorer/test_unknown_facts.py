"""A score is certain only when every fact that changes it is known."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import Fed, Hand, Problem, Situation, Tile, Wind, score, score_range
from scorer.names import LANGUAGES, problem_text, question_text, texts

KNOWN = Situation(seat=Wind.SOUTH, round=Wind.WEST, self_drawn=False, from_seat=Wind.NORTH)
WINDS = "123456m56p55s[222z][333z]@4p"
PLAIN = "123456m56p55s[111m][789s]@4p"


@pytest.mark.parametrize(
    ("text", "unknown", "span", "questions"),
    [
        (WINDS, {}, (2, 2), ()),
        (WINDS, {"seat": None, "from_seat": None}, (1, 2), ("seat",)),
        (WINDS, {"round": None}, (1, 2), ("round",)),
        # A wind that is both scores both, so one pung alone can reach 2.
        (WINDS, {"seat": None, "round": None, "from_seat": None}, (0, 2), ("seat", "round")),
        (PLAIN, {"self_drawn": None, "from_seat": None}, (0, 1), ("self_drawn",)),
        # No wind, no bonus tile: nobody's seat matters.
        (PLAIN, {"seat": None, "round": None, "from_seat": None}, (0, 0), ()),
        (PLAIN, {"unknown_events": {"last-tile"}}, (0, 1), ("event:last-tile",)),
        # The seat decides three tai, the round one: the wider question comes first.
        (WINDS + "1f2f3f5f6f7f", {"seat": None, "round": None, "from_seat": None}, (0, 4),
         ("seat", "round")),
    ],
)  # fmt: skip
def test_range_and_deciding_questions(
    text: str, unknown: dict[str, Any], span: tuple[int, int], questions: tuple[str, ...]
) -> None:
    facts = KNOWN.but(**unknown)
    hand = Hand.parse(text)
    assert score_range(hand, facts) == (*span, questions)
    result = score(hand, facts)
    assert result.certain == (span[0] == span[1])
    assert result.total == (span[0] if result.certain else None)
    assert result.range == (None if result.certain else span)


def test_who_pays_is_unknown_until_the_discarder_is_named() -> None:
    result = score(Hand.parse(PLAIN), KNOWN.but(from_seat=None))
    assert result.certain
    assert result.total == 0
    assert result.payments is None
    assert result.questions == ("from_seat",)


def test_the_same_total_for_other_reasons_is_not_certain() -> None:
    """Three tai either way: concealed and all chows on a discard, concealed three self-drawn."""
    hand = Hand.parse("123456m56p55s123s789s@4p")
    result = score(hand, KNOWN.but(self_drawn=None, from_seat=None))
    assert (result.certain, result.total, result.range) == (False, None, (3, 3))
    assert result.questions == ("self_drawn",)


def test_who_pays_is_unknown_until_the_seat_is_named() -> None:
    result = score(Hand.parse(PLAIN), KNOWN.but(seat=None))
    assert result.certain
    assert result.payments is None
    assert "seat" in result.questions


def test_an_unknown_streak_matters_between_the_dealer_and_another_only() -> None:
    unknown = KNOWN.but(streak=None)
    assert score(Hand.parse(PLAIN), unknown).payments is not None
    assert score(Hand.parse(PLAIN), unknown.but(from_seat=Wind.EAST)).payments is None


def test_the_winning_tile_may_be_unknown() -> None:
    """123456m 567p 55s: only some of the tiles end a sole wait or a chow from two sides."""
    hand = Hand.parse("123456m456p55s[111z][789s]")
    result = score(hand, KNOWN)
    assert not result.certain
    assert result.range == (0, 1)
    assert result.questions == ("winning",)


def test_a_winning_tile_that_does_not_matter_is_not_asked_for() -> None:
    result = score(Hand.parse("11223344m556677p999s"), KNOWN)
    assert result.certain
    assert result.total == 8


def test_one_tile_face_down() -> None:
    """The back can only be 3m: the score is known, the tile is still asked for."""
    hand = Hand.parse("12m456m56p55s0b[111z][789s]@4p")
    assert hand.concealed[-1] is Tile.BACK
    result = score(hand, KNOWN)
    assert not result.certain
    assert result.range == (0, 0)
    assert result.questions == ("face_down",)


def test_a_concealed_kong_face_down_is_asked_for() -> None:
    result = score(Hand.parse("123456m56p55s[789s](0b0b0b0b)@4p"), KNOWN)
    assert not result.certain
    assert result.range is not None
    assert result.range[0] < result.range[1]
    assert "face_down" in result.questions


def test_the_event_says_how_it_was_won() -> None:
    """A heavenly hand is a self-draw; a robbed kong is a win on a discard."""
    unknown = Situation(seat=Wind.EAST, round=Wind.EAST)
    heavenly = unknown.but(events=frozenset({"heavenly-hand"}))
    assert score(Hand.parse("123456m456p55s111z789s"), heavenly).certain
    robbed = KNOWN.but(self_drawn=None, robbed=True)
    assert score(Hand.parse(PLAIN), robbed).total == 1


# What cannot be true together

CLASHES = [
    ({"heavenly-hand"}, {"seat": Wind.SOUTH, "self_drawn": True, "from_seat": None},
     "event-of-dealer"),
    ({"earthly-hand"}, {"seat": Wind.EAST, "self_drawn": True, "from_seat": None},
     "event-of-others"),
    ({"human-hand"}, {"self_drawn": True, "from_seat": None}, "contradiction"),
    ({"human-hand", "last-tile"}, {}, "contradiction"),
    ({"kong-draw"}, {}, "contradiction"),
    ({"kong-draw"}, {"self_drawn": True, "from_seat": None}, "kong-draw-without-kong"),
    ({"first-round-ready"}, {}, "event-with-sets"),
    ({"first-discard-ready", "first-round-ready"}, {}, "contradiction"),
    ({"seven-flowers"}, {}, "event-bonus-count"),
    ({"eight-flowers"}, {"self_drawn": True, "from_seat": None}, "event-bonus-count"),
    ({"no-such-thing"}, {}, "unknown-event"),
    (set(), {"self_drawn": True}, "self-drawn-from"),
    (set(), {"from_seat": Wind.SOUTH}, "own-discard"),
    (set(), {"self_drawn": True, "from_seat": None, "also_won": {Wind.EAST}},
     "also-won-self-drawn"),
    ({"robbing-kong"}, {"self_drawn": True, "from_seat": None}, "contradiction"),
]  # fmt: skip


@pytest.mark.parametrize(("events", "facts", "problem"), CLASHES)
def test_facts_that_cannot_be_true_together(
    events: set[str], facts: dict[str, Any], problem: str
) -> None:
    result = score(Hand.parse(PLAIN), KNOWN.but(**facts).with_events(events))
    assert problem in [p.id for p in result.problems]
    assert result.total is None
    for language in LANGUAGES:
        assert all(p.text(language) for p in result.problems)


@pytest.mark.parametrize(
    ("sets", "replacement", "possible"),
    [
        ("(1111m)[789s]", "concealed-kong", True),
        ("(1111m)[789s]", "claimed-kong", False),
        ("(1111m)[789s]", "added-kong", False),
        ("(1111m)[789s]", "bonus", False),
        ("[1111m][789s]", "claimed-kong", True),
        ("[1111m][789s]", "added-kong", True),
        ("[1111m][789s]", "concealed-kong", False),
    ],
)
@pytest.mark.parametrize("ruleset", ["taiwan", "hongkong"])
def test_a_kong_draw_replaces_what_the_hand_holds(
    sets: str, replacement: str, possible: bool, ruleset: str
) -> None:
    """Rules of the game: the kind of kong stands beside the event, and the hand shows it."""
    tiles = "123456m56p55s" if ruleset == "taiwan" else "456m56p55s"
    drawn = KNOWN.but(self_drawn=True, from_seat=None, events={"kong-draw"})
    result = score(Hand.parse(f"{tiles}{sets}@4p"), drawn.but(replacement=replacement), ruleset)
    refused = [p.id for p in result.problems if p.id == "replacement-not-held"]
    assert refused == ([] if possible else ["replacement-not-held"])


def test_who_threw_the_tile_cannot_win_on_it_as_well() -> None:
    for ruleset, text in (("taiwan", PLAIN), ("sichuan", "123456m22p345p78p@9p")):
        result = score(Hand.parse(text), KNOWN.but(also_won={Wind.NORTH}), ruleset)
        assert [p.id for p in result.problems] == ["own-discard"]


def test_nobody_claims_from_themselves() -> None:
    """A claimed set took another player's discard (rules/README.md); nobody is then liable."""
    flush = Hand.parse("9m[234m][456m][678m][111m]@9m")
    drawn = KNOWN.but(self_drawn=True, from_seat=None)
    own = score(flush, drawn.but(fed=(Fed.parse("S:111m"),)), "hongkong")
    assert [p.id for p in own.problems] == ["fed-by-winner"]
    given = score(flush, drawn.but(fed=(Fed.parse("N:111m"),)), "hongkong")
    assert given.payments is not None
    assert given.payments[Wind.NORTH] == -sum(v for v in given.payments.values() if v > 0)


def test_nothing_at_all_is_too_few_tiles() -> None:
    assert [p.id for p in score(Hand.parse(""), KNOWN).problems] == ["too-few-tiles"]


def test_a_robbed_kong_holds_the_other_three() -> None:
    hand = Hand.parse("123m44456p55s[111z][789s]@4p")
    result = score(hand, KNOWN.but(robbed=True))
    assert "robbed-copies" in [p.id for p in result.problems]


def test_every_problem_and_question_has_a_sentence_in_three_languages() -> None:
    english = texts("common", "en")
    for language in LANGUAGES:
        words = texts("common", language)
        for section in english:
            assert set(words[section]) == set(english[section]), (language, section)
        for question in english["questions"]:
            assert question_text(question, language)
        assert "{" not in question_text("event:last-tile", language)
        assert problem_text("own-discard", {"seat": "E"}, language)


def test_problems_are_plain_data() -> None:
    problem = Problem("fifth-copy", {"tile": "5m", "count": 5})
    assert problem.to_json()["facts"] == {"tile": "5m", "count": 5}
    assert "5" in problem.text("zh-Hant")
