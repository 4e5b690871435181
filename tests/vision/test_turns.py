"""A tile's proportions say whether it stands or lies on its side; the reader alone may err."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detections import Detections, turn_of_quads
from vision.rows import plane_of
from vision.turns import settled

UPRIGHT = np.array([[0, 0], [20, 0], [20, 27], [0, 27]], np.float32)
LYING = np.array([[27, 0], [27, 20], [0, 20], [0, 0]], np.float32)


def seen(*tiles: np.ndarray, flat: float = 1.0) -> Detections:
    """A row of tiles, seen `flat` as high as from above."""
    quads, x = [], 0.0
    for tile in tiles:
        quads.append(tile * [1, flat] + [x, 0])
        x += float(np.ptp(tile[:, 0]))
    every = np.array(quads, np.float32)
    return Detections.of_faces(every, np.full(len(every), 31), turn_of_quads(every))


def turns(detections: Detections) -> list[int]:
    return settled(detections, plane_of(detections))[0].turn.tolist()


@pytest.mark.parametrize("flat", [1.0, 0.6, 0.45])
@pytest.mark.parametrize("quarters", [1, -1])
def test_a_face_that_seems_turned_on_an_upright_tile_stands(quarters: int, flat: float) -> None:
    misread = np.roll(UPRIGHT, quarters, axis=0)
    assert turns(seen(*[UPRIGHT] * 6, misread, flat=flat)) == [0] * 7


@pytest.mark.parametrize("flat", [1.0, 0.6, 0.45])
def test_a_claimed_tile_on_its_side_stays_there(flat: float) -> None:
    row = seen(UPRIGHT, UPRIGHT, LYING, UPRIGHT, UPRIGHT, UPRIGHT, flat=flat)
    assert turns(row) == [0, 0, 90, 0, 0, 0]


def test_tiles_that_lie_before_standing_ones_are_wide_and_stay_upright() -> None:
    """Seen from 30° a standing tile is tall, a lying one as low as if it lay on its side."""
    standing, lying = UPRIGHT * [1, 0.87], UPRIGHT * [1, 0.5]
    assert turns(seen(*[standing] * 6, lying, lying, lying)) == [0] * 9


def test_upside_down_is_believed() -> None:
    assert turns(seen(*[UPRIGHT] * 5, np.roll(UPRIGHT, 2, axis=0)))[5] == 180


def test_by_few_upright_tiles_the_reader_is_not_overruled() -> None:
    detections = seen(UPRIGHT, UPRIGHT, np.roll(UPRIGHT, 1, axis=0))
    assert settled(detections, plane_of(detections))[0] is detections
