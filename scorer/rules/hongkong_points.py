"""Faan to points: what one loser pays before any doubling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Rows = Sequence[tuple[int, int]]

SIMPLIFIED: Final = ((3, 1), (4, 2), (7, 4), (10, 8))
TRADITIONAL: Final = ((0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (7, 32), (10, 64))
CANTON: Final = (
    (3, 8), (4, 16), (5, 24), (6, 32), (7, 48), (8, 64), (9, 96), (10, 128), (11, 192),
    (12, 256), (13, 384),
)  # fmt: skip
_NAMED: Final[dict[str, Rows]] = {
    "traditional": TRADITIONAL,
    "simplified": SIMPLIFIED,
    "canton": CANTON,
    "half-spicy": CANTON,
}
FULL_SPICY: Final = "full-spicy"
TABLES: Final = (*_NAMED, FULL_SPICY)
"""Names of the tables; full-spicy is 2 to the power of the faan and has no last row."""


def points(table: str | Rows, faan: int) -> int:
    """Points for these faan by a named table or a list of (faan, points).

    A row holds up to the next one, the last row for ever. Raises ValueError below the first row.
    """
    if table == FULL_SPICY:
        return int(2**faan)
    found = None
    for least, amount in _NAMED[table] if isinstance(table, str) else table:
        if faan < least:
            break
        found = amount
    if found is None:
        raise ValueError(f"{faan} faan stand below the first row of the payment table")
    return found


def reference() -> tuple[str, tuple[tuple[str, ...], ...]]:
    """The named tables as a table of the reference page."""
    rows = [("faan", *TABLES)]
    for faan in range(14):
        cells = [str(points(t, faan)) if faan >= first_row(t) else "–" for t in TABLES]
        rows.append((f"{faan}+" if faan == 13 else str(faan), *cells))
    return "Points of one loser, before doubling", tuple(rows)


def first_row(table: str | Rows) -> int:
    """The faan at which a table begins."""
    if table == FULL_SPICY:
        return 0
    return (_NAMED[table] if isinstance(table, str) else table)[0][0]


def last_row(table: str | Rows) -> int:
    """The faan from which a table pays no more; 13 for full-spicy, which goes on."""
    if table == FULL_SPICY:
        return 13
    return (_NAMED[table] if isinstance(table, str) else table)[-1][0]
