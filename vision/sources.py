"""Where pictures come from: a camera, a file, a folder, a pattern, a stream.

    with open_source("0") as frames:            # camera 0
    with open_source("http://host/snap.jpg")    # one JPEG, fetched again for every frame
    with open_source("photos/*.jpg")            # files in order

Every source yields `Frame`s, tells why it cannot be opened in a sentence, and a live one is opened
again when it ends. Pictures are turned as their EXIF says and refused when they are too large.
"""

from __future__ import annotations

import glob
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
VIDEOS = {".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg", ".mjpg", ".mjpeg"}
MAX_PIXELS = 80_000_000
MAX_BYTES = 64 * 2**20
TIMEOUT_S = 10.0
RETRY_S = (0.5, 1.0, 2.0, 5.0)
"""Waits between attempts to open a live source again; the last one repeats."""
_HEADER_BYTES = 65_536


class SourceError(ValueError):
    """A source that cannot be opened or read; the text says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: (h, w, 3) uint8 BGR, seconds since the source started, where it came from."""

    image: Image
    time_s: float
    name: str
    number: int


@contextmanager
def open_source(source: str, live: bool | None = None) -> Iterator[Iterator[Frame]]:
    """Frames of any source. `live` forces or forbids opening it again when it ends.

    Raises SourceError when it cannot be opened at all.
    """
    frames = _frames(source.strip(), live)
    first = next(frames, None)
    if first is None:
        raise SourceError(f"{source}: holds no picture")

    def all_frames() -> Iterator[Frame]:
        yield first
        yield from frames

    stream = all_frames()
    try:
        yield stream
    finally:
        frames.close()


def read_picture(path: str | Path) -> Image:
    """One picture file, turned as its EXIF says. Raises SourceError with the reason."""
    path = Path(path)
    if not path.exists():
        raise SourceError(f"{path}: there is no such file")
    if path.is_dir():
        raise SourceError(f"{path}: is a folder, not a picture")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str = "picture") -> Image:
    """(h, w, 3) uint8 BGR of an encoded picture. Raises SourceError with the reason."""
    if not data:
        raise SourceError(f"{name}: is empty")
    if len(data) > MAX_BYTES:
        raise SourceError(f"{name}: is larger than {MAX_BYTES >> 20} MB")
    size = picture_size(data)
    if size is not None and size[0] * size[1] > MAX_PIXELS:
        raise SourceError(
            f"{name}: {size[0]} × {size[1]} pixels are too many "
            f"(at most {MAX_PIXELS // 10**6} million)"
        )
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        heic = data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftyphevc")
        hint = "HEIC is not read; save it as JPEG" if heic else "not a picture that can be read"
        raise SourceError(f"{name}: {hint}")
    return np.asarray(image, np.uint8)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) from the header alone, before anything is decoded; None if unknown."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = (int.from_bytes(data[k : k + 4], "little", signed=True) for k in (18, 22))
        return abs(width), abs(height)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    return None


def is_live(source: str) -> bool:
    """Whether the source goes on by itself: a camera or a network stream."""
    return source.isdigit() or source.startswith(("rtsp://", "rtsps://", "http://", "https://"))


def _frames(source: str, live: bool | None) -> Generator[Frame, None, None]:
    if not source:
        raise SourceError("no source given: write 0 for the camera, a path, or an address")
    again = is_live(source) if live is None else live
    if source.startswith(("http://", "https://")):
        yield from _web(source, again)
    elif source.isdigit() or source.startswith(("rtsp://", "rtsps://")):
        yield from _video(source, again)
    else:
        yield from _files(source, again)


def files_of(source: str) -> list[Path]:
    """The files a path, a folder or a pattern means, in order. Raises SourceError for none."""
    path = Path(source)
    if path.is_dir():
        paths = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
        if not paths:
            raise SourceError(f"{source}: the folder holds no pictures")
    elif path.exists():
        paths = [path]
    else:
        paths = sorted(Path(p) for p in glob.glob(source, recursive=True))
        paths = [p for p in paths if p.suffix.lower() in PICTURES | VIDEOS]
        if not paths:
            what = "no file fits this pattern" if glob.has_magic(source) else "no such file"
            raise SourceError(f"{source}: {what}")
    return paths


def _files(source: str, again: bool) -> Iterator[Frame]:
    paths = files_of(source)
    number = 0
    for item in paths:
        if item.suffix.lower() in VIDEOS:
            for frame in _video(str(item), again):
                yield Frame(frame.image, frame.time_s, frame.name, number)
                number += 1
        else:
            yield Frame(read_picture(item), float(number), str(item), number)
            number += 1


def _video(source: str, again: bool) -> Iterator[Frame]:
    device: int | str = int(source) if source.isdigit() else source
    is_file = isinstance(device, str) and not is_live(source)
    number = attempt = 0
    start = time.monotonic()
    while True:
        capture = cv2.VideoCapture(device)
        try:
            if isinstance(device, int):
                capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            fps = capture.get(cv2.CAP_PROP_FPS) or 0.0
            fps = fps if 0 < fps < 1000 else 25.0
            while capture.isOpened():
                good, image = capture.read()
                if not good:
                    break
                attempt = 0
                # A recorded clip keeps its own time, so that it gives the same result every run.
                now = number / fps if is_file else time.monotonic() - start
                yield Frame(np.asarray(image, np.uint8), now, source, number)
                number += 1
        finally:
            capture.release()
        if number == 0:
            what = f"camera {source}" if isinstance(device, int) else source
            raise SourceError(f"{what}: cannot be opened; is it connected and free?")
        if not again:
            return
        time.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
        attempt += 1


def _web(source: str, again: bool) -> Iterator[Frame]:
    """JPEGs fetched one by one, or the parts of an MJPEG stream."""
    number = attempt = 0
    start = time.monotonic()
    while True:
        try:
            with urllib.request.urlopen(source, timeout=TIMEOUT_S) as response:
                kind = response.headers.get_content_type()
                parts = _mjpeg_parts(response) if kind.startswith("multipart/") else _one(response)
                for data in parts:
                    image = decode_picture(data, source)
                    attempt = 0
                    yield Frame(image, time.monotonic() - start, source, number)
                    number += 1
            if not again:
                return
            if not kind.startswith("multipart/"):
                continue
        except (urllib.error.URLError, OSError, SourceError) as error:
            if number == 0 or not again:
                reason = getattr(error, "reason", error)
                raise SourceError(f"{source}: cannot be read ({reason})") from error
        time.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
        attempt += 1


def _one(response: IO[bytes]) -> Iterator[bytes]:
    data = response.read(MAX_BYTES + 1)
    yield data


def _mjpeg_parts(response: IO[bytes]) -> Iterator[bytes]:
    """JPEG pictures of a multipart stream, found by their own markers; boundaries vary too much."""
    buffer = b""
    while chunk := _some(response):
        buffer += chunk
        while True:
            start = buffer.find(b"\xff\xd8\xff")
            end = buffer.find(b"\xff\xd9", start + 3) if start >= 0 else -1
            # An end marker inside an embedded preview is followed by more picture, not by a part.
            while end >= 0 and end + 2 < len(buffer) and buffer[end + 2 : end + 3] not in b"\r\n-":
                end = buffer.find(b"\xff\xd9", end + 2)
            if end < 0:
                break
            yield buffer[start : end + 2]
            buffer = buffer[end + 2 :]
        if len(buffer) > MAX_BYTES:
            raise SourceError("the stream holds no JPEG pictures")


def _some(response: Any) -> bytes:
    read = getattr(response, "read1", response.read)
    data: bytes = read(65_536)
    return data


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = (int.from_bytes(data[at + k : at + k + 2], "big") for k in (5, 7))
            return width, height
        if marker == 0xFF:
            at += 1
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return tuple(int.from_bytes(data[k : k + 3], "little") + 1 for k in (24, 27))  # type: ignore[return-value]
    if kind == b"VP8 ":
        return tuple(int.from_bytes(data[k : k + 2], "little") & 0x3FFF for k in (26, 28))  # type: ignore[return-value]
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None
