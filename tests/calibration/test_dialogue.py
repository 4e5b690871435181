"""The dialogue that enrols a tile set, played from a script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol import Enrolment
from calibration.prototypes import Prototypes
from kiosk.calibrate.tiles import CONSENT, LOOK_OVER, Dialogue, learn, look
from kiosk.trouble import Trouble
from scorer.tiles import Tile
from tests.calibration.painted import Reader, detector, paint
from vision.crops import cut_crops

ONE_OF_EACH = list(range(42))
PLANTS = {38: 27, 39: 28, 40: 29, 41: 30}


@dataclass
class Script:
    """Answers by a function of the question; keeps what was said and shown."""

    answer: Callable[[str], str]
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    shown: dict[str, NDArray[np.uint8]] = field(default_factory=dict)

    def say(self, text: str) -> None:
        self.said.append(text)

    def ask(self, question: str) -> str:
        self.asked.append(question)
        assert len(self.asked) < 60, "the dialogue does not end"
        return self.answer(question)

    def show(self, picture: NDArray[np.uint8], file: Path) -> None:
        self.shown[file.name] = picture


def knows(order: list[int]) -> Callable[[str], str]:
    """A user who knows every tile by its number, and finds nothing wrong at the end."""

    def answer(question: str) -> str:
        if question.startswith("tile "):
            number = int(question.split()[1].strip(":"))
            return Tile(order[number - 1]).code
        return ""

    return answer


def photo_like(faces: list[int], seed: int = 8) -> NDArray[np.uint8]:
    """Painted tiles with strokes on them, by `seed`."""
    picture = cv2.resize(paint(faces), None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    rng = np.random.default_rng(seed)
    for _ in range(3000):
        x, y = (int(v) for v in rng.integers(0, picture.shape[1::-1]))
        shade = int(rng.integers(0, 255))
        cv2.line(picture, (x, y), (x + 9, y + 4), (shade, shade, shade), 2)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)


def play(
    photos: list[list[int]], reader: Reader, script: Script, keep: bool | None = False
) -> Prototypes:
    dialogue = Dialogue(script, Path("sheets"), "en", Enrolment(reader.sha256))
    for n, faces in enumerate(photos):
        picture = paint(faces)
        dialogue.add(f"photo {n}", picture, look(picture, detector, reader), again=False)
    return dialogue.run(keep)


def test_a_known_set_is_enrolled_without_a_question() -> None:
    script = Script(knows(ONE_OF_EACH))
    tiles = play([ONE_OF_EACH], Reader(), script)
    assert len(tiles.enrolled) == 42
    assert script.asked == [LOOK_OVER]
    assert set(script.shown) == {"photo-1.jpg", "tiles.png"}


def test_unsure_tiles_are_asked_about_and_learnt() -> None:
    reader = Reader(PLANTS, doubtful=(38, 39, 40, 41))
    order = [*range(30, 42), *range(30)]
    script = Script(knows(order))
    tiles = play([order], reader, script)
    asked = [q for q in script.asked if q.startswith("tile ")]
    assert 1 <= len(asked) <= 8
    p, _, seen = reader.read(look(paint(ONE_OF_EACH), detector, reader).crops)
    assert (p[:, :42].argmax(1) != np.arange(42)).sum() >= 4
    assert (tiles.consult(seen, p)[:, :42].argmax(1) == np.arange(42)).all()


def test_what_was_sure_and_wrong_is_mended_at_the_end() -> None:
    replies = iter(["3", "3p", ""])

    def answer(question: str) -> str:
        return next(replies)

    script = Script(answer)
    reader = Reader({11: 25})  # 3 dots are taken for 8 bamboo, without a doubt
    tiles = play([[0, 1, 11, 12]], reader, script)
    assert {Tile.P3, Tile.M1, Tile.M2, Tile.P4} == tiles.enrolled


def test_a_contradiction_is_explained_and_the_earlier_answer_taken_back() -> None:
    # Tile 2 is named plum by mistake; then tile 1, which is the plum, cannot be.
    replies = iter(["2", "5f", "1", "5f", "y", "", ""])
    script = Script(lambda _: next(replies))
    reader = Reader()
    dialogue = Dialogue(script, Path("s"), "en", Enrolment("paint"))
    picture = paint([38, 39])
    dialogue.add("photo", picture, look(picture, detector, reader), again=False)
    dialogue.run(keep_crops=False)
    assert any("only one of 5f" in line for line in script.said)
    assert dialogue.session.answers[0] is Tile.PLUM
    assert 1 not in dialogue.session.answers


def test_words_that_are_no_tiles_are_explained() -> None:
    replies = iter(["1 x 9", "5q", "", ""])
    script = Script(lambda _: next(replies))
    play([[3, 4]], Reader(), script)
    assert any(line.startswith("'5q' is no code of a tile: type 1f spring") for line in script.said)
    assert [line for line in script.said if "no such number" in line] == [
        "x: no such number",
        "9: no such number",
    ]


@pytest.mark.parametrize("word", ["bamboo", "0b", "", "8f bamboo", "9f"])
def test_a_refused_word_is_answered_with_what_can_be_typed(word: str) -> None:
    replies = iter(["2", "5f", "1", word, "", ""])
    script = Script(lambda _: next(replies, ""))
    play([[41, 38]], Reader(), script)
    refused = [line for line in script.said if "is no code of a tile" in line]
    if not word:  # Enter: the tile stays what it was taken for
        assert refused == []
        return
    assert len(refused) == 1
    assert "8f bamboo" in refused[0]
    assert "5f" not in refused[0]  # it was given to tile 2
    assert refused[0].endswith("or x to leave the tile out")
    assert "or 0b" not in refused[0]


def test_questions_name_what_else_it_may_be() -> None:
    reader = Reader({}, doubtful=(38, 39, 40, 41))
    order = [*range(34, 42)]
    script = Script(knows(order))
    play([order], reader, script)
    asked = [q for q in script.asked if q.startswith("tile ")]
    assert len(asked) >= 3
    given: list[str] = []
    for question in asked:
        alternatives = question.split("? or ")[1]
        assert not any(f"{code} " in alternatives for code in given)
        given.append(knows(order)(question))
    assert " orchid" in "".join(asked)


def test_the_same_photo_is_taken_once() -> None:
    picture = photo_like([*range(34, 42), *range(12)])
    small = cv2.resize(picture, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    jpeg = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 70])[1], 1)
    other = photo_like([*range(34, 42), *range(12)], seed=9)  # as if other copies lay there
    seen = look(picture, detector, Reader())
    rows = {"a.jpg": picture, "b.jpg": picture, "c.jpg": np.asarray(jpeg, np.uint8), "d.jpg": other}
    script = Script(lambda _: "")
    dialogue = Dialogue(script, Path("s"), "en", Enrolment("paint"))
    for name, image in rows.items():
        own = replace(seen, crops=cut_crops(image, seen.quads))
        dialogue.add(name, image, own, again=True)
    assert [line for line in script.said if "left out" in line] == [
        "b.jpg: left out: it is the same photo as a.jpg",
        "c.jpg: left out: it is the same photo as a.jpg",
    ]
    scaled = replace(
        seen,
        quads=seen.quads * 0.75,
        crops=cut_crops(np.asarray(small, np.uint8), seen.quads * 0.75),
        size_wh=(small.shape[1], small.shape[0]),
    )
    assert scaled.repeats(seen)
    elsewhere = replace(seen, quads=seen.quads + np.float32(20))
    assert not elsewhere.repeats(seen)


def test_crops_are_kept_only_after_a_yes() -> None:
    for word, kept in (("", False), ("n", False), ("y", True)):
        script = Script(lambda q, word=word: word if q.startswith(CONSENT) else "")
        assert (play([[1, 2]], Reader(), script, keep=None).crops is not None) is kept


def test_missing_faces_are_named() -> None:
    script = Script(knows(ONE_OF_EACH))
    play([list(range(38))], Reader(), script)
    assert any(line.startswith("Not learnt") and "5f" in line for line in script.said)


def test_backs_are_no_part_of_the_set() -> None:
    seen = look(paint([5, 42, 6]), detector, Reader())
    assert len(seen.quads) == 2


def test_photos_without_tiles_or_with_too_many_are_refused() -> None:
    script = Script(lambda _: "")
    with pytest.raises(Trouble, match="no photo is fit"):
        play([[42]], Reader(), script)
    assert "no tile with its face up is seen" in script.said[0]
    with pytest.raises(Trouble, match="--again"):
        play([[0] * 100, [0] * 60], Reader(), Script(lambda _: ""))


def test_photos_that_teach_badly_are_left_out_with_advice() -> None:
    good = look(paint([1, 2, 3]), detector, Reader())
    assert good.fault is None
    tiny = replace(good, quads=good.quads / 2)
    assert tiny.fault is not None
    assert "12 pixels wide: go nearer" in tiny.fault
    whole = look(paint(ONE_OF_EACH), detector, Reader())
    assert whole.fault is None
    c, s = np.cos(np.radians(30)), np.sin(np.radians(30))
    crooked = replace(whole, quads=whole.quads @ np.array([[c, s], [-s, c]], np.float32))
    assert crooked.fault is not None
    assert "lean by 30 degrees: turn the camera" in crooked.fault


def test_misread_crops_are_learnt_from() -> None:
    reader = Reader({38: 27})
    seen = look(paint([38, 3]), detector, reader)
    tiles = learn(None, seen.crops[:1], [Tile.PLUM], reader, keep_crops=True)
    more = learn(tiles, seen.crops[1:], [Tile.M4], reader, keep_crops=False)
    assert more.enrolled == {Tile.PLUM, Tile.M4}
    assert more.crops is None
    p, _, embedding = reader.read(seen.crops)
    assert more.consult(embedding, p)[0].argmax() == Tile.PLUM
