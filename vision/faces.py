"""What a tile may be: its alternatives as costs, and the few facts about faces that layout needs.

A cost is the natural logarithm of how much likelier the first choice is: 0 for the first choice,
2.3 for a face ten times less likely. Costs of a hand add up.
"""

from __future__ import annotations

import math
from functools import lru_cache

from vision.detections import ALTERNATIVES, BACK, Detections

SUITED = 27
"""Class ids below this are suit tiles, nine to a suit; 27–33 honours; 34–41 bonus tiles."""
BONUS = 34
P_FLOOR = 1e-6

Costs = dict[int, float]
"""Face -> cost, cheapest first."""


def is_bonus(face: int) -> bool:
    """A season or a plant."""
    return BONUS <= face < BACK


def costs_of(detections: Detections, i: int, min_p: float = 1e-4, unlisted: bool = False) -> Costs:
    """The alternatives of tile `i` that are at least `min_p` likely; with `unlisted` also every
    other face, if its equal share of what they leave is.

    A face is never thought to be a back after all; a back may be a blank face.
    """
    first = int(detections.faces[i])
    best = max(float(detections.alternative_p[i, 0]), P_FLOOR)
    costs: Costs = {first: 0.0}
    for face, p in zip(detections.alternatives[i], detections.alternative_p[i], strict=True):
        if p >= min_p and int(face) != BACK:
            costs.setdefault(int(face), max(0.0, math.log(best / float(p))))
    left = 1.0 - float(detections.alternative_p[i].sum())
    # The alternatives are the likeliest faces: no other is likelier than the last of them.
    share = min(left / (BACK - ALTERNATIVES), float(detections.alternative_p[i, -1]))
    if unlisted and share >= min_p and first != BACK:
        for face in range(BACK):
            costs.setdefault(face, max(0.0, math.log(best / share)))
    return costs


@lru_cache(maxsize=1 << 16)
def is_set(faces: tuple[int, ...]) -> bool:
    """Three in sequence, three alike or four alike, backs standing for any face of a kong."""
    seen = [face for face in faces if face != BACK]
    if any(face >= BONUS for face in seen):
        return False
    if len(faces) == 4:
        return len(set(seen)) <= 1
    if len(faces) != 3 or len(seen) != 3:
        return False
    low = min(seen)
    chow = sorted(seen) == [low, low + 1, low + 2] and low + 2 < SUITED and low % 9 < 7
    return chow or len(set(seen)) == 1


def kind_of(faces: tuple[int, ...]) -> str:
    """chow, pung, kong or concealed-kong of a set of class ids."""
    if len(faces) == 4:
        return "concealed-kong" if BACK in faces else "kong"
    return "pung" if len(set(faces)) == 1 else "chow"
