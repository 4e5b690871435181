"""Who may come in: the token of the QR code, this machine's own names, no other sites."""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import socket
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import Scope

from kiosk.server.problems import Problem

COOKIE: Final = "hupai"
OPEN_PATHS: Final = ("/manifest.webmanifest", "/favicon.ico", "/static/icons/")
"""Browsers fetch these without cookies; they hold nothing of the table."""


def fresh_token() -> str:
    """128 random bits."""
    return secrets.token_urlsafe(16)


def kept_token(file: Path, new: bool = False) -> str:
    """The token in `file`, made where there is none, so that phones stay known after a restart."""
    try:
        token = "" if new else file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        token = ""
    if len(token) < 16:
        token = fresh_token()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(token)
    return token


def own_names() -> frozenset[str]:
    """Host names by which this machine is known in the house."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"})


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of the door. Without a token only this machine is served."""

    token: str | None = None
    names: frozenset[str] = field(default_factory=own_names)

    def check(self, scope: Scope) -> bool:
        """Whether the request brings the token in its address, and so wants the cookie.

        Raises Problem where it is not let in.
        """
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own(_host_name(host)):
            raise Problem("other-host")
        self._check_site(scope, headers, host)
        if self.token is None or scope["path"].startswith(OPEN_PATHS):
            return False
        in_address = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if in_address and self._is_token(in_address):
            return True
        told = _bearer(headers) or _cookie(headers)
        if told and self._is_token(told):
            return False
        raise Problem("wrong-token" if told or in_address else "no-token")

    def _is_own(self, name: str) -> bool:
        """An address is no name that another site could point here (DNS rebinding)."""
        if name == "localhost":
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return self.token is not None and name in self.names
        return self.token is not None or address.is_loopback

    def _check_site(self, scope: Scope, headers: Headers, host: str) -> None:
        origin = headers.get("origin")
        if origin is not None and origin != f"{scope['scheme']}://{host}":
            raise Problem("other-site")
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            followed = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
            if not followed or headers.get("sec-fetch-dest") != "document":
                raise Problem("other-site")

    def _is_token(self, told: str) -> bool:
        assert self.token is not None
        return hmac.compare_digest(told.encode(), self.token.encode())

    def cookie(self, https: bool) -> str:
        """The Set-Cookie header of the first visit."""
        secure = "; Secure" if https else ""
        return f"{COOKIE}={self.token}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict{secure}"


def _host_name(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().rstrip(".")


def _bearer(headers: Headers) -> str:
    kind, _, told = headers.get("authorization", "").partition(" ")
    return told.strip() if kind.lower() == "bearer" else ""


def _cookie(headers: Headers) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""
