"""Things on the table that are not tiles, and the shadows on the cloth."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.camera import Array, Camera
from datasets.pictures import Picture
from datasets.solids import Light
from datasets.tables import Table


def _polygon(picture: Picture, points: Array, colour: tuple[float, float, float]) -> None:
    cv2.fillPoly(picture, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def _block(
    picture: Picture,
    camera: Camera,
    base: Array,
    height: float,
    colour: tuple[float, float, float],
) -> None:
    """A prism over ``base`` (n, 2): its sides darker than its top."""
    n = len(base)
    low = np.concatenate([base, np.zeros((n, 1))], axis=1)
    high = low + np.array([0, 0, height])
    if min(camera.depth(low).min(), camera.depth(high).min()) < 0.5:
        return
    a, b = camera.project(low), camera.project(high)
    order = sorted(range(n), key=lambda i: -float(camera.depth(low[i : i + 1])[0]))
    for i in order:
        j = (i + 1) % n
        dark = tuple(c * (0.62 + 0.25 * (i % 2)) for c in colour)
        _polygon(picture, np.array([a[i], a[j], b[j], b[i]]), (dark[0], dark[1], dark[2]))
    _polygon(picture, b, colour)


def _rectangle(x: float, y: float, w: float, d: float, turn: float) -> Array:
    c, s = np.cos(turn), np.sin(turn)
    square = np.array([[-w, -d], [w, -d], [w, d], [-w, d]]) / 2
    return square @ np.array([[c, s], [-s, c]]) + np.array([x, y])


def _disc(x: float, y: float, r: float) -> Array:
    t = np.arange(24) * (2 * np.pi / 24)
    return np.stack([x + r * np.cos(t), y + r * np.sin(t)], 1)


def put_things(rng: np.random.Generator, ground: Picture, table: Table, camera: Camera) -> Picture:
    """Racks, trays' frames, dice, coins, cards and stray objects, drawn under the tiles."""
    x0, y0, x1, y1 = table.extent()
    if rng.random() < 0.3:
        tone = rng.choice([40.0, 215.0, 130.0])
        colour = tuple(float(c) for c in np.clip(tone + rng.normal(0, 25, 3), 5, 250))
        _block(
            ground, camera,
            _rectangle((x0 + x1) / 2, y0 - rng.uniform(0.5, 1.4), x1 - x0 + 8, 1.0, 0.0),
            float(rng.uniform(0.2, 0.9)), (colour[0], colour[1], colour[2]),
        )  # fmt: skip
    for _ in range(int(rng.choice([0, 1, 3, 6], p=[0.45, 0.25, 0.2, 0.1]))):
        x, y = rng.uniform(x0 - 4, x1 + 4), rng.uniform(y0 - 4, y1 + 5)
        if x0 - 0.8 < x < x1 + 0.8 and y0 - 0.8 < y < y1 + 0.8:
            continue
        colour3 = rng.uniform(20, 245, 3)
        colour = (float(colour3[0]), float(colour3[1]), float(colour3[2]))
        kind = rng.random()
        if kind < 0.3:
            edge = float(rng.uniform(0.4, 0.8))
            base = _rectangle(x, y, edge, edge, float(rng.uniform(0, 3)))
            _block(ground, camera, base, edge, (235.0, 238.0, 240.0))
            for _ in range(int(rng.integers(1, 6))):
                dx, dy = rng.uniform(-0.3, 0.3, 2) * edge
                spot = np.concatenate(
                    [_disc(x + dx, y + dy, edge * 0.09), np.full((24, 1), edge)], axis=1
                )
                red = rng.random() < 0.4
                if camera.depth(spot).min() > 0.5:
                    _polygon(ground, camera.project(spot), (40, 30, 190) if red else (40, 30, 30))
        elif kind < 0.5:
            _block(ground, camera, _disc(x, y, float(rng.uniform(0.3, 0.7))), 0.08, colour)
        elif kind < 0.8:
            w, d = rng.uniform(0.5, 5, 2)
            base = _rectangle(x, y, float(w), float(d), float(rng.uniform(0, 3)))
            _block(ground, camera, base, float(rng.uniform(0.02, 1.0)), colour)
        else:
            _block(ground, camera, _disc(x, y, float(rng.uniform(0.8, 2))), 2.0, colour)
    return ground


def spill_light(
    rng: np.random.Generator, ground: Picture, table: Table, camera: Camera, light: Light
) -> Picture:
    """Darken the ground by the tiles' cast shadows and where they touch it."""
    h, w = ground.shape[:2]
    step = 4
    mask = np.zeros((h // step + 1, w // step + 1), np.uint8)
    touch = np.zeros_like(mask)
    ts = table.ts
    half = np.array([0.5, ts.height / 2, ts.thickness / 2])
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
    slope = light.direction[:2] / light.direction[2]
    for solid in table.solids:
        axes = np.stack([solid.right, solid.down, solid.out])
        corners = solid.centre - solid.out * half[2] + (signs * half) @ axes
        flat = np.zeros((8, 3))
        flat[:, :2] = corners[:, :2] - slope * np.maximum(corners[:, 2:], 0)
        under = corners.copy()
        under[:, 2] = 0
        if min(camera.depth(flat).min(), camera.depth(under).min()) < 0.5:
            continue
        for points, target in ((flat, mask), (under, touch)):
            pixels = (camera.project(points) / step).astype(np.float32)
            if np.abs(pixels).max() > 4000:
                continue
            hull = cv2.convexHull(pixels)
            cv2.fillConvexPoly(target, np.round(hull * 16).astype(np.int32), 255, shift=4)
    tile_px = camera.focal_px / max(float(camera.depth(np.zeros((1, 3)))[0]), 1.0) / step
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, tile_px * float(rng.uniform(0.03, 0.3))))
    near = cv2.GaussianBlur(touch, (0, 0), max(0.6, tile_px * 0.12))
    share = 1 - soft.astype(np.float32) / 255 * float(rng.uniform(0.15, 0.6))
    share *= 1 - near.astype(np.float32) / 255 * 0.45
    big = cv2.resize(share, (mask.shape[1] * step, mask.shape[0] * step))[:h, :w]
    return np.asarray(ground * big[..., None], np.uint8)
