"""Faces cut from photos: turned upright, doubtful labels left out, val-hands made of val alone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.bank import FaceBank
from datasets.classes import BACK, BONUS, FACES
from datasets.crops import TWO_FOLD, PhotoDesign, body_colour, photo_designs, upright_crops
from datasets.drawing import DrawnDesign
from datasets.face_style import FaceStyle
from datasets.photos import Photo
from datasets.pictures import Picture, as_pixels
from datasets.tileset import TileSet
from datasets.val_hands import ValHands, photo_bank
from scorer import Hand
from tests.support import shared, slow_count


def tile(design: DrawnDesign, face: int) -> Picture:
    """A tile as photographed from above, 60 × 80, upright."""
    art = cv2.resize(design.art(face, 120), (52, 70), interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
    picture = np.full((80, 60, 3), (225, 236, 240), np.float32)
    alpha = art[..., 3:] / 255
    picture[5:75, 4:56] = art[..., :3] * alpha + picture[5:75, 4:56] * (1 - alpha)
    return as_pixels(picture)


def photograph(folder: Path, seed: int, *, wrong: int | None = None) -> tuple[Photo, list[int]]:
    """Every face of one design on a table, each turned by some quarters; labels in order.

    ``wrong`` is a face that is labelled as the next one.
    """
    rng = np.random.default_rng(seed)
    design = DrawnDesign(FaceStyle.random(np.random.default_rng([90, 3])))
    image = np.full((6 * 100, 7 * 100, 3), (60, 110, 30), np.uint8)
    boxes, faces, turns = [], [], []
    for face in range(FACES):
        quarters = int(rng.choice([0, 2, 1, 3], p=[0.5, 0.3, 0.1, 0.1]))
        picture = np.rot90(tile(design, face), quarters)
        h, w = picture.shape[:2]
        y, x = face // 7 * 100 + 8, face % 7 * 100 + 8
        image[y : y + h, x : x + w] = picture
        boxes.append((x, y, x + w, y + h))
        faces.append(face + 1 if face == wrong else face)
        turns.append(quarters)
    path = folder / f"{seed}.png"
    cv2.imwrite(str(path), image)
    photo = Photo(
        path, "train", "set", "one", "design", np.array(boxes, np.float32), np.array(faces)
    )
    return photo, turns


def test_crops_are_turned_upright(tmp_path: Path) -> None:
    design = DrawnDesign(FaceStyle.random(np.random.default_rng([90, 3])))
    crops = upright_crops([photograph(tmp_path, seed)[0] for seed in range(3)])
    right = total = 0
    for crop in crops:
        if crop.face in TWO_FOLD or crop.face in BONUS:
            continue
        upright = tile(design, crop.face).astype(float)
        total += 1
        same = np.abs(crop.picture.astype(float) - upright).mean()
        turned = np.abs(crop.picture[::-1, ::-1].astype(float) - upright).mean()
        right += same < turned
    assert total > 45
    assert right / total > 0.97


def test_a_label_that_names_another_face_is_left_out(tmp_path: Path) -> None:
    # A 9p labelled as 1s among good ones.
    photos = [photograph(tmp_path, seed)[0] for seed in range(3)]
    photos.append(photograph(tmp_path, 9, wrong=17)[0])
    crops = upright_crops(photos)
    assert sum(c.face == 17 for c in crops) == 3
    assert sum(c.face == 18 for c in crops) == 4


def test_the_body_colour_is_that_of_the_bare_tile() -> None:
    design = DrawnDesign(FaceStyle.random(np.random.default_rng(4)))
    assert body_colour(tile(design, 4)) == pytest.approx((225, 236, 240), abs=3)


def test_a_set_without_bonus_tiles_gets_drawn_ones(tmp_path: Path) -> None:
    crops = upright_crops([photograph(tmp_path, seed)[0] for seed in range(4)])
    kept = [c for c in crops if c.face not in BONUS]
    designs = photo_designs([c for _ in range(3) for c in kept])
    assert len(designs) == 1
    bank = FaceBank.own().with_photos(designs, 1.0)
    ts = TileSet.random(np.random.default_rng(0), bank)
    assert isinstance(ts.designs[0], PhotoDesign)
    assert isinstance(ts.designs[-1], DrawnDesign)
    for face in (3, 40):
        assert ts.texture(face, 64).shape[2] == 3


def test_val_hands_are_whole_hands_of_val_faces_and_repeat() -> None:
    shared("data", "photos", "manifest.csv")
    bank = photo_bank()
    assert bank.drawn == 0
    assert bank.pasted == 1
    job = ValHands(size=(480, 360))
    for index in range(slow_count(2, 20)):
        scene = job.scene(index, bank)
        assert scene.hand is not None
        hand = Hand.parse(scene.hand)
        assert 14 <= len(hand.tiles) + len(hand.bonus) <= 30
        assert ((scene.faces < FACES) | (scene.faces == BACK)).all()
        assert np.array_equal(scene.image, job.scene(index, bank).image)
