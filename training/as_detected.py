"""Labelled tiles as the detector sees them: its own boxes and corners, and where it errs.

A reader that learns from true boxes with a random shake never meets the dice, the captions and the
blank cloth that the detector takes for tiles, nor the way in which its corners are off.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models import open_session
from vision.detections import boxes_xyxy, iou, quads_of_boxes
from vision.detector import Detector

LEAST_SCORE = 0.06
"""Much lower than at the table: what is nearly taken for a tile teaches most."""

SAME_TILE = 0.5
NO_TILE = 0.2
"""Least overlap (IoU) of a box with the label that it is of, and most of one that is of none."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the detector saw of one picture's labels.

    ``quads`` and ``uprights`` (n, 4, 2): its corners and box of label ``owner`` (n,), both begun at
    the picture's upper left; ``stray`` (m, 4, 2): corners of what it took for a tile
    and is none.
    """

    quads: NDArray[np.float32]
    uprights: NDArray[np.float32]
    owner: NDArray[np.int64]
    stray: NDArray[np.float32]

    def of(self, label: int) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
        """Corners and box of a label, None where it was missed."""
        at = np.flatnonzero(self.owner == label)
        return (self.quads[at[0]], self.uprights[at[0]]) if len(at) else None


class Eye:
    """A detector that looks at training pictures. Raises `models.ModelError` for an unusable
    file."""

    def __init__(self, model: Path) -> None:
        self._detector = Detector(open_session(model), threshold=LEAST_SCORE)

    def look(
        self,
        image: NDArray[np.uint8],
        boxes: NDArray[np.float32],
        unlabelled: NDArray[np.float32] | None = None,
        *,
        backs: bool,
    ) -> Seen:
        """``boxes`` (n, 4) of the labels; ``unlabelled`` (k, 4) boxes of tiles that carry none:
        nothing near them counts as no tile. ``backs``: whether tiles that lie face down are
        labelled too."""
        found = self._detector(image)
        shared = iou(boxes_xyxy(found.quads), boxes)
        own = iou(found.boxes, boxes)
        rows, owner = [], []
        for label in range(len(boxes)):
            best = int(own[:, label].argmax()) if len(own) else -1
            if best >= 0 and min(own[best, label], shared[best, label]) >= SAME_TILE:
                rows.append(best)
                owner.append(label)
        near = own.max(axis=1, initial=0.0)
        if unlabelled is not None and len(unlabelled):
            near = np.maximum(near, 3 * iou(found.boxes, unlabelled).max(axis=1, initial=0.0))
        return Seen(
            quads=found.quads[rows],
            uprights=quads_of_boxes(found.boxes[rows]),
            owner=np.asarray(owner, np.int64),
            stray=found.quads[(near < NO_TILE) & (backs | ~found.back)],
        )


def quarters_between(quad: NDArray[np.float32], upright: NDArray[np.float32]) -> int:
    """Quarter turns clockwise of a face with corners ``quad``, begun at its own upper left, in a
    crop whose upper left is the first corner of ``upright``."""
    first = np.linalg.norm(quad - upright[0], axis=1).argmin()
    return int(-first % 4)
