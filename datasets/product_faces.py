"""The product's own tile pictures: an SVG for each tile and one PNG atlas.

    python -m datasets.product_faces FOLDER

Files are named by hand-text code (``1m.svg`` … ``8f.svg``, ``0b.svg`` the back). ``tiles.png``
holds all 43 in class order, and ``tiles.json`` says where each lies.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

from datasets.classes import BACK
from datasets.drawing import draw
from datasets.face_style import clean_style
from datasets.pictures import Picture
from datasets.vector import PALETTE, SHEET, Drawing, affine, ellipse, rectangle
from scorer.tiles import Tile

CELL_PX = (90, 120)
COLUMNS = 11
_INSET = 0.86
"""Size of the engraving within the tile."""

_TILE_PALETTE = PALETTE | {
    "edge": (150, 178, 186),
    "ivory": (240, 249, 252),
    "jade": (84, 128, 30),
    "jade-light": (112, 158, 58),
}


def tile_drawing(face: int) -> Drawing:
    """A whole tile, body and engraving; face 42 is the back."""
    d = Drawing()
    w, h = SHEET
    back = face == BACK
    d.fill("jade" if back else "edge", rectangle(0, 0, w, h, 34))
    d.fill("jade-light" if back else "ivory", rectangle(7, 7, w - 7, h - 7, 28))
    if back:
        d.stroke("jade", rectangle(34, 34, w - 34, h - 34, 16), 6, closed=True)
        for r in (66, 44, 20):
            d.stroke("jade", ellipse(w / 2, h / 2, r), 7, closed=True)
        return d
    inner = draw(clean_style(), face).painted({"body": "ivory"})
    d.place(inner, affine(w / 2 * (1 - _INSET), h / 2 * (1 - _INSET), _INSET))
    return d


def atlas() -> tuple[Picture, dict[str, list[int]]]:
    """All tiles on one BGRA picture, and the box (x, y, w, h) of each by its code."""
    w, h = CELL_PX
    rows = -(-len(Tile) // COLUMNS)
    sheet = np.zeros((rows * h, COLUMNS * w, 4), np.uint8)
    places = {}
    for tile in Tile:
        row, column = divmod(int(tile), COLUMNS)
        x, y = column * w, row * h
        sheet[y : y + h, x : x + w] = tile_drawing(int(tile)).pixels(h, _TILE_PALETTE)
        places[tile.code] = [x, y, w, h]
    return sheet, places


def write(folder: Path) -> None:
    """Write all files; the same code gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for tile in Tile:
        text = tile_drawing(int(tile)).svg(_TILE_PALETTE)
        (folder / f"{tile.code}.svg").write_text(text, encoding="utf-8")
    sheet, places = atlas()
    ok, data = cv2.imencode(".png", sheet, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if not ok:
        raise OSError("the atlas could not be written as PNG")
    (folder / "tiles.png").write_bytes(data.tobytes())
    lines = [f'  "{code}": {json.dumps(box)}' for code, box in places.items()]
    (folder / "tiles.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m datasets.product_faces", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    write(parser.parse_args(argv).folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
