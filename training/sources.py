"""Where the detector's pictures come from: photos and rendered scenes, by a stated share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from datasets.bank import FaceBank
from datasets.classes import BACK as BACK_ID
from datasets.crops import photo_designs, upright_crops
from datasets.photos import Photo, load_photos
from datasets.scenes import Scene, render_scene
from training.views import BACK, KNOWN_STRIDE, TILE, Labelled, from_photo, mixture

Draw = Callable[[np.random.Generator], Labelled]
PRESET_NAMES = ("phone", "kiosk", "stream", "tray")
PRESET_SHARES = (0.5, 0.18, 0.24, 0.08)
DRAWN_SHARE = 0.5
"""Part of the scenes' tile sets that are drawn afresh; the others come from folders of drawings."""

PASTED_SHARE = 0.35
"""Part of the scenes' tile sets that are cut from photos, turned upright."""

LINED = 0.12
"""Part of the scenes that lie on a light cloth in cells."""

GROUP_POWER = 0.5
"""A group of photos is drawn in proportion to the root of its size, so that no set drowns the
others."""


def detector_sources(split: str, photo_share: float) -> Draw:
    """Draw labelled pictures: ``photo_share`` of them photos of ``split``, the rest rendered
    scenes.

    Without photos the scenes are drawn ones alone, with none pasted from photos.
    """
    photos = load_photos(split) if photo_share > 0 else []
    sources: list[tuple[float, Draw]] = []
    if photos:
        sources.append((photo_share, _photos(photos)))
    if photo_share < 1:
        sources.append((1 - photo_share, _scenes(photos)))
    return mixture(sources)


def _photos(photos: list[Photo]) -> Draw:
    groups: dict[tuple[str, str], list[Labelled]] = {}
    for photo in photos:
        groups.setdefault((photo.group, photo.session), []).append(from_photo(photo))
    members = list(groups.values())
    weights = np.array([len(g) for g in members], float) ** GROUP_POWER
    steps = np.cumsum(weights / weights.sum())

    def draw(rng: np.random.Generator) -> Labelled:
        group = members[
            min(int(np.searchsorted(steps, rng.random(), side="right")), len(members) - 1)
        ]
        return group[int(rng.integers(len(group)))]

    return draw


class SceneRing:
    """Rendered scenes, each used many times: a fresh one takes the place of the oldest at every
    ``every``-th draw."""

    def __init__(self, bank: FaceBank, *, size: int = 64, every: int = 6) -> None:
        self._bank = bank
        self._size = size
        self._every = every
        self._scenes: list[Scene] = []
        self._drawn = self._rendered = 0

    def draw(self, rng: np.random.Generator) -> Scene:
        """A scene with at least one label."""
        self._drawn += 1
        if len(self._scenes) < self._size // 4 or self._drawn % self._every == 0:
            self._render(rng)
        return self._scenes[int(rng.integers(len(self._scenes)))]

    def _render(self, rng: np.random.Generator) -> None:
        while True:
            preset = PRESET_NAMES[int(rng.choice(len(PRESET_NAMES), p=PRESET_SHARES))]
            scene = render_scene(rng, self._bank, preset=preset)
            if len(scene.faces):
                break
        if len(self._scenes) < self._size:
            self._scenes.append(scene)
        else:
            self._scenes[self._rendered % self._size] = scene
        self._rendered += 1


def from_scene(scene: Scene) -> Labelled:
    """A scene as the detector's teacher: all is known but what is half hidden."""
    height, width = scene.image.shape[:2]
    known = np.ones((2, -(-height // KNOWN_STRIDE), -(-width // KNOWN_STRIDE)), np.uint8)
    for quad in scene.hidden:
        for row in known:
            cv2.fillConvexPoly(row, np.round(quad / KNOWN_STRIDE).astype(np.int32), 0)
    return Labelled(
        image=scene.image,
        quads=scene.quads,
        classes=np.where(scene.faces == BACK_ID, BACK, TILE),
        corners_known=np.ones(len(scene.faces), bool),
        known=known,
        turnable=True,
        distorted=0.4,
    )


def face_bank(photos: list[Photo]) -> FaceBank:
    """Our own drawn faces, beside the shared designs where that folder is there, and pasted
    photos."""
    try:
        bank = FaceBank.shared(drawn=DRAWN_SHARE)
    except FileNotFoundError:
        bank = FaceBank.own()
    designs = photo_designs(upright_crops(photos)) if photos else ()
    bank = replace(bank, lined=LINED)
    return bank.with_photos(designs, PASTED_SHARE) if designs else bank


def _scenes(photos: list[Photo]) -> Draw:
    ring = SceneRing(face_bank(photos))
    return lambda rng: from_scene(ring.draw(rng))
