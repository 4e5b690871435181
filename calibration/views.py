"""Collecting views of the board: which are worth keeping, and what the next should show.

The guidance needs no camera model: tilt is estimated with a rough focal length, which is enough to
tell someone to lean the board further.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, floats, grey
from calibration.board import Board

MIN_VIEWS = 8
GOOD_VIEWS = 15  # enough for any webcam; more add little
MIN_CORNERS = 12  # of the board in one view
MAX_EDGE_PX = 4.0  # black to white across more pixels than this is blur
MIN_NEWS = 0.06  # how far corners must have moved since any earlier view, in longer sides
LEAN_DEG = 20.0  # the tilt asked for
CELLS = (4, 3)  # columns and rows of the coverage grid
ROUGH_FOCAL = 0.9  # of the longer side: phones and webcams lie between 0.7 and 1.2


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Corners of one picture, `points_px` (n,2), and the same on the board, `board_mm` (n,2)."""

    points_px: Floats
    board_mm: Floats
    size_wh: tuple[int, int]

    def __post_init__(self) -> None:
        if self.points_px.shape != self.board_mm.shape or self.points_px.shape[1:] != (2,):
            raise ValueError(
                "points_px and board_mm must both have shape (n, 2), but got "
                f"{self.points_px.shape} and {self.board_mm.shape}"
            )


class Verdict(Enum):
    """What became of an offered picture; the value is a sentence for the user."""

    KEPT = "kept"
    NO_BOARD = "the board is not in the picture, or too small"
    PARTLY = "too little of the board is seen"
    BLURRED = "blurred: hold still, or give more light"
    ALIKE = "too like an earlier view: move or tilt the board"


@dataclass(slots=True)
class Collection:
    """The views kept so far for one board."""

    board: Board
    views: list[View] = field(default_factory=list)

    def offer(self, picture: Picture) -> Verdict:
        """Keep the picture's corners when they teach something new. No picture is kept."""
        image = grey(picture)
        numbers, points = self.board.find(image)
        if len(numbers) == 0:
            return Verdict.NO_BOARD
        view = View(points, self.board.corners_mm[numbers], (image.shape[1], image.shape[0]))
        if len(numbers) < MIN_CORNERS or _in_line(view.board_mm):
            return Verdict.PARTLY
        if edge_width_px(image, points) > MAX_EDGE_PX:
            return Verdict.BLURRED
        if any(self._alike(view, other) for other in self.views):
            return Verdict.ALIKE
        self.views.append(view)
        return Verdict.KEPT

    def _alike(self, a: View, b: View) -> bool:
        both = (a.board_mm[:, None] == b.board_mm[None]).all(-1)
        mine, theirs = np.nonzero(both)
        if len(mine) < MIN_CORNERS // 2:
            return False
        moved = np.linalg.norm(a.points_px[mine] - b.points_px[theirs], axis=1)
        return bool(np.max(moved) < MIN_NEWS * max(a.size_wh))

    def wanted(self) -> list[str]:
        """What is still missing, most useful first; empty when the collection is good."""
        hints = []
        unseen = _unseen_side(coverage(self.views)) if self.views else None
        if unseen:
            hints.append(f"move the board to the {unseen} of the picture")
        leans = [lean for view in self.views for lean in _leans(view)]
        for side in ("left", "right", "top", "bottom"):
            if side not in leans:
                hints.append(f"lean the board so that its {side} side is nearer to the camera")
        if len(self.views) < GOOD_VIEWS:
            hints.append(f"{len(self.views)} of {GOOD_VIEWS} views")
        return hints

    @property
    def complete(self) -> bool:
        """Nothing more is wanted."""
        return not self.wanted()


def coverage(views: Sequence[View]) -> NDArray[np.bool_]:
    """Cells (rows, columns) of the picture in which a corner was seen in any view."""
    seen = np.zeros((CELLS[1], CELLS[0]), bool)
    for view in views:
        at = np.floor(view.points_px / np.asarray(view.size_wh) * np.asarray(CELLS)).astype(int)
        at = np.clip(at, 0, np.asarray(CELLS) - 1)
        seen[at[:, 1], at[:, 0]] = True
    return seen


def tilts_deg(views: Sequence[View]) -> Floats:
    """Angle (n,) between each view's board and the picture plane, with a rough focal length."""
    normals = np.asarray([_normal(view) for view in views]).reshape(-1, 3)
    return floats(np.degrees(np.arccos(np.clip(np.abs(normals[:, 2]), 0, 1))))


def edge_width_px(image: Picture, points_px: Floats) -> float:
    """How many pixels the step from black to white takes near the given corners (median).

    Contrast divided by the steepest gradient, in the square between a corner and its nearest
    neighbour.
    """
    if len(points_px) < 2:
        return float("inf")
    distance = np.linalg.norm(points_px[:, None] - points_px[None], axis=2)
    np.fill_diagonal(distance, np.inf)
    radius = int(np.clip(np.median(distance.min(axis=1)) * 0.4, 3, 30))
    widths = []
    for x, y in np.round(points_px).astype(int):
        patch = image[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
        if min(patch.shape) < 5:
            continue
        dx = cv2.Sobel(patch, cv2.CV_32F, 1, 0) / 8  # Sobel's 3x3 kernel sums to 8 a unit step
        dy = cv2.Sobel(patch, cv2.CV_32F, 0, 1) / 8
        low, high = np.percentile(patch, [5, 95])
        steepest = float(np.percentile(np.hypot(dx, dy)[1:-1, 1:-1], 99))
        widths.append((high - low) / max(steepest, 1e-6))
    return float(np.median(widths)) if widths else float("inf")


def _in_line(board_mm: Floats) -> bool:
    return bool(np.linalg.matrix_rank(board_mm - board_mm.mean(axis=0), tol=1e-6) < 2)


def _normal(view: View) -> Floats:
    """The board's normal in the camera's frame (x right, y down, z away), pointing away."""
    focal = ROUGH_FOCAL * max(view.size_wh)
    middle = np.asarray(view.size_wh) / 2
    matrix = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    points = np.hstack([view.board_mm, np.zeros((len(view.board_mm), 1))])
    _, turn, _ = cv2.solvePnP(points, view.points_px, matrix, np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
    normal = floats(cv2.Rodrigues(turn)[0])[:, 2]
    return normal if normal[2] > 0 else -normal


def _leans(view: View) -> list[str]:
    # Depth on the plane is z0 - (nx/nz) x - (ny/nz) y: it falls towards the side the normal leans
    # to.
    normal = _normal(view)
    slope_x, slope_y = normal[0] / normal[2], normal[1] / normal[2]
    least = np.tan(np.radians(LEAN_DEG / 2))
    found = []
    if abs(slope_x) > least:
        found.append("right" if slope_x > 0 else "left")
    if abs(slope_y) > least:
        found.append("bottom" if slope_y > 0 else "top")
    return found


def _unseen_side(seen: NDArray[np.bool_]) -> str | None:
    """Words for the first picture cell in which no corner was seen, corners first."""
    rows, columns = seen.shape
    cells = [(r, c) for r in range(rows) for c in range(columns) if not seen[r, c]]
    if not cells:
        return None
    middle = (rows - 1) / 2, (columns - 1) / 2
    row, column = max(cells, key=lambda rc: abs(rc[0] - middle[0]) + abs(rc[1] - middle[1]))
    vertical = ("top", "middle", "bottom")[min(2, row * 3 // rows)]
    horizontal = "left" if column < columns / 2 else "right"
    return f"{vertical} {horizontal}"
