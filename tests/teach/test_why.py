"""Explanations: the tiles that are lit, the sets, the sums, the payments; in three languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from string import Formatter
from typing import Any

import pytest

from kiosk.teach_json import explain_json
from scorer import Hand, Result, Situation, Tile, Wind, find_ruleset, rulesets, score
from scorer.names import LANGUAGES, item_name, item_text
from scorer.sampling import Sample, random_tiles, winning_hand
from teach.dictionary import dictionary, look_alikes
from teach.places import shown_tiles, winning_place
from teach.repair import not_a_win
from teach.why import formula, why
from teach.winds import explained, for_seat
from teach.words import words
from tests.support import slow_count

HANDS = slow_count(60, 1000)


def certain_wins(ruleset: str) -> Iterator[tuple[Sample, Result]]:
    rng = Random(f"why {ruleset}")
    for _ in range(HANDS):
        sample = winning_hand(rng, ruleset)
        result = score(sample.hand, sample.situation, ruleset)
        if result.is_good:
            yield sample, result


@pytest.mark.parametrize("ruleset", rulesets())
def test_the_lit_tiles_are_the_tiles_that_earn_the_item(ruleset: str) -> None:
    """Each place once; the faces are those of the item, as often as the hand holds them."""
    for sample, result in certain_wins(ruleset):
        explained = why(sample.hand, sample.situation, result)
        assert explained is not None
        tiles = shown_tiles(sample.hand)
        for item, reason in zip(result.items, explained.reasons, strict=True):
            assert len(set(reason.places)) == len(reason.places)
            lit = Counter(int(tiles[place]) for place in reason.places)
            assert lit == Counter(map(int, item.tiles)) & Counter(map(int, tiles)), item.id


@pytest.mark.parametrize("ruleset", rulesets())
def test_the_sets_are_the_whole_hand_once_with_the_winning_tile_in_one(ruleset: str) -> None:
    for sample, result in certain_wins(ruleset):
        shape = result.arrangement.shape if result.arrangement else "none"
        explained = why(sample.hand, sample.situation, result)
        assert explained is not None
        if shape == "none":
            continue
        places = [place for group in explained.sets for place in group.places]
        whole = len(shown_tiles(sample.hand)) - len(sample.hand.bonus)
        assert sorted(places) == list(range(whole)), str(sample.hand)
        for group in explained.sets:
            faces = [shown_tiles(sample.hand)[place] for place in group.places]
            if group.kind in ("pung", "pair"):
                assert len(set(faces)) == 1
            elif group.kind == "chow":
                low = min(faces)
                assert sorted(faces) == [low, low + 1, low + 2]


def test_the_winning_tile_stands_in_the_set_that_it_completed() -> None:
    """66678m with 6m: it completes 678, so 666 stays concealed."""
    hand = Hand.parse("66678m11333p555z[222z]@6m")
    west = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=False, from_seat=Wind.SOUTH)
    explained = why(hand, west, score(hand, west))
    assert explained is not None
    [completed] = [group for group in explained.sets if winning_place(hand) in group.places]
    assert completed.kind == "chow"


@pytest.mark.parametrize("ruleset", rulesets())
def test_the_numbers_of_a_sum_and_of_a_payment_add_up(ruleset: str) -> None:
    """The sum is that of the items; base, tai and dealer line make the amount. Points of Hong
    Kong and of riichi are looked up, what follows them is not.
    """
    for sample, result in certain_wins(ruleset):
        explained = why(sample.hand, sample.situation, result)
        assert explained is not None
        assert sum(reason.value * reason.count for reason in explained.reasons) == (
            result.uncut if result.uncut is not None else result.total
        )
        for transfer in result.transfers:
            text = formula(transfer, "en")
            if not transfer.parts:
                assert text == ""
            elif "fu" not in dict(transfer.parts):
                after = text.partition(" points")[0] + text.partition("faan")[2]
                numbers = re.sub(r"[^\d+*() ]", "", _without_words(after).replace("×", "*"))
                assert eval(numbers) == transfer.amount, text


def _without_words(text: str) -> str:
    return re.sub(r"\([^()\d]*\)", "", text)


def test_what_is_left_out_says_why() -> None:
    """Half claimed includes pair wait and self-drawn (rules/taiwan.md)."""
    hand = Hand.parse("8p[444s][111z][555p][345m][678m]@8p")
    facts = Situation(seat=Wind.WEST, round=Wind.NORTH, self_drawn=True)
    explained = why(hand, facts, score(hand, facts))
    assert explained is not None
    reasons = {reason.id: reason.against for reason in explained.left_out}
    assert set(reasons) == {"pair-wait", "self-drawn"}
    assert all("Half claimed" in text for text in reasons.values())


def test_nothing_is_explained_that_is_not_certain() -> None:
    hand = Hand.parse("66678m11333p555z[222z]@6m")
    assert why(hand, Situation(), score(hand, Situation())) is None


def test_not_a_win_names_the_nearest_repairs() -> None:
    """123456m 33s 22z with 4s: 3s becomes 2s or 5s, or 4s becomes 3s or 2z."""
    hand = Hand.parse("123456m33s22z[111z][456p]@4s")
    facts = Situation(seat=Wind.EAST, round=Wind.EAST, self_drawn=True)
    found = not_a_win(hand, facts)
    assert found is not None
    assert found.lacks == 1
    exchanges = {(Tile(r.out[0]).code, Tile(r.into[0]).code) for r in found.repairs}
    assert exchanges == {("3s", "2s"), ("3s", "5s"), ("4s", "3s"), ("4s", "2z")}
    for repair in found.repairs:
        assert score(repair.hand, facts).total == repair.total


@pytest.mark.parametrize(
    ("text", "out", "into"),
    [
        ("123456m333s22z[111z][456p]@3s", {"3s"}, set()),
        ("123456m33s22z[111z][456p]", set(), {"3s", "2z"}),
        ("66678m11333p545z[222z]@9p", {"9p", "4z"}, None),
    ],
    ids=["a tile too many", "a tile too few", "two exchanges"],
)
def test_other_repairs(text: str, out: set[str], into: set[str] | None) -> None:
    facts = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=True)
    found = not_a_win(Hand.parse(text), facts)
    assert found is not None
    assert {Tile(t).code for r in found.repairs for t in r.out} == out
    if into is not None:
        assert {Tile(t).code for r in found.repairs for t in r.into} == into
    assert len({(r.out, r.into) for r in found.repairs}) == len(found.repairs)


def test_a_fifth_copy_is_repaired_by_one_exchange() -> None:
    """The kong holds all four 4m, so 23m can only become 123m."""
    facts = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=True)
    found = not_a_win(Hand.parse("23m456p789s111p55z[4444m]@4m"), facts)
    assert found is not None
    assert [problem.id for problem in found.result.problems] == ["fifth-copy"]
    assert [(r.out, r.into) for r in found.repairs] == [((Tile.M4,), (Tile.M1,))]


@pytest.mark.parametrize("ruleset", rulesets())
def test_whatever_tiles_there_are_nothing_raises(ruleset: str) -> None:
    """Too many tiles, five alike, tiles face down, sets that cannot be: all are explained."""
    rng = Random(f"anything {ruleset}")
    facts = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=True, dora=(), red_fives=0)
    for _ in range(slow_count(60, 1000)):
        hand = random_tiles(rng, ruleset)
        for tried in (hand, replace(hand, winning=None)):
            told = explain_json(tried, facts, ruleset, None, "en")
            assert told.keys() & {"why", "problems", "waits", "outlook", "asks"}


def test_every_item_of_every_rule_set_is_explained_in_three_languages() -> None:
    """Name and sentence: the Chinese ones in Chinese, no two languages' sentences mixed up."""
    counted = 0
    for ruleset in rulesets():
        for item in find_ruleset(ruleset).items:
            for language in LANGUAGES:
                name, text = (f(ruleset, item.id, language) for f in (item_name, item_text))
                assert name.strip(), (ruleset, item.id, language)
                assert text.strip(), (ruleset, item.id, language)
                chinese = bool(re.search(r"[\u4e00-\u9fff]", text))
                assert chinese is (language != "en"), (ruleset, item.id, language)
                counted += 1
    assert counted == 3 * sum(len(find_ruleset(ruleset).items) for ruleset in rulesets())
    assert counted >= 3 * 250


def _leaves(data: Any, path: str = "") -> dict[str, str]:
    if isinstance(data, str):
        return {path: data}
    return {k: v for key, value in data.items() for k, v in _leaves(value, f"{path}.{key}").items()}


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("file", ["", "tiles."])
def test_every_sentence_is_there_in_every_language_with_the_same_facts(
    file: str, language: str
) -> None:
    english, other = _leaves(words(f"{file}en")), _leaves(words(f"{file}{language}"))
    assert english.keys() == other.keys()
    for key, text in english.items():
        fields = [{f for _, f, _, _ in Formatter().parse(t) if f} for t in (text, other[key])]
        assert fields[0] == fields[1], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dictionary_has_every_face_and_each_bonus_tile_its_seat(language: str) -> None:
    found = dictionary(language)
    assert [entry.tile for entry in found] == [tile for tile in Tile if tile is not Tile.BACK]
    assert all(entry.tell and entry.said and entry.name for entry in found)
    seats = {entry.tile.code: entry.seat for entry in found if entry.seat is not None}
    assert seats == {f"{n}f": Wind((n - 1) % 4) for n in range(1, 9)}


def test_look_alikes_are_mutual_and_hold_those_that_readers_mixed_up() -> None:
    """faults.md: dots 4, 5, 6; 7 and 9 bamboo; 2 and 3 characters; 1 characters and red dragon."""
    for tile in Tile:
        for other in look_alikes(tile):
            assert tile in look_alikes(other)
    for a, b in (
        ("4p", "5p"),
        ("5p", "6p"),
        ("7s", "9s"),
        ("2m", "3m"),
        ("1m", "7z"),
        ("8s", "6z"),
    ):
        assert Tile.parse(b) in look_alikes(Tile.parse(a))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_winds_of_a_seat(language: str) -> None:
    """West: the third season and the third plant; chows come from South."""
    from scorer.table import table_of

    yours = for_seat(Wind.WEST, Wind.EAST, language, table_of("taiwan"))
    if language == "en":
        assert "autumn, chrysanthemum" in yours[0]
        assert yours[1].startswith("South sits before you")
    assert len(explained(language, table_of("taiwan"))) == 5
    assert len(for_seat(Wind.WEST, Wind.EAST, language, table_of("sichuan"))) == 1
