"""The table's plane from the tiles themselves: many rectangles of one known size lying on it.

Each tile is a rectangle of known width and height at an unknown place and turn; the way the table
is seen and all places are fitted together (Levenberg-Marquardt with Huber weights), so that a few
quads that are not tiles do no harm. The view is that of a pinhole with square pixels and the
optical axis in the picture's middle, which holds for every picture that was not cropped; the focal
length is free unless the camera was calibrated. Scale comes from the tile's size, direction from
the way most tiles are turned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, floats
from calibration.camera import Intrinsics
from calibration.plane import (
    BadPlaneError,
    Method,
    Plane,
    apply,
    homography_jacobian,
    local_scale,
    worst_error_mm,
)

MIN_TILES = 6
GOOD_ERROR = 0.01  # standard error at the worst tile, as a share of the width that the tiles span
MIN_DEPTH = 2.5  # tile heights that the tiles must span away from the camera, or tilt is guessed
HUBER_PX = 1.0
MAX_SIGMA = 0.15  # of a tile's width that corners may be off before the fit is not believed
STEPS = 60
FOCAL = 0.9  # of the longer side, when the camera is not calibrated: phones and webcams
FOCAL_SPREAD = 0.3  # of its logarithm: covers 50 to 80 degrees of view within one deviation
KNOWN_SPREAD = 0.005
CORNER_PX = 0.5  # typical error of a corner, which the guess of the focal length is weighed against

_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
_VIEW = 7  # numbers that say how the table's frame is seen


def plane_from_tiles(
    quads_px: NDArray[Any],
    size_wh: tuple[int, int],
    tile_wh_mm: tuple[float, float],
    camera: Intrinsics | None = None,
) -> Plane:
    """The plane under quads (n,4,2), corners as in `Detections`: clockwise from the face's top
    left.

    The frame's origin is the middle of the tiles; y runs along the tiles, towards the camera's
    side. With `camera`, the quads must be those of the undistorted picture.
    Raises BadPlaneError when the tiles are too few, or lie too close together to tell the plane.
    """
    quads = floats(quads_px)
    if quads.ndim != 3 or quads.shape[1:] != (4, 2):
        raise ValueError(f"quads_px must have shape (n, 4, 2), but got {quads.shape}")
    if len(quads) < MIN_TILES:
        raise BadPlaneError(
            f"{len(quads)} tiles are seen, at least {MIN_TILES} are needed: spread some over the "
            "table"
        )
    tile = floats(tile_wh_mm)
    if not (tile > 0).all():
        raise ValueError(f"the tile's width and height must be positive, but got {tile_wh_mm}")
    fit = _fit(quads, tile, _lens(size_wh, camera))
    homography = _straightened(fit.state)
    middles = apply(floats(np.linalg.inv(homography)), quads).mean(axis=1)
    spread = np.linalg.svd(middles - middles.mean(axis=0), compute_uv=False) / np.sqrt(len(middles))
    # A uniform strip of depth d has a standard deviation of d / sqrt(12).
    if not spread[1] * np.sqrt(12) >= MIN_DEPTH * tile[1]:
        raise BadPlaneError(
            "the tiles lie in one row, which does not show how the table recedes: lay some further "
            "away and some nearer"
        )
    zoom = float(np.sqrt(abs(np.linalg.det(local_scale(homography, np.zeros(2))))))
    if not fit.sigma_px <= MAX_SIGMA * zoom * tile[0]:
        raise BadPlaneError(
            "the tiles do not lie on one plane, or are not of the stated proportion"
        )
    width = float(np.ptp(middles, axis=0).max())
    if not fit.error_mm <= GOOD_ERROR * width:
        raise BadPlaneError(
            f"the tiles tell the plane only to {fit.error_mm / width:.1%}: lay more of them, "
            "spread over the table, and look from nearer or less obliquely"
        )
    return Plane(homography, size_wh, Method.TILES, fit.error_mm)


@dataclass(frozen=True, slots=True, eq=False)
class _Lens:
    middle: Floats
    log_focal: float  # first guess
    spread: float  # its standard deviation

    def homography(self, view: Floats) -> Floats:
        """From `view` (7,): log focal, rotation vector, translation of the table's frame."""
        focal = float(np.exp(np.clip(view[0], 0, 20)))
        rotation = floats(cv2.Rodrigues(view[1:4])[0])
        k = np.array([[focal, 0, self.middle[0]], [0, focal, self.middle[1]], [0, 0, 1]])
        found = k @ np.column_stack([rotation[:, 0], rotation[:, 1], view[4:7]])
        return floats(found / found[2, 2])

    def derivative(self, view: Floats) -> Floats:
        """Of the homography's first eight entries by `view`: (8,7), central differences."""
        columns = []
        for n in range(_VIEW):
            step = np.zeros(_VIEW)
            step[n] = 1e-6 * max(1.0, abs(float(view[n])))
            change = self.homography(view + step) - self.homography(view - step)
            columns.append(change.ravel()[:8] / (2 * step[n]))
        return floats(np.stack(columns, axis=1))


def _lens(size_wh: tuple[int, int], camera: Intrinsics | None) -> _Lens:
    if camera is None:
        middle = (floats(size_wh) - 1) / 2
        return _Lens(middle, float(np.log(FOCAL * max(size_wh))), FOCAL_SPREAD)
    here = camera.scaled(size_wh)
    log_focal = float(np.log(np.mean(here.focal_px)))
    return _Lens(here.matrix[:2, 2], log_focal, KNOWN_SPREAD)


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """How the table's frame is seen (7,), and each tile's middle and turn (n,3) on the table."""

    lens: _Lens
    view: Floats
    places: Floats

    @property
    def homography(self) -> Floats:
        return self.lens.homography(self.view)

    def corners_mm(self, tile: Floats) -> Floats:
        """Corners (n,4,2) of all tiles on the table."""
        c, s = np.cos(self.places[:, 2]), np.sin(self.places[:, 2])
        rotation = np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
        corners = np.einsum("nij,kj->nki", rotation, _CORNERS * tile) + self.places[:, None, :2]
        return floats(corners)

    def moved(self, step: Floats) -> _State:
        places = self.places.copy()
        places[1:] += step[_VIEW:].reshape(-1, 3)  # the first tile stays: it fixes the frame
        return replace(self, view=self.view + step[:_VIEW], places=places)

    def residuals(self, quads: Floats, tile: Floats) -> Floats:
        """Pixels (n,4,2) by which the fitted corners miss the quads."""
        with np.errstate(all="ignore"):
            return floats(apply(self.homography, self.corners_mm(tile)) - quads)

    @property
    def surprise(self) -> float:
        """How far the focal length is from the guess, in pixels' worth."""
        return CORNER_PX * (float(self.view[0]) - self.lens.log_focal) / self.lens.spread

    def cost(self, residuals: Floats) -> float:
        off = np.linalg.norm(residuals.reshape(-1, 2), axis=1)
        huber = np.where(off <= HUBER_PX, off**2, 2 * HUBER_PX * off - HUBER_PX**2)
        return float(huber.sum()) + self.surprise**2

    def jacobian(self, tile: Floats) -> Floats:
        """Derivatives (8n, 7 + 3(n-1)) of the corners' pixels by view and places."""
        homography, corners = self.homography, self.corners_mm(tile)
        count = len(corners)
        jacobian = np.zeros((8 * count, _VIEW + 3 * count))
        by_entries = homography_jacobian(homography, corners.reshape(-1, 2))
        jacobian[:, :_VIEW] = by_entries @ self.lens.derivative(self.view)
        scale = local_scale(homography, corners)  # (n,4,2,2)
        arms = corners - self.places[:, None, :2]
        turned = np.stack([-arms[..., 1], arms[..., 0]], axis=-1)[..., None]
        by_place = np.concatenate([scale, scale @ turned], axis=-1).reshape(count, 8, 3)
        for n in range(count):
            jacobian[8 * n : 8 * n + 8, _VIEW + 3 * n : _VIEW + 3 * n + 3] = by_place[n]
        return np.delete(jacobian, slice(_VIEW, _VIEW + 3), axis=1)

    def normal(self, residuals: Floats, tile: Floats) -> tuple[Floats, Floats]:
        """Normal matrix and gradient of the weighted least squares."""
        weights = np.repeat(_weights(residuals), 2)
        jacobian = self.jacobian(tile)
        normal = jacobian.T @ (weights[:, None] * jacobian)
        gradient = jacobian.T @ (weights * residuals.ravel())
        steep = CORNER_PX / self.lens.spread
        normal[0, 0] += steep**2
        gradient[0] += steep * self.surprise
        return normal, gradient


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    state: _State
    error_mm: float  # at the worst tile
    sigma_px: float  # robust deviation of the corners


def _fit(quads: Floats, tile: Floats, lens: _Lens) -> _Fit:
    ends = [_descended(start, quads, tile) for start in _starts(quads, tile, lens)]
    good = [state for state in ends if np.isfinite(state.cost(state.residuals(quads, tile)))]
    if not good:
        raise BadPlaneError("no plane fits these tiles: lay them flat and spread over the table")
    state = min(good, key=lambda s: s.cost(s.residuals(quads, tile)))
    residuals = state.residuals(quads, tile)
    spare = residuals.size - _VIEW - 3 * (len(quads) - 1)
    squares = _weights(residuals)[:, None] * residuals.reshape(-1, 2) ** 2
    variance = max(float(squares.sum()) / max(spare, 1), 1e-6)
    normal, _ = state.normal(residuals, tile)
    # Entries differ by many orders of magnitude: scale them before inverting.
    scale = np.sqrt(np.maximum(np.diag(normal), 1e-30))
    covariance = np.linalg.pinv(normal / np.outer(scale, scale)) / np.outer(scale, scale) * variance
    by_view = lens.derivative(state.view)
    entries = floats(by_view @ covariance[:_VIEW, :_VIEW] @ by_view.T)
    error = worst_error_mm(state.homography, entries, state.places[:, :2], free_frame=True)
    return _Fit(state, error, float(np.sqrt(variance)))


def _starts(quads: Floats, tile: Floats, lens: _Lens) -> list[_State]:
    """First guesses: the two ways in which the typical tile may lie before the camera."""
    diagonal = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    area = np.abs(diagonal[0][:, 0] * diagonal[1][:, 1] - diagonal[0][:, 1] * diagonal[1][:, 0])
    typical = quads[int(np.argsort(area)[len(area) // 2])]
    focal = np.exp(lens.log_focal)
    k = np.array([[focal, 0, lens.middle[0]], [0, focal, lens.middle[1]], [0, 0, 1]])
    points = np.pad(_CORNERS * tile, ((0, 0), (0, 1)))
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        points, typical, k, np.zeros(5), flags=cv2.SOLVEPNP_IPPE
    )
    starts = []
    for turn, shift in zip(turns, shifts, strict=True):
        view = np.concatenate([[lens.log_focal], np.ravel(turn), np.ravel(shift)])
        with np.errstate(all="ignore"):
            flat = apply(floats(np.linalg.inv(lens.homography(view))), quads)
        along = (flat[:, 1] - flat[:, 0]) + (flat[:, 2] - flat[:, 3])
        places = np.column_stack([flat.mean(axis=1), np.arctan2(along[:, 1], along[:, 0])])
        if np.isfinite(places).all():
            starts.append(_State(lens, view, places))
    return starts


def _descended(state: _State, quads: Floats, tile: Floats) -> _State:
    damping = 1e-3
    residuals = state.residuals(quads, tile)
    cost = state.cost(residuals)
    normal, gradient = state.normal(residuals, tile)
    for _ in range(STEPS):
        scale = np.sqrt(np.maximum(np.diag(normal), 1e-30))
        damped = normal / np.outer(scale, scale) + damping * np.eye(len(scale))
        try:
            moved = state.moved(floats(np.linalg.solve(damped, -gradient / scale) / scale))
        except np.linalg.LinAlgError:
            break
        after = moved.residuals(quads, tile)
        new = moved.cost(after)
        if np.isfinite(new) and new < cost:
            done = cost - new < 1e-9 * cost
            state, residuals, cost = moved, after, new
            if done:
                break
            normal, gradient = state.normal(residuals, tile)
            damping = max(damping / 5, 1e-12)
        else:
            damping *= 10
            if damping > 1e8:
                break
    return state


def _weights(residuals: Floats) -> Floats:
    off = np.linalg.norm(residuals.reshape(-1, 2), axis=1)
    return floats(np.minimum(1.0, HUBER_PX / np.maximum(off, 1e-12)))


def _straightened(state: _State) -> Floats:
    """The homography in the frame of the tiles: origin in their middle, y along most of them."""
    # Quarter turns are alike here: average the fourfold angle.
    turn = float(np.angle(np.exp(4j * state.places[:, 2]).sum())) / 4
    origin = state.places[:, :2].mean(axis=0)
    candidates = []
    for quarter in range(4):
        angle = turn + quarter * np.pi / 2
        c, s = np.cos(angle), np.sin(angle)
        frame = np.array([[c, -s, origin[0]], [s, c, origin[1]], [0, 0, 1]])
        candidates.append(floats(state.homography @ frame))

    def down(homography: Floats) -> float:
        y = local_scale(homography, np.zeros(2))[:, 1]
        return float(y[1] / np.linalg.norm(y))

    best = max(candidates, key=down)
    return floats(best / best[2, 2])
