"""Printed markers for the table: four to cut out, laid into the table's corners.

Each marker is laid with its own corner in the table's corner; as they are numbered, they may be
laid in any order and turned in any way. The ChArUco board laid in the middle of the table serves as
well.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, floats, grey
from calibration.board import Board, black_runs
from calibration.plane import BadPlaneError, Method, Plane, from_points, in_order
from calibration.sheets import A4_MM, Sheet, Text, ruler

NUMBERS = (0, 1, 2, 3)
SIDE_MM = 60.0
MARGIN_MM = 10.0  # white paper around each marker, cut along its outer edge

_BITS = 4
_DICTIONARY = cv2.aruco.DICT_4X4_50


def sheet(page_mm: tuple[float, float] = A4_MM, side_mm: float = SIDE_MM) -> Sheet:
    """The four markers with lines to cut along. Raises ValueError when they do not fit."""
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    paper = side_mm + 2 * MARGIN_MM
    left, top = (page_mm[0] - 2 * paper) / 2, 15.0
    cell = side_mm / (_BITS + 2)
    rectangles: list[list[float]] = []
    texts = []
    line = 0.2
    for place, number in enumerate(NUMBERS):
        x, y = left + paper * (place % 2), top + paper * (place // 2)
        rectangles += [[x, y, paper, line], [x, y + paper - line, paper, line]]
        rectangles += [[x, y, line, paper], [x + paper - line, y, line, paper]]
        bits = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, _BITS + 2), np.uint8)
        rectangles += black_runs(bits, x + MARGIN_MM, y + MARGIN_MM, cell)
        texts.append(Text(x + MARGIN_MM, y + paper - 3, f"hupai table marker {number + 1}"))
    bar, caption = ruler(left, top + 2 * paper + 12)
    advice = (
        "Cut along the lines and lay one card into each corner of the table, edges flush,",
        "in any order. Do not cut off the white margin.",
    )
    for n, words in enumerate(advice):
        texts.append(Text(left, top + 2 * paper + 20 + 5 * n, words))
    return Sheet(page_mm, np.concatenate([np.asarray(rectangles), bar]), (*texts, caption))


def find(picture: Picture) -> dict[int, Floats]:
    """Table markers in a picture (grey or BGR): number to its four corners (4,2) in pixels."""
    image = grey(picture)
    settings = cv2.aruco.DetectorParameters()
    # Lines through the whole border: measured three times as exact as the corner by itself.
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY), settings)
    corners, numbers, _ = detector.detectMarkers(image)
    found: dict[int, Floats] = {}
    for number, quad in zip(_numbers(numbers), corners, strict=True):
        if number in NUMBERS and number not in found:
            found[number] = floats(quad).reshape(4, 2)
    return found


def _numbers(found: Any) -> list[int]:
    # OpenCV gives None, against its own stubs, when there is none.
    return [] if found is None else [int(n) for n in np.ravel(found)]


def plane_from_markers(
    found: dict[int, Floats],
    table_wh_mm: tuple[float, float],
    size_wh: tuple[int, int],
    side_mm: float = SIDE_MM,
) -> Plane:
    """The plane from the four markers' corners (undistorted where a camera is known).

    Raises BadPlaneError when one is missing or the layout does not fit the table's size.
    """
    missing = [str(n + 1) for n in NUMBERS if n not in found]
    if missing:
        raise BadPlaneError(
            f"table marker {', '.join(missing)} not found: all four must lie flat, whole and lit"
        )
    quads = np.stack([found[n] for n in NUMBERS])
    # Which card lies in which corner is read off the picture, and so is how it is turned.
    centres = quads.mean(axis=1)
    ordered = in_order(centres)
    w, h = table_wh_mm
    inset = np.array([w, h]) / 2 - MARGIN_MM
    outward = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    table, pixels = [], []
    for side, centre in zip(outward, ordered, strict=True):
        quad = quads[int(np.argmin(np.linalg.norm(centres - centre, axis=1)))]
        middle = side * (inset - side_mm / 2)
        table.append(middle + outward * side_mm / 2)
        pixels.append(in_order_like(quad, ordered))
    return from_points(np.concatenate(table), np.concatenate(pixels), size_wh, Method.MARKERS)


def in_order_like(quad: Floats, like: Floats) -> Floats:
    """A square's corners (4,2), turned so that its edges run as those of `like` do."""
    steps = np.roll(like, -1, axis=0) - like
    steps = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    best = max(
        (np.roll(quad[::way], turn, axis=0) for way in (1, -1) for turn in range(4)),
        key=lambda q: float((steps * (np.roll(q, -1, axis=0) - q)).sum()),
    )
    return floats(best)


def plane_from_board(
    board: Board,
    numbers: NDArray[np.int64],
    points_px: Floats,
    size_wh: tuple[int, int],
) -> Plane:
    """The plane from a ChArUco board in the middle of the table, its long side pointing at the
    camera.

    Exact near the board; `error_mm` is that at its rim. Raises BadPlaneError when too little is
    seen.
    """
    if len(numbers) < 8:
        raise BadPlaneError("too little of the board is seen: it must lie flat, whole and well lit")
    table = board.corners_mm[numbers] - np.asarray(board.size_mm) / 2
    plane = from_points(table, points_px, size_wh, Method.BOARD)
    # However the sheet lies, y is to point towards the camera's side: down in the picture.
    down = plane.to_picture(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    y, x = down[1] - down[0], down[2] - down[0]
    quarter = int(np.argmax([y[1], x[1], -y[1], -x[1]]))
    if quarter == 0:
        return plane
    turn = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), quarter)
    return from_points(table @ turn.T, points_px, size_wh, Method.BOARD)
