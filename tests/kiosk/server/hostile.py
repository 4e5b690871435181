"""Uploads that no phone sends by itself: at least two hundred, made here, each with what may
come of it (`reads` for a right reading, or the statuses of a clear no).
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from PIL import Image

READS: Final = frozenset({201})
NO: Final = frozenset({413, 415, 422})
"""Too large, no picture, damaged."""
PNG: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Upload:
    """`may` holds the statuses that are right; `hand` whether a reading must be the right one."""

    name: str
    data: bytes
    may: frozenset[int]
    hand: bool = False


def saved(picture: Image.Image, form: str, **more: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **more)
    return out.getvalue()


def uploads(photo: bytes) -> Iterator[Upload]:
    """All of them, from one good JPEG."""
    picture = Image.open(io.BytesIO(photo)).convert("RGB")
    picture.thumbnail((1024, 1024))
    photo = saved(picture, "JPEG", quality=95)
    yield from _right(photo, picture)
    yield from _turned(picture)
    yield from _truncated(photo, picture)
    yield from _bombs()
    yield from _other_kinds(photo)
    yield from _polyglots(photo, picture)
    yield from _scrambled(photo, picture)


def _right(photo: bytes, picture: Image.Image) -> Iterator[Upload]:
    """Forms of the same picture, from which the same hand must be read."""
    few = picture.quantize(256, method=Image.Quantize.FASTOCTREE)
    ok = partial(Upload, may=READS, hand=True)
    yield ok("plain", photo)
    yield ok("progressive", saved(picture, "JPEG", progressive=True, quality=95))
    yield ok("restart markers", saved(picture, "JPEG", quality=95, restart_marker_rows=1))
    yield ok("no subsampling", saved(picture, "JPEG", subsampling=0, quality=95))
    yield ok("CMYK JPEG", saved(picture.convert("CMYK"), "JPEG", quality=97))
    yield ok("PNG", saved(picture, "PNG"))
    yield ok("palette PNG", saved(few, "PNG"))
    yield ok("lossless WebP", saved(picture, "WEBP", lossless=True, method=0))
    yield ok("WebP", saved(picture, "WEBP", quality=95, method=0))
    rgba = picture.copy()
    rgba.putalpha(255)
    yield ok("alpha PNG", saved(rgba, "PNG"))
    yield ok("alpha WebP", saved(rgba, "WEBP", quality=95, method=0))
    yield ok("16-bit RGB PNG", png16(np.asarray(picture)))
    black = Image.new("RGB", picture.size)
    yield ok("animated GIF", saved(few, "GIF", save_all=True, append_images=[black]))
    yield ok(
        "animated WebP",
        saved(picture, "WEBP", save_all=True, append_images=[black], quality=95, method=0),
    )
    yield ok("animated PNG", saved(picture, "PNG", save_all=True, append_images=[black]))
    grey = partial(Upload, may=READS)
    yield grey("grey JPEG", saved(picture.convert("L"), "JPEG", quality=95))
    yield grey("grey PNG", saved(picture.convert("L"), "PNG"))
    yield grey("grey alpha PNG", saved(picture.convert("LA"), "PNG"))
    deep = Image.fromarray(np.asarray(picture.convert("L"), np.uint16) * 257)
    yield grey("16-bit grey PNG", saved(deep, "PNG"))
    yield grey("one-bit PNG", saved(picture.convert("1"), "PNG"))
    yield grey("palette with transparency", saved(few, "PNG", transparency=0))
    yield grey("all transparent", saved(Image.new("RGBA", (640, 480)), "PNG"))
    for quality in (1, 5, 20, 60):
        yield grey(f"JPEG of quality {quality}", saved(picture, "JPEG", quality=quality))
    for size in ((33, 33), (4000, 40), (40, 4000), (6000, 4000)):
        yield grey(f"{size[0]} × {size[1]}", saved(picture.resize(size), "JPEG", quality=50))


def _turned(picture: Image.Image) -> Iterator[Upload]:
    """Stored turned, with an EXIF that says so: the same hand; a false EXIF: any reading."""
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Image.Transpose that EXIF undoes
    for form, more in (
        ("JPEG", {"quality": 95}),
        ("PNG", {}),
        ("WEBP", {"quality": 95, "method": 0}),
    ):
        for orientation, transpose in back.items():
            exif = Image.Exif()
            exif[0x0112] = orientation
            stored = picture.transpose(Image.Transpose(transpose))
            data = saved(stored, form, exif=exif.tobytes(), **more)
            yield Upload(f"{form} turned as EXIF {orientation}", data, READS, hand=True)
    for orientation in (0, 9, 77, 65535):
        exif = Image.Exif()
        exif[0x0112] = orientation
        data = saved(picture, "JPEG", exif=exif.tobytes(), quality=95)
        yield Upload(f"EXIF orientation {orientation}", data, READS, hand=True)
    broken = [
        b"Exif\x00\x00MM\x00*\xff\xff\xff\xff",
        b"Exif\x00\x00",
        b"Exif\x00\x00II*\x00" + b"\xff" * 64,
    ]
    for n, exif_data in enumerate(broken):
        data = saved(picture, "JPEG", exif=exif_data, quality=95)
        yield Upload(f"broken EXIF {n}", data, READS, hand=True)


def _truncated(photo: bytes, picture: Image.Image) -> Iterator[Upload]:
    forms = {
        "JPEG": photo,
        "progressive JPEG": saved(picture, "JPEG", progressive=True, quality=90),
        "JPEG with a preview": with_preview(photo, picture),
        "PNG": saved(picture, "PNG"),
        "WebP": saved(picture, "WEBP", quality=90, method=0),
        "GIF": saved(picture.quantize(64, method=Image.Quantize.FASTOCTREE), "GIF"),
    }
    for form, data in forms.items():
        for part in (0.0, 0.0001, 0.001, 0.02, 0.1, 0.5, 0.9, 0.99):
            cut = data[: int(len(data) * part)]
            yield Upload(f"{form} cut at {part:.2%}", cut, NO)
        yield Upload(f"{form} without its last two bytes", data[:-2], NO | READS)


def _bombs() -> Iterator[Upload]:
    """Pictures that are small to send and would be huge to hold."""
    for width, height in (
        (30_000, 30_000),
        (65_535, 65_535),
        (2**31 - 1, 1),
        (2**31 - 1, 2**31 - 1),
        (8000, 8000),
    ):
        yield Upload(f"PNG of {width} × {height}", png_header(width, height), NO)
    flat = zlib.compress(b"\0" * (10_001 * 10_000))
    yield Upload("PNG of 100 million black pixels", png_header(10_000, 10_000, flat), NO)
    for width, height in ((65_535, 65_535), (65_500, 20_000), (0, 0), (0, 500)):
        yield Upload(f"JPEG of {width} × {height}", jpeg_header(width, height), NO)
        yield Upload(f"GIF of {width} × {height}", gif_header(width, height), NO)
    for width, height in ((16_777_216, 16_777_216), (16_384, 16_384)):
        yield Upload(f"WebP of {width} × {height}", webp_header(width, height), NO)
    yield Upload(
        "GIF whose frame is larger than its canvas", gif_header(64, 64, (60_000, 60_000)), NO
    )
    text = b"note\0\0" + zlib.compress(b"a" * 20_000_000)
    yield Upload("PNG with 20 MB of compressed text", png_header(64, 64, text=text), NO)
    profile = b"icc\0\0" + zlib.compress(b"a" * 20_000_000)
    yield Upload("PNG with a 20 MB profile", png_header(64, 64, profile=profile), NO)
    yield Upload("30 MB", b"\xff\xd8\xff" + b"\0" * 30_000_000, NO)
    for side in (1, 8, 31):
        yield Upload(f"PNG of {side} × {side}", saved(Image.new("RGB", (side, side)), "PNG"), NO)


def _other_kinds(photo: bytes) -> Iterator[Upload]:
    for brand in (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim"):
        data = b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0mif1heic" + photo[:5000]
        yield Upload(f"HEIC {brand.decode()}", data, frozenset({415}))
    texts = {
        "AVIF": b"\0\0\0\x1cftypavif\0\0\0\0avifmif1",
        "MP4": b"\0\0\0\x18ftypisom\0\0\x02\0isomiso2",
        "PDF": b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n",
        "HTML": b"<!doctype html><script>alert(1)</script>",
        "SVG": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
        "SVG that asks for a file": b'<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
        "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) run\n",
        "TIFF": saved(Image.new("RGB", (64, 64)), "TIFF"),
        "BMP": saved(Image.new("RGB", (64, 64)), "BMP"),
        "ICO": saved(Image.new("RGB", (64, 64)), "ICO"),
        "PPM": saved(Image.new("RGB", (64, 64)), "PPM"),
        "MVG": b"push graphic-context\nfill 'url(https://example.com/x)'\n",
        "ELF": b"\x7fELF\x02\x01\x01" + b"\0" * 100,
        "ZIP": zipped(),
        "text": b"66678m11333p555z[222z]@6m",
        "JSON": b'{"picture": "/etc/passwd"}',
        "zeros": b"\0" * 4096,
        "0xff": b"\xff" * 4096,
        "one byte": b"\xff",
        "path": b"../../../../etc/passwd",
        "JPEG XL": b"\xff\x0a" + b"\0" * 64,
        "JPEG 2000": b"\0\0\0\x0cjP  \r\n\x87\n" + b"\0" * 64,
    }
    for name, data in texts.items():
        yield Upload(name, data, frozenset({415}))
    yield Upload("nothing", b"", frozenset({422}))


def _polyglots(photo: bytes, picture: Image.Image) -> Iterator[Upload]:
    """A picture that is something else as well: read as a picture, or refused."""
    page = b"<html><script>alert(document.cookie)</script></html>"
    yield Upload("JPEG and ZIP", photo + zipped(), READS, hand=True)
    yield Upload("JPEG and HTML", photo + page, READS, hand=True)
    comment = b"\xff\xfe" + struct.pack(">H", len(page) + 2) + page
    yield Upload("JPEG with a page as comment", photo[:2] + comment + photo[2:], READS, hand=True)
    yield Upload("JPEG twice", photo + photo, READS, hand=True)
    png = saved(picture, "PNG")
    yield Upload("PNG and ZIP", png + zipped(), READS, hand=True)
    yield Upload("PNG and JPEG", png + photo, READS, hand=True)
    yield Upload("GIF and script", b"GIF89a/*" + b"\0" * 32 + b"*/=alert(1)", NO | READS)
    yield Upload("ZIP, then JPEG", zipped() + photo, frozenset({415}))
    yield Upload("PNG's name on a JPEG", PNG + photo, NO)
    yield Upload("JPEG's name on a PNG", b"\xff\xd8\xff" + png, NO)
    yield Upload("WebP's name on a JPEG", b"RIFF\0\0\0\0WEBP" + photo, NO)


def _scrambled(photo: bytes, picture: Image.Image) -> Iterator[Upload]:
    """Bytes changed at random (of a fixed seed): any reading, or a clear no."""
    rng = np.random.default_rng(12)
    forms = {"JPEG": photo, "PNG": saved(picture, "PNG"), "WebP": saved(picture, "WEBP", method=0)}
    for form, data in forms.items():
        for n in range(12):
            changed = np.frombuffer(data, np.uint8).copy()
            reach = 600 if n % 2 else len(changed)  # half of them in the header
            where = rng.integers(2, reach, 1 + 4 * n)
            changed[where] = rng.integers(0, 256, len(where))
            yield Upload(f"{form} scrambled {n}", changed.tobytes(), NO | READS)
    for n in range(8):
        noise = rng.integers(0, 256, 2000, np.uint8).tobytes()
        yield Upload(f"noise behind a JPEG's first bytes {n}", b"\xff\xd8\xff\xe0" + noise, NO)


def with_preview(photo: bytes, picture: Image.Image) -> bytes:
    """The JPEG with a whole small JPEG in its EXIF segment, as cameras write it."""
    small = saved(picture.resize((160, 120)), "JPEG")
    segment = b"Exif\0\0" + small
    return photo[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + photo[2:]


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../evil.sh", "rm -rf /")
    return out.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_header(
    width: int, height: int, pixels: bytes = b"", text: bytes = b"", profile: bytes = b""
) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = PNG + chunk(b"IHDR", head)
    data += chunk(b"iCCP", profile) if profile else b""
    data += chunk(b"zTXt", text) if text else b""
    return data + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def png16(rgb: np.ndarray) -> bytes:
    """16 bits a colour: Pillow does not write that."""
    height, width = rgb.shape[:2]
    deep = (rgb.astype(np.uint16) * 257).astype(">u2")
    rows = b"".join(b"\0" + row.tobytes() for row in deep)
    head = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def jpeg_header(width: int, height: int) -> bytes:
    frame = struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8\xff\xc0" + frame + b"\xff\xda\x00\x08\x01\x01\x00\x00?\x00\0\0\xff\xd9"


def gif_header(width: int, height: int, frame: tuple[int, int] = (0, 0)) -> bytes:
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\0" * 6
    place = b"," + struct.pack("<HHHHB", 0, 0, *(frame if any(frame) else (width, height)), 0)
    return head + place + b"\x02\x02\x4c\x01\x00;"


def webp_header(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\0" * 4 + size
