"""Where each seat lays its tiles: areas on the table in millimetres.

Seats are sides of the table as the picture shows it (`near` is the camera's side), because winds
move on from deal to deal and sides do not. Each has a zone for the hand with its exposed sets, one
for bonus tiles and one for the winning tile; any may be moved, reshaped or left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, floats
from calibration.plane import Plane

HAND_TILES = 17.5  # widths: 16 tiles and the winning tile, a little apart
HAND_ROWS = 3.2  # heights: own row, exposed row and the space between
SIDE_TILES = 4.5  # widths of the zone for bonus tiles
WINNING_TILES = 2.5  # widths of the zone for the winning tile
MAX_MM = 5000.0


class Side(StrEnum):
    """A side of the table, seen from the camera."""

    NEAR = "near"
    RIGHT = "right"
    FAR = "far"
    LEFT = "left"


class Use(StrEnum):
    """What lies in a zone."""

    HAND = "hand"
    BONUS = "bonus"
    WINNING = "winning"


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A polygon (n,2) on the table in mm, n >= 3."""

    side: Side
    use: Use
    polygon_mm: Floats

    def __post_init__(self) -> None:
        shape = self.polygon_mm.shape
        if len(shape) != 2 or shape[1] != 2 or shape[0] < 3:
            raise ValueError(f"a zone needs at least three corners, shape (n, 2), but got {shape}")
        if not (np.abs(self.polygon_mm) <= MAX_MM).all():
            raise ValueError(f"{self.name}: corners must lie within {MAX_MM:g} mm of the middle")
        if area_mm2(self.polygon_mm) < 1:
            raise ValueError(f"{self.name}: the corners enclose no area")

    @property
    def name(self) -> str:
        """As in the profile and on the command line: `near.hand`."""
        return f"{self.side}.{self.use}"

    def holds(self, points_mm: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of the points (n,2) lie inside (even-odd rule)."""
        x, y = floats(points_mm).T
        inside = np.zeros(len(x), bool)
        ends = np.roll(self.polygon_mm, -1, axis=0)
        for (x0, y0), (x1, y1) in zip(self.polygon_mm, ends, strict=True):
            if y0 == y1:
                continue
            crosses = (y0 > y) != (y1 > y)
            inside ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return inside

    def moved(self, corner: int, to_mm: NDArray[Any]) -> Zone:
        """The zone with one corner elsewhere."""
        polygon = self.polygon_mm.copy()
        polygon[corner] = to_mm
        return replace(self, polygon_mm=polygon)

    def shifted(self, by_mm: NDArray[Any]) -> Zone:
        """The whole zone elsewhere."""
        return replace(self, polygon_mm=self.polygon_mm + floats(by_mm))


def area_mm2(polygon_mm: Floats) -> float:
    """Area of a polygon (n,2) by the shoelace formula."""
    x, y = polygon_mm.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Floats:
    """Corners of an upright rectangle."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def default_zones(
    table_wh_mm: tuple[float, float], tile_wh_mm: tuple[float, float]
) -> tuple[Zone, ...]:
    """Zones of all four seats, sized by the tiles, laid along the edges of a table."""
    zones: list[Zone] = []
    for turns, side in enumerate((Side.NEAR, Side.RIGHT, Side.FAR, Side.LEFT)):
        along, deep = table_wh_mm if turns % 2 == 0 else table_wh_mm[::-1]
        width = min(HAND_TILES * tile_wh_mm[0], along)
        inner = deep / 2 - HAND_ROWS * tile_wh_mm[1]
        left = max(-along / 2, -width / 2 - SIDE_TILES * tile_wh_mm[0])
        right = min(along / 2, width / 2 + WINNING_TILES * tile_wh_mm[0])
        zones.append(Zone(side, Use.HAND, rectangle(-width / 2, inner, width / 2, deep / 2)))
        if left < -width / 2 - tile_wh_mm[0]:
            zones.append(Zone(side, Use.BONUS, rectangle(left, inner, -width / 2, deep / 2)))
        if right > width / 2 + tile_wh_mm[0]:
            zones.append(Zone(side, Use.WINNING, rectangle(width / 2, inner, right, deep / 2)))
        # The next seat counter-clockwise sees the table a quarter turn on: (x, y) -> (y, -x).
        quarter = np.linalg.matrix_power(np.array([[0.0, 1.0], [-1.0, 0.0]]), turns)
        zones = [
            replace(z, polygon_mm=z.polygon_mm @ quarter.T) if z.side is side else z for z in zones
        ]
    return tuple(zones)


def zones_around(tiles_mm: NDArray[Any], tile_wh_mm: tuple[float, float]) -> tuple[Zone, ...]:
    """The near seat's zones around a hand laid out where it will be read: tile middles (n,2)."""
    low, high = np.min(tiles_mm, axis=0), np.max(tiles_mm, axis=0)
    w, h = tile_wh_mm
    middle = (low[0] + high[0]) / 2
    width = max(HAND_TILES * w, high[0] - low[0] + 2 * w)
    top, bottom = min(low[1] - h, high[1] + h - HAND_ROWS * h), high[1] + h
    left, right = middle - width / 2, middle + width / 2
    return (
        Zone(Side.NEAR, Use.HAND, rectangle(left, top, right, bottom)),
        Zone(Side.NEAR, Use.BONUS, rectangle(left - SIDE_TILES * w, top, left, bottom)),
        Zone(Side.NEAR, Use.WINNING, rectangle(right, top, right + WINNING_TILES * w, bottom)),
    )


def which(zones: Sequence[Zone], plane: Plane, points_px: NDArray[Any]) -> list[Zone | None]:
    """The zone of each pixel position (n,2), or None; the first zone wins where they overlap."""
    points = plane.to_table(points_px)
    found: list[Zone | None] = [None] * len(points)
    for zone in reversed(zones):
        for n in np.flatnonzero(zone.holds(points)):
            found[int(n)] = zone
    return found
