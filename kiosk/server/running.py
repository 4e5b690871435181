"""The HTTP server itself: uvicorn, with patience for no connection that says nothing."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from kiosk.server.certificate import Certificate

HEADER_S: Final = 10.0
"""A connection that has not said what it wants by then is closed."""
BACKLOG: Final = 128


class Patient(H11Protocol):
    """uvicorn's own protocol, which waits for ever until a request's first line has come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(HEADER_S, self._no_request)

    def _no_request(self) -> None:
        if getattr(self, "scope", None) is None and not self.transport.is_closing():
            self.transport.close()


def listening(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(BACKLOG)
    except BaseException:
        bound.close()
        raise
    return bound


def server_of(app: FastAPI, certificate: Certificate | None = None) -> uvicorn.Server:
    """A server for `app`; run it with the socket of `listening`."""
    secure: dict[str, Any] = {}
    if certificate is not None:
        secure = {"ssl_certfile": certificate.file, "ssl_keyfile": certificate.key}
    config = uvicorn.Config(
        app,
        http=Patient,
        ws="none",
        access_log=False,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=3,
        lifespan="on",
        **secure,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    """Ends the streams first, so that Ctrl-C need not wait for them."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        app.state.desk.end_streams()
        await super().shutdown(sockets)
