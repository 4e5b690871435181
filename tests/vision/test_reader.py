"""Crops, turns and probabilities around the reader; its session says what the test wants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.crops import CORNERS, cut_crops, within
from vision.detections import BACK, quads_of_boxes
from vision.detector import Found
from vision.reader import WHITE, Reader, _agreed

UPRIGHT = np.array([[[40, 20], [100, 20], [100, 101], [40, 101]]], np.float32)


class Says:
    """A session that answers every crop with one face and one quarter turn, as ``sure`` as its
    logit."""

    def __init__(self, face: int, quarter: int = 0, sure: float = 9.0) -> None:
        self._face, self._quarter, self._sure = face, quarter, sure

    def get_inputs(self) -> list[Any]:
        return [type("Input", (), {"name": "crops"})()]

    def run(self, names: Any, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        n = len(given["crops"])
        faces, turns = np.zeros((n, 44), np.float32), np.zeros((n, 4), np.float32)
        faces[:, self._face], turns[:, self._quarter] = self._sure, 9.0
        corners = np.tile(CORNERS.reshape(1, 8), (n, 1))
        return [faces, turns, np.ones((n, 8), np.float32) / np.sqrt(8), corners]


def found(*, back: bool = False, quads: np.ndarray = UPRIGHT, score: float = 0.9) -> Found:
    boxes = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
    return Found(quads, boxes, np.array([score], np.float32), np.array([back]))


def read(says: Says, seen: Found, **options: Any) -> Any:
    return Reader(says, **options)(np.zeros((150, 150, 3), np.uint8), seen)


def test_an_upright_tile_keeps_its_corners() -> None:
    detections = read(Says(5), found())
    assert detections.faces.tolist() == [5]
    assert detections.turn.tolist() == [0]
    assert detections.quads[0].tolist() == UPRIGHT[0].tolist()


@pytest.mark.parametrize("quarter", range(4))
@pytest.mark.parametrize("straighten", [False, True])
def test_a_turned_face_begins_at_its_own_upper_left(quarter: int, straighten: bool) -> None:
    detections = read(Says(5, quarter), found(), straighten=straighten)
    assert detections.turn.tolist() == [90 * quarter]
    # Turned clockwise by a quarter, the face's upper left lies at the upper right of the picture.
    assert detections.quads[0][0].tolist() == UPRIGHT[0][quarter].tolist()


def test_what_is_no_tile_is_left_out() -> None:
    assert len(read(Says(43), found())) == 0


@pytest.mark.parametrize(("face", "read_as"), [(WHITE, BACK), (5, 5)])
def test_a_blank_where_the_detector_sees_a_back_is_no_white_dragon(face: int, read_as: int) -> None:
    """On rendered tables 117 of 119 such tiles were walls, backs or bare cloth."""
    assert read(Says(face), found(back=True)).faces.tolist() == [read_as]


@pytest.mark.parametrize(
    ("score", "sure", "kept"), [(0.9, 5.0, True), (0.3, 5.0, False), (0.3, 9.0, True)]
)
def test_where_the_detector_doubts_the_reader_must_be_sure(
    score: float, sure: float, kept: bool
) -> None:
    """Logits 5 and 9 beside 43 zeros: probabilities 0.78 and 0.995."""
    read_of = read(Says(5, sure=sure), found(score=score), trusted=0.9)
    assert len(read_of) == kept


@pytest.mark.parametrize(("back", "kept"), [(True, True), (False, False)])
def test_a_faint_back_counts_where_both_networks_see_one(back: bool, kept: bool) -> None:
    """On dev-hands and rendered tables 16 of 131 face-down tiles of hands were missed, 4 so."""
    assert len(read(Says(42, sure=5.0), found(back=back, score=0.35))) == kept


def test_a_back_is_face_42() -> None:
    assert read(Says(42), found(back=True)).faces.tolist() == [42]


def test_probabilities_fall_along_the_row_and_a_higher_temperature_is_less_sure() -> None:
    cold, warm = (read(Says(7), found(), temperature=t).alternative_p[0] for t in (1.0, 3.0))
    assert cold[0] > warm[0] > warm[1]


def test_a_club_s_tile_set_is_asked() -> None:
    class AlwaysNorth:
        def consult(self, embeddings: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
            out = np.zeros_like(probabilities)
            out[:, 30] = 1.0
            return out

    reader = Reader(Says(7))
    detections = reader(np.zeros((150, 150, 3), np.uint8), found(), AlwaysNorth())
    assert detections.faces.tolist() == [30]


def test_a_large_tile_of_which_a_strip_is_in_the_picture_can_be_cut() -> None:
    """Of a tile of 700 pixels one column of its margin is there, less than a pixel once reduced."""
    picture = np.full((900, 300, 3), 200, np.uint8)
    quad = np.array([[[449, 100], [949, 100], [949, 800], [449, 800]]], np.float32)
    assert cut_crops(picture, quad).shape == (1, 64, 64, 3)


def test_a_crop_is_the_quad_with_a_margin_straightened() -> None:
    picture = np.zeros((150, 150, 3), np.uint8)
    picture[20:101, 40:70] = 255  # the left half of the tile is white
    crop = cut_crops(picture, UPRIGHT)[0]
    assert crop.shape == (64, 64, 3)
    assert crop[32, 12].min() == 255
    assert crop[32, 50].max() == 0
    assert crop[32, 0].max() == 0  # the margin
    flipped = cut_crops(picture, np.roll(UPRIGHT, 2, axis=1))[0]
    assert flipped[32, 50].min() == 255


def test_a_tile_of_a_large_photo_is_averaged_not_skipped() -> None:
    stripes = np.zeros((2000, 2000, 3), np.uint8)
    stripes[:, ::2] = 255
    crop = cut_crops(stripes, quads_of_boxes([[200, 200, 1400, 1800]]))[0]
    assert abs(int(crop[32, 32, 0]) - 127) < 12


def test_the_corners_of_every_turn_and_cut_are_brought_back_to_the_picture() -> None:
    """A view turned by a quarter says where the corners lie in it, begun at its own upper left."""
    true = np.array([[[12, 11], [52, 14], [50, 72], [9, 66]]], np.float32)
    cuts = np.stack([true + 3, true * 1.05, true])
    upright = np.stack([within(cut[0], true[0]) for cut in cuts])
    views = [upright]
    for _ in range(3):
        # `np.rot90` takes the right side up to the top.
        turned = np.stack([views[-1][..., 1], 1 - views[-1][..., 0]], axis=-1)
        views.append(np.roll(turned, -1, axis=1))
    assert _agreed(cuts, np.concatenate(views)) == pytest.approx(true, abs=1e-3)
