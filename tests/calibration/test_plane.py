"""The table's plane against rendered tables and tiles whose place is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import markers, sheets
from calibration.board import Board
from calibration.camera import Intrinsics
from calibration.plane import BadPlaneError, Method, Plane, from_corners
from calibration.tiles_plane import plane_from_tiles
from tests.calibration.rendering import Camera, Pose, camera, photograph
from tests.support import slow_count

TABLE = (1000.0, 1000.0)
PX_PER_MM = 3
NO_LENS = (0.0, 0.0, 0.0, 0.0, 0.0)
TILE = (27.0, 36.0)


def table_with_markers(cards: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """A 1 m table with cut-out cards (number, quarter turns) in its corners, clockwise."""
    page = sheets.to_picture(markers.sheet(), PX_PER_MM * 25.4)
    side = 80 * PX_PER_MM
    table = np.full((1000 * PX_PER_MM,) * 2, 90, np.uint8)
    places = [(0, 0), (0, 1), (1, 1), (1, 0)]
    for (number, turns), (down, across) in zip(cards, places, strict=True):
        top, left = (
            15 * PX_PER_MM + side * (number // 2),
            round(25 * PX_PER_MM) + side * (number % 2),
        )
        card = np.rot90(page[top : top + side, left : left + side], turns)
        y, x = down * (len(table) - side), across * (len(table) - side)
        table[y : y + side, x : x + side] = card
    return table


def worst_mm(plane: Plane, cam: Camera, pose: Pose) -> float:
    """Largest error over the whole table, in mm."""
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1000, 11)] * 2), -1).reshape(-1, 2)
    found = plane.to_table(cam.project(grid, pose))
    return float(np.linalg.norm(found - (grid - 500), axis=1).max())


@pytest.mark.parametrize("seed", range(slow_count(2, 8)))
def test_markers_give_the_table_within_a_millimetre_at_a_metre(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cards = [(int(n), int(rng.integers(4))) for n in rng.permutation(4)]
    cam = camera((1280, 720), 900.0, NO_LENS)
    tilts = (rng.uniform(-50, -20), rng.uniform(-5, 5), rng.uniform(-6, 6))
    pose = Pose.looking_at((500, 500), 1700, tilts)
    picture = photograph(cam, pose, table_with_markers(cards), PX_PER_MM, seed=seed)
    plane = markers.plane_from_markers(markers.find(picture), TABLE, cam.size_wh)
    assert worst_mm(plane, cam, pose) < 1.0
    assert plane.error_mm < 2.5
    assert plane.method is Method.MARKERS


def test_markers_seen_through_a_lens_need_the_camera_profile() -> None:
    cam = camera((1280, 720), 900.0, (-0.2, 0.05, 0.0, 0.0, 0.0))
    pose = Pose.looking_at((500, 500), 1600, (-35, 2, 3))
    picture = photograph(cam, pose, table_with_markers([(0, 0), (1, 0), (3, 0), (2, 0)]), PX_PER_MM)
    lens = Intrinsics(cam.size_wh, cam.matrix, cam.distortion, 0.1, 15)
    straight = Camera(cam.matrix, np.zeros(5), cam.size_wh)
    bent = markers.find(picture)
    found = {number: lens.undistort_points(quad) for number, quad in bent.items()}
    assert worst_mm(markers.plane_from_markers(found, TABLE, cam.size_wh), straight, pose) < 1.0
    assert worst_mm(markers.plane_from_markers(bent, TABLE, cam.size_wh), cam, pose) > 2


def test_a_missing_marker_is_named() -> None:
    with pytest.raises(BadPlaneError, match="marker 2, 4 not found"):
        markers.plane_from_markers({0: np.zeros((4, 2)), 2: np.ones((4, 2))}, TABLE, (640, 480))


def test_a_wrong_table_size_is_noticed() -> None:
    cam = camera((1280, 720), 900.0, NO_LENS)
    pose = Pose.looking_at((500, 500), 1600, (-35, 0, 0))
    found = markers.find(
        photograph(cam, pose, table_with_markers([(0, 0), (1, 0), (3, 0), (2, 0)]), PX_PER_MM)
    )
    with pytest.raises(BadPlaneError, match="check the sizes"):
        markers.plane_from_markers(found, (700.0, 1000.0), cam.size_wh)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_board_in_the_middle_gives_the_plane_however_it_lies(turn: float) -> None:
    board = Board()
    cam = camera((1280, 720), 900.0, NO_LENS)
    pose = Pose.looking_at((105, 142.5), 600, (-35, 0, turn))
    rng = np.random.default_rng(1)
    corners = board.corners_mm + (np.array([105, 142.5]) - np.asarray(board.size_mm) / 2)
    seen = cam.project(corners, pose) + rng.normal(0, 0.05, (len(corners), 2))
    plane = markers.plane_from_board(board, np.arange(len(corners)), seen, cam.size_wh)
    step = plane.to_picture(np.array([[0.0, 0], [10, 0], [0, 10]]))
    assert step[1, 0] > step[0, 0]
    assert step[2, 1] > step[0, 1]
    sides = plane.to_table(cam.project(np.array([[55.0, 142.5], [155.0, 142.5]]), pose))
    assert np.linalg.norm(sides[1] - sides[0]) == pytest.approx(100, abs=0.5)


def test_clicked_corners_may_come_in_any_order() -> None:
    corners = np.array([[200.0, 100], [1000, 120], [1180, 650], [60, 630]])
    planes = [
        from_corners(corners[o], (900, 800), (1280, 720)) for o in ([0, 1, 2, 3], [2, 0, 3, 1])
    ]
    assert planes[0].homography == pytest.approx(planes[1].homography)
    assert planes[0].to_picture(np.array([-450.0, -400])) == pytest.approx(corners[0])
    assert planes[0].to_table(corners[2]) == pytest.approx([450, 400])


@pytest.mark.parametrize(
    ("corners", "message"),
    [
        ([[0, 0], [500, 0], [1000, 0], [300, 600]], "four-sided"),
        ([[0, 0], [500, 0], [300, 200], [250, 600]], "four-sided"),
        ([[0, 0], [5, 0], [5, 5], [0, 5]], "too little of the picture"),
    ],
)
def test_corners_that_make_no_table_are_refused(corners: list[list[int]], message: str) -> None:
    with pytest.raises(BadPlaneError, match=message):
        from_corners(np.asarray(corners, float), (900, 900), (1280, 720))


def test_a_plane_follows_the_picture_size() -> None:
    corners = np.array([[200, 100], [1000, 120], [1180, 650], [60, 630]])
    plane = from_corners(corners, (900, 900), (1280, 720))
    half = plane.scaled((640, 360))
    point = np.array([100.0, -50.0])
    assert half.to_picture(point) == pytest.approx((plane.to_picture(point) + 0.5) / 2 - 0.5)
    with pytest.raises(ValueError, match="another proportion"):
        plane.scaled((640, 480))


def spread_tiles(
    cam: Camera, pose: Pose, count: int, noise_px: float, seed: int
) -> NDArray[np.float64]:
    """Quads of tiles over 600 x 400 mm: most upright, some lying or upside down."""
    rng = np.random.default_rng(seed)
    quads = []
    for _ in range(count):
        angle = np.radians(rng.choice([0, 0, 0, 90, 180]) + rng.normal(0, 6))
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * TILE
        place = corners @ rotation.T + rng.uniform(-0.5, 0.5, 2) * (600, 400)
        quads.append(cam.project(place, pose) + rng.normal(0, noise_px, (4, 2)))
    return np.asarray(quads)


@pytest.mark.parametrize("seed", range(slow_count(4, 20)))
@pytest.mark.parametrize("tilt", [-10, -35, -50])
def test_tiles_alone_give_distances_within_one_percent(seed: int, tilt: float) -> None:
    cam = camera((1280, 720), 1000.0, NO_LENS)
    pose = Pose.looking_at((0, 0), 900, (tilt, seed % 7 - 3, 2 * seed % 9 - 4))
    plane = plane_from_tiles(spread_tiles(cam, pose, 60, 0.3, seed), cam.size_wh, TILE)
    grid = np.stack(np.meshgrid(np.linspace(-300, 300, 7), np.linspace(-200, 200, 5)), -1).reshape(
        -1, 2
    )
    found = plane.to_table(cam.project(grid, pose))
    true = np.linalg.norm(grid[:, None] - grid[None], axis=2)
    measured = np.linalg.norm(found[:, None] - found[None], axis=2)
    far = true > 150
    assert np.abs(measured[far] / true[far] - 1).max() < 0.01
    down = plane.to_picture(np.array([[0.0, 0], [0, 10]]))
    assert down[1, 1] > down[0, 1]


def test_a_few_quads_that_are_no_tiles_do_no_harm() -> None:
    cam = camera((1280, 720), 1000.0, NO_LENS)
    pose = Pose.looking_at((0, 0), 900, (-35, 0, 0))
    quads = spread_tiles(cam, pose, 48, 0.2, 5)
    quads[3] += np.array([[0, 0], [15, 0], [15, 25], [0, 25]])
    quads[17] = quads[17].mean(axis=0) + (quads[17] - quads[17].mean(axis=0)) * 1.8
    plane = plane_from_tiles(quads, cam.size_wh, TILE)
    found = plane.to_table(cam.project(np.array([[-250.0, -150], [250, 150]]), pose))
    assert np.linalg.norm(found[1] - found[0]) == pytest.approx(np.hypot(500, 300), rel=0.01)


def test_tiles_that_cannot_tell_the_plane_are_refused() -> None:
    cam = camera((1280, 720), 1000.0, NO_LENS)
    pose = Pose.looking_at((0, 0), 900, (-35, 0, 0))
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * TILE
    row = np.stack([cam.project(corners + np.array([28 * n - 220, 0]), pose) for n in range(16)])
    with pytest.raises(BadPlaneError, match="one row"):
        plane_from_tiles(row, cam.size_wh, TILE)
    with pytest.raises(BadPlaneError, match="5 tiles are seen"):
        plane_from_tiles(row[:5], cam.size_wh, TILE)
    rng = np.random.default_rng(0)
    wild = rng.uniform(0, 700, (20, 1, 2)) + rng.uniform(-30, 30, (20, 4, 2))
    with pytest.raises(BadPlaneError):
        plane_from_tiles(wild, cam.size_wh, TILE)
    with pytest.raises(ValueError, match=r"\(n, 4, 2\)"):
        plane_from_tiles(np.zeros((9, 2)), cam.size_wh, TILE)


def test_marker_cards_are_printed_at_size() -> None:
    page = sheets.to_picture(markers.sheet(), 200)
    found = markers.find(page)
    assert sorted(found) == [0, 1, 2, 3]
    for quad in found.values():
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1) / 200 * 25.4
        assert sides == pytest.approx(markers.SIDE_MM, abs=0.4)
    assert cv2.countNonZero(255 - page) > 0
