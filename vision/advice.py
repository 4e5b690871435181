"""What is wrong with a picture, said so that the next one is better.

Limits are measured: photos of the dev split were made darker, softer, smaller, flatter and glaring
step by step, and each limit stands where the reader's errors have clearly risen.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections, boxes_xyxy, heights_px, widths_px
from vision.layout import Layout
from vision.reading import Advice
from vision.words import advice_text

DARK_LEVEL = 28.0
"""Mean grey level of the tiles' own pixels; real tiles are nearly white."""
BLUR_SHARPNESS = 0.05
"""Steepest edges of a tile, in its own contrast per pixel of a 32-pixel-wide tile."""
GLARE_SHARE = 0.10
"""Share of a tile's pixels that are burnt out without being its usual white."""
SMALL_WIDTH_PX = 11.0
STEEP_RATIO = 0.70
"""Height over width of a face; seen straight on it is about 1.35."""
EDGE_PX = 2.0
TILE_SIDE = 32
_SAMPLE_LIMIT = 24

Image = NDArray[np.uint8]


def advise(image: Image, layout: Layout) -> tuple[Advice, ...]:
    """Advice on (h, w, 3) uint8 BGR `image` in which `layout` was found; () when it is good."""
    hand = np.array(sorted((*layout.hand, *layout.bonus)), np.int64)
    if not len(hand):
        level = float(cv2.mean(cv2.cvtColor(image[::8, ::8].copy(), cv2.COLOR_BGR2GRAY))[0])
        if level < DARK_LEVEL / 2:
            return (Advice("dark", advice_text("dark"), level, DARK_LEVEL / 2),)
        return ()
    seen = layout.detections
    return (*_geometry(image.shape[:2], seen, hand), *_light(image, seen, hand))


def _geometry(
    shape: tuple[int, ...], seen: Detections, hand: NDArray[np.int64]
) -> Iterator[Advice]:
    width = float(np.median(widths_px(seen.quads[hand])))
    if width < SMALL_WIDTH_PX:
        yield Advice("far", advice_text("far"), width, SMALL_WIDTH_PX)
    ratio = float(
        np.median(heights_px(seen.quads[hand]) / np.maximum(widths_px(seen.quads[hand]), 1e-6))
    )
    if ratio < STEEP_RATIO:
        yield Advice("oblique", advice_text("oblique"), ratio, STEEP_RATIO)
    boxes = boxes_xyxy(seen.quads[hand])
    height_px, width_px = shape
    room = np.min(
        np.stack([boxes[:, 0], boxes[:, 1], width_px - boxes[:, 2], height_px - boxes[:, 3]]),
        axis=0,
    )
    for k in np.flatnonzero(room < EDGE_PX)[:1]:
        yield Advice("cropped", advice_text("cropped"), float(room[k]), EDGE_PX, int(hand[k]))


def _light(image: Image, seen: Detections, hand: NDArray[np.int64]) -> Iterator[Advice]:
    # A sample of tiles is enough for the whole picture's light and focus.
    sample = hand[:: max(1, len(hand) // _SAMPLE_LIMIT)]
    grey = _patches(image, seen.quads[sample])
    flat = grey.reshape(len(sample), -1)
    level = float(np.median(flat.mean(axis=1)))
    if level < DARK_LEVEL:
        yield Advice("dark", advice_text("dark"), level, DARK_LEVEL)
    low, bright, high = np.percentile(flat, (2, 80, 98), axis=1)
    sharp = float(np.median(_sharpness(grey, high - low)))
    if sharp < BLUR_SHARPNESS:
        yield Advice("blurred", advice_text("blurred"), sharp, BLUR_SHARPNESS)
    usual = float(np.median(bright))
    if usual > 243:
        return  # the whole picture is that bright
    # Burnt-out pixels on a tile that is brighter than the others' white.
    shares = (flat > max(250.0, usual + 12)).mean(axis=1)
    for i in np.flatnonzero(shares > GLARE_SHARE):
        where = int(sample[i])
        yield Advice("glare", advice_text("glare"), float(shares[i]), GLARE_SHARE, where)


def _patches(image: Image, quads: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Faces straightened to TILE_SIDE × 1.35 TILE_SIDE grey pixels: (n, height, width)."""
    w, h = TILE_SIDE, round(TILE_SIDE * 1.35)
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    patches = np.empty((len(quads), h, w, 3), np.uint8)
    for patch, quad in zip(patches, quads, strict=True):
        matrix = cv2.getPerspectiveTransform(np.ascontiguousarray(quad, np.float32), target)
        cv2.warpPerspective(image, matrix, (w, h), dst=patch, flags=cv2.INTER_AREA)
    grey = cv2.cvtColor(patches.reshape(-1, w, 3), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8).reshape(-1, h, w)


def _sharpness(grey: NDArray[np.uint8], contrast: NDArray[np.float64]) -> NDArray[np.float64]:
    """The steepest hundredth of brightness steps, as a share of each tile's own contrast."""
    steps = np.stack([np.abs(cv2.Laplacian(g, cv2.CV_32F)) for g in grey.astype(np.float32)])
    steepest = np.percentile(steps.reshape(len(grey), -1), 95, axis=1)
    # A blank face says nothing about focus.
    return np.where(contrast < 12, 1.0, steepest / np.maximum(contrast, 1) / 4)
