"""Phones that point: at most two, each with its own tracker; only the newest frame is read."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from kiosk.server import uploads
from kiosk.server.eyes import Eyes, Looking
from kiosk.server.pool import Pool
from kiosk.server.problems import Problem
from kiosk.server.readings import Kept, Readings, fresh_id
from scorer import HouseRules, Situation, Tile
from vision.pipeline import Live, Watcher
from vision.sources import Frame
from vision.words import advice_text

MOST: Final = 2
EXPIRES_S: Final = 15.0
RATE: Final = 4
"""Frames a second that a phone should send at most."""


class Phone:
    """One live phone."""

    def __init__(
        self, rules: str, house: HouseRules, situation: Situation, looking: Looking, side: str
    ) -> None:
        self.id = fresh_id()
        self.seen_at = time.monotonic()
        self._facts = (rules, house, situation)
        self._looking = looking
        self._side = side
        self._watcher: Watcher | None = None
        self._eyes: Eyes | None = None
        self._newest = -1
        self._busy = False
        self._waiting: asyncio.Future[bool] | None = None
        self._kept: Kept | None = None
        self._key: tuple[int, ...] = ()

    async def frame(
        self, n: int, data: bytes, pool: Pool, readings: Readings, language: str
    ) -> dict[str, Any]:
        """Read a frame, or answer that it was dropped for a newer one. Raises Problem."""
        self.seen_at = time.monotonic()
        if n <= self._newest or not await self._turn(n):
            return {"n": n, "dropped": True}
        try:
            live = await pool.run(self._look, n, data)
        finally:
            self._hand_on()
        return self._told(n, live, data, readings, language)

    async def _turn(self, n: int) -> bool:
        """Wait until the frame before is read; false when a newer one has come meanwhile."""
        self._newest = n
        if not self._busy:
            self._busy = True
            return True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(False)
        mine = self._waiting = asyncio.get_running_loop().create_future()
        try:
            turn: bool = await mine
            return turn
        except asyncio.CancelledError:
            if mine.done() and mine.result():
                self._hand_on()
            raise

    def _hand_on(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_result(True)
        else:
            self._busy = False

    def _look(self, n: int, data: bytes) -> Live:
        image = uploads.decode(data)
        if self._watcher is None:
            eyes = self._eyes = self._looking.eyes()
            rules, house, situation = self._facts
            self._watcher = Watcher(
                rules,
                situation,
                house,
                detector=eyes.detector,
                reader=eyes.reader,
                profile=eyes.profile,
                side=self._side,
            )
        return self._watcher.look(Frame(image, time.monotonic(), "phone", n))

    def _told(
        self, n: int, live: Live, data: bytes, readings: Readings, language: str
    ) -> dict[str, Any]:
        image, steady, reading = live.frame.image, live.steady, live.reading
        size_wh = (image.shape[1], image.shape[0])
        if steady.settled and reading.hand is not None:
            if self._kept is None or self._key != steady.key:
                rules, house, situation = self._facts
                profile = self._eyes.profile if self._eyes else None
                self._kept = Kept(
                    fresh_id(), data, size_wh, profile, rules, house, situation,
                    reading, reading, situation,
                )  # fmt: skip
                self._key = steady.key
                readings.add(self._kept)
        else:
            self._kept = None
        seen = reading.layout.detections
        kinds = {i: group.kind for group in reading.groups for i in group.tiles}
        return {
            "n": n,
            "dropped": False,
            "width": size_wh[0],
            "height": size_wh[1],
            "moving": steady.moving,
            "settled": steady.settled,
            "tiles": [
                {
                    "tile": Tile(reading.faces.get(i, int(seen.faces[i]))).code,
                    "p": round(float(seen.alternative_p[i, 0]), 3),
                    "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in seen.quads[i]],
                    "kind": kinds.get(i, ""),
                }
                for i in range(len(seen))
            ],
            "hints": [
                {"id": a.id, "text": advice_text(a.id, language), "tile": a.tile}
                for a in reading.advice
            ],
            "reading": None if self._kept is None else self._kept.to_json(language),
        }


class Lives:
    """The phones that are live now. For the event loop only."""

    def __init__(self) -> None:
        self._phones: dict[str, Phone] = {}

    @property
    def free(self) -> int:
        """How many more phones may be live."""
        self._end_old()
        return MOST - len(self._phones)

    def start(self, phone: Phone) -> None:
        """Raises Problem `live-full`."""
        if self.free <= 0:
            first = min(other.seen_at for other in self._phones.values())
            left = max(1, round(first + EXPIRES_S - time.monotonic()))
            raise Problem("live-full", seconds=left)
        self._phones[phone.id] = phone

    def get(self, id: str) -> Phone:
        """Raises Problem `no-session`."""
        self._end_old()
        if id not in self._phones:
            raise Problem("no-session")
        return self._phones[id]

    def end(self, id: str) -> None:
        self._phones.pop(id, None)

    def _end_old(self) -> None:
        now = time.monotonic()
        for id, phone in list(self._phones.items()):
            if now - phone.seen_at > EXPIRES_S:
                del self._phones[id]
