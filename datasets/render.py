"""Rendered data sets on disk: many pictures, all cores, the same bytes for the same seed."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from datasets.bank import FaceBank
from datasets.labelled import LabelledPicture
from datasets.scenes import PRESETS, Scene, render_scene
from datasets.yolo import write_labels

QUALITY = 95
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
    progress: Callable[[int, int], None] | None = None,
) -> list[LabelledPicture]:
    """Render into a YOLO pose folder and return its labels.

    ``progress(done, count)`` is called after each picture. ``processes`` defaults to all cores.
    Raises OSError when a picture cannot be written.
    """
    (folder / job.split / "images").mkdir(parents=True, exist_ok=True)
    pictures: list[LabelledPicture] = []
    with (folder / TRUTH).open("w", encoding="utf-8") as truth:
        for picture, line in _made(job, folder, processes or os.cpu_count() or 1):
            pictures.append(picture)
            truth.write(json.dumps(line, ensure_ascii=False) + "\n")
            if progress is not None:
                progress(len(pictures), job.count)
    write_labels(folder, pictures, pose=True)
    return pictures


_Made = tuple[LabelledPicture, dict[str, Any]]


def _made(job: Job, folder: Path, processes: int) -> Iterator[_Made]:
    make = partial(_one, job, folder)
    if processes == 1 or job.count < 2:
        yield from map(make, range(job.count))
        return
    # spawn: OpenCV's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    workers = min(processes, job.count)
    with context.Pool(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.imap(make, range(job.count), chunksize=4)


@lru_cache(maxsize=2)
def _bank(job: Job) -> FaceBank:
    return job.bank()


def _one(job: Job, folder: Path, index: int) -> _Made:
    scene = job.scene(index, _bank(job))
    path = folder / job.split / "images" / job.name(index)
    ok, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not ok:
        raise OSError(f"{path} could not be encoded")
    path.write_bytes(data.tobytes())
    picture = LabelledPicture(
        path,
        job.size,
        scene.quads,
        scene.faces,
        np.ones(len(scene.faces), bool),
        split=job.split,
        design=job.design,
        session=job.session,
        hand=scene.hand,
    )
    line = {
        "file": path.name,
        "hand": scene.hand,
        "asks": list(scene.asks),
        "roles": list(scene.roles),
        "hidden": scene.hidden.round(1).tolist(),
    }
    return picture, line
