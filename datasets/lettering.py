"""Outlines of the characters that stand on tiles, from files of path data.

Each file in ``glyphs/`` holds one style: a first line with name, credit and licence, then one
character per line with an SVG path on a 1000 × 1000 sheet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from datasets.vector import Points, Shape, affine

FOLDER = Path(__file__).parent / "glyphs"
SHEET = 1000.0

NUMERALS = "一二三四五六七八九"
NEEDED = NUMERALS + "萬東南西北中發春夏秋冬梅蘭菊竹" + "0123456789" + "ESWNCFPB"
"""What every style must have; the variants below are used where a style has them."""
VARIANTS = "伍万东発发髮白板兰漁樵耕讀琴棋書畫福祿壽喜花財恭筒條"

_COMMAND = re.compile(r"([MLQCZ])([^MLQCZ]*)")
_TAKES = {"M": 2, "L": 2, "Q": 4, "C": 6}


class MissingGlyphError(ValueError):
    """A style lacks a character, or maps it to an empty outline."""


@dataclass(frozen=True)
class Lettering:
    """One style of characters."""

    name: str
    credit: str
    paths: dict[str, str]

    def __contains__(self, character: str) -> bool:
        return character in self.paths

    def contours(self, character: str) -> tuple[Points, ...]:
        """Outlines on the unit square, y down. Raises MissingGlyphError."""
        try:
            data = self.paths[character]
        except KeyError:
            raise MissingGlyphError(f"the style {self.name} has no {character!r}") from None
        return parse_path(data)

    def shape(
        self, character: str, x: float, y: float, size: float, paint: str, *, stretch: float = 1.0
    ) -> Shape:
        """The character centred on (x, y); ``size`` is its em in sheet units."""
        half = affine(x, y, size, stretch=stretch)
        moved = tuple((c - 0.5) @ half[:, :2].T + half[:, 2] for c in self.contours(character))
        return Shape(moved, paint)

    def digit(self, character: str, x: float, y: float, height: float, paint: str) -> Shape:
        """A digit or letter whose drawn box is ``height`` high and centred on (x, y)."""
        contours = self.contours(character)
        every = np.concatenate(contours)
        low, high = every.min(axis=0), every.max(axis=0)
        scale = height / max(float(high[1] - low[1]), 1e-6)
        middle = (low + high) / 2
        return Shape(tuple((c - middle) * scale + np.array([x, y]) for c in contours), paint)


@lru_cache(maxsize=4096)
def parse_path(data: str) -> tuple[Points, ...]:
    """Flattened contours of a path with absolute M L Q C Z, divided by the sheet's size."""
    contours: list[Points] = []
    points: list[tuple[float, float]] = []
    for command, numbers in _COMMAND.findall(data):
        if command == "Z":
            if len(points) > 2:
                contours.append(np.array(points) / SHEET)
            points = []
            continue
        v = [float(n) for n in numbers.replace("-", " -").split()]
        for k in range(0, len(v), _TAKES[command]):
            if command == "Q":
                bx, by, x, y = v[k : k + 4]
                points += _bent(points[-1], (bx, by), (bx, by), (x, y), 4)
            elif command == "C":
                bx, by, cx, cy, x, y = v[k : k + 6]
                points += _bent(points[-1], (bx, by), (cx, cy), (x, y), 5)
            else:
                points.append((v[k], v[k + 1]))
    return tuple(contours)


_Point = tuple[float, float]


def _bent(start: _Point, first: _Point, second: _Point, end: _Point, steps: int) -> list[_Point]:
    """Points of a Bézier curve after its start; quadratic where both handles are one point."""
    (sx, sy), (bx, by), (cx, cy), (x, y) = start, first, second, end
    out = []
    quadratic = first == second
    for k in range(1, steps + 1):
        t = k / steps
        u = 1 - t
        if quadratic:
            p, q, r = u * u, 2 * t * u, t * t
            out.append((p * sx + q * bx + r * x, p * sy + q * by + r * y))
        else:
            p, q, w, r = u**3, 3 * t * u * u, 3 * t * t * u, t**3
            out.append((p * sx + q * bx + w * cx + r * x, p * sy + q * by + w * cy + r * y))
    return out


def load(path: Path) -> Lettering:
    """Read one style. Raises MissingGlyphError when a needed character is missing or empty."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    paths = {line[0]: line[2:] for line in lines if line}
    style = Lettering(path.stem, first.removeprefix("# "), paths)
    check(style)
    return style


def check(style: Lettering) -> None:
    """Refuse a style with an empty outline, or without a character that every style needs."""
    missing = [c for c in NEEDED if c not in style]
    if missing:
        raise MissingGlyphError(f"the style {style.name} has no {''.join(missing)}")
    empty = [c for c, data in style.paths.items() if not _draws(data)]
    if empty:
        raise MissingGlyphError(f"the style {style.name} draws nothing for {''.join(empty)}")


def _draws(data: str) -> bool:
    """Whether a path encloses anything: a contour of two lines or one curve, at the least."""
    return any(
        contour.count("L") >= 2 or "Q" in contour or "C" in contour for contour in data.split("Z")
    )


@lru_cache(maxsize=1)
def styles() -> tuple[Lettering, ...]:
    """All styles that ship with the product, by name."""
    return tuple(load(p) for p in sorted(FOLDER.glob("*.txt")))
