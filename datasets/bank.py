"""Where faces come from: designs in folders, and the tile sets mixed from them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from datasets.classes import BAMBOO, BONUS, CHARACTERS, DOTS, DRAGONS, FILE_NAMES, WINDS
from datasets.crops import PhotoDesign
from datasets.drawing import DrawnDesign
from datasets.face_style import FaceStyle
from datasets.pictures import Picture, shared_folder

GROUPS: tuple[range, ...] = (CHARACTERS, DOTS, BAMBOO, WINDS, DRAGONS, BONUS)
"""Faces that are always taken from one design together."""

ART_HEIGHT_PX = 200
"""Drawings are kept at most this high; tiles in pictures are rarely larger."""


class Design(Protocol):
    """Something that can draw every face of one design."""

    @property
    def name(self) -> str: ...

    def art(self, face: int, height_px: int = ART_HEIGHT_PX) -> Picture:
        """The drawing of a face as BGRA, transparent where nothing is engraved.

        ``height_px`` says how large it is needed; any size may come.
        """
        ...


@dataclass(frozen=True, slots=True)
class FolderDesign:
    """A folder of RGBA drawings named as in ``FILE_NAMES``."""

    folder: Path
    name: str

    def art(self, face: int, height_px: int = ART_HEIGHT_PX) -> Picture:
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
    """Designs to make tile sets from.

    ``drawn`` is the share of picks that are new designs of our own; the rest comes from
    ``designs`` by ``weights``. ``pasted`` is the share of sets whose faces are crops of photos
    (``photos``): a switch for training, off where only rendered faces are wanted. ``surfaces``
    lets tables be photographs of surfaces from the shared folder beside procedural ones, and
    ``lined`` of them are light cloths in cells, which look like blank tiles.
    """

    designs: tuple[Design, ...] = ()
    weights: tuple[float, ...] = ()
    drawn: float = 1.0
    photos: tuple[PhotoDesign, ...] = ()
    pasted: float = 0.0
    surfaces: bool = False
    lined: float = 0.0

    def __post_init__(self) -> None:
        if not self.designs and self.drawn < 1 and self.pasted < 1:
            raise ValueError("a face bank without designs must draw its own (drawn=1)")

    @classmethod
    def own(cls) -> FaceBank:
        """Only faces of our own: nothing but the product is needed."""
        return cls()

    @classmethod
    def from_folder(cls, folder: Path, *, drawn: float = 0.6) -> FaceBank:
        """All designs below ``folder`` (one folder of drawings each) beside our own.

        Raises FileNotFoundError when there is none.
        """
        found = sorted(p.parent for p in folder.glob("*/m1.png"))
        if not found:
            raise FileNotFoundError(f"no design (a folder with m1.png … f4.png) below {folder}")
        designs = tuple(FolderDesign(p, p.name) for p in found)
        return cls(designs, tuple(_weight(d.name) for d in designs), drawn, surfaces=True)

    @classmethod
    def shared(cls, *, drawn: float = 0.6) -> FaceBank:
        """The designs of the shared folder beside our own."""
        return cls.from_folder(shared_folder() / "data" / "faces", drawn=drawn)

    def with_photos(self, photos: tuple[PhotoDesign, ...], share: float) -> FaceBank:
        """The same bank with ``share`` of the sets pasted from photos."""
        if not photos and share > 0:
            raise ValueError("no photo design to paste from")
        return replace(self, photos=photos, pasted=share)

    def without(self, names: Container[str]) -> FaceBank:
        """The same bank less some of its drawn designs."""
        weights = self.weights or (1.0,) * len(self.designs)
        kept = [p for p in zip(self.designs, weights, strict=True) if p[0].name not in names]
        return replace(self, designs=tuple(d for d, _ in kept), weights=tuple(w for _, w in kept))

    def pick(self, rng: np.random.Generator, *, drawings: bool = False) -> Design:
        """A design by lot; with ``drawings`` none of the photos'."""
        if not drawings and self.photos and rng.random() < self.pasted:
            return self.photos[int(rng.integers(len(self.photos)))]
        if rng.random() < self.drawn or not self.designs:
            return DrawnDesign(FaceStyle.random(rng))
        p = np.asarray(self.weights or [1.0] * len(self.designs))
        return self.designs[int(rng.choice(len(self.designs), p=p / p.sum()))]


def _weight(name: str) -> float:
    # Fifteen shared designs differ by the font of their characters only; two are far from
    # anything engraved.
    if name.startswith("cjk-"):
        return 0.5
    return 0.5 if name in {"kde-classic", "gnome-postmodern"} else 2.0
