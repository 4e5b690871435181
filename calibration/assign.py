"""The cheapest way to give each tile of a photo a face when a face has only so many copies.

Shortest augmenting paths (Jonker and Volgenant, Computing 38, 1987), with the duals kept so that
the price of any other face for a tile costs one more path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, floats


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """`faces` (n,): each row's face; `margin` (n,): how much dearer another would be."""

    faces: NDArray[np.int64]
    margin: Floats


def assign(costs: NDArray[Any], copies: NDArray[Any]) -> Assignment:
    """Rows of `costs` (n,k) are tiles, columns faces; at most `copies` (k,) tiles get a face.

    Infinite costs forbid. Raises ValueError when there are more tiles than copies, or no way at
    all.
    """
    costs = floats(costs)
    copies = np.asarray(copies, np.int64)
    if costs.ndim != 2 or copies.shape != costs.shape[1:]:
        raise ValueError(
            f"costs must be (n, k) and copies (k,), but got {costs.shape} and {copies.shape}"
        )
    if len(costs) == 0:
        return Assignment(np.empty(0, np.int64), np.empty(0))
    if len(costs) > copies.sum():
        raise ValueError(
            f"{len(costs)} tiles, but only {copies.sum()} copies of all faces together"
        )
    shared = _Shared(np.where(copies > 0, costs, np.inf), copies)
    for row in range(len(costs)):
        shared.add(row)
    margin = [shared.price_of_other(row) for row in range(len(costs))]
    return Assignment(shared.face_of_row, floats(margin))


class _Shared:
    """A partial assignment of rows to faces with duals u (rows) and v (faces)."""

    def __init__(self, costs: Floats, copies: NDArray[np.int64]) -> None:
        self.costs, self.copies = costs, copies
        n, k = costs.shape
        self.u, self.v = np.zeros(n), np.zeros(k)
        self.rows_of_face: list[list[int]] = [[] for _ in range(k)]
        self.face_of_row = np.full(n, -1)

    def add(self, row: int) -> None:
        """Give a face to one more row, moving others where that is cheaper."""
        reach, mover, done, end = self._path(row, self.costs[row], None)
        if end < 0:
            raise ValueError("some tile can have no face: every face that it may have is used up")
        self.u[row] += reach[end]
        for face in np.flatnonzero(done):
            self.u[self.rows_of_face[face]] += reach[end] - reach[face]
            self.v[face] -= reach[end] - reach[face]
        while end >= 0:  # back along the path: each mover leaves its face for the next
            moved = row if mover[end] < 0 else int(mover[end])
            left = int(self.face_of_row[moved])
            if left >= 0:
                self.rows_of_face[left].remove(moved)
            self.rows_of_face[end].append(moved)
            self.face_of_row[moved] = end
            end = left

    def price_of_other(self, row: int) -> float:
        """How much dearer all is when `row` may not have the face that it has."""
        own = int(self.face_of_row[row])
        allowed = self.costs[row].copy()
        allowed[own] = np.inf
        reach, _, _, end = self._path(row, allowed, own)
        return max(0.0, float(reach[end])) if end >= 0 else float("inf")

    def _path(
        self, row: int, first_costs: Floats, target: int | None
    ) -> tuple[Floats, NDArray[np.int64], NDArray[np.bool_], int]:
        """Dijkstra over reduced costs from `row` to the nearest face with a free copy, or to
        `target`.

        On the way to a target, free copies are as if owned by rows that may have any face for
        nothing: what a moved tile leaves may then be taken by another.
        """
        reach = first_costs - self.u[row] - self.v
        mover = np.full(len(reach), -1)
        done = np.zeros(len(reach), bool)
        while True:
            open_reach = np.where(done, np.inf, reach)
            face = int(np.argmin(open_reach))
            if not np.isfinite(open_reach[face]):
                return reach, mover, done, -1
            owners = self.rows_of_face[face]
            free = len(owners) < self.copies[face]
            if face == target or (target is None and free):
                return reach, mover, done, face
            done[face] = True
            onward = self.costs[owners] - self.u[owners, None] - self.v
            if free:
                onward = np.vstack([onward, -self.v])
            best = np.argmin(onward, axis=0)
            through = reach[face] + onward[best, np.arange(len(reach))]
            better = (through < reach) & ~done
            reach[better] = through[better]
            mover[better] = np.asarray([*owners, -1])[best[better]]
