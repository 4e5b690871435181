"""Numbered work in parts: by one process or many, here or on a cluster, gone on with when stopped.

A part is a pure function of what it is given, so that it may be done twice and by anybody; what it
answered is a file of its own, put in place in one step. A job that is started again does only the
parts whose files are missing.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2

JOB: Final = "job"
Rows = list[dict[str, Any]]
Work = Callable[[Any], Rows]
Progress = Callable[[int, int], None]


class Engine(Protocol):
    """Who does the parts."""

    def run(
        self, work: Work, parts: Iterable[tuple[int, Sequence[Any]]]
    ) -> Iterator[tuple[int, Rows]]:
        """`work(items)` of each numbered part, in the order in which they are done. `work` and
        items are picklable. What a part raises is raised here."""
        ...


@dataclass(frozen=True, slots=True)
class Local:
    """Processes of this machine; one is this process itself. None: as many as there are cores."""

    processes: int | None = None

    def run(
        self, work: Work, parts: Iterable[tuple[int, Sequence[Any]]]
    ) -> Iterator[tuple[int, Rows]]:
        todo = list(parts)
        workers = min(self.processes or os.cpu_count() or 1, len(todo))
        if workers < 2:
            for number, items in todo:
                yield number, work(items)
            return
        # spawn: OpenCV's threads do not survive a fork.
        context = multiprocessing.get_context("spawn")
        with context.Pool(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
            yield from pool.imap_unordered(_Numbered(work), todo)


@dataclass(frozen=True, slots=True)
class _Numbered:
    work: Work

    def __call__(self, part: tuple[int, Sequence[Any]]) -> tuple[int, Rows]:
        return part[0], self.work(part[1])


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one job and the folder in which their answers lie until it is done.

    `mark` tells this job from others: a folder of another one is begun anew. `size`: items a part.
    """

    folder: Path
    mark: str
    items: Sequence[Any]
    size: int

    def do(self, engine: Engine, work: Work, progress: Progress | None = None) -> None:
        """Do what is missing. Raises OSError where an answer cannot be written."""
        self._prepare()
        numbers = range(-(-len(self.items) // self.size))
        todo = [number for number in numbers if not self._done(number)]
        done = len(self.items) - sum(len(self._items(number)) for number in todo)
        for number, rows in engine.run(work, ((n, self._items(n)) for n in todo)):
            self._put(self._file(number), json.dumps(rows, ensure_ascii=False))
            done += len(rows)
            if progress is not None:
                progress(done, len(self.items))

    def rows(self) -> Iterator[dict[str, Any]]:
        """What every item gave, in the items' order; after `do`."""
        for number in range(-(-len(self.items) // self.size)):
            yield from json.loads(self._file(number).read_text(encoding="utf-8"))

    def clear(self) -> None:
        """Forget the answers: the job is done."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _items(self, number: int) -> Sequence[Any]:
        return self.items[number * self.size : (number + 1) * self.size]

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:06d}.json"

    def _done(self, number: int) -> bool:
        return self._file(number).is_file()

    def _prepare(self) -> None:
        file, mark = self.folder / JOB, f"{self.mark} {len(self.items)} {self.size}"
        if not file.is_file() or file.read_text(encoding="utf-8") != mark:
            self.clear()
            self.folder.mkdir(parents=True)
            self._put(file, mark)

    @staticmethod
    def _put(file: Path, text: str) -> None:
        fresh = file.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(file)


def mark_of(*facts: object) -> str:
    """A job's mark from all that its answers depend on."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:32]


def file_facts(path: Path) -> tuple[str, int, int]:
    """What tells a file from another or from its own later state."""
    about = path.stat()
    return str(path.resolve()), about.st_size, about.st_mtime_ns
