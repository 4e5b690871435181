"""News for everybody who listens: server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Final

from kiosk.server.problems import Problem

MOST_LISTENERS: Final = 64
BEAT: Final = "beat"
BEAT_S: Final = 15.0
"""So often something is sent, so that a listener that has gone is noticed."""


class Hub:
    """Says that something has changed; listeners look for themselves at what it is now."""

    def __init__(self) -> None:
        self._listeners: set[Hub.Listener] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def __len__(self) -> int:
        return len(self._listeners)

    def listen(self) -> Listener:
        """A place among the listeners, to be used in `with`. Raises Problem `busy`."""
        if len(self._listeners) >= MOST_LISTENERS:
            raise Problem("busy", seconds=30)
        self._loop = asyncio.get_running_loop()
        return Hub.Listener(self)

    def tell(self, event: str) -> None:
        """Tell everybody; from any thread. The same news twice before it is taken is one."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._hand_out, event)

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        for listener in self._listeners:
            listener.hear(None)

    def _hand_out(self, event: str) -> None:
        for listener in self._listeners:
            listener.hear(event)

    class Listener:
        """One stream."""

        def __init__(self, hub: Hub) -> None:
            self._hub = hub
            self._heard: dict[str | None, None] = {}
            self._new = asyncio.Event()

        def __enter__(self) -> Hub.Listener:
            self._hub._listeners.add(self)
            return self

        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> None:
            self._hub._listeners.discard(self)

        def hear(self, event: str | None) -> None:
            self._heard[event] = None
            self._new.set()

        async def news(self) -> AsyncIterator[str]:
            """Events as they come, and BEAT now and then, until the hub is closed."""
            while True:
                try:
                    async with asyncio.timeout(BEAT_S):
                        await self._new.wait()
                except TimeoutError:
                    yield BEAT
                    continue
                self._new.clear()
                heard, self._heard = self._heard, {}
                for event in heard:
                    if event is None:
                        return
                    yield event


def message(event: str, data: Any) -> bytes:
    """One server-sent event."""
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
