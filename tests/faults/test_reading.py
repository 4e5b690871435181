"""Faults that tile readers were reported for, each in a rendered picture that has it.

What is asked of every picture: no tile is named wrong without being asked about, and hardly any is
named wrong at all.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.face_style import FaceStyle, clean_style
from datasets.samples import draw_hand_picture
from datasets.scenes import Scene
from scorer import Hand, Situation, Wind, score
from tests.faults.laid import eyes, laid, looked, read, row, surely_wrong
from tests.support import slow_count
from training.evaluate import Judged
from vision.decode import decode
from vision.detections import BACK, boxes_xyxy, iou
from vision.detector import Found
from vision.layout import layout
from vision.thresholds import MIN_TILE_P

ALIKE = ("456789p", "2346789s", "123m67z1s", "5z23m89s")
"""4, 5 and 6 dots; 6 and 8; 7, 8 and 9 bamboo; 2 and 3 characters; 1 characters and the red dragon;
8 bamboo and the green dragon."""
PIXELS = {"near": (960, 720), "small": (448, 336), "tiny": (320, 240)}
WON = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=True)


def good(judged: Judged) -> None:
    assert surely_wrong(judged) == []
    assert len(judged.wrong) <= 1
    shared = iou(judged.extra, judged.labels.boxes) if len(judged.extra) else np.zeros((0, 1))
    assert not (shared > 0.05).any()  # no second box on a tile; what lies elsewhere is not asked


@pytest.mark.parametrize("size", PIXELS)
def test_faces_that_are_taken_for_each_other(size: str) -> None:
    scene = laid([row(codes) for codes in ALIKE], size=PIXELS[size])
    good(read(scene))


def test_the_same_faces_in_other_designs() -> None:
    tiles = wrong = sure = 0
    for design in range(slow_count(4, 60)):
        style = FaceStyle.random(np.random.default_rng(100 + design))
        judged = read(laid([row(codes) for codes in ALIKE], seed=20 + design, style=style))
        tiles += len(judged.wanted)
        wrong += len(judged.wrong)
        sure += len(surely_wrong(judged))
    assert wrong <= 0.05 * tiles
    assert sure <= 0.01 * tiles


def test_a_box_that_cuts_the_numeral_away_makes_no_red_dragon() -> None:
    scene = laid([row("123456789m")], seed=3)
    quads = scene.quads.copy()
    quads += (quads[:, 3:] - quads[:, :1]) / 3  # a third of a tile too low
    boxes = boxes_xyxy(quads)
    n = len(quads)
    found = Found(quads, boxes, np.full(n, 0.9, np.float32), np.zeros(n, bool))
    said = eyes().reader(scene.image, found)
    red = int(Hand.parse("7z").concealed[0])
    assert not ((said.faces == red) & (said.alternative_p[:, 0] >= MIN_TILE_P)).any()


@pytest.mark.parametrize("frame", ["single", "double", "corners"])
def test_a_framed_white_dragon_is_no_dots(frame: str) -> None:
    style = replace(clean_style(), frame=frame)
    tiles = row("5z2p5z9p1p5z") + row("9m", back=True)
    good(read(laid([tiles], seed=2, style=style)))


@pytest.mark.parametrize("seed", [2, 4])
def test_a_blank_white_dragon_is_neither_a_back_nor_lost_in_silence(seed: int) -> None:
    """Where it is not found, the hand lacks tiles and no total is shown."""
    style = replace(clean_style(), frame="none", dragon_word=False)
    scene = laid([row("123m456p789s22s55z") + row("5z")], seed=seed, style=style)
    judged = read(scene)
    white = int(Hand.parse("5z").concealed[0])
    assert surely_wrong(judged) == []
    assert BACK not in judged.named[judged.labels.faces == white]
    others = judged.wanted[judged.labels.faces[judged.wanted] != white]
    assert (judged.named[others] == judged.labels.faces[others]).all()
    reading = decode(layout(looked(scene.image), 4), "hongkong", WON)
    truth = score(Hand.parse("123m456p789s22s55z@5z"), WON, "hongkong").total
    assert not reading.certain or reading.total == truth


def turned(scene: Scene, degrees: float) -> Scene:
    """The picture turned about its middle, nothing cut off."""
    h, w = scene.image.shape[:2]
    matrix = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), degrees, 1.0)
    c, s = np.abs(matrix[0, :2])
    size = (int(np.ceil(w * c + h * s)), int(np.ceil(w * s + h * c)))
    matrix[:, 2] += (size[0] - w) / 2, (size[1] - h) / 2

    def moved(quads: np.ndarray) -> np.ndarray:
        return (quads @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)

    grey = cv2.warpAffine(scene.image, matrix, size, borderValue=(60, 80, 60))
    return replace(
        scene,
        image=np.asarray(grey, np.uint8),
        quads=moved(scene.quads),
        hidden=moved(scene.hidden),
    )


@pytest.fixture(scope="module")
def one_row() -> Scene:
    return laid([row("123m456p789s1z")], seed=3)


@pytest.mark.parametrize("degrees", [8, 30, 90, 145, 180, 235, 270])
def test_a_row_is_found_however_the_picture_is_turned(one_row: Scene, degrees: int) -> None:
    good(read(turned(one_row, degrees)))


def test_tiles_that_stand_upside_down() -> None:
    tiles = row("123m", quarters=2) + row("456p") + row("789s", quarters=2) + row("67z")
    good(read(laid([tiles], seed=4)))


def test_claimed_tiles_that_lie_on_their_side() -> None:
    tiles = row("1m", quarters=1) + row("23m") + row("555p", quarters=3) + row("9s16z", quarters=1)
    good(read(laid([tiles], seed=5)))


def test_the_two_sideways_tiles_of_an_added_kong() -> None:
    claimed = row("77s") + row("7s", quarters=1) + row("123m55z")
    scene = laid([claimed], seed=6, beside=((2, row("7s", quarters=1)),))
    assert list(scene.faces).count(int(Hand.parse("7s").concealed[0])) == 4
    good(read(scene))


def test_a_kong_with_two_tiles_face_down() -> None:
    tiles = row("3p", back=True) + row("33p") + row("3p", back=True) + row("123s99m")
    scene = laid([tiles], seed=9)
    good(read(scene))
    seen = looked(scene.image)
    assert (seen.faces == BACK).sum() == 2


@pytest.fixture(scope="module")
def two_rows() -> Scene:
    return laid([row("123m456p789s1z"), row("555z") + row("777p")], seed=11)


def test_one_tile_is_one_box(two_rows: Scene) -> None:
    seen = looked(two_rows.image)
    shared = iou(boxes_xyxy(seen.quads), boxes_xyxy(seen.quads))
    assert (shared[~np.eye(len(seen), dtype=bool)] < 0.5).all()
    good(read(two_rows))


@pytest.mark.parametrize("dark", [0.3, 0.5])
@pytest.mark.parametrize("where", [0.35, 0.5, 0.65])
def test_a_shadow_across_the_row_merges_no_neighbours(
    two_rows: Scene, dark: float, where: float
) -> None:
    h, w = two_rows.image.shape[:2]
    y, x = np.mgrid[:h, :w]
    light = np.where(x + 0.4 * y < where * w + 0.2 * h, dark, 1.0)
    light = cv2.GaussianBlur(light, (0, 0), 4)[..., None]
    good(read(two_rows, (two_rows.image * light).astype(np.uint8)))


CLOTHS = {
    "white": (245, 245, 245),
    "red": (40, 40, 230),
    "yellow": (60, 230, 250),
    "pink": (200, 160, 255),
    "black": (8, 8, 8),
}


@pytest.mark.parametrize("cloth", CLOTHS)
def test_a_bright_cloth_does_not_change_the_reading(two_rows: Scene, cloth: str) -> None:
    h, w = two_rows.image.shape[:2]
    tiles = np.zeros((h, w), np.uint8)
    for quad in np.concatenate([two_rows.quads, two_rows.hidden]):
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(tiles, ((quad - middle) * 1.3 + middle).astype(np.int32), 255)
    grain = np.random.default_rng(0).normal(0, 4, (h, w, 3))
    ground = np.clip(np.array(CLOTHS[cloth]) + grain, 0, 255).astype(np.uint8)
    good(read(two_rows, np.where(tiles[..., None] > 0, two_rows.image, ground)))


def test_a_hand_of_the_products_own_tiles_is_read_whole() -> None:
    """And so are its two exposed sets behind it: nothing above was an easy picture by chance."""
    hand = Hand.parse("234678m33p34s[222z][567s]@5s 2f6f")
    scene = draw_hand_picture(hand, seed=6)
    reading = decode(layout(looked(scene.image), 5), "taiwan", WON)
    assert Hand.parse(reading.text).tiles == hand.tiles
