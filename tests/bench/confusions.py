"""The reader's own mistakes, as tests/data/confusions.csv holds them.

`python -m tests.bench.confusions` prints the table: labelled tiles of the dev photos, of whole
hands with the faces of dev and of other rendered hands, found and read as the product does; for
each tile that was named wrong its face, and the three alternatives with their probabilities.
Pictures with more than two mistakes are left out: too small or too blurred to be read, they are no
hand that the decoder is to mend.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from datasets.bank import FaceBank
from datasets.photos import load_photos, photos_folder
from datasets.scenes import Scene, render_hand
from datasets.val_hands import DEV_HANDS, val_hands
from scorer.tiles import Tile
from vision.detections import BACK, boxes_xyxy, iou
from vision.detector import Detector
from vision.reader import Reader

SAME_TILE = 0.5
"""Least overlap (IoU) of a box with the label that it is of."""

MOST_MISTAKES = 2

Labelled = tuple[np.ndarray, np.ndarray, np.ndarray]


def dev_photos() -> Iterator[Labelled]:
    """Picture, quads and faces of every dev photo with labels."""
    for photo in load_photos("dev", photos_folder()):
        if len(photo.faces):
            yield photo.image(), photo.quads, photo.faces


def rendered_hands(count: int) -> Iterator[Labelled]:
    """The same of whole hands with the faces of dev, and of ``count`` others."""
    bank = FaceBank.shared()
    presets = ("phone", "kiosk", "stream")
    others: Iterator[Scene] = (
        render_hand(np.random.default_rng(50_000 + seed), bank, preset=presets[seed % 3])
        for seed in range(count)
    )
    for scene in chain(val_hands(DEV_HANDS), others):
        shown = scene.faces != BACK
        yield scene.image, scene.quads[shown], scene.faces[shown]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the table here as well")
    parser.add_argument("--rendered", type=int, default=210)
    args = parser.parse_args()
    detector, reader = Detector(), Reader()
    rows: list[str] = []
    tiles = 0
    for image, quads, labels in chain(dev_photos(), rendered_hands(args.rendered)):
        seen = reader(image, detector(image))
        if not len(seen):
            continue
        shared = iou(boxes_xyxy(quads), boxes_xyxy(seen.quads))
        found = np.flatnonzero(shared.max(axis=1) >= SAME_TILE)
        of = shared[found].argmax(axis=1)
        wrong = (seen.faces[of] != labels[found]) & (seen.faces[of] != BACK)
        if wrong.sum() > MOST_MISTAKES:
            continue
        tiles += len(found)
        for true, i in zip(labels[found][wrong], of[wrong], strict=True):
            said = zip(seen.alternatives[i], seen.alternative_p[i], strict=True)
            cells = [Tile(int(true)).code, *(f"{Tile(int(f)).code},{p:.4f}" for f, p in said)]
            rows.append(",".join(cells))
    lines = [
        "# Reader's mistakes, one a row: the true face, and the alternatives with their p.",
        f"# Source: the shipped networks on {tiles} tiles of dev photos and rendered hands "
        "(python -m tests.bench.confusions).",
        "face,first,p1,second,p2,third,p3",
        *sorted(rows),
    ]
    print("\n".join(lines))
    if args.out is not None:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
