"""The sample pictures: drawn by the committed command, and what must come out of them."""

from __future__ import annotations

import argparse
from functools import cache

import cv2
import numpy as np
import pytest

from datasets.samples import draw_hand_picture
from datasets.scenes import Scene
from kiosk import facts
from kiosk.samples import DEMO, Sample, samples
from kiosk.verbs.read import with_winning
from scorer import Hand, HouseRules, Situation, Tile, find_ruleset
from tests.support import slow_count
from vision.decode import decode
from vision.detections import Detections, turn_of_quads
from vision.layout import layout
from vision.reading import Reading

SAMPLES = samples()
# Drawing takes seconds each; the quick run draws the first two only.
DRAWN = list(SAMPLES)[: slow_count(2, len(SAMPLES))]
each = pytest.mark.parametrize("sample", [SAMPLES[name] for name in DRAWN], ids=DRAWN)


@cache
def scene(name: str) -> Scene:
    sample = SAMPLES[name]
    return draw_hand_picture(Hand.parse(sample.hand), seed=sample.seed, winning=sample.winning)


def said(sample: Sample) -> tuple[str, Situation, HouseRules]:
    parser = argparse.ArgumentParser()
    facts.add_rules_arguments(parser)
    facts.add_situation_arguments(parser)
    arguments = parser.parse_args(sample.words)
    ruleset, house = facts.house_of(arguments)
    return ruleset, facts.situation_of(arguments), house


def read_labels(sample: Sample) -> Reading:
    """The reading if detector and reader made no mistake."""
    drawn = scene(sample.name)
    ruleset, situation, house = said(sample)
    seen = Detections.of_faces(drawn.quads, drawn.faces, turn_of_quads(drawn.quads))
    return decode(layout(seen, find_ruleset(ruleset).sets), ruleset, situation, house)


@each
def test_the_picture_is_what_the_committed_command_draws(sample: Sample) -> None:
    shipped = cv2.imread(str(sample.path))
    assert shipped is not None
    drawn = scene(sample.name).image
    assert shipped.shape == drawn.shape
    # JPEG and another processor's rounding change a pixel a little, never the picture.
    assert np.abs(shipped.astype(int) - drawn.astype(int)).mean() < 4


@each
def test_every_tile_is_labelled(sample: Sample) -> None:
    hand = Hand.parse(sample.hand)
    assert sorted(scene(sample.name).faces) == sorted((*hand.tiles, *hand.bonus))


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
    hand = Hand.parse(SAMPLES[DEMO].hand)
    assert len(hand.melds) == 2
    assert hand.bonus
    assert hand.winning is not None
    assert any(sample.problems for sample in SAMPLES.values())
    assert any(sample.questions for sample in SAMPLES.values())
