"""What the reader learns from: tiles where the detector sees them, and where it sees none."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.bank import FaceBank
from datasets.scenes import render_hand
from models import manifest
from training.as_detected import NO_TILE, SAME_TILE, Eye, quarters_between
from training.crops import NOT_A_TILE, Crop, SceneCrops, corners_in, turned
from training.sources import SceneRing
from vision.detections import boxes_xyxy, iou

UPRIGHT = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)


@pytest.mark.parametrize("quarters", range(4))
def test_a_face_that_begins_k_corners_later_is_turned_by_k_quarters(quarters: int) -> None:
    """A face turned clockwise once has its own upper left at the crop's upper right."""
    assert quarters_between(np.roll(UPRIGHT, -quarters, axis=0), UPRIGHT) == quarters


@pytest.fixture(scope="module")
def eye() -> Eye:
    return Eye(manifest()["detector"].path)


def test_the_eye_finds_most_labels_and_calls_no_tile_what_lies_on_none(eye: Eye) -> None:
    scene = render_hand(np.random.default_rng(3), FaceBank.own())
    boxes = boxes_xyxy(scene.quads)
    seen = eye.look(scene.image, boxes, boxes_xyxy(scene.hidden), backs=True)
    assert len(set(seen.owner)) == len(seen.owner) >= 0.8 * len(boxes)
    for label, quad in zip(seen.owner, seen.quads, strict=True):
        assert iou(boxes_xyxy(quad[None]), boxes[label])[0, 0] >= SAME_TILE
    if len(seen.stray):
        assert iou(boxes_xyxy(seen.stray), boxes).max() < 2 * NO_TILE
    assert seen.of(len(boxes)) is None


def test_crops_as_detected_carry_the_labels_of_their_scene(eye: Eye) -> None:
    crops = SceneCrops(SceneRing(FaceBank.own(), size=4, every=1000), eye)
    rng = np.random.default_rng(5)
    drawn = [crops.draw(rng) for _ in range(60)]
    assert {c.turn for c in drawn} <= set(range(4))
    assert len({c.label for c in drawn}) > 10
    assert crops.draw_nothing(rng).label == NOT_A_TILE


def test_corners_turn_with_their_crop() -> None:
    """Four pixels of growing light lie at the corners, whichever way the crop is turned."""
    corners = np.array([[8, 4], [56, 6], [60, 52], [3, 58]], np.float32)
    image = np.zeros((64, 64, 3), np.uint8)
    for (x, y), light in zip(corners.astype(int), (50, 100, 150, 200), strict=True):
        image[y, x] = light
    rng, seen = np.random.default_rng(0), set()
    for _ in range(40):
        crop = turned(Crop(image, 5, 0, (corners + 0.5) / 64), rng, 1.0)
        assert crop.corners is not None
        places = np.floor(crop.corners * 64).astype(int)
        lights = [int(crop.image[y, x, 0]) for x, y in places]
        start = (-crop.turn) % 4
        assert lights == [(50, 100, 150, 200)[(i + start) % 4] for i in range(4)]
        assert crop.corners[0].sum() == crop.corners.sum(axis=1).min(), "begun at the upper left"
        seen.add(crop.turn)
    assert seen == set(range(4))


def test_corners_begin_at_the_crop_s_upper_left_and_are_not_learnt_from_afar() -> None:
    true = UPRIGHT + np.array([1, 2], np.float32)
    assert corners_in(UPRIGHT, np.roll(true, 1, axis=0)) == pytest.approx(corners_in(UPRIGHT, true))
    assert corners_in(UPRIGHT, UPRIGHT + 25) is None
