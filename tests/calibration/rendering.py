"""A camera with known intrinsics and distortion that looks at a flat drawing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Camera:
    """A pinhole with OpenCV's five distortion coefficients."""

    matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    size_wh: tuple[int, int]

    def rays(self, oversample: int) -> NDArray[np.float64]:
        """Directions (h, w, 3) through the centres of `oversample`-times finer pixels."""
        w, h = (s * oversample for s in self.size_wh)
        # pixel centres lie at whole numbers, fine pixel centres around them
        x, y = ((np.arange(side) + 0.5) / oversample - 0.5 for side in (w, h))
        u, v = np.meshgrid(x, y)
        flat = np.stack([u, v], -1).reshape(-1, 1, 2)
        xy = cv2.undistortPoints(flat, self.matrix, self.distortion).reshape(h, w, 2)
        return np.dstack([xy, np.ones((h, w))])

    def project(self, points_mm: NDArray[np.float64], pose: Pose) -> NDArray[np.float64]:
        """Pixels (n,2) of plane points (n,2)."""
        points = np.hstack([points_mm, np.zeros((len(points_mm), 1))])
        pixels, _ = cv2.projectPoints(points, pose.turn, pose.shift, self.matrix, self.distortion)
        return pixels.reshape(-1, 2)


@dataclass(frozen=True)
class Pose:
    """Where the plane lies before the camera: rotation vector and translation in mm."""

    turn: NDArray[np.float64]
    shift: NDArray[np.float64]

    @classmethod
    def looking_at(
        cls,
        middle_mm: tuple[float, float],
        distance_mm: float,
        tilt_deg: tuple[float, float, float],
    ) -> Pose:
        """The plane point `middle_mm` lies `distance_mm` straight ahead; tilts about x, y, z."""
        axes = zip(np.radians(tilt_deg), np.eye(3), strict=True)
        rx, ry, rz = (cv2.Rodrigues(angle * axis)[0] for angle, axis in axes)
        rotation = rx @ ry @ rz
        shift = np.array([0, 0, distance_mm]) - rotation @ np.array([*middle_mm, 0.0])
        return cls(cv2.Rodrigues(rotation)[0].ravel(), shift)


def camera(
    size_wh: tuple[int, int] = (1280, 720),
    focal: float = 1000.0,
    distortion: tuple[float, ...] = (-0.18, 0.05, 0.001, -0.0008, 0.0),
) -> Camera:
    """A webcam whose centre is a little off the middle."""
    w, h = size_wh
    matrix = np.array([[focal, 0, w / 2 + 7.3], [0, focal * 1.002, h / 2 - 5.1], [0, 0, 1.0]])
    return Camera(matrix, np.asarray(distortion, np.float64), size_wh)


def photograph(
    cam: Camera,
    pose: Pose,
    drawing: NDArray[np.uint8],
    px_per_mm: float,
    *,
    surround: int = 110,
    noise: float = 2.0,
    blur: float = 0.0,
    seed: int = 0,
    oversample: int = 2,
) -> NDArray[np.uint8]:
    """What `cam` sees of a flat grey drawing (its first pixel's outer corner at plane 0, 0)."""
    rays = cam.rays(oversample)
    rotation = cv2.Rodrigues(pose.turn)[0]
    # plane z = 0 in its own frame: solve (R^T (s*ray - t)).z = 0
    back = rays @ rotation  # rows are R^T ray
    origin = -rotation.T @ pose.shift
    s = -origin[2] / back[..., 2]
    hit = origin[:2] + s[..., None] * back[..., :2]
    at = (hit * px_per_mm - 0.5).astype(np.float32)
    seen = cv2.remap(
        drawing,
        at[..., 0],
        at[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=surround,
    )
    seen = cv2.resize(seen, cam.size_wh, interpolation=cv2.INTER_AREA).astype(np.float32)
    if blur:
        seen = cv2.GaussianBlur(seen, (0, 0), blur)
    seen = 20 + seen * 0.8 + np.random.default_rng(seed).normal(0, noise, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)
