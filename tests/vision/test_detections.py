"""Detections are checked at birth; their geometry follows the printed face, not the picture."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from vision.detections import (
    Detections,
    boxes_xyxy,
    centres,
    heights_px,
    iou,
    quads_of_boxes,
    take,
    turn_of_quads,
    up_vectors,
    widths_px,
    with_turn,
)

BOX = [[10.0, 20.0, 40.0, 60.0]]


def arrays(n: int = 2) -> dict[str, Any]:
    quads = np.repeat(quads_of_boxes(BOX), n, axis=0)
    return {
        "quads": quads,
        "faces": np.arange(n),
        "alternatives": np.stack([np.arange(n), np.arange(n) + 1, np.arange(n) + 2], axis=1),
        "alternative_p": np.tile(np.float32([0.8, 0.1, 0.05]), (n, 1)),
        "turn": np.zeros(n, np.int64),
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quads": np.zeros((2, 4))}, r"quads must be a 3D array of shape \(2, 4, 2\)"),
        ({"faces": np.zeros(3)}, r"faces must be a 1D array of shape \(2,\), but got \(3,\)"),
        ({"alternative_p": np.zeros((2, 2))}, r"alternative_p must be a 2D array"),
        ({"alternatives": np.full((2, 3), 43)}, r"alternatives must lie in 0\.\.42, but got 43"),
        ({"faces": np.array([5, 5])}, r"column 0 of alternatives must be faces"),
        ({"alternative_p": np.tile([0.1, 0.2, 0.3], (2, 1))}, r"must fall along each row"),
        ({"turn": np.array([0, 45])}, r"turn must hold only"),
        ({"score": np.array([0.5, 1.5])}, r"score must lie in 0\.\.1"),
        ({"embedding": np.zeros((3, 8))}, r"embedding must be a 2D array of shape \(2, _\)"),
        ({"quads": np.full((2, 4, 2), np.nan)}, r"quads must be finite"),
    ],
)
def test_bad_arrays_are_refused_with_a_sentence(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Detections(**{**arrays(), **change})


def test_arrays_cannot_be_changed_after_birth_and_the_callers_stay_writable() -> None:
    given = arrays()
    detections = Detections(**given)
    with pytest.raises(ValueError, match="read-only"):
        detections.faces[0] = 3
    given["faces"][0] = 7
    assert detections.faces[0] == 0


def test_json_round_trip_keeps_every_field() -> None:
    detections = Detections(**arrays(), embedding=np.ones((2, 4)), score=[0.5, 0.25])
    again = Detections.from_json(json.loads(json.dumps(detections.to_json())))
    assert again.to_json() == detections.to_json()
    assert len(Detections.from_json(Detections.empty().to_json())) == 0


def test_take_by_index_and_by_mask() -> None:
    detections = Detections(**arrays(3))
    assert take(detections, [2, 0]).faces.tolist() == [2, 0]
    assert take(detections, np.array([True, False, True])).faces.tolist() == [0, 2]
    assert len(take(detections, [])) == 0


def test_upright_boxes_and_back() -> None:
    quads = quads_of_boxes(BOX)
    assert boxes_xyxy(quads).tolist() == BOX
    assert centres(quads).tolist() == [[25.0, 40.0]]
    assert widths_px(quads).tolist() == [30.0]
    assert heights_px(quads).tolist() == [40.0]
    assert up_vectors(quads).tolist() == [[0.0, -1.0]]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turn_renumbers_the_corners_clockwise(turn: int) -> None:
    turned = with_turn(quads_of_boxes(BOX), [turn])
    assert turn_of_quads(turned).tolist() == [turn]
    assert boxes_xyxy(turned).tolist() == BOX
    up = {0: [0, -1], 90: [1, 0], 180: [0, 1], 270: [-1, 0]}[turn]
    assert up_vectors(turned)[0].tolist() == pytest.approx(up)


def test_iou_of_a_box_with_itself_its_half_and_a_stranger() -> None:
    a = np.float32([[0, 0, 10, 10]])
    b = np.float32([[0, 0, 10, 10], [0, 0, 10, 5], [20, 20, 30, 30]])
    assert iou(a, b).tolist() == [[1.0, 0.5, 0.0]]
