"""Work that keeps a core busy: a few threads, a short queue, and a clear no when it is full."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from kiosk.server.problems import Problem

WORKERS: Final = 2
WAITING: Final = 12
"""Jobs that may wait; a picture is read in a fraction of a second."""
RETRY_S: Final = 2

P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """Runs functions in threads. To be used from one event loop."""

    def __init__(self, workers: int = WORKERS, waiting: int = WAITING) -> None:
        self._threads = ThreadPoolExecutor(workers, "hupai-read")
        self._room = workers + waiting
        self._busy = 0

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work(…)`. Raises Problem `busy` when the queue is full.

        A client that goes away does not free its place before its work is done.
        """
        if self._busy >= self._room:
            raise Problem("busy", seconds=RETRY_S)
        self._busy += 1
        future = self._threads.submit(work, *args, **kwargs)
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: _soon(loop, self._done))
        return await asyncio.shield(asyncio.wrap_future(future))

    def _done(self) -> None:
        self._busy -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(call)
