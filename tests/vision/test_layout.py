"""Every way of laying a hand down that was seen on real tables; where nothing tells, a doubt."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from scorer.engine import score
from scorer.hand import Hand
from scorer.sampling import winning_hand
from scorer.situation import Situation
from scorer.winds import EAST, SOUTH
from tests.support import slow_count
from tests.vision.tables import Laid, Table, is_right, laid_of, lay
from vision.belongs import FACE_DOWN, FACING_AWAY
from vision.decode import decode
from vision.detections import BACK
from vision.layout import BELONGS, CLAIMED, KONG, WINNING, layout
from vision.reading import Reading

KNOWN = Situation(seat=SOUTH, round=EAST, self_drawn=True)

HOLDS = "123m456p77s22z[123s][555z]@2z 1f6f"


def reading_of(laid: Laid, sets: int = 5, rules: str = "taiwan") -> Reading:
    return decode(layout(laid.detections, sets), rules, KNOWN)


def text_of(text: str, seed: int = 1, **how: object) -> str:
    return reading_of(lay(Random(seed), Hand.parse(text), **how)).text  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("winning", ["turned", "sideways", "apart", "in-front"])
@pytest.mark.parametrize("bonus", ["left", "behind", "own-left", "between"])
def test_winning_tile_and_bonus_tiles_wherever_they_lie(
    winning: str, bonus: str, seed: int
) -> None:
    found = text_of(HOLDS, seed, winning=winning, bonus=bonus)
    assert found == str(Hand.parse(HOLDS))


@pytest.mark.parametrize("roll", [-45, -13, 20, 60, 180])
def test_the_hand_is_read_however_the_picture_is_turned(roll: float) -> None:
    assert text_of(HOLDS, roll_deg=roll) == str(Hand.parse(HOLDS))


def test_exposed_sets_in_front_of_the_standing_hand() -> None:
    assert text_of(HOLDS, exposed="in-front") == str(Hand.parse(HOLDS))


def test_a_kong_with_tiles_face_down_is_concealed_and_sure() -> None:
    text = "123m456p77s22z(8888p)[555z]@2z"
    laid = lay(Random(2), Hand.parse(text), kongs_down=True)
    reading = reading_of(laid)
    assert reading.text == str(Hand.parse(text))
    assert KONG not in reading.layout.doubts
    assert "concealed-kong" in {group.kind for group in reading.groups}


def test_a_kong_lying_face_up_is_asked_about() -> None:
    text = "123m456p77744s22z(8888p)@2z"
    reading = reading_of(lay(Random(2), Hand.parse(text), kongs_down=False))
    assert KONG in reading.layout.doubts
    question = next(q for q in reading.questions if q.id == "kong")
    assert {answer.value for answer in question.answers} == {"none", "(8888p)"}
    assert not reading.certain
    assert reading.total is None


def test_walls_discards_and_the_next_players_sets_are_not_of_the_hand() -> None:
    laid = lay(Random(4), Hand.parse(HOLDS), strangers=True)
    reading = reading_of(laid)
    assert reading.text == str(Hand.parse(HOLDS))
    strangers = {i for i, own in enumerate(laid.own) if not own}
    assert set(reading.layout.others) == strangers
    wall = {i for i in strangers if laid.detections.faces[i] == BACK}
    assert {reading.layout.others[i] for i in wall} == {FACE_DOWN}
    assert all(reading.layout.others[i] for i in strangers)


def test_a_lone_wind_beside_a_full_hand_is_no_tile_of_it() -> None:
    table = Table()
    for k, face in enumerate((0, 1, 2, 9, 10, 11, 18, 19, 20, 21, 22, 23, 27, 27)):
        table.put(face, 1.02 * k, 0.0)
    table.put(30, 17.5, 2.0, own=False)
    reading = reading_of(laid_of(Random(1), table), sets=4)
    assert len(reading.layout.hand) == 14
    (stranger,) = reading.layout.others
    assert reading.layout.detections.faces[stranger] == 30


def test_sets_laid_apart_do_not_say_which_were_claimed() -> None:
    """Some lay every set with a gap, the concealed ones too: then it must be asked."""
    table = Table()
    x = 0.0
    for group in ((0, 1, 2), (9, 9, 9), (18, 19, 20), (31, 31, 31), (22, 23, 24), (5, 5)):
        for face in group:
            table.put(face, x, 0.0)
            x += 1.02
        x += 0.6
    reading = reading_of(laid_of(Random(1), table))
    assert CLAIMED in reading.layout.doubts
    claimed = next(q for q in reading.questions if q.id == "claimed")
    assert len({answer.range for answer in claimed.answers}) > 1
    assert not reading.certain


def test_gaps_in_the_own_row_mean_nothing_with_claimed_sets_behind_it() -> None:
    table = Table()
    for k, face in enumerate((0, 1, 2, 9, 10, 11, 18, 19, 20, 27, 27)):
        table.put(face, 1.02 * k + (0.7 if k > 2 else 0) + (0.5 if k > 7 else 0), 0.0)
    for k, face in enumerate((31, 31, 31, 3, 4, 5)):
        table.put(face, 2 + 1.02 * k, 2.2)
    found = layout(laid_of(Random(1), table).detections, 5)
    assert len(found.exposed) == 2
    assert CLAIMED not in found.doubts


def test_a_bonus_tile_a_little_off_is_asked_about_not_dropped() -> None:
    table = Table()
    for k, face in enumerate((0, 1, 2, 9, 10, 11, 18, 19, 20, 21, 22, 23, 3, 4, 5, 27, 27)):
        table.put(face, 1.02 * k, 0.0)
    table.put(36, 8.0, 7.0)
    reading = reading_of(laid_of(Random(1), table))
    assert BELONGS in reading.layout.doubts
    assert not reading.certain


def row_of(table: Table, text: str, x: float, y: float, **how: bool) -> None:
    """Lay the tiles of a hand text side by side from `x` on."""
    for k, face in enumerate(Hand.parse(text).tiles):
        table.put(face, x + 1.02 * k, y, **how)


def test_the_winning_tile_at_the_end_of_a_second_row() -> None:
    table = Table()
    row_of(table, "123m456m11p", 0, 0)
    row_of(table, "222z333z44z", 0, 1.6)
    table.put(30, 9.0, 1.6)
    reading = reading_of(laid_of(Random(1), table))
    assert reading.text == str(Hand.parse("123456m11p22233344z@4z"))


def test_one_concealed_tile_and_the_winning_tile_in_front_of_five_sets() -> None:
    table = Table()
    row_of(table, "123m456m789m222z333z", 0, 0)
    table.put(13, 5.0, -1.5)
    table.put(13, 5.4, -3.6)
    reading = reading_of(laid_of(Random(1), table))
    assert reading.text == str(Hand.parse("5p[123m][456m][789m][222z][333z]@5p"))


def test_a_discard_in_line_with_the_bonus_tiles_is_not_of_the_hand() -> None:
    table = Table()
    row_of(table, "123456789m123p111s33z", 0, 0)
    for x, face in ((3.0, 34), (4.02, 35), (6.2, 5)):
        table.put(face, x, 2.3, own=x < 6)
    found = layout(laid_of(Random(1), table).detections, 5)
    assert len(found.bonus) == 2
    assert len(found.hand) == 17
    assert len(found.others) == 1


def test_four_alike_are_a_kong_beside_a_turned_winning_tile_too() -> None:
    table = Table()
    row_of(table, "123456789m8888p111s3z", 0, 0)
    table.put(29, 18.2, 0.0, 30)
    found = layout(laid_of(Random(1), table).detections, 5)
    assert [len(tiles) for tiles in found.exposed] == [4]
    assert found.winning is not None
    assert KONG in found.doubts


def test_two_places_for_the_winning_tile_are_no_doubt_when_both_tiles_are_alike() -> None:
    table = Table()
    row_of(table, "123456789m111222z", 0, 0)
    table.put(30, 16.0, 0.0)
    table.put(30, 10.0, -1.9, 30)
    reading = reading_of(laid_of(Random(1), table))
    assert reading.text == str(Hand.parse("123456789m1112224z@4z"))
    assert WINNING not in reading.layout.doubts


def test_every_tile_has_exactly_one_place() -> None:
    for seed in range(slow_count(20, 200)):
        rng = Random(seed)
        hand = winning_hand(rng).hand
        found = layout(lay(rng, hand, strangers=True).detections, 5)
        placed = [*found.hand, *found.bonus, *found.others]
        assert sorted(placed) == list(range(len(found.detections)))


def test_tables_with_known_hands() -> None:
    """95 % exact or with the right doubt; of hands shown as certain every one right."""
    tables = slow_count(100, 2000)
    right, certain, ways = 0, 0, Counter[str]()
    for seed in range(tables):
        rng = Random(seed)
        sample = winning_hand(rng)
        laid = lay(
            rng,
            sample.hand,
            exposed=rng.choice(("behind", "behind", "behind", "in-front")),
            winning=rng.choice(("turned", "sideways", "apart", "in-front", "among")),
            bonus=rng.choice(("left", "behind", "own-left", "between")),
            strangers=rng.random() < 0.4,
            kongs_down=rng.random() < 0.7,
            upside_down=rng.choice((0.0, 0.0, 0.1)),
        )
        situation = sample.situation.but(events=frozenset(), robbed=False)
        reading = decode(layout(laid.detections, 5), "taiwan", situation)
        good = is_right(reading, laid.hand)
        right += good
        ways["wrong" if not good else "right"] += 1
        if reading.certain:
            certain += 1
            assert reading.total == score(laid.hand, situation).total, (seed, reading.text)
    assert right >= 0.95 * tables, ways
    assert certain >= 0.5 * tables


def hand_before(table: Table) -> None:
    """A concealed part of eleven tiles with the winning one turned at its right, sets behind it."""
    for k, face in enumerate((0, 1, 2, 12, 13, 14, 24, 24, 28, 28)):
        table.put(face, 1.02 * k, 0.0)
    table.put(28, 11.0, 0.0, 30)
    for k, face in enumerate((3, 4, 5, 31, 31, 31)):
        table.put(face, 1.02 * k, 1.6 * 1.35)


def test_tiles_on_their_sides_one_behind_another_are_another_players() -> None:
    table = Table()
    hand_before(table)
    for k in range(3):
        table.put(20, 14.0, 0.7 + 1.02 * k, -90, own=False)
    reading = reading_of(laid_of(Random(1), table))
    assert reading.text == "123m456p77s22z[456m][777z]@2z"
    assert list(reading.layout.others.values()) == [FACING_AWAY] * 3


def test_a_hand_many_of_whose_tiles_lie_upside_down_is_read_from_the_players_side() -> None:
    for seed in range(6):
        table = Table()
        hand_before(table)
        upside_down = laid_of(Random(seed), table, upside_down=0.4)
        assert reading_of(upside_down).text == "123m456p77s22z[456m][777z]@2z", seed


def test_bonus_tiles_in_line_with_the_sets_but_a_gap_away_are_still_of_the_hand() -> None:
    table = Table()
    hand_before(table)
    for k in range(2):
        table.put(34 + k, 8.0 + 1.02 * k, 1.6 * 1.35)
    assert reading_of(laid_of(Random(1), table)).text == "123m456p77s22z[456m][777z]@2z 1f2f"
