"""The 43 classes as data sets know them: ids, file names of drawings, hand-text codes."""

from __future__ import annotations

FACES = 42
"""Faces a tile can show; class ids 0 … 41."""

BACK = 42
"""Class id of a tile whose back is seen."""

FILE_NAMES: tuple[str, ...] = (
    *(f"m{k}" for k in range(1, 10)),
    *(f"p{k}" for k in range(1, 10)),
    *(f"s{k}" for k in range(1, 10)),
    *("z1", "z2", "z3", "z4", "z7", "z6", "z5"),
    *(f"g{k}" for k in range(1, 5)),
    *(f"f{k}" for k in range(1, 5)),
)
"""Names of drawings in a design folder by class id (``z7`` is red, ``z6`` green, ``z5`` white)."""

CHARACTERS = range(9)
DOTS = range(9, 18)
BAMBOO = range(18, 27)
WINDS = range(27, 31)
DRAGONS = range(31, 34)
SEASONS = range(34, 38)
PLANTS = range(38, 42)
BONUS = range(34, 42)
