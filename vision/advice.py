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
    step = max(1, len(hand) // _SAMPLE_LIMIT)
    patches = {int(i): _patch(image, seen.quads[i]) for i in hand[::step]}
    grey = {
        i: np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)
        for i, patch in patches.items()
    }
    level = float(np.median([g.mean() for g in grey.values()]))
    if level < DARK_LEVEL:
        yield Advice("dark", advice_text("dark"), level, DARK_LEVEL)
    sharp = float(np.median([_sharpness(g) for g in grey.values()]))
    if sharp < BLUR_SHARPNESS:
        yield Advice("blurred", advice_text("blurred"), sharp, BLUR_SHARPNESS)
    usual = float(np.median([np.percentile(g, 80) for g in grey.values()]))
    for i, g in grey.items():
        share = _glare(g, usual)
        if share > GLARE_SHARE:
            yield Advice("glare", advice_text("glare"), share, GLARE_SHARE, i)


def _patch(image: Image, quad: NDArray[np.float32]) -> Image:
    """The face straightened to TILE_SIDE × 1.35 TILE_SIDE pixels."""
    w, h = TILE_SIDE, round(TILE_SIDE * 1.35)
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.ascontiguousarray(quad, np.float32), target)
    return np.asarray(cv2.warpPerspective(image, matrix, (w, h), flags=cv2.INTER_AREA), np.uint8)


def _sharpness(grey: NDArray[np.uint8]) -> float:
    """The steepest hundredth of brightness steps, as a share of the tile's own contrast."""
    low, high = np.percentile(grey, (2, 98))
    if high - low < 12:
        return 1.0  # a blank face says nothing about focus
    steps = np.abs(cv2.Laplacian(grey.astype(np.float32), cv2.CV_32F))
    return float(np.percentile(steps, 95) / (high - low) / 4)


def _glare(grey: NDArray[np.uint8], usual: float) -> float:
    """Share of burnt-out pixels on a tile that is brighter than the others' white."""
    if usual > 243:
        return 0.0  # the whole picture is that bright
    return float((grey > max(250.0, usual + 12)).mean())
