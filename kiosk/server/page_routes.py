"""Pages, their files, the QR code, and how the server is."""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from kiosk.cli import product_version
from kiosk.server import catalogue
from kiosk.server.desk import Said, TheDesk
from kiosk.server.forms import ConfigForm
from kiosk.server.problems import Problem, wrong
from kiosk.server.qr import qr_svg

WEB: Final = Path(str(files("kiosk"))) / "web"
PAGES: Final = ("phone", "kiosk", "settings", "enter", "practice", "hub")
FILES: Final = {"manifest.webmanifest": "application/manifest+json", "favicon.ico": "image/x-icon"}
FRESH: Final = {"Cache-Control": "no-cache"}
"""Pages and their files are asked for again after an update."""

router = APIRouter()


def add_pages(app: FastAPI) -> None:
    """The pages by name, and `/static`. No path of a request is joined to a folder by us."""

    def page(name: str) -> Any:
        async def answer() -> Response:
            return Response(_page(name), headers=FRESH, media_type="text/html")

        return answer

    app.add_api_route("/", page("phone"), include_in_schema=False)
    for name in PAGES:
        app.add_api_route(f"/{name}", page(name), include_in_schema=False)
    for name, media in FILES.items():
        app.add_api_route(f"/{name}", _lone(name, media), include_in_schema=False)
    app.mount("/static", _Files(directory=WEB, follow_symlink=False), "static")


def _page(name: str) -> str:
    """A page with the head that all share."""
    own, head = ((WEB / f"{one}.html").read_text(encoding="utf-8") for one in (name, "head"))
    return own.replace("  <!-- head.html -->\n", head)


class _Files(StaticFiles):
    async def get_response(self, path: str, scope: Any) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers.update(FRESH)
        return answer


def _lone(name: str, media: str) -> Any:
    async def answer() -> Response:
        return _file(name, media)

    return answer


def _file(name: str, media: str) -> Response:
    path = WEB / name
    if not path.is_file():
        raise Problem("not-found")
    return FileResponse(path, media_type=media, headers=FRESH)


@router.get("/health")
async def health(desk: TheDesk) -> dict[str, Any]:
    """Whether the server is well."""
    return {
        "status": "ok",
        "version": product_version(),
        "networks": desk.looking.state,
        "camera": desk.camera.state,
        "away": desk.looking.away,
    }


@router.get("/api/session")
async def session(desk: TheDesk) -> dict[str, Any]:
    """What a page asks first."""
    return {
        "version": product_version(),
        "language": desk.language,
        "lan": desk.options.access.token is not None,
        "https": desk.options.https,
        "address": desk.options.address,
        "first_start_done": desk.settings["first_start_done"],
        "camera": desk.camera.state,
        "live_free": desk.lives.free,
    }


@router.get("/qr.svg", response_class=Response)
async def qr(desk: TheDesk) -> Response:
    """The address for phones as a picture."""
    if desk.options.address is None:
        raise Problem("only-here")
    return Response(qr_svg(desk.options.address), media_type="image/svg+xml")


@router.get("/api/tiles")
async def tiles() -> dict[str, Any]:
    """Every face with its names and its picture."""
    return catalogue.tiles_json()


@router.get("/api/rules", response_model=dict[str, Any], responses={304: {"model": None}})
def rules(request: Request, said: Said) -> Response:
    """Every rule set and preset. It is long and seldom changes: packed, and kept by the browser."""
    plain, packed, mark = _rules(said)
    headers = FRESH | {"ETag": mark, "Vary": "Accept-Encoding, Accept-Language"}
    if mark in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(plain, headers=headers, media_type="application/json")
    headers["Content-Encoding"] = "gzip"
    return Response(packed, headers=headers, media_type="application/json")


@cache
def _rules(language: str) -> tuple[bytes, bytes, str]:
    """All rules as JSON, the same packed, and what tells them from others."""
    plain = json.dumps(catalogue.rules_json(language), ensure_ascii=False).encode()
    return plain, gzip.compress(plain), f'W/"{hashlib.sha256(plain).hexdigest()[:32]}"'


@router.get("/api/rules/{id}/items")
def items(id: str, said: Said) -> dict[str, Any]:
    """What counts under a rule set."""
    if not catalogue.known_ruleset(id):
        raise Problem("not-found")
    return catalogue.items_json(id, said)


@router.get("/api/config")
def config(desk: TheDesk, said: Said) -> dict[str, Any]:
    """The settings, with all that a page for them needs."""
    folder = str(desk.pictures_folder)
    return catalogue.config_json(desk.settings, str(desk.file.path), folder, said)


@router.put("/api/config")
def change_config(form: ConfigForm, desk: TheDesk, said: Said) -> dict[str, Any]:
    """Change settings: all that are sent, or none."""
    try:
        desk.change(form.values)
    except RecursionError:
        raise wrong("values", "It is nested too deeply.") from None
    return config(desk, said)
