"""Printable sheets at a stated size: black rectangles in millimetres, written as PDF or PNG.

A PDF keeps the rectangles as vectors, so that its size on paper depends on nothing but the
printer's "actual size" setting; the PNG carries its resolution (pHYs) for programs that heed it.
Every sheet has a 100 mm ruler so that a user can check the print with any ruler.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats

A4_MM = (210.0, 297.0)
LETTER_MM = (215.9, 279.4)
PAGES_MM = {"a4": A4_MM, "letter": LETTER_MM}
RULER_MM = 100.0

_POINTS_PER_MM = 72.0 / 25.4
_TEXT_HEIGHT_MM = 3.2


@dataclass(frozen=True, slots=True)
class Text:
    """A line of ASCII text whose baseline starts at `x_mm`, `y_mm` from the page's top left."""

    x_mm: float
    y_mm: float
    text: str

    def __post_init__(self) -> None:
        if not self.text.isascii():
            raise ValueError(f"sheet text must be ASCII, no font is embedded; got {self.text!r}")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: `rectangles_mm` (n,4) as x, y, width, height from the top left, all black."""

    page_mm: tuple[float, float]
    rectangles_mm: Floats
    texts: tuple[Text, ...] = field(default=())

    def __post_init__(self) -> None:
        shape = self.rectangles_mm.shape
        if len(shape) != 2 or shape[1] != 4:
            raise ValueError(f"rectangles_mm must have shape (n, 4), but got {shape}")
        ends = self.rectangles_mm[:, :2] + self.rectangles_mm[:, 2:]
        if (self.rectangles_mm < 0).any() or (ends > np.asarray(self.page_mm) + 1e-6).any():
            raise ValueError(
                f"the drawing does not fit on a page of {self.page_mm[0]:g} x "
                f"{self.page_mm[1]:g} mm: choose smaller squares or a larger page"
            )


def ruler(x_mm: float, y_mm: float) -> tuple[Floats, Text]:
    """A 100 mm bar with ticks each 10 mm, its left end at `x_mm`, `y_mm`, and its caption."""
    bar = [[x_mm, y_mm, RULER_MM, 0.4]]
    ticks = [
        [x_mm + step - (0.2 if 0 < step < RULER_MM else 0.4 * (step > 0)), y_mm - 2.0, 0.4, 2.0]
        for step in np.arange(0.0, RULER_MM + 1, 10.0)
    ]
    caption = Text(x_mm + RULER_MM + 3, y_mm + 0.6, "must measure 100 mm: print at actual size")
    return np.asarray(bar + ticks), caption


def to_pdf(sheet: Sheet) -> bytes:
    """The sheet as a one-page PDF 1.4 document, vector, exact to 0.001 mm."""
    width, height = (side * _POINTS_PER_MM for side in sheet.page_mm)
    lines = ["0 g"]
    for x, y, w, h in sheet.rectangles_mm * _POINTS_PER_MM:
        lines.append(f"{x:.4f} {height - y - h:.4f} {w:.4f} {h:.4f} re")
    lines.append("f")
    size = _TEXT_HEIGHT_MM * _POINTS_PER_MM
    for text in sheet.texts:
        escaped = text.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        x, y = text.x_mm * _POINTS_PER_MM, height - text.y_mm * _POINTS_PER_MM
        lines.append(f"BT /F1 {size:.2f} Tf {x:.2f} {y:.2f} Td ({escaped}) Tj ET")
    content = "\n".join(lines).encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.4f} {height:.4f}] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>".encode("ascii"),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        out += b"%010d 00000 n \n" % offset
    out += b"trailer << /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def to_picture(sheet: Sheet, dpi: float = 300.0) -> NDArray[np.uint8]:
    """The sheet as a grey picture (rows, columns); rectangle edges fall on the nearest pixel."""
    scale = dpi / 25.4
    width, height = (round(side * scale) for side in sheet.page_mm)
    picture = np.full((height, width), 255, np.uint8)
    for x, y, w, h in sheet.rectangles_mm:
        left, top, right, bottom = (round(v * scale) for v in (x, y, x + w, y + h))
        picture[top:bottom, left:right] = 0
    font = cv2.FONT_HERSHEY_SIMPLEX
    font_scale = cv2.getFontScaleFromHeight(font, max(1, round(_TEXT_HEIGHT_MM * scale * 0.7)))
    for text in sheet.texts:
        at = (round(text.x_mm * scale), round(text.y_mm * scale))
        weight = max(1, round(scale / 6))
        cv2.putText(picture, text.text, at, font, font_scale, 0, weight, cv2.LINE_AA)
    return picture


def to_png(sheet: Sheet, dpi: float = 300.0) -> bytes:
    """The sheet as PNG with its resolution in a pHYs chunk."""
    ok, data = cv2.imencode(".png", to_picture(sheet, dpi))
    if not ok:
        raise RuntimeError("the PNG encoder failed")
    png = data.tobytes()
    per_metre = round(dpi / 0.0254)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    header_end = 8 + 25  # signature and the IHDR chunk, whose length is fixed
    rest = png[header_end:]
    at = rest.find(b"pHYs")
    if 4 <= at < rest.find(b"IDAT"):  # some encoders write one of their own
        length = struct.unpack(">I", rest[at - 4 : at])[0]
        rest = rest[: at - 4] + rest[at + 8 + length :]
    return png[:header_end] + chunk + rest
