"""Errors as problem+json (RFC 9457), with a sentence in the language that was asked for."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from kiosk.server.texts import text
from kiosk.settings import explained
from kiosk.settings_fields import SettingError
from kiosk.trouble import Trouble
from kiosk.words import LANGUAGES

MEDIA: Final = "application/problem+json"
STATUS: Final = {
    "not-found": 404, "method": 405, "bad-json": 400, "bad-form": 400, "bad-field": 422,
    "no-token": 401, "wrong-token": 401, "other-site": 403, "other-host": 421, "too-slow": 408,
    "too-many-bytes": 413, "too-many-pixels": 413, "too-small": 422, "not-a-picture": 415,
    "heic": 415, "empty-picture": 422, "damaged": 422, "moved-on": 409, "key-reused": 409,
    "not-booked": 422, "no-night": 409, "storage": 503, "not-here": 404, "no-session": 404,
    "live-full": 503, "busy": 503, "too-often": 429, "consent": 422, "nothing-misread": 422,
    "profile": 422, "no-camera": 404, "no-picture-yet": 503, "only-here": 404, "networks": 503,
    "settings-file": 503,
    "trouble": 500,
}  # fmt: skip


class Problem(Exception):  # noqa: N818 - it is an answer
    """An answer other than the wanted one. `facts` fill in the sentence of `id`."""

    def __init__(
        self, id: str, *, field: str = "", seconds: int | None = None, **facts: object
    ) -> None:
        super().__init__(id)
        self.id = id
        self.status = STATUS[id]
        self.field = field
        self.seconds = seconds
        self.facts = facts | {"field": field, "seconds": seconds}

    def to_json(self, language: str) -> dict[str, Any]:
        """The problem document."""
        facts = {n: fact(language) if callable(fact) else fact for n, fact in self.facts.items()}
        data: dict[str, Any] = {
            "type": f"urn:hupai:{self.id}",
            "title": text("problems", f"{self.id}.title", language),
            "status": self.status,
            "detail": text("problems", f"{self.id}.detail", language, **facts),
            "id": self.id,
        }
        if self.field:
            data["field"] = self.field
        if self.seconds is not None:
            data["retry_after_s"] = self.seconds
        return data

    def answer(self, language: str) -> Response:
        headers = {"Cache-Control": "no-store"}
        if self.seconds is not None:
            headers["Retry-After"] = str(self.seconds)
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        body = json.dumps(self.to_json(language), ensure_ascii=False)
        return Response(body.encode(), self.status, headers, MEDIA)


def wrong(field: str, why: str | Callable[[str], str]) -> Problem:
    """A field that cannot be so, in a sentence from below or by what says it in a language."""
    return Problem("bad-field", field=field, why=why)


def language_of(scope: Scope, default: str = "en") -> str:
    """`?lang=`, else the first of `Accept-Language` that is spoken here, else the default."""
    request = Request(scope)
    asked = [request.query_params.get("lang", "")]
    accepted = request.headers.get("accept-language", "")
    asked += [part.partition(";")[0].strip() for part in accepted[:200].split(",")]
    for tag in asked:
        if tag in LANGUAGES:
            return tag
        low = tag.lower()
        if low.startswith("zh"):
            old = any(place in low for place in ("tw", "hk", "mo", "hant"))
            return "zh-Hant" if old else "zh-Hans"
        if low.split("-")[0] == "en":
            return "en"
    return default


def install(app: FastAPI) -> None:
    """Every error that leaves the server is a problem document."""

    def language(request: Request) -> str:
        return language_of(request.scope, app.state.desk.language)

    @app.exception_handler(Problem)
    async def _problem(request: Request, problem: Problem) -> Response:
        return problem.answer(language(request))

    @app.exception_handler(SettingError)
    async def _setting(request: Request, error: SettingError) -> Response:
        said = language(request)
        why = explained(error, said).removeprefix(f"{error.field}: ")
        return wrong(error.field, why).answer(said)

    @app.exception_handler(Trouble)
    async def _unwritten(request: Request, trouble: Trouble) -> Response:
        return Problem("settings-file", seconds=10, why=str(trouble)).answer(language(request))

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = [str(part) for part in first.get("loc", ()) if part not in ("body", "query")]
        said = language(request)
        if first.get("type") == "json_invalid":
            return Problem("bad-json", why=first.get("ctx", {}).get("error", "")).answer(said)
        if first.get("type") == "missing":
            why = text("why", "missing", said)
        else:
            why = f"{first.get('msg', '')}."
        return wrong(".".join(place) or "body", why).answer(said)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            answer = Problem("method", method=request.method).answer(language(request))
            answer.headers.update(error.headers or {})
            return answer
        if error.status_code == 400:
            return Problem("bad-form").answer(language(request))
        return Problem("not-found").answer(language(request))

    @app.exception_handler(Exception)
    async def _trouble(request: Request, error: Exception) -> Response:
        logging.getLogger("hupai").error("%s %s", request.method, request.url.path, exc_info=error)
        return Problem("trouble").answer(language(request))
