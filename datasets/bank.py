"""Where faces come from: designs in folders, and the tile sets mixed from them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.classes import BAMBOO, BONUS, CHARACTERS, DOTS, DRAGONS, FILE_NAMES, WINDS

Picture = NDArray[np.uint8]

GROUPS: tuple[range, ...] = (CHARACTERS, DOTS, BAMBOO, WINDS, DRAGONS, BONUS)
"""Faces that are always taken from one design together."""

ART_HEIGHT_PX = 200
"""Drawings are kept at most this high; tiles in pictures are rarely larger."""


def shared_folder() -> Path:
    """The folder of shared data: ``HUPAI_SHARED``, by default ``../shared``."""
    return Path(os.environ.get("HUPAI_SHARED", "../shared"))


class Design(Protocol):
    """Something that can draw every face of one design."""

    name: str

    def art(self, face: int) -> Picture:
        """The drawing of a face as BGRA, any size, transparent where nothing is engraved."""
        ...


@dataclass(frozen=True, slots=True)
class FolderDesign:
    """A folder of RGBA drawings named as in ``FILE_NAMES``."""

    folder: Path
    name: str

    def art(self, face: int) -> Picture:
        return _load_art(str(self.folder / f"{FILE_NAMES[face]}.png"))


@lru_cache(maxsize=4096)
def _load_art(path: str) -> Picture:
    picture = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"cannot read the drawing {path}")
    if picture.ndim != 3 or picture.shape[2] != 4:
        raise ValueError(f"the drawing {path} has no alpha channel")
    art: Picture = np.asarray(picture, dtype=np.uint8)
    if min(art[0, :, 3].max(), art[-1, :, 3].max(), art[:, 0, 3].max(), art[:, -1, 3].max()) > 60:
        # The drawing brings its own tile edge; the solid has one already.
        cut_y, cut_x = round(art.shape[0] * 0.045), round(art.shape[1] * 0.06)
        art = art[cut_y:-cut_y, cut_x:-cut_x]
    if art.shape[0] > ART_HEIGHT_PX:
        # Blend over the alpha-weighted colours, or transparent pixels darken the edges.
        weight = art[..., 3:].astype(np.float32) / 255
        size = (round(art.shape[1] * ART_HEIGHT_PX / art.shape[0]), ART_HEIGHT_PX)
        colour = cv2.resize(art[..., :3] * weight, size, interpolation=cv2.INTER_AREA)
        small = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)[..., None]
        colour = colour / np.maximum(small, 1e-3)
        art = np.concatenate([colour, small * 255], axis=2).round().clip(0, 255).astype(np.uint8)
    return np.ascontiguousarray(art)


@dataclass(frozen=True)
class FaceBank:
    """Designs to draw tile sets from."""

    designs: tuple[Design, ...]
    weights: tuple[float, ...] = field(default=())

    @classmethod
    def from_folder(cls, folder: Path) -> FaceBank:
        """All designs below ``folder`` (one folder of drawings each).

        Raises FileNotFoundError when there is none.
        """
        found = sorted(p.parent for p in folder.glob("*/m1.png"))
        if not found:
            raise FileNotFoundError(f"no design (a folder with m1.png … f4.png) below {folder}")
        designs = tuple(FolderDesign(p, p.name) for p in found)
        # Fifteen shared designs differ by the font of their characters only.
        weights = tuple(0.5 if d.name.startswith("cjk-") else 2.0 for d in designs)
        return cls(designs, weights)

    @classmethod
    def shared(cls) -> FaceBank:
        """The designs of the shared folder."""
        return cls.from_folder(shared_folder() / "data" / "faces")

    def pick(self, rng: np.random.Generator) -> Design:
        if not self.weights:
            return self.designs[int(rng.integers(len(self.designs)))]
        p = np.asarray(self.weights) / sum(self.weights)
        return self.designs[int(rng.choice(len(self.designs), p=p))]
