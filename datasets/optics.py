"""What a lens, a sensor and a codec do to a clean picture."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.grounds import noise
from datasets.pictures import Floats, Picture, as_pixels

STREAM_PX = 14.0
"""Least width of a tile in the picture that a stream's frame is made from."""


def light_map(rng: np.random.Generator, h: int, w: int) -> Floats:
    """Uneven light (h, w): a gradient, soft patches, now and then a hard-edged cast shadow."""
    ys, xs = np.mgrid[0:17, 0:17].astype(np.float32) / 16 - 0.5
    angle, slope = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.35))
    small: Floats = 1 + slope * (np.cos(angle) * xs + np.sin(angle) * ys)
    small += noise(rng, 17, 17, 6) * float(rng.uniform(0, 0.12))
    if rng.random() < 0.25:
        small -= float(rng.uniform(0.2, 0.6)) * (xs**2 + ys**2)
    field: Floats = cv2.resize(small.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.2:
        mask: Floats = np.zeros((h // 4 + 1, w // 4 + 1), np.float32)
        n = int(rng.integers(4, 8))
        around = np.sort(rng.uniform(0, 2 * np.pi, n))
        reach = rng.uniform(0.2, 0.7, n) * max(mask.shape)
        at = rng.uniform(0, 1, 2) * mask.shape[::-1]
        shape = at + np.stack([np.cos(around) * reach, np.sin(around) * reach], 1)
        cv2.fillPoly(mask, [shape.astype(np.int32)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1.5, 8)))
        field = field * (1 - float(rng.uniform(0.1, 0.45)) * cv2.resize(mask, (w, h)))
    return np.asarray(np.clip(field, 0.15, 2.0), np.float32)


def expose(
    rng: np.random.Generator, picture: Picture, field: Floats, *, mild: bool = False
) -> Picture:
    """White balance, exposure, contrast and a coloured cast."""
    cast = 1 + rng.normal(0, 0.03, 3)
    if rng.random() < (0.05 if mild else 0.15):
        warm = rng.uniform(-0.25, 0.3)
        cast = cast * np.array([1 - warm, 1.0, 1 + warm])
    gain = float(np.exp(rng.normal(-0.05, 0.16)))
    if not mild and rng.random() < 0.12:
        gain *= float(rng.uniform(0.25, 0.7))
    gamma = float(np.exp(rng.normal(0, 0.12)))
    gains = (cast * gain).astype(np.float32)
    lit = picture.astype(np.float32) * field[..., None] * gains
    # Highlights roll off as a camera's tone curve makes them; few are cut off hard.
    if rng.random() < 0.85:
        knee = float(rng.uniform(170, 215))
        over = np.maximum(lit - knee, 0)
        room = 252 - knee
        lit = np.minimum(lit, knee) + room * (1 - np.exp(-over / room))
    np.clip(lit, 0, 255, out=lit)
    ramp = (np.linspace(0, 1, 256) ** gamma * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(lit.astype(np.uint8), ramp), np.uint8)


def glare(rng: np.random.Generator, picture: Picture, quads: Floats, gloss: float) -> Picture:
    """Lamp reflections on some polished faces: soft bright spots inside the quads."""
    if len(quads) == 0 or gloss < 0.55 or rng.random() > 0.5:
        return picture
    h, w = picture.shape[:2]
    layer: Floats = np.zeros((h, w), np.float32)
    shift = rng.uniform(0.1, 0.9, 2)
    drift = rng.normal(0, 0.25, 2)
    where = quads.mean(axis=1) / np.array([w, h], np.float32) - 0.5
    for quad, place in zip(quads, where, strict=True):
        u, v = shift + drift * place
        at = quad[0] + (quad[1] - quad[0]) * u + (quad[3] - quad[0]) * v
        wide = float(np.linalg.norm(quad[1] - quad[0]))
        x0, y0 = np.floor(quad.min(axis=0)).astype(int).clip(0)
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int)
        if x1 - x0 < 3 or y1 - y0 < 3:
            continue
        spot = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(spot, np.round(quad - (x0, y0)).astype(np.int32), 1)
        ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        r = ((xs - at[0]) ** 2 + ((ys - at[1]) * 1.6) ** 2) / (wide * 0.35) ** 2
        window = layer[y0:y1, x0:x1]
        window += (np.exp(-r) * spot)[: window.shape[0], : window.shape[1]]
    layer = cv2.GaussianBlur(layer, (0, 0), 0.8)
    bright = float(rng.uniform(30, 150)) * gloss
    return as_pixels(picture + layer[..., None] * bright)


def _motion_kernel(rng: np.random.Generator, length: float) -> Floats:
    n = max(3, int(np.ceil(length)) | 1)
    kernel = np.zeros((n, n), np.float32)
    angle = rng.uniform(0, np.pi)
    c = n // 2
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    a = (round((c - dx) * 16), round((c - dy) * 16))
    b = (round((c + dx) * 16), round((c + dy) * 16))
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_AA, 4)
    return kernel / max(float(kernel.sum()), 1e-6)


def jpeg(picture: Picture, quality: int) -> Picture:
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise ValueError("the picture could not be compressed")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def sensor(
    rng: np.random.Generator, picture: Picture, *, tile_px: float, video: bool = False
) -> Picture:
    """Blur, noise, sharpening and compression; blur is measured against the tile width."""
    h, w = picture.shape[:2]
    out = picture
    roll = rng.random()
    if roll < 0.35:
        sigma = abs(float(rng.normal(0, 0.012))) * tile_px + float(rng.uniform(0.2, 0.6))
        out = cv2.GaussianBlur(out, (0, 0), sigma)
    elif roll < 0.47:
        out = cv2.filter2D(
            out, -1, _motion_kernel(rng, float(rng.uniform(1.5, 0.08 * tile_px + 2)))
        )
    elif roll < 0.6:
        k = float(rng.uniform(0.4, 0.85))
        if tile_px * k > 13:
            small = cv2.resize(out, (round(w * k), round(h * k)), interpolation=cv2.INTER_AREA)
            out = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.7:
        # Phones smooth their noise away; cheap cameras in poor light do not.
        level = abs(float(rng.normal(0, 7 if rng.random() < 0.15 else 2))) + 0.3
        grain = rng.standard_normal((h, w, 1), dtype=np.float32) * level
        if rng.random() < 0.4:
            grain = grain + cv2.resize(
                rng.standard_normal((h // 2 + 1, w // 2 + 1, 3), dtype=np.float32) * level * 0.6,
                (w, h),
            )
        # What is nearly white shows no noise: the sensor is full.
        grain = grain * (1 - (out.astype(np.float32) / 255) ** 4)
        out = as_pixels(out.astype(np.float32) + grain)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        amount = float(rng.uniform(0.2, 0.8))
        out = cv2.addWeighted(out, 1 + amount, soft, -amount, 0)
    if video:
        # An enlarged frame, too, shows tiles by at least the pixels the preset speaks of.
        k = max(float(rng.uniform(0.6, 1.0)), STREAM_PX / tile_px)
        if k < 0.95:
            small = cv2.resize(out, (round(w * k), round(h * k)), interpolation=cv2.INTER_AREA)
            out = cv2.resize(jpeg(small, int(rng.integers(28, 70))), (w, h))
        out = jpeg(np.asarray(out, np.uint8), int(rng.integers(25, 65)))
    elif rng.random() < 0.8:
        out = jpeg(np.asarray(out, np.uint8), int(rng.integers(45, 97)))
    return np.asarray(out, np.uint8)
