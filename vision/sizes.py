"""What is too small for a tile: all tiles of a table are of one size, dice are half as large."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LEAST_TILES = 6
"""Of fewer the size of a tile is not known well enough to judge by."""

TOO_SMALL = 0.62
"""Part of the longest side that a tile has at its place in the picture. A die's is at most half of
it; a tile that lies is seen at least three quarters as long as one that stands."""

STEADY = 1.5
"""How strongly a slope is held at none, which one row does not show across itself: sizes vary by
about 5 % in a row and change by 4 % from tile to tile at most."""

STRAYED = 0.3
"""What is farther off the fitted sizes (in logarithms) does not take part in the second fit."""


def too_small(quads: NDArray[np.float32], surely: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of quads (n, 4, 2) are too small for a tile; ``surely`` (n,) are tiles beyond doubt.

    The size falls with the distance: its logarithm is taken to change evenly over the picture. Far
    from the tiles a plane may be wrong, so what is as long as the shorter of the tiles stays.
    """
    none = np.zeros(len(quads), bool)
    if surely.sum() < LEAST_TILES:
        return none
    sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
    longest = np.log(np.maximum(sides.max(axis=1), 1e-3))
    usual = float(np.median(longest[surely]))
    places = quads.mean(axis=1)
    places = (places - places[surely].mean(axis=0)) / np.exp(usual)
    known, expected = surely, np.full(len(quads), usual)
    for _ in range(2):
        level = float(longest[known].mean())
        here = places[known]
        slope = np.linalg.solve(
            here.T @ here + STEADY * np.eye(2), here.T @ (longest[known] - level)
        )
        expected = level + places @ slope
        near = surely & (np.abs(longest - expected) < STRAYED)
        known = near if near.sum() >= LEAST_TILES else surely
    shorter = float(np.percentile(longest[known], 25))
    return np.asarray(longest - np.minimum(expected, shorter) < np.log(TOO_SMALL))
