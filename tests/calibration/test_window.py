"""What a click and a drag do, without a window."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.plane import from_corners
from calibration.profile import Table
from calibration.zones import default_zones
from kiosk.calibrate.table import draw
from kiosk.calibrate.window import Corners, Drag

TILE = (27.0, 36.0)


def at(x: float, y: float) -> np.ndarray:
    return np.array([x, y], np.float64)


def table() -> Table:
    corners = np.array([[300.0, 100], [980, 100], [1180, 650], [100, 650]])
    plane = from_corners(corners, (900, 900), (1280, 720))
    return Table(plane, default_zones((900, 900), TILE), TILE, (900, 900))


def test_four_clicks_make_the_corners() -> None:
    corners = Corners()
    for x, y in ((10, 10), (200, 12), (210, 150), (5, 160)):
        assert not corners.done
        corners.press(at(x, y))
        corners.release()
    assert corners.done
    corners.press(at(400, 400))  # a fifth does nothing
    assert len(corners.points) == 4


def test_a_corner_can_be_picked_up_and_taken_back() -> None:
    corners = Corners()
    corners.press(at(10, 10))
    corners.release()
    corners.press(at(15, 12))
    corners.move(at(30, 30))
    corners.release()
    corners.move(at(90, 90))
    assert [p.tolist() for p in corners.points] == [[30, 30]]
    corners.back()
    assert corners.points == []


def test_a_zone_follows_the_mouse_by_its_corner_or_its_inside() -> None:
    drag = Drag(table(), draw)
    zone = drag.table.zones[0]
    plane = drag.table.plane
    drag.press(plane.to_picture(zone.polygon_mm[2]))
    drag.move(plane.to_picture(at(150, 400)))
    drag.release()
    assert drag.table.zones[0].polygon_mm[2] == pytest.approx([150, 400])
    before = drag.table.zones[0].polygon_mm
    middle = before.mean(axis=0)
    drag.press(plane.to_picture(middle))
    drag.move(plane.to_picture(middle + at(20, -30)))
    drag.release()
    assert drag.table.zones[0].polygon_mm == pytest.approx(before + at(20, -30))
    drag.back()
    assert drag.table.zones[0].polygon_mm == pytest.approx(before)
    drag.back()
    assert drag.table.zones[0].polygon_mm == pytest.approx(zone.polygon_mm)


def test_a_drag_that_cannot_be_changes_nothing() -> None:
    drag = Drag(table(), draw)
    before = [z.polygon_mm.copy() for z in drag.table.zones]
    drag.press(at(640, 20))  # beside every zone
    drag.move(at(600, 30))
    drag.release()
    corner = drag.table.plane.to_picture(before[0][0])
    drag.press(corner)
    drag.move(at(640, -5000))  # beyond the horizon of this table
    drag.release()
    moved = [z.polygon_mm for z in drag.table.zones]
    assert all(np.abs(z).max() <= 5000 for z in moved)
    assert all((a == b).all() for a, b in zip(before[1:], moved[1:], strict=True))


def test_what_is_dragged_is_drawn() -> None:
    blank = np.zeros((720, 1280, 3), np.uint8)
    assert Drag(table(), draw).draw(blank).any()
    corners = Corners()
    corners.press(at(50, 60))
    assert corners.draw(blank)[60, 56].any()
