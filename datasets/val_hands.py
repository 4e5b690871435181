"""Whole finished hands rendered with faces cut from photos/val: for evaluation only.

val itself shows rows and grids but no hands. The pictures are made on demand and never committed;
the same seed gives the same pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from datasets.bank import FaceBank
from datasets.crops import photo_designs, upright_crops
from datasets.photos import load_photos
from datasets.scenes import Scene, render_hand

COUNT = 500
SEED = 500


def val_bank(folder: Path | None = None) -> FaceBank:
    """A bank that knows nothing but crops of photos/val.

    Raises FileNotFoundError without the shared photos.
    """
    designs = photo_designs(upright_crops(load_photos("val", folder)))
    return FaceBank(drawn=0.0, photos=designs, pasted=1.0, surfaces=True)


def val_hands(
    count: int = COUNT,
    *,
    seed: int = SEED,
    size: tuple[int, int] = (960, 720),
    folder: Path | None = None,
) -> Iterator[Scene]:
    """``count`` hands of 14 to 22 tiles, every one with its hand text, all tiles labelled."""
    bank = val_bank(folder)
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        yield render_hand(rng, bank, size=size, preset="phone" if index % 4 else "kiosk")
