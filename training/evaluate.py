"""How well tiles are read: counts over a folder of labelled pictures, by design.md's
definitions. Runs without torch."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections, boxes_xyxy

BACK = 42
BONUS = range(34, 42)
SAME_BOX = 0.5
SURE = 0.9
WARM_UPS = 20
LEAST_TIMED = 50
PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})

Read = Callable[[NDArray[np.uint8]], Detections]


@dataclass(frozen=True, slots=True)
class Labels:
    """A picture's truth: ``boxes`` (n, 4) pixels x1 y1 x2 y2 and ``faces`` (n,); backs are 42."""

    path: Path
    boxes: NDArray[np.float32]
    faces: NDArray[np.int64]


@dataclass(slots=True)
class Tally:
    """Counts over pictures; rates follow from them."""

    pictures: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    extra: int = 0
    exact: int = 0
    bonus: int = 0
    bonus_right: int = 0
    confusions: Counter[tuple[int, int]] = field(default_factory=Counter)
    missed: Counter[int] = field(default_factory=Counter)
    sure: list[tuple[float, bool]] = field(default_factory=list)
    wrong_pictures: list[str] = field(default_factory=list)

    def add(self, labels: Labels, seen: Detections) -> None:
        """Count one picture."""
        shown = np.flatnonzero(seen.faces != BACK)
        wanted = np.flatnonzero(labels.faces != BACK)
        pairs, stray = match(labels.boxes, boxes_xyxy(seen.quads[shown]), seen.scores[shown])
        partner = dict(pairs)
        right = 0
        for i in wanted:
            face = int(labels.faces[i])
            self.bonus += face in BONUS
            if int(i) not in partner:
                self.missed[face] += 1
                continue
            j = int(shown[partner[int(i)]])
            named = int(seen.faces[j])
            self.found += 1
            self.sure.append((float(seen.alternative_p[j, 0]), named == face))
            if named == face:
                right += 1
                self.bonus_right += face in BONUS
            else:
                self.confusions[face, named] += 1
        self.pictures += 1
        self.tiles += len(wanted)
        self.right += right
        self.extra += len(stray)
        if right == len(wanted) and not stray:
            self.exact += 1
        else:
            self.wrong_pictures.append(labels.path.name)

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
    found = [
        _labels(path, labels / f"{path.stem}.txt")
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
    read: Read, pictures: Iterable[Labels], progress: Callable[[int], None] | None = None
) -> tuple[Tally, list[float]]:
    """Read every picture; the tally, and the milliseconds of each reading after the warm-ups."""
    tally, times = Tally(), []
    for i, labels in enumerate(pictures):
        picture = cv2.imread(str(labels.path))
        if picture is None:
            raise FileNotFoundError(f"{labels.path} is not a picture that can be opened")
        begin = time.perf_counter()
        seen = read(np.asarray(picture, np.uint8))
        times.append((time.perf_counter() - begin) * 1000)
        tally.add(labels, seen)
        if progress is not None:
            progress(i + 1)
    return tally, times[WARM_UPS:]


def median_ms(times: Sequence[float]) -> float | None:
    """The median, or None where fewer than fifty readings were timed."""
    return round(float(np.median(times)), 2) if len(times) >= LEAST_TIMED else None


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_ENDINGS)


def _labels(path: Path, text: Path) -> Labels:
    picture = cv2.imread(str(path))
    if picture is None:
        raise FileNotFoundError(f"{path} is not a picture that can be opened")
    height, width = picture.shape[:2]
    rows = []
    for number, line in enumerate(text.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = [float(word) for word in line.split()[:5]]
            if len(row) < 5 or not 0 <= row[0] <= BACK:
                raise ValueError
        except ValueError:
            raise ValueError(
                f"{text.name}, line {number}: {line.strip()!r} is not 'class xc yc w h', class 0–42"
            ) from None
        rows.append(row)
    data = np.array(rows, np.float64).reshape(-1, 5)
    centre, half = data[:, 1:3] * [width, height], data[:, 3:5] * [width, height] / 2
    return Labels(
        path,
        np.concatenate([centre - half, centre + half], axis=1).astype(np.float32),
        data[:, 0].astype(np.int64),
    )


def _rate(good: int, of: int) -> float | None:
    return round(good / of, 5) if of else None
