"""Shadows that tiles and things cast on the table and on lower tiles."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.camera import Array, Camera
from datasets.pictures import Floats, Picture
from datasets.solids import Light, Look, Raster, Solid
from datasets.tables import Table

_SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
_STEP = 4
"""Masks are drawn at a fourth of the size: shadows are soft."""

Pair = tuple[Solid, Look]


def cast_shadows(
    rng: np.random.Generator, ground: Picture, table: Table, camera: Camera, light: Light
) -> Picture:
    """The ground darkened where the light is blocked and where tiles touch it."""
    h, w = ground.shape[:2]
    pairs: list[Pair] = [(s, table.ts) for s in table.solids]
    pairs += table.things
    cast = _mask(pairs, camera, _slope(light), 0.0, (h, w))
    touch = _mask(pairs, camera, np.zeros(2), 0.0, (h, w))
    tile_px = _tile_px(camera)
    soft = cv2.GaussianBlur(cast, (0, 0), max(0.6, tile_px * float(rng.uniform(0.03, 0.3))))
    near = cv2.GaussianBlur(touch, (0, 0), max(0.6, tile_px * 0.12))
    share = 1 - soft.astype(np.float32) / 255 * float(rng.uniform(0.15, 0.6))
    share *= 1 - near.astype(np.float32) / 255 * 0.45
    return np.asarray(ground * _enlarged(share, (h, w))[..., None], np.uint8)


def shade_lower_tiles(
    rng: np.random.Generator, raster: Raster, table: Table, camera: Camera, light: Light
) -> None:
    """Darken the upper sides of lying tiles where standing or stacked ones block the light."""
    top = table.ts.thickness
    tall = [(s, table.ts) for s in table.solids if _highest(s, table.ts) > top + 0.1]
    lying = [
        2 * k + (0 if s.face_up else 1)
        for k, s in enumerate(table.solids)
        if abs(_highest(s, table.ts) - top) < 0.05
    ]
    if not tall or not lying:
        return
    size = raster.owner.shape[:2]
    mask = _mask(tall, camera, _slope(light), top, (size[0], size[1]))
    if not mask.any():
        return
    blur = max(0.6, _tile_px(camera) * float(rng.uniform(0.03, 0.2)))
    soft = cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) / 255
    share = _enlarged(1 - soft * float(rng.uniform(0.15, 0.5)), (size[0], size[1]))
    chosen = np.zeros(2 * len(table.solids) + 2, bool)
    chosen[lying] = True
    # Owners below zero (ground, sides, things) fall on the two unused places at the end.
    ys, xs = np.nonzero(chosen[raster.owner] & (share < 0.995))
    raster.colour[ys, xs] = (raster.colour[ys, xs] * share[ys, xs, None]).astype(np.uint8)


def _slope(light: Light) -> Array:
    return np.asarray(light.direction[:2] / light.direction[2])


def _tile_px(camera: Camera) -> float:
    return camera.focal_px / max(float(camera.depth(np.zeros((1, 3)))[0]), 1.0) / _STEP


def _corners(solid: Solid, look: Look) -> Array:
    half = np.array([look.width / 2, look.height / 2, look.thickness / 2])
    axes = np.stack([solid.right, solid.down, solid.out])
    return np.asarray(solid.centre - solid.out * half[2] + (_SIGNS * half) @ axes)


def _highest(solid: Solid, look: Look) -> float:
    return float(_corners(solid, look)[:, 2].max())


def _mask(
    pairs: Sequence[Pair], camera: Camera, slope: Array, z: float, size: tuple[int, int]
) -> Picture:
    """Where solids hide the light from the plane at height ``z``, at a fourth of the size."""
    mask = np.zeros((size[0] // _STEP + 1, size[1] // _STEP + 1), np.uint8)
    for solid, look in pairs:
        corners = _corners(solid, look)
        flat = np.full((8, 3), z)
        flat[:, :2] = corners[:, :2] - slope * np.maximum(corners[:, 2:] - z, 0)
        if camera.depth(flat).min() < 0.5:
            continue
        pixels = (camera.project(flat) / _STEP).astype(np.float32)
        if np.abs(pixels).max() > 4000:
            continue
        hull = np.round(cv2.convexHull(pixels) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, hull, 255, shift=4)
    return mask


def _enlarged(share: Floats, size: tuple[int, int]) -> Floats:
    h, w = size
    big = cv2.resize(share, (share.shape[1] * _STEP, share.shape[0] * _STEP))
    return np.asarray(big[:h, :w])
