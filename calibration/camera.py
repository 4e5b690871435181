"""Intrinsics and lens distortion of a camera from views of the ChArUco board.

The model is OpenCV's pinhole with two tangential and two or three radial coefficients
(https://docs.opencv.org/4.x/dc/dbb/tutorial_py_calibration.html). A result that would make readings
worse is refused with every reason, never stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, floats
from calibration.views import MIN_VIEWS, View, coverage, tilts_deg

MAX_ERROR = 0.5 / 640  # reprojection error (RMS) allowed, as a share of the picture's longer side
MAX_FOCAL_SPREAD = 0.01  # standard deviation of the focal length, as a share of it
MAX_ASPECT = 0.03  # how far fx / fy may be from 1: no camera in use has oblong pixels
MAX_CENTRE_SHIFT = 0.15  # principal point from the picture's middle, as a share of the longer side
MIN_COVERAGE = 0.6  # share of the picture's cells in which corners were seen
MIN_TILT_DEG = 15.0  # some views must be tilted so far, or the focal length is anyone's guess
OUTLIER = 3.0  # a view whose error is so many times the median is left out, once
K3_GAIN = 0.9  # the third radial coefficient is kept when it brings the error below this share


class BadCalibrationError(ValueError):
    """The views do not give a camera worth keeping; `reasons` says why, each with what to do."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


@dataclass(frozen=True, slots=True, eq=False)
class Intrinsics:
    """A camera at one picture size: `matrix` (3,3), `distortion` (5,) as k1 k2 p1 p2 k3."""

    size_wh: tuple[int, int]
    matrix: Floats
    distortion: Floats
    error_px: float
    views: int

    def __post_init__(self) -> None:
        if self.matrix.shape != (3, 3) or self.distortion.shape != (5,):
            raise ValueError(
                f"matrix must be (3, 3) and distortion (5,), but got {self.matrix.shape} "
                f"and {self.distortion.shape}"
            )
        if not (np.isfinite(self.matrix).all() and np.isfinite(self.distortion).all()):
            raise ValueError("matrix and distortion must be finite numbers")
        if self.matrix[0, 0] <= 0 or self.matrix[1, 1] <= 0 or min(self.size_wh) <= 0:
            raise ValueError("focal lengths and picture size must be positive")

    @property
    def focal_px(self) -> tuple[float, float]:
        """Focal lengths along x and y."""
        return float(self.matrix[0, 0]), float(self.matrix[1, 1])

    def scaled(self, size_wh: tuple[int, int]) -> Intrinsics:
        """The same camera at another picture size.

        Raises ValueError when the proportion differs: a cropped picture is another camera.
        """
        if size_wh == self.size_wh:
            return self
        sx, sy = size_wh[0] / self.size_wh[0], size_wh[1] / self.size_wh[1]
        if abs(sx / sy - 1) > 0.01:
            raise ValueError(
                f"the camera was calibrated at {self.size_wh[0]} x {self.size_wh[1]}; a picture of "
                f"{size_wh[0]} x {size_wh[1]} has another proportion: calibrate at this size"
            )
        matrix = self.matrix.copy()
        # Pixel centres are at whole numbers, so the scale is about (-0.5, -0.5).
        matrix[0] *= sx
        matrix[1] *= sy
        matrix[0, 2] += (sx - 1) / 2
        matrix[1, 2] += (sy - 1) / 2
        return Intrinsics(size_wh, matrix, self.distortion, self.error_px * sx, self.views)

    def fits(self, picture: Picture) -> bool:
        """Whether a picture may be of this camera: only one of the calibrated size is."""
        return (picture.shape[1], picture.shape[0]) == self.size_wh

    def undistort(self, picture: Picture) -> Picture:
        """`picture` (h,w[,3]) as a lens without distortion would show it, at the same size."""
        size = picture.shape[1], picture.shape[0]
        camera = self.scaled(size)
        maps = _maps(camera.matrix.tobytes(), camera.distortion.tobytes(), size)
        out = cv2.remap(
            picture, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(out, np.uint8)

    def undistort_points(self, points_px: NDArray[Any]) -> Floats:
        """Points (n,2) of the picture as taken, moved to where `undistort` puts them."""
        if len(points_px) == 0:
            return np.empty((0, 2))
        flat = np.ascontiguousarray(points_px, np.float64).reshape(-1, 1, 2)
        moved = cv2.undistortPoints(flat, self.matrix, self.distortion, P=self.matrix)
        return floats(moved).reshape(-1, 2)


@lru_cache(maxsize=4)
def _maps(matrix: bytes, distortion: bytes, size_wh: tuple[int, int]) -> tuple[Any, Any]:
    k = np.frombuffer(matrix).reshape(3, 3)
    return tuple(  # type: ignore[return-value]
        cv2.initUndistortRectifyMap(
            k, np.frombuffer(distortion), np.eye(3), k, size_wh, cv2.CV_16SC2
        )
    )


def estimate(views: Sequence[View]) -> Intrinsics:
    """The camera that fits the views best.

    Raises BadCalibrationError when the views are too few, too alike or do not fit together.
    """
    if len(views) < MIN_VIEWS:
        raise BadCalibrationError([f"{len(views)} good views: at least {MIN_VIEWS} are needed"])
    size = views[0].size_wh
    if any(view.size_wh != size for view in views):
        raise BadCalibrationError(["the views differ in picture size: take all with one setting"])
    # The two checks that need no fit come first: without tilt or coverage a fit means nothing.
    reasons = _poor_views(views)
    if reasons:
        raise BadCalibrationError(reasons)
    fit = _fit(views)
    kept = [v for v, e in zip(views, fit.view_errors, strict=True) if e <= OUTLIER * fit.median]
    if MIN_VIEWS <= len(kept) < len(views):
        fit = _fit(kept)
    reasons = _poor_fit(fit, size)
    if reasons:
        raise BadCalibrationError(reasons)
    return Intrinsics(size, fit.matrix, fit.distortion, fit.error_px, len(fit.view_errors))


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    matrix: Floats
    distortion: Floats
    error_px: float
    focal_spread: float
    view_errors: Floats

    @property
    def median(self) -> float:
        return float(np.median(self.view_errors))


def _fit(views: Sequence[View]) -> _Fit:
    plain = _fit_with(views, cv2.CALIB_FIX_K3)
    full = _fit_with(views, 0)
    return full if full.error_px < K3_GAIN * plain.error_px else plain


def _fit_with(views: Sequence[View], flags: int) -> _Fit:
    objects = [np.pad(v.board_mm, ((0, 0), (0, 1))).astype(np.float32) for v in views]
    pictures = [v.points_px.astype(np.float32) for v in views]
    guess: Any = None  # OpenCV makes its own first guess; its stubs do not allow the None
    try:
        error, k, bend, _, _, spread, _, per_view = cv2.calibrateCameraExtended(
            objects, pictures, views[0].size_wh, guess, guess, flags=flags
        )
    except cv2.error as e:
        reason = f"no camera fits these views ({e.err}): take them anew"
        raise BadCalibrationError([reason]) from None
    matrix = floats(k)
    share = float(np.max(spread.ravel()[:2] / matrix[[0, 1], [0, 1]]))
    coefficients = np.zeros(5)
    found = floats(bend).ravel()[:5]
    coefficients[: len(found)] = found
    return _Fit(matrix, coefficients, float(error), share, floats(per_view).ravel())


def _poor_views(views: Sequence[View]) -> list[str]:
    reasons = []
    seen = coverage(views)
    if seen.mean() < MIN_COVERAGE:
        reasons.append(
            f"the board was seen in {seen.mean():.0%} of the picture, at least {MIN_COVERAGE:.0%} "
            "is needed: hold it in the corners and along the edges too"
        )
    tilted = np.sort(tilts_deg(views))[-3:]
    if (tilted < MIN_TILT_DEG).any():
        reasons.append(
            "the board was hardly ever tilted: at least 3 views must lean by "
            f"{MIN_TILT_DEG:.0f} degrees"
        )
    return reasons


def _poor_fit(fit: _Fit, size_wh: tuple[int, int]) -> list[str]:
    reasons = []
    side = max(size_wh)
    if not fit.error_px <= MAX_ERROR * side:
        reasons.append(
            f"reprojection error {fit.error_px:.2f} px, at most {MAX_ERROR * side:.2f} is allowed: "
            "keep board and camera still, the board flat, and the picture sharp"
        )
    if not fit.focal_spread <= MAX_FOCAL_SPREAD:
        reasons.append(
            f"the focal length is uncertain by {fit.focal_spread:.1%}, at most "
            f"{MAX_FOCAL_SPREAD:.0%} is allowed: tilt the board more and take more views"
        )
    fx, fy, cx, cy = (float(fit.matrix[i, j]) for i, j in ((0, 0), (1, 1), (0, 2), (1, 2)))
    if abs(fx / fy - 1) > MAX_ASPECT:
        reasons.append(
            f"pixels came out oblong (fx {fx:.0f}, fy {fy:.0f}): was the board printed stretched?"
        )
    shift = float(np.hypot(cx - size_wh[0] / 2, cy - size_wh[1] / 2))
    if shift > MAX_CENTRE_SHIFT * side:
        reasons.append(
            f"the optical centre came out {shift:.0f} px off the middle: take more tilted views"
        )
    return reasons
