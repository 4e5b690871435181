"""Evaluation in parts: pictures read by many workers, judged one by one, counted in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.parts import Engine, Parts, Progress, file_facts, mark_of
from models import manifest
from training.evaluate import Judged, Labels, Read, Tally, judge
from vision.detector import Detector
from vision.reader import Reader

PART: Final = 10
Wrong = Callable[[NDArray[np.uint8], Judged], None]


def count_spread(
    labels: Sequence[Labels],
    engine: Engine,
    *,
    folder: Path | None = None,
    progress: Progress | None = None,
    wrong: Wrong | None = None,
) -> tuple[Tally, list[float]]:
    """Read every picture with the networks that ship; the tally, and the milliseconds of each.

    `wrong` is shown each picture that is not exact. With `folder` a count that was stopped goes on
    where it was. Raises FileNotFoundError for a picture that cannot be opened.
    """
    tally, times = Tally(), []
    with TemporaryDirectory() as temporary:
        parts = Parts(folder or Path(temporary) / "parts", mark(labels), labels, PART)
        parts.do(engine, read_part, progress)
        for one, row in zip(labels, parts.rows(), strict=True):
            judged = Judged(
                one,
                np.array(row["named"], np.int64),
                np.array(row["sure"], np.float64),
                np.array(row["extra"], np.float32).reshape(-1, 4),
            )
            tally.count(judged)
            times.append(float(row["ms"]))
            if wrong is not None and not judged.exact:
                wrong(_opened(one.path), judged)
        parts.clear()
    return tally, times


def mark(labels: Sequence[Labels]) -> str:
    """Tells this evaluation from others: pictures, labels, networks, version."""
    networks = sorted(model.sha256 for model in manifest().values())
    facts = [(file_facts(one.path), one.boxes.tolist(), one.faces.tolist()) for one in labels]
    return mark_of("evaluate", version("hupai"), networks, facts)


def read_part(labels: Sequence[Labels]) -> list[dict[str, Any]]:
    """How each picture was read, against its labels, as plain data."""
    rows = []
    for one in labels:
        picture = _opened(one.path)
        begin = perf_counter()
        seen = _read()(picture)
        ms = 1e3 * (perf_counter() - begin)
        judged = judge(one, seen)
        rows.append(
            {
                "named": judged.named.tolist(),
                "sure": judged.sure.tolist(),
                "extra": judged.extra.tolist(),
                "ms": ms,
            }
        )
    return rows


@lru_cache(maxsize=1)
def _read() -> Read:
    detector, reader = Detector(), Reader()
    return lambda picture: reader(picture, detector(picture))


def _opened(path: Path) -> NDArray[np.uint8]:
    picture = cv2.imread(str(path))
    if picture is None:
        raise FileNotFoundError(f"{path} is not a picture that can be opened")
    return np.asarray(picture, np.uint8)
