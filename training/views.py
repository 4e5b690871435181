"""What the detector sees while it learns: square views around tiles, cut, turned and lit at
random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.photos import Photo
from training import distort

TILE, BACK = 0, 1
TILE_ASPECT = 1.35
KNOWN_STRIDE = 8
STRAIGHT_ASPECT = 1.27
"""A labelled box longer than this is taken for a tile that stands straight, its corners the
box's."""

INVERTED = 0.05
"""Dark tiles with light prints are few among photos and scenes."""

NO_TURN = 2.5
MOST_ENLARGED = 2.2


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture to cut views from.

    ``quads``: (n, 4, 2) float32 pixels, clockwise; ``classes``: (n,) tile or back;
    ``corners_known``: (n,) bool,
    false where the quad is only the upright box; ``known``: (2, H/8, W/8) uint8, 1 where the
    absence of a label means
    the absence of a tile (row 0) or a back (row 1); ``turnable``: the quads follow the tiles'
    edges, so that the
    picture may be turned by any angle; ``distorted``: the part of its views that a random camera
    sees (rendered
    scenes have had their camera already).
    """

    image: NDArray[np.uint8]
    quads: NDArray[np.float32]
    classes: NDArray[np.int64]
    corners_known: NDArray[np.bool_]
    known: NDArray[np.uint8]
    turnable: bool
    distorted: float = 1.0


@dataclass(frozen=True, slots=True)
class View:
    """One training example: ``image`` (S, S, 3) BGR; ``boxes`` (n, 4) x1 y1 x2 y2 and ``corners``
    (n, 4, 3) x y
    visibility, in pixels; ``classes`` (n,); ``known`` (2, S/8, S/8) as in `Labelled`."""

    image: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    corners: NDArray[np.float32]
    classes: NDArray[np.int64]
    known: NDArray[np.uint8]


def from_photo(photo: Photo) -> Labelled:
    """A photo as the detector's teacher: nothing is known of backs, nor of tiles far from labels
    where some lack one."""
    image = photo.image()
    height, width = image.shape[:2]
    known = np.zeros((2, -(-height // KNOWN_STRIDE), -(-width // KNOWN_STRIDE)), np.uint8)
    sizes = photo.boxes[:, 2:] - photo.boxes[:, :2]
    known[0] = 1 if photo.labels_complete else 0
    for (x1, y1, x2, y2), (w, h) in zip(photo.boxes, sizes, strict=True):
        margin = 0.35 * min(w, h)
        a, b = np.array([x1, y1]) / KNOWN_STRIDE, np.array([x2, y2]) / KNOWN_STRIDE
        inner = (slice(int(a[1]), int(b[1]) + 1), slice(int(a[0]), int(b[0]) + 1))
        known[1][inner] = 1
        if not photo.labels_complete:
            m = margin / KNOWN_STRIDE
            known[0][
                max(0, int(a[1] - m)) : int(b[1] + m) + 1, max(0, int(a[0] - m)) : int(b[0] + m) + 1
            ] = 1
    aspect = sizes.max(axis=1) / np.maximum(sizes.min(axis=1), 1e-3) if len(sizes) else np.zeros(0)
    upright = (aspect > 1.24) & (aspect < 1.6)
    straight = (aspect > STRAIGHT_ASPECT) & (aspect < 1.6)
    return Labelled(
        image=image,
        quads=photo.quads,
        classes=np.full(len(photo.boxes), TILE),
        corners_known=np.asarray(straight, bool),
        known=known,
        turnable=bool(len(upright)) and float(upright.mean()) > 0.85,
    )


def cut_view(
    source: Labelled, rng: np.random.Generator, size: int, tile_px: tuple[float, float]
) -> View:
    """A view of ``size`` pixels in which the tile it is drawn around is ``tile_px`` (low, high)
    pixels long."""
    height, width = source.image.shape[:2]
    if len(source.quads) and rng.random() < 0.92:
        quad = source.quads[rng.integers(len(source.quads))]
        length = float(np.sqrt(max(_area(quad), 16.0) * TILE_ASPECT))
        anchor = quad.mean(axis=0) + rng.normal(0, 0.9, 2) * length
    else:
        anchor = rng.uniform(0, 1, 2) * [width, height]
        length = (
            float(np.median([np.sqrt(max(_area(q), 16.0) * TILE_ASPECT) for q in source.quads]))
            if len(source.quads)
            else 60.0
        )
    wanted = float(np.exp(rng.uniform(np.log(tile_px[0]), np.log(tile_px[1]))))
    scale = max(min(wanted / length, MOST_ENLARGED), size / (1.15 * max(height, width)))
    half = min(size / scale / 2, height / 2, width / 2)
    anchor = np.clip(anchor, half * 0.7, np.array([width, height]) - half * 0.7)
    matrix = _transform(rng, anchor, scale, size, source.turnable)
    image = _warp(source.image, matrix, size, rng)
    if rng.random() < INVERTED:
        image = distort.inverted(image)
    if rng.random() < source.distorted:
        image = distort.camera(
            image, rng, least_px=int(size * 0.4), most_blur_px=max(0.8, scale * length * 0.05)
        )
    quads = _moved(source.quads, matrix)
    quads = from_upper_left(quads)
    boxes, keep = _visible_boxes(quads, size)
    visibility = np.where(source.corners_known, 2.0, 0.0)[:, None, None]
    corners = np.concatenate([quads, np.broadcast_to(visibility, (len(quads), 4, 1))], axis=2)
    return View(
        image,
        boxes[keep],
        corners[keep].astype(np.float32),
        source.classes[keep],
        _warp_known(source.known, matrix, size),
    )


def from_upper_left(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners (n, 4, 2) begun where the first edge runs most to the right of the picture.

    The detector learns corners in this order, which is seen without knowing the face; which of
    them is the face's own upper left is for the reader to say.
    """
    if not len(quads):
        return quads
    edges = np.roll(quads, -1, axis=1) - quads
    along = edges[..., 0] / np.maximum(np.linalg.norm(edges, axis=2), 1e-6)
    start = along.argmax(axis=1)
    index = (start[:, None] + np.arange(4)) % 4
    return np.take_along_axis(quads, index[..., None], axis=1)


def mixture(
    sources: Sequence[tuple[float, Callable[[np.random.Generator], Labelled]]],
) -> Callable[[np.random.Generator], Labelled]:
    """Draw the next picture from one of several sources, by weight."""
    weights = np.array([weight for weight, _ in sources])
    steps = np.cumsum(weights / weights.sum())

    def draw(rng: np.random.Generator) -> Labelled:
        return sources[int(np.searchsorted(steps, rng.random(), side="right"))][1](rng)

    return draw


def _transform(
    rng: np.random.Generator, anchor: NDArray[np.float64], scale: float, size: int, turnable: bool
) -> NDArray[np.float64]:
    """Picture to view: quarter turns always, any angle and a little perspective where the quads
    allow it."""
    angle = 90.0 * int(rng.integers(4))
    angle += (
        rng.normal(0, 14) if turnable and rng.random() < 0.6 else rng.uniform(-NO_TURN, NO_TURN)
    )
    squeeze = np.exp(rng.normal(0, 0.06))
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    middle = np.array([[1, 0, -anchor[0]], [0, 1, -anchor[1]], [0, 0, 1]])
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    stretch = np.diag([scale * squeeze, scale / squeeze, 1.0])
    back = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1]])
    tilt = np.eye(3)
    tilt[2, :2] = rng.normal(0, 0.12 / size, 2)
    return np.asarray(back @ tilt @ turn @ stretch @ middle)


def _moved(quads: NDArray[np.float32], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    if not len(quads):
        return quads
    moved = cv2.perspectiveTransform(quads.reshape(-1, 1, 2), matrix)
    return np.asarray(moved, np.float32).reshape(-1, 4, 2)


def _warp(
    image: NDArray[np.uint8], matrix: NDArray[np.float64], size: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    shade = rng.integers(0, 256, 3).tolist()
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    source = image
    if scale < 0.6:
        factor = scale / 0.8
        smaller = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        source = np.asarray(smaller, np.uint8)
        matrix = matrix @ np.diag(
            [image.shape[1] / source.shape[1], image.shape[0] / source.shape[0], 1.0]
        )
    out = cv2.warpPerspective(
        source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=shade
    )
    return np.asarray(out, dtype=np.uint8)


def _warp_known(
    known: NDArray[np.uint8], matrix: NDArray[np.float64], size: int
) -> NDArray[np.uint8]:
    """The known map in the view; outside of the picture everything is known."""
    cells = size // KNOWN_STRIDE
    to_cells = np.diag([1 / KNOWN_STRIDE, 1 / KNOWN_STRIDE, 1.0])
    step = to_cells @ matrix @ np.linalg.inv(to_cells)
    rows = [
        cv2.warpPerspective(row, step, (cells, cells), flags=cv2.INTER_NEAREST, borderValue=1)
        for row in known
    ]
    return np.stack(rows).astype(np.uint8)


def _visible_boxes(
    quads: NDArray[np.float32], size: int
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Upright boxes cut at the border, and which tiles keep at least 60 % of theirs."""
    if not len(quads):
        return np.zeros((0, 4), np.float32), np.zeros(0, bool)
    low, high = quads.min(axis=1), quads.max(axis=1)
    whole = np.maximum((high - low).prod(axis=1), 1e-6)
    low, high = low.clip(0, size), high.clip(0, size)
    keep = ((high - low).prod(axis=1) / whole > 0.6) & ((high - low).min(axis=1) > 4)
    return np.concatenate([low, high], axis=1).astype(np.float32), keep


def _area(quad: NDArray[np.float32]) -> float:
    return float(abs(cv2.contourArea(np.ascontiguousarray(quad, np.float32))))
