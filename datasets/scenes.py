"""Rendered pictures of tables with exact labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import tables
from datasets.bank import FaceBank
from datasets.camera import Camera
from datasets.classes import BACK
from datasets.grounds import lay_table
from datasets.optics import expose, light_map, sensor
from datasets.pictures import Picture
from datasets.solids import Light, Raster, label_corners, oblique
from datasets.tables import RowStyle, Table, put_grid, put_heap, put_row, put_sets, put_wall
from datasets.things import put_things, spill_light
from datasets.tileset import TileSet

SUPERSAMPLING = 2
HIDDEN_SHARE = 0.4
"""A tile of which more than this is hidden is not labelled."""

LEAST_SINE = 0.2
"""Sides seen more obliquely than this (sine of the angle to the surface) are not labelled."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and its truth.

    ``image`` (h, w, 3) uint8 BGR. ``quads`` (n, 4, 2) float32 pixels (pixel centres at integers):
    corners top-left, top-right, bottom-right, bottom-left of the face as printed (of a back: of
    the side that is seen). ``faces`` (n,) class ids, 42 a back. ``roles`` says for each label what
    the tile is on this table. ``hidden`` (k, 4, 2) are tiles in the picture that are too hidden or
    seen too obliquely to be labelled. ``hand`` is the hand text where the scene shows one.
    """

    image: Picture
    quads: NDArray[np.float32]
    faces: NDArray[np.int64]
    roles: tuple[str, ...]
    hidden: NDArray[np.float32]
    hand: str | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """Where the camera stands: ranges of elevation and roll in degrees, tile width in pixels
    for a picture 640 wide, horizontal field of view in degrees."""

    elevation: tuple[float, float]
    azimuth: float
    roll: float
    tile_px: tuple[float, float]
    fov: tuple[float, float]
    video: bool = False


PRESETS: dict[str, Preset] = {
    "phone": Preset((28, 90), 14, 6, (24, 90), (40, 70)),
    "kiosk": Preset((55, 90), 6, 3, (22, 48), (45, 75)),
    "stream": Preset((30, 75), 10, 4, (14, 30), (35, 65), video=True),
    "tray": Preset((60, 90), 8, 8, (28, 70), (40, 65)),
}


def render_scene(
    rng: np.random.Generator,
    faces: FaceBank,
    *,
    size: tuple[int, int] = (640, 640),
    preset: str = "phone",
    tile_px: tuple[float, float] | None = None,
) -> Scene:
    """One random table.

    ``size`` is (width, height) in pixels. ``tile_px`` overrides the preset's range of tile widths
    (which scales with the picture), e.g. to draw close-ups for training on crops. Raises KeyError
    for an unknown preset.
    """
    view = PRESETS[preset]
    width, height = size
    ts = TileSet.random(rng, faces)
    table = Table(ts)
    _arrange(rng, table, preset)
    if tile_px is None:
        low, high = (v * width / 640 for v in view.tile_px)
    else:
        low, high = tile_px
    wanted = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    camera = _camera(rng, table, view, wanted, size)
    ts.texture_px = int(np.clip(16 * np.ceil(wanted * SUPERSAMPLING * 1.2 / 16), 32, 192))
    return _picture(rng, table, camera, size, wanted, video=view.video)


def _arrange(rng: np.random.Generator, table: Table, preset: str) -> None:
    if preset == "tray":
        put_grid(rng, table, int(rng.integers(2, 6)), int(rng.integers(4, 12)))
        return
    makers: tuple[tuple[Callable[[np.random.Generator, Table], None], float], ...] = (
        (_rows, 0.55),
        (_loose, 0.15),
        (_groups, 0.1),
        (_tray, 0.08),
        (_few, 0.12),
    )
    p = np.array([w for _, w in makers])
    makers[int(rng.choice(len(makers), p=p / p.sum()))][0](rng, table)
    x0, y0, x1, y1 = table.extent()
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 4))):
            side = rng.random()
            n = int(rng.integers(3, 15))
            if side < 0.5:
                start, angle = (rng.uniform(x0 - 3, x1), y1 + rng.uniform(1.2, 6)), 0.0
            else:
                start = (rng.choice([x0 - 2, x1 + 2]), rng.uniform(y0, y1 + 3))
                angle = np.pi / 2
            put_wall(rng, table, (float(start[0]), float(start[1])), angle + rng.normal(0, 0.15), n)
    if rng.random() < 0.35:
        at = (float(rng.uniform(x0, x1)), float(y1 + rng.uniform(2, 6)))
        put_heap(
            rng, table, at, int(rng.integers(3, 26)), spread=float(rng.uniform(1.5, 3.5)),
            any_turn=bool(rng.random() < 0.7), down=float(rng.choice([0.05, 0.4])),
        )  # fmt: skip


def _rows(rng: np.random.Generator, table: Table) -> None:
    n_rows = int(rng.choice([1, 2, 3, 4], p=[0.45, 0.35, 0.12, 0.08]))
    y = 0.0
    angle = float(rng.normal(0, 0.05))
    style = RowStyle.random(rng)
    for _ in range(n_rows):
        n = int(rng.integers(3, 18))
        bend = float(rng.normal(0, 0.02)) if rng.random() < 0.25 else 0.0
        row = tables.random_faces(rng, n)
        gap = float(rng.uniform(0.0, 0.15) if rng.random() < 0.5 else rng.uniform(0.1, 1.5))
        left = float(rng.normal(-n / 2, 1.5))
        for _ in range(12):
            trial = Table(table.ts)
            put_row(rng, trial, row, (left, y), angle, style, bend=bend)
            if all(table.free(s) for s in trial.solids):
                for solid in trial.solids:
                    table.add(solid)
                break
            y += 0.3
        deep = table.ts.thickness if style.pose == "standing" else table.ts.height
        y += deep + gap
        if rng.random() < 0.4:
            style = RowStyle.random(rng)


def _loose(rng: np.random.Generator, table: Table) -> None:
    put_heap(
        rng, table, (0.0, 0.0), int(rng.integers(6, 40)), spread=float(rng.uniform(2, 4)),
        any_turn=bool(rng.random() < 0.7), down=float(rng.choice([0.05, 0.3])),
    )  # fmt: skip


def _groups(rng: np.random.Generator, table: Table) -> None:
    put_sets(rng, table, int(rng.integers(3, 8)))


def _tray(rng: np.random.Generator, table: Table) -> None:
    put_grid(rng, table, int(rng.integers(2, 5)), int(rng.integers(4, 10)))


def _few(rng: np.random.Generator, table: Table) -> None:
    style = RowStyle.random(rng)
    angle = float(rng.choice([rng.normal(0, 0.1), rng.uniform(0, 2 * np.pi)]))
    put_row(
        rng, table, tables.random_faces(rng, int(rng.integers(1, 9))), (-2.0, 0.0), angle, style
    )


def _camera(
    rng: np.random.Generator,
    table: Table,
    view: Preset,
    tile_px: float,
    size: tuple[int, int],
) -> Camera:
    width, height = size
    elevation = np.deg2rad(rng.uniform(*view.elevation))
    azimuth = np.deg2rad(rng.normal(0, view.azimuth))
    roll = np.deg2rad(rng.normal(0, view.roll))
    if rng.random() < 0.08:
        roll += float(rng.choice([np.pi / 2, np.pi, -np.pi / 2]))
    focal = width / 2 / np.tan(np.deg2rad(rng.uniform(*view.fov)) / 2)
    x0, y0, x1, y1 = table.extent()
    # Look at the middle when everything fits, else at some tile.
    if (x1 - x0) * tile_px < width * 0.95:
        target = ((x0 + x1) / 2, (y0 + y1) / 2)
    else:
        solid = table.solids[int(rng.integers(len(table.solids)))]
        target = (float(solid.centre[0]), float(solid.centre[1]))
    principal = (width / 2 - 0.5, height / 2 - 0.5)
    distance = focal / tile_px
    off = rng.normal(0, 0.1, 2) * np.array([width, height]) / tile_px
    aim = (target[0] + off[0], target[1] + off[1], 0.3)
    return Camera.looking_at(
        aim, elevation=float(elevation), azimuth=float(azimuth), roll=float(roll),
        distance=float(max(distance, 4.0)), focal_px=float(focal), principal_px=principal,
    )  # fmt: skip


def _picture(
    rng: np.random.Generator,
    table: Table,
    camera: Camera,
    size: tuple[int, int],
    tile_px: float,
    *,
    video: bool,
) -> Scene:
    width, height = size
    ts = table.ts
    k = SUPERSAMPLING
    # Pixel centres are integers: a fine pixel x' lies at (x' + 0.5) / k - 0.5.
    px, py = camera.principal_px
    fine = Camera(
        camera.rotation, camera.centre, camera.focal_px * k,
        ((px + 0.5) * k - 0.5, (py + 0.5) * k - 0.5),
    )  # fmt: skip
    x0, y0, x1, y1 = table.extent()
    margin = rng.uniform(1, 14, 2)
    half = ((x1 - x0) / 2 + margin[0], (y1 - y0) / 2 + margin[1])
    ground = lay_table(
        rng, fine, height * k, width * k, half_size=half,
        centre=((x0 + x1) / 2, (y0 + y1) / 2),
    )  # fmt: skip
    toward = rng.normal(0, 0.6, 2)
    direction = np.array([toward[0], toward[1], 1.0])
    direction /= np.linalg.norm(direction)
    light = Light(direction, float(rng.uniform(0.2, 0.55)))
    ground = put_things(rng, ground, table, fine)
    ground = spill_light(rng, ground, table, fine, light)
    raster = Raster(ground)
    for index, solid in enumerate(table.solids):
        raster.put(index, solid, ts, fine, light)
    quads, faces, roles, hidden = _labels(table, camera, fine, raster, size)
    clean = np.asarray(
        cv2.resize(raster.colour, (width, height), interpolation=cv2.INTER_AREA), np.uint8
    )
    field = light_map(rng, height, width)
    image = sensor(rng, expose(rng, clean, field), tile_px=tile_px, video=video)
    return Scene(image, quads, faces, roles, hidden)


def _labels(
    table: Table, camera: Camera, fine: Camera, raster: Raster, size: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.int64], tuple[str, ...], NDArray[np.float32]]:
    areas = raster.areas()
    width, height = size
    quads, faces, roles, hidden = [], [], [], []
    for index, solid in enumerate(table.solids):
        found = label_corners(solid, table.ts, fine)
        if found is None:
            continue
        face, corners = found
        if fine.depth(corners).min() < 0.5:
            continue
        quad = camera.project(corners)
        if quad[:, 0].max() < 0 or quad[:, 1].max() < 0:
            continue
        if quad[:, 0].min() > width or quad[:, 1].min() > height:
            continue
        whole = abs(cv2.contourArea(quad.astype(np.float32))) * SUPERSAMPLING**2
        seen = areas.get(2 * index + (1 if face == BACK else 0), 0)
        # The rounded corners take a little of the whole quad.
        share = seen / max(whole * 0.98, 1.0)
        steep = oblique(solid, corners, fine)
        if share >= 1 - HIDDEN_SHARE and steep >= LEAST_SINE:
            quads.append(quad)
            faces.append(face)
            roles.append(solid.role)
        elif share > 0.03:
            hidden.append(quad)
    return (
        np.asarray(quads, np.float32).reshape(-1, 4, 2),
        np.asarray(faces, np.int64),
        tuple(roles),
        np.asarray(hidden, np.float32).reshape(-1, 4, 2),
    )
