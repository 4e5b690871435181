"""One labelled picture as every format sees it, and the rule that splits must not leak."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.classes import BACK
from scorer.tiles import Tile

CLASS_NAMES: tuple[str, ...] = tuple(tile.code for tile in Tile)
"""Names of the classes in files: hand-text codes, by class id."""

UNSEEN_DESIGN_SPLITS = ("val", "test")
"""Splits whose designs must occur in no other split."""


class LeakError(ValueError):
    """A session or a design stands in two splits that must not share it."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    """Labels of one picture.

    ``path`` of the picture, ``size`` (width, height) in pixels. ``quads`` (n, 4, 2) float32 pixels
    in face order; where ``corners_known`` (n,) is false only their upright box is meant.
    ``faces`` (n,) class ids 0 … 42. ``design`` and ``session`` say what must stay together when
    data are split. Raises ValueError when shapes or ids do not fit.
    """

    path: Path
    size: tuple[int, int]
    quads: NDArray[np.float32]
    faces: NDArray[np.int64]
    corners_known: NDArray[np.bool_]
    split: str = "train"
    design: str = ""
    session: str = ""
    hand: str | None = None

    def __post_init__(self) -> None:
        n = len(self.faces)
        if self.quads.shape != (n, 4, 2):
            raise ValueError(f"quads must have shape ({n}, 4, 2), but got {self.quads.shape}")
        if self.corners_known.shape != (n,):
            raise ValueError(
                f"corners_known must have shape ({n},), but got {self.corners_known.shape}"
            )
        if n and (self.faces.min() < 0 or self.faces.max() > BACK):
            raise ValueError(f"{self.path.name}: class ids must lie in 0 … {BACK}")

    @property
    def boxes(self) -> NDArray[np.float32]:
        """Upright boxes (n, 4): x1, y1, x2, y2 in pixels."""
        if len(self.faces) == 0:
            return np.zeros((0, 4), np.float32)
        return np.concatenate([self.quads.min(axis=1), self.quads.max(axis=1)], axis=1)


def box_quads(boxes: NDArray[np.floating]) -> NDArray[np.float32]:
    """Corners (n, 4, 2) of boxes (n, 4) x1, y1, x2, y2, from the top left clockwise."""
    x1, y1, x2, y2 = np.asarray(boxes, np.float32).reshape(-1, 4).T
    return np.stack([x1, y1, x2, y1, x2, y2, x1, y2], axis=1).reshape(-1, 4, 2)


def refuse_leaks(pictures: Iterable[LabelledPicture]) -> None:
    """Raise LeakError when a session is split, or a val or test design is also learnt from."""
    sessions: dict[tuple[str, str], set[str]] = defaultdict(set)
    designs: dict[str, set[str]] = defaultdict(set)
    for picture in pictures:
        if picture.session:
            sessions[picture.design, picture.session].add(picture.split)
        if picture.design:
            designs[picture.design].add(picture.split)
    for (design, session), splits in sorted(sessions.items()):
        if len(splits) > 1:
            raise LeakError(
                f"session {session!r} of design {design!r} is in {' and '.join(sorted(splits))}: "
                "split by session, not by picture"
            )
    for design, splits in sorted(designs.items()):
        if len(splits) > 1 and splits & set(UNSEEN_DESIGN_SPLITS):
            raise LeakError(
                f"design {design!r} is in {' and '.join(sorted(splits))}: "
                "a design that is tested on must not be learnt from"
            )
