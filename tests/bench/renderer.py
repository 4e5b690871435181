"""How far rendered tiles are from photographed ones.

    python -m tests.bench.renderer --sheet DIR --seed 1 --equal
    python -m tests.bench.renderer --measure

The first lays 20 rendered tiles and 20 of photos/val in one sheet by lot, numbered, and writes
which is which into a file apart, to be opened when all are judged. With ``--equal`` all tiles are
shown as sharp as one 56 pixels wide, so that their size tells nothing. The second compares the
print on tiles. Photos are read from the shared folder; what is written shows them and stays out
of the repository.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.bank import FaceBank
from datasets.photos import load_photos
from datasets.pictures import Floats, Picture
from datasets.scenes import render_scene

EACH = 20
EQUAL_PX = 56
CLOSE = (60.0, 115.0)
"""Tile widths of the close-ups, in pixels."""
BLANK = 33
SIZE = (112, 150)

Cut = tuple[Picture, dict[str, object]]


def straightened(image: Picture, quad: NDArray[np.float32], margin: float) -> Picture:
    """The tile upright or upside down, ``margin`` of its size more on all sides together."""
    corners = (quad - quad.mean(axis=0)) * (1 + margin) + quad.mean(axis=0)
    if np.linalg.norm(quad[1] - quad[0]) > np.linalg.norm(quad[3] - quad[0]):
        corners = np.roll(corners, -1, axis=0)
    w, h = SIZE
    target = np.array([[0, 0], [w - 1, 0], [w - 1, h - 1], [0, h - 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    cut = cv2.warpPerspective(image, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def equal(cut: Picture) -> Picture:
    """The tile as one ``EQUAL_PX`` wide shows it."""
    size = (EQUAL_PX, round(EQUAL_PX * SIZE[1] / SIZE[0]))
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)


def rendered(seed: int, least_px: float, close: bool, a_scene: int, margin: float) -> Iterator[Cut]:
    """Tiles of rendered scenes, phone and kiosk in turn, faces of our own."""
    number = 0
    while True:
        number += 1
        rng = np.random.default_rng([seed, number])
        preset = ("phone", "kiosk")[number % 2]
        scene = render_scene(rng, FaceBank.own(), preset=preset, tile_px=CLOSE if close else None)
        wide = np.linalg.norm(scene.quads[:, 1] - scene.quads[:, 0], axis=1)
        inside = ((scene.quads > 2) & (scene.quads < 637)).all(axis=(1, 2))
        fit = np.flatnonzero((wide >= least_px) & (scene.faces < 42) & inside)
        for k in rng.permutation(fit)[:a_scene]:
            about = {"kind": "rendered", "preset": preset, "scene": number}
            cut = straightened(scene.image, scene.quads[k], margin)
            yield cut, {**about, "face": int(scene.faces[k])}


def photographed(
    seed: int, split: str, least_px: float, a_photo: int, margin: float
) -> Iterator[Cut]:
    """Tiles of the photos of a split that lie straight in their boxes."""
    rng = np.random.default_rng([seed, 2])
    photos = load_photos(split)
    for index in rng.permutation(len(photos)):
        photo = photos[index]
        sides = np.sort(photo.boxes[:, 2:] - photo.boxes[:, :2], axis=1)
        shape = sides[:, 1] / sides[:, 0]
        fit = np.flatnonzero((sides[:, 0] >= least_px) & (shape > 1.22) & (shape < 1.55))
        for k in rng.permutation(fit)[:a_photo]:
            about = {"kind": "photo", "file": photo.path.name, "face": int(photo.faces[k])}
            yield straightened(photo.image(), photo.quads[k], margin), about


def write_sheet(folder: Path, seed: int, split: str, alike: bool) -> None:
    """The mixed sheet and its key."""
    least = float(EQUAL_PX) if alike else 26.0
    sources = (rendered(seed, least, alike, 1, 0.12), photographed(seed, split, least, 1, 0.12))
    cuts = [cut for source in sources for cut, _ in zip(source, range(EACH), strict=False)]
    order = np.random.default_rng([seed, 3]).permutation(len(cuts))
    w, h = SIZE[0] * 3 // 2, SIZE[1] * 3 // 2
    sheet = np.full((4 * (h + 30), 10 * (w + 8), 3), 90, np.uint8)
    key = {}
    for place, chosen in enumerate(order):
        picture, key[place + 1] = cuts[chosen]
        y, x = place // 10 * (h + 30) + 26, place % 10 * (w + 8) + 4
        shown = cv2.resize(equal(picture) if alike else picture, (w, h))
        sheet[y : y + h, x : x + w] = shown
        cv2.putText(sheet, str(place + 1), (x, y - 6), 0, 0.7, (255, 255, 255), 2, cv2.LINE_AA)
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"mixed-{seed}.png"), sheet)
    (folder / f"key-{seed}.json").write_text(json.dumps(key), encoding="utf-8")


FIGURES = ("height", "width", "area", "darkest", "green", "red", "blue", "unevenness", "body")


def figures(cut: Picture) -> list[float] | None:
    """The print of one tile, by ``FIGURES``: how high, wide and how much of the tile it is; how
    light its darkest part and its paints are, against the tile's body; how unevenly the body is
    lit; how light the body is (0 … 255). None where no print can be made out."""
    inner = equal(cut)[9:-9, 7:-7].astype(np.float32)
    body = np.percentile(inner, 80, axis=(0, 1))
    top = float(body.max())
    ink = np.abs(inner - body).max(axis=2) > 0.25 * top
    if top < 25 or ink.sum() < 15:
        return None
    spans = [
        float(np.ptp(np.percentile(places, (2, 98)))) / whole
        for places, whole in zip(np.nonzero(ink), (75, EQUAL_PX), strict=True)
    ]
    grey = inner.mean(axis=2)
    ground = np.where(ink, body.mean(), grey).astype(np.float32)
    uneven = float(np.ptp(cv2.GaussianBlur(ground, (0, 0), 5)) / body.mean())
    b, g, r = (inner[..., k] / body[k] for k in range(3))
    paints = (
        (g > 1.12 * b) & (g > 1.12 * r),
        (r > 1.25 * g) & (r > 1.1 * b),
        (b > 1.2 * r) & (b > 1.1 * g),
    )
    return [
        *spans,
        float(ink.mean()),
        float(np.percentile(grey, 2) / body.mean()),
        *(_lightness(inner, ink & paint) / top for paint in paints),
        uneven,
        top,
    ]


def _lightness(inner: Floats, where: NDArray[np.bool_]) -> float:
    """Median of the lightest channel; NaN where there is too little of the paint."""
    return float(np.median(inner.max(axis=2)[where])) if where.sum() > 12 else float("nan")


def measure(seed: int, count: int) -> None:
    """Print p10, median and p90 of each figure for rendered tiles, val and train."""
    sources = {
        "rendered": rendered(seed, EQUAL_PX, True, 5, 0.0),
        "photos/val": photographed(seed, "val", 50.0, 5, 0.0),
        "photos/train": photographed(seed, "train", 50.0, 5, 0.0),
    }
    for name, source in sources.items():
        rows: list[list[float]] = []
        for cut, about in source:
            found = figures(cut) if about["face"] != BLANK else None
            rows += [] if found is None else [found]
            if len(rows) == count:
                break
        table = np.nanpercentile(np.array(rows), (10, 50, 90), axis=0).T
        print(f"{name}: {len(rows)} tiles")
        for figure, row in zip(FIGURES, table, strict=True):
            print(f"  {figure:10} " + " ".join(f"{v:7.2f}" for v in row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, metavar="DIR", help="write a mixed sheet and its key")
    parser.add_argument("--equal", action="store_true", help="all tiles equally sharp")
    parser.add_argument("--split", default="val", choices=("val", "train"))
    parser.add_argument("--measure", action="store_true", help="compare the print on tiles")
    parser.add_argument("--count", type=int, default=250, help="tiles measured of each kind")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.sheet is not None:
        write_sheet(args.sheet, args.seed, args.split, args.equal)
    if args.measure:
        measure(args.seed, args.count)


if __name__ == "__main__":
    main()
