"""What tiles lie on: cloth, wood, plastic, photographs of surfaces, and the room behind."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.camera import Camera
from datasets.pictures import Floats, Picture, as_pixels, shared_folder

_CLOTHS = (
    (60, 110, 20), (45, 80, 15), (70, 160, 50), (120, 90, 30), (150, 110, 40), (40, 30, 120),
    (60, 60, 60), (35, 35, 38), (170, 175, 180), (200, 205, 208), (150, 165, 110), (110, 60, 50),
)  # fmt: skip
_WOODS = ((90, 140, 190), (60, 95, 145), (35, 55, 90), (150, 185, 215), (120, 150, 175))


def noise(rng: np.random.Generator, h: int, w: int, cell: int) -> Floats:
    """Smooth noise (h, w), mean 0 and about unit spread, with features ``cell`` pixels large."""
    small = rng.standard_normal((max(2, h // cell + 2), max(2, w // cell + 2))).astype(np.float32)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


@lru_cache(maxsize=1)
def shared_surfaces() -> tuple[Path, ...]:
    """Photographs of surfaces in the shared folder (empty without it)."""
    folder = shared_folder() / "data" / "backgrounds"
    return tuple(sorted(p for p in folder.glob("*/*") if p.suffix in {".jpg", ".png"}))


@lru_cache(maxsize=64)
def _surface(path: Path) -> Picture | None:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    return np.asarray(cv2.resize(picture, (384, 384), interpolation=cv2.INTER_AREA), np.uint8)


def _cloth(rng: np.random.Generator, n: int) -> Floats:
    base = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], np.float32) * rng.uniform(0.75, 1.15)
    picture = np.empty((n, n, 3), np.float32)
    # Dyed cloth is seldom as pure as its swatch.
    grey = float(rng.uniform(0.0, 0.35))
    picture[:] = (base + rng.normal(0, 8, 3)) * (1 - grey) + float(base.mean()) * grey
    grain: Floats = rng.standard_normal((n, n)).astype(np.float32)
    kind = rng.random()
    if kind < 0.35:
        grain = cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.6, 2.5))) * 2
    elif kind < 0.55:
        period = float(rng.uniform(3, 9))
        xs = np.arange(n, dtype=np.float32) * (2 * np.pi / period)
        grain = grain * 0.3 + np.sin(xs)[None, :] * np.sin(xs * 0.97)[:, None]
    elif kind < 0.7:
        # Long pile: streaks in one direction, patchy.
        angle = rng.uniform(0, np.pi)
        k = int(rng.integers(7, 19))
        kernel = np.zeros((k, k), np.float32)
        c = k // 2
        dx, dy = round(np.cos(angle) * c), round(np.sin(angle) * c)
        cv2.line(kernel, (c - dx, c - dy), (c + dx, c + dy), 1.0, 1)
        grain = cv2.filter2D(grain, -1, kernel / kernel.sum()) * 4
    weight = float(rng.choice([2, 5, 10, 22], p=[0.35, 0.35, 0.2, 0.1]))
    return np.asarray(picture * (1 + (grain * weight / 110)[..., None]))


def _wood(rng: np.random.Generator, n: int) -> Floats:
    base = np.array(_WOODS[int(rng.integers(len(_WOODS)))], np.float32) * rng.uniform(0.6, 1.1)
    warp = noise(rng, n, n, 90) * 12
    ys = np.arange(n, dtype=np.float32)[:, None] + warp
    rings = (
        np.sin(ys / float(rng.uniform(2, 9))) * 0.5 + noise(rng, n, n // 16, 3).repeat(17, 1)[:, :n]
    )
    picture = base * (1 + (rings * float(rng.uniform(0.03, 0.12)))[..., None])
    return picture if rng.random() < 0.5 else np.ascontiguousarray(picture.transpose(1, 0, 2))


def _plain(rng: np.random.Generator, n: int) -> Floats:
    tone = float(rng.choice([30, 60, 120, 200, 235])) + rng.normal(0, 8)
    picture = np.empty((n, n, 3), np.float32)
    picture[:] = tone + rng.normal(0, 10, 3)
    grain = noise(rng, n, n, 60) * 3 + rng.standard_normal((n, n)).astype(np.float32)
    return np.asarray(picture + grain[..., None])


def _mat(rng: np.random.Generator, n: int) -> Floats:
    """A cutting mat or patterned cloth: a ground with lines."""
    picture = (
        _plain(rng, n) * 0.6 + np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], np.float32) * 0.4
    )
    line = tuple(float(c) for c in rng.uniform(60, 230, 3))
    step = int(rng.integers(24, 96))
    for k in range(0, n, step):
        cv2.line(picture, (k, 0), (k, n), line, 1)
        cv2.line(picture, (0, k), (n, k), line, 1)
    if rng.random() < 0.5:
        cv2.line(picture, (0, 0), (n, n), line, 1)
    return picture


def _lined(rng: np.random.Generator, n: int) -> Floats:
    """A light cloth or top in cells about as large as tiles: what looks most like blank tiles."""
    picture: Floats = np.empty((n, n, 3), np.float32)
    picture[:] = float(rng.uniform(150, 245)) + rng.normal(0, 7, 3)
    picture += noise(rng, n, n, 60)[..., None] * float(rng.uniform(0, 5))
    picture += rng.standard_normal((n, n, 1)).astype(np.float32) * float(rng.uniform(0, 4))
    wide = n // int(rng.integers(5, 25))
    high = max(8, round(wide * float(rng.uniform(0.7, 1.5))))
    ink = picture[0, 0] + float(rng.choice([-90, -50, -25, 25])) + rng.normal(0, 8, 3)
    colour = tuple(float(c) for c in np.clip(ink, 0, 255))
    thick, printed = int(rng.integers(1, 4)), rng.random() < 0.3
    inset = max(1, wide // 10) if printed else 0
    for top in range(0, n, high):
        for left in range(0, n, wide):
            corners = (left + inset, top + inset), (left + wide - inset, top + high - inset)
            cv2.rectangle(picture, *corners, colour, thick)
            if not printed and rng.random() < 0.02:
                cv2.rectangle(picture, *corners, colour, -1)
    return cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.2)))


def surface(rng: np.random.Generator, *, photos: bool = True, lined: float = 0.0) -> Picture:
    """A square texture (384, 384, 3) that may be laid edge to edge; ``lined`` of them are light
    and in cells."""
    n = 384
    if lined and rng.random() < lined:
        return as_pixels(_lined(rng, n))
    paths = shared_surfaces() if photos else ()
    roll = rng.random()
    if paths and roll < 0.25:
        found = _surface(paths[int(rng.integers(len(paths)))])
        if found is not None:
            tint = rng.uniform(0.6, 1.15) * (1 + rng.normal(0, 0.05, 3))
            return as_pixels(found * tint.astype(np.float32))
    if roll < 0.65:
        picture = _cloth(rng, n)
    elif roll < 0.8:
        picture = _wood(rng, n)
    elif roll < 0.9:
        picture = _plain(rng, n)
    else:
        picture = _mat(rng, n)
    return as_pixels(picture)


def room(rng: np.random.Generator, h: int, w: int) -> Picture:
    """What lies around a table, out of focus: wall or floor, furniture, some coloured things."""
    sh, sw = h // 4 + 1, w // 4 + 1
    tone = float(np.clip(rng.normal(95, 45), 15, 215))
    tint = rng.normal(0, 7, 3) + np.array([-8, 0, 8]) * rng.uniform(0, 1.5)
    small: Floats = np.empty((sh, sw, 3), np.float32)
    small[:] = tone + tint
    small *= np.linspace(float(rng.uniform(0.75, 1.25)), 1.0, sh, dtype=np.float32)[:, None, None]
    for _ in range(int(rng.integers(3, 18))):
        x, y = int(rng.integers(-10, sw)), int(rng.integers(-10, sh))
        bw, bh = int(rng.integers(3, sw // 2 + 4)), int(rng.integers(3, sh // 2 + 4))
        vivid = 45.0 if rng.random() < 0.2 else 9.0
        ink = np.clip(rng.normal(tone, 45) + rng.normal(0, vivid, 3), 0, 250)
        colour = (float(ink[0]), float(ink[1]), float(ink[2]))
        if rng.random() < 0.75:
            corners = np.array([[x, y], [x + bw, y], [x + bw, y + bh], [x, y + bh]], float)
            corners[:, 1] += (corners[:, 0] - x) * float(rng.normal(0, 0.08))
            cv2.fillPoly(small, [np.round(corners).astype(np.int32)], colour)
        else:
            turn = float(rng.uniform(0, 180))
            cv2.ellipse(small, (x, y), (bw // 2, bh // 2), turn, 0, 360, colour, -1)
    grain = noise(rng, sh, sw, 3) * float(rng.uniform(1, 8))
    grain += noise(rng, sh, sw, max(6, sw // 6)) * float(rng.uniform(2, 14))
    soft = cv2.GaussianBlur(small + grain[..., None], (0, 0), float(rng.uniform(0.6, 4.0)))
    return as_pixels(cv2.resize(soft, (w, h), interpolation=cv2.INTER_LINEAR))


def _draw_rim(rng: np.random.Generator, ground: Picture, within: Floats, step: int) -> None:
    """A wooden or plastic frame along the edge of the table; ``within`` on a coarse grid."""
    h, w = ground.shape[:2]
    wide = float(rng.uniform(0.4, 1.6))
    size = (within.shape[1] * step, within.shape[0] * step)
    depth = cv2.resize(np.clip(within, -2, 4).astype(np.float32), size)[:h, :w]
    rim = (depth < wide) & (depth > -0.5)
    base: Floats = np.array(_WOODS[int(rng.integers(len(_WOODS)))], np.float32)
    if rng.random() < 0.4:
        base = np.full(3, float(rng.choice([45, 120, 215])), np.float32) + rng.normal(0, 6, 3)
    rounding = 1 - 0.35 * np.clip(depth[rim] / wide - 0.8, 0, 0.2) / 0.2
    ground[rim] = as_pixels(base * float(rng.uniform(0.7, 1.1)) * rounding[:, None])


def lay_table(
    rng: np.random.Generator,
    camera: Camera,
    h: int,
    w: int,
    *,
    half_size: tuple[float, float],
    centre: tuple[float, float],
    photos: bool = True,
    lined: float = 0.0,
) -> Picture:
    """The table top seen by ``camera``, and the room where it ends."""
    texture = surface(rng, photos=photos, lined=lined)
    # Pixels of texture per tile width: fine cloth to broad planks.
    scale = float(rng.uniform(12, 70))
    spin = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.3 else 0.0
    c, s = np.cos(spin), np.sin(spin)
    off = rng.uniform(0, 384, 2)
    to_table = np.array([[c, -s, off[0]], [s, c, off[1]], [0, 0, scale]]) / scale
    matrix = camera.table_homography() @ to_table
    ground = cv2.warpPerspective(
        texture, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    step = 4
    xs, ys = np.meshgrid(
        np.arange(0, w + step, step, dtype=float), np.arange(0, h + step, step, dtype=float)
    )
    tx, ty, hits = camera.table_points(xs, ys)
    # How far inside the table's edge, in tile widths.
    within = np.minimum(
        half_size[0] - np.abs(tx - centre[0]), half_size[1] - np.abs(ty - centre[1])
    )
    table = (hits & (within > 0)).astype(np.float32)
    if table.min() > 0:
        return np.asarray(ground, np.uint8)
    share = cv2.resize(table, (table.shape[1] * step, table.shape[0] * step))[:h, :w]
    mask = (share > 0.5).astype(np.uint8)
    if rng.random() < 0.5:
        _draw_rim(rng, ground, np.where(hits, within, -1), step)
    behind = room(rng, h, w)
    cv2.copyTo(ground, mask, behind)
    return behind
