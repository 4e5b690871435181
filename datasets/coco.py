"""COCO files: one JSON per data set, category ids 1 … 43, corners as polygon and keypoints."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.labelled import CLASS_NAMES, LabelledPicture, box_quads, refuse_leaks

KEYPOINTS = ["top-left", "top-right", "bottom-right", "bottom-left"]


class CocoError(ValueError):
    """A COCO file that lacks what it needs."""


def to_coco(pictures: Sequence[LabelledPicture]) -> dict[str, Any]:
    """The data set as a COCO object; raises LeakError when the splits leak."""
    refuse_leaks(pictures)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, p in enumerate(pictures, 1):
        image: dict[str, Any] = {
            "id": number,
            "file_name": str(p.path),
            "width": p.size[0],
            "height": p.size[1],
            "split": p.split,
            "design": p.design,
            "session": p.session,
        }
        if p.hand is not None:
            image["hand"] = p.hand
        images.append(image)
        for quad, box, face, known in zip(p.quads, p.boxes, p.faces, p.corners_known, strict=True):
            x1, y1, x2, y2 = (round(float(v), 3) for v in box)
            entry: dict[str, Any] = {
                "id": len(annotations) + 1,
                "image_id": number,
                "category_id": int(face) + 1,
                "bbox": [x1, y1, round(x2 - x1, 3), round(y2 - y1, 3)],
                "area": round(float(abs(cv2.contourArea(quad))), 3),
                "iscrowd": 0,
            }
            if known:
                corners = [[round(float(x), 3), round(float(y), 3)] for x, y in quad]
                entry["segmentation"] = [[v for corner in corners for v in corner]]
                entry["keypoints"] = [v for corner in corners for v in (*corner, 2)]
                entry["num_keypoints"] = 4
            annotations.append(entry)
    return {
        "images": images,
        "annotations": annotations,
        "categories": [
            {"id": k + 1, "name": name, "supercategory": "tile", "keypoints": KEYPOINTS}
            for k, name in enumerate(CLASS_NAMES)
        ],
    }


def from_coco(data: dict[str, Any], folder: Path = Path()) -> list[LabelledPicture]:
    """Pictures of a COCO object; relative file names are looked up in ``folder``.

    Categories are matched by name (hand-text code). Raises CocoError.
    """
    try:
        faces = {c["id"]: _face(str(c["name"])) for c in data["categories"]}
        by_image: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for entry in data["annotations"]:
            by_image[entry["image_id"]].append(entry)
        return [_picture(image, by_image[image["id"]], faces, folder) for image in data["images"]]
    except KeyError as missing:
        raise CocoError(f"the COCO file lacks {missing}") from None


def _face(name: str) -> int:
    try:
        return CLASS_NAMES.index(name)
    except ValueError:
        raise CocoError(f"{name!r} is not a tile code (1m … 8f, 0b)") from None


def _picture(
    image: dict[str, Any], entries: list[dict[str, Any]], faces: dict[int, int], folder: Path
) -> LabelledPicture:
    quads, ids, known = [], [], []
    for entry in entries:
        points = np.array(entry.get("keypoints", []), np.float32).reshape(-1, 3)
        outline = entry.get("segmentation")
        if len(points) == 4 and (points[:, 2] > 0).all():
            quads.append(points[:, :2])
            known.append(True)
        elif isinstance(outline, list) and len(outline) == 1 and len(outline[0]) == 8:
            quads.append(np.array(outline[0], np.float32).reshape(4, 2))
            known.append(True)
        else:
            x, y, w, h = entry["bbox"]
            quads.append(box_quads(np.array([x, y, x + w, y + h]))[0])
            known.append(False)
        if entry["category_id"] not in faces:
            raise CocoError(f"no category {entry['category_id']}")
        ids.append(faces[entry["category_id"]])
    return LabelledPicture(
        folder / image["file_name"],
        (int(image["width"]), int(image["height"])),
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(ids, np.int64),
        np.array(known, bool),
        split=image.get("split", "train"),
        design=image.get("design", ""),
        session=image.get("session", ""),
        hand=image.get("hand"),
    )


def write_coco(path: Path, pictures: Sequence[LabelledPicture]) -> None:
    """Write one COCO file. Raises LeakError before anything is written."""
    data = to_coco(pictures)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_coco(path: Path) -> list[LabelledPicture]:
    """Read one COCO file. Raises CocoError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as problem:
        raise CocoError(f"{path} is not JSON: {problem}") from None
    return from_coco(data, path.parent)
