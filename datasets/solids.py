"""Tiles as solids: where they lie, and their picture with a depth buffer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Array, Camera
from datasets.classes import BACK
from datasets.pictures import Picture, as_pixels
from datasets.tileset import TileSet


class Look(Protocol):
    """Shape and paint of a box with rounded edges; lengths in tile widths."""

    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def thickness(self) -> float: ...
    @property
    def radius(self) -> float: ...
    @property
    def gloss(self) -> float: ...

    def texture(self, face: int, width_px: float) -> Picture: ...

    def side(self, axis: int, sign: int) -> Picture:
        """Paint of the other sides: axis 0 left and right, 1 top and bottom, 2 the back."""
        ...


@dataclass(frozen=True, slots=True)
class Solid:
    """One tile in the world.

    ``centre`` is the middle of the face, ``right`` and ``down`` run along the face as printed,
    ``out`` leaves it. ``label`` is the class shown when the face is seen.
    """

    face: int
    centre: Array
    right: Array
    down: Array
    out: Array
    role: str = ""

    @property
    def face_up(self) -> bool:
        return bool(self.out[2] > 0.5)


def lying(
    face: int, x: float, y: float, turn: float, ts: TileSet, *, z: float = 0.0, role: str = ""
) -> Solid:
    """A tile on the table, face up; ``turn`` in radians, counter-clockwise seen from above."""
    c, s = np.cos(turn), np.sin(turn)
    return Solid(
        face,
        np.array([x, y, z + ts.thickness]),
        np.array([c, s, 0.0]),
        np.array([s, -c, 0.0]),
        np.array([0.0, 0.0, 1.0]),
        role,
    )


def face_down(
    face: int, x: float, y: float, turn: float, ts: TileSet, *, z: float = 0.0, role: str = ""
) -> Solid:
    """A tile on the table, back up."""
    c, s = np.cos(turn), np.sin(turn)
    return Solid(
        face,
        np.array([x, y, z]),
        np.array([-c, -s, 0.0]),
        np.array([s, -c, 0.0]),
        np.array([0.0, 0.0, -1.0]),
        role,
    )


def standing(
    face: int,
    x: float,
    y: float,
    turn: float,
    ts: TileSet,
    *,
    lean: float = 0.0,
    upside_down: bool = False,
    role: str = "",
) -> Solid:
    """A tile on its short edge facing the player, leaning back by ``lean`` radians.

    (x, y) is the middle of the face's lower edge.
    """
    c, s = np.cos(turn), np.sin(turn)
    right = np.array([c, s, 0.0])
    back = np.array([-s, c, 0.0])
    up = np.cos(lean) * np.array([0, 0, 1.0]) + np.sin(lean) * back
    out = -np.cos(lean) * back + np.sin(lean) * np.array([0, 0, 1.0])
    centre = np.array([x, y, 0.0]) + up * ts.height / 2
    flip = -1.0 if upside_down else 1.0
    return Solid(face, centre, right * flip, -up * flip, out, role)


OCCLUSION = 0.08
"""How much darker the bent edges are for want of open sky."""


@dataclass(frozen=True, slots=True)
class Light:
    """Direction to the light (unit vector), its share against the ambient light, and hue."""

    direction: Array
    strength: float

    def shade(self, normal: Array) -> float:
        n = normal / np.linalg.norm(normal)
        return 1 - self.strength + self.strength * max(0.0, float(n @ self.direction)) * 1.15


class Raster:
    """Colour, depth and ownership of every pixel while tiles are put in."""

    def __init__(self, ground: Picture) -> None:
        h, w = ground.shape[:2]
        self.colour = ground
        self.inverse_depth: NDArray[np.float32] = np.zeros((h, w), np.float32)
        self.owner: NDArray[np.int32] = np.full((h, w), -1, np.int32)

    def put(self, index: int, solid: Solid, ts: Look, camera: Camera, light: Light) -> None:
        """Draw one tile; pixels of its face belong to 2·index, of its back to 2·index + 1.

        A negative index draws a thing that owns nothing.
        """
        h, w, t, r = ts.height, ts.width, ts.thickness, ts.radius
        middle = solid.centre - solid.out * t / 2
        half = np.array([w / 2, h / 2, t / 2])
        axes = np.stack([solid.right, solid.down, solid.out])
        signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
        inner = middle + (signs * (half - r)) @ axes
        if camera.depth(inner).min() < 0.5:
            return
        angles = np.arange(12) * (np.pi / 6)
        ring = r * (
            np.cos(angles)[:, None] * camera.rotation[0]
            + np.sin(angles)[:, None] * camera.rotation[1]
        )
        outline = camera.project((inner[:, None] + ring[None]).reshape(-1, 3))
        x0, y0 = np.floor(outline.min(axis=0)).astype(int) - 1
        x1, y1 = np.ceil(outline.max(axis=0)).astype(int) + 2
        height, width = self.owner.shape
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        if x0 >= x1 or y0 >= y1:
            return
        corner = np.array([x0, y0], float)
        hull = cv2.convexHull((outline - corner).astype(np.float32))
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1, shift=4)
        patch = np.empty((y1 - y0, x1 - x0, 3), np.uint8)
        patch[:] = np.clip(ts.side(0, 1)[0, 0] * light.shade(solid.out) * 0.9, 0, 255)
        depth = np.zeros(mask.shape, np.float32)
        owner = np.full(mask.shape, -2, np.int32)
        ys = np.arange(y0, y1, dtype=np.float32)[:, None]
        xs = np.arange(x0, x1, dtype=np.float32)[None, :]
        for axis, sign in ((2, 1), (2, -1), (0, 1), (0, -1), (1, 1), (1, -1)):
            normal = axes[axis] * sign
            at = middle + normal * half[axis]
            if float((camera.centre - at) @ normal) <= 1e-3:
                continue
            corners, picture = _side(axis, sign, axes, middle, half, solid.face, ts, camera)
            quad = camera.project(corners) - corner
            # Only the window of the patch that this side covers.
            wx0, wy0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
            wx1, wy1 = np.ceil(quad.max(axis=0)).astype(int) + 2
            wx1, wy1 = min(int(wx1), mask.shape[1]), min(int(wy1), mask.shape[0])
            if wx0 >= wx1 or wy0 >= wy1:
                continue
            window = np.s_[wy0:wy1, wx0:wx1]
            quad -= (wx0, wy0)
            shaded = _shaded(picture, corners, normal, r, light, ts.gloss)
            ph, pw = shaded.shape[:2]
            source = np.array([[0, 0], [pw, 0], [pw, ph], [0, ph]], np.float32) - 0.5
            matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
            size = (wx1 - wx0, wy1 - wy0)
            side = cv2.warpPerspective(
                shaded, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
            inside = np.zeros(side.shape[:2], np.uint8)
            cv2.fillConvexPoly(inside, np.round(quad * 16).astype(np.int32), 1, shift=4)
            here = inside.view(bool)
            np.copyto(patch[window], side, where=here[..., None])
            a, b, c = camera.inverse_depth_plane(at, normal)
            plane = np.float32(a) * xs[:, wx0:wx1] + (np.float32(b) * ys[wy0:wy1] + np.float32(c))
            np.copyto(depth[window], plane, where=here)
            own = 2 * index + (0 if sign > 0 else 1) if axis == 2 and index >= 0 else -2
            np.copyto(owner[window], np.int32(own), where=here)
        rim = float(1 / camera.depth(middle[None])[0])
        depth[depth == 0] = rim
        region = np.s_[y0:y1, x0:x1]
        wins = (mask > 0) & (depth > self.inverse_depth[region])
        np.copyto(self.colour[region], patch, where=wins[..., None])
        np.copyto(self.inverse_depth[region], depth, where=wins)
        np.copyto(self.owner[region], owner, where=wins)

    def cover(self, mask: NDArray[np.bool_], picture: Picture) -> None:
        """Put a flat thing (a hand, a caption) in front of everything where ``mask`` is set."""
        self.colour[mask] = picture[mask]
        self.owner[mask] = -2

    def areas(self) -> dict[int, int]:
        """How many pixels each owner has."""
        ids, counts = np.unique(self.owner, return_counts=True)
        return dict(zip(ids.tolist(), counts.tolist(), strict=True))


def _side(
    axis: int,
    sign: int,
    axes: Array,
    middle: Array,
    half: Array,
    face: int,
    ts: Look,
    camera: Camera,
) -> tuple[Array, Picture]:
    """Corners (4, 3) of one side, clockwise seen from outside from its top left, and its paint."""
    right, down, out = axes
    at = middle + axes[axis] * sign * half[axis]
    if axis == 2:
        u, v = (right if sign > 0 else -right), down
        hu, hv = half[0], half[1]
    elif axis == 0:
        # Long sides: v runs from the face to the back.
        u, v, hu, hv = (down if sign < 0 else -down), -out, half[1], half[2]
    else:
        u, v, hu, hv = (right if sign > 0 else -right), -out, half[0], half[2]
    corners = at + np.array([-u * hu - v * hv, u * hu - v * hv, u * hu + v * hv, -u * hu + v * hv])
    if axis == 2 and sign > 0:
        quad = camera.project(corners)
        return corners, ts.texture(face, float(np.linalg.norm(quad[1] - quad[0])) * 1.1)
    return corners, ts.side(axis, sign)


def _shaded(
    picture: Picture, corners: Array, normal: Array, radius: float, light: Light, gloss: float
) -> Picture:
    """``picture`` lit as a flat side whose borders bend away."""
    h, w = picture.shape[:2]
    u, v = corners[1] - corners[0], corners[3] - corners[0]
    lu, lv = float(np.linalg.norm(u)), float(np.linalg.norm(v))
    u, v = u / lu, v / lv
    flat = light.shade(normal)
    rx = np.clip(1 - (np.arange(w) + 0.5) * lu / w / radius, 0, 1) ** 1.5
    ry = np.clip(1 - (np.arange(h) + 0.5) * lv / h / radius, 0, 1) ** 1.5
    # The edge turns away by 60°, and less of the room's light reaches it beside a neighbour.
    bend = 1.7
    across = rx * (light.shade(normal - bend * u) - flat - OCCLUSION)
    across += rx[::-1] * (light.shade(normal + bend * u) - flat - OCCLUSION)
    along = ry * (light.shade(normal - bend * v) - flat - OCCLUSION)
    along += ry[::-1] * (light.shade(normal + bend * v) - flat - OCCLUSION)
    shade = (flat + across[None, :] + along[:, None]).astype(np.float32)
    lit = picture.astype(np.float32) * shade[..., None]
    if gloss > 0.5:
        # A polished edge mirrors the lamp as a thin bright line.
        line = np.maximum(across[None, :] * rx[None, :], along[:, None] * ry[:, None])
        lit += np.clip(line, 0, 1).astype(np.float32)[..., None] * 120 * gloss
    return as_pixels(lit)


def label_corners(solid: Solid, ts: TileSet, camera: Camera) -> tuple[int, Array] | None:
    """Which side of a tile is to be labelled: (class id, corners (4, 3)), or None.

    The face if the camera sees it; else the back, its corners named as seen with the face's
    up direction kept.
    """
    w, h = solid.right * 0.5, solid.down * (ts.height / 2)
    if float((camera.centre - solid.centre) @ solid.out) > 1e-3:
        at = solid.centre
        return solid.face, at + np.array([-w - h, w - h, w + h, -w + h])
    at = solid.centre - solid.out * ts.thickness
    if float((camera.centre - at) @ -solid.out) > 1e-3:
        return BACK, at + np.array([w - h, -w - h, -w + h, w + h])
    return None


def oblique(solid: Solid, corners: Array, camera: Camera) -> float:
    """Sine of the angle between the line of sight and the labelled side (1 = seen squarely)."""
    at = corners.mean(axis=0)
    sight = camera.centre - at
    return abs(float(sight @ solid.out)) / float(np.linalg.norm(sight))
