"""Whole finished hands rendered with faces cut from photos/val: for evaluation only.

val itself shows rows and grids but no hands. The pictures are made on demand and never committed;
the same seed gives the same pictures. Made of the dev split instead, they serve to choose settings.

    python -m datasets.val_hands FOLDER
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datasets.bank import FaceBank
from datasets.classes import FACES
from datasets.crops import photo_designs, upright_crops
from datasets.photos import load_photos
from datasets.render import render_folder
from datasets.scenes import Scene, render_hand

COUNT = 500
SEED = 500


def photo_bank(split: str = "val", folder: Path | None = None) -> FaceBank:
    """A bank that knows nothing but crops of the photos of a split.

    Raises FileNotFoundError without the shared photos.
    """
    designs = photo_designs(upright_crops(load_photos(split, folder)))
    designs = tuple(d for d in designs if d.has(range(FACES)))
    return FaceBank(drawn=0.0, photos=designs, pasted=1.0, surfaces=True)


@dataclass(frozen=True, slots=True)
class ValHands:
    """The 500 hands as a job for `datasets.render.render_folder`; ``size`` in pixels."""

    count: int = COUNT
    seed: int = SEED
    size: tuple[int, int] = (960, 720)
    split: str = "val"
    design: str = "crops of photos/val"
    session: str = "val-hands"

    def bank(self) -> FaceBank:
        return photo_bank(self.split)

    def scene(self, index: int, bank: FaceBank) -> Scene:
        """Hand ``index``: a phone's picture three times out of four, else a kiosk's."""
        rng = np.random.default_rng([self.seed, index])
        return render_hand(rng, bank, size=self.size, preset="phone" if index % 4 else "kiosk")

    def name(self, index: int) -> str:
        return f"val_hand_{index:03d}.jpg"


DEV_HANDS = ValHands(120, seed=600, split="dev", design="crops of dev", session="dev-hands")
"""Whole hands to choose settings on."""


def val_hands(job: ValHands | None = None) -> Iterator[Scene]:
    """The hands one by one, each with its text and all its tiles labelled."""
    job = job or ValHands()
    bank = job.bank()
    for index in range(job.count):
        yield job.scene(index, bank)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m datasets.val_hands", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-n", "--count", type=int, default=COUNT)
    parser.add_argument("--processes", type=int)
    options = parser.parse_args(argv)
    render_folder(ValHands(options.count), options.folder, processes=options.processes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
