"""Label Studio: tasks to correct labels by hand, and its JSON export read back.

Coordinates there are per cent of the picture. Boxes may be turned about their top left corner
(``rotation`` in degrees, clockwise); polygons of four points are corners in face order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qs, unquote, urlparse

import numpy as np

from datasets.labelled import CLASS_NAMES, LabelledPicture, box_quads
from datasets.pictures import Floats

CONFIG = (
    "<View>\n"
    '  <Image name="image" value="$image"/>\n'
    '  <PolygonLabels name="corners" toName="image">\n'
    + "".join(f'    <Label value="{code}"/>\n' for code in CLASS_NAMES)
    + "  </PolygonLabels>\n"
    '  <RectangleLabels name="box" toName="image">\n'
    + "".join(f'    <Label value="{code}"/>\n' for code in CLASS_NAMES)
    + "  </RectangleLabels>\n</View>\n"
)
"""The labelling interface that goes with the tasks."""


class LabelStudioError(ValueError):
    """An export that cannot be understood."""


def to_tasks(pictures: Sequence[LabelledPicture], prefix: str = "") -> list[dict[str, Any]]:
    """Tasks whose annotations are the labels; ``prefix`` goes before each file name."""
    tasks = []
    for p in pictures:
        width, height = p.size
        scale = np.array([width, height]) / 100
        result = []
        for k, (quad, box, face, known) in enumerate(
            zip(p.quads, p.boxes, p.faces, p.corners_known, strict=True)
        ):
            code = CLASS_NAMES[int(face)]
            common = {
                "id": f"tile-{k}",
                "to_name": "image",
                "original_width": width,
                "original_height": height,
            }
            if known:
                points = [[round(float(v), 5) for v in corner] for corner in quad / scale]
                value: dict[str, Any] = {"points": points, "polygonlabels": [code]}
                result.append(
                    common | {"from_name": "corners", "type": "polygonlabels", "value": value}
                )
            else:
                low, high = box[:2] / scale, box[2:] / scale
                value = {
                    "x": round(float(low[0]), 5),
                    "y": round(float(low[1]), 5),
                    "width": round(float(high[0] - low[0]), 5),
                    "height": round(float(high[1] - low[1]), 5),
                    "rotation": 0,
                    "rectanglelabels": [code],
                }
                result.append(
                    common | {"from_name": "box", "type": "rectanglelabels", "value": value}
                )
        data = {
            "image": prefix + p.path.name,
            "width": width,
            "height": height,
            "split": p.split,
            "design": p.design,
            "session": p.session,
        }
        tasks.append({"data": data, "annotations": [{"result": result}]})
    return tasks


def from_tasks(tasks: Sequence[dict[str, Any]], folder: Path = Path()) -> list[LabelledPicture]:
    """Pictures of an export; of several annotations of a task the last that was not cancelled.

    Raises LabelStudioError.
    """
    try:
        return [_picture(task, folder) for task in tasks]
    except (KeyError, IndexError, TypeError) as problem:
        raise LabelStudioError(f"the export lacks {problem}") from None


def _picture(task: dict[str, Any], folder: Path) -> LabelledPicture:
    data = task["data"]
    kept = [a for a in task.get("annotations", []) if not a.get("was_cancelled")]
    result = kept[-1]["result"] if kept else []
    size = (int(data.get("width", 0)), int(data.get("height", 0)))
    quads, faces, known = [], [], []
    for entry in result:
        value = entry["value"]
        if entry["type"] not in ("polygonlabels", "rectanglelabels"):
            continue
        size = (int(entry["original_width"]), int(entry["original_height"]))
        code = value[entry["type"]][0]
        if code not in CLASS_NAMES:
            raise LabelStudioError(f"{code!r} is not a tile code (1m … 8f, 0b)")
        quad, sure = _quad(entry["type"], value, size)
        quads.append(quad)
        known.append(sure)
        faces.append(CLASS_NAMES.index(code))
    if min(size) <= 0:
        raise LabelStudioError(f"the size of {data['image']} is not known")
    return LabelledPicture(
        folder / _file_name(str(data["image"])),
        size,
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(faces, np.int64),
        np.array(known, bool),
        split=data.get("split", "train"),
        design=data.get("design", ""),
        session=data.get("session", ""),
    )


def _quad(kind: str, value: dict[str, Any], size: tuple[int, int]) -> tuple[Floats, bool]:
    scale = np.array(size) / 100
    if kind == "polygonlabels":
        points = np.array(value["points"], np.float64) * scale
        if len(points) != 4:
            raise LabelStudioError(f"a tile has four corners, but a polygon has {len(points)}")
        return points, True
    x, y = value["x"] * scale[0], value["y"] * scale[1]
    w, h = value["width"] * scale[0], value["height"] * scale[1]
    turn = np.deg2rad(value.get("rotation", 0))
    if turn == 0:
        return box_quads(np.array([x, y, x + w, y + h]))[0], False
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]])
    return corners @ np.array([[c, s], [-s, c]]) + np.array([x, y]), True


def _file_name(text: str) -> str:
    """The file's name out of a URL, an upload path or ``?d=`` of local storage."""
    parsed = urlparse(text)
    local = parse_qs(parsed.query).get("d")
    return PurePosixPath(unquote(local[0] if local else parsed.path)).name


def write_tasks(path: Path, pictures: Sequence[LabelledPicture], prefix: str = "") -> None:
    """Write tasks to import, and the labelling interface beside them as ``.xml``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    tasks = to_tasks(pictures, prefix)
    path.write_text(json.dumps(tasks, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".xml").write_text(CONFIG, encoding="utf-8")


def read_tasks(path: Path, folder: Path | None = None) -> list[LabelledPicture]:
    """Read a JSON export; pictures are looked up in ``folder`` (default: beside the file)."""
    try:
        tasks = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as problem:
        raise LabelStudioError(f"{path} is not JSON: {problem}") from None
    if not isinstance(tasks, list):
        raise LabelStudioError(f"{path} is not a list of tasks")
    return from_tasks(tasks, path.parent if folder is None else folder)
