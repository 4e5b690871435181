"""A page that shows every picture that was not read exactly, with the tiles that went wrong."""

from __future__ import annotations

import base64
import html
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.evaluate import FACE_NAMES, Judged

MISSED, WRONG, EXTRA = (60, 60, 230), (0, 140, 255), (230, 120, 30)
"""BGR. A missed tile is boxed in red and crossed, a wrong one in orange, an extra box in blue and
dashed by its corners: the words beside the picture say the same."""

WIDEST_PX = 900
JPEG_QUALITY = 80
MOST_SHOWN = 200

STYLE = """body{font:16px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color-scheme:light dark}figure{margin:2rem 0}img{max-width:100%;border-radius:6px}
figcaption{margin-bottom:.4rem}table{border-collapse:collapse}
td,th{padding:.15rem .8rem .15rem 0;text-align:left;font-variant-numeric:tabular-nums}"""


class FailurePage:
    """Gathers pictures as they are judged and writes them as one HTML file that needs no other."""

    def __init__(self) -> None:
        self._figures: list[str] = []
        self._count = 0

    def add(self, picture: NDArray[np.uint8], judged: Judged) -> None:
        """Show one picture that is not exact (of many the first 200)."""
        self._count += 1
        if len(self._figures) == MOST_SHOWN:
            return
        drawn = mark(picture, judged)
        _, jpeg = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        data = base64.b64encode(jpeg.tobytes()).decode("ascii")
        words = html.escape(f"{judged.labels.path.name}: {in_words(judged)}")
        self._figures.append(
            f"<figure><figcaption>{words}</figcaption>"
            f'<img alt="{words}" src="data:image/jpeg;base64,{data}"></figure>'
        )

    def write(self, path: Path, figures: dict[str, Any]) -> None:
        """The page, with the counts of `Tally.summary` by class, width, turn and design."""
        tables = "".join(
            f"<h2>By {html.escape(kind.replace('_', ', '))}</h2>{_table(parts)}"
            for kind, parts in figures["parts"].items()
        )
        head = (
            f"{figures['exact']} of {figures['pictures']} pictures were read exactly; "
            f"{figures['right']} of {figures['tiles']} tiles found and right, "
            f"{figures['extra']} boxes on what is no tile."
        )
        shown = len(self._figures)
        rest = f" The first {shown} of {self._count} are shown." if shown < self._count else ""
        path.write_text(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>What went wrong</title>'
            '<meta name="viewport" content="width=device-width">'
            f"<style>{STYLE}</style><h1>What went wrong</h1><p>{head}{rest}</p>"
            f"{''.join(self._figures)}{tables}</html>\n",
            encoding="utf-8",
        )


def in_words(judged: Judged) -> str:
    """What was missed, misnamed and seen where nothing is."""
    words = []
    for i in judged.wrong:
        face = FACE_NAMES[judged.labels.faces[i]]
        named = int(judged.named[i])
        words.append(f"{face} missed" if named < 0 else f"{face} read as {FACE_NAMES[named]}")
    if len(judged.extra):
        words.append(f"{len(judged.extra)} extra")
    return ", ".join(words)


def mark(picture: NDArray[np.uint8], judged: Judged) -> NDArray[np.uint8]:
    """The picture, at most 900 pixels wide, with what went wrong drawn in."""
    factor = min(1.0, WIDEST_PX / picture.shape[1])
    drawn = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    for i in judged.wrong:
        x1, y1, x2, y2 = (int(v) for v in judged.labels.boxes[i] * factor)
        named = int(judged.named[i])
        colour = MISSED if named < 0 else WRONG
        cv2.rectangle(drawn, (x1, y1), (x2, y2), colour, 2)
        if named < 0:
            cv2.line(drawn, (x1, y1), (x2, y2), colour, 1)
        else:
            at = (x1, max(12, y1 - 4))
            cv2.putText(drawn, FACE_NAMES[named], at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 2)
    for box in judged.extra:
        x1, y1, x2, y2 = (int(v) for v in box * factor)
        for x, y, dx, dy in ((x1, y1, 1, 1), (x2, y1, -1, 1), (x2, y2, -1, -1), (x1, y2, 1, -1)):
            third = max(3, (x2 - x1) // 3)
            cv2.line(drawn, (x, y), (x + dx * third, y), EXTRA, 2)
            cv2.line(drawn, (x, y), (x, y + dy * third), EXTRA, 2)
    return np.asarray(drawn, np.uint8)


def _table(parts: dict[str, list[int]]) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(part)}<td>{tiles}<td>{found / tiles:.1%}<td>{right / tiles:.1%}"
        for part, (tiles, found, right) in parts.items()
    )
    return f"<table><tr><th><th>tiles<th>found<th>right{rows}</table>"
