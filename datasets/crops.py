"""Tile faces cut out of labelled photos, turned upright, as designs to render with.

Boxes say nothing about which way up a tile lies. Each crop is turned by comparing it with drawn
faces of its class, then with the mean of its own design; crops that stay undecided are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from datasets.classes import FACES, WINDS
from datasets.drawing import DrawnDesign
from datasets.face_style import FaceStyle
from datasets.photos import Photo
from datasets.pictures import Floats, Picture, as_pixels

_MAP = (18, 24)
LEAST_PX = 22
"""Crops narrower than this are not used as textures."""

TWO_FOLD = frozenset({9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 33})
"""Faces that look (nearly) the same upside down: which way up they lie does not matter."""


@dataclass(frozen=True, slots=True)
class Crop:
    """An upright face: ``picture`` (h, w, 3), its body colour, and how sure its turn is."""

    face: int
    picture: Picture
    body: tuple[float, float, float]
    margin: float
    source: str


def body_colour(picture: Picture) -> tuple[float, float, float]:
    """The colour of the bare tile: the median of a ring just inside the edge."""
    h, w = picture.shape[:2]
    y, x = max(1, h // 12), max(1, w // 10)
    ring = np.concatenate(
        [
            picture[y : 2 * y, x:-x].reshape(-1, 3),
            picture[-2 * y : -y, x:-x].reshape(-1, 3),
            picture[y:-y, x : 2 * x].reshape(-1, 3),
            picture[y:-y, -2 * x : -x].reshape(-1, 3),
        ]
    )
    b, g, r = np.median(ring, axis=0)
    return float(b), float(g), float(r)


def _ragged(picture: Picture) -> float:
    """Share of the crop's corners that is not body: high where a tile lay aslant in its box."""
    h, w = picture.shape[:2]
    y, x = max(2, h // 9), max(2, w // 7)
    bands = np.concatenate([picture[:y], picture[-y:]])
    corners = np.concatenate([bands[:, :x], bands[:, -x:]], axis=1).reshape(-1, 3)
    body = np.array(body_colour(picture))
    far = np.abs(corners - body).max(axis=1) > 0.3 * body.max()
    return float(far.mean())


def _ink(picture: Picture) -> Floats:
    """Where paint is: zero-mean, unit-norm map of the distance from the body colour."""
    small = cv2.resize(picture, _MAP, interpolation=cv2.INTER_AREA).astype(np.float32)
    far = np.abs(small - np.array(body_colour(picture), np.float32)).max(axis=2)
    far = np.minimum(far, float(np.percentile(far, 97)))
    # The rim of a crop shows neighbours and edges.
    far[:2] = far[-2:] = 0
    far[:, :2] = far[:, -2:] = 0
    return _normal(np.asarray(cv2.GaussianBlur(far, (0, 0), 0.9)))


def _normal(values: Floats) -> Floats:
    centred = values - values.mean()
    return np.asarray(centred / (np.linalg.norm(centred) + 1e-6))


@lru_cache(maxsize=1)
def _drawn_means(styles: int = 16) -> Floats:
    """(42, h, w): mean ink maps of drawn faces."""
    total = np.zeros((FACES, _MAP[1], _MAP[0]), np.float32)
    for seed in range(styles):
        style = FaceStyle.random(np.random.default_rng([41, seed]))
        design = DrawnDesign(replace(style, index=""))
        for face in range(FACES):
            art = design.art(face, 72).astype(np.float32)
            alpha = art[..., 3:] / 255
            total[face] += _ink(as_pixels(art[..., :3] * alpha + 240 * (1 - alpha)))
    return np.stack([_normal(t) for t in total])


def _turned(picture: Picture, quarters: int) -> Picture:
    return np.ascontiguousarray(np.rot90(picture, quarters))


def upright_crops(photos: Sequence[Photo], *, least_px: int = LEAST_PX) -> list[Crop]:
    """All usable faces of the photos, turned upright."""
    raw: list[tuple[int, Picture, str]] = []
    for photo in photos:
        image = photo.image()
        height, width = image.shape[:2]
        for face, (x1, y1, x2, y2) in zip(photo.faces, photo.boxes, strict=True):
            w, h = x2 - x1, y2 - y1
            inside = x1 >= 0 and y1 >= 0 and x2 <= width and y2 <= height
            aspect = max(w, h) / max(min(w, h), 1e-3)
            if not inside or min(w, h) < least_px or not 1.15 <= aspect <= 1.6:
                continue
            cut = image[round(y1) : round(y2), round(x1) : round(x2)]
            body = body_colour(cut)
            # Too dark, a coloured back under a wrong label, or a tile aslant in its box.
            if max(body) < 70 or min(body) < 0.5 * max(body) or _ragged(cut) > 0.3:
                continue
            if w > h:
                cut = _turned(cut, 1)
            raw.append((int(face), np.ascontiguousarray(cut), photo.design))
    maps = [(_ink(cut), _ink(_turned(cut, 2))) for _, cut, _ in raw]
    means = _drawn_means()
    prior = np.array(
        [
            [float((m * means[face]).sum()) for m in pair]
            for (face, _, _), pair in zip(raw, maps, strict=True)
        ]
    ).reshape(-1, 2)
    score = prior
    for _ in range(3):
        own = _likeness(maps, [(face, source) for face, _, source in raw], score)
        all_designs = _likeness(maps, [(face, "") for face, _, _ in raw], score)
        score = prior * 0.5 + own * 0.6 + all_designs * 0.6
    doubted = _mislabelled([face for face, _, _ in raw], maps, score)
    crops = []
    for i, ((face, cut, source), (up, down)) in enumerate(zip(raw, score, strict=True)):
        margin = abs(float(up - down))
        if (margin < 0.08 and face not in TWO_FOLD) or i in doubted:
            continue
        picture = cut if up >= down else _turned(cut, 2)
        crops.append(Crop(face, picture, body_colour(picture), margin, source))
    return _surest(crops)


def _surest(crops: list[Crop]) -> list[Crop]:
    """Without the sixth of each face whose turn is least sure."""
    least = {}
    for face in {c.face for c in crops} - TWO_FOLD:
        margins = sorted(c.margin for c in crops if c.face == face)
        least[face] = margins[len(margins) // 6]
    return [c for c in crops if c.margin >= least.get(c.face, 0.0)]


def _likeness(
    maps: list[tuple[Floats, Floats]], keys: list[tuple[int, str]], score: Floats
) -> Floats:
    """Likeness of both turns to the mean of the others of the same key, as turned now."""
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    for i, key in enumerate(keys):
        groups[key].append(i)
    out = np.zeros((len(maps), 2))
    for members in groups.values():
        weights = np.array([abs(score[i, 0] - score[i, 1]) + 1e-3 for i in members])
        chosen = np.stack([maps[i][0 if score[i, 0] >= score[i, 1] else 1] for i in members])
        total = (chosen * weights[:, None, None]).sum(axis=0)
        for k, i in enumerate(members):
            rest = _normal(total - chosen[k] * weights[k]) if len(members) > 1 else 0.0
            out[i] = [float((m * rest).sum()) for m in maps[i]]
    return out


def _mislabelled(faces: list[int], maps: list[tuple[Floats, Floats]], score: Floats) -> set[int]:
    """Crops that look much more like another face than like the one their label says."""
    upright = [m[0 if up >= down else 1] for m, (up, down) in zip(maps, score, strict=True)]
    known = sorted(set(faces))
    means = np.stack(
        [_normal(np.sum([m for m, f in zip(upright, faces, strict=True) if f == k], axis=0))
         for k in known]
    )  # fmt: skip
    wrong = set()
    for i, (m, face) in enumerate(zip(upright, faces, strict=True)):
        alike = (means * m).sum(axis=(1, 2))
        if float(alike.max() - alike[known.index(face)]) > 0.2:
            wrong.add(i)
    return wrong


@dataclass(frozen=True)
class PhotoDesign:
    """Crops of one physical set as a design; `art` gives a whole face (BGR), body included."""

    name: str
    crops: dict[int, tuple[Crop, ...]]
    body: tuple[float, float, float]

    def has(self, faces: range) -> bool:
        """Whether every one of the faces was photographed."""
        return all(self.crops.get(face) for face in faces)

    def art(self, face: int, height_px: int = 0) -> Picture:
        """The first crop of a face; see `pick`."""
        return self.levelled(self.crops[face][0])

    def pick(self, face: int, rng: np.random.Generator) -> Picture:
        """One of the crops of a face, its body colour brought to the set's."""
        found = self.crops[face]
        return self.levelled(found[int(rng.integers(len(found)))])

    def levelled(self, crop: Crop) -> Picture:
        gain = np.clip(np.array(self.body) / np.maximum(np.array(crop.body), 1), 0.5, 2.5)
        return as_pixels(crop.picture * gain.astype(np.float32))


def photo_designs(crops: Sequence[Crop]) -> tuple[PhotoDesign, ...]:
    """The sets among the crops; white and yellow sets are told apart.

    A face that one set lacks is taken from all crops of the same source. Sets that have the three
    suits are kept: what else they lack is drawn (`PhotoDesign.has`).
    """
    by_set: dict[str, list[Crop]] = defaultdict(list)
    for crop in crops:
        blue, _, red = crop.body
        yellow = red - blue > 0.22 * red
        by_set[f"{crop.source}{' (yellow)' if yellow else ''}"].append(crop)
    designs = []
    for name, members in sorted(by_set.items()):
        if len(members) < 30:
            continue
        source = members[0].source
        every: dict[int, tuple[Crop, ...]] = {}
        for face in range(FACES):
            own = tuple(c for c in members if c.face == face)
            every[face] = own or tuple(c for c in crops if c.face == face and c.source == source)
        if all(every[face] for face in range(WINDS.start)):
            b, g, r = np.median([c.body for c in members], axis=0)
            lift = 225 / max(b, g, r)
            body = (float(b * lift), float(g * lift), float(r * lift))
            designs.append(PhotoDesign(name, every, body))
    return tuple(designs)
