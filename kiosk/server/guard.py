"""What stands before every request: names, sites, token, rates, sizes, patience, headers."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kiosk.server.access import Access
from kiosk.server.limits import SEND_S, Body, Buckets, kind_of_request
from kiosk.server.problems import Problem, language_of

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
        "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Wraps the application."""

    def __init__(
        self, app: ASGIApp, access: Access, buckets: Buckets, language: Callable[[], str]
    ) -> None:
        self._app = app
        self._access = access
        self._buckets = buckets
        self._language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = Body(scope, receive)
        answer = _Answer(send, body, lambda problem: self._said(problem, scope))
        try:
            client = scope["client"][0] if scope.get("client") else ""
            self._buckets.take(client, kind_of_request(scope))
            if self._access.check(scope):
                answer.cookie = self._access.cookie(scope["scheme"] == "https")
            body.check()
        except Problem as problem:
            await body.drain()
            await self._said(problem, scope)(scope, receive, answer.send)
            return
        try:
            await self._app(scope, body, answer.send)
        except Problem:
            # What the body had to say, said where no handler of the application could hear it.
            await answer.finish(scope, receive)
        except TimeoutError:
            if not answer.stuck:
                raise
        else:
            await answer.finish(scope, receive)

    def _said(self, problem: Problem, scope: Scope) -> Response:
        language = language_of(scope, self._language())
        wanted = Headers(scope=scope).get("accept", "")
        if problem.status != 401 or "text/html" not in wanted:
            return problem.answer(language)
        said = problem.to_json(language)
        page = (
            f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width"><title>hupai</title>'
            f"<h1>{html.escape(said['title'])}</h1><p>{html.escape(said['detail'])}</p></html>"
        )
        return Response(page.encode(), problem.status, media_type="text/html")


class _Answer:
    """`send` with the headers of every answer; a body that was refused takes the answer's place."""

    def __init__(self, send: Send, body: Body, said: Callable[[Problem], Response]) -> None:
        self._send = send
        self._body = body
        self._said = said
        self._started = False
        self.cookie = ""
        self.stuck = False

    async def send(self, message: Message) -> None:
        if not self._started and self._body.problem is not None:
            return
        if message["type"] == "http.response.start":
            self._started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            if self.cookie:
                headers.append("Set-Cookie", self.cookie)
        try:
            async with asyncio.timeout(SEND_S):
                await self._send(message)
        except TimeoutError:
            self.stuck = True  # the client does not take what it asked for
            raise

    async def finish(self, scope: Scope, receive: Receive) -> None:
        """Say why the body was refused, if it was."""
        problem, self._body.problem = self._body.problem, None
        if problem is not None and not self._started:
            await self._body.drain()
            await self._said(problem)(scope, receive, self.send)
