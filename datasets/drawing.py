"""Whole faces: one design is one `FaceStyle`, drawn face by face."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from datasets import motifs
from datasets.classes import BAMBOO, CHARACTERS, DOTS, PLANTS, SEASONS, WINDS
from datasets.face_style import FaceStyle
from datasets.lettering import NUMERALS, Lettering, styles
from datasets.pictures import Picture
from datasets.vector import PALETTE, Drawing, Shape, affine

CENTRE = (150.0, 200.0)
_SLOGANS = ("漁樵耕讀", "琴棋書畫", "福祿壽喜", "恭喜發財")


def _lettering(name: str) -> Lettering:
    return next(s for s in styles() if s.name == name)


def _write(
    d: Drawing, style: str, character: str, x: float, y: float, size: float, paint: str,
    stretch: float = 1.0, weight: float = 0.0,
) -> None:  # fmt: skip
    letters = _lettering(style)
    if character not in letters:
        letters = next(s for s in styles() if character in s)
    shape = letters.shape(character, x, y, size, paint, stretch=stretch)
    d.shapes.append(shape)
    if weight > 0:
        d.shapes.append(Shape(shape.contours, paint, weight))


def draw(style: FaceStyle, face: int) -> Drawing:
    """One face of the design on a 300 × 400 sheet."""
    # Each face has its own stream, so that drawing one does not change another.
    rng = np.random.default_rng([style.seed, face])
    d = Drawing()
    if face in CHARACTERS:
        _character(d, style, face)
    elif face in DOTS:
        _dots(d, style, face - DOTS.start + 1, rng)
    elif face in BAMBOO:
        _bamboo(d, style, face - BAMBOO.start + 1, rng)
    elif face in WINDS:
        letter = (style.east_form + "南西北")[face - WINDS.start]
        _write(d, style.honours, letter, *CENTRE, style.honour_size, style.wind_paint,
               style.stretch, style.weight)  # fmt: skip
    elif face == 31:
        _write(d, style.honours, "中", *CENTRE, style.honour_size, "red", style.stretch,
               style.weight)  # fmt: skip
    elif face == 32:
        form = style.green_form
        _write(d, style.honours, form, *CENTRE, style.honour_size, "green", style.stretch,
               style.weight)  # fmt: skip
    elif face == 33:
        _white(d, style)
    else:
        _bonus(d, style, face, rng)
    if style.index and face < SEASONS.start:
        d = _indexed(d, style, face)
    if style.wobble > 0 or style.slant != 0:
        return d.warped(rng, style.wobble, style.slant)
    return d


def _character(d: Drawing, style: FaceStyle, face: int) -> None:
    numeral = NUMERALS[face]
    if numeral == "五":
        numeral = style.wu
    # Thin numerals (一二三) leave room: the lower sign keeps its place all the same.
    _write(d, style.numerals, numeral, 150, 100, style.numeral_size, style.numeral_paint,
           1.0, style.weight)  # fmt: skip
    _write(d, style.wan, style.wan_form, 150, 285, style.wan_size, style.wan_paint,
           min(style.stretch, 1.12), style.weight * 0.8)  # fmt: skip


_DOT_PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0, -0.52), (0, 0.52)),
    3: ((-0.6, -0.66), (0, 0), (0.6, 0.66)),
    4: ((-0.5, -0.52), (0.5, -0.52), (-0.5, 0.52), (0.5, 0.52)),
    5: ((-0.58, -0.62), (0.58, -0.62), (0, 0), (-0.58, 0.62), (0.58, 0.62)),
    6: ((-0.46, -0.74), (0.46, -0.74), (-0.46, 0.08), (0.46, 0.08), (-0.46, 0.74), (0.46, 0.74)),
    7: ((-0.68, -0.8), (0, -0.56), (0.68, -0.32), (-0.44, 0.2), (0.44, 0.2), (-0.44, 0.8),
        (0.44, 0.8)),
    8: tuple((x, y) for y in (-0.81, -0.27, 0.27, 0.81) for x in (-0.42, 0.42)),
    9: tuple((x, y) for y in (-0.74, 0, 0.74) for x in (-0.7, 0, 0.7)),
}  # fmt: skip
_DOT_CLUMPS: dict[int, tuple[tuple[float, float], ...]] = {
    4: ((-1.25, -1.7), (1.25, -1.7), (-1.25, 1.7), (1.25, 1.7)),
    6: ((-1.02, -2.7), (1.02, -2.7), (-1.02, 0.5), (1.02, 0.5), (-1.02, 2.55), (1.02, 2.55)),
    7: ((-2.0, -3.5), (0, -2.6), (2.0, -1.7), (-1.02, 0.9), (1.02, 0.9), (-1.02, 2.95),
        (1.02, 2.95)),
    8: tuple((x, y) for y in (-3.1, -1.04, 1.04, 3.1) for x in (-1.02, 1.02)),
    9: tuple((x, y) for y in (-2.9, 0, 2.9) for x in (-2.04, 0, 2.04)),
}  # fmt: skip
"""The same with circles that touch, in radii."""
_DOT_RADIUS = {2: 62.0, 3: 46.0, 4: 52.0, 5: 43.0, 6: 43.0, 7: 37.0, 8: 39.0, 9: 36.0}


def _dot_paints(scheme: str, n: int) -> list[str]:
    if scheme == "mono":
        return ["blue"] * n
    if scheme == "dark":
        return ["black"] * n
    if scheme == "mono-red":
        reds = {5: {2}, 7: {3, 4, 5, 6}, 6: {2, 3, 4, 5}, 9: {3, 4, 5}, 3: {1}}.get(n, set())
        return ["red" if k in reds else "blue" for k in range(n)]
    classic = {
        2: ["green", "blue"],
        3: ["blue", "red", "green"],
        4: ["blue", "green", "green", "blue"],
        5: ["blue", "green", "red", "green", "blue"],
        6: ["green"] * 2 + ["red"] * 4,
        7: ["green"] * 3 + ["red"] * 4,
        8: ["blue"] * 8,
        9: ["blue"] * 3 + ["red"] * 3 + ["green"] * 3,
    }[n]
    if scheme == "alternating" and n == 9:
        return ["green"] * 3 + ["red"] * 3 + ["blue"] * 3
    return classic


def _dots(d: Drawing, style: FaceStyle, n: int, rng: np.random.Generator) -> None:
    dark = "black" if style.dot_scheme == "dark" else "blue"
    if n == 1:
        own = np.random.default_rng([style.seed, 99])
        outer = "green" if style.dot_scheme == "classic" else dark
        big = motifs.big_dot(own, 112.0, outer, dark, "red")
        d.place(big, affine(*CENTRE))
        return
    paints = _dot_paints(style.dot_scheme, n)
    places = np.array(_DOT_PLACES[n]) * np.array([128, 172])
    if n in _DOT_CLUMPS:
        near = np.array(_DOT_CLUMPS[n]) * _DOT_RADIUS[n]
        places = places * (1 - style.clump) + near * style.clump
    for (x, y), paint in zip(places, paints, strict=True):
        heart = "red" if paint == "blue" and style.dot_scheme == "alternating" else paint
        mark = motifs.dot(style.dot_kind, _DOT_RADIUS[n], paint, heart)
        d.place(mark, affine(150 + x, 200 + y))


_STICKS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0, -0.5), (0, 0.5)),
    3: ((0, -0.5), (-0.5, 0.5), (0.5, 0.5)),
    4: ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)),
    5: ((-0.62, -0.5), (0.62, -0.5), (0, 0), (-0.62, 0.5), (0.62, 0.5)),
    6: tuple((x, y) for y in (-0.5, 0.5) for x in (-0.65, 0, 0.65)),
    7: ((0, -0.68), *((x, y) for y in (0.02, 0.68) for x in (-0.65, 0, 0.65))),
    9: tuple((x, y) for y in (-0.67, 0, 0.67) for x in (-0.65, 0, 0.65)),
}
_STICK_LENGTH = {2: 160, 3: 160, 4: 160, 5: 150, 6: 155, 7: 112, 9: 112}


def _stick_paints(scheme: str, n: int) -> list[str]:
    if scheme == "mono":
        return ["green"] * n
    reds = {5: {2}, 7: {0}, 9: {1, 4, 7} if scheme != "blue" else {3, 4, 5}}.get(n, set())
    if scheme == "classic":
        blues = {2: {0}, 3: {0}, 6: {0, 1, 2}, 7: {2, 5}, 9: set()}.get(n, set())
    elif scheme == "blue":
        blues = {4: {1, 2}, 9: {0, 1, 2}, 7: {1, 2, 3}}.get(n, set())
    else:
        blues = set()
    return ["red" if k in reds else "blue" if k in blues else "green" for k in range(n)]


def _bamboo(d: Drawing, style: FaceStyle, n: int, rng: np.random.Generator) -> None:
    width = style.stick_width
    if n == 1:
        if style.bird:
            own = np.random.default_rng([style.seed, 77])
            paints = [("green", "blue", "red"), ("blue", "green", "red"), ("red", "green", "blue")]
            body, wing, accent = paints[int(own.integers(3))]
            bird = motifs.bird(own, body, wing, accent)
            d.place(bird, affine(150, 200, min(style.art_scale * 0.95, 1.5)))
        else:
            d.place(motifs.stick(style.stick_kind, 300, width * 1.35, "green"), affine(*CENTRE))
        return
    if n == 8:
        _eight(d, style, width * 0.92)
        return
    length = _STICK_LENGTH[n]
    for (x, y), paint in zip(_STICKS[n], _stick_paints(style.stick_scheme, n), strict=True):
        mark = motifs.stick(style.stick_kind, length, width, paint)
        spread = 135 * style.stick_spread
        d.place(mark, affine(150 + x * spread, 200 + y * 175))


def _eight(d: Drawing, style: FaceStyle, width: float) -> None:
    """Two rows of four sticks, the upper like a W, the lower like an M."""
    lower = "blue" if style.stick_scheme == "blue" else "green"
    half = 105 * style.stick_spread
    for sign, paint in ((-1, "green"), (1, lower)):
        for side in (-1, 1):
            upright = motifs.stick(style.stick_kind, 150, width, paint)
            d.place(upright, affine(150 + side * half, 200 + sign * 90))
            # From the foot of the upright stick to the apex in the middle.
            foot = np.array([150 + side * (half - width * 0.7), 200 + sign * 30])
            apex = np.array([150 + side * width * 0.42, 200 + sign * 160])
            run = apex - foot
            inner = motifs.stick(style.stick_kind, float(np.linalg.norm(run)), width, paint)
            turn = float(np.arctan2(-run[0], run[1]))
            d.place(
                inner, affine(float(foot[0] + apex[0]) / 2, float(foot[1] + apex[1]) / 2, 1.0, turn)
            )


def _white(d: Drawing, style: FaceStyle) -> None:
    if style.dragon_word:
        _write(d, style.honours, "白", *CENTRE, style.honour_size, style.frame_paint, style.stretch)
    elif style.frame != "none":
        second = "green" if style.frame_paint != "green" else "blue"
        mark = motifs.frame(style.frame, 105, 155, style.frame_paint, second)
        d.place(mark, affine(*CENTRE))


_PLANT_MOTIFS = (motifs.plum, motifs.orchid, motifs.chrysanthemum, motifs.bamboo_plant)


def _bonus(d: Drawing, style: FaceStyle, face: int, rng: np.random.Generator) -> None:
    season = face in SEASONS
    k = face - (SEASONS.start if season else PLANTS.start)
    paint = style.season_paint if season else style.plant_paint
    side = style.season_side if season else style.plant_side
    words = style.season_words if season else style.plant_words
    word_paint = style.season_word_paint if season else style.plant_word_paint
    numbers = style.season_numbers if season else style.plant_numbers
    petal, stem = style.petal, style.stem
    if season:
        makers = (motifs.bouquet, motifs.bouquet, motifs.fruit, motifs.bouquet)
        free = (motifs.figure, motifs.fruit, motifs.bouquet)
        make = makers[k] if style.own_drawings else free[int(rng.integers(3))]
    elif style.own_drawings:
        make = _PLANT_MOTIFS[k]
        if k == 3:
            petal = paint
    else:
        every = (*_PLANT_MOTIFS, motifs.bouquet, motifs.figure)
        make = every[int(rng.integers(len(every)))]
    has_top = words != "none" or numbers == "arabic"
    motif = make(rng, petal, stem)
    if style.lined:
        motif = motif.outlined(float(rng.uniform(3.5, 6.5)))
    x = 150 + (0 if words != "none" else -8 * side)
    _place_within(d, motif, x, (104 if has_top else 40, 392), style.art_scale)
    if numbers == "arabic":
        letters = _lettering(style.words)
        d.shapes.append(letters.digit("1234"[k], 150 + side * 98, 62, style.number_size, paint))
    else:
        _write(d, style.words, NUMERALS[k], 150 + side * 88, 68, 100, paint)
    if words != "none":
        word = "春夏秋冬"[k] if season else ("梅", style.orchid_form, "菊", "竹")[k]
        if words == "slogan":
            word = _SLOGANS[style.seed % 2 * 2 + (0 if season else 1)][k]
        _write(d, style.words, word, 150 - side * 82, 68, style.word_size, word_paint)


def _place_within(
    d: Drawing, motif: Drawing, x: float, rows: tuple[float, float], scale: float
) -> None:
    """The motif about the column ``x``, between two rows of the sheet, smaller if need be."""
    points = np.concatenate([contour for shape in motif.shapes for contour in shape.contours])
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = np.maximum(high - low, 1.0)
    scale = min(scale, 284 / wide, (rows[1] - rows[0]) / tall)
    middle = (low + high) / 2 * scale
    d.place(motif, affine(x - middle[0], (rows[0] + rows[1]) / 2 - middle[1], scale))


def _indexed(d: Drawing, style: FaceStyle, face: int) -> Drawing:
    """The drawing made smaller, to leave room for a small Latin figure in an upper corner."""
    if style.index == "dots" and not (face in DOTS or face in BAMBOO):
        return d
    if face >= 27:
        letter = "ESWNCFB"[face - 27]
        if face == 33 and style.seed % 2:
            letter = "P"
    else:
        letter = str(face % 9 + 1)
    side = 1 if style.index == "right" else -1
    room = Drawing()
    shrink = 0.92
    x, y = (np.array(CENTRE) * (1 - shrink) + (-5 * side, 8)).tolist()
    room.place(d, affine(x, y, shrink))
    letters = _lettering(("noto-sans", "noto-serif", "kaisei", "klee")[style.seed % 4])
    room.shapes.append(letters.digit(letter, 150 + 112 * side, 42, 48, style.index_paint))
    return room


@dataclass(frozen=True, slots=True)
class DrawnDesign:
    """A design of our own as a source of textures."""

    style: FaceStyle

    @property
    def name(self) -> str:
        return f"drawn-{zlib.crc32(repr(self.style).encode()):08x}"

    def art(self, face: int, height_px: int = 168) -> Picture:
        """The face as BGRA, ``height_px`` high."""
        return draw(self.style, face).pixels(height_px, PALETTE)
