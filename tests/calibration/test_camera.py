"""Rendered boards with a known camera: intrinsics, guidance and refusals."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from calibration import sheets
from calibration.board import Board
from calibration.camera import BadCalibrationError, Intrinsics, estimate
from calibration.views import Collection, Verdict, View, tilts_deg
from tests.calibration.rendering import Camera, Pose, camera, photograph
from tests.support import slow_count

BOARD = Board()
PX_PER_MM = 4.0
MIDDLE = (105.0, 142.5)  # of the pattern on its A4 page


def paper() -> np.ndarray:
    return sheets.to_picture(BOARD.sheet(), PX_PER_MM * 25.4)


def poses(count: int, seed: int, tilt: float = 35.0, roam: float = 130.0) -> list[Pose]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        turns = (*rng.uniform(-tilt, tilt, 2), rng.uniform(-180, 180))
        middle = np.asarray(MIDDLE) + rng.uniform(-roam, roam, 2)
        found.append(Pose.looking_at((middle[0], middle[1]), rng.uniform(280, 560), turns))
    return found


def exact_views(cam: Camera, where: list[Pose], noise: float, seed: int = 0) -> list[View]:
    """Views without rendering: projected corners with a little noise, cut at the picture's edge."""
    rng = np.random.default_rng(seed)
    views = []
    for pose in where:
        points = cam.project(BOARD.corners_mm, pose)
        seen = ((points > 0) & (points < cam.size_wh)).all(1)
        points = points + rng.normal(0, noise, points.shape)
        views.append(View(points[seen], BOARD.corners_mm[seen], cam.size_wh))
    return views


@pytest.mark.parametrize("seed", range(slow_count(1, 6)))
def test_rendered_boards_give_the_camera_back(seed: int) -> None:
    cam = camera((800, 450), 630.0)
    collection = Collection(BOARD)
    for n, pose in enumerate(poses(12, seed)):
        collection.offer(photograph(cam, pose, paper(), PX_PER_MM, seed=n))
    found = estimate(collection.views)
    assert found.focal_px == pytest.approx((cam.matrix[0, 0], cam.matrix[1, 1]), rel=0.01)
    assert found.error_px < 0.5
    assert found.matrix[:2, 2] == pytest.approx(cam.matrix[:2, 2], abs=4)
    assert found.distortion[:2] == pytest.approx(cam.distortion[:2], abs=0.03)


def test_undistortion_makes_straight_lines_straight() -> None:
    cam = camera((960, 540), 700.0, (-0.3, 0.08, 0.0, 0.0, 0.0))
    known = Intrinsics(cam.size_wh, cam.matrix, cam.distortion, 0.1, 15)
    pose = Pose.looking_at(MIDDLE, 230, (0, 0, 0))
    numbers, seen = BOARD.find(known.undistort(photograph(cam, pose, paper(), PX_PER_MM)))
    rows = numbers // (BOARD.columns - 1)
    top = seen[rows == rows.min()]
    bend = np.abs(np.polyval(np.polyfit(top[:, 0], top[:, 1], 1), top[:, 0]) - top[:, 1])
    assert len(top) >= 4
    assert bend.max() < 0.3
    _, raw = BOARD.find(photograph(cam, pose, paper(), PX_PER_MM))
    assert np.abs(known.undistort_points(raw) - raw).max() > 3  # the lens does bend this picture


def test_intrinsics_follow_the_picture_size() -> None:
    cam = camera((1280, 720), 1000.0)
    half = Intrinsics(cam.size_wh, cam.matrix, cam.distortion, 0.2, 15).scaled((640, 360))
    assert half.focal_px[0] == pytest.approx(500)
    with pytest.raises(ValueError, match="another proportion"):
        half.scaled((640, 480))


@pytest.mark.parametrize(
    ("views", "reason"),
    [
        pytest.param(lambda cam: exact_views(cam, poses(5, 1), 0.1), "5 good views", id="few"),
        pytest.param(
            lambda cam: exact_views(cam, poses(12, 1, tilt=2), 0.1), "tilted", id="never-tilted"
        ),
        pytest.param(
            lambda cam: exact_views(cam, [p for p in poses(90, 1, roam=5) if far(p)], 0.1),
            "of the picture",
            id="only-the-middle",
        ),
        pytest.param(
            lambda cam: exact_views(cam, poses(12, 1), 2.5), "reprojection error", id="noisy"
        ),
        pytest.param(
            lambda cam: [
                View(v.points_px, v.board_mm * [1.0, 1.2], v.size_wh)
                for v in exact_views(cam, [p for p in poses(40, 3) if abs(p.turn[2]) < 0.4], 0.1)
            ],
            "oblong",
            id="printed-stretched",
        ),
    ],
)
def test_bad_collections_are_refused(views: object, reason: str) -> None:
    with pytest.raises(BadCalibrationError, match=reason) as caught:
        estimate(views(camera()))  # type: ignore[operator]
    assert caught.value.reasons


def far(pose: Pose) -> bool:
    return bool(pose.shift[2] > 540)


def test_one_bad_view_is_left_out() -> None:
    cam = camera()
    views = exact_views(cam, poses(14, 2), 0.1)
    spoiled = views[3].points_px + np.random.default_rng(0).normal(0, 6, views[3].points_px.shape)
    views[3] = View(spoiled, views[3].board_mm, views[3].size_wh)
    found = estimate(views)
    assert found.views == 13
    assert found.focal_px[0] == pytest.approx(cam.matrix[0, 0], rel=0.01)


def test_guidance_tells_what_is_wrong_with_a_picture() -> None:
    cam = camera((960, 540), 760.0)
    near = Pose.looking_at(MIDDLE, 420, (5, 5, 0))
    sharp = photograph(cam, near, paper(), PX_PER_MM)
    collection = Collection(BOARD)
    assert collection.offer(np.full((540, 960), 128, np.uint8)) is Verdict.NO_BOARD
    assert collection.offer(cv2.GaussianBlur(sharp, (0, 0), 1.8)) is Verdict.BLURRED
    assert collection.offer(sharp) is Verdict.KEPT
    assert collection.offer(sharp) is Verdict.ALIKE
    assert len(collection.views) == 1


@pytest.mark.parametrize(
    ("tilt", "side"),
    [
        ((0.0, 30.0, 0.0), "right"),
        ((0.0, -30.0, 0.0), "left"),
        ((30.0, 0.0, 0.0), "top"),
        ((-30.0, 0.0, 0.0), "bottom"),
    ],
)
def test_guidance_knows_which_side_is_near(tilt: tuple[float, float, float], side: str) -> None:
    cam = camera()
    pose = Pose.looking_at(MIDDLE, 420, tilt)
    collection = Collection(BOARD, exact_views(cam, [pose], 0.05))
    depth = {}
    rotation = cv2.Rodrigues(pose.turn)[0]
    sides = {"left": (0, 140), "right": (210, 140), "top": (105, 0), "bottom": (105, 285)}
    for name, point in sides.items():
        depth[name] = float((rotation @ [*point, 0.0] + pose.shift)[2])
    assert min(depth, key=lambda name: depth[name]) == side
    missing = " ".join(collection.wanted())
    assert f"its {side} side" not in missing
    assert missing.count("lean the board") == 3
    assert tilts_deg(collection.views)[0] == pytest.approx(30, abs=4)


def test_a_good_collection_wants_nothing_more() -> None:
    cam = camera()
    assert Collection(BOARD, exact_views(cam, poses(40, 4), 0.05)).complete


def test_the_printed_board_has_the_stated_size() -> None:
    sheet = BOARD.sheet()
    picture = Image.open(io.BytesIO(sheets.to_png(sheet, 200)))
    assert picture.size == (round(210 / 25.4 * 200), round(297 / 25.4 * 200))
    assert picture.info["dpi"] == pytest.approx((200, 200), abs=0.1)
    numbers, points = BOARD.find(np.asarray(picture))
    assert len(numbers) == len(BOARD.corners_mm)
    measured = np.ptp(points, axis=0) / (200 / 25.4)
    assert measured == pytest.approx(np.ptp(BOARD.corners_mm, axis=0), abs=0.2)


def test_the_pdf_draws_the_same_rectangles() -> None:
    sheet = BOARD.sheet(sheets.LETTER_MM)
    pdf = sheets.to_pdf(sheet)
    lines = pdf.decode("latin-1").splitlines()
    drawn = [line.split()[:4] for line in lines if line.endswith(" re")]
    mm = np.asarray(drawn, float) / 72 * 25.4
    mm[:, 1] = sheet.page_mm[1] - mm[:, 1] - mm[:, 3]
    assert mm == pytest.approx(sheet.rectangles_mm, abs=0.001)
    assert int(pdf.rsplit(b"startxref", 1)[1].split()[0]) == pdf.rindex(b"\nxref\n") + 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Board(columns=2), "at least 3 x 3"),
        (lambda: Board(marker_mm=25), "smaller than squares"),
        (lambda: Board(columns=20, rows=20), "over 100 markers"),
        (lambda: Board(square_mm=40).sheet(), "does not fit"),
    ],
)
def test_boards_that_cannot_be_are_refused(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()  # type: ignore[operator]
