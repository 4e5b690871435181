"""Mixed bonus tiles: the label is that of number and word, wherever the drawing comes from."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.crops import Crop as Face
from datasets.crops import PhotoDesign
from training.bonus_mixes import HEAD, SIZE, BonusMixes

BODY = (240.0, 240.0, 240.0)


def painted(face: int, head: int, drawing: int) -> Face:
    """A tile whose upper part is one grey and whose lower part is another."""
    picture = np.full((96, 72, 3), drawing, np.uint8)
    picture[: round(0.4 * 96)] = head
    return Face(face, picture, BODY, 1.0, "drawn here")


@pytest.fixture
def mixes() -> BonusMixes:
    faces = {face: (painted(face, 10 * (face - 33), 250 - face),) for face in range(34, 42)}
    return BonusMixes([PhotoDesign("a set", {**faces, 3: (painted(3, 0, 0),)}, BODY)])


def test_only_bonus_tiles_are_mixed(mixes: BonusMixes) -> None:
    assert len(mixes) == 8
    labels = {mixes.draw(np.random.default_rng(seed)).label for seed in range(80)}
    assert labels == set(range(34, 42))


def test_the_head_is_the_named_tiles_and_the_drawing_any(mixes: BonusMixes) -> None:
    named = painted(36, 30, 100)
    drawings = set()
    for seed in range(60):
        tile = mixes._mixed(named, np.random.default_rng(seed))
        assert tile.shape == (SIZE[1], SIZE[0], 3)
        above, below = round(HEAD[0] * 96) - 3, round(HEAD[1] * 96) + 3
        assert (tile[:above] == 30).all()
        drawings.add(int(tile[below, 0, 0]))
    assert len(drawings) > 5  # of eight, in sixty draws
    assert drawings <= {250 - face for face in range(34, 42)}


def test_the_turn_is_known(mixes: BonusMixes) -> None:
    crop = mixes.draw(np.random.default_rng(5))
    assert (crop.image.shape, crop.turn) == ((64, 64, 3), 0)
