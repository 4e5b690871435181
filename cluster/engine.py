"""Parts of a job as tasks of the Ray cluster that is connected."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import ray
from ray.exceptions import RayTaskError

from datasets.parts import Rows, Work

RETRIES: Final = 10
"""A part whose worker or node dies is given to another one so often."""
AHEAD: Final = 2
"""Parts under way for each core, so that no worker waits for the next one."""


@dataclass(frozen=True, slots=True)
class OnRay:
    """An engine for `datasets.parts`. `workers`: parts at a time, by default two a core."""

    workers: int | None = None

    def run(
        self, work: Work, parts: Iterable[tuple[int, Sequence[Any]]]
    ) -> Iterator[tuple[int, Rows]]:
        at_a_time = self.workers or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(_do)
        shared = ray.put(work)
        left = iter(parts)
        under_way = {task.remote(shared, items): n for n, items in islice(left, at_a_time)}
        try:
            while under_way:
                (done, *_), _ = ray.wait(list(under_way), num_returns=1)
                number = under_way.pop(done)
                try:
                    rows: Rows = ray.get(done)
                except RayTaskError as error:
                    raise error.cause from None  # as if it had been done here
                for following, items in islice(left, 1):
                    under_way[task.remote(shared, items)] = following
                yield number, rows
        finally:
            for task_left in under_way:
                ray.cancel(task_left)


def _do(work: Work, items: Sequence[Any]) -> Rows:
    import cv2

    os.environ.setdefault("HUPAI_THREADS", "1")  # a worker is one core
    cv2.setNumThreads(1)
    return work(items)
