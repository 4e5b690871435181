"""From tiles in the picture to what each of them is on the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.belongs import members, own_row
from vision.detections import (
    Detections,
    boxes_xyxy,
    centres,
    heights_px,
    iou,
    take,
    widths_px,
)
from vision.faces import costs_of, is_bonus
from vision.roles import CLAIMED, KONG, WINNING, roles_of
from vision.rows import Row, apart, levelled, parts_of, plane_of, rows_of, without
from vision.turns import settled

__all__ = ["BELONGS", "CLAIMED", "KONG", "WINNING", "Layout", "layout"]

OUTSIDE = "outside the zones of this seat"
BELONGS = "belongs"
"""Doubt: a bonus tile lies near, and nothing says whether it is of this hand."""
MISSED = "missed"
"""Doubt: what lies beside the hand may be one more tile of it, too unclear to be counted."""
BESIDE_HEIGHTS = 1.8
"""How near it lies then, in heights of the hand's tiles."""
LIKE_SIZE = (0.6, 1.5)
"""How high it is then, in heights of the tile beside it."""
OVERLAP = 0.25
"""What covers a counted tile by this much is that tile seen once more."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Indexes into `detections`, in the player's reading order; every tile has one place.

    concealed: without the winning tile. exposed: one tuple for each set. winning: the tile that
    lies as a winning tile does, or None. rows: the hand's rows, own row first. others: why a tile
    is not of this hand. doubts: what the picture cannot tell (`claimed`, `kong`, `winning-tile`,
    `belongs`, `missed`).
    near: single tiles that lie where a winning tile may, but not so clearly that it must be one.
    angle: degrees by which the player's right is turned in the picture.
    """

    detections: Detections
    concealed: tuple[int, ...]
    exposed: tuple[tuple[int, ...], ...]
    bonus: tuple[int, ...]
    winning: int | None
    rows: tuple[tuple[int, ...], ...]
    others: dict[int, str]
    doubts: frozenset[str]
    angle: float
    near: tuple[int, ...] = ()

    @property
    def hand(self) -> tuple[int, ...]:
        """Every tile of the hand, bonus tiles left out, the winning tile last."""
        shown = tuple(i for tiles in self.exposed for i in tiles)
        last = () if self.winning is None else (self.winning,)
        return self.concealed + shown + last

    def to_json(self) -> dict[str, Any]:
        return {
            "concealed": list(self.concealed),
            "exposed": [list(tiles) for tiles in self.exposed],
            "bonus": list(self.bonus),
            "winning": self.winning,
            "rows": [list(row) for row in self.rows],
            "others": {str(i): reason for i, reason in sorted(self.others.items())},
            "doubts": sorted(self.doubts),
            "angle": round(self.angle, 1),
        }


def _length(row: Row) -> int:
    return len(row.tiles)


def layout(
    detections: Detections, sets: int | None = None, outside: NDArray[np.bool_] | None = None
) -> Layout:
    """The hand in the picture.

    sets: how many sets the game's hand has (5, 4, or unknown). outside: (n,) which tiles lie
    outside the zones of this seat, where the table is known; they are not of this hand.
    """
    found = _within(detections, sets, outside)
    return replace(found, doubts=found.doubts | {MISSED}) if _missed(found) else found


def _within(detections: Detections, sets: int | None, outside: NDArray[np.bool_] | None) -> Layout:
    """The hand among the tiles that lie inside the zones of this seat."""
    if outside is None or not outside.any():
        return _layout(detections, sets)
    inside = np.flatnonzero(~outside)
    found = _layout(take(detections, inside), sets)

    def back(tiles: Iterable[int]) -> tuple[int, ...]:
        return tuple(int(inside[i]) for i in tiles)

    others = {int(inside[i]): reason for i, reason in found.others.items()}
    return replace(
        found,
        detections=detections,
        concealed=back(found.concealed),
        exposed=tuple(back(tiles) for tiles in found.exposed),
        bonus=back(found.bonus),
        winning=None if found.winning is None else int(inside[found.winning]),
        rows=tuple(back(row) for row in found.rows),
        others=others | dict.fromkeys(np.flatnonzero(outside).tolist(), OUTSIDE),
        near=back(found.near),
    )


def _missed(found: Layout) -> bool:
    """Whether something that may be a tile lies beside the hand."""
    seen, mine = found.detections, np.array([*found.hand, *found.bonus], np.int64)
    maybe = seen.maybe
    if len(seen) and len(maybe):
        maybe = maybe[iou(boxes_xyxy(maybe), boxes_xyxy(seen.quads)).max(axis=1) < OVERLAP]
    if not (len(maybe) and len(mine)):
        return False
    hand = seen.quads[mine]
    away = np.linalg.norm(centres(maybe)[:, None] - centres(hand)[None], axis=2)
    next_to, high = away.argmin(axis=1), _long_side(hand)
    size = _long_side(maybe) / high[next_to]
    alike = (size > LIKE_SIZE[0]) & (size < LIKE_SIZE[1])
    return bool((alike & (away.min(axis=1) < BESIDE_HEIGHTS * high[next_to])).any())


def _long_side(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.maximum(widths_px(quads), heights_px(quads))


def _layout(detections: Detections, sets: int | None) -> Layout:
    detections, plane = settled(detections, plane_of(detections))
    bonus = {i for i, face in enumerate(detections.faces) if is_bonus(int(face))}
    rows = rows_of(plane)
    own = own_row(plane, rows, detections.faces) if rows else None
    if own is None:
        others = dict.fromkeys(range(len(detections)), "face down")
        return Layout(detections, (), (), (), None, (), others, frozenset(), plane.angle)
    rows = [part for row in rows for part in ([row] if row is own else apart(row, bonus))]
    for row in rows:
        plane = levelled(plane, row)
    parts = [part for row in rows for part in parts_of(plane, row)]
    own = max((part for part in parts if set(part.tiles) <= set(own.tiles)), key=_length)
    found = members(plane, parts, own, detections.faces, sets)
    others = found.others
    # What belongs is put together again: a gap in a row may mean nothing.
    own_first = sorted(rows, key=lambda row: not set(own.tiles) <= set(row.tiles))
    whole = [without(row, others) for row in own_first]
    kept = [row for row in whole if row.tiles]
    costs = {i: costs_of(detections, i) for row in kept for i in row.tiles}
    roles = roles_of(plane, kept, costs, sets)
    return Layout(
        detections=detections,
        concealed=tuple(roles.concealed),
        exposed=tuple(roles.exposed),
        bonus=tuple(roles.bonus),
        winning=roles.winning,
        rows=tuple(row.tiles for row in kept),
        others=others,
        doubts=frozenset(roles.doubts | ({BELONGS} if found.doubtful_bonus else set())),
        angle=plane.angle,
        near=tuple(found.near),
    )
