"""The shared photos as pictures with labels, and the *dev* split that choices are made on.

Layout of the folder: ``manifest.csv`` and ``<split>/images``, ``<split>/labels`` in YOLO form
(class, centre, size,
normalised). Nothing here is committed or needed by the product; training and benchmarks read it
when it is there.
"""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

DEV_SESSIONS = frozenset({"p1"})
"""Sessions of ``train`` held out for choices (thresholds, temperatures): a design of its own."""

VAL_CORRECTIONS = {("phone_sets_0056.jpg", 7): 13, ("phone_sets_0060.jpg", 1): 17}
"""Wrong labels of val: (file, row of its label file from 0) to the face it shows. See
docs/val-labels.md."""

UNLABELLED_TILES = frozenset({"fb"})
"""Sessions whose pictures show discards that carry no label: away from a label, nothing is known
there."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One labelled photo. ``boxes``: (n, 4) float32 pixels x1 y1 x2 y2; ``faces``: (n,) class ids
    0–41."""

    path: Path
    split: str
    group: str
    session: str
    design: str
    boxes: NDArray[np.float32]
    faces: NDArray[np.int64]

    def image(self) -> NDArray[np.uint8]:
        """The picture, (H, W, 3) BGR. Raises `FileNotFoundError` when it cannot be read."""
        picture = cv2.imread(str(self.path))
        if picture is None:
            raise FileNotFoundError(f"{self.path} is not a picture that can be opened")
        return picture.astype(np.uint8, copy=False)

    @property
    def quads(self) -> NDArray[np.float32]:
        """Box corners as (n, 4, 2): top-left, top-right, bottom-right, bottom-left of the upright
        box."""
        x1, y1, x2, y2 = self.boxes.T
        corners = np.stack([x1, y1, x2, y1, x2, y2, x1, y2], axis=1)
        return corners.reshape(-1, 4, 2).astype(np.float32)

    @property
    def labels_complete(self) -> bool:
        """Whether every face in view carries a label (not so where discards were left out)."""
        return self.session not in UNLABELLED_TILES


def photos_folder(shared: Path | None = None) -> Path:
    """The folder of the shared photos: ``HUPAI_SHARED`` (default ``../shared``) / data / photos."""
    root = shared or Path(os.environ.get("HUPAI_SHARED", "../shared"))
    return root / "data" / "photos"


def load_photos(split: str, folder: Path | None = None, *, corrected: bool = False) -> list[Photo]:
    """The photos of ``train``, ``val``, or ``dev`` (held out of train by session), ordered by file
    name.

    ``train`` does not hold the dev sessions; ``train+dev`` is all of it, for a last run whose
    recipe is fixed.
    ``corrected`` mends the labels of val that are known to be wrong.
    Raises `FileNotFoundError` when the folder is absent and `ValueError` for another split.
    """
    folder = folder or photos_folder()
    manifest = folder / "manifest.csv"
    if not manifest.is_file():
        raise FileNotFoundError(
            f"no photo set at {folder}: set HUPAI_SHARED to the folder that holds data/photos"
        )
    if split not in ("train", "dev", "train+dev", "val"):
        raise ValueError(f"unknown split {split!r}: train, dev, train+dev or val")
    with manifest.open(newline="", encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["file"])
    photos = [_photo(folder, row) for row in rows if _belongs(row, split)]
    return [_mended(photo) for photo in photos] if corrected else photos


def _mended(photo: Photo) -> Photo:
    faces = photo.faces.copy()
    for (file, row), face in VAL_CORRECTIONS.items():
        if photo.split == "val" and photo.path.name == file:
            faces[row] = face
    return replace(photo, faces=faces)


def _belongs(row: dict[str, str], split: str) -> bool:
    if split == "val" or row["split"] == "val":
        return row["split"] == split
    is_dev = row["session"] in DEV_SESSIONS
    return split == "train+dev" or is_dev == (split == "dev")


def _photo(folder: Path, row: dict[str, str]) -> Photo:
    base = folder / row["split"]
    width, height = int(row["width"]), int(row["height"])
    text = (base / "labels" / row["file"]).with_suffix(".txt").read_text(encoding="utf-8")
    label = np.array(
        [line.split() for line in text.splitlines() if line.strip()], dtype=np.float64
    ).reshape(-1, 5)
    scale = np.array([width, height])
    centre, half = label[:, 1:3] * scale, label[:, 3:5] * scale / 2
    boxes = np.concatenate([centre - half, centre + half], axis=1).astype(np.float32)
    return Photo(
        path=base / "images" / row["file"],
        split=row["split"],
        group=row["set"],
        session=row["session"],
        design=row["design"],
        boxes=boxes,
        faces=label[:, 0].astype(np.int64),
    )
