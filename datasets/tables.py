"""Arrangements of tiles on a table: rows, trays, heaps, walls, exposed sets."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from datasets.classes import BONUS, FACES
from datasets.solids import Look, Solid, face_down, lying, standing
from datasets.tileset import TileSet


def random_faces(rng: np.random.Generator, n: int) -> list[int]:
    """``n`` faces, bonus tiles half as likely again as their share."""
    p = np.ones(FACES)
    p[list(BONUS)] = 1.5
    return [int(k) for k in rng.choice(FACES, n, p=p / p.sum())]


@dataclass
class Table:
    """Tiles put down so far, with their footprints for collision tests."""

    ts: TileSet
    solids: list[Solid] = field(default_factory=list)
    things: list[tuple[Solid, Look]] = field(default_factory=list)
    _prints: list[NDArray[np.float64]] = field(default_factory=list)
    _middles: list[tuple[float, float]] = field(default_factory=list)

    def footprint(self, solid: Solid) -> NDArray[np.float64]:
        """Corners (4, 2) of the tile's shadow straight down."""
        ts = self.ts
        middle = solid.centre - solid.out * ts.thickness / 2
        half = np.array([0.5, ts.height / 2, ts.thickness / 2])
        axes = np.stack([solid.right, solid.down, solid.out])
        flat = axes[:, :2] * half[:, None]
        reach = np.argsort(-np.linalg.norm(flat, axis=1))
        a, b = flat[reach[0]], flat[reach[1]]
        c = middle[:2]
        return np.array([c - a - b, c + a - b, c + a + b, c - a + b])

    def free(self, solid: Solid, margin: float = 0.02) -> bool:
        mine = self.footprint(solid)
        x, y = mine.mean(axis=0)
        return not any(
            abs(at[0] - x) < 2.6 and abs(at[1] - y) < 2.6 and _overlap(mine, other, margin)
            for at, other in zip(self._middles, self._prints, strict=True)
        )

    def add(self, solid: Solid) -> None:
        self.solids.append(solid)
        quad = self.footprint(solid)
        self._prints.append(quad)
        x, y = quad.mean(axis=0)
        self._middles.append((float(x), float(y)))

    def add_if_free(self, solid: Solid) -> bool:
        if not self.free(solid):
            return False
        self.add(solid)
        return True

    def extent(self) -> tuple[float, float, float, float]:
        """x and y range of the tiles: (x0, y0, x1, y1)."""
        points = np.concatenate(self._prints)
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)


def _overlap(a: NDArray[np.float64], b: NDArray[np.float64], margin: float) -> bool:
    """Whether two rectangles overlap by more than ``margin`` (separating axes)."""
    for quad in (a, b):
        for k in (0, 1):
            edge = quad[k + 1] - quad[k]
            axis = np.array([-edge[1], edge[0]])
            axis /= max(float(np.linalg.norm(axis)), 1e-9)
            pa, pb = a @ axis, b @ axis
            if pa.max() < pb.min() + margin or pb.max() < pa.min() + margin:
                return False
    return True


@dataclass(frozen=True, slots=True)
class RowStyle:
    """How carefully a row is laid: gaps in tile widths, jitter in tile widths and radians."""

    gap: float = 0.02
    gap_jitter: float = 0.01
    wave: float = 0.02
    turn_jitter: float = 0.01
    pose: str = "lying"
    lean: float = 0.0
    upside_down: float = 0.0
    sideways: float = 0.0
    down: float = 0.0

    @classmethod
    def random(cls, rng: np.random.Generator) -> RowStyle:
        pushed = rng.random() < 0.55
        messy = rng.random() < 0.3
        standing_up = rng.random() < 0.25
        return cls(
            gap=float(rng.uniform(0, 0.05) if pushed else rng.uniform(0.05, 0.6)),
            gap_jitter=0.01 if pushed else float(rng.uniform(0.02, 0.3)),
            wave=float(rng.uniform(0.05, 0.25)) if messy else 0.02,
            turn_jitter=float(rng.uniform(0.03, 0.12)) if messy else 0.01,
            pose="standing" if standing_up else "lying",
            lean=float(rng.choice([0.0, rng.uniform(0, 0.35)])),
            upside_down=float(rng.choice([0.0, 0.05, 0.4], p=[0.6, 0.25, 0.15])),
            sideways=float(rng.choice([0.0, 0.06, 0.3], p=[0.7, 0.2, 0.1])),
            down=float(rng.choice([0.0, 0.06], p=[0.85, 0.15])),
        )


@dataclass(frozen=True, slots=True)
class Item:
    """One place of a row. ``quarters`` turns the tile counter-clockwise in its plane."""

    face: int
    role: str = ""
    quarters: int = 0
    back: bool = False
    gap: float = 0.0

    def length(self, ts: TileSet) -> float:
        return ts.height if self.quarters % 2 else 1.0


def styled(rng: np.random.Generator, faces: list[int], style: RowStyle, role: str) -> list[Item]:
    """A row's items as carelessly as its style says."""
    items = []
    for face in faces:
        flip = 2 if rng.random() < style.upside_down else 0
        side = style.pose == "lying" and rng.random() < style.sideways
        quarter = int(rng.choice([1, 3])) if side else flip
        back = style.pose == "lying" and not side and bool(rng.random() < style.down)
        gap = max(0.0, style.gap + float(rng.normal(0, style.gap_jitter)))
        items.append(Item(face, role, quarter, back, gap))
    return items


def row_length(items: list[Item], ts: TileSet) -> float:
    return sum(i.length(ts) + i.gap for i in items)


def put_items(
    rng: np.random.Generator,
    table: Table,
    items: list[Item],
    start: tuple[float, float],
    angle: float,
    style: RowStyle,
    *,
    bend: float = 0.0,
) -> None:
    """Lay a row from its left end; ``bend`` turns it by that much per tile.

    Sideways tiles of a lying row keep its lower edge. The style gives pose and unsteadiness.
    """
    ts = table.ts
    x, y = start
    heading = angle
    for item in items:
        x, y = x + np.cos(heading) * item.gap, y + np.sin(heading) * item.gap
        length = item.length(ts)
        c, s = np.cos(heading), np.sin(heading)
        shift = float(rng.normal(0, style.wave))
        if item.quarters % 2 and style.pose == "lying":
            shift -= (ts.height - 1) / 2
        mx, my = x + c * length / 2 - s * shift, y + s * length / 2 + c * shift
        turn = heading + float(rng.normal(0, style.turn_jitter))
        if style.pose == "standing":
            solid = standing(
                item.face, mx, my, turn, ts,
                lean=style.lean, upside_down=item.quarters == 2, role=item.role,
            )  # fmt: skip
        else:
            make = face_down if item.back else lying
            solid = make(item.face, mx, my, turn + item.quarters * np.pi / 2, ts, role=item.role)
        table.add(solid)
        x, y = x + c * length, y + s * length
        heading += bend


def put_row(
    rng: np.random.Generator,
    table: Table,
    faces: list[int],
    start: tuple[float, float],
    angle: float,
    style: RowStyle,
    *,
    role: str = "",
    bend: float = 0.0,
) -> None:
    """Lay a row of faces in the style given, from its left end."""
    put_items(rng, table, styled(rng, faces, style, role), start, angle, style, bend=bend)


def put_wall(
    rng: np.random.Generator, table: Table, start: tuple[float, float], angle: float, n: int
) -> None:
    """A wall of backs, two high here and there, its tiles side by side along ``angle``."""
    ts = table.ts
    c, s = np.cos(angle), np.sin(angle)
    double = rng.random() < 0.7
    x, y = start
    for _ in range(n):
        turn = angle + float(rng.normal(0, 0.015))
        face = int(rng.integers(FACES))
        low = face_down(face, x, y, turn, ts, role="wall")
        if table.add_if_free(low) and double and rng.random() < 0.85:
            jitter = rng.normal(0, 0.04, 2)
            table.add(
                face_down(face, x + jitter[0], y + jitter[1], turn, ts, z=ts.thickness, role="wall")
            )
        x, y = x + c * 1.01, y + s * 1.01


def put_heap(
    rng: np.random.Generator,
    table: Table,
    centre: tuple[float, float],
    n: int,
    *,
    spread: float,
    any_turn: bool,
    down: float = 0.1,
    role: str = "discard",
    bonus: bool = True,
) -> None:
    """Scattered tiles, face up or (share ``down``) face down.

    ``bonus`` False leaves out bonus tiles: nobody discards one.
    """
    base = float(rng.uniform(0, 2 * np.pi))
    faces = random_faces(rng, n) if bonus else [int(f) for f in rng.integers(0, BONUS[0], n)]
    for face in faces:
        for _ in range(6):
            dx, dy = rng.normal(0, spread, 2)
            turn = float(rng.uniform(0, 2 * np.pi)) if any_turn else base + rng.normal(0, 0.2)
            make = face_down if rng.random() < down else lying
            solid = make(face, centre[0] + dx, centre[1] + dy, turn, table.ts, role=role)
            if table.add_if_free(solid):
                break


def put_grid(rng: np.random.Generator, table: Table, rows: int, columns: int) -> None:
    """A tray: rows of touching tiles, the whole turned by a multiple of 90°."""
    ts = table.ts
    turn = float(rng.choice([0, 0, 0, 1, 2, 3])) * np.pi / 2
    c, s = np.cos(turn), np.sin(turn)
    gap = float(rng.uniform(0, 0.06))
    mixed = rng.random() < 0.3
    for r in range(rows):
        for k in range(columns):
            if rng.random() < 0.03:
                continue
            u = (k - (columns - 1) / 2) * (1 + gap)
            v = ((rows - 1) / 2 - r) * (ts.height + gap)
            own = turn + (np.pi if mixed and rng.random() < 0.4 else 0) + rng.normal(0, 0.008)
            face = random_faces(rng, 1)[0]
            make = face_down if rng.random() < 0.01 else lying
            table.add(make(face, c * u - s * v, s * u + c * v, own, ts, role="tray"))


def put_sets(rng: np.random.Generator, table: Table, n: int) -> None:
    """Groups of two to four tiles scattered over the table, each turned a little."""
    for _ in range(n):
        size = int(rng.choice([2, 3, 3, 3, 4]))
        for _ in range(8):
            x, y = rng.uniform(-7, 7), rng.uniform(-4, 4)
            angle = float(rng.normal(0, 0.25))
            trial = Table(table.ts)
            style = RowStyle(gap=float(rng.uniform(0, 0.08)))
            put_row(rng, trial, random_faces(rng, size), (x, y), angle, style)
            if all(table.free(s, 0.0) for s in trial.solids):
                for solid in trial.solids:
                    table.add(solid)
                break
