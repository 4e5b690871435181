"""Label check: what is wrong in a data set, how its classes are spread, and sheets to look at."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labelled import CLASS_NAMES, LabelledPicture, LeakError, refuse_leaks
from datasets.parts import Engine, Local, Parts, Progress, file_facts, mark_of
from datasets.pictures import Picture

OUTSIDE_PX = 2.0
"""Boxes may stand over the edge by this much before they count as outside."""

PART = 50
"""Pictures that one worker looks at at a time."""

SAME_BOX_IOU = 0.85
NEAR_BITS = 5
"""Pictures whose 64-bit hashes differ in at most this many bits are near-duplicates."""


@dataclass(frozen=True, slots=True)
class Problem:
    """``kind`` is outside, empty, duplicate, near-duplicate, unreadable or leak."""

    kind: str
    where: str
    what: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """``counts`` of labels by class code; ``problems`` in order of the pictures."""

    pictures: int
    labels: int
    counts: dict[str, int]
    problems: tuple[Problem, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Faces that no picture shows."""
        return tuple(code for code in CLASS_NAMES[:-1] if not self.counts.get(code))

    @property
    def imbalance(self) -> float:
        """The commonest face's count by the rarest one's (of those that occur)."""
        seen = [n for code, n in self.counts.items() if code != CLASS_NAMES[-1] and n]
        return max(seen) / min(seen) if seen else 1.0

    def to_json(self) -> dict[str, Any]:
        return {
            "pictures": self.pictures,
            "labels": self.labels,
            "counts": self.counts,
            "missing": list(self.missing),
            "imbalance": round(self.imbalance, 2),
            "problems": [{"kind": p.kind, "where": p.where, "what": p.what} for p in self.problems],
        }


def check(
    pictures: Sequence[LabelledPicture],
    *,
    near_bits: int = NEAR_BITS,
    engine: Engine | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Look at every label and picture. Near-duplicates count across splits only.

    `engine` looks at the pictures, by default this process. With `folder` a check that was stopped
    goes on where it was.
    """
    with TemporaryDirectory() as temporary:
        parts = Parts(folder or Path(temporary) / "parts", _mark(pictures), pictures, PART)
        parts.do(engine or Local(1), check_part, progress)
        rows = list(parts.rows())
        parts.clear()
    problems = [Problem(*problem) for row in rows for problem in row["problems"]]
    problems += _near_duplicates(pictures, [row["hash"] for row in rows], near_bits)
    try:
        refuse_leaks(pictures)
    except LeakError as leak:
        problems.append(Problem("leak", "splits", str(leak)))
    counts = Counter(CLASS_NAMES[int(f)] for p in pictures for f in p.faces)
    ordered = {code: counts[code] for code in CLASS_NAMES if counts[code]}
    return CheckReport(len(pictures), sum(counts.values()), ordered, tuple(problems))


def check_part(pictures: Sequence[LabelledPicture]) -> list[dict[str, Any]]:
    """What is wrong with each picture by itself, and its hash, as plain data."""
    rows = []
    for p in pictures:
        problems = _box_problems(p)
        picture = cv2.imread(str(p.path), cv2.IMREAD_GRAYSCALE)
        if picture is None:
            problems.append(Problem("unreadable", p.path.name, "the picture cannot be opened"))
        rows.append(
            {
                "problems": [[found.kind, found.where, found.what] for found in problems],
                "hash": None if picture is None else picture_hash(picture),
            }
        )
    return rows


def _mark(pictures: Sequence[LabelledPicture]) -> str:
    facts = hashlib.sha256()
    for p in pictures:
        about = file_facts(p.path) if p.path.is_file() else ()
        facts.update(repr((p.path, about, p.size)).encode())
        facts.update(p.quads.tobytes() + p.faces.tobytes() + p.corners_known.tobytes())
    return mark_of("check", version("hupai"), facts.hexdigest())


def _box_problems(p: LabelledPicture) -> list[Problem]:
    out = []
    width, height = p.size
    boxes = p.boxes.astype(np.float64)
    for k, (x1, y1, x2, y2) in enumerate(boxes):
        where = f"{p.path.name}, label {k + 1}"
        over = max(-x1, -y1, x2 - width, y2 - height)
        # Corners of a tile cut by the edge may lie outside; its box must not be all outside.
        gone = x2 <= 0 or y2 <= 0 or x1 >= width or y1 >= height
        if gone or (over > OUTSIDE_PX and not p.corners_known[k]):
            out.append(Problem("outside", where, f"reaches {over:.0f} pixels over the edge"))
        if min(x2 - x1, y2 - y1) < 1:
            out.append(Problem("empty", where, f"{x2 - x1:.1f} × {y2 - y1:.1f} pixels"))
    ious = box_iou(boxes)
    for i, j in zip(*np.nonzero(np.triu(ious > SAME_BOX_IOU, 1)), strict=True):
        codes = CLASS_NAMES[int(p.faces[i])], CLASS_NAMES[int(p.faces[j])]
        alike = "the same face twice" if codes[0] == codes[1] else f"{codes[0]} and {codes[1]}"
        out.append(Problem("duplicate", f"{p.path.name}, labels {i + 1} and {j + 1}", alike))
    return out


def box_iou(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, n) intersection over union of boxes (n, 4) x1, y1, x2, y2."""
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    common = np.clip(high - low, 0, None).prod(axis=2)
    area = np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(axis=1)
    return np.asarray(common / np.maximum(area[:, None] + area[None] - common, 1e-9))


def picture_hash(grey: Picture) -> int:
    """64-bit perceptual hash: signs of the low frequencies of the picture, its mean left out."""
    small = cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    low = cv2.dct(small)[:8, :8].flatten()
    bits = low > np.median(low[1:])
    return int("".join("1" if b else "0" for b in bits), 2)


def _near_duplicates(
    pictures: Sequence[LabelledPicture], hashes: Sequence[int | None], near_bits: int
) -> list[Problem]:
    known = [(p, h) for p, h in zip(pictures, hashes, strict=True) if h is not None]
    if len({p.split for p, _ in known}) < 2:
        return []
    words = np.array([h for _, h in known], np.uint64)
    out = []
    for i, (p, h) in enumerate(known):
        differing = np.bitwise_count(words[i + 1 :] ^ np.uint64(h))
        for j in np.nonzero(differing <= near_bits)[0] + i + 1:
            q = known[j][0]
            if q.split != p.split:
                what = f"looks like {q.path.name} of {q.split} ({differing[j - i - 1]} bits)"
                out.append(Problem("near-duplicate", f"{p.path.name} of {p.split}", what))
    return out


def class_sheets(
    pictures: Sequence[LabelledPicture],
    folder: Path,
    *,
    per_class: int = 40,
    columns: int = 10,
    seed: int = 0,
) -> list[Path]:
    """One contact sheet a class, named by its code: tiles straightened by their corners.

    Reads every picture once; which tiles are shown depends on the seed.
    """
    rng = np.random.default_rng(seed)
    wanted: dict[int, list[tuple[int, int]]] = {k: [] for k in range(len(CLASS_NAMES))}
    for i, p in enumerate(pictures):
        for k, face in enumerate(p.faces):
            wanted[int(face)].append((i, k))
    chosen: dict[int, list[tuple[int, int]]] = {}
    for face, places in wanted.items():
        if places:
            order = rng.permutation(len(places))[:per_class]
            chosen[face] = sorted(places[int(o)] for o in order)
    cells: dict[tuple[int, int], Picture] = {}
    by_picture: dict[int, list[int]] = {}
    for places in chosen.values():
        for i, k in places:
            by_picture.setdefault(i, []).append(k)
    for i, labels in by_picture.items():
        picture = cv2.imread(str(pictures[i].path), cv2.IMREAD_COLOR)
        if picture is not None:
            for k in labels:
                cells[i, k] = straightened(picture, pictures[i].quads[k])
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for face, places in sorted(chosen.items()):
        sheet = tiled([cells[p] for p in places if p in cells], columns)
        path = folder / f"{CLASS_NAMES[face]}.jpg"
        cv2.imwrite(str(path), sheet, [cv2.IMWRITE_JPEG_QUALITY, 85])
        paths.append(path)
    return paths


def straightened(picture: Picture, quad: NDArray[np.float32], width: int = 60) -> Picture:
    """The tile within its corners as an upright picture of 3 : 4."""
    height = width * 4 // 3
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, matrix, (width, height)))


def tiled(cells: Sequence[Picture], columns: int, gap: int = 2) -> Picture:
    """Pictures of one size side by side on a grey sheet."""
    if not cells:
        return np.full((8, 8, 3), 128, np.uint8)
    h, w = cells[0].shape[:2]
    rows = -(-len(cells) // columns)
    wide = min(columns, len(cells))
    sheet = np.full((rows * (h + gap) + gap, wide * (w + gap) + gap, 3), 128, np.uint8)
    for k, cell in enumerate(cells):
        y, x = gap + k // columns * (h + gap), gap + k % columns * (w + gap)
        sheet[y : y + h, x : x + w] = cell
    return sheet
