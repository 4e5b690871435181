"""The likeliest legal hand; every overruled first choice is shown; no win stays no win."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

from scorer.engine import score
from scorer.hand import Hand
from scorer.registry import UnknownRulesetError
from scorer.sampling import other_hand, winning_hand
from scorer.situation import Situation
from scorer.tiles import Tile
from scorer.winds import EAST, SOUTH
from tests.support import slow_count
from tests.vision.corrupt import misread
from tests.vision.tables import Table, is_right, laid_of, lay
from vision.decode import STRAY, decode
from vision.detections import Detections
from vision.layout import layout
from vision.reading import Reading

KNOWN = Situation(seat=SOUTH, round=EAST, self_drawn=True)


def row(text: str, **doubtful: tuple[str, float, float]) -> Detections:
    """One pushed-together row. doubtful: t3=("6p", p of the face written, p of 6p) for tile 3."""
    hand = Hand.parse(text)
    faces = [*hand.concealed, *([] if hand.winning is None else [hand.winning])]
    quads, x = [], 100.0
    for k in range(len(faces)):
        gap = 25.0 if hand.winning is not None and k == len(faces) - 1 else 0.0
        x += 31.0 + gap
        quads.append([[x - 15, 300], [x + 15, 300], [x + 15, 340], [x - 15, 340]])
    plain = Detections.of_faces(quads, [int(face) for face in faces])
    alternatives, p = plain.alternatives.copy(), plain.alternative_p.copy()
    for name, (other, first_p, other_p) in doubtful.items():
        i = int(name[1:])
        alternatives[i, 1] = int(Tile.parse(other))
        alternatives[i, 2] = next(f for f in range(34) if f not in alternatives[i, :2])
        p[i] = (first_p, other_p, 0.0)
    return Detections(plain.quads, plain.faces, alternatives, p, plain.turn)


def read(text: str, situation: Situation = KNOWN, **doubtful: tuple[str, float, float]) -> Reading:
    return decode(layout(row(text, **doubtful), 5), "taiwan", situation)


def test_a_hand_read_surely_with_everything_known_is_certain() -> None:
    reading = read("123m456p789s1112227z@7z")
    assert reading.certain
    assert reading.total == score(Hand.parse(reading.text), KNOWN).total
    assert not reading.questions
    assert not reading.unsure


def test_a_misread_tile_is_put_right_and_marked() -> None:
    # 123m 456p 789s 111z 222z 7z@7z with the 5p taken for a 4p.
    reading = read("123m446p789s1112227z@7z", t4=("5p", 0.6, 0.3))
    assert reading.text == "123m456p789s1112227z@7z"
    (unsure,) = reading.unsure
    assert (unsure.face.code, unsure.repaired) == ("5p", True)
    assert "4p" in unsure.why
    assert not reading.certain
    assert reading.total is None


def test_a_surely_read_hand_that_is_no_win_is_not_made_one() -> None:
    reading = read("123m446p789s1112227z@7z", t4=("5p", 0.99, 0.004))
    assert reading.text == "123m446p789s1112227z@7z"
    assert [problem.id for problem in reading.result.problems] == ["not-complete"]
    assert "no complete hand" in reading.notes[0]
    assert not reading.certain


def test_two_close_completions_are_both_offered_with_their_scores() -> None:
    # Tile 10 is 3s or 6s, as likely as not; both end the hand.
    reading = read("123m456p345s1112227z@7z", t6=("6s", 0.55, 0.42))
    assert reading.text == "123m456p345s1112227z@7z"
    assert reading.others == ("123m456p456s1112227z@7z",)
    question = next(q for q in reading.questions if q.id == "tile")
    assert question.about == (6,)
    assert {answer.value for answer in question.answers} == {reading.text, *reading.others}
    assert not reading.certain


def test_a_waiting_hand_says_for_what_and_what_each_tile_is_worth() -> None:
    reading = read("123m456p789s1112227z")
    assert "waits for 7z" in reading.notes[0]
    (question,) = reading.questions
    assert question.id == "winning"
    won = score(Hand.parse("123m456p789s1112227z@7z"), KNOWN).total
    assert [(a.value, a.range) for a in question.answers] == [("7z", (won, won))]
    assert reading.total is None


def test_what_is_missing_is_said() -> None:
    reading = read("123m456p789s111z")
    assert "12 tiles of the hand were seen, a complete hand has 17: 5 missing" in reading.notes[0]


def test_a_tile_read_with_little_confidence_makes_the_hand_uncertain() -> None:
    sure = read("123m456p789s1112227z@7z", t4=("4p", 0.97, 0.02))
    weak = read("123m456p789s1112227z@7z", t4=("4p", 0.30, 0.28))
    assert sure.certain
    assert not weak.certain
    assert [unsure.tile for unsure in weak.unsure] == [4]


def test_unknown_facts_give_a_range_and_the_questions_that_matter() -> None:
    reading = read("123m456p789s1112227z@7z", Situation())
    low, high = reading.range or (0, 0)
    assert low < high
    assert reading.total is None
    assert {question.id for question in reading.questions} == {"seat", "round", "self_drawn"}
    for question in reading.questions:
        spans = [answer.range for answer in question.answers if answer.range]
        assert min(a for a, _ in spans) == low
        assert max(b for _, b in spans) == high


def test_a_fact_that_cannot_change_the_score_is_not_asked() -> None:
    # Without winds neither seat nor round matters, and there are no bonus tiles.
    reading = read("123m456p789s555666z7z@7z", Situation())
    assert [question.id for question in reading.questions] == ["self_drawn"]


def test_nothing_in_the_picture() -> None:
    reading = decode(layout(Detections.empty()), "taiwan", KNOWN)
    assert reading.hand is None
    assert reading.notes == ("No tiles were found.",)
    assert json.loads(json.dumps(reading.to_json()))["total"] is None


def test_an_unknown_rule_set_is_named() -> None:
    with pytest.raises(UnknownRulesetError):
        decode(layout(Detections.empty()), "no-such-rules", KNOWN)


def test_json_holds_the_fixed_fields_and_no_total_unless_certain() -> None:
    for reading in (read("123m456p789s1112227z@7z"), read("123m456p789s1112227z@7z", Situation())):
        data = json.loads(json.dumps(reading.to_json()))
        fields = "hand tiles groups unsure questions advice timings_ms certain total range items"
        fields += " left_out problems payments ruleset version dealer_line"
        assert all(name in data for name in fields.split())
        assert (data["total"] is not None) == data["certain"]
        assert bool(data["items"]) <= data["certain"]
        assert (data["range"] is None) == data["certain"]
        assert len(data["tiles"]) == 17


@dataclass
class Mended:
    """Of hands with a misread tile: read rightly, offered as the other reading, changed without
    being marked, wrong though certain."""

    hands: int = 0
    read: int = 0
    offered: int = 0
    silent: int = 0
    unnoticed: int = 0


@pytest.fixture(scope="module")
def mended() -> Mended:
    found = Mended()
    for seed in range(1000):
        rng = Random(seed)
        sample = winning_hand(rng)
        laid = lay(rng, sample.hand, winning="turned", sideways=0.0)
        tiles = [i for i, own in enumerate(laid.own) if own]
        # A reader that misses one tile in a hundred misses two of a hand once in twelve.
        wrong = 2 if rng.random() < 1 / 12 else 1
        seen, changed = misread(rng, laid.detections, tiles, wrong)
        if not changed:
            continue
        reading = decode(layout(seen, 5), "taiwan", KNOWN)
        right = is_right(reading, laid.hand)
        marked = {unsure.tile for unsure in reading.unsure}
        repaired = {i for i, face in reading.faces.items() if face != seen.faces[i] != 42}
        found.hands += 1
        found.read += right
        found.offered += not right and str(laid.hand) in reading.others
        found.silent += not repaired <= marked
        found.unnoticed += reading.certain and not right
    return found


def test_a_misread_hand_is_never_changed_silently(mended: Mended) -> None:
    assert mended.silent == 0


def test_only_a_sure_misreading_that_leaves_a_legal_hand_goes_unnoticed(mended: Mended) -> None:
    """The mistakes are the reader's own: a twelfth of them it makes with more than 0.97."""
    assert mended.unnoticed <= 0.02 * mended.hands, mended


def test_seven_of_ten_misread_hands_are_read_rightly_or_offered(mended: Mended) -> None:
    assert mended.read + mended.offered >= 0.7 * mended.hands, mended


@pytest.mark.xfail(reason="the aim is open: a true face beyond the third alternative is unknown")
def test_seven_of_ten_misread_hands_are_read_rightly(mended: Mended) -> None:
    assert mended.read >= 0.7 * mended.hands, mended


def test_hands_that_are_no_win_stay_none() -> None:
    """Of correctly read hands that are not complete, none becomes a win."""
    for seed in range(slow_count(80, 500)):
        rng = Random(1000 + seed)
        sample = other_hand(rng, exchanged=rng.choice((1, 2, 3)))
        laid = lay(rng, sample.hand, winning="turned", sideways=0.0)
        tiles = [i for i, own in enumerate(laid.own) if own]
        seen, _ = misread(rng, laid.detections, tiles, 0)
        reading = decode(layout(seen, 5), "taiwan", KNOWN)
        assert not reading.certain, seed
        assert reading.total is None
        for i, face in reading.faces.items():
            assert face == seen.faces[i] or seen.faces[i] == 42, (seed, reading.text)


def test_a_tile_lying_off_is_the_winning_one_if_it_completes_the_hand_and_is_marked() -> None:
    table = Table()
    for k, face in enumerate((0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 27, 28, 28, 28, 31)):
        table.put(face, 1.02 * k, 0.0)
    table.put(31, 9.0, 3.0, 15)
    reading = decode(layout(laid_of(Random(1), table).detections, 5), "taiwan", KNOWN)
    assert reading.text == "123m456p789s1112227z@7z"
    assert [unsure.face.code for unsure in reading.unsure] == ["7z"]
    assert "completes the hand" in reading.unsure[0].why
    assert not reading.certain


def test_a_tile_lying_off_that_does_not_complete_the_hand_is_a_discard() -> None:
    table = Table()
    for k, face in enumerate((0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 27, 28, 28, 28, 31)):
        table.put(face, 1.02 * k, 0.0)
    table.put(5, 9.0, -2.0, 15)
    reading = decode(layout(laid_of(Random(1), table).detections, 5), "taiwan", KNOWN)
    assert reading.text == "123m456p789s1112227z"
    assert "waits for 7z" in reading.notes[0]
    assert list(reading.layout.others.values()) == [STRAY]


def test_with_all_sets_laid_down_the_win_was_on_the_pair() -> None:
    hand = Hand.parse("7z[123m][456p][789s][111z][222z]@7z")
    laid = lay(Random(5), hand, winning="among")
    assert decode(layout(laid.detections, 5), "taiwan", KNOWN).text == str(hand)


@pytest.mark.parametrize(
    ("rules", "sets", "text", "certain"),
    [
        ("hongkong", 4, "123m456p789s1112z@2z", True),
        ("mcr", 4, "123m456p789s1112z@2z", True),
        ("sichuan", 4, "123456m1112789p@2p", True),
        ("taiwan-classic", 5, "123m456p789s1112227z@7z", True),
        # Honours are no tiles of that game.
        ("sichuan", 4, "123m456p789s1112z@2z", False),
    ],
)
def test_every_game_is_read_by_its_own_rules(
    rules: str, sets: int, text: str, certain: bool
) -> None:
    reading = decode(layout(row(text), sets), rules, KNOWN.but(missing_suit=None))
    assert reading.text == text
    assert reading.certain is certain
    if certain:
        assert reading.total == score(Hand.parse(text), KNOWN, rules).total


def test_a_hand_below_the_minimum_is_known_as_such() -> None:
    reading = decode(layout(row("123m2344569p567s@9p"), 4), "mcr", KNOWN.but(self_drawn=False))
    assert [problem.id for problem in reading.result.problems] == ["below-minimum"]
    assert reading.certain
    assert reading.total == reading.result.total


def test_a_blank_face_taken_for_a_back_completes_a_set_of_three() -> None:
    table = Table()
    for k, face in enumerate((0, 1, 2, 12, 13, 14, 24, 25, 26, 3, 4, 5, 28)):
        table.put(face, 1.02 * k, 0.0)
    table.put(28, 14.0, 0.0, 30)
    for k, face in enumerate((32, 32, 42)):
        table.put(face, 1.02 * k, 2.2)
    seen = laid_of(Random(1), table).detections
    back = int((seen.faces == 42).argmax())
    others, p = seen.alternatives.copy(), seen.alternative_p.copy()
    others[back], p[back] = (42, 32, 0), (0.55, 0.4, 0.0)
    doubtful = Detections(seen.quads, seen.faces, others, p, seen.turn)
    reading = decode(layout(doubtful, 5), "taiwan", KNOWN)
    assert "kong" not in {group.kind for group in reading.groups}
    assert "concealed-kong" not in {group.kind for group in reading.groups}
    assert not reading.certain


def test_whatever_the_reader_says_there_is_a_reading() -> None:
    """Random faces, backs among them, with random alternatives: never an exception."""
    for seed in range(slow_count(60, 1000)):
        rng = Random(seed)
        laid = lay(rng, winning_hand(rng).hand, kongs_down=True)
        seen = laid.detections
        others, p = seen.alternatives.copy(), seen.alternative_p.copy()
        for i in range(len(seen)):
            if rng.random() < 0.3:
                mine = int(seen.faces[i]) if rng.random() < 0.6 else 42
                rest = rng.sample([f for f in range(43) if f != mine], 2)
                others[i] = (mine, *rest)
                chances = sorted((rng.random() for _ in range(3)), reverse=True)
                p[i] = np.array(chances) / (sum(chances) + rng.random())
        doubtful = Detections(seen.quads, others[:, 0], others, p, seen.turn)
        reading = decode(layout(doubtful, rng.choice((4, 5, None))), "taiwan", KNOWN)
        assert reading.certain == (reading.total is not None)
