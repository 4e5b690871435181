"""From the bytes of an upload to a picture: what it is, how large, then decoded, or a clear no.

The size is read from the header before anything is decoded. Common JPEGs go through OpenCV; what
is rarer (16 bits, CMYK, palettes, alpha, animations: their first picture) through Pillow.
"""

from __future__ import annotations

import io
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from kiosk.server.problems import Problem
from vision.sources import is_whole, jpeg_segments, picture_size

MAX_BYTES: Final = 24 * 2**20
MAX_PIXELS: Final = 50_000_000
MIN_SIDE: Final = 32
SHOWN_PX: Final = 2048
"""Longer side of a picture that is sent to be looked at."""
UNDER_ALPHA: Final = (114, 114, 114)
"""The grey with which the detector's own margin is filled."""
_HEIC: Final = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
_FORMATS: Final = {"jpeg": "JPEG", "png": "PNG", "webp": "WEBP", "gif": "GIF"}

Picture = NDArray[np.uint8]


def kind_of(data: bytes) -> str:
    """`jpeg`, `png`, `webp` or `gif`, by its first bytes. Raises Problem for anything else."""
    if not data:
        raise Problem("empty-picture")
    if data[:3] == b"\xff\xd8\xff":
        return "jpeg"
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return "png"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "gif"
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC:
        raise Problem("heic")
    raise Problem("not-a-picture")


def size_of(data: bytes, image: Picture) -> tuple[int, int]:
    """Width and height of the whole picture, of which `image` is the decoded one or its half."""
    height, width = image.shape[:2]
    full = picture_size(data) if kind_of(data) == "jpeg" else None
    if full is None or (width, height) in (full, full[::-1]):
        return width, height
    return full if (full[0] > full[1]) == (width > height) else full[::-1]


def check(data: bytes) -> str:
    """The kind of a picture that is worth decoding, by its header alone. Raises Problem."""
    if len(data) > MAX_BYTES:
        raise Problem("too-many-bytes", limit=f"{MAX_BYTES >> 20} MB")
    kind = kind_of(data)
    size = _gif_size(data) if kind == "gif" else picture_size(data)
    if size is None:
        raise Problem("damaged")
    _check_size(*size)
    if kind == "jpeg" and not is_whole(data):
        raise Problem("damaged")
    return kind


def decode(data: bytes, *, half: bool = False) -> Picture:
    """(h, w, 3) uint8 BGR, turned as its EXIF says. Raises Problem.

    half: a common JPEG comes in half its size, for less than half the work.
    """
    kind = check(data)
    if kind == "jpeg" and _is_common(data):
        way = cv2.IMREAD_REDUCED_COLOR_2 if half else cv2.IMREAD_COLOR
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), way)
        except cv2.error:
            image = None
        if image is None:
            raise Problem("damaged")
        return np.asarray(image, np.uint8)
    try:
        with Image.open(io.BytesIO(data), formats=(_FORMATS[kind],)) as picture:
            _check_size(*picture.size)
            picture.load()
            return _plain(_turned(picture))
    except Problem:
        raise
    except Exception:  # Pillow's decoders raise whatever the damage makes of them
        raise Problem("damaged") from None


def shown(image: Picture, quality: int = 85) -> bytes:
    """A JPEG to look at, at most SHOWN_PX on the longer side, with nothing but the picture."""
    longest = max(image.shape[:2])
    if longest > SHOWN_PX:
        scale = SHOWN_PX / longest
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return jpeg(image, quality)


def jpeg(image: Picture, quality: int) -> bytes:
    """(h, w, 3) BGR as JPEG."""
    data: bytes = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    return data


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        limit = MAX_PIXELS // 10**6
        raise Problem("too-many-pixels", width=width, height=height, limit=limit)
    if min(width, height) < MIN_SIDE:
        raise Problem("too-small", width=width, height=height)


def _gif_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 13:
        return None
    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")


def _is_common(data: bytes) -> bool:
    """Whether a JPEG is baseline or progressive with eight bits, grey or in three colours."""
    frame = next((at for m, at in jpeg_segments(data).items() if m in (0xC0, 0xC1, 0xC2)), None)
    if frame is None or frame + 9 >= len(data):
        return False
    return data[frame + 4] == 8 and data[frame + 9] in (1, 3)


def _turned(picture: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # an EXIF that cannot be read says nothing
        return picture


def _plain(picture: Image.Image) -> Picture:
    if picture.mode.startswith(("I", "F")):
        levels = np.asarray(picture).astype(np.float64)
        top = 65535.0 if levels.max(initial=0) > 255 else 255.0
        grey = np.clip(levels * (255.0 / top), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))
    if picture.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        ground = Image.new("RGBA", picture.size, (*UNDER_ALPHA, 255))
        picture = Image.alpha_composite(ground, picture)
    rgb = np.asarray(picture.convert("RGB"), np.uint8)
    return np.ascontiguousarray(rgb[..., ::-1])
