"""The table's plane: a homography from millimetres on the table to pixels of the picture.

Table frame: the origin is the table's middle, x to the right and y towards the camera's side, as
the picture shows them. Pixels are those of the undistorted picture when the profile holds a camera,
else of the picture as taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, floats

MIN_AREA = 0.01  # of the picture, that the table must cover
MAX_RESIDUAL = (
    1.5 / 640
)  # markers or corners may lie so far off the fit, as a share of the longer side


class Method(StrEnum):
    """How the plane was found."""

    MARKERS = "markers"
    BOARD = "board"
    CORNERS = "corners"
    TILES = "tiles"


class BadPlaneError(ValueError):
    """What was found does not give a plane worth keeping; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """`homography` (3,3) takes table millimetres to pixels of a picture of `size_wh`.

    `error_mm` is the estimated standard error at the worst point of what was calibrated.
    """

    homography: Floats
    size_wh: tuple[int, int]
    method: Method
    error_mm: float

    def __post_init__(self) -> None:
        if self.homography.shape != (3, 3) or not np.isfinite(self.homography).all():
            raise ValueError("homography must be a finite (3, 3) matrix")
        if abs(np.linalg.det(self.homography / np.abs(self.homography).max())) < 1e-12:
            raise ValueError("homography has no inverse")
        if min(self.size_wh) <= 0:
            raise ValueError(f"picture size must be positive, but got {self.size_wh}")

    def to_picture(self, points_mm: NDArray[Any]) -> Floats:
        """Table points (..., 2) in pixels."""
        return apply(self.homography, points_mm)

    def to_table(self, points_px: NDArray[Any]) -> Floats:
        """Pixels (..., 2) in table millimetres."""
        return apply(floats(np.linalg.inv(self.homography)), points_px)

    def scaled(self, size_wh: tuple[int, int]) -> Plane:
        """The same plane for the same view at another picture size of the same proportion."""
        if size_wh == self.size_wh:
            return self
        sx, sy = size_wh[0] / self.size_wh[0], size_wh[1] / self.size_wh[1]
        if abs(sx / sy - 1) > 0.01:
            raise ValueError(
                f"the table was calibrated at {self.size_wh[0]} x {self.size_wh[1]}; a picture of "
                f"{size_wh[0]} x {size_wh[1]} has another proportion: calibrate the table anew"
            )
        zoom = np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]])
        return Plane(zoom @ self.homography, size_wh, self.method, self.error_mm)


def apply(homography: Floats, points: NDArray[Any]) -> Floats:
    """`homography` applied to points (..., 2)."""
    flat = floats(points)
    out = flat @ homography[:, :2].T + homography[:, 2]
    return floats(out[..., :2] / out[..., 2:])


def from_points(
    table_mm: NDArray[Any], picture_px: NDArray[Any], size_wh: tuple[int, int], method: Method
) -> Plane:
    """The plane through pairs of table points (n,2) and pixels (n,2), n >= 4, least squares in
    pixels.

    Raises BadPlaneError when the points lie on a line, do not fit together or cover next to
    nothing.
    """
    table = floats(table_mm)
    picture = floats(picture_px)
    if table.shape != picture.shape or table.ndim != 2 or table.shape[1] != 2 or len(table) < 4:
        raise ValueError(
            "table_mm and picture_px must both have shape (n, 2), n >= 4, but got "
            f"{table.shape} and {picture.shape}"
        )
    hull = cv2.convexHull(picture.astype(np.float32))
    if cv2.contourArea(hull) < MIN_AREA * size_wh[0] * size_wh[1]:
        raise BadPlaneError("the points cover too little of the picture: move the camera nearer")
    found, _ = cv2.findHomography(table, picture, 0)
    if found is None or not np.isfinite(found).all():
        raise BadPlaneError("the points lie on a line: choose four that span the table")
    homography = floats(found)
    off = apply(homography, table) - picture
    worst = float(np.linalg.norm(off, axis=1).max())
    if worst > MAX_RESIDUAL * max(size_wh):
        raise BadPlaneError(
            f"the points do not lie on one plane as stated ({worst:.1f} px off): check the sizes "
            "that were given, and that the paper lies flat"
        )
    # With exactly four points nothing is left over to judge by: assume half a pixel each.
    spare = 2 * len(table) - 8
    sigma = float(np.sqrt((off**2).sum() / spare)) if spare > 0 else 0.5
    return Plane(
        homography, size_wh, method, standard_error_mm(homography, table, max(sigma, 0.05))
    )


def from_corners(
    corners_px: NDArray[Any], table_wh_mm: tuple[float, float], size_wh: tuple[int, int]
) -> Plane:
    """The plane from the table's four corners (4,2), clicked in any order.

    Raises BadPlaneError when they do not make a convex quadrilateral.
    """
    corners = in_order(floats(corners_px))
    w, h = table_wh_mm
    table = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return from_points(table, corners, size_wh, Method.CORNERS)


def in_order(corners_px: Floats) -> Floats:
    """Four points (4,2) clockwise in the picture, from the top left."""
    if corners_px.shape != (4, 2):
        raise ValueError(f"four corners must have shape (4, 2), but got {corners_px.shape}")
    hull = cv2.convexHull(corners_px.astype(np.float32)).reshape(-1, 2)
    if len(hull) < 4:
        raise BadPlaneError("the four corners do not make a four-sided table: mark them again")
    middle = corners_px.mean(axis=0)
    angle = np.arctan2(*(corners_px - middle).T[::-1])
    around = corners_px[np.argsort(angle)]  # clockwise in the picture, from the left
    # The top edge is the one whose middle is highest.
    top = int(np.argmin((around + np.roll(around, -1, axis=0))[:, 1]))
    return np.roll(around, -top, axis=0)


def standard_error_mm(homography: Floats, table_mm: Floats, sigma_px: float) -> float:
    """Standard error at the worst of the points of a fit to `table_mm` with `sigma_px` of noise."""
    jacobian = homography_jacobian(homography, table_mm)
    covariance = floats(np.linalg.pinv(jacobian.T @ jacobian)) * sigma_px**2
    return worst_error_mm(homography, covariance, table_mm)


def worst_error_mm(
    homography: Floats,
    covariance: Floats,
    points_mm: Floats,
    *,
    free_frame: bool = False,
) -> float:
    """The largest standard error in mm at `points_mm` (n,2), from the homography's covariance
    (8,8).

    The pixel error is carried back to the table through the local scale of the homography. With
    `free_frame`, shifts and turns of the whole frame do not count: distances are what matters.
    """
    rows = homography_jacobian(homography, points_mm).reshape(-1, 2, 8)
    moves = np.linalg.solve(local_scale(homography, points_mm), rows).reshape(-1, 8)
    if free_frame:
        arms = points_mm - points_mm.mean(axis=0)
        shift = np.tile(np.eye(2), (len(points_mm), 1))
        turn = np.column_stack([-arms[:, 1], arms[:, 0]]).reshape(-1, 1)
        rigid, _ = np.linalg.qr(np.hstack([shift, turn]))
        moves = moves - rigid @ (rigid.T @ moves)
    variance = np.einsum("ij,jk,ik->i", moves, covariance, moves).reshape(-1, 2).sum(axis=1)
    return float(np.sqrt(max(variance.max(), 0.0)))


def local_scale(homography: Floats, points_mm: Floats) -> Floats:
    """Jacobians (...,2,2) of pixels by millimetres at table points (...,2)."""
    x, y, w = np.moveaxis(points_mm @ homography[:, :2].T + homography[:, 2], -1, 0)
    top = homography[:2, :2] * w[..., None, None]
    bottom = np.stack([x, y], axis=-1)[..., None] * homography[2, :2]
    return floats((top - bottom) / w[..., None, None] ** 2)


def homography_jacobian(homography: Floats, points_mm: Floats) -> Floats:
    """Derivatives (2n,8) of the pixels by all entries of a homography but its last, 1."""
    h = homography / homography[2, 2]
    homogeneous = np.column_stack([points_mm, np.ones(len(points_mm))])
    w = homogeneous @ h[2]
    u, v = (homogeneous @ h[0]) / w, (homogeneous @ h[1]) / w
    part = homogeneous / w[:, None]
    zero = np.zeros_like(part)
    rows_u = np.hstack([part, zero, -u[:, None] * part[:, :2]])
    rows_v = np.hstack([zero, part, -v[:, None] * part[:, :2]])
    return floats(np.stack([rows_u, rows_v], axis=1).reshape(-1, 8))
