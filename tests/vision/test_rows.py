"""Rows are found whatever their tilt, bend or scale; gaps are measured in tile widths."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.detections import Detections, boxes_xyxy, quads_of_boxes, turn_of_quads
from vision.rows import levelled, parts_of, plane_of, rows_of, without


def tile(x: float, y: float, turn_deg: float = 0.0, w: float = 30.0) -> np.ndarray:
    """(4, 2) corners of a face of width `w` px, turned clockwise in the picture."""
    a = math.radians(turn_deg)
    right = np.array([math.cos(a), math.sin(a)]) * w / 2
    down = np.array([-math.sin(a), math.cos(a)]) * w * 1.35 / 2
    centre = np.array([x, y])
    return np.array(
        [centre - right - down, centre + right - down, centre + right + down, centre - right + down]
    )


def seen(quads: list[np.ndarray]) -> Detections:
    stacked = np.array(quads, np.float32)
    return Detections.of_faces(stacked, np.arange(len(quads)) % 27, turn_of_quads(stacked))


@pytest.mark.parametrize("tilt", [-40, -13, 0, 8, 35])
@pytest.mark.parametrize("boxes_only", [False, True], ids=["corners", "boxes"])
def test_a_tilted_row_is_one_row_from_left_to_right(tilt: float, boxes_only: bool) -> None:
    a = math.radians(tilt)
    quads = [tile(300 + 31 * k * math.cos(a), 400 + 31 * k * math.sin(a), tilt) for k in range(14)]
    if boxes_only:
        quads = list(quads_of_boxes(boxes_xyxy(np.array(quads))))
    plane = plane_of(seen(quads))
    rows = rows_of(plane)
    assert [row.tiles for row in rows] == [tuple(range(14))]
    assert max(rows[0].gaps) < 0.2
    assert plane.angle == pytest.approx(tilt, abs=4)


def test_a_row_seen_from_the_other_side_is_read_in_the_players_order() -> None:
    quads = [tile(300 - 31 * k, 400, 180) for k in range(10)]
    assert rows_of(plane_of(seen(quads)))[0].tiles == tuple(range(10))


def test_a_curved_row_stays_one_row() -> None:
    quads = [tile(100 + 31 * k, 400 + 0.05 * (k - 8) ** 2 * 30, (k - 8) * 3) for k in range(17)]
    assert len(rows_of(plane_of(seen(quads)))) == 1


def test_rows_one_tile_height_apart_stay_two_rows() -> None:
    quads = [tile(100 + 31 * k, 400) for k in range(12)]
    quads += [tile(120 + 30 * k, 400 - 1.0 * 30 * 1.35) for k in range(6)]
    assert [len(row.tiles) for row in rows_of(plane_of(seen(quads)))] == [12, 6]


@pytest.mark.parametrize("gap", [0.5, 1.0, 3.0])
def test_a_gap_is_measured_in_tile_widths_at_any_scale(gap: float) -> None:
    for scale in (0.5, 2.0):
        xs = [31.0 * k + (30 * gap if k > 4 else 0) for k in range(9)]
        row = rows_of(plane_of(seen([tile(scale * (99 + x), 300, w=30 * scale) for x in xs])))[0]
        assert max(row.gaps) == pytest.approx(gap, abs=0.05)
        assert [len(block) for block in row.blocks()] == [5, 4]


def test_a_sideways_tile_belongs_to_the_row_and_is_known_as_sideways() -> None:
    xs = [0.0, 31.0, 67.0, 103.0]
    quads = [tile(100 + x, 300, 90 if k == 2 else 0) for k, x in enumerate(xs)]
    plane = plane_of(seen(quads))
    assert rows_of(plane)[0].tiles == (0, 1, 2, 3)
    assert [plane.sideways(i) for i in range(4)] == [False, False, True, False]


@pytest.mark.parametrize(("turn", "turned"), [(5, False), (30, True), (45, True), (180, False)])
def test_a_tile_at_an_angle_is_turned(turn: float, turned: bool) -> None:
    quads = [tile(100 + 31 * k, 300) for k in range(8)] + [tile(360, 300, turn)]
    assert plane_of(seen(quads)).turned(8) is turned


def test_taking_tiles_out_leaves_a_gap_and_far_parts_can_be_told() -> None:
    quads = [tile(100 + 31 * k + (150 if k > 3 else 0), 300) for k in range(7)]
    plane = plane_of(seen(quads))
    row = rows_of(plane)[0]
    assert [part.tiles for part in parts_of(plane, row)] == [(0, 1, 2, 3), (4, 5, 6)]
    assert without(row, [1]).blocks() == [(0,), (2, 3), (4, 5, 6)]


def test_no_tile_no_row() -> None:
    assert rows_of(plane_of(Detections.empty())) == []


def test_gaps_are_exact_where_perspective_shears_the_tiles() -> None:
    quads = [tile(100 + 30 * k + (15 if k > 8 else 0), 400) for k in range(10)]
    shear = np.array([[1.0, 0.25], [0.5, 1.0]])
    row = rows_of(plane_of(seen([quad @ shear for quad in quads])))[0]
    assert row.tiles == tuple(range(10))
    assert row.gaps == pytest.approx([0.0] * 8 + [0.5], abs=0.03)


def test_a_wavy_row_of_flat_looking_faces_stays_one_row() -> None:
    quads = [tile(100 + 31 * k, 400) for k in range(12)]
    quads = [quad * (1, 0.3) + (0, 10 * (k % 4 == 2)) for k, quad in enumerate(quads)]
    assert len(rows_of(plane_of(seen(quads)))) == 1


def test_a_row_is_levelled_by_itself() -> None:
    """Standing tiles lean in the picture; the lying ones behind them need not."""
    quads = [tile(100 + 31 * k, 400, 2.0 * k - 6) for k in range(7)]
    quads += [tile(150 + 31 * k, 330) for k in range(4)]
    plane = plane_of(seen(quads))
    rows = rows_of(plane)
    for row in rows:
        plane = levelled(plane, row)
    assert np.abs(plane.lean).max() < 3


def test_half_the_faces_upside_down_do_not_turn_the_picture() -> None:
    quads = [tile(100 + 31 * k, 400, 180.0 * (k % 5 in (0, 2, 4))) for k in range(15)]
    assert rows_of(plane_of(seen(quads)))[0].tiles == tuple(range(15))
