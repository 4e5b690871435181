"""Take the outlines of the needed characters out of font files into ``glyphs/``.

Needs fonttools (and brotli for WOFF2). A font that lacks a needed character, or maps it to an
empty outline, is refused; other missing characters are left out.

    python -m datasets.extract_glyphs NAME "credit, licence" FONT [FONT …] [--index N]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from datasets.lettering import FOLDER, NEEDED, VARIANTS, Lettering, MissingGlyphError, check


def outline(font: Any, character: str) -> str | None:
    """Path data of one character on the 1000 sheet, or None where the font has none."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    name = font.getBestCmap().get(ord(character))
    if name is None:
        return None
    glyphs = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    em = font["head"].unitsPerEm
    scale = 1000 / em
    # Ideographs stand on an em box whose foot lies about 0.12 em under the base line.
    shift_x = (em - glyphs[name].width) / 2

    def at(point: tuple[float, float]) -> str:
        x, y = point
        return f"{round((x + shift_x) * scale)} {round(880 - y * scale)}"

    out = []
    for command, points in pen.value:
        if command == "moveTo":
            out.append("M" + at(points[0]))
        elif command == "lineTo":
            out.append("L" + at(points[0]))
        elif command == "curveTo":
            out.append("C" + " ".join(at(p) for p in points))
        elif command == "qCurveTo":
            out.extend(_quadratics(points, at))
        else:
            out.append("Z")
    return "".join(out)


def _quadratics(points: tuple[Any, ...], at: Any) -> list[str]:
    from fontTools.pens.basePen import decomposeQuadraticSegment

    if points[-1] is None:
        raise ValueError("a contour without an on-curve point is not supported")
    return [f"Q{at(a)} {at(b)}" for a, b in decomposeQuadraticSegment(points)]


def extract(name: str, credit: str, fonts: list[Path], index: int) -> Lettering:
    """Look every character up in the fonts in turn. Raises MissingGlyphError."""
    from fontTools.ttLib import TTFont

    paths: dict[str, str] = {}
    for path in fonts:
        font = TTFont(path, fontNumber=index)
        cmap = font.getBestCmap()
        for character in NEEDED + VARIANTS:
            if character not in paths and ord(character) in cmap:
                data = outline(font, character)
                if data:
                    paths[character] = data
                elif character in NEEDED:
                    raise MissingGlyphError(f"{path.name} maps {character!r} to an empty outline")
    style = Lettering(name, credit, paths)
    check(style)
    return style


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("credit")
    parser.add_argument("fonts", nargs="+", type=Path)
    parser.add_argument("--index", type=int, default=0)
    parser.add_argument("--out", type=Path, default=FOLDER)
    options = parser.parse_args(argv)
    try:
        style = extract(options.name, options.credit, options.fonts, options.index)
    except MissingGlyphError as problem:
        print(problem, file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    lines = [f"# {style.credit}", *(f"{c} {style.paths[c]}" for c in sorted(style.paths))]
    (options.out / f"{style.name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
