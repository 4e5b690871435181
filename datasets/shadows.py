"""Shadows that tiles and things cast on the table."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.camera import Camera
from datasets.pictures import Picture
from datasets.solids import Light, Look, Solid
from datasets.tables import Table

_SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)


def cast_shadows(
    rng: np.random.Generator, ground: Picture, table: Table, camera: Camera, light: Light
) -> Picture:
    """The ground darkened where the light is blocked and where tiles touch it."""
    h, w = ground.shape[:2]
    step = 4
    cast = np.zeros((h // step + 1, w // step + 1), np.uint8)
    touch = np.zeros_like(cast)
    slope = light.direction[:2] / light.direction[2]
    pairs: list[tuple[Solid, Look]] = [(s, table.ts) for s in table.solids]
    for solid, look in pairs + table.things:
        half = np.array([look.width / 2, look.height / 2, look.thickness / 2])
        axes = np.stack([solid.right, solid.down, solid.out])
        corners = solid.centre - solid.out * half[2] + (_SIGNS * half) @ axes
        flat = np.zeros((8, 3))
        flat[:, :2] = corners[:, :2] - slope * np.maximum(corners[:, 2:], 0)
        under = corners.copy()
        under[:, 2] = 0
        if min(camera.depth(flat).min(), camera.depth(under).min()) < 0.5:
            continue
        for points, target in ((flat, cast), (under, touch)):
            pixels = (camera.project(points) / step).astype(np.float32)
            if np.abs(pixels).max() > 4000:
                continue
            hull = np.round(cv2.convexHull(pixels) * 16).astype(np.int32)
            cv2.fillConvexPoly(target, hull, 255, shift=4)
    tile_px = camera.focal_px / max(float(camera.depth(np.zeros((1, 3)))[0]), 1.0) / step
    soft = cv2.GaussianBlur(cast, (0, 0), max(0.6, tile_px * float(rng.uniform(0.03, 0.3))))
    near = cv2.GaussianBlur(touch, (0, 0), max(0.6, tile_px * 0.12))
    share = 1 - soft.astype(np.float32) / 255 * float(rng.uniform(0.15, 0.6))
    share *= 1 - near.astype(np.float32) / 255 * 0.45
    big = cv2.resize(share, (cast.shape[1] * step, cast.shape[0] * step))[:h, :w]
    return np.asarray(ground * big[..., None], np.uint8)
