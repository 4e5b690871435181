"""A pinhole camera over the table.

World frame: x to the right, y away from the player, z up, the table at z = 0; the unit is one
tile width. Camera frame: x right, y down, z forward.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """``rotation`` (3, 3) world → camera, ``centre`` (3,) in the world, focal length in pixels."""

    rotation: Array
    centre: Array
    focal_px: float
    principal_px: tuple[float, float]

    @classmethod
    def looking_at(
        cls,
        target: tuple[float, float, float],
        *,
        elevation: float,
        azimuth: float,
        roll: float,
        distance: float,
        focal_px: float,
        principal_px: tuple[float, float],
    ) -> Camera:
        """A camera ``distance`` from ``target``; angles in radians.

        ``elevation`` is measured up from the table (π/2 looks straight down), ``azimuth`` turns
        the camera around the target (0 is the player's side), ``roll`` turns the picture.
        """
        ce, se = np.cos(elevation), np.sin(elevation)
        ca, sa = np.cos(azimuth), np.sin(azimuth)
        forward = np.array([sa * ce, ca * ce, -se])
        right = np.array([ca, -sa, 0.0])
        down = np.cross(forward, right)
        cr, sr = np.cos(roll), np.sin(roll)
        rotation = np.stack([cr * right + sr * down, cr * down - sr * right, forward])
        centre = np.asarray(target, dtype=np.float64) - forward * distance
        return cls(rotation, centre, focal_px, principal_px)

    def project(self, points: Array) -> Array:
        """Points (…, 3) of the world as pixels (…, 2)."""
        local = (points - self.centre) @ self.rotation.T
        z = np.maximum(local[..., 2:], 1e-6)
        return np.asarray(local[..., :2] / z * self.focal_px + np.asarray(self.principal_px))

    def depth(self, points: Array) -> Array:
        """Distance of points (…, 3) along the view axis."""
        return np.asarray((points - self.centre) @ self.rotation[2])

    def inverse_depth_plane(self, point: Array, normal: Array) -> tuple[float, float, float]:
        """(a, b, c) with 1 / depth = a·x + b·y + c for pixels on the plane."""
        n = self.rotation @ normal
        k = float((point - self.centre) @ normal)
        a, b = n[0] / self.focal_px / k, n[1] / self.focal_px / k
        px, py = self.principal_px
        return float(a), float(b), float(n[2] / k - a * px - b * py)

    def table_homography(self) -> Array:
        """3 × 3 matrix from table points (x, y, 1) to pixels."""
        px, py = self.principal_px
        k = np.array([[self.focal_px, 0, px], [0, self.focal_px, py], [0, 0, 1.0]])
        r = self.rotation
        t = -r @ self.centre
        return k @ np.stack([r[:, 0], r[:, 1], t], axis=1)

    def table_points(self, xs: Array, ys: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Where pixel rays meet the table: x, y, and whether they meet it in front."""
        px, py = self.principal_px
        dx, dy = (xs - px) / self.focal_px, (ys - py) / self.focal_px
        r = self.rotation
        ray = [r[0, i] * dx + r[1, i] * dy + r[2, i] for i in range(3)]
        hits = ray[2] < -1e-3
        scale = -self.centre[2] / np.where(hits, ray[2], -1.0)
        return self.centre[0] + scale * ray[0], self.centre[1] + scale * ray[1], hits
