"""The picture with what was read drawn on it: every tile named, groups marked, the score beside.

Groups differ in colour and in line pattern, so that nobody needs to tell colours apart. A total
is drawn only when the reading is certain; otherwise the range and what is unsure.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from scorer.names import item_name, tile_name, word
from scorer.tiles import Tile
from vision.fonts import chinese_font_path, font
from vision.reading import BONUS, CONCEALED, OTHER, WINNING, Reading
from vision.words import question_text

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Style:
    """How a kind of group is drawn: RGB, and the lengths of dashes and gaps (() for solid)."""

    colour: Colour
    dashes: tuple[int, ...]
    double: bool = False


# Colours of Okabe and Ito's palette: apart for every kind of colour vision.
STYLES = {
    CONCEALED: Style((0, 114, 178), ()),
    "chow": Style((0, 158, 115), (10, 4)),
    "pung": Style((230, 159, 0), (4, 4)),
    "kong": Style((213, 94, 0), (12, 3, 3, 3)),
    "concealed-kong": Style((213, 94, 0), (2, 3)),
    BONUS: Style((204, 121, 167), (2, 6)),
    WINNING: Style((240, 228, 66), (), double=True),
    OTHER: Style((140, 140, 140), (1, 8)),
}
UNSURE = Style((220, 20, 20), (), double=True)
PAPER: Colour = (250, 248, 240)
INK: Colour = (30, 30, 30)
GROUP_WORDS = {
    "en": {
        CONCEALED: "concealed",
        BONUS: "bonus tiles",
        WINNING: "winning tile",
        OTHER: "not of this hand",
        "chow": "chow",
        "pung": "pung",
        "kong": "kong",
        "concealed-kong": "concealed kong",
        "total": "Total",
        "range": "Somewhere in",
        "unsure": "Look at",
        "none": "No score",
        "ask": "To be answered",
    },
    "zh-Hant": {
        CONCEALED: "手牌",
        BONUS: "花牌",
        WINNING: "胡的牌",
        OTHER: "不是這手牌",
        "total": "合計",
        "range": "介於",
        "unsure": "請看",
        "none": "不計分",
        "ask": "請回答",
    },
    "zh-Hans": {
        CONCEALED: "手牌",
        BONUS: "花牌",
        WINNING: "和的牌",
        OTHER: "不是这手牌",
        "total": "合计",
        "range": "介于",
        "unsure": "请看",
        "none": "不计分",
        "ask": "请回答",
    },
}
PANEL_SHARE = 0.46
"""Width of the panel beside the picture, of the picture's height."""


def overlay(image: Picture, reading: Reading, language: str = "en", panel: bool = True) -> Picture:
    """(h, w, 3) BGR `image` with the reading drawn on it and, beside it, items and total.

    Chinese names need a font with Chinese characters (`HUPAI_FONT` may name one); without one the
    text is English.
    """
    language = language_drawn(language)
    canvas = Image.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    draw = ImageDraw.Draw(canvas)
    scale = max(1.0, min(image.shape[:2]) / 640)
    for group in reading.groups:
        style = STYLES.get(group.kind, STYLES[CONCEALED])
        for i in group.tiles:
            _quad(draw, reading.layout.detections.quads[i], style, scale)
    for unsure in reading.unsure:
        quad = _grown(reading.layout.detections.quads[unsure.tile], 1.18)
        _quad(draw, quad, UNSURE, scale)
    _names(draw, reading, language, scale)
    if not panel:
        return _to_bgr(canvas)
    width = max(int(image.shape[0] * PANEL_SHARE), 220)
    page = Image.new("RGB", (image.shape[1] + width, image.shape[0]), PAPER)
    page.paste(canvas, (0, 0))
    _panel(ImageDraw.Draw(page), reading, language, (image.shape[1], width, image.shape[0]))
    return _to_bgr(page)


def language_drawn(language: str) -> str:
    """The language that can be drawn: English where no font has Chinese characters."""
    if language not in GROUP_WORDS:
        raise ValueError(f"{language!r}: languages are {', '.join(GROUP_WORDS)}")
    return "en" if language != "en" and chinese_font_path() is None else language


def _to_bgr(canvas: Image.Image) -> Picture:
    return np.ascontiguousarray(np.asarray(canvas, np.uint8)[..., ::-1])


def _grown(quad: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    middle = quad.mean(axis=0)
    grown: NDArray[np.float32] = (quad - middle) * factor + middle
    return grown


def _quad(draw: ImageDraw.ImageDraw, quad: NDArray[np.float32], style: Style, scale: float) -> None:
    width = max(1, round(2 * scale))
    rings = [quad, _grown(quad, 0.86)] if style.double else [quad]
    for ring in rings:
        points = [(float(x), float(y)) for x, y in ring]
        for a, b in pairwise([*points, points[0]]):
            _line(draw, a, b, style, width, scale)
    # A small bar marks the printed top, so that a turned tile is seen to be known as turned.
    top = (quad[0] + quad[1]) / 2
    inner = top + (quad.mean(axis=0) - top) * 0.18
    draw.line([tuple(map(float, top)), tuple(map(float, inner))], style.colour, width)


def _line(
    draw: ImageDraw.ImageDraw,
    a: tuple[float, float],
    b: tuple[float, float],
    style: Style,
    width: int,
    scale: float,
) -> None:
    if not style.dashes:
        draw.line([a, b], style.colour, width)
        return
    length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
    at, k = 0.0, 0
    while at < length:
        step = max(style.dashes[k % len(style.dashes)] * scale, 1.0)
        if k % 2 == 0:
            p, q = at / length, min(at + step, length) / length
            draw.line(
                [
                    (a[0] + (b[0] - a[0]) * p, a[1] + (b[1] - a[1]) * p),
                    (a[0] + (b[0] - a[0]) * q, a[1] + (b[1] - a[1]) * q),
                ],
                style.colour,
                width,
            )
        at += step
        k += 1


def _names(draw: ImageDraw.ImageDraw, reading: Reading, language: str, scale: float) -> None:
    seen = reading.layout.detections
    for group in reading.groups:
        if group.kind == OTHER:
            continue
        for i in group.tiles:
            quad = seen.quads[i]
            tile = Tile(reading.faces.get(i, int(seen.faces[i])))
            text = tile.code if language == "en" else tile_name(tile, language)
            low, high = quad.min(axis=0), quad.max(axis=0)
            size = int(np.clip((high[0] - low[0]) * 0.42, 9 * scale, 18 * scale))
            letters = font(size, language != "en")
            x = float((low[0] + high[0]) / 2)
            y = float(high[1] + size * 0.4)
            box = draw.textbbox((x, y), text, font=letters, anchor="ms")
            draw.rectangle((box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1), PAPER)
            draw.text((x, y), text, INK, font=letters, anchor="ms")


def _panel(
    draw: ImageDraw.ImageDraw, reading: Reading, language: str, place: tuple[int, int, int]
) -> None:
    left, width, height = place
    size = int(np.clip(height / 34, 11, 40))
    margin = size // 2
    chinese = language != "en"
    small, large = font(size, chinese), font(int(size * 1.5), chinese)
    y = float(margin)

    def line(text: str, letters: object = small, colour: Colour = INK, right: str = "") -> None:
        nonlocal y
        rows = _wrapped(draw, text, letters, width - 2 * margin - (4 * size if right else 0))
        for k, row in enumerate(rows):
            if y < height - size:
                draw.text((left + margin, y), row, colour, font=letters)  # type: ignore[arg-type]
                if right and k == 0:
                    draw.text((left + width - margin, y), right, colour, font=small, anchor="ra")
            y += size * (1.9 if letters is large else 1.35)

    line(reading.text or "-")
    y += size * 0.4
    for kind in dict.fromkeys(group.kind for group in reading.groups):
        style = STYLES.get(kind, STYLES[CONCEALED])
        middle = y + size * 0.6
        swatch = ((left + margin, middle), (left + margin + 2.4 * size, middle))
        _line(draw, *swatch, style, max(2, size // 6), size / 12)
        if style.double:
            lower = [(x, at + size / 4) for x, at in swatch]
            draw.line(lower, style.colour, max(2, size // 6))
        draw.text((left + margin + 3 * size, y), _word(kind, language), INK, font=small)
        y += size * 1.35
    y += size * 0.5
    result = reading.result
    unit = word("units", result.unit, language) if result.unit else ""
    if reading.certain:
        for item in result.items:
            name = item_name(result.ruleset, item.id, language)
            line(name, right=f"{item.value * item.count}")
        line(f"{_word('total', language)}: {reading.total} {unit}", large)
        return
    if reading.range is not None:
        low, high = reading.range
        line(f"{_word('range', language)} {low}-{high} {unit}", large)
    else:
        line(_word("none", language), large)
    for problem in result.problems:
        line(problem.text(language))
    if not result.problems and language == "en":
        for note in reading.notes:
            line(note)
    for unsure in reading.unsure:
        choices = " / ".join(
            t.code if language == "en" else tile_name(t, language) for t in unsure.choices
        )
        line(f"{_word('unsure', language)}: {choices}", colour=UNSURE.colour)
    if reading.questions:
        line(f"{_word('ask', language)}:")
    for question in reading.questions:
        line("· " + question_text(question.id, language))


def _word(kind: str, language: str) -> str:
    return GROUP_WORDS[language].get(kind) or word("sets", kind, language)


def _wrapped(draw: ImageDraw.ImageDraw, text: str, letters: object, width: float) -> list[str]:
    """The text in lines that fit; Chinese may break anywhere, other text at spaces."""
    rows: list[str] = []
    row = ""
    words = text.split(" ")
    fits = all(draw.textlength(word, font=letters) <= width for word in words)  # type: ignore[arg-type]
    parts, glue = (words, " ") if fits else (list(text), "")
    for part in parts:
        tried = row + glue + part if row else part
        if row and draw.textlength(tried, font=letters) > width:  # type: ignore[arg-type]
            rows.append(row)
            row = part
        else:
            row = tried
    return [*rows, row]
