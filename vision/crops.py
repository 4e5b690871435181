"""Cut single tiles out of a picture for the reader."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_PX = 64
MARGIN = 0.08
"""Part of the tile's side that is added all round, so that its edge is seen."""

FINE_PX = 2 * CROP_PX
"""A larger tile is first made this small over its area: a warp alone would skip pixels."""


def cut_crops(picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Crops (n, 64, 64, 3) BGR of quads (n, 4, 2): the first corner comes to the upper left."""
    crops = np.empty((len(quads), CROP_PX, CROP_PX, 3), np.uint8)
    for i, quad in enumerate(np.asarray(quads, np.float32)):
        crops[i] = _cut(picture, quad)
    return crops


def _cut(picture: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.uint8]:
    centre = quad.mean(axis=0)
    wide = centre + (quad - centre) * (1 + 2 * MARGIN)
    longest = float(max(np.linalg.norm(wide - np.roll(wide, 1, axis=0), axis=1)))
    if longest > 2 * FINE_PX:
        picture, wide = _reduced(picture, wide, FINE_PX / longest)
        longest = FINE_PX
    size = FINE_PX if longest > 1.5 * CROP_PX else CROP_PX
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    matrix = cv2.getPerspectiveTransform(wide.astype(np.float32), corners)
    crop = cv2.warpPerspective(
        picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if size != CROP_PX:
        crop = cv2.resize(crop, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, dtype=np.uint8)


def _reduced(
    picture: NDArray[np.uint8], quad: NDArray[np.float32], factor: float
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The part of the picture around the quad, smaller by ``factor``, and the quad in it."""
    height, width = picture.shape[:2]
    low = np.clip(np.floor(quad.min(axis=0)), 0, [width - 1, height - 1]).astype(int)
    high = np.clip(np.ceil(quad.max(axis=0)) + 1, low + 1, [width, height]).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    # Of a tile at the border there may be a strip that would vanish.
    size = np.maximum(np.round(factor * (high - low)), 1).astype(int)
    small = cv2.resize(part, size.tolist(), interpolation=cv2.INTER_AREA)
    scale = np.array([small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]])
    return np.asarray(small, dtype=np.uint8), np.asarray((quad - low) * scale, dtype=np.float32)
