"""Vector drawings of tile faces: shapes on a 300 × 400 sheet, as pixels and as SVG.

y runs down. Paint names a role (``blue`` … ``black``); ``body`` cuts back to the bare tile.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pictures import Picture

SHEET = (300, 400)
Points = NDArray[np.float64]

PALETTE: dict[str, tuple[int, int, int]] = {
    "blue": (150, 45, 20),
    "green": (50, 110, 15),
    "red": (35, 30, 195),
    "black": (32, 28, 26),
    "gold": (40, 150, 215),
}
"""Blue, green, red of each paint in the product's own look."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Contours (each (n, 2)) filled by the non-zero rule, or stroked when ``width`` > 0."""

    contours: tuple[Points, ...]
    paint: str
    width: float = 0.0
    closed: bool = True

    def moved(self, matrix: Points) -> Shape:
        """The shape under a 2 × 3 affine map; strokes keep their width times its scale."""
        scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
        contours = tuple(c @ matrix[:, :2].T + matrix[:, 2] for c in self.contours)
        return Shape(contours, self.paint, self.width * scale, self.closed)


@dataclass
class Drawing:
    """Shapes in painting order."""

    shapes: list[Shape] = field(default_factory=list)

    def fill(self, paint: str, *contours: Points) -> None:
        self.shapes.append(Shape(tuple(np.asarray(c, float) for c in contours), paint))

    def stroke(self, paint: str, points: Points, width: float, *, closed: bool = False) -> None:
        self.shapes.append(Shape((np.asarray(points, float),), paint, width, closed))

    def place(self, other: Drawing, matrix: Points) -> None:
        self.shapes.extend(s.moved(matrix) for s in other.shapes)

    def painted(self, paints: dict[str, str]) -> Drawing:
        """The same drawing with some paints exchanged."""
        return Drawing(
            [
                Shape(s.contours, paints.get(s.paint, s.paint), s.width, s.closed)
                for s in self.shapes
            ]
        )

    def outlined(self, width: float) -> Drawing:
        """The same drawing as line art: areas become their edges, over the body's colour."""
        shapes: list[Shape] = []
        for s in self.shapes:
            if s.width > 0:
                shapes.append(s)
            elif s.paint != "body":
                shapes += [Shape(s.contours, "body"), Shape(s.contours, s.paint, width)]
        return Drawing(shapes)

    def warped(self, rng: np.random.Generator, amount: float, slant: float) -> Drawing:
        """The drawing as an unsteady hand cuts it: points moved smoothly by about ``amount``."""
        waves = rng.normal(0, 0.012, (3, 2))
        phases = rng.uniform(0, 2 * np.pi, (3, 2))

        def move(points: Points) -> Points:
            shift = np.sin(points @ waves.T[:, :, None].reshape(2, 3)) @ np.cos(phases)
            out = points + amount * shift
            out[:, 0] += slant * (200.0 - points[:, 1])
            return np.asarray(out)

        return Drawing(
            [
                Shape(tuple(move(c) for c in s.contours), s.paint, s.width, s.closed)
                for s in self.shapes
            ]
        )

    def pixels(self, height_px: int, palette: dict[str, tuple[int, int, int]]) -> Picture:
        """BGRA picture of the sheet, ``height_px`` high."""
        k = height_px * 2 / SHEET[1]
        w, h = round(SHEET[0] * k / 2) * 2, height_px * 2
        names = list(palette)
        # Which paint lies on each pixel: 0 none, else 1 + its place in the palette.
        paints = np.zeros((h, w), np.uint8)
        for shape in self.shapes:
            value = 0 if shape.paint == "body" else 1 + names.index(shape.paint)
            lines = [np.round(c * (k * 16)).astype(np.int32) for c in shape.contours]
            if shape.width > 0:
                thick = max(1, round(shape.width * k))
                cv2.polylines(paints, lines, shape.closed, value, thick, cv2.LINE_8, 4)
            elif len(lines) == 1:
                cv2.fillPoly(paints, lines, value, shift=4)
            else:
                cover = np.zeros((h, w), np.uint8)
                _fill(cover, lines)
                np.copyto(paints, np.uint8(value), where=cover.view(bool))
        table = np.zeros((1, 256, 3), np.uint8)
        table[0, 1 : 1 + len(names)] = np.array(list(palette.values()), np.uint8)
        colour = cv2.LUT(cv2.merge([paints, paints, paints]), table)
        size = (w // 2, height_px)
        cover = np.where(paints > 0, np.uint8(255), np.uint8(0))
        alpha = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
        mixed = cv2.resize(colour, size, interpolation=cv2.INTER_AREA)
        # Bare pixels came in as black: divide them out of the mean.
        scale = np.float32(255) / np.maximum(alpha, 1).astype(np.float32)
        full = np.clip(mixed * scale[..., None], 0, 255).astype(np.uint8)
        return np.asarray(cv2.merge([full, alpha]), np.uint8)

    def svg(self, palette: dict[str, tuple[int, int, int]], body: str = "#ffffff") -> str:
        """The sheet as an SVG document with a transparent ground."""
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SHEET[0]} {SHEET[1]}">']
        for shape in self.shapes:
            if shape.paint == "body":
                ink = body
            else:
                b, g, r = palette[shape.paint]
                ink = f"#{r:02x}{g:02x}{b:02x}"
            data = "".join(_path(c, shape.closed) for c in shape.contours)
            if shape.width > 0:
                parts.append(
                    f'<path d="{data}" fill="none" stroke="{ink}" stroke-width="{shape.width:.4g}"'
                    ' stroke-linecap="round" stroke-linejoin="round"/>'
                )
            else:
                parts.append(f'<path d="{data}" fill="{ink}"/>')
        parts.append("</svg>\n")
        return "\n".join(parts)


def _path(points: Points, closed: bool) -> str:
    rounded = [(f"{x:.1f}".removesuffix(".0"), f"{y:.1f}".removesuffix(".0")) for x, y in points]
    return "M" + "L".join(f"{x} {y}" for x, y in rounded) + ("Z" if closed else "")


def signed_area(points: Points) -> float:
    x, y = points[:, 0], points[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def _fill(cover: Picture, contours: list[NDArray[np.int32]]) -> None:
    # Non-zero rule for outlines whose holes run against their rims: rims first, then holes.
    areas = [signed_area(c.astype(float)) for c in contours]
    order = sorted(range(len(contours)), key=lambda i: -abs(areas[i]))
    rim = np.sign(areas[order[0]])
    for i in order:
        cv2.fillPoly(cover, [contours[i]], 1 if np.sign(areas[i]) == rim else 0, shift=4)


def affine(
    x: float, y: float, scale: float = 1.0, turn: float = 0.0, stretch: float = 1.0
) -> Points:
    """2 × 3 map: scale (height times ``stretch``), turn, then move to (x, y)."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c * scale, -s * scale * stretch, x], [s * scale, c * scale * stretch, y]])


def ellipse(
    x: float, y: float, rx: float, ry: float | None = None, turn: float = 0.0, n: int = 40
) -> Points:
    t = np.arange(n) * (2 * np.pi / n)
    ring = np.stack([rx * np.cos(t), (rx if ry is None else ry) * np.sin(t)], 1)
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(ring @ np.array([[c, s], [-s, c]]) + np.array([x, y]))


def rectangle(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> Points:
    """A box with corners rounded by ``radius``."""
    if radius <= 0:
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    t = np.linspace(0, np.pi / 2, 6)
    arc = np.stack([np.cos(t), np.sin(t)], 1) * radius
    parts = []
    for cx, cy, quarter in (
        (x1 - radius, y1 - radius, 0),
        (x0 + radius, y1 - radius, 1),
        (x0 + radius, y0 + radius, 2),
        (x1 - radius, y0 + radius, 3),
    ):
        q = quarter * np.pi / 2
        c, s = np.cos(q), np.sin(q)
        parts.append(arc @ np.array([[c, s], [-s, c]]) + np.array([cx, cy]))
    return np.concatenate(parts)


def curve(*points: tuple[float, float], n: int = 24) -> Points:
    """A smooth line through the given points (Catmull–Rom)."""
    p = np.asarray(points, float)
    if len(p) < 3:
        return p
    padded = np.concatenate([[2 * p[0] - p[1]], p, [2 * p[-1] - p[-2]]])
    t = np.linspace(0, 1, max(3, n // (len(p) - 1)), endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        parts.append(
            0.5
            * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2
               + (3 * b - a - 3 * c + d) * t**3)
        )  # fmt: skip
    return np.concatenate([*parts, p[-1:]])


def leaf(x: float, y: float, length: float, width: float, turn: float, bow: float = 0.0) -> Points:
    """A pointed leaf from (x, y) along ``turn`` (radians, y down), bent by ``bow``."""
    t = np.linspace(0, 1, 14)
    half = np.sin(np.pi * t**0.8) * width / 2
    middle = np.sin(np.pi * t) * bow * length
    upper = np.stack([t * length, middle - half], 1)
    lower = np.stack([t * length, middle + half], 1)[::-1]
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(
        np.concatenate([upper, lower]) @ np.array([[c, s], [-s, c]]) + np.array([x, y])
    )
