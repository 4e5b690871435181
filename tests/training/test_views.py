"""Views and crops that the networks learn from keep their labels true."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.bank import FaceBank
from datasets.photos import DEV_SESSIONS, load_photos
from tests.support import shared
from training.crops import NOT_A_TILE, Crop, PhotoCrops, SceneCrops, turned
from training.sources import SceneRing, from_scene
from training.views import TILE, Labelled, cut_view, from_upper_left

RED = (0, 0, 255)


def one_red_tile() -> Labelled:
    """A black picture with one red tile, whose upper left corner is known."""
    image = np.zeros((300, 400, 3), np.uint8)
    quad = np.array([[150, 100], [210, 100], [210, 181], [150, 181]], np.float32)
    cv2.fillConvexPoly(image, quad.astype(np.int32), RED)
    known = np.ones((2, 38, 50), np.uint8)
    return Labelled(image, quad[None], np.array([TILE]), np.array([True]), known, True, 0.0)


@pytest.mark.parametrize("seed", range(12))
def test_a_view_moves_its_corners_with_the_picture(seed: int) -> None:
    view = cut_view(one_red_tile(), np.random.default_rng(seed), 160, (30, 60))
    if not len(view.corners):
        return
    inside = np.zeros((160, 160), np.uint8)
    cv2.fillConvexPoly(inside, np.round(view.corners[0, :, :2]).astype(np.int32), 1)
    core = cv2.erode(inside, np.ones((5, 5)))
    red = view.image[..., 2].astype(int) - view.image[..., 1]
    assert (red[core == 1] > 100).mean() > 0.97


@pytest.mark.parametrize("seed", range(12))
def test_a_view_never_mirrors(seed: int) -> None:
    view = cut_view(one_red_tile(), np.random.default_rng(seed), 160, (30, 60))
    for corners in view.corners[..., :2]:
        across, down = corners[1] - corners[0], corners[3] - corners[0]
        assert across[0] * down[1] - across[1] * down[0] > 0


def test_quarter_turns_are_clockwise_and_counted() -> None:
    image = np.zeros((64, 64, 3), np.uint8)
    image[:8] = 255  # the upper edge is bright
    rng = np.random.default_rng(1)
    bright = {0: np.s_[:8], 1: np.s_[:, -8:], 2: np.s_[-8:], 3: np.s_[:, :8]}
    for _ in range(20):
        crop = turned(Crop(image, 5, 0), rng, 1.0)
        assert crop.image[bright[crop.turn]].min() == 255


def test_scenes_teach_both_networks_without_shared_data() -> None:
    ring = SceneRing(FaceBank.own(), size=4, every=100)
    rng = np.random.default_rng(3)
    source = from_scene(ring.draw(rng))
    assert source.known.min() in (0, 1)
    assert len(source.quads) == len(source.classes)
    crop = SceneCrops(ring).draw(rng)
    assert crop.image.shape == (64, 64, 3)
    assert 0 <= crop.label <= 42


def test_dev_is_held_out_of_train_by_session() -> None:
    folder = shared("data", "photos")
    train, dev, val = (load_photos(split, folder) for split in ("train", "dev", "val"))
    assert {photo.session for photo in dev} == DEV_SESSIONS
    assert not DEV_SESSIONS & {photo.session for photo in train}
    assert len(train) + len(dev) == 1245
    assert (len(val), sum(len(photo.faces) for photo in val)) == (92, 1050)
    assert not {p.design for p in val} & {p.design for p in train + dev}


def test_what_is_no_tile_shares_little_with_any_label() -> None:
    photos = load_photos("dev", shared("data", "photos"))[:6]
    crop = PhotoCrops(photos).draw_nothing(np.random.default_rng(5))
    assert (crop.label, crop.image.shape) == (NOT_A_TILE, (64, 64, 3))


def test_corners_begin_where_the_first_edge_runs_to_the_right() -> None:
    quad = np.array([[[10, 0], [10, 20], [0, 20], [0, 0]]], np.float32)  # begun at the upper right
    assert from_upper_left(quad)[0].tolist() == [[0, 0], [10, 0], [10, 20], [0, 20]]


def test_a_picture_without_tiles_teaches_that_there_are_none() -> None:
    nothing = replace(
        one_red_tile(),
        quads=np.zeros((0, 4, 2), np.float32),
        classes=np.zeros(0, np.int64),
        corners_known=np.zeros(0, bool),
    )
    view = cut_view(nothing, np.random.default_rng(1), 160, (30, 60))
    assert len(view.boxes) == 0
    assert view.known.min() == 1
