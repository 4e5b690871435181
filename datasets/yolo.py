"""YOLO folders, detect and pose: ``images/``, ``labels/``, ``data.yaml`` and a manifest.

A label line is ``class xc yc w h``, normalised; in pose form four corners ``x y v`` follow, top
left, top right, bottom right, bottom left of the face, with v = 0 where they are not known.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.labelled import CLASS_NAMES, LabelledPicture, box_quads, refuse_leaks
from datasets.pictures import Floats

MANIFEST = "manifest.csv"
FIELDS = ("split", "file", "session", "design", "width", "height", "tiles", "hand")
PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})


class YoloError(ValueError):
    """A label file that cannot be understood; the text names file and line."""


def label_lines(picture: LabelledPicture, *, pose: bool) -> list[str]:
    """The label file's lines; coordinates with six decimals."""
    scale = np.array(picture.size, np.float64)
    lines = []
    for quad, box, face, known in zip(
        picture.quads, picture.boxes, picture.faces, picture.corners_known, strict=True
    ):
        low, high = box[:2] / scale, box[2:] / scale
        values = [*((low + high) / 2), *(high - low)]
        text = [str(int(face)), *(f"{v:.6f}" for v in values)]
        if pose:
            for x, y in quad / scale if known else np.zeros((4, 2)):
                text += [f"{x:.6f}", f"{y:.6f}", "2" if known else "0"]
        lines.append(" ".join(text))
    return lines


def parse_labels(
    text: str, size: tuple[int, int], name: str = "labels"
) -> tuple[Floats, Floats, Floats]:
    """Quads (n, 4, 2) in pixels, faces (n,), corners known (n,). Raises YoloError."""
    quads, faces, known = [], [], []
    width, height = size
    scale = np.array([width, height], np.float64)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            values = [float(v) for v in line.split()]
        except ValueError:
            raise YoloError(f"{name}, line {number}: not all numbers: {line!r}") from None
        if len(values) not in (5, 17):
            raise YoloError(
                f"{name}, line {number}: {len(values)} numbers; "
                "a box has 5, a box with four corners 17"
            )
        if values[0] != int(values[0]) or not 0 <= values[0] < len(CLASS_NAMES):
            raise YoloError(f"{name}, line {number}: no class {values[0]:g}")
        x, y, w, h = values[1:5]
        corners = np.array(values[5:]).reshape(-1, 3)
        seen = len(corners) == 4 and bool((corners[:, 2] > 0).all())
        if seen:
            quads.append(corners[:, :2] * scale)
        else:
            box = np.array([x - w / 2, y - h / 2, x + w / 2, y + h / 2]) * np.tile(scale, 2)
            quads.append(box_quads(box)[0].astype(np.float64))
        faces.append(int(values[0]))
        known.append(seen)
    return (
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(faces, np.int64),
        np.array(known, bool),
    )


def write_labels(folder: Path, pictures: Sequence[LabelledPicture], *, pose: bool = True) -> None:
    """Write labels, ``data.yaml`` and the manifest of pictures that already lie in ``folder``.

    A picture of split S is expected at ``S/images/NAME``. Raises LeakError before anything is
    written when the splits leak.
    """
    refuse_leaks(pictures)
    splits = sorted({p.split for p in pictures})
    for split in splits:
        (folder / split / "labels").mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        target = folder / picture.split / "labels" / f"{picture.path.stem}.txt"
        lines = label_lines(picture, pose=pose)
        target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    _write_yaml(folder, splits, pose)
    with (folder / MANIFEST).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(FIELDS)
        for p in pictures:
            rows.writerow(
                [p.split, p.path.name, p.session, p.design, *p.size, len(p.faces), p.hand or ""]
            )


def write_yolo(folder: Path, pictures: Sequence[LabelledPicture], *, pose: bool = True) -> None:
    """Copy the pictures into a YOLO folder and label them. Raises LeakError."""
    refuse_leaks(pictures)
    names: set[tuple[str, str]] = set()
    for picture in pictures:
        if (picture.split, picture.path.stem) in names:
            raise ValueError(
                f"two pictures of split {picture.split} are called {picture.path.stem}"
            )
        names.add((picture.split, picture.path.stem))
    for picture in pictures:
        target = folder / picture.split / "images" / picture.path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.resolve() != picture.path.resolve():
            shutil.copyfile(picture.path, target)
    write_labels(folder, pictures, pose=pose)


def _write_yaml(folder: Path, splits: Iterable[str], pose: bool) -> None:
    lines = [f"{split}: {split}/images" for split in splits]
    if pose:
        # No flip_idx: a mirrored face is a face that does not exist.
        lines.append("kpt_shape: [4, 3]")
    lines.append("names:")
    lines += [f"  {k}: {name}" for k, name in enumerate(CLASS_NAMES)]
    (folder / "data.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_yolo(folder: Path) -> list[LabelledPicture]:
    """Every picture of a YOLO folder, with or without splits and manifest, by name.

    Raises FileNotFoundError without pictures and YoloError for labels that make no sense. A
    picture without label file has no tiles.
    """
    about = _manifest(folder)
    found = []
    for images in _image_folders(folder):
        split = images.parent.name if images.parent != folder else "train"
        if images.name != "images" and images.parent.name == "images":
            split = images.name
        for path in sorted(images.iterdir()):
            if path.suffix.lower() in PICTURE_SUFFIXES:
                found.append(_read_one(path, split, about.get((split, path.name), {})))
    if not found:
        raise FileNotFoundError(f"no pictures in {folder}: expected images/ and labels/ there")
    return found


def _image_folders(folder: Path) -> list[Path]:
    """images/ · images/SPLIT/ · SPLIT/images/ · the folder itself."""
    direct = folder / "images"
    if direct.is_dir():
        inner = sorted(p for p in direct.iterdir() if p.is_dir())
        return inner or [direct]
    splits = sorted(p for p in folder.glob("*/images") if p.is_dir())
    return splits or [folder]


def _read_one(path: Path, split: str, row: dict[str, str]) -> LabelledPicture:
    parts = list(path.parent.parts)
    if "images" in parts:
        at = len(parts) - 1 - parts[::-1].index("images")
        parts[at] = "labels"
    labels = Path(*parts) / f"{path.stem}.txt"
    size = (int(row["width"]), int(row["height"])) if row.get("width") else picture_size(path)
    text = labels.read_text(encoding="utf-8") if labels.is_file() else ""
    quads, faces, known = parse_labels(text, size, labels.name)
    return LabelledPicture(
        path,
        size,
        quads,
        faces,
        known,
        split=split,
        design=row.get("design", ""),
        session=row.get("session", ""),
        hand=row.get("hand") or None,
    )


def picture_size(path: Path) -> tuple[int, int]:
    """(width, height) of a picture file. Raises ValueError when it cannot be opened."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{path} is not a picture that can be opened")
    return picture.shape[1], picture.shape[0]


def _manifest(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["split"], row["file"]): row for row in csv.DictReader(file)}
