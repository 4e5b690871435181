"""One physical set of tiles: proportions, colours, and the textures of its faces."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from datasets.bank import GROUPS, Design, FaceBank, FolderDesign
from datasets.crops import PhotoDesign
from datasets.pictures import Floats, Picture, as_pixels

Colour = tuple[float, float, float]
"""Blue, green, red in 0 … 255."""

_BODIES: tuple[tuple[Colour, float], ...] = (
    ((243, 244, 246), 4.0),
    ((228, 240, 246), 2.5),
    ((212, 232, 243), 1.5),
    ((168, 218, 236), 1.0),
    ((246, 238, 234), 1.0),
    ((214, 228, 212), 0.3),
)
_BACKS: tuple[tuple[Colour, float], ...] = (
    ((70, 130, 20), 3.0),
    ((60, 170, 40), 2.0),
    ((190, 130, 50), 2.0),
    ((220, 170, 90), 1.5),
    ((40, 160, 235), 2.0),
    ((30, 190, 240), 1.0),
    ((120, 30, 160), 0.7),
    ((50, 40, 170), 0.7),
    ((30, 30, 35), 0.8),
    ((90, 170, 200), 0.7),
)
_DEPTHS = ((0.25, 0.95), (0.12, 0.8), (0.35, 1.0))
"""How dark blue, green and red paint get: shares of the light that a printed colour has."""
_DARK_BODIES: tuple[Colour, ...] = ((40, 70, 20), (35, 35, 38), (90, 50, 25), (35, 30, 110))


def _weighted(rng: np.random.Generator, table: tuple[tuple[Colour, float], ...]) -> Colour:
    p = np.array([w for _, w in table])
    return table[int(rng.choice(len(table), p=p / p.sum()))][0]


def _jitter(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    b, g, r = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 8, 250)
    return (float(b), float(g), float(r))


def _times(colour: Colour, k: float) -> Colour:
    b, g, r = colour
    return (k * b, k * g, k * r)


@dataclass
class TileSet:
    """Shape, colours and faces of one set; the tile width is the unit of length.

    ``height`` and ``thickness`` are in tile widths, ``radius`` is the rounding of the edges,
    ``seam`` the share of the thickness that has the back's colour. Textures are painted
    ``texture_px`` wide; ``lot`` decides which of several crops stands for a face.
    ``bold`` widens the grooves, ``groove`` darkens their edges, where the paint lies in the shade
    of the wall, ``relief`` is how much darker and lighter (0 … 255) the groove's two walls are,
    ``patchy`` how unevenly the paint lies (0 … 1).
    """

    height: float
    thickness: float
    radius: float
    body: Colour
    back: Colour
    seam: float
    gloss: float
    designs: tuple[Design, ...]
    ink: Ink
    scale: float
    bold: float = 0.0
    groove: float = 0.0
    relief: float = 14.0
    patchy: float = 0.0
    lot: int = 0
    texture_px: int = 128
    width: float = 1.0
    _cache: dict[int, list[Picture]] = field(default_factory=dict)

    @classmethod
    def random(cls, rng: np.random.Generator, faces: FaceBank) -> TileSet:
        first = faces.pick(rng)
        pasted = isinstance(first, PhotoDesign)
        mixed = rng.random() < 0.6 and not pasted
        lacking = [isinstance(first, PhotoDesign) and not first.has(group) for group in GROUPS]
        designs = tuple(
            faces.pick(rng, drawings=True) if mixed or lacks else first for lacks in lacking
        )
        body = _jitter(rng, _weighted(rng, _BODIES), 4)
        if isinstance(first, PhotoDesign):
            body = _jitter(rng, first.body, 3)
        back = _jitter(rng, _weighted(rng, _BACKS), 12)
        blank_white = not pasted and int((designs[4].art(33)[..., 3] > 40).sum()) == 0
        plain = rng.random() < 0.1 and not blank_white and not pasted
        if plain:
            # Backs like the body: then only a framed white dragon can be told from a back.
            back = _jitter(rng, body, 3)
        ink = Ink.random(rng)
        if rng.random() < 0.03 and not pasted:
            body = _jitter(rng, _DARK_BODIES[int(rng.integers(len(_DARK_BODIES)))], 6)
            ink = Ink.light(rng)
        tiles = cls(
            height=float(rng.uniform(1.26, 1.42)),
            thickness=float(rng.uniform(0.55, 0.98)),
            radius=float(rng.uniform(0.05, 0.14)),
            body=body,
            back=back,
            seam=0.0 if plain else float(rng.choice([0.22, 0.32, 0.42, 0.5])),
            gloss=float(rng.uniform(0, 1)),
            designs=designs,
            ink=ink,
            scale=float(rng.uniform(0.94, 1.38)),
            bold=float(rng.choice([0.0, rng.uniform(0.3, 1.0)], p=[0.4, 0.6])),
            lot=int(rng.integers(2**31)),
            groove=float(rng.choice([0.0, rng.uniform(0.1, 0.6)], p=[0.3, 0.7])),
        )
        # A stream of its own: further numbers drawn from `rng` would change every table.
        own = np.random.default_rng([tiles.lot, 7])
        return replace(
            tiles,
            ink=ink if ink.white else ink.deeper(own),
            relief=float(own.uniform(5, 45)),
            patchy=float(own.uniform(0, 0.35)),
        )

    def texture(self, face: int, width_px: float) -> Picture:
        """The face as BGR, at the smallest stored size that is at least ``width_px`` wide."""
        levels = self._cache.get(face)
        if levels is None:
            levels = [self._paint(face)]
            while levels[-1].shape[1] > 12:
                h, w = levels[-1].shape[:2]
                size = (w // 2, round(h / 2))
                levels.append(cv2.resize(levels[-1], size, interpolation=cv2.INTER_AREA))
            self._cache[face] = levels
        chosen = levels[0]
        for level in levels[1:]:
            if level.shape[1] < width_px:
                break
            chosen = level
        return chosen

    def side(self, axis: int, sign: int) -> Picture:
        """Paint of a side that is not the face; see `solids.Look`."""
        picture = np.empty((24, 24, 3), np.uint8)
        if axis == 2:
            picture[:] = self.back
        else:
            picture[:] = self.body
            picture[round(24 * (1 - self.seam)) :] = self.back
        return picture

    def _paint(self, face: int) -> Picture:
        w = self.texture_px
        h = round(w * self.height)
        group = next(i for i, members in enumerate(GROUPS) if face in members)
        design = self.designs[group]
        if isinstance(design, PhotoDesign):
            crop = design.pick(face, np.random.default_rng([self.lot, face]))
            return np.asarray(cv2.resize(crop, (w, h), interpolation=cv2.INTER_AREA))
        canvas: Floats = np.empty((h, w, 3), np.float32)
        canvas[:] = self.body
        art = design.art(face, 8 * int(np.ceil(h / 8)))
        room_w, room_h = w * (1 - 2 * self.radius), h - 2 * self.radius * w
        ah, aw = art.shape[:2]
        # Large prints reach to the rounding of the edge and no further.
        fit = min(min(room_w / aw, room_h / ah) * self.scale, _largest(art, w, h))
        size = (max(4, round(aw * fit)), max(4, round(ah * fit)))
        small = cv2.resize(art, size, interpolation=cv2.INTER_AREA)
        if self.bold > 0:
            # Drawings of our own have grooves as wide as most sets' already.
            small = _bolder(
                small, self.bold * w / (64 if isinstance(design, FolderDesign) else 128)
            )
        small = _window(small, w, h)
        size = (small.shape[1], small.shape[0])
        y, x = (h - size[1]) // 2, (w - size[0]) // 2
        alpha = small[..., 3:].astype(np.float32) / 255
        colour = self.ink.apply(small[..., :3].astype(np.float32), alpha, self.body)
        if self.groove > 0:
            deep = cv2.GaussianBlur(alpha[..., 0], (0, 0), 0.4 + w / 60)
            colour = colour * (1 - self.groove * (1 - np.clip(deep * 1.25, 0, 1)))[..., None]
        if self.patchy > 0 and float(alpha.mean()) < 0.7:
            spread = np.random.default_rng([self.lot, face, 7]).normal(0, self.patchy, (8, 6))
            colour = (
                colour * (1 + cv2.resize(spread, size, interpolation=cv2.INTER_CUBIC))[..., None]
            )
        window = canvas[y : y + size[1], x : x + size[0]]
        # A groove: its upper left edge lies in shade, its lower right edge catches light.
        depth = np.zeros(alpha.shape[:2], np.float32)
        depth[1:, 1:] = np.diff(alpha[..., 0], axis=0)[:, 1:] + np.diff(alpha[..., 0], axis=1)[1:]
        window *= 1 - alpha
        window += colour * alpha
        window -= self.relief * depth[..., None]
        return as_pixels(canvas)


def _largest(art: Picture, w: int, h: int) -> float:
    """By how much the drawing can be made larger at most for its print to stay on a face."""
    ah, aw = art.shape[:2]
    inked = art[..., 3] > 40
    if not inked.any():
        return 1e3
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    reach_y = max(ah / 2 - rows[0], rows[-1] + 1 - ah / 2)
    reach_x = max(aw / 2 - columns[0], columns[-1] + 1 - aw / 2)
    return float(min((0.45 * w) / reach_x, (h / 2 - 0.05 * w) / reach_y))


def _window(art: Picture, w: int, h: int) -> Picture:
    """The middle of a drawing whose empty margins reach over the face."""
    ah, aw = art.shape[:2]
    y, x = max(0, ah - h + 1) // 2, max(0, aw - w + 1) // 2
    return art[y : ah - y, x : aw - x]


def _bolder(art: Picture, spread: float) -> Picture:
    """A BGRA drawing with its strokes wider by about ``spread`` pixels on each side."""
    if float(art[..., 3].mean()) > 150:
        return art
    alpha = art[..., 3].astype(np.float32) / 255
    soft = cv2.GaussianBlur(alpha, (0, 0), 0.3 + spread)
    colour = cv2.GaussianBlur(art[..., :3] * alpha[..., None], (0, 0), 0.3 + spread)
    wide = np.maximum(np.clip(soft * 2.2 - 0.25, 0, 1), alpha)
    return as_pixels(
        np.concatenate([colour / np.maximum(soft, 1e-3)[..., None], wide[..., None] * 255], axis=2)
    )


@dataclass(frozen=True, slots=True)
class Ink:
    """How the colours of a drawing become the paint in the grooves.

    With ``keep`` the drawing's own blue, green and red stay, made darker by ``depths``.
    """

    blue: Colour
    green: Colour
    red: Colour
    black: Colour
    keep: bool
    white: bool = False
    depths: Colour = (1.0, 1.0, 1.0)

    @classmethod
    def random(cls, rng: np.random.Generator) -> Ink:
        black = _jitter(rng, (35, 30, 28), 12)
        blue = _jitter(rng, (150, 50, 25), 22)
        green = _jitter(rng, (45, 105, 20), 18)
        red = _jitter(rng, (40, 35, 190), 22)
        roll = rng.random()
        if roll < 0.3:
            blue = black
        elif roll < 0.4:
            blue, green = black, _jitter(rng, (70, 60, 20), 8)
        elif roll < 0.45:
            blue = green
        if rng.random() < 0.06:
            red = _jitter(rng, (40, 90, 220), 15)
        return cls(blue, green, red, black, keep=bool(rng.random() < 0.35))

    @classmethod
    def light(cls, rng: np.random.Generator) -> Ink:
        pale = _jitter(rng, (225, 235, 240), 8)
        return cls(pale, pale, pale, pale, keep=False, white=True)

    def deeper(self, rng: np.random.Generator) -> Ink:
        """The same as it looks in grooves, where little light comes to: nearly black at times."""
        b, g, r = (float(rng.uniform(*span)) for span in _DEPTHS)

        def deep(paint: Colour, k: float) -> Colour:
            return paint if paint == self.black else _jitter(rng, _times(paint, k), 3)

        return replace(
            self,
            blue=deep(self.blue, b),
            green=deep(self.green, g),
            red=deep(self.red, r),
            depths=(b, g, r),
        )

    def apply(self, art: Floats, alpha: Floats, body: Colour) -> Floats:
        """``art`` (h, w, 3) recoloured; light parts of the drawing become the tile's body."""
        if self.white:
            return np.broadcast_to(np.array(self.black, np.float32), art.shape).astype(np.float32)
        lightness = art @ np.array([[1 / 3]] * 3, np.float32)
        mean = float((lightness * alpha).sum() / (alpha.sum() + 1e-6))
        if mean > 215 and float(alpha.mean()) < 0.7:
            # A design drawn for dark tiles.
            return np.broadcast_to(np.array(self.blue, np.float32), art.shape).astype(np.float32)
        top, bottom = art.max(axis=2), art.min(axis=2)
        chroma = (top - bottom) / np.maximum(top, 1)
        which = art.argmax(axis=2)
        dull = ((chroma < 0.25) | (top < 60))[..., None]
        if self.keep:
            depths = np.array(self.depths, np.float32)[which][..., None]
            return np.asarray(np.where(dull, art, art * depths))
        painted = np.array([self.blue, self.green, self.red], np.float32)[which]
        painted = np.where(dull, np.array(self.black, np.float32), painted)
        # How much paint: dark or saturated strokes are paint, white areas are body.
        paper = 255.0
        if float(alpha.mean()) > 0.7:
            # The drawing brings its own ground: what is as light as most of it is body.
            paper = float(np.percentile(bottom, 60)) if np.percentile(bottom, 60) > 130 else 255.0
        cover = np.clip((paper - 8 - bottom[..., None]) / (0.55 * paper), 0, 1)
        mixed: Floats = painted * cover + np.array(body, np.float32) * (1 - cover)
        return mixed.astype(np.float32)
