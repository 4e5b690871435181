"""The receipt of a picture shows no score that is not certain, and asks for the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kiosk.reading_receipt import reading_receipt
from scorer import Situation, Tile, Wind
from scorer.handtext import parse_tiles
from vision.decode import decode
from vision.detections import Detections
from vision.layout import layout
from vision.reading import Advice, Reading
from vision.words import advice_text

WEST_ON_DISCARD = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=False, from_seat=Wind.SOUTH)


def row(text: str, winning: str = "", doubt: str = "") -> Detections:
    """A pushed-together row seen straight on, the winning tile turned a little at its right end.

    `doubt` is a tile of the row that the reader holds for `text`'s tile by 60 % only.
    """
    faces = [*parse_tiles(text), *parse_tiles(winning)]
    quads = []
    for i in range(len(faces)):
        apart = i >= len(faces) - len(parse_tiles(winning))
        turn = np.radians(30 if apart else 0)
        middle = np.array([100 + 40 * i + (35 if apart else 0), 200])
        corners = np.array([[-20, -27], [20, -27], [20, 27], [-20, 27]])
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        quads.append(corners @ spin.T + middle)
    seen = Detections.of_faces(quads, faces)
    if not doubt:
        return seen
    k = len(faces) - 2
    others, p = seen.alternatives.copy(), seen.alternative_p.copy()
    others[k] = [others[k, 0], Tile.parse(doubt), others[k, 2]]
    p[k] = [0.6, 0.35, 0.05]
    return replace(seen, alternatives=others, alternative_p=p)


def read(seen: Detections, situation: Situation = WEST_ON_DISCARD) -> Reading:
    return decode(layout(seen, 5), "taiwan", situation)


def test_a_certain_reading_has_total_and_payments() -> None:
    reading = read(row("123m456m22p345p567s88s", "8s"))
    assert reading.certain
    text = reading_receipt(reading, WEST_ON_DISCARD, "en")
    assert f"{reading.total} tai" in text
    assert "Payments" in text


def test_unknown_facts_are_asked_with_the_score_of_each_answer() -> None:
    reading = read(row("123m456m22p345p567s88s", "8s"), Situation())
    assert not reading.certain
    text = reading_receipt(reading, Situation(), "en", flags=True)
    assert "Not certain" in text
    assert "--self-drawn" in text
    assert "Total" not in text
    assert "Payments" not in text
    assert all(f"{a.range[1]}" in text for q in reading.questions for a in q.answers if a.range)


def test_an_unsure_tile_is_named_and_there_is_no_score() -> None:
    reading = read(row("456m22p345p567s88s23m1m", "8s", doubt="4m"))
    assert not reading.certain
    assert reading.unsure
    text = reading_receipt(reading, WEST_ON_DISCARD, "en")
    for unsure in reading.unsure:
        assert f"#{unsure.tile + 1}" in text
        assert unsure.face.code in text
    assert "Total" not in text


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_a_hand_that_is_not_complete_says_why(language: str) -> None:
    reading = read(row("123m456m22p345p567s89s", "1z"))
    text = reading_receipt(reading, WEST_ON_DISCARD, language)
    assert all(problem.text(language) in text for problem in reading.result.problems)
    assert reading.result.problems
    assert not reading.certain


def test_no_tiles() -> None:
    assert "No tiles" in reading_receipt(read(Detections.empty()), WEST_ON_DISCARD, "en")


def test_advice_stands_at_the_end() -> None:
    reading = read(row("123m456m22p345p567s88s", "8s"))
    advised = reading.with_picture((Advice("dark", "The picture is too dark.", 20, 45),), {})
    assert reading_receipt(advised, WEST_ON_DISCARD, "en").endswith(advice_text("dark"))


def test_the_same_advice_for_several_tiles_is_given_once() -> None:
    advice = tuple(Advice("glare", "", 0.3, 0.16, tile) for tile in (2, 5))
    advised = read(row("123m456m22p345p567s88s", "8s")).with_picture(advice, {})
    text = reading_receipt(advised, WEST_ON_DISCARD, "en")
    assert text.endswith("(#3, #6)")
    assert text.count(advice_text("glare")) == 1
