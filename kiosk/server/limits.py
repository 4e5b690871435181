"""How much and how often: bytes of a body, seconds it may take, requests of one client."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from kiosk.server.problems import Problem
from kiosk.server.uploads import MAX_BYTES

BODY_BYTES: Final = 256 * 2**10
FRAME_BYTES: Final = 4 * 2**20
FORM_BYTES: Final = BODY_BYTES
"""What a form may hold beside its picture."""
PAUSE_S: Final = 10.0
WHOLE_S: Final = 60.0
SEND_S: Final = 30.0
DRAINED_BYTES: Final = 64 * 2**20
MOST_CLIENTS: Final = 4096

PICTURES: Final = ("/api/readings", "/api/sights")
FRAMES: Final = re.compile(r"/api/live/[^/]+/frames")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests a second on average, and so many at once."""

    per_s: float
    burst: int


RATES: Final = {"reading": Rate(5, 20), "live": Rate(12, 24), "other": Rate(40, 160)}


def kind_of_request(scope: Scope) -> str:
    """Which of RATES counts."""
    if scope["method"] == "POST" and scope["path"] in PICTURES:
        return "reading"
    return "live" if FRAMES.fullmatch(scope["path"]) else "other"


def most_bytes(scope: Scope) -> int:
    """How long the body of this request may be."""
    kind = kind_of_request(scope)
    if kind == "reading":
        return MAX_BYTES + FORM_BYTES
    return FRAME_BYTES if kind == "live" else BODY_BYTES


class Buckets:
    """A token bucket for each client and kind of request."""

    def __init__(
        self, rates: dict[str, Rate] | None = None, clock: Callable[[], float] | None = None
    ):
        self._rates = RATES if rates is None else rates
        self._clock = clock or time.monotonic
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, client: str, kind: str) -> None:
        """Count one request. Raises Problem `too-often`."""
        rate = self._rates.get(kind)
        if rate is None:
            return
        now = self._clock()
        left, at = self._left.pop((client, kind), (float(rate.burst), now))
        left = min(rate.burst, left + (now - at) * rate.per_s)
        if left < 1:
            self._left[client, kind] = (left, now)
            raise Problem("too-often", seconds=max(1, round((1 - left) / rate.per_s + 0.5)))
        self._left[client, kind] = (left - 1, now)
        while len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)


class Body:
    """`receive` of a request whose body is counted and timed; `problem` says why it ended."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._most = most_bytes(scope)
        self._got = 0
        self._ends = time.monotonic() + WHOLE_S
        self._whole = False
        self.problem: Problem | None = None
        length = Headers(scope=scope).get("content-length", "")
        self._told = int(length) if length.isdigit() else 0

    def check(self) -> None:
        """Raises Problem where the request says by itself that it is too long."""
        if self._told > self._most:
            raise self._too_long()

    async def __call__(self) -> Message:
        if self._whole:  # only the end of the connection is still to come
            return await self._receive()
        try:
            return await self._next()
        except Problem as problem:
            self.problem = problem
            raise

    async def drain(self) -> None:
        """Take and forget what the client still sends, so that it can read the answer."""
        try:
            while not self._whole and self._got < DRAINED_BYTES:
                await self._next(DRAINED_BYTES)
        except Problem:
            pass

    async def _next(self, most: int | None = None) -> Message:
        left_s = min(PAUSE_S, self._ends - time.monotonic())
        try:
            async with asyncio.timeout(max(left_s, 0)):
                message = await self._receive()
        except TimeoutError:
            self._got = DRAINED_BYTES
            raise Problem("too-slow") from None
        self._got += len(message.get("body", b""))
        self._whole = message["type"] != "http.request" or not message.get("more_body", False)
        if self._got > (self._most if most is None else most):
            raise self._too_long()
        return message

    def _too_long(self) -> Problem:
        most = self._most
        limit = f"{most >> 20} MB" if most >= 2**20 else f"{most >> 10} KB"
        return Problem("too-many-bytes", limit=limit)
