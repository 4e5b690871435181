"""Cut single tiles out of a picture for the reader."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_PX = 64
MARGIN = 0.08
"""Part of the tile's side that is added all round, so that its edge is seen."""

FINE_PX = 2 * CROP_PX
"""A larger tile is first made this small over its area: a warp alone would skip pixels."""

_IN, _OUT = MARGIN / (1 + 2 * MARGIN), (1 + MARGIN) / (1 + 2 * MARGIN)
CORNERS = np.array([[_IN, _IN], [_OUT, _IN], [_OUT, _OUT], [_IN, _OUT]], np.float32)
"""Where the corners of the quad lie in a crop whose sides are 1."""


def cut_crops(picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Crops (n, 64, 64, 3) BGR of quads (n, 4, 2): the first corner comes to the upper left."""
    crops = np.empty((len(quads), CROP_PX, CROP_PX, 3), np.uint8)
    for i, quad in enumerate(np.asarray(quads, np.float32)):
        crops[i] = _cut(picture, quad)
    return crops


def within(quad: NDArray[np.float32], points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Points (n, 2) of the picture as they lie in the crop cut by a quad, whose sides are 1."""
    return _moved(points, _to_crop(_widened(quad), 1.0))


def out_of(quad: NDArray[np.float32], points: NDArray[np.float32]) -> NDArray[np.float32]:
    """The inverse: points (n, 2) of the crop cut by a quad as they lie in the picture."""
    return _moved(points, np.linalg.inv(_to_crop(_widened(quad), 1.0)))


def turned_clockwise(corners: NDArray[np.float32], quarters: int) -> NDArray[np.float32]:
    """Corners (..., 4, 2) within a crop, begun at its upper left, when the crop is turned by
    quarters: begun at the upper left again."""
    for _ in range(quarters):
        corners = np.stack([1 - corners[..., 1], corners[..., 0]], axis=-1)
    return np.roll(corners, quarters, axis=-2)


def _moved(points: NDArray[np.float32], matrix: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    moved = cv2.perspectiveTransform(np.asarray(points, np.float32).reshape(-1, 1, 2), matrix)
    return np.asarray(moved, np.float32).reshape(-1, 2)


def _widened(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    centre = quad.mean(axis=0)
    return np.asarray(centre + (quad - centre) * (1 + 2 * MARGIN), np.float32)


def _to_crop(wide: NDArray[np.float32], size: float) -> NDArray[np.float64]:
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(wide.astype(np.float32), corners))


def _cut(picture: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.uint8]:
    wide = _widened(quad)
    longest = float(max(np.linalg.norm(wide - np.roll(wide, 1, axis=0), axis=1)))
    if longest > 2 * FINE_PX:
        picture, wide = _reduced(picture, wide, FINE_PX / longest)
        longest = FINE_PX
    size = FINE_PX if longest > 1.5 * CROP_PX else CROP_PX
    crop = cv2.warpPerspective(
        picture,
        _to_crop(wide, size),
        (size, size),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
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
