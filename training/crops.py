"""What the reader sees while it learns: crops of single tiles, of photos, of drawn faces, and of
what is no tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.bank import FaceBank
from datasets.photos import Photo
from datasets.scenes import Scene
from datasets.tileset import TileSet
from training import distort
from training.as_detected import Eye, Seen, quarters_between
from training.sources import SceneRing
from vision.crops import CORNERS, cut_crops, turned_clockwise, within
from vision.detections import boxes_xyxy, iou, quads_of_boxes

FACES = 42
NOT_A_TILE = 43
FIRST_BONUS = 34
BONUS_SHARE = 0.3
"""Bonus tiles vary without limit from set to set, so drawn ones are shown more often."""

RECOLOURED = 0.35
"""How often the colours of a bonus tile or a drawing change places: numbers and signs come in any
colour, and an ivory body stays nearly what it was."""

RARELY_RECOLOURED = 0.06
"""The same for the other tiles of photos, whose colours mostly follow custom."""

MOST_LOOKED = 300
"""Scenes of which is kept what the detector saw."""

TILE_PX = 72
"""Width of a drawn tile before it is cut out."""
SETS = 32
SET_LIFE = 300
"""Drawn sets that are in use at once, and after how many crops one of them is renewed."""

UNKNOWN_TURN = -1
MOST_SHARED = 0.3
THINGS, LEAST_SHARED = 0.6, 0.05
"""How often no tile is a thing that lies on the table, and how little of it a tile may cover."""
BACKS = 0.15
"""How often a tile of a scene may be one that lies face down."""

LEAST_TILTED = 30.0
"""Degrees off the upright up to which a tile is also cut by its upright box."""

FARTHEST = 0.35
"""How far from its place in the crop a corner may be, in sides of the crop, to be learnt from."""

AS_DETECTED = 0.6
"""How often a tile is cut where the detector saw it, and no tile where the detector saw one."""


@dataclass(frozen=True, slots=True)
class Crop:
    """``image`` (64, 64, 3) BGR, ``label`` class id (0–41 faces, 42 back, 43 no tile), ``turn`` in
    quarter turns
    clockwise (0–3) or −1 where it is not known, ``corners`` (4, 2) of the tile within the crop
    (sides 1), begun at the crop's upper left, None where they are not known."""

    image: NDArray[np.uint8]
    label: int
    turn: int
    corners: NDArray[np.float32] | None = None


class PhotoCrops:
    """Labelled tiles of photos, drawn so that neither a set nor a common face drowns the rest."""

    def __init__(self, photos: Sequence[Photo], eye: Eye | None = None) -> None:
        self._images = [photo.image() for photo in photos]
        self._photos = list(photos)
        self._seen = [
            eye.look(image, photo.boxes, backs=False)
            if eye is not None and len(photo.boxes)
            else None
            for image, photo in zip(self._images, photos, strict=True)
        ]
        self._by_face: dict[int, dict[str, list[tuple[int, int]]]] = {}
        for i, photo in enumerate(photos):
            for j, face in enumerate(photo.faces):
                group = f"{photo.group}/{photo.session}"
                self._by_face.setdefault(int(face), {}).setdefault(group, []).append((i, j))
        self._faces = sorted(self._by_face)
        self._complete = [
            i for i, photo in enumerate(photos) if photo.labels_complete and len(photo.faces)
        ]

    def draw(self, rng: np.random.Generator) -> Crop:
        """A labelled tile, its box a little off as a detector's would be, in a random quarter
        turn."""
        face = self._faces[int(rng.integers(len(self._faces)))]
        groups = list(self._by_face[face].values())
        weights = np.array([len(g) for g in groups], float) ** 0.5
        members = groups[int(rng.choice(len(groups), p=weights / weights.sum()))]
        i, j = members[int(rng.integers(len(members)))]
        found = _where_seen(self._seen[i], j, rng)
        quad = shaken(quads_of_boxes(self._photos[i].boxes[j][None])[0], rng)
        image = cut(self._images[i], quad if found is None else found, rng)
        if rng.random() < (RECOLOURED if face >= FIRST_BONUS else RARELY_RECOLOURED):
            image = np.ascontiguousarray(image[..., rng.permutation(3)])
        return Crop(image, face, UNKNOWN_TURN)

    def draw_nothing(self, rng: np.random.Generator) -> Crop:
        """Ground, a piece of a tile or a piece across tiles."""
        while True:
            i = self._complete[int(rng.integers(len(self._complete)))]
            quad = _strayed(self._seen[i], rng)
            if quad is None:
                quad = _between(self._photos[i].boxes, self._images[i].shape[:2], rng)
            if quad is not None:
                return Crop(cut(self._images[i], quad, rng), NOT_A_TILE, UNKNOWN_TURN)


class SceneCrops:
    """Tiles of rendered scenes, straightened by their corners or by their upright box, turns and
    backs known."""

    def __init__(self, ring: SceneRing, eye: Eye | None = None) -> None:
        self._ring = ring
        self._eye = eye
        self._looked: dict[int, tuple[Scene, Seen]] = {}

    def draw(self, rng: np.random.Generator) -> Crop:
        """One labelled tile of a scene."""
        scene = self._ring.draw(rng)
        shown = np.flatnonzero(scene.faces < FACES)
        if not len(shown) or rng.random() < BACKS:
            shown = np.arange(len(scene.faces))
        i = int(shown[int(rng.integers(len(shown)))])
        face, true = int(scene.faces[i]), scene.quads[i]
        found = _where_seen(self._seen(scene), i, rng)
        if found is not None:
            image, turn = cut(scene.image, found, rng, 0.4), quarters_between(true, found)
            return Crop(image, face, turn, corners_in(found, true))
        quad, turn = true, 0
        along = quad[1] - quad[0]
        angle = float(np.degrees(np.arctan2(along[1], along[0])))
        if rng.random() < 0.5 and abs((angle + 45) % 90 - 45) < LEAST_TILTED:
            quad = quads_of_boxes(boxes_xyxy(quad[None]))[0]
            turn = round(angle / 90) % 4
        quad = shaken(quad, rng)
        return Crop(cut(scene.image, quad, rng, often=0.4), face, turn, corners_in(quad, true))

    def draw_nothing(self, rng: np.random.Generator) -> Crop:
        """Table, things that lie on it, or a piece of a tile."""
        while True:
            scene = self._ring.draw(rng)
            quad = _thing(scene, rng)
            if quad is None:
                quad = _strayed(self._seen(scene), rng)
            if quad is None:
                boxes = boxes_xyxy(np.concatenate([scene.quads, scene.hidden]))
                quad = _between(boxes, scene.image.shape[:2], rng)
            if quad is not None:
                return Crop(cut(scene.image, quad, rng, often=0.4), NOT_A_TILE, UNKNOWN_TURN)

    def _seen(self, scene: Scene) -> Seen | None:
        """What the detector sees in a scene, looked at once."""
        if self._eye is None:
            return None
        if id(scene) not in self._looked:
            if len(self._looked) > MOST_LOOKED:
                self._looked.clear()
            shown, hidden = boxes_xyxy(scene.quads), boxes_xyxy(scene.hidden)
            seen = self._eye.look(scene.image, shown, hidden, backs=True)
            self._looked[id(scene)] = scene, seen
        return self._looked[id(scene)][1]


class DrawnCrops:
    """Faces of the bank's sets, each on its own tile beside pieces of neighbours."""

    def __init__(self, bank: FaceBank) -> None:
        self._bank = bank
        self._sets: list[TileSet] = []
        self._drawn = 0

    def draw(self, rng: np.random.Generator) -> Crop:
        """One face as a tile, seen a little from the side."""
        face = int(rng.integers(FIRST_BONUS if rng.random() < BONUS_SHARE else 0, FACES))
        picture, true = _tile(self._set(rng), face, rng)
        quad = shaken(true, rng)
        return Crop(cut(picture, quad, rng), face, 0, corners_in(quad, true))

    def _set(self, rng: np.random.Generator) -> TileSet:
        self._drawn += 1
        if len(self._sets) < SETS or self._drawn % SET_LIFE == 0:
            self._sets = self._sets[-SETS + 1 :]
            self._sets.append(replace(TileSet.random(rng, self._bank), texture_px=TILE_PX))
        return self._sets[int(rng.integers(len(self._sets)))]


def _where_seen(
    seen: Seen | None, label: int, rng: np.random.Generator
) -> NDArray[np.float32] | None:
    """Now and then the place where the detector saw a label: its corners, or its box."""
    if seen is None or rng.random() >= AS_DETECTED:
        return None
    found = seen.of(label)
    if found is None:
        return None
    corners, upright = found
    return corners if rng.random() < 0.7 else upright


def _strayed(seen: Seen | None, rng: np.random.Generator) -> NDArray[np.float32] | None:
    """Now and then a place where the detector saw a tile and there is none."""
    if seen is None or not len(seen.stray) or rng.random() >= AS_DETECTED:
        return None
    quad: NDArray[np.float32] = seen.stray[int(rng.integers(len(seen.stray)))]
    return quad


def _thing(scene: Scene, rng: np.random.Generator) -> NDArray[np.float32] | None:
    """Now and then a die, a coin or a block that lies clear of all tiles."""
    if not len(scene.things) or rng.random() >= THINGS:
        return None
    tiles = boxes_xyxy(np.concatenate([scene.quads, scene.hidden]))
    clear = scene.things[iou(scene.things, tiles).max(axis=1, initial=0.0) < LEAST_SHARED]
    if not len(clear):
        return None
    return shaken(quads_of_boxes(clear[int(rng.integers(len(clear)))][None])[0], rng)


def turned(crop: Crop, rng: np.random.Generator, often: float) -> Crop:
    """The crop in a random quarter turn (with chance ``often``), its turn counted along."""
    quarter = int(rng.integers(4)) if rng.random() < often else 0
    image = np.ascontiguousarray(np.rot90(crop.image, -quarter))
    turn = crop.turn if crop.turn == UNKNOWN_TURN else (crop.turn + quarter) % 4
    corners = None if crop.corners is None else turned_clockwise(crop.corners, quarter)
    return Crop(image, crop.label, turn, corners)


def corners_in(
    cut_by: NDArray[np.float32], true: NDArray[np.float32]
) -> NDArray[np.float32] | None:
    """The true corners within a crop, begun at the crop's upper left; None where they lie so far
    off that the crop cannot show them."""
    inside = within(cut_by, true)
    orders = [np.roll(inside, -start, axis=0) for start in range(4)]
    nearest = min(orders, key=lambda order: float(np.abs(order - CORNERS).sum()))
    return nearest if float(np.abs(nearest - CORNERS).max()) < FARTHEST else None


def shaken(quad: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """The quad as a detector would have it: shifted, scaled, turned a little, its corners off by a
    few per cent."""
    centre = quad.mean(axis=0)
    side = np.linalg.norm(quad[1] - quad[0])
    angle = np.radians(rng.normal(0, 7) if rng.random() < 0.6 else 0.0)
    c, s = np.cos(angle), np.sin(angle)
    around = (quad - centre) @ np.array([[c, s], [-s, c]]) * np.exp(rng.normal(0, 0.05, 2))
    moved = centre + rng.normal(0, 0.04, 2) * side + around + rng.normal(0, 0.02, (4, 2)) * side
    return np.asarray(moved, dtype=np.float32)


def cut(
    picture: NDArray[np.uint8],
    quad: NDArray[np.float32],
    rng: np.random.Generator,
    often: float = 0.85,
) -> NDArray[np.uint8]:
    """The quad with its margin as 64 × 64 pixels, as a camera of random quality saw it (``often``
    of the time)."""
    small = cut_crops(picture, quad[None])[0]
    return (
        distort.camera(small, rng, least_px=13, most_blur_px=3.0) if rng.random() < often else small
    )


def _tile(
    tiles: TileSet, face: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A picture with the face on its tile in the middle, and the quad of that tile."""
    width, height = TILE_PX, round(TILE_PX * tiles.height)
    picture = np.empty((2 * height, 2 * width, 3), np.uint8)
    picture[:] = rng.integers(0, 256, 3) if rng.random() < 0.5 else rng.integers(0, 90, 3)
    gap = int(rng.integers(-1, 5)) if rng.random() < 0.8 else int(rng.integers(5, 40))
    beside = rng.random(4) < [0.7, 0.7, 0.25, 0.25]
    for here, (dx, dy) in zip(beside, ((-1, 0), (1, 0), (0, -1), (0, 1)), strict=True):
        if here:
            other = _seen_from_above(tiles, int(rng.integers(FACES)), (width, height), rng)
            lay(picture, other, dx * (width + gap), dy * (height + gap))
    tile = _seen_from_above(tiles, face, (width, height), rng)
    if rng.random() < RECOLOURED:
        tile = tile[..., rng.permutation(3)]
    lay(picture, tile, 0, 0)
    return picture, middle(width, height)


def middle(width: int, height: int) -> NDArray[np.float32]:
    """The quad (4, 2) of a tile in the middle of a picture twice its size."""
    box = np.array([[width / 2, height / 2, 1.5 * width, 1.5 * height]], np.float32)
    return np.asarray(quads_of_boxes(box)[0])


def _seen_from_above(
    tiles: TileSet, face: int, size: tuple[int, int], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The tile (height, width, 3), its print a little off the middle, its edges in shade."""
    shift = rng.normal(0, 0.02, 2) * size
    stretch = np.exp(rng.normal(0, 0.06, 2))
    middle = np.array(size) / 2
    matrix = np.column_stack([np.diag(stretch), middle + shift - stretch * middle])
    texture = tiles.texture(face, TILE_PX)
    moved = cv2.warpAffine(texture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    tile = np.asarray(moved, np.float32)
    edge = int(rng.integers(1, 4))
    shade = rng.uniform(0.55, 0.95)
    for side in (tile[:edge], tile[-edge:], tile[:, :edge], tile[:, -edge:]):
        side *= shade
    return np.asarray(np.clip(tile * rng.uniform(0.96, 1.04), 0, 255), np.uint8)


def lay(picture: NDArray[np.uint8], tile: NDArray[np.uint8], dx: int, dy: int) -> None:
    """Put a tile with its centre ``dx, dy`` off the middle of the picture, cut at the border."""
    height, width = tile.shape[:2]
    y0, x0 = picture.shape[0] // 2 + dy - height // 2, picture.shape[1] // 2 + dx - width // 2
    ys, xs = max(0, y0), max(0, x0)
    ye, xe = min(picture.shape[0], y0 + height), min(picture.shape[1], x0 + width)
    if ys < ye and xs < xe:
        picture[ys:ye, xs:xe] = tile[ys - y0 : ye - y0, xs - x0 : xe - x0]


def _between(
    boxes: NDArray[np.float32], size: tuple[int, int], rng: np.random.Generator
) -> NDArray[np.float32] | None:
    """A quad of a tile's size anywhere in a picture (height, width) that shares less than 30 % with
    any tile (IoU); None where a few tries find no such place."""
    height, width = size
    sides = boxes[:, 2:] - boxes[:, :2]
    for _ in range(20):
        w, h = sides[int(rng.integers(len(sides)))] * np.exp(rng.normal(0, 0.3, 2))
        if rng.random() < 0.5:
            near = boxes[int(rng.integers(len(boxes)))]
            x, y = (near[:2] + near[2:]) / 2 + rng.uniform(-1.2, 1.2, 2) * [w, h]
        else:
            x, y = rng.uniform([0, 0], [width, height])
        box = np.array([x - w / 2, y - h / 2, x + w / 2, y + h / 2])
        if 0 < x < width and 0 < y < height and iou(box[None], boxes).max() < MOST_SHARED:
            x1, y1, x2, y2 = box
            return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float32)
    return None
