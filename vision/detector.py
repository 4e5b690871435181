"""Where tiles lie: the YOLO detector with its pre- and post-processing in OpenCV and NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models import Model, load_session
from vision.detections import boxes_xyxy

STRIDE = 32
BACK_CLASS = 1
PAD_GREY = 114
FINE_PX = 960
"""The longer side at which a picture is looked at that has so many pixels."""

SMALL_PX = 24.0
"""Where the tiles' short sides are less than this for the network, it looks again, larger."""

SECOND_LOOK_MARGIN = 0.12
LEAST_GAIN, MOST_ENLARGED = 1.2, 2.0
"""A second look shows tiles so much larger, and the picture's own pixels no larger than this."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the detector saw: ``quads`` (n, 4, 2) float32 pixels, ``boxes`` (n, 4) x1 y1 x2 y2,
    ``score`` (n,),
    ``back`` (n,) bool; best first."""

    quads: NDArray[np.float32]
    boxes: NDArray[np.float32]
    score: NDArray[np.float32]
    back: NDArray[np.bool_]


class Detector:
    """The shipped detector, or any session of the same form.

    ``input_px`` and ``fine_px``: least and most of the longer side of what the network sees.
    ``threshold``: least score of a tile, chosen on dev. ``model``: whose settings count for a
    session that runs elsewhere.
    Raises `models.ModelError` when the model cannot be used.
    """

    def __init__(
        self,
        session: Any | None = None,
        *,
        input_px: int | None = None,
        fine_px: int = FINE_PX,
        threshold: float | None = None,
        model: Model | None = None,
    ) -> None:
        if session is None:
            session, model = load_session("detector")
        self._session = session
        self._input = session.get_inputs()[0].name
        self.input_px = input_px or (model.input_px if model else 640)
        self.fine_px = max(fine_px, self.input_px)
        self.threshold = (
            threshold if threshold is not None else (model.settings["threshold"] if model else 0.35)
        )

    def __call__(self, picture: NDArray[np.uint8]) -> Found:
        """Tiles and backs of a picture (H, W, 3) BGR of any size, quads in its own pixels."""
        longer = max(picture.shape[:2])
        found, scale = self._look(picture, int(np.clip(longer, self.input_px, self.fine_px)))
        if len(found.score):
            sides = found.boxes[:, 2:] - found.boxes[:, :2]
            if float(np.median(sides.min(axis=1))) * scale < SMALL_PX:
                found = self._look_again(picture, found, scale)
        return found

    def _look_again(self, picture: NDArray[np.uint8], first: Found, scale: float) -> Found:
        """The part of the picture in which tiles were seen, as large as it may be."""
        height, width = picture.shape[:2]
        low, high = first.boxes[:, :2].min(axis=0), first.boxes[:, 2:].max(axis=0)
        margin = SECOND_LOOK_MARGIN * (high - low).max()
        x1, y1 = np.maximum(low - margin, 0).astype(int)
        x2, y2 = np.minimum(high + margin, [width, height]).astype(int)
        longer = int(max(x2 - x1, y2 - y1))
        larger = int(min(self.fine_px, MOST_ENLARGED * longer))
        if larger / longer < LEAST_GAIN * scale:
            return first
        again, _ = self._look(np.ascontiguousarray(picture[y1:y2, x1:x2]), larger)
        if len(again.score) < len(first.score) * 0.8:
            return first
        shift = np.array([x1, y1], np.float32)
        return Found(again.quads + shift, again.boxes + np.tile(shift, 2), again.score, again.back)

    def _look(self, picture: NDArray[np.uint8], longer: int) -> tuple[Found, float]:
        blob, scale = prepare(picture, longer)
        (raw,) = self._session.run(None, {self._input: blob})
        return select(raw[0], scale, self.threshold), scale


def prepare(picture: NDArray[np.uint8], longer: int) -> tuple[NDArray[np.float32], float]:
    """The picture as the network takes it, its longer side ``longer`` pixels before it is filled up
    to whole strides: (1, 3, h, w) RGB in 0..1, and its scale."""
    height, width = picture.shape[:2]
    scale = longer / max(height, width)
    new_w, new_h = max(1, round(width * scale)), max(1, round(height * scale))
    small: NDArray[Any] = picture
    while small.shape[0] >= 2 * new_h and small.shape[1] >= 2 * new_w:
        # Halving is many times faster than any other reduction of a large picture.
        small = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    if small.shape[:2] != (new_h, new_w):
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(small, (new_w, new_h), interpolation=way)
    padded = cv2.copyMakeBorder(
        small, 0, -new_h % STRIDE, 0, -new_w % STRIDE, cv2.BORDER_CONSTANT, value=(PAD_GREY,) * 3
    )
    return np.asarray(cv2.dnn.blobFromImage(padded, 1 / 255.0, swapRB=True), np.float32), scale


def select(raw: NDArray[np.float32], scale: float, threshold: float) -> Found:
    """From the network's output (4 + 2 + 12, anchors) to tiles in picture pixels, each once."""
    scores = raw[4:6]
    best = scores.max(axis=0)
    keep = np.flatnonzero(best > threshold)
    keep = keep[np.argsort(-best[keep])]
    centre, side = raw[:2, keep].T, raw[2:4, keep].T
    ends = np.concatenate([centre - side / 2, centre + side / 2], axis=1)
    boxes = (ends / scale).astype(np.float32)
    corners = raw[6:18, keep].T.reshape(-1, 4, 3)[..., :2] / scale
    alone = suppress(boxes, best[keep])
    quads = _sane(corners[alone].astype(np.float32), boxes[alone])
    keep = keep[alone]
    return Found(
        quads,
        boxes[alone],
        best[keep],
        scores[BACK_CLASS, keep] > scores[0, keep],
    )


def suppress(
    boxes: NDArray[np.float32], score: NDArray[np.float32], same: float = 0.5, part: float = 0.75
) -> NDArray[np.int64]:
    """Indices of boxes that stay, best first: no two share ``same`` (IoU), none has ``part`` of
    itself within a better one.

    ``boxes`` come sorted by falling ``score``. Touching tiles, turned by any angle, share less
    than a third.
    """
    area = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    left = np.arange(len(boxes))
    stay: list[int] = []
    while len(left):
        here, rest = int(left[0]), left[1:]
        stay.append(here)
        low = np.maximum(boxes[here, :2], boxes[rest, :2])
        high = np.minimum(boxes[here, 2:], boxes[rest, 2:])
        shared = (high - low).clip(0).prod(axis=1)
        iou = shared / np.maximum(area[here] + area[rest] - shared, 1e-6)
        inside = shared / np.maximum(np.minimum(area[rest], area[here]), 1e-6)
        left = rest[(iou < same) & (inside < part)]
    return np.array(stay, np.int64)


def _sane(quads: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quads, each replaced by its upright box where its corners do not span that box."""
    if not len(quads):
        return quads.reshape(-1, 4, 2)
    spans = boxes_xyxy(quads)
    low, high = np.maximum(spans[:, :2], boxes[:, :2]), np.minimum(spans[:, 2:], boxes[:, 2:])
    shared = (high - low).clip(0).prod(axis=1)
    whole = (
        (spans[:, 2:] - spans[:, :2]).prod(axis=1)
        + (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
        - shared
    )
    convex = np.array([cv2.isContourConvex(quad) for quad in quads])
    bad = (shared / np.maximum(whole, 1e-6) < 0.6) | ~convex
    x1, y1, x2, y2 = boxes.T
    upright = np.stack([x1, y1, x2, y1, x2, y2, x1, y2], axis=1).reshape(-1, 4, 2)
    return np.where(bad[:, None, None], upright, quads).astype(np.float32)
