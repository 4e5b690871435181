"""The detector's own pre- and post-processing, without a network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.detections import boxes_xyxy
from vision.detector import Detector, prepare, select, suppress


def turned_row(angle: float, tiles: int = 6) -> np.ndarray:
    """Upright boxes of touching tiles 60 × 81, the row turned by ``angle`` degrees."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    one = np.array([[0, 0], [60, 0], [60, 81], [0, 81]], np.float64)
    quads = np.stack([one + np.array([60 * i, 0]) for i in range(tiles)])
    return boxes_xyxy((quads @ np.array([[c, s], [-s, c]])).astype(np.float32))


@pytest.mark.parametrize("angle", range(0, 181, 15))
def test_touching_tiles_stay_apart_at_any_angle(angle: int) -> None:
    boxes = turned_row(angle)
    assert len(suppress(boxes, np.linspace(0.9, 0.5, len(boxes)))) == len(boxes)


def test_of_two_boxes_on_one_tile_the_surer_stays() -> None:
    boxes = np.array([[0, 0, 60, 81], [4, 2, 62, 84], [60, 0, 120, 81]], np.float32)
    assert suppress(boxes, np.array([0.9, 0.8, 0.7])).tolist() == [0, 2]


def test_a_box_on_part_of_a_tile_goes() -> None:
    boxes = np.array([[0, 0, 60, 81], [10, 5, 50, 40]], np.float32)
    assert suppress(boxes, np.array([0.9, 0.6])).tolist() == [0]


@pytest.mark.parametrize(("height", "width"), [(480, 640), (3000, 4000), (100, 1400), (640, 640)])
def test_the_network_sees_whole_strides_and_the_longer_side_as_asked(
    height: int, width: int
) -> None:
    blob, scale = prepare(np.zeros((height, width, 3), np.uint8), 640)
    assert blob.shape[0:2] == (1, 3)
    assert blob.shape[2] % 32 == blob.shape[3] % 32 == 0
    assert max(blob.shape[2:]) == 640
    assert scale == pytest.approx(640 / max(height, width))


class Sees:
    """A session that sees a row of three tiles ``width`` pixels wide in the middle of every
    picture, and remembers how large the pictures were."""

    def __init__(self, width: float) -> None:
        self._width = width
        self.looks: list[int] = []

    def get_inputs(self) -> list[Any]:
        return [type("Input", (), {"name": "images"})()]

    def run(self, names: Any, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        height, width = given["images"].shape[2:]
        self.looks.append(max(height, width))
        wide = self._width * max(height, width) / 640
        raw = np.zeros((1, 18, 3), np.float32)
        raw[0, 0] = width / 2 + wide * np.arange(-1, 2)
        raw[0, 1], raw[0, 2], raw[0, 3], raw[0, 4] = height / 2, wide, 1.3 * wide, 0.9
        return [raw]


@pytest.mark.parametrize(
    ("side", "width", "looks"),
    [
        (640, 60, [640]),
        (400, 60, [640]),  # small pictures are enlarged
        (900, 60, [896 + 32]),  # whole strides
        (4000, 60, [960]),
        (640, 14, [640, 128]),  # tiny tiles: their part of the picture again, twice as large
        (4000, 14, [960, 672]),
    ],
)
def test_large_pictures_are_looked_at_finely_and_tiny_tiles_twice(
    side: int, width: float, looks: list[int]
) -> None:
    sees = Sees(width)
    found = Detector(sees, threshold=0.2)(np.zeros((side * 3 // 4, side, 3), np.uint8))
    assert sees.looks == looks
    assert len(found.score) == 3


def test_the_output_is_decoded_into_picture_pixels() -> None:
    raw = np.zeros((18, 2), np.float32)
    raw[:4, 0] = 100, 60, 40, 54  # centre and size
    raw[4:6, 0] = 0.1, 0.8  # a back
    corners = [[80, 33, 1], [120, 33, 1], [120, 87, 1], [80, 87, 1]]
    raw[6:, 0] = np.array(corners, np.float32).reshape(-1)
    found = select(raw, 0.5, 0.3)
    assert found.boxes[0] == pytest.approx([160, 66, 240, 174])
    assert found.quads[0].tolist() == [[160, 66], [240, 66], [240, 174], [160, 174]]
    assert found.back.tolist() == [True]


def test_corners_that_do_not_span_the_box_give_way_to_it() -> None:
    raw = np.zeros((18, 1), np.float32)
    raw[:4, 0] = 100, 60, 40, 54
    raw[4, 0] = 0.9
    found = select(raw, 1.0, 0.3)
    assert found.quads[0].tolist() == [[80, 33], [120, 33], [120, 87], [80, 87]]
