"""What the reader learns from: tiles where the detector sees them, and where it sees none."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.bank import FaceBank
from datasets.scenes import render_hand
from models import manifest
from training.as_detected import NO_TILE, SAME_TILE, Eye, quarters_between
from training.crops import NOT_A_TILE, SceneCrops
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
