"""Faces of our own: characters from outlines, drawings by seed, the product's tile pictures."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from datasets import lettering
from datasets.classes import BACK, FACES
from datasets.drawing import DrawnDesign, draw
from datasets.face_style import FaceStyle, clean_style
from datasets.lettering import Lettering, MissingGlyphError, parse_path
from datasets.product_faces import tile_drawing, write
from datasets.vector import PALETTE, Drawing, rectangle
from scorer.tiles import Tile
from tests.support import slow_count

SQUARE = "M0 0L1000 0L1000 1000L0 1000Z"


def test_a_style_maps_no_character_to_an_empty_outline() -> None:
    for style in lettering.styles():
        for character in style.paths:
            assert style.contours(character), f"{style.name} {character}"


@pytest.mark.parametrize("data", ["", "M0 0Z", "M5 5L6 6Z"], ids=["nothing", "point", "line"])
def test_a_font_with_an_empty_glyph_is_refused(data: str) -> None:
    paths = dict.fromkeys(lettering.NEEDED, SQUARE) | {"發": data}
    with pytest.raises(MissingGlyphError, match="發"):
        lettering.check(Lettering("hollow", "", paths))


def test_a_font_without_a_needed_character_is_refused() -> None:
    paths = dict.fromkeys(lettering.NEEDED, SQUARE)
    del paths["萬"]
    with pytest.raises(MissingGlyphError, match="萬"):
        lettering.check(Lettering("short", "", paths))


def test_every_style_says_whose_outlines_it_holds() -> None:
    assert len(lettering.styles()) >= 8
    for style in lettering.styles():
        assert "SIL Open Font License" in style.credit


def test_curves_of_a_path_end_where_they_say() -> None:
    (contour,) = parse_path("M0 0Q500 1000 1000 0C800 100 200 100 0 0Z")
    assert contour[4] == pytest.approx([1, 0])
    assert contour[2] == pytest.approx([0.5, 0.5])
    assert contour[-1] == pytest.approx([0, 0])


def test_a_hole_in_a_character_stays_open() -> None:
    # 口: the inner rim runs against the outer one.
    outer, inner = rectangle(50, 50, 250, 250), rectangle(100, 100, 200, 200)[::-1]
    d = Drawing()
    d.fill("black", outer, inner)
    alpha = d.pixels(400, PALETTE)[..., 3]
    assert alpha[150, 150] == 0
    assert alpha[75, 75] == 255


def test_the_same_seed_draws_the_same_face() -> None:
    style = FaceStyle.random(np.random.default_rng(5))
    again = FaceStyle.random(np.random.default_rng(5))
    assert style == again
    for face in (0, 9, 18, 33, 41):
        assert np.array_equal(DrawnDesign(style).art(face), DrawnDesign(again).art(face))


def test_every_face_of_random_designs_shows_something_but_a_blank_white_dragon() -> None:
    for seed in range(slow_count(6, 60)):
        style = FaceStyle.random(np.random.default_rng([1, seed]))
        design = DrawnDesign(style)
        for face in range(FACES):
            covered = float((design.art(face, 80)[..., 3] > 127).mean())
            blank = face == 33 and style.frame == "none" and not style.dragon_word
            if not blank:
                assert covered > 0.01, f"seed {seed}, face {face}"
            elif not style.index:
                assert covered == 0


def test_faces_of_the_clean_design_differ_and_are_not_mirrored_copies() -> None:
    pictures = [draw(clean_style(), f).pixels(80, PALETTE)[..., 3] > 127 for f in range(FACES)]
    for a in range(FACES):
        for b in range(a):
            unlike = float((pictures[a] ^ pictures[b]).mean())
            # 2 and 4 of one suit share strokes, but never a whole face.
            assert unlike > 0.008, f"{Tile(a).code} and {Tile(b).code} look alike"


def test_seven_of_dots_falls_from_the_upper_left() -> None:
    # The three dots of the 7 run down to the right on every set; mirrored they would run up.
    ink = draw(clean_style(), Tile.parse("7p")).pixels(200, PALETTE)[..., 3] > 127
    top = np.argmax(ink[:, :50].any(axis=1)), np.argmax(ink[:, 100:].any(axis=1))
    assert top[0] < top[1]


def test_product_faces_are_43_svg_files_and_an_atlas_that_matches(tmp_path: Path) -> None:
    write(tmp_path)
    assert {p.stem for p in tmp_path.glob("*.svg")} == {tile.code for tile in Tile}
    for tile in Tile:
        root = ElementTree.parse(tmp_path / f"{tile.code}.svg").getroot()
        assert root.attrib["viewBox"] == "0 0 300 400"
    places = json.loads((tmp_path / "tiles.json").read_text())
    atlas = cv2.imread(str(tmp_path / "tiles.png"), cv2.IMREAD_UNCHANGED)
    assert list(places) == [tile.code for tile in Tile]
    for x, y, w, h in places.values():
        assert atlas[y + h // 2, x + 4, 3] == 255
        assert x + w <= atlas.shape[1]
        assert y + h <= atlas.shape[0]


def test_committed_product_faces_are_what_the_code_draws(tmp_path: Path) -> None:
    write(tmp_path)
    folder = Path(__file__).parents[2] / "kiosk" / "web" / "tiles"
    for path in sorted(tmp_path.glob("*.svg")):
        assert (folder / path.name).read_text() == path.read_text(), f"run make faces: {path.name}"


def test_the_back_is_not_a_face() -> None:
    back = tile_drawing(BACK)
    assert {s.paint for s in back.shapes} == {"jade", "jade-light"}
