"""How well tiles are read: counts over a folder of labelled pictures, by design.md's
definitions. Runs without torch."""

from __future__ import annotations

import csv
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scenes import Scene
from datasets.yolo import MANIFEST, PICTURE_SUFFIXES, parse_labels
from scorer.tiles import Tile
from vision.detections import Detections, boxes_xyxy

BACK = 42
BONUS = range(34, 42)
SAME_BOX = 0.5
SURE = 0.9
WARM_UPS = 20
LEAST_TIMED = 50
FACE_NAMES = [*(Tile(i).code for i in range(BACK)), "back"]
WIDTHS = ((16, "under 16"), (24, "16–24"), (32, "24–32"), (48, "32–48"), (1e9, "48 and more"))
"""Bounds of the boxes' short side in pixels."""

Read = Callable[[NDArray[np.uint8]], Detections]


@dataclass(frozen=True, slots=True)
class Labels:
    """A picture's truth: ``boxes`` (n, 4) pixels x1 y1 x2 y2 and ``faces`` (n,); backs are 42.

    ``turns`` (n,): quarter turns clockwise of the faces, −1 where not known; ``design``: the tile
    set, where it is known.
    """

    path: Path
    boxes: NDArray[np.float32]
    faces: NDArray[np.int64]
    turns: NDArray[np.int64] | None = None
    design: str = ""


def labels_of(scene: Scene, name: str, silent: NDArray[np.bool_] | None = None) -> Labels:
    """A rendered picture's truth. Tiles too hidden to be labelled count as backs, which are neither
    missed nor extra; so do those that are ``silent`` (n,)."""
    hidden = boxes_xyxy(scene.hidden)
    shown = scene.faces if silent is None else np.where(silent, BACK, scene.faces)
    return Labels(
        Path(name),
        np.concatenate([boxes_xyxy(scene.quads), hidden]).astype(np.float32),
        np.concatenate([shown, np.full(len(hidden), BACK)]),
        np.concatenate([quarter_turns(scene.quads), np.full(len(hidden), -1)]),
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """One picture's labels against what was seen: ``named`` (n,) the face each label was read as,
    −1 where it was not found; ``sure`` (n,) with what confidence; ``extra`` boxes of ``seen``."""

    labels: Labels
    named: NDArray[np.int64]
    sure: NDArray[np.float64]
    extra: NDArray[np.float32]

    @property
    def wanted(self) -> NDArray[np.int64]:
        """The labels that count: all but the backs."""
        return np.flatnonzero(self.labels.faces != BACK)

    @property
    def wrong(self) -> NDArray[np.int64]:
        """The labels that were missed or named wrong."""
        here = self.wanted
        return np.asarray(here[self.named[here] != self.labels.faces[here]], np.int64)

    @property
    def exact(self) -> bool:
        return not len(self.wrong) and not len(self.extra)


def judge(labels: Labels, seen: Detections) -> Judged:
    """Match one picture's labels and boxes by design.md's definitions."""
    shown = np.flatnonzero(seen.faces != BACK)
    boxes = boxes_xyxy(seen.quads[shown])
    pairs, stray = match(labels.boxes, boxes, seen.scores[shown])
    named = np.full(len(labels.faces), -1)
    sure = np.zeros(len(labels.faces))
    for i, j in pairs:
        named[i] = seen.faces[shown[j]]
        sure[i] = seen.alternative_p[shown[j], 0]
    return Judged(labels, named, sure, boxes[stray])


@dataclass(slots=True)
class Tally:
    """Counts over pictures; rates follow from them. ``parts``: tiles, found and right of each
    class, size, turn and design."""

    pictures: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    extra: int = 0
    exact: int = 0
    bonus: int = 0
    bonus_right: int = 0
    confusions: Counter[tuple[int, int]] = field(default_factory=Counter)
    sure: list[tuple[float, bool]] = field(default_factory=list)
    parts: dict[str, dict[str, list[int]]] = field(default_factory=dict)

    def add(self, labels: Labels, seen: Detections) -> Judged:
        """Count one picture."""
        judged = judge(labels, seen)
        self.count(judged)
        return judged

    def count(self, judged: Judged) -> None:
        """Count a picture that was judged."""
        labels = judged.labels
        for i in judged.wanted:
            face, named = int(labels.faces[i]), int(judged.named[i])
            found, right, bonus = named >= 0, named == face, face in BONUS
            self.tiles += 1
            self.found += found
            self.right += right
            self.bonus += bonus
            self.bonus_right += bonus and right
            if found:
                self.sure.append((float(judged.sure[i]), right))
            if found and not right:
                self.confusions[face, named] += 1
            for kind, part in _parts(labels, int(i)):
                cell = self.parts.setdefault(kind, {}).setdefault(part, [0, 0, 0])
                for k, yes in enumerate((True, found, right)):
                    cell[k] += yes
        self.pictures += 1
        self.extra += len(judged.extra)
        self.exact += judged.exact

    def summary(self) -> dict[str, Any]:
        """The fields of `hupai evaluate --json`, rates as parts of one, intervals by Wilson at
        95 %."""
        sure = [right for p, right in self.sure if p >= SURE]
        return {
            "pictures": self.pictures,
            "tiles": self.tiles,
            "found": self.found,
            "right": self.right,
            "extra": self.extra,
            "exact": self.exact,
            "bonus": self.bonus,
            "bonus_right": self.bonus_right,
            "found_rate": _rate(self.found, self.tiles),
            "tiles_right_rate": _rate(self.right, self.tiles),
            "extra_per_100": 100 * self.extra / self.tiles if self.tiles else None,
            "exact_picture_rate": _rate(self.exact, self.pictures),
            "bonus_right_rate": _rate(self.bonus_right, self.bonus),
            "sure_right_rate": _rate(sum(sure), len(sure)),
            "sure_share": _rate(len(sure), self.found),
            "calibration_error": calibration_error(self.sure),
            "parts": {
                kind: {part: self.parts[kind][part] for part in sorted(self.parts[kind], key=_rank)}
                for kind in sorted(self.parts)
            },
            "confusions": [
                [FACE_NAMES[face], FACE_NAMES[named], n]
                for (face, named), n in self.confusions.most_common()
            ],
            "intervals": {
                "found_rate": wilson(self.found, self.tiles),
                "tiles_right_rate": wilson(self.right, self.tiles),
                "exact_picture_rate": wilson(self.exact, self.pictures),
                "bonus_right_rate": wilson(self.bonus_right, self.bonus),
                "sure_right_rate": wilson(sum(sure), len(sure)),
            },
        }


def match(
    truth: NDArray[np.float32], boxes: NDArray[np.float32], score: NDArray[np.float32]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Labels and boxes one to one at IoU 0.5 or more, best score first: pairs (label, box), and
    boxes left over.

    A box on a labelled back is no pair's but not left over either: give backs as labels and drop
    their pairs.
    """
    pairs, stray, taken = [], [], np.zeros(len(truth), bool)
    for j in np.argsort(-score, kind="stable"):
        shared = iou(boxes[j], truth) if len(truth) else np.zeros(0)
        shared[taken] = -1.0
        best = int(shared.argmax()) if len(shared) else -1
        if best >= 0 and shared[best] >= SAME_BOX:
            taken[best] = True
            pairs.append((best, int(j)))
        else:
            stray.append(int(j))
    return pairs, stray


def iou(box: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.float64]:
    """Intersection over union of one box with each of ``boxes``."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    shared = (high - low).clip(0).prod(axis=1)
    both = (box[2:] - box[:2]).prod() + (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    return np.asarray(shared / np.maximum(both - shared, 1e-9), np.float64)


def wilson(good: int, of: int, z: float = 1.96) -> list[float] | None:
    """The 95 % interval of a rate (E. B. Wilson 1927), or None of nothing."""
    if not of:
        return None
    p, zz = good / of, z * z
    middle = (p + zz / (2 * of)) / (1 + zz / of)
    half = z * math.sqrt(p * (1 - p) / of + zz / (4 * of * of)) / (1 + zz / of)
    return [round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)]


def calibration_error(said: Sequence[tuple[float, bool]], bins: int = 15) -> float | None:
    """Expected calibration error: |confidence − rate right| over ``bins`` equal bins, weighted
    by count."""
    if not said:
        return None
    p, right = np.array([s for s, _ in said]), np.array([r for _, r in said], float)
    which = np.minimum((p * bins).astype(int), bins - 1)
    gaps = [
        abs(p[which == b].mean() - right[which == b].mean()) * (which == b).sum()
        for b in range(bins)
        if (which == b).any()
    ]
    return round(float(sum(gaps) / len(p)), 5)


def folder_labels(folder: Path) -> list[Labels]:
    """The pictures of a YOLO folder (``images`` and ``labels`` side by side, or both in one),
    ordered by name.

    Raises `FileNotFoundError` when there is no labelled picture, `ValueError` naming a label
    line that is not one.
    """
    pictures = folder / "images" if (folder / "images").is_dir() else folder
    labels = folder / "labels" if (folder / "labels").is_dir() else folder
    designs = _designs(pictures)
    found = [
        _labels(path, labels / f"{path.stem}.txt", designs.get(path.name, ""))
        for path in _pictures(pictures)
        if (labels / f"{path.stem}.txt").is_file()
    ]
    if not found:
        raise FileNotFoundError(
            f"no labelled picture in {folder}: "
            "it needs images/NAME.jpg and labels/NAME.txt in YOLO form"
        )
    return found


def count(
    read: Read,
    pictures: Iterable[Labels],
    progress: Callable[[int], None] | None = None,
    wrong: Callable[[NDArray[np.uint8], Judged], None] | None = None,
) -> tuple[Tally, list[float]]:
    """Read every picture; the tally, and the milliseconds of each reading after the warm-ups.

    ``progress`` hears how many are done, ``wrong`` is shown each picture that is not exact.
    """
    tally, times = Tally(), []
    for i, labels in enumerate(pictures):
        picture = cv2.imread(str(labels.path))
        if picture is None:
            raise FileNotFoundError(f"{labels.path} is not a picture that can be opened")
        begin = time.perf_counter()
        seen = read(np.asarray(picture, np.uint8))
        times.append((time.perf_counter() - begin) * 1000)
        judged = tally.add(labels, seen)
        if wrong is not None and not judged.exact:
            wrong(np.asarray(picture, np.uint8), judged)
        if progress is not None:
            progress(i + 1)
    return tally, times[WARM_UPS:]


def median_ms(times: Sequence[float]) -> float | None:
    """The median, or None where fewer than fifty readings were timed."""
    return round(float(np.median(times)), 2) if len(times) >= LEAST_TIMED else None


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)


def _labels(path: Path, text: Path, design: str) -> Labels:
    picture = cv2.imread(str(path))
    if picture is None:
        raise FileNotFoundError(f"{path} is not a picture that can be opened")
    size = picture.shape[1], picture.shape[0]
    quads, faces, known = parse_labels(text.read_text(encoding="utf-8"), size, text.name)
    turns = np.where(known, quarter_turns(quads), -1)
    return Labels(path, boxes_xyxy(quads), faces.astype(np.int64), turns, design)


def quarter_turns(quads: NDArray[np.float32]) -> NDArray[np.int64]:
    """By how many quarters (clockwise, 0–3) the faces of quads (n, 4, 2) stand turned."""
    along = quads[:, 1] - quads[:, 0]
    angle = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    return np.asarray(np.round(angle / 90.0) % 4, np.int64)


def _designs(pictures: Path) -> dict[str, str]:
    """File name to design, from the manifest beside the pictures or above them."""
    for folder in (pictures, *list(pictures.parents)[:2]):
        if (folder / MANIFEST).is_file():
            with (folder / MANIFEST).open(newline="", encoding="utf-8") as file:
                return {row["file"]: row.get("design") or "" for row in csv.DictReader(file)}
    return {}


def _parts(labels: Labels, i: int) -> Iterator[tuple[str, str]]:
    """The kinds and parts that label ``i`` is counted in."""
    yield "class", FACE_NAMES[labels.faces[i]]
    low, high = labels.boxes[i, :2], labels.boxes[i, 2:]
    short = float((high - low).min())
    yield "width_px", next(name for limit, name in WIDTHS if short < limit)
    if labels.turns is not None and labels.turns[i] >= 0:
        yield "turn", f"{90 * int(labels.turns[i])}°"
    if labels.design:
        yield "design", labels.design


def _rank(part: str) -> tuple[int, str]:
    """Classes, widths and turns in their own order, designs by name."""
    order = [*FACE_NAMES, *(name for _, name in WIDTHS), "0°", "90°", "180°", "270°"]
    return (order.index(part) if part in order else len(order), part)


def _rate(good: int, of: int) -> float | None:
    return round(good / of, 5) if of else None
