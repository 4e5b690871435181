"""Rendered data sets on disk: many pictures, all cores, the same bytes for the same seed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from datasets.bank import FaceBank
from datasets.labelled import LabelledPicture
from datasets.parts import Engine, Local, Parts, mark_of
from datasets.scenes import PRESETS, Scene, render_scene
from datasets.yolo import write_labels

QUALITY = 95
PART = 10
"""Pictures that are rendered at a time by one worker."""
PARTS = ".parts"
TRUTH = "truth.jsonl"
"""One line a picture: file, hand text, what the picture cannot tell, and each label's role."""


@dataclass(frozen=True, slots=True)
class RenderJob:
    """What to render. ``size`` (width, height) in pixels; ``hands`` overrides the preset's share
    of finished hands. ``shared`` adds the drawings of the shared folder to our own faces.

    Raises ValueError for an unknown preset or a size that makes no sense.
    """

    count: int
    preset: str = "phone"
    seed: int = 0
    size: tuple[int, int] = (640, 640)
    hands: float | None = None
    split: str = "train"
    shared: bool = False

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise ValueError(f"unknown preset {self.preset!r}: {', '.join(PRESETS)}")
        if min(self.size) < 64 or max(self.size) > 4096:
            raise ValueError(f"a picture of {self.size[0]} × {self.size[1]} pixels is not sensible")
        if self.count < 0:
            raise ValueError(f"cannot render {self.count} pictures")

    def bank(self) -> FaceBank:
        return FaceBank.shared() if self.shared else FaceBank.own()

    def scene(self, index: int, bank: FaceBank) -> Scene:
        """Picture ``index``; it depends on seed, preset and index alone."""
        place = list(PRESETS).index(self.preset)
        rng = np.random.default_rng([self.seed, place, index])
        return render_scene(rng, bank, size=self.size, preset=self.preset, hands=self.hands)

    @property
    def design(self) -> str:
        # Every picture has its own design: what must not leak is the seed.
        return f"rendered {self.preset} {self.seed}"

    @property
    def session(self) -> str:
        return f"{self.preset}-{self.seed}"

    def name(self, index: int) -> str:
        return f"{self.preset}_{self.seed}_{index:05d}.jpg"


class Job(Protocol):
    """Numbered pictures to render; what the workers are given, so it must be picklable."""

    @property
    def count(self) -> int: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def split(self) -> str: ...
    @property
    def design(self) -> str: ...
    @property
    def session(self) -> str: ...

    def __hash__(self) -> int: ...
    def __repr__(self) -> str:
        """Tells this job from others."""
        ...

    def bank(self) -> FaceBank:
        """The faces; made once in each process."""
        ...

    def scene(self, index: int, bank: FaceBank) -> Scene: ...

    def name(self, index: int) -> str: ...


def render_folder(
    job: Job,
    folder: Path,
    *,
    processes: int | None = None,
    engine: Engine | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[LabelledPicture]:
    """Render into a YOLO pose folder and return its labels.

    `engine` does the work, by default `processes` of this machine (all cores); the files are the
    same whoever does it. A rendering that was stopped goes on where it was. `progress(done, count)`
    is called after each part. Raises OSError when a picture cannot be written.
    """
    (folder / job.split / "images").mkdir(parents=True, exist_ok=True)
    mark = mark_of(job, version("hupai"))
    parts = Parts(folder / PARTS, mark, range(job.count), PART)
    parts.do(engine or Local(processes), partial(render_part, job, folder), progress)
    for half_written in (folder / job.split / "images").glob("*.new"):
        half_written.unlink(missing_ok=True)  # of a process that was killed while it wrote
    pictures: list[LabelledPicture] = []
    with (folder / TRUTH).open("w", encoding="utf-8") as truth:
        for row in parts.rows():
            pictures.append(_picture(job, folder, row))
            truth.write(json.dumps(row["truth"], ensure_ascii=False) + "\n")
    if missing := next((p.path for p in pictures if not p.path.is_file()), None):
        parts.clear()
        raise FileNotFoundError(
            f"{missing} is not here: on a cluster the folder must be one that all nodes share"
        )
    write_labels(folder, pictures, pose=True)
    parts.clear()
    return pictures


@lru_cache(maxsize=2)
def _bank(job: Job) -> FaceBank:
    return job.bank()


def render_part(job: Job, folder: Path, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Render these pictures of the job; what is known of each, as plain data."""
    return [_one(job, folder, number) for number in numbers]


def _one(job: Job, folder: Path, index: int) -> dict[str, Any]:
    scene = job.scene(index, _bank(job))
    path = folder / job.split / "images" / job.name(index)
    ok, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not ok:
        raise OSError(f"{path} could not be encoded")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}.new")  # two may render it at a time, with equal bytes
    fresh.write_bytes(data.tobytes())
    fresh.replace(path)
    truth = {
        "file": path.name,
        "hand": scene.hand,
        "asks": list(scene.asks),
        "roles": list(scene.roles),
        "hidden": scene.hidden.round(1).tolist(),
    }
    return {"truth": truth, "quads": scene.quads.tolist(), "faces": scene.faces.tolist()}


def _picture(job: Job, folder: Path, row: dict[str, Any]) -> LabelledPicture:
    faces = np.array(row["faces"], np.int64)
    return LabelledPicture(
        folder / job.split / "images" / row["truth"]["file"],
        job.size,
        np.array(row["quads"], np.float32).reshape(-1, 4, 2),
        faces,
        np.ones(len(faces), bool),
        split=job.split,
        design=job.design,
        session=job.session,
        hand=row["truth"]["hand"],
    )
