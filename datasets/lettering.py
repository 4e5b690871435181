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

_TOKEN = re.compile(r"[MLQCZ]|-?\d+")


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
    tokens = _TOKEN.findall(data)
    contours: list[Points] = []
    points: list[tuple[float, float]] = []
    command, i = "M", 0

    def pair() -> tuple[float, float]:
        nonlocal i
        value = (float(tokens[i]), float(tokens[i + 1]))
        i += 2
        return value

    while i < len(tokens):
        if tokens[i] in "MLQCZ":
            command = tokens[i]
            i += 1
            if command == "Z":
                if len(points) > 2:
                    contours.append(np.asarray(points) / SHEET)
                points = []
                continue
        if command in "ML":
            points.append(pair())
        elif command == "Q":
            a, b, c = np.array(points[-1]), np.array(pair()), np.array(pair())
            for t in (0.25, 0.5, 0.75, 1.0):
                x, y = (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c
                points.append((float(x), float(y)))
        else:
            a, b = np.array(points[-1]), np.array(pair())
            c, d = np.array(pair()), np.array(pair())
            for t in (0.2, 0.4, 0.6, 0.8, 1.0):
                u = 1 - t
                x, y = u**3 * a + 3 * t * u * u * b + 3 * t * t * u * c + t**3 * d
                points.append((float(x), float(y)))
    return tuple(contours)


def load(path: Path) -> Lettering:
    """Read one style. Raises ValueError when a needed character is missing or empty."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    paths = {line[0]: line[2:] for line in lines if line}
    style = Lettering(path.stem, first.removeprefix("# "), paths)
    check(style)
    return style


def check(style: Lettering) -> None:
    """Refuse a style with an empty outline, or without a character that every style needs."""
    for character in NEEDED:
        style.contours(character)
    empty = [c for c in style.paths if not style.contours(c)]
    if empty:
        raise MissingGlyphError(f"the style {style.name} draws nothing for {''.join(empty)}")


@lru_cache(maxsize=1)
def styles() -> tuple[Lettering, ...]:
    """All styles that ship with the product, by name."""
    return tuple(load(p) for p in sorted(FOLDER.glob("*.txt")))
