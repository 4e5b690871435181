"""Bonus tiles that no set has: number and word of one photographed tile, the drawing of another.

The photographed sets show nearly the same eight drawings, and a reader that knows them by heart
takes the first flower of another set for the fourth of these. Only number and word name a bonus
tile in every set, so here nothing else can.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.crops import Crop as Face
from datasets.crops import PhotoDesign
from training.crops import (
    FIRST_BONUS,
    RECOLOURED,
    TILE_PX,
    Crop,
    corners_in,
    cut,
    lay,
    middle,
    shaken,
)

SIZE = (TILE_PX, 96)
HEAD = (0.36, 0.44)
"""Where the drawing begins, as a share of the height: above it stand number and word."""
SEAM_PX = 3
SIDES_CHANGED = 0.25
"""How often number and word change sides."""


class BonusMixes:
    """Upright bonus tiles of photographed sets, mixed."""

    def __init__(self, designs: Sequence[PhotoDesign]) -> None:
        found = {id(crop): crop for d in designs for crops in d.crops.values() for crop in crops}
        self._faces: dict[int, list[Face]] = {}
        for crop in found.values():
            if crop.face >= FIRST_BONUS:
                self._faces.setdefault(crop.face, []).append(crop)
        self._all = [crop for crops in self._faces.values() for crop in crops]

    def __len__(self) -> int:
        return len(self._all)

    def draw(self, rng: np.random.Generator) -> Crop:
        """One mixed tile beside others."""
        faces = sorted(self._faces)
        face = faces[int(rng.integers(len(faces)))]
        members = self._faces[face]
        named = members[int(rng.integers(len(members)))]
        tile = self._mixed(named, rng)
        width, height = SIZE
        picture = np.empty((2 * height, 2 * width, 3), np.uint8)
        picture[:] = rng.integers(0, 200, 3)
        for side in (-1, 1):
            if rng.random() < 0.7:
                beside = _levelled(self._any(rng), named.body)
                lay(picture, beside, side * (width + int(rng.integers(0, 5))), 0)
        lay(picture, tile, 0, 0)
        true = middle(width, height)
        quad = shaken(true, rng)
        return Crop(cut(picture, quad, rng), face, 0, corners_in(quad, true))

    def _any(self, rng: np.random.Generator) -> Face:
        return self._all[int(rng.integers(len(self._all)))]

    def _mixed(self, named: Face, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Above the seam the one tile, below it another's drawing."""
        head = _levelled(named, named.body)
        half = SIZE[0] // 2
        left, right = _tinted(head[:, :half], rng), _tinted(head[:, half:], rng)
        if rng.random() < SIDES_CHANGED:
            left, right = right, left
        drawing = _tinted(_levelled(self._any(rng), named.body), rng)
        seam = rng.uniform(*HEAD) * SIZE[1]
        share = np.clip((np.arange(SIZE[1]) - seam) / SEAM_PX + 0.5, 0, 1)[:, None, None]
        above = np.concatenate([left, right], axis=1)
        return np.asarray(above * (1 - share) + drawing * share, np.uint8)


def _levelled(face: Face, body: tuple[float, float, float]) -> NDArray[np.uint8]:
    """The face at one size, its body brought to a colour."""
    small = cv2.resize(face.picture, SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    gain = np.clip(np.array(body) / np.maximum(np.array(face.body), 1), 0.5, 2.5)
    return np.asarray(np.clip(small * gain, 0, 255), np.uint8)


def _tinted(part: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Now and then in other paint: the body is nearly grey and stays as it is."""
    return part[..., rng.permutation(3)] if rng.random() < RECOLOURED else part
