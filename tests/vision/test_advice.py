"""Advice on a picture appears where the picture was spoilt in that way, and not otherwise."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from datasets.bank import FaceBank
from datasets.scenes import render_hand
from vision.advice import SMALL_WIDTH_PX, advise
from vision.detections import Detections, turn_of_quads, widths_px
from vision.layout import Layout, layout

Scene = tuple[np.ndarray, np.ndarray, np.ndarray]


@pytest.fixture(scope="module")
def scene() -> Scene:
    """A rendered hand that needs no advice: picture, quads, faces."""
    for seed in range(20):
        found = render_hand(np.random.default_rng(seed), FaceBank.own(), preset="kiosk")
        if not advise(found.image, seen(found.quads, found.faces)):
            return found.image, found.quads, found.faces
    raise AssertionError("no rendered hand of twenty is without advice")


def seen(quads: np.ndarray, faces: np.ndarray) -> Layout:
    return layout(Detections.of_faces(quads, faces, turn_of_quads(quads)))


def ids(image: np.ndarray, quads: np.ndarray, faces: np.ndarray) -> set[str]:
    return {advice.id for advice in advise(image, seen(quads, faces))}


def darker(image: np.ndarray) -> np.ndarray:
    return (image * 0.08).astype(np.uint8)


def blurred(image: np.ndarray) -> np.ndarray:
    return cv2.GaussianBlur(image, (0, 0), 4.0)


@pytest.mark.parametrize(("spoil", "expected"), [(darker, "dark"), (blurred, "blurred")])
def test_dark_and_blurred(
    scene: Scene, spoil: Callable[[np.ndarray], np.ndarray], expected: str
) -> None:
    image, quads, faces = scene
    assert expected in ids(spoil(image), quads, faces)


def test_a_reflection_is_found_on_the_tile_on_which_it_lies(scene: Scene) -> None:
    image, quads, faces = scene
    dim = (image * 0.75).astype(np.uint8)
    found = seen(quads, faces)
    tile = found.concealed[0]
    middle = quads[tile].mean(axis=0)
    radius = int(0.4 * widths_px(quads)[tile])
    cv2.circle(dim, (int(middle[0]), int(middle[1])), radius, (255, 255, 255), -1)
    glare = [advice for advice in advise(dim, found) if advice.id == "glare"]
    assert [advice.tile for advice in glare] == [tile]


def test_too_far(scene: Scene) -> None:
    image, quads, faces = scene
    small = 0.8 * SMALL_WIDTH_PX / float(np.median(widths_px(quads)))
    shrunk = cv2.resize(image, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    assert "far" in ids(shrunk, quads * small, faces)


def test_too_flat(scene: Scene) -> None:
    image, quads, faces = scene
    flat = cv2.resize(image, None, fx=1.0, fy=0.4, interpolation=cv2.INTER_AREA)
    assert "oblique" in ids(flat, quads * np.array([1.0, 0.4], np.float32), faces)


def test_cut_off_at_the_edge(scene: Scene) -> None:
    image, quads, faces = scene
    left = int(quads[..., 0].min()) + 1
    assert "cropped" in ids(
        np.ascontiguousarray(image[:, left:]), quads - np.array([left, 0], np.float32), faces
    )


def test_a_black_picture_without_tiles_is_dark_and_a_bright_one_says_nothing() -> None:
    empty = layout(Detections.empty())
    assert [a.id for a in advise(np.zeros((60, 80, 3), np.uint8), empty)] == ["dark"]
    assert advise(np.full((60, 80, 3), 128, np.uint8), empty) == ()


def test_every_advice_tells_measure_and_limit(scene: Scene) -> None:
    image, quads, faces = scene
    (advice, *_) = advise(darker(image), seen(quads, faces))
    data = advice.to_json()
    assert data["measure"] < data["limit"]
    assert data["text"].endswith(".")
