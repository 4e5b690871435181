"""Exposed tiles told apart into sets by what they show, since gaps do not say it.

Between exposed sets there is hardly any gap and a set need not be contiguous, so a row is cut into
sets by an exact search: every tile in one set, the least sum of what the faces cost and of how far
sets are spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from vision.detections import BACK
from vision.faces import Costs, is_set

SPREAD_COST = 0.8
"""For every foreign tile inside a set's span."""
GAP_COST = 0.5
"""For a set that reaches over a visible gap."""
WINDOW = 7
"""How far a set may reach, in tiles still free."""
BUDGETS = (1.0, 4.0, 9.0, 15.0)
MAX_STEPS = 20_000
SET_LIMIT = 7.0
"""No single set may cost more than this: such a reading is not believed."""


@dataclass(frozen=True, slots=True)
class SetGuess:
    """Tiles that make one set: positions into the row given, their likeliest faces, the cost."""

    tiles: tuple[int, ...]
    faces: tuple[int, ...]
    cost: float


def best_set(costs: Sequence[Costs]) -> tuple[float, tuple[int, ...]] | None:
    """Cheapest faces that make three or four tiles a set, or None."""
    if len(costs) == 4:
        found = []
        for face in {face for cost in costs for face in cost if face != BACK}:
            ways = [
                min((cost[f], f) for f in (face, BACK) if f in cost)
                if cost.keys() & {face, BACK}
                else None
                for cost in costs
            ]
            picked = [way for way in ways if way is not None]
            faces = tuple(f for _, f in picked)
            if len(picked) == 4 and is_set(faces):
                found.append((sum(c for c, _ in picked), faces))
        if all(cost.get(BACK) == 0.0 for cost in costs):
            found.append((0.0, (BACK,) * 4))
        return min(found, default=None)
    best: tuple[float, tuple[int, ...]] | None = None
    for faces in product(*costs):
        if is_set(faces):
            total = sum(cost[face] for cost, face in zip(costs, faces, strict=True))
            best = min(best, (total, faces)) if best else (total, faces)
    return best


def partition(
    costs: Sequence[Costs], breaks: frozenset[int] = frozenset(), kongs: bool = True
) -> list[SetGuess] | None:
    """All tiles of a row, in its order, as sets; None when that cannot be.

    breaks: positions before which the row has a visible gap. Exact: the cheapest way to cut.
    """
    n = len(costs)
    if n < 3:
        return None
    known: dict[tuple[int, ...], SetGuess | None] = {}
    done: dict[frozenset[int], tuple[float, tuple[SetGuess, ...]]] = {}
    failed: dict[frozenset[int], float] = {}
    steps = 0

    def guess(tiles: tuple[int, ...]) -> SetGuess | None:
        if tiles not in known:
            found = best_set([costs[i] for i in tiles])
            known[tiles] = None
            if found is not None and found[0] <= SET_LIMIT:
                spread = tiles[-1] - tiles[0] + 1 - len(tiles)
                over = sum(tiles[0] < b <= tiles[-1] for b in breaks)
                cost = found[0] + SPREAD_COST * spread + GAP_COST * over
                known[tiles] = SetGuess(tiles, found[1], cost)
        return known[tiles]

    def search(free: frozenset[int], budget: float) -> tuple[float, tuple[SetGuess, ...]] | None:
        nonlocal steps
        if not free:
            return 0.0, ()
        if free in done:
            return done[free] if done[free][0] <= budget else None
        if failed.get(free, -1.0) >= budget or steps > MAX_STEPS:
            return None
        first, *others = sorted(free)
        best: tuple[float, tuple[SetGuess, ...]] | None = None
        left = budget
        for size in (3, 4) if kongs else (3,):
            for more in combinations(others[:WINDOW], size - 1):
                steps += 1
                found = guess((first, *more))
                if found is None or found.cost > left:
                    continue
                rest = search(free - set(found.tiles), left - found.cost)
                if rest is not None and (best is None or found.cost + rest[0] < best[0]):
                    best = (found.cost + rest[0], (found, *rest[1]))
                    left = best[0]
        if best is None:
            failed[free] = budget
        else:
            done[free] = best
        return best

    # Rows mostly lie set by set: small budgets find those without a long search.
    for budget in BUDGETS:
        found = search(frozenset(range(n)), budget)
        if found is not None:
            return sorted(found[1], key=lambda s: s.tiles)
    return None


def partition_with_eyes(
    costs: Sequence[Costs], breaks: frozenset[int] = frozenset()
) -> tuple[list[SetGuess], tuple[int, int]] | None:
    """Sets and one pair of neighbours covering the row, or None."""
    best: tuple[float, list[SetGuess], tuple[int, int]] | None = None
    for i in range(len(costs) - 1):
        common = (set(costs[i]) & set(costs[i + 1])) - {BACK}
        if not common:
            continue
        pair_cost = min(costs[i][face] + costs[i + 1][face] for face in common)
        rest = [k for k in range(len(costs)) if k not in (i, i + 1)]
        shifted = frozenset(sum(k < b for k in rest) for b in breaks)
        sets = partition([costs[k] for k in rest], shifted) if rest else []
        if sets is None:
            continue
        total = pair_cost + sum(s.cost for s in sets)
        if best is None or total < best[0]:
            moved = [SetGuess(tuple(rest[k] for k in s.tiles), s.faces, s.cost) for s in sets]
            best = (total, moved, (i, i + 1))
    return None if best is None else best[1:]
