"""Whatever a person says of a reading: no trouble, and indexes that never move."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.eyes import networks
from kiosk.server.problems import STATUS
from kiosk.server.texts import texts
from kiosk.words import LANGUAGES
from scorer import Situation, Tile, Wind
from tests.support import REPOSITORY, slow_count
from vision import read
from vision.correct import KINDS, Added, CorrectionError, Corrections, corrected, doubted
from vision.decode import decode
from vision.layout import BELONGS, layout
from vision.phrases import phrase
from vision.reading import Reading
from vision.sources import decode_picture

WON = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=False, from_seat=Wind.EAST)
TILES = 17


@pytest.fixture(scope="module")
def reading(photo: bytes) -> Reading:
    detector, reader = networks()
    return read(decode_picture(photo), "taiwan", WON, detector=detector, reader=reader)


index = st.integers(0, TILES - 1)
face = st.sampled_from(list(Tile))
kinds = st.sampled_from([*KINDS, "not-of-this-hand"])
added = st.builds(Added, face, st.one_of(st.just(""), st.sampled_from(KINDS), st.integers(0, 3)))


@st.composite
def placed(draw: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Some of the tiles cut into groups of any kind."""
    tiles = draw(st.permutations(range(TILES)))
    cuts = sorted(draw(st.sets(st.integers(1, TILES - 1), max_size=6)))
    parts = [tiles[a:b] for a, b in zip([0, *cuts], [*cuts, TILES], strict=True)]
    return tuple((draw(kinds), tuple(part)) for part in parts)


corrections = st.builds(
    Corrections,
    faces=st.dictionaries(index, face, max_size=5),
    removed=st.frozensets(index, max_size=5),
    added=st.lists(added, max_size=4).map(tuple),
    groups=st.one_of(st.none(), placed()),
    answers=st.dictionaries(
        st.sampled_from(["winning", "claimed", "kong", "tile", "belongs", "missed", "face_down"]),
        st.sampled_from(["yes", "no", "none", "6p", "9p", "0b", "123m", "x"]),
        max_size=2,
    ),
)


@settings(max_examples=slow_count(60, 1500))
@given(corrections)
def test_any_correction_gives_a_reading_or_a_clear_no(reading: Reading, told: Corrections) -> None:
    try:
        after = corrected(reading, told, "taiwan", WON)
    except CorrectionError as error:
        refused = error
    else:
        refused = None
    if refused is not None:
        assert str(refused)
        assert refused.place in ("tiles", "groups", "answers")
        return
    n = TILES + len(told.added)
    data = after.to_json()
    assert len(data["tiles"]) in (n, n + 1)  # a winning tile that was named may come behind
    placed = [i for group in after.groups for i in group.tiles]
    assert sorted(placed) == sorted(set(placed))
    for i in told.removed:
        assert i not in after.faces
    for i, tile in told.faces.items():
        if i in after.faces and tile is not Tile.BACK:
            assert after.faces[i] == tile
    if after.certain:
        assert after.total is not None
    assert corrected(reading, told, "taiwan", WON).to_json()["hand"] == data["hand"]


def test_faces_told_of_a_concealed_kong_stay_though_its_tiles_are_not_alike(
    reading: Reading,
) -> None:
    kong = (0, 4, 8, 12)
    assert len({reading.faces[i] for i in kong}) > 2
    rest = tuple(i for i in range(TILES) if i not in kong)
    told = Corrections(
        faces={8: Tile.parse("1m"), 12: Tile.parse("1m")},
        groups=(("concealed-kong", kong), ("concealed", rest)),
    )
    after = corrected(reading, told, "taiwan", WON)
    assert "(1111m)" in after.text


def test_nothing_said_changes_nothing(reading: Reading) -> None:
    after = corrected(reading, Corrections(), "taiwan", WON)
    assert after.to_json() == reading.to_json()


def test_a_bonus_tile_that_lies_near_is_asked_about(reading: Reading) -> None:
    """Whether the summer, flower of seat South, is counted: one tai more, or not."""
    seen = corrected(reading, Corrections(added=(Added(Tile.SUMMER),)), "taiwan", WON)
    laid = replace(
        seen.layout, bonus=(), others={TILES: "too far from the hand"}, doubts=frozenset({BELONGS})
    )
    first = decode(laid, "taiwan", WON)
    assert not first.certain
    (question,) = doubted(first, first, Corrections(), "taiwan", WON)
    assert question.about == (TILES,)
    assert [answer.value for answer in question.answers] == ["yes", "no"]


def test_what_may_be_one_more_tile_is_asked_about(reading: Reading) -> None:
    """What is too unclear to be counted may be a flower: somebody must look first."""
    seen = reading.layout.detections
    last = seen.quads[reading.layout.concealed[-1]]
    beside = last + 1.2 * (last[3] - last[0])
    first = decode(layout(replace(seen, maybe=beside[None]), 5), "taiwan", WON)
    assert first.text == reading.text
    assert not first.certain
    (question,) = doubted(first, first, Corrections(), "taiwan", WON)
    assert question.id == "missed"
    none = corrected(first, Corrections(answers={"missed": "no"}), "taiwan", WON)
    assert none.certain == reading.certain
    assert none.range == question.answers[0].range
    one_more = corrected(first, Corrections(added=(Added(Tile.SUMMER),)), "taiwan", WON)
    assert "missed" not in one_more.layout.doubts


def test_every_sentence_about_a_picture_has_its_translations() -> None:
    """The sentences stand in the code as constants and as f-strings; each must be found."""
    sources = ["belongs", "layout", "certainty", "decode", "correct"]
    code = "\n".join((REPOSITORY / "vision" / f"{name}.py").read_text("utf-8") for name in sources)
    constants = re.findall(r'^[A-Z_]+(?:: Final)? = "([a-z][^"]* [^"]*|removed)"$', code, re.M)
    spoken = [
        *constants,
        "face down",
        "read as 5m, which leaves no complete hand",
        "read with 71% confidence only",
        "another reading is nearly as likely",
        "may not be a tile",
        "16 tiles are in the picture; the hand waits for 3m, 6m. "
        "Show the winning tile, or say which it was.",
        "15 tiles of the hand were seen, a complete hand has 17: 2 missing.",
        "18 tiles of the hand were seen, a complete hand has 17: 1 too many.",
        "17 tiles were seen, but they make no complete hand.",
        "Too many tiles are doubtful to compare every possible hand.",
        "A bonus tile lies near the hand, and may or may not belong to it.",
        "No tiles were found.",
        "No hand was found: every tile lies face down.",
    ]
    assert len(constants) >= 10
    for sentence in spoken:
        assert phrase(sentence, "en") == sentence
        for language in ("zh-Hant", "zh-Hans"):
            assert phrase(sentence, language) != sentence, sentence


def test_every_problem_has_its_sentence_in_every_language() -> None:
    for language in LANGUAGES:
        assert set(texts(language)["problems"]) == set(STATUS), language


def test_every_problem_is_raised_somewhere() -> None:
    folder = Path(REPOSITORY / "kiosk" / "server")
    code = "\n".join(file.read_text("utf-8") for file in folder.glob("*.py"))
    unused = [id for id in STATUS if code.count(f'"{id}"') < 2]
    assert not unused
