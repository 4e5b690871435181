"""Things on the table that are not tiles: racks, dice, coins, hands, captions."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.camera import Array, Camera
from datasets.grounds import noise
from datasets.pictures import Picture, as_pixels
from datasets.solids import Raster, Solid
from datasets.tables import Table

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Block:
    """A box of one colour, or a die."""

    width: float
    height: float
    thickness: float
    radius: float
    colour: tuple[float, float, float]
    gloss: float = 0.2
    die: bool = False

    def texture(self, face: int, width_px: float) -> Picture:
        return self._pips(face % 6 + 1) if self.die else self.side(2, 1)

    def side(self, axis: int, sign: int) -> Picture:
        if self.die:
            return self._pips((2, 3, 6)[axis] if sign < 0 else (5, 4, 1)[axis])
        picture = np.empty((8, 8, 3), np.uint8)
        picture[:] = self.colour
        return picture

    def _pips(self, n: int) -> Picture:
        picture = np.empty((32, 32, 3), np.uint8)
        picture[:] = self.colour
        low, mid, high = 8, 16, 24
        places = {
            1: [(mid, mid)],
            2: [(low, low), (high, high)],
            3: [(low, low), (mid, mid), (high, high)],
            4: [(low, low), (low, high), (high, low), (high, high)],
            5: [(low, low), (low, high), (high, low), (high, high), (mid, mid)],
            6: [(low, low), (low, mid), (low, high), (high, low), (high, mid), (high, high)],
        }[n]
        ink = (40, 30, 190) if n in (1, 4) else (40, 35, 35)
        for at in places:
            cv2.circle(picture, at, 6 if n == 1 else 4, ink, -1, cv2.LINE_AA)
        return picture


def block_at(x: float, y: float, turn: float, block: Block, z: float = 0.0) -> Solid:
    """A block on the table: its width runs along ``turn``."""
    c, s = np.cos(turn), np.sin(turn)
    return Solid(
        0,
        np.array([x, y, z + block.thickness]),
        np.array([c, s, 0.0]),
        np.array([s, -c, 0.0]),
        np.array([0.0, 0.0, 1.0]),
        "thing",
    )


def _colour(rng: Rng, tone: float, spread: float) -> tuple[float, float, float]:
    b, g, r = np.clip(tone + rng.normal(0, spread, 3), 5, 250)
    return float(b), float(g), float(r)


def put_things(rng: Rng, table: Table, *, standing_row: bool) -> None:
    """Racks and rulers along the own row, dice, boxes and cards beside the tiles."""
    x0, y0, x1, y1 = table.extent()
    if rng.random() < (0.5 if standing_row else 0.22):
        tone = float(rng.choice([40.0, 215.0, 130.0]))
        wide = x1 - x0 + float(rng.uniform(-2, 10))
        tall = float(rng.uniform(0.1, 0.45 if standing_row else 0.7))
        rack = Block(wide, float(rng.uniform(0.5, 1.3)), tall, 0.06, _colour(rng, tone, 18))
        if rng.random() < 0.3:
            rack = Block(wide, 1.0, tall, 0.06, (110.0, 160.0, 200.0))
        y = y0 - rack.height / 2 - float(rng.uniform(0.03, 0.6))
        table.things.append((block_at((x0 + x1) / 2, y, 0.0, rack), rack))
    for _ in range(int(rng.choice([0, 1, 3, 6], p=[0.45, 0.25, 0.2, 0.1]))):
        x, y = float(rng.uniform(x0 - 4, x1 + 4)), float(rng.uniform(y0 - 4, y1 + 5))
        if any(abs(x - s.centre[0]) < 1.6 and abs(y - s.centre[1]) < 1.8 for s in table.solids):
            continue
        if rng.random() < 0.45:
            edge = float(rng.uniform(0.35, 0.7))
            thing = Block(edge, edge, edge, edge * 0.12, (236.0, 238.0, 240.0), 0.6, die=True)
        else:
            w, d = (float(v) for v in rng.uniform(0.6, 3.0, 2))
            if any(
                abs(x - s.centre[0]) < 1 + w and abs(y - s.centre[1]) < 1 + d for s in table.solids
            ):
                continue
            flat = rng.random() < 0.6
            tall = float(rng.uniform(0.02, 0.1) if flat else rng.uniform(0.3, 1.5))
            thing = Block(w, d, tall, min(0.05, tall / 3), _colour(rng, 120, 65))
        face = int(rng.integers(6))
        solid = block_at(x, y, float(rng.uniform(0, 3)), thing)
        table.things.append((Solid(face, *_axes(solid)), thing))


def _axes(solid: Solid) -> tuple[Array, Array, Array, Array, str]:
    return solid.centre, solid.right, solid.down, solid.out, solid.role


def draw_coins(rng: Rng, ground: Picture, table: Table, camera: Camera) -> list[Array]:
    """Coins and chips, flat on the ground; returns their rims (28, 3)."""
    x0, y0, x1, y1 = table.extent()
    rims = []
    for _ in range(int(rng.integers(1, 6))):
        x, y = float(rng.uniform(x0 - 3, x1 + 3)), float(rng.uniform(y0 - 3, y1 + 3))
        r = float(rng.uniform(0.25, 0.6))
        t = np.arange(28) * (2 * np.pi / 28)
        colour = _colour(rng, float(rng.choice([90, 170, 200])), 40)
        for share, gain in ((1.0, 0.55), (0.93, 1.0), (0.7, 0.85), (0.64, 1.0)):
            ring = np.stack(
                [x + r * share * np.cos(t), y + r * share * np.sin(t), np.zeros(28)], axis=1
            )
            if camera.depth(ring).min() < 0.5:
                break
            ink = tuple(c * gain for c in colour)
            points = np.round(camera.project(ring) * 16).astype(np.int32)
            cv2.fillPoly(ground, [points], ink, cv2.LINE_AA, 4)
            if share == 1.0:
                rims.append(ring)
    return rims


def outline(solid: Solid, block: Block) -> Array:
    """The eight corners (8, 3) of a block."""
    across = solid.right * block.width / 2, solid.down * block.height / 2
    top = [solid.centre + a * across[0] + b * across[1] for a in (-1, 1) for b in (-1, 1)]
    return np.array(top + [corner - solid.out * block.thickness for corner in top])


_SKIN = ((150.0, 175.0, 220.0), (120.0, 150.0, 200.0), (80.0, 110.0, 160.0), (55.0, 75.0, 110.0))


def cover_with_hand(rng: Rng, raster: Raster, at: tuple[float, float], scale: float) -> None:
    """A hand with forearm reaching to ``at`` (pixels) from the nearest edge; ``scale`` is about
    a finger's width in pixels."""
    h, w = raster.owner.shape
    edge = np.array([at[0] + rng.normal(0, 0.2) * w, h * 1.1 if rng.random() < 0.6 else -0.1 * h])
    tip = np.array(at)
    along = (tip - edge) / max(float(np.linalg.norm(tip - edge)), 1.0)
    across = np.array([-along[1], along[0]])
    palm = tip - along * scale * 3.2
    mask = np.zeros((h, w), np.uint8)

    def limb(a: Array, b: Array, thick: float) -> None:
        cv2.line(mask, _at(a), _at(b), 255, max(1, round(thick)), cv2.LINE_AA, 4)

    limb(edge, palm - along * scale, scale * 2.6)
    limb(palm - along * scale * 0.8, palm + along * scale * 0.5, scale * 3.6)
    for k in range(4):
        root = palm + across * scale * (k - 1.5) * 0.95 + along * scale * 1.6
        end = (
            root + along * scale * float(rng.uniform(1.2, 3)) + across * rng.normal(0, 0.35) * scale
        )
        limb(root - along * scale, end, scale * 0.95)
    thumb = palm + across * scale * 1.6
    limb(thumb, thumb + (along * 1.4 + across * 0.9) * scale, scale)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    shade = 0.55 + 0.5 * np.clip(depth / (scale * 0.7), 0, 1) ** 0.6
    shade += noise(rng, h, w, max(3, int(scale))) * 0.03
    base = np.array(_SKIN[int(rng.integers(len(_SKIN)))], np.float32)
    picture = as_pixels(base * shade[..., None])
    if rng.random() < 0.5:
        cuff = edge + (palm - edge) * float(rng.uniform(0.3, 0.7))
        ys, xs = np.mgrid[0:h, 0:w]
        sleeve = (xs - cuff[0]) * along[0] + (ys - cuff[1]) * along[1] < 0
        cloth = np.asarray(_colour(rng, 90, 60), np.float32)
        picture[sleeve] = as_pixels(cloth * shade[sleeve][:, None])
    raster.cover(mask > 127, picture)


def _at(point: Array) -> tuple[int, int]:
    return round(float(point[0]) * 16), round(float(point[1]) * 16)


def add_caption(rng: Rng, picture: Picture) -> tuple[int, int]:
    """A streamer's caption bar along an edge; returns the rows it covers."""
    h, w = picture.shape[:2]
    tall = int(rng.uniform(0.04, 0.1) * h)
    top = 0 if rng.random() < 0.3 else h - tall
    share = float(rng.uniform(0.5, 1.0))
    bar = np.asarray(_colour(rng, 70, 60), np.float32)
    window = picture[top : top + tall]
    window[:] = as_pixels(window * (1 - share) + bar * share)
    letters = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(6, 24))))
    ink = (245, 245, 245) if bar.mean() < 130 else (20, 20, 20)
    at = (int(rng.uniform(0.02, 0.3) * w), top + int(tall * 0.72))
    cv2.putText(picture, letters, at, cv2.FONT_HERSHEY_SIMPLEX, tall / 42, ink, 1, cv2.LINE_AA)
    return top, top + tall
