"""All tiles of a table are of one size: what is half as long beside them is a die or a letter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.sizes import LEAST_TILES, too_small


def tile(x: float, y: float, long: float, wide: float | None = None) -> np.ndarray:
    w, h = (wide or long / 1.35) / 2, long / 2
    return np.array([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]], np.float32)


def row(count: int, long: float = 60.0) -> list[np.ndarray]:
    return [tile(50 + 46 * i, 300, long) for i in range(count)]


@pytest.mark.parametrize("at", [(20, 20), (400, 340), (900, 600)])
def test_a_die_is_too_small_wherever_it_lies(at: tuple[float, float]) -> None:
    """A die of 14 mm beside tiles of 28 by 38 mm."""
    quads = np.stack([*row(16), tile(*at, 60 * 14 / 38, 60 * 14 / 38)])
    assert np.flatnonzero(too_small(quads, np.arange(17) < 16)).tolist() == [16]


def test_tiles_that_lie_beside_standing_ones_are_tiles() -> None:
    """Seen from 25° a lying tile is as long as its width: three quarters of a standing one."""
    lying = [tile(50 + 46 * i, 380, 60 / 1.35 * 0.57, 60 / 1.35) for i in range(5)]
    assert not too_small(np.stack([*row(12), *lying]), np.ones(17, bool)).any()


def test_a_far_row_is_small_and_still_of_tiles() -> None:
    rows = [
        tile(200 + 40 * i * s, 100 + 500 * (s - 0.4), 60 * s)
        for s in (0.4, 0.7, 1)
        for i in range(8)
    ]
    assert not too_small(np.stack(rows), np.ones(24, bool)).any()


@given(st.integers(0, LEAST_TILES - 1), st.floats(3, 300))
def test_by_few_tiles_nothing_is_judged(count: int, long: float) -> None:
    quads = np.stack([*row(8), tile(600, 50, long)])
    assert not too_small(quads, np.arange(9) < count).any()


def test_no_tiles_at_all() -> None:
    assert too_small(np.zeros((0, 4, 2), np.float32), np.zeros(0, bool)).tolist() == []
