"""Where pictures come from: a camera, a file, a folder, a pattern, a stream.

    with open_source("0") as frames:            # camera 0
    with open_source("http://host/snap.jpg")    # one JPEG, fetched again for every frame
    with open_source("photos/*.jpg")            # files in order

Every source yields `Frame`s and tells why it cannot be opened in a sentence. A live one that ends
or stalls is opened again, and whoever listens is told; a file that is still being written is waited
for. Pictures are turned as their EXIF says and refused when they are too large or cut off.
"""

from __future__ import annotations

import glob
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator
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
STALL_S = 5.0
"""A stream that sends nothing for so long is opened again."""
PACE_S = 0.1
"""An address with one picture is asked this often at most."""
GROWS_S = 0.5
"""A file that is cut off and has not grown for so long is not being written any more."""
RETRY_S = (0.5, 1.0, 2.0, 5.0)
"""Waits between attempts to open a live source again; the last one repeats."""
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers of a frame, which says how large the picture is."""


class SourceError(ValueError):
    """A source that cannot be opened or read; the text says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: (h, w, 3) uint8 BGR, seconds since the source started, where it came from."""

    image: Image
    time_s: float
    name: str
    number: int


Lost = Callable[[str], None]
"""Is told, in a sentence, that a live source gives no picture any more and is opened again."""


@contextmanager
def open_source(
    source: str, live: bool | None = None, lost: Lost | None = None
) -> Iterator[Iterator[Frame]]:
    """Frames of any source. `live` forces or forbids opening it again when it ends.

    Raises SourceError when it cannot be opened at all.
    """
    frames = _frames(source.strip(), live, lost or (lambda why: None))
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
        while not is_whole(data):
            time.sleep(GROWS_S)
            if path.stat().st_size == len(data):
                break
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
    if not is_whole(data):  # some releases of OpenCV fill what is missing with grey
        raise SourceError(f"{name}: is cut off, only a part of it is there; copy or take it again")
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


def _frames(source: str, live: bool | None, lost: Lost) -> Generator[Frame, None, None]:
    if not source:
        raise SourceError("no source given: write 0 for the camera, a path, or an address")
    again = is_live(source) if live is None else live
    if source.startswith(("http://", "https://")):
        yield from _web(source, again, lost)
    elif source.isdigit() or source.startswith(("rtsp://", "rtsps://")):
        yield from _stream(source, again, lost)
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
            for frame in _film(item, again):
                yield Frame(frame.image, frame.time_s, frame.name, number)
                number += 1
        else:
            yield Frame(read_picture(item), float(number), str(item), number)
            number += 1


def _film(path: Path, again: bool) -> Iterator[Frame]:
    """A recorded clip in its own time, so that it gives the same result every run. One that is
    still being recorded is followed; `again` begins a finished one anew."""
    number = place = 0
    while True:
        size = path.stat().st_size
        capture = cv2.VideoCapture(str(path))
        try:
            fps = capture.get(cv2.CAP_PROP_FPS) or 0.0
            fps = fps if 0 < fps < 1000 else 25.0
            while place and capture.grab() and capture.get(cv2.CAP_PROP_POS_FRAMES) < place:
                pass
            for image in _pictures(capture):
                yield Frame(image, number / fps, str(path), number)
                number += 1
                place += 1
        finally:
            capture.release()
        if number == 0:
            raise SourceError(
                f"{path}: holds no film that can be read; while it is still being recorded, "
                "only .mkv, .avi and .mpg can be"
            )
        if path.exists() and path.stat().st_size > size:
            place = max(0, place - 1)  # the last picture may have been cut off
            continue
        if not again:
            return
        place = 0
        time.sleep(RETRY_S[0])


def _stream(source: str, again: bool, lost: Lost) -> Iterator[Frame]:
    """A camera, or a network stream."""
    what = f"camera {source}" if source.isdigit() else source
    number = attempt = 0
    start = time.monotonic()
    while True:
        capture = _capture(source)
        try:
            for image in _pictures(capture):
                attempt = 0
                yield Frame(image, time.monotonic() - start, source, number)
                number += 1
        finally:
            capture.release()
        if number == 0:
            raise SourceError(f"{what}: cannot be opened; is it connected and free?")
        if not again:
            return
        if attempt == 0:
            lost(f"{what}: gives no picture any more; look whether it is connected")
        time.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
        attempt += 1


def _capture(source: str) -> cv2.VideoCapture:
    if source.isdigit():
        capture = cv2.VideoCapture(int(source))
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture
    limits = [
        *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1e3 * TIMEOUT_S)),
        *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1e3 * STALL_S)),
    ]
    capture = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
    # An OpenCV without FFmpeg waits as long as its own library does.
    return capture if capture.isOpened() or _has_ffmpeg() else cv2.VideoCapture(source)


def _has_ffmpeg() -> bool:
    return cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()


def _pictures(capture: cv2.VideoCapture) -> Iterator[Image]:
    while capture.isOpened():
        good, image = capture.read()
        if not good:
            return
        yield np.asarray(image, np.uint8)


def _web(source: str, again: bool, lost: Lost) -> Iterator[Frame]:
    """JPEGs fetched one by one, or the parts of an MJPEG stream."""
    number = attempt = 0
    start = time.monotonic()
    while True:
        asked = time.monotonic()
        why = "has ended"
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
                time.sleep(max(0.0, asked + PACE_S - time.monotonic()))
                continue
        except (OSError, http.client.HTTPException, SourceError) as error:
            why = f"cannot be read ({getattr(error, 'reason', error)})"
            if number == 0 or not again:
                raise SourceError(f"{source}: {why}") from error
        if attempt == 0:
            lost(f"{source}: {why}; look whether the camera is on")
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


def is_whole(data: bytes) -> bool:
    """Whether the end of a JPEG or PNG has arrived; what is something else is taken for whole.

    A preview embedded in a JPEG has an end of its own, so that only what follows the first scan is
    looked at (there 0xFFD9 stands for nothing else); cameras append data of their own after it.
    """
    if data[:2] == b"\xff\xd8":
        scan = jpeg_segments(data).get(0xDA)
        return scan is not None and data.rfind(b"\xff\xd9", scan) >= 0
    if data[:4] == b"\x89PNG":
        return data.rfind(b"IEND") >= 0
    return bool(data)


def jpeg_segments(data: bytes) -> dict[int, int]:
    """The first place of each JPEG marker up to the picture's data."""
    found: dict[int, int] = {}
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        found.setdefault(marker, at)
        if marker == 0xDA:
            break
        at += 2 + max(int.from_bytes(data[at + 2 : at + 4], "big"), 2)
    return found


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    frames = [at for m, at in jpeg_segments(data).items() if m in _FRAMES]
    if not frames or min(frames) + 9 > len(data):
        return None
    at = min(frames)
    height, width = (int.from_bytes(data[at + k : at + k + 2], "big") for k in (5, 7))
    return width, height


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
