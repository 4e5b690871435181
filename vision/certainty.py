"""How sure each tile of a hand is, given that the hand is complete with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.tiles import Tile
from vision.detections import BACK, Detections
from vision.faces import is_bonus
from vision.reading import Unsure
from vision.thresholds import MIN_DETECTION, MIN_READ_P, MIN_TILE_P, NOT_A_WIN_P


def tile_p(
    detections: Detections, tile: int, face: int, possible: frozenset[int], complete: bool
) -> float:
    """Probability that the tile is `face`.

    In a complete hand an alternative that would break it counts only as much as people show
    hands that are no win; `possible` holds the alternatives that would keep it complete.
    """
    if int(detections.faces[tile]) == BACK:
        return float(detections.alternative_p[tile, 0])
    mine = rest = 0.0
    weight_out = NOT_A_WIN_P if complete else 1.0
    for other, p in zip(detections.alternatives[tile], detections.alternative_p[tile], strict=True):
        if int(other) == face:
            mine += float(p)
        else:
            rest += float(p) * (1.0 if int(other) in possible else weight_out)
    unseen = max(0.0, 1.0 - float(detections.alternative_p[tile].sum()))
    # Nothing in the hand speaks for one bonus tile and against another.
    total = mine + rest + unseen * (1.0 if is_bonus(face) else weight_out)
    return mine / total if total > 0 else 0.0


def unsure_tiles(
    detections: Detections,
    faces: Mapping[int, int],
    p: Mapping[int, float],
    rivals: Sequence[Mapping[int, int]],
) -> tuple[Unsure, ...]:
    """Tiles of the hand that a person must look at, each with the reason and the choices."""
    found = []
    for tile, face in faces.items():
        first = int(detections.faces[tile])
        differing = [rival[tile] for rival in rivals if rival.get(tile, face) != face]
        repaired = first not in (face, BACK)
        if repaired:
            why = f"read as {Tile(first).code}, which leaves no complete hand"
        elif differing:
            why = "another reading is nearly as likely"
        elif float(detections.scores[tile]) < MIN_DETECTION:
            why = "may not be a tile"
        elif p[tile] < MIN_TILE_P or float(detections.alternative_p[tile, 0]) < MIN_READ_P:
            why = f"read with {float(detections.alternative_p[tile, 0]):.0%} confidence only"
        else:
            continue
        choices = dict.fromkeys(
            [face, *differing, first, *(int(f) for f in detections.alternatives[tile])]
        )
        found.append(Unsure(tile, Tile(face), why, tuple(Tile(f) for f in choices)[:4], repaired))
    return tuple(found)
