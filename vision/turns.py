"""A face's quarter turn checked against the tile's own proportions.

The reader sees every tile as a square, and a 中 or a 9p looks nearly the same when it is turned by
a quarter. The tile does not: beside upright neighbours one on its side is wide and low.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detections import BACK, Detections, turn_of_quads
from vision.rows import Plane, plane_of

LEAST_UPRIGHT = 4
"""Of fewer upright tiles the proportions are not known well enough to overrule the reader."""
STRAIGHT_DEG = 15.0
"""Of tiles that lie askew nothing is said."""
HALF_WAY = float(np.log(1.35))
"""Width over height grows by 1.35² when an upright tile is laid on its side; midway lies 1.35."""


def settled(detections: Detections, plane: Plane) -> tuple[Detections, Plane]:
    """The detections, faces upright where their tiles are, and the plane of them; both as they
    were where nothing is to be mended."""
    extent = np.maximum(plane.extent, 1e-6)
    shape = np.log(extent[:, 0] / extent[:, 1])
    seen = detections.faces != BACK
    straight = np.array([plane.off(i) < STRAIGHT_DEG for i in range(len(shape))], bool) & seen
    sideways = np.array([plane.sideways(i) for i in range(len(shape))], bool)
    upright = straight & ~sideways
    if upright.sum() < max(LEAST_UPRIGHT, (straight & sideways).sum()):
        return detections, plane
    wider = shape - float(np.median(shape[upright]))
    # An upright face on a wide tile may as well lie beside tiles that stand.
    wrong = straight & sideways & (wider < HALF_WAY)
    if not wrong.any():
        return detections, plane
    quads = _turned(detections.quads, wrong, plane)
    mended = replace(
        detections,
        quads=quads,
        turn=np.where(wrong, turn_of_quads(quads), detections.turn),
    )
    return mended, plane_of(mended)


def _turned(
    quads: NDArray[np.float32], wrong: NDArray[np.bool_], plane: Plane
) -> NDArray[np.float32]:
    """Quads begun a corner earlier or later where they are ``wrong``: lying faces stand up."""
    out = quads.copy()
    for i in np.flatnonzero(wrong):
        # A face whose up points to the player's right stands when it is turned back, and so on.
        out[i] = np.roll(quads[i], 1 if plane.lean[i] > 0 else -1, axis=0)
    return out
