"""The sample pictures: what must come out of them if every tile is found and named right.

`make samples` draws them and writes tests/data/sample-labels.json; how they are read with the
networks that ship is in test_read_verb.py.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.samples import draw_hand_picture
from kiosk import facts
from kiosk.samples import DEMO, Sample, samples
from kiosk.verbs.read import with_winning
from scorer import Hand, HouseRules, Situation, Tile, find_ruleset
from tests.support import REPOSITORY
from vision.decode import decode
from vision.detections import Detections, turn_of_quads
from vision.layout import layout
from vision.reading import Reading

SAMPLES = samples()
LABELS: dict[str, Any] = json.loads(
    (REPOSITORY / "tests" / "data" / "sample-labels.json").read_text(encoding="utf-8")
)
each = pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))


def said(sample: Sample) -> tuple[str, Situation, HouseRules]:
    parser = argparse.ArgumentParser()
    facts.add_rules_arguments(parser)
    facts.add_situation_arguments(parser)
    arguments = parser.parse_args(sample.words)
    ruleset, house = facts.house_of(arguments)
    return ruleset, facts.situation_of(arguments), house


def read_labels(sample: Sample) -> Reading:
    """The reading if detector and reader made no mistake."""
    quads = np.array(LABELS[sample.name]["quads"], np.float32)
    ruleset, situation, house = said(sample)
    seen = Detections.of_faces(quads, LABELS[sample.name]["faces"], turn_of_quads(quads))
    return decode(layout(seen, find_ruleset(ruleset).sets), ruleset, situation, house)


@each
def test_picture_and_labels_belong_together(sample: Sample) -> None:
    hand = Hand.parse(sample.hand)
    assert sorted(LABELS[sample.name]["faces"]) == sorted((*hand.tiles, *hand.bonus))
    picture = cv2.imread(str(sample.path))
    assert picture is not None
    height, width = picture.shape[:2]
    quads = np.array(LABELS[sample.name]["quads"])
    assert (quads >= 0).all()
    assert (quads[..., 0] < width).all()
    assert (quads[..., 1] < height).all()


def test_the_drawing_labels_every_tile() -> None:
    hand = Hand.parse(SAMPLES[DEMO].hand)
    scene = draw_hand_picture(hand, seed=SAMPLES[DEMO].seed, size=(320, 240))
    assert sorted(scene.faces) == sorted((*hand.tiles, *hand.bonus))


@each
def test_what_must_come_out_follows_from_what_lies_there(sample: Sample) -> None:
    reading = read_labels(sample)
    assert reading.text == sample.hand
    data = reading.to_json()
    assert data["total"] == sample.total
    assert data["certain"] == (sample.total is not None)
    assert data["dealer_line"] == sample.dealer_line
    assert data["payments"] == sample.payments
    assert [problem["id"] for problem in data["problems"]] == sample.problems
    if not sample.problems:
        assert data["range"] == sample.range
        assert [question["id"] for question in data["questions"]] == sample.questions


def test_naming_the_winning_tile_makes_the_pushed_together_row_certain() -> None:
    sample = SAMPLES["taiwan-pushed-together"]
    reading = read_labels(sample)
    assert not reading.certain
    ruleset, situation, house = said(sample)
    totals = {
        code: with_winning(reading, Tile.parse(code), ruleset, situation, house).total
        for code in ("8s", "2m")
    }
    # Concealed and self-drawn 3; 2m is the middle of 123 and nothing else could complete it.
    assert totals == {"8s": 3, "2m": 4}


def test_there_are_the_kinds_of_pictures_a_newcomer_needs() -> None:
    hands = [Hand.parse(sample.hand) for sample in SAMPLES.values()]
    assert any(len(h.melds) == 2 and h.bonus and h.winning is not None for h in hands)
    assert SAMPLES[DEMO].total is not None
    assert any(sample.problems for sample in SAMPLES.values())
    assert any(sample.questions for sample in SAMPLES.values())
