"""Reader's mistakes as they are made: which face for which, and how sure of it.

tests/data/confusions.csv holds them one by one: the true face, and the alternatives of the reader
with their probabilities.
"""

from __future__ import annotations

import csv
from functools import cache
from random import Random

import numpy as np

from scorer.tiles import Tile
from tests.support import REPOSITORY
from vision.detections import BACK, Detections

TABLE = REPOSITORY / "tests" / "data" / "confusions.csv"

Said = tuple[tuple[int, float], ...]
"""A tile's alternatives, the likeliest first, with their probabilities."""


@cache
def mistakes() -> dict[int, tuple[Said, ...]]:
    """True face -> what was said of it where it was misread."""
    found: dict[int, list[Said]] = {}
    with TABLE.open(encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            said = tuple(
                (int(Tile.parse(row[name])), float(row[p]))
                for name, p in (("first", "p1"), ("second", "p2"), ("third", "p3"))
            )
            found.setdefault(int(Tile.parse(row["face"])), []).append(said)
    return {face: tuple(rows) for face, rows in found.items()}


def misread(
    rng: Random, detections: Detections, tiles: list[int], wrong: int
) -> tuple[Detections, frozenset[int]]:
    """The detections with `wrong` of `tiles` taken for something else; which ones were.

    Every other tile is read right, the usual mistake standing second with little weight.
    """
    faces = detections.faces.copy()
    alternatives = detections.alternatives.copy()
    p = detections.alternative_p.copy()
    known = mistakes()
    able = [i for i in tiles if int(faces[i]) in known and faces[i] != BACK]
    chosen = rng.sample(able, min(wrong, len(able)))
    for i in able:
        true = int(faces[i])
        said = rng.choice(known[true])
        if i not in chosen:
            usual = said[0][0]
            third = next(f for f in range(34) if f not in (true, usual))
            said = (true, rng.uniform(0.97, 0.999)), (usual, rng.uniform(0.0, 0.01)), (third, 0.0)
        alternatives[i], p[i] = zip(*said, strict=True)
        faces[i] = alternatives[i, 0]
    changed = Detections(
        detections.quads, faces, alternatives, np.clip(p, 0, 1), detections.turn, detections.scores
    )
    return changed, frozenset(chosen)
