"""The fixed camera: watched by a thread of its own, its settled hand kept as a reading."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from calibration.moved import Camera as Verdict
from calibration.profile import Profile
from kiosk.calibrate.table import sentinel
from kiosk.server import uploads
from kiosk.server.eyes import Looking
from kiosk.server.hub import Hub
from kiosk.server.problems import Problem
from kiosk.server.readings import Kept, Readings, fresh_id
from scorer import HouseRules, Situation
from vision import watch
from vision.decode import decode
from vision.pipeline import Live
from vision.sources import SourceError
from vision.words import advice_text

AGAIN_S: Final = 5.0
"""After so long a camera that was lost is tried again."""
QUALITY: Final = 80
OFF, STARTING, WATCHING, LOST = "off", "starting", "watching", "lost"


@dataclass(frozen=True, slots=True)
class _Task:
    """What to watch, and how to read it."""

    source: str
    side: str
    rules: str
    house: HouseRules
    eyes: int


class Camera:
    """Begins and ends with `use`; the rest only looks at what the thread has found."""

    def __init__(self, looking: Looking, readings: Readings, hub: Hub) -> None:
        self._looking = looking
        self._readings = readings
        self._hub = hub
        self._task: _Task | None = None
        self._stop = threading.Event()
        self._changed = threading.Condition()
        self._live: Live | None = None
        self._jpeg: tuple[int, bytes] = (-1, b"")
        self._frames = 0
        self._settled: Kept | None = None
        self._settled_key: tuple[int, ...] = ()
        self._number = 0
        self._moved = False
        self.state = OFF
        self.trouble = ""

    def use(
        self,
        source: str,
        side: str,
        rules: str,
        house: HouseRules,
        situation: Callable[[], Situation],
    ) -> None:
        """Watch this source from now on; an empty one ends the watching."""
        task = _Task(source, side, rules, house, self._looking.version) if source else None
        if task == self._task:
            return
        self._stop.set()
        self._stop = threading.Event()
        self._task = task
        self._live, self._settled, self._frames = None, None, 0
        self.state, self.trouble = (STARTING if task else OFF), ""
        if task is not None:
            threading.Thread(
                target=self._run,
                args=(task, situation, self._stop),
                name="hupai-camera",
                daemon=True,
            ).start()

    def close(self) -> None:
        self._stop.set()

    def to_json(self, language: str, *, reading: bool = True) -> dict[str, Any]:
        """What the camera sees now (docs/http.md)."""
        live, kept = self._live, self._settled
        data: dict[str, Any] = {
            "camera": self.state,
            "trouble": self.trouble,
            "settled": kept is not None,
            "moving": bool(live and live.steady.moving),
            "moved": self._moved,
            "number": self._number,
            "hints": [
                {"id": a.id, "text": advice_text(a.id, language), "tile": a.tile}
                for a in (live.reading.advice if live else ())
            ],
        }
        if reading:
            data["reading"] = None if kept is None else kept.to_json(language)
        return data

    def snapshot(self, after: int = -1, wait_s: float = 0.0) -> tuple[int, bytes]:
        """Number and JPEG of the newest frame, waiting for one after `after`.

        Raises Problem where there is no camera or no picture. Blocks; for a worker thread.
        """
        if self._task is None:
            raise Problem("no-camera")
        with self._changed:
            self._changed.wait_for(lambda: self._frames > after + 1 or self._stop.is_set(), wait_s)
            live, number = self._live, self._frames - 1
            if live is None:
                raise Problem("no-picture-yet", seconds=2, why=self.trouble or self.state)
            if self._jpeg[0] != number:
                self._jpeg = (number, uploads.jpeg(live.frame.image, QUALITY))
            return self._jpeg

    def _run(self, task: _Task, situation: Callable[[], Situation], stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self._watch(task, situation, stop)
                why = "the source has ended"
            except SourceError as error:
                why = f"{error}"
            except Problem as problem:
                why = problem.to_json("en")["detail"]
            except Exception as error:  # a camera that fails must not take the table with it
                why = f"{type(error).__name__}: {error}"
            self._lose(why, stop)
            stop.wait(AGAIN_S)

    def _lose(self, why: str, stop: threading.Event) -> None:
        if not stop.is_set():
            self.state, self.trouble = LOST, why
            self._tell()

    def _watch(
        self, task: _Task, situation: Callable[[], Situation], stop: threading.Event
    ) -> None:
        eyes = self._looking.eyes()
        guard = sentinel(eyes.profile)
        frames = watch(
            task.source,
            task.rules,
            None,
            task.house,
            detector=eyes.detector,
            reader=eyes.reader,
            profile=eyes.profile,
            live=True,
            side=task.side,
            lost=lambda why: self._lose(why, stop),
        )
        began = time.monotonic()
        with closing(frames):  # type: ignore[type-var]
            for live in frames:
                # A recorded clip is watched at its own pace.
                if stop.wait(max(0.0, began + live.frame.time_s - time.monotonic())):
                    return
                seen = guard.look(live.frame.image, live.frame.time_s) if guard else None
                self._moved = seen is not None and seen.verdict is Verdict.MOVED
                self._take(live, task, situation, eyes.profile)

    def _take(
        self,
        live: Live,
        task: _Task,
        situation: Callable[[], Situation],
        profile: Profile | None,
    ) -> None:
        news = self.state != WATCHING
        self.state, self.trouble = WATCHING, ""
        with self._changed:
            self._live = live
            self._frames += 1
            self._changed.notify_all()
        steady = live.steady
        if steady.settled and live.reading.hand is not None:
            if self._settled is None or self._settled_key != steady.key:
                self._settled = self._keep(live, task, situation(), profile)
                self._settled_key = steady.key
                self._number += 1
                news = True
        elif not steady.moving and not live.reading.text and self._settled is not None:
            self._settled = None  # the tiles are gone; a hand that passes over takes nothing away
            self._number += 1
            news = True
        if news:
            self._tell()

    def _keep(self, live: Live, task: _Task, situation: Situation, profile: Profile | None) -> Kept:
        image, seen = live.frame.image, live.reading
        reading = decode(seen.layout, task.rules, situation, task.house).with_picture(
            seen.advice, seen.timings_ms, seen.profile
        )
        kept = Kept(
            fresh_id(), uploads.jpeg(image, 92), (image.shape[1], image.shape[0]), profile,
            task.rules, task.house, situation, reading, reading, situation, straight=True,
        )  # fmt: skip
        self._readings.add(kept)
        return kept

    def _tell(self) -> None:
        self._hub.tell("kiosk")
