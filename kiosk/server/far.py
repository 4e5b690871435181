"""Reading elsewhere: pictures go to the reading service, and are read here when it does not answer.

What comes back is what the networks see, bit by bit as here; the table's own tile set, rules and
situation come in afterwards. So a table reads the same hand either way, only sooner or later.
"""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit, urlunsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from kiosk.server.problems import MEDIA
from models import manifest
from vision.detector import Detector, Found
from vision.sight import Sight

WAIT_S: Final = 3.0
"""A service that has not answered by then is slow: people are waiting at the table."""
REST_S: Final = 20.0
"""So long it is let alone after that."""
REFUSED_TRIES: Final = 3
PAUSE_S: Final = 0.1
MOST_ANSWER: Final = 8 * 2**20
LOSSLESS_PX: Final = 4_000_000
"""Frames up to this size are sent without loss; of larger ones a JPEG of quality 95 goes."""
GONE, SLOW, REFUSED, OTHER, FAILED = "gone", "slow", "refused", "other", "failed"
"""Why a picture was not read by the service."""

Picture = NDArray[np.uint8]


class AwayError(Exception):
    """The service did not read a picture; `why` is one of the words above."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Service:
    """A reading service by its address, which may hold a key (`?token=…`). Safe for threads."""

    def __init__(self, url: str, wait_s: float = WAIT_S, rest_s: float = REST_S) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port
        self._base = parts.path.rstrip("/")
        self._key = parse_qs(parts.query).get("token", [""])[0]
        self._wait_s, self._rest_s = wait_s, rest_s
        self._networks = digests()
        self._mine = threading.local()
        self._until = 0.0
        self.why = ""
        self.retries = 0

    def sight(self, data: bytes, *, half: bool = False) -> Sight:
        """What the service sees in an encoded picture. Raises AwayError.

        A request that was lost on the way is sent again until the time is up: it changes nothing.
        """
        if self.why and time.monotonic() < self._until:
            raise AwayError(self.why)
        try:
            answer = self.ask(f"/api/sights?half={int(half)}", data)
            if answer.get("networks") != self._networks:
                raise AwayError(OTHER)
            seen = Sight.from_json(answer["sight"])
        except AwayError as away:
            self._until, self.why = time.monotonic() + self._rest_s, away.why
            raise
        except (ValueError, KeyError, TypeError):
            self._until, self.why = time.monotonic() + self._rest_s, OTHER
            raise AwayError(OTHER) from None
        self.why = ""
        return seen

    def ask(self, path: str, data: bytes, kind: str = "application/octet-stream") -> dict[str, Any]:
        """The JSON that a POST is answered with, asked again while it can be. Raises AwayError."""
        ends = time.monotonic() + self._wait_s
        refused, why = 0, SLOW
        while (left := ends - time.monotonic()) > 0:
            try:
                status, said, body = self._post(path, data, kind, left)
            except ConnectionRefusedError:
                refused, why = refused + 1, GONE
                if refused == REFUSED_TRIES:
                    break
            except TimeoutError:
                why = SLOW
            except (OSError, http.client.HTTPException):
                why = GONE
            else:
                if status < 300:
                    return _object(body)
                if status < 500 and status != 408:
                    raise AwayError(REFUSED)
                if status == 500 and said == MEDIA:
                    raise AwayError(FAILED)  # the service itself says so, and would say so again
                why = SLOW  # 5xx: a replica has died under it, or too much is waiting
            self.retries += 1
            time.sleep(PAUSE_S)
        raise AwayError(why)

    def _post(self, path: str, data: bytes, kind: str, left: float) -> tuple[int, str, bytes]:
        ends = time.monotonic() + left
        connection = self._connection()
        headers = {"Content-Type": kind, "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        connection.timeout = left
        if connection.sock is not None:
            connection.sock.settimeout(left)
        whole = False
        try:
            connection.request("POST", self._base + path, data, headers)
            answer = connection.getresponse()
            body = bytearray()
            while part := answer.read1(2**16):
                body += part
                if len(body) > MOST_ANSWER or time.monotonic() > ends:
                    raise TimeoutError("the answer has no end")
            if answer.length:  # the rest of it was lost
                raise http.client.IncompleteRead(bytes(body), answer.length)
            answer.close()
            whole = True
            return answer.status, answer.headers.get_content_type(), bytes(body)
        finally:
            if not whole:
                connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        """One for each thread, kept open."""
        found: http.client.HTTPConnection | None = getattr(self._mine, "connection", None)
        if found is None:
            if self._secure:
                context = ssl.create_default_context()
                found = http.client.HTTPSConnection(self._host, self._port, context=context)
            else:
                found = http.client.HTTPConnection(self._host, self._port)
            self._mine.connection = found
        return found


class FarDetector:
    """Stands in a detector's place: what it answers is a sight where the service answers, else
    what this machine's own detector finds. `why` says of this thread's last picture, if it was
    read here, why.
    """

    def __init__(self, own: Detector, service: Service) -> None:
        self._own = own
        self._service = service
        self._last = threading.local()

    @property
    def why(self) -> str:
        return getattr(self._last, "why", "")

    def __call__(self, picture: Picture) -> Found | Sight:
        return self.look(picture, None)

    def look(self, picture: Picture, upload: tuple[bytes, bool, Picture] | None) -> Found | Sight:
        """`upload`: bytes, whether they were decoded in half size, and the picture they gave;
        they are sent as they came where that is the picture which is looked at.
        """
        self._last.why = ""
        try:
            if upload is not None and upload[2] is picture:
                return self._service.sight(upload[0], half=upload[1])
            return self._service.sight(_encoded(picture))
        except AwayError as away:
            self._last.why = away.why
            return self._own(picture)


def digests() -> dict[str, str]:
    """SHA-256 of the networks by name: sights of other networks mean nothing here."""
    return {name: model.sha256 for name, model in manifest().items()}


def without_key(url: str) -> str:
    """The address as it may be shown."""
    return urlunsplit((*urlsplit(url)[:3], "", ""))


def _encoded(picture: Picture) -> bytes:
    if picture.shape[0] * picture.shape[1] <= LOSSLESS_PX:
        return bytes(cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1])
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])


def _object(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except ValueError:
        raise AwayError(OTHER) from None
    if not isinstance(data, dict):
        raise AwayError(OTHER)
    return data
