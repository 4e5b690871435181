"""Assignment of faces to tiles against trying every way."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.assign import assign
from tests.support import slow_count


def cheapest(costs: NDArray[np.float64], copies: NDArray[np.int64]) -> float:
    """Cost of the best of all ways."""
    best = np.inf
    for faces in itertools.product(range(costs.shape[1]), repeat=len(costs)):
        if (np.bincount(faces, minlength=len(copies)) <= copies).all():
            best = min(best, costs[np.arange(len(costs)), faces].sum())
    return float(best)


@pytest.mark.parametrize("seed", range(slow_count(30, 1000)))
def test_nothing_is_cheaper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    copies = rng.integers(1, 4, 4)
    n = int(rng.integers(1, min(6, copies.sum()) + 1))
    costs = rng.integers(0, 12, (n, 4)).astype(float)
    found = assign(costs, copies)
    assert (np.bincount(found.faces, minlength=4) <= copies).all()
    total = costs[np.arange(n), found.faces].sum()
    assert total == pytest.approx(cheapest(costs, copies))
    for row, face in enumerate(found.faces):
        without = costs.copy()
        without[row, face] = np.inf
        assert found.margin[row] == pytest.approx(cheapest(without, copies) - total)


def test_a_whole_set_of_144_tiles() -> None:
    rng = np.random.default_rng(3)
    copies = np.array([4] * 34 + [1] * 8)
    true = rng.permutation(np.repeat(np.arange(42), copies))
    p = rng.dirichlet(np.full(42, 0.05), 144) * 0.5
    p[np.arange(144), true] += 0.5
    found = assign(-np.log(p + 1e-9), copies)
    assert (np.bincount(found.faces, minlength=42) == copies).all()
    assert (found.faces == true).mean() > 0.97
    assert found.margin[found.faces != true].max(initial=0) < np.median(found.margin)


@pytest.mark.parametrize(
    ("costs", "copies", "message"),
    [
        (np.zeros((3, 2)), [1, 1], "3 tiles, but only 2 copies"),
        (np.full((1, 2), np.inf), [1, 1], "can have no face"),
        (np.zeros((2, 2)), [1, 1, 1], "copies \\(k,\\)"),
    ],
)
def test_impossible_tasks_are_refused(
    costs: NDArray[np.float64], copies: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        assign(costs, np.asarray(copies))
