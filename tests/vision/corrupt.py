"""Reader's mistakes as they are made: which face for which, and how sure of it.

tests/data/confusions.csv holds them: the true face, the face read, how often, and the median
probabilities of both alternatives where it happened.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np

from scorer.tiles import Tile
from tests.support import REPOSITORY
from vision.detections import BACK, Detections

TABLE = REPOSITORY / "tests" / "data" / "confusions.csv"


@dataclass(frozen=True, slots=True)
class Mistake:
    """`read_as` stands for the true face; p of the face read, and of the true face."""

    read_as: int
    count: int
    p_read: float
    p_true: float


@cache
def mistakes() -> dict[int, tuple[Mistake, ...]]:
    """True face -> what it is taken for."""
    found: dict[int, list[Mistake]] = {}
    with TABLE.open(encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            found.setdefault(int(Tile.parse(row["face"])), []).append(
                Mistake(
                    int(Tile.parse(row["read_as"])),
                    int(row["count"]),
                    float(row["p_read"]),
                    float(row["p_true"]),
                )
            )
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
    for i in tiles:
        true = int(faces[i])
        if true == BACK or true not in known:
            continue
        usual = known[true]
        mistake = rng.choices(usual, [m.count for m in usual])[0]
        if i in chosen:
            first, second = mistake.read_as, true
            chances = _jittered(rng, mistake.p_read, mistake.p_true)
        else:
            first, second = true, mistake.read_as
            chances = _jittered(rng, rng.uniform(0.97, 0.999), 0.005)
        third = next(f for f in range(34) if f not in (first, second))
        alternatives[i] = (first, second, third)
        p[i] = (*chances, min(0.002, chances[1], 1 - sum(chances)))
        faces[i] = first
    changed = Detections(
        detections.quads, faces, alternatives, np.clip(p, 0, 1), detections.turn, detections.scores
    )
    return changed, frozenset(chosen)


def _jittered(rng: Random, first: float, second: float) -> tuple[float, float]:
    """The two probabilities spread a little, still falling and within one."""
    odds = rng.gauss(0, 0.5)
    second = second * np.exp(odds)
    total = max(1.0, first + second + 0.001)
    first, second = first / total, second / total
    return (max(first, second), min(first, second))
