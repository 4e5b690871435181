"""Has the camera moved since the table was calibrated?

The profile keeps feature points of the room and the table (positions and ORB descriptors, never a
picture). Later frames are matched with them: what stands still, table edge and room, agrees on one
homography, and how far that moves the calibrated area says whether the calibration still holds.
Tiles and hands come and go; they only make fewer points agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, floats, grey

MAX_POINTS = 600
WORK_SIDE = 640  # frames are compared at this size
MIN_AGREE = 20  # matches that must agree before anything is said
RATIO = 0.8  # Lowe's ratio test
STILL_SHARE = 0.006  # moved by less than this share of the longer side is still: under half a tile
MAX_HAMMING = 64


class Camera(Enum):
    """The verdict; the value is a sentence for the user."""

    STILL = "the camera stands where it stood"
    MOVED = "the camera has moved since the table was calibrated: run `hupai calibrate table` again"
    UNSURE = "cannot tell whether the camera has moved: too little of the room is seen"


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """`points` (n,2) as shares of the longer side of `size_wh`; `descriptors` (n,32)."""

    points: NDArray[np.float32]
    descriptors: NDArray[np.uint8]
    size_wh: tuple[int, int]

    def __post_init__(self) -> None:
        n = len(self.points)
        if self.points.shape != (n, 2) or self.descriptors.shape != (n, 32):
            raise ValueError(
                "points must be (n, 2) and descriptors (n, 32), but got "
                f"{self.points.shape} and {self.descriptors.shape}"
            )


@dataclass(frozen=True, slots=True)
class Check:
    """Verdict, and how far the calibrated area moved in pixels of the frame (nan when unsure)."""

    verdict: Camera
    shift_px: float


def landmarks(frame: Picture) -> Landmarks:
    """Feature points of a frame (grey or BGR)."""
    image = grey(frame)
    scale = min(1.0, WORK_SIDE / max(image.shape))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    orb = cv2.ORB_create(nfeatures=MAX_POINTS, fastThreshold=10)  # type: ignore[attr-defined]
    keys, descriptors = orb.detectAndCompute(small, None)
    size = (frame.shape[1], frame.shape[0])
    if descriptors is None:
        return Landmarks(np.empty((0, 2), np.float32), np.empty((0, 32), np.uint8), size)
    points = np.asarray([key.pt for key in keys], np.float32) / max(small.shape)
    return Landmarks(points, np.asarray(descriptors, np.uint8), size)


def check(reference: Landmarks, frame: Picture, area: Floats | None = None) -> Check:
    """Compare a frame with the landmarks of the calibration.

    `area` (n,2) in pixels of the calibrated picture is what must not have moved; the whole picture
    if None.
    """
    now = landmarks(frame)
    side = max(now.size_wh)
    if len(now.points) < MIN_AGREE or len(reference.points) < MIN_AGREE:
        return Check(Camera.UNSURE, float("nan"))
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
    pairs = matcher.knnMatch(reference.descriptors, now.descriptors, k=2)
    good = [
        p[0]
        for p in pairs
        if len(p) == 2 and p[0].distance < min(MAX_HAMMING, RATIO * p[1].distance)
    ]
    if len(good) < MIN_AGREE:
        return Check(Camera.UNSURE, float("nan"))
    before = reference.points[[m.queryIdx for m in good]]
    after = now.points[[m.trainIdx for m in good]]
    # RANSAC draws from OpenCV's own generator: seeded, so that a frame always gives one verdict.
    cv2.setRNGSeed(1)
    homography, agree = cv2.findHomography(before, after, cv2.RANSAC, STILL_SHARE / 2)
    if homography is None or int(np.sum(agree)) < MIN_AGREE:
        return Check(Camera.UNSURE, float("nan"))
    if area is None:
        w, h = reference.size_wh
        area = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64)
    shares = (floats(area) / max(reference.size_wh)).reshape(-1, 1, 2)
    moved = cv2.perspectiveTransform(shares, homography) - shares
    shift = float(np.linalg.norm(moved.reshape(-1, 2), axis=1).max())
    verdict = Camera.STILL if shift < STILL_SHARE else Camera.MOVED
    return Check(verdict, shift * side)


@dataclass(slots=True)
class Sentinel:
    """Checks at the start and now and then; MOVED only when checks in a row agree.

    Someone who leans over the table hides the room for a moment, and must not raise an alarm.
    """

    reference: Landmarks
    area: Floats | None = None
    every_s: float = 60.0
    again_s: float = 2.0  # after a first suspicion
    needed: int = 3
    _suspicions: int = 0
    _next_s: float = float("-inf")

    def look(self, frame: Picture, time_s: float) -> Check | None:
        """The verdict if this frame was checked and gave one. `time_s` may only grow."""
        if time_s < self._next_s:
            return None
        found = check(self.reference, frame, self.area)
        self._suspicions = self._suspicions + 1 if found.verdict is Camera.MOVED else 0
        suspected = 0 < self._suspicions < self.needed
        self._next_s = time_s + (self.again_s if suspected else self.every_s)
        return None if suspected else found
