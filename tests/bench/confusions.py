"""The reader's own mistakes, as tests/data/confusions.csv holds them.

`python -m tests.bench.confusions` prints the table: labelled tiles of the dev photos and of
rendered hands, cut and read by the shipped reader; for each kind of mistake how often it happened,
and the median probability of the face read and of the true face where it did.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from datasets.bank import FaceBank
from datasets.photos import load_photos, photos_folder
from datasets.scenes import render_hand
from scorer.tiles import Tile
from vision.crops import cut_crops
from vision.detections import BACK, boxes_xyxy, quads_of_boxes
from vision.reader import Reader

FACES = 42


Labelled = tuple[np.ndarray, np.ndarray, np.ndarray]


def dev_photos() -> Iterator[Labelled]:
    """Picture, upright quads and faces of every dev photo with labels."""
    for photo in load_photos("dev", photos_folder()):
        if len(photo.faces):
            yield photo.image(), photo.quads, photo.faces


def rendered_hands(count: int) -> Iterator[Labelled]:
    """The same of rendered hands; the boxes are those a detector would draw."""
    bank = FaceBank.shared()
    for seed in range(count):
        preset = ("phone", "kiosk", "stream")[seed % 3]
        scene = render_hand(np.random.default_rng(50_000 + seed), bank, preset=preset)
        shown = scene.faces != BACK
        yield scene.image, quads_of_boxes(boxes_xyxy(scene.quads[shown])), scene.faces[shown]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the table here as well")
    parser.add_argument("--rendered", type=int, default=60)
    args = parser.parse_args()
    reader = Reader()
    found: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    tiles = 0
    for image, quads, labels in chain(dev_photos(), rendered_hands(args.rendered)):
        p, _, _ = reader.read(cut_crops(image, quads))
        faces = p[:, :FACES]
        tiles += len(faces)
        for row, true in zip(faces, labels, strict=True):
            best = int(np.argmax(row))
            if best != int(true):
                found[int(true), best].append((float(row[best]), float(row[true])))
    lines = [
        "# Reader's mistakes: true face, face read, how often, median p of both where it happened.",
        f"# Source: the shipped reader on {tiles} tiles of dev photos and rendered hands "
        "(python -m tests.bench.confusions).",
        "face,read_as,count,p_read,p_true",
    ]
    for (true, best), rows in sorted(found.items()):
        read, truth = np.median(np.array(rows), axis=0)
        lines.append(f"{Tile(true).code},{Tile(best).code},{len(rows)},{read:.3f},{truth:.3f}")
    print("\n".join(lines))
    if args.out is not None:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
