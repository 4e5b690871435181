"""Rendered pictures of tables with exact labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.bank import FaceBank
from datasets.camera import Array, Camera
from datasets.classes import BACK
from datasets.grounds import lay_table
from datasets.hands import LaidHand, lay_hand
from datasets.mixes import loose_table, tray_table
from datasets.optics import expose, glare, light_map, sensor
from datasets.pictures import Picture
from datasets.shadows import cast_shadows, shade_lower_tiles
from datasets.solids import Light, Raster, label_corners, oblique
from datasets.tables import Table
from datasets.things import Block, add_caption, cover_with_hand, draw_coins, outline, put_things
from datasets.tileset import TileSet

SUPERSAMPLING = 2
HIDDEN_SHARE = 0.4
"""A tile of which more than this is hidden is not labelled."""

LEAST_SINE = 0.2
"""Sides seen more obliquely than this (sine of the angle to the surface) are not labelled."""

OF_THE_HAND = ("concealed", "winning", "bonus", "set-", "kong-")
"""How roles of tiles of the hand begin."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and its truth.

    ``image`` (h, w, 3) uint8 BGR. ``quads`` (n, 4, 2) float32 pixels (pixel centres at integers):
    corners top-left, top-right, bottom-right, bottom-left of the face as printed (of a back: of
    the side that is seen). ``faces`` (n,) class ids, 42 a back. ``roles`` says for each label what
    the tile is on this table (see `datasets.hands`; else ``wall``, ``discard``, ``tray``,
    ``other`` or empty). ``hidden`` (k, 4, 2) are tiles in the picture that are too hidden or seen
    too obliquely to be labelled; ``things`` (m, 4) the boxes x1 y1 x2 y2 of dice, coins and
    blocks, some of them perhaps behind tiles. ``hand`` is the hand text where the scene shows a
    finished hand all of whose tiles are labelled, ``asks`` what about it the picture cannot tell.
    """

    image: Picture
    quads: NDArray[np.float32]
    faces: NDArray[np.int64]
    roles: tuple[str, ...]
    hidden: NDArray[np.float32]
    things: NDArray[np.float32]
    hand: str | None = None
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preset:
    """Where the camera stands and what it sees.

    Ranges of elevation in degrees; azimuth and roll spreads in degrees, share of pictures turned
    by more than 15°; tile width in pixels for a picture 640 wide; horizontal field of view in
    degrees; the share of finished hands; whether the room is lit the same at all times.
    """

    elevation: tuple[float, float]
    azimuth: float
    roll: float
    turned: float
    tile_px: tuple[float, float]
    fov: tuple[float, float]
    hands: float
    video: bool = False
    tray: bool = False
    steady_light: bool = False


PRESETS: dict[str, Preset] = {
    "phone": Preset((28, 90), 12, 4, 0.25, (24, 90), (40, 70), 0.6),
    "kiosk": Preset((50, 88), 6, 3, 0.26, (22, 48), (45, 75), 0.85, steady_light=True),
    "stream": Preset((32, 75), 8, 4, 0.26, (14, 30), (35, 65), 0.85, video=True, steady_light=True),
    "tray": Preset((60, 90), 8, 6, 0.25, (28, 70), (40, 65), 0.0, tray=True),
}


def render_scene(
    rng: np.random.Generator,
    faces: FaceBank,
    *,
    size: tuple[int, int] = (640, 640),
    preset: str = "phone",
    tile_px: tuple[float, float] | None = None,
    hands: float | None = None,
) -> Scene:
    """One random table.

    ``size`` is (width, height) in pixels. ``tile_px`` overrides the preset's range of tile widths
    (which scales with the picture), e.g. to draw close-ups for training on crops. ``hands``
    overrides the preset's share of finished hands. Raises KeyError for an unknown preset.
    """
    view = PRESETS[preset]
    ts = TileSet.random(rng, faces)
    table = Table(ts)
    elevation = float(np.deg2rad(rng.uniform(*view.elevation)))
    laid: LaidHand | None = None
    if rng.random() < (view.hands if hands is None else hands):
        laid = lay_hand(rng, table, elevation)
    elif view.tray:
        tray_table(rng, table)
    else:
        loose_table(rng, table)
    low, high = tile_px or tuple(v * size[0] / 640 for v in view.tile_px)
    wanted = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    whole = laid is not None and tile_px is None
    if whole:
        wanted = min(wanted, _fitting(table, size))
    camera = _camera(rng, table, view, elevation, wanted, size)
    if whole:
        camera = _with_all_in_view(camera, table, size)
        wanted = camera.focal_px / float(camera.depth(np.zeros((1, 3)))[0])
    ts.texture_px = int(np.clip(16 * np.ceil(wanted * SUPERSAMPLING * 1.2 / 16), 32, 192))
    scene = _picture(
        rng, table, camera, size, wanted, view=view, photos=faces.surfaces, lined=faces.lined
    )
    if laid is None:
        return scene
    return _with_hand(scene, table, laid)


def photograph(
    rng: np.random.Generator,
    table: Table,
    *,
    elevation: float,
    size: tuple[int, int],
    preset: str = "phone",
    fill: float = 1.0,
    photos: bool = True,
) -> Scene:
    """A table that was laid by hand, all of its hand in view.

    ``elevation`` in radians. ``fill`` is the hand's share of the picture, 1 for as large as it
    fits. ``photos`` allows the shared photographs of table tops.
    """
    view = PRESETS[preset]
    camera = _camera(rng, table, view, elevation, fill * _fitting(table, size), size)
    camera = _with_all_in_view(camera, table, size)
    wanted = camera.focal_px / float(camera.depth(np.zeros((1, 3)))[0])
    table.ts.texture_px = int(np.clip(16 * np.ceil(wanted * SUPERSAMPLING * 1.2 / 16), 32, 192))
    return _picture(rng, table, camera, size, wanted, view=view, photos=photos)


def render_hand(
    rng: np.random.Generator,
    faces: FaceBank,
    *,
    size: tuple[int, int] = (640, 640),
    preset: str = "phone",
    tries: int = 40,
) -> Scene:
    """A table with a finished hand every tile of which is labelled (so `Scene.hand` is set).

    Raises RuntimeError when none comes up in ``tries`` attempts.
    """
    for _ in range(tries):
        scene = render_scene(rng, faces, size=size, preset=preset, hands=1.0)
        if scene.hand is not None:
            return scene
    raise RuntimeError(f"no whole hand in {tries} scenes of preset {preset}")


def _with_hand(scene: Scene, table: Table, laid: LaidHand) -> Scene:
    wanted = sum(s.role.startswith(OF_THE_HAND) for s in table.solids)
    seen = sum(role.startswith(OF_THE_HAND) for role in scene.roles)
    if seen < wanted:
        return scene
    return replace(scene, hand=laid.text, asks=laid.asks)


def _hand_extent(table: Table) -> tuple[float, float, float, float]:
    """x and y range of the hand's tiles, or of all tiles where there is no hand."""
    points = np.array(
        [s.centre[:2] for s in table.solids if s.role.startswith(OF_THE_HAND)]
        or [s.centre[:2] for s in table.solids]
    )
    (x0, y0), (x1, y1) = points.min(axis=0) - 0.8, points.max(axis=0) + 0.8
    return float(x0), float(y0), float(x1), float(y1)


def _fitting(table: Table, size: tuple[int, int]) -> float:
    """The tile width in pixels at which the hand just fits into the picture."""
    x0, y0, x1, y1 = _hand_extent(table)
    return float(min(size[0] * 0.94 / (x1 - x0), size[1] * 0.94 / (y1 - y0)))


def _with_all_in_view(camera: Camera, table: Table, size: tuple[int, int]) -> Camera:
    """The camera drawn back and shifted until every tile of the hand lies in the picture."""
    shown = [
        found[1]
        for s in table.solids
        if s.role.startswith(OF_THE_HAND)
        and (found := label_corners(s, table.ts, camera)) is not None
    ]
    if not shown:  # a hand that stands, seen from above: no face is in view
        return camera
    corners = np.concatenate(shown)
    frame = np.array(size, float)
    for _ in range(3):
        pixels = camera.project(corners)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        share = float((0.97 * frame / (high - low)).min())
        if share < 1:
            back = camera.rotation[2] * float(camera.depth(corners).mean()) * (1 / share - 1)
            camera = replace(camera, centre=camera.centre - back)
    pixels = camera.project(corners)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    shift = np.maximum(0.01 * frame - low, 0) + np.minimum(0.99 * frame - high, 0)
    px, py = np.asarray(camera.principal_px) + shift
    return replace(camera, principal_px=(float(px), float(py)))


def _camera(
    rng: np.random.Generator,
    table: Table,
    view: Preset,
    elevation: float,
    tile_px: float,
    size: tuple[int, int],
) -> Camera:
    width, height = size
    azimuth = np.deg2rad(rng.normal(0, view.azimuth))
    roll = np.deg2rad(rng.normal(0, view.roll))
    if rng.random() < view.turned:
        turn = np.deg2rad(rng.uniform(15, 35) if rng.random() < 0.75 else rng.uniform(35, 180))
        roll += float(rng.choice([-1, 1])) * turn
    focal = width / 2 / np.tan(np.deg2rad(rng.uniform(*view.fov)) / 2)
    x0, y0, x1, y1 = _hand_extent(table)
    spare = np.array([width - (x1 - x0) * tile_px, height - (y1 - y0) * tile_px]) / tile_px
    if spare[0] > 0:
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        off = rng.normal(0, 0.22, 2) * np.clip(spare, 0, None)
    else:
        # It does not fit: look at some tile.
        middle = table.solids[int(rng.integers(len(table.solids)))].centre[:2]
        off = rng.normal(0, 0.1, 2) * np.array([width, height]) / tile_px
    aim = (float(middle[0] + off[0]), float(middle[1] + off[1]), 0.3)
    return Camera.looking_at(
        aim,
        elevation=elevation,
        azimuth=float(azimuth),
        roll=float(roll),
        distance=float(max(focal / tile_px, 4.0)),
        focal_px=float(focal),
        principal_px=(width / 2 - 0.5, height / 2 - 0.5),
    )


def _picture(
    rng: np.random.Generator,
    table: Table,
    camera: Camera,
    size: tuple[int, int],
    tile_px: float,
    *,
    view: Preset,
    photos: bool = True,
    lined: float = 0.0,
) -> Scene:
    width, height = size
    k = SUPERSAMPLING
    # Pixel centres are integers: a fine pixel x' lies at (x' + 0.5) / k - 0.5.
    px, py = ((p + 0.5) * k - 0.5 for p in camera.principal_px)
    fine = Camera(camera.rotation, camera.centre, camera.focal_px * k, (px, py))
    standing_row = any(abs(s.out[2]) < 0.7 for s in table.solids)
    put_things(rng, table, standing_row=standing_row)
    x0, y0, x1, y1 = table.extent()
    margin = rng.uniform(1, 14, 2)
    half = ((x1 - x0) / 2 + float(margin[0]), (y1 - y0) / 2 + float(margin[1]))
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    fine_size = height * k, width * k
    ground = lay_table(
        rng, fine, *fine_size, half_size=half, centre=middle, photos=photos, lined=lined
    )
    light = _light(rng)
    outlines = [outline(solid, look) for solid, look in table.things if isinstance(look, Block)]
    if rng.random() < 0.12:
        outlines += draw_coins(rng, ground, table, fine)
    raster = Raster(cast_shadows(rng, ground, table, fine, light))
    for index, solid in enumerate(table.solids):
        raster.put(index, solid, table.ts, fine, light)
    shade_lower_tiles(rng, raster, table, fine, light)
    for solid, look in table.things:
        raster.put(-1, solid, look, fine, light)
    if rng.random() < 0.07:
        at = rng.uniform(0.1, 0.9, 2) * np.array([width, height * 0.6]) * k
        cover_with_hand(rng, raster, (float(at[0]), float(at[1])), tile_px * k * 0.75)
    if rng.random() < (0.15 if view.video else 0.01):
        top, bottom = add_caption(rng, raster.colour)
        raster.owner[top:bottom] = -2
    quads, faces, roles, hidden = _labels(table, camera, fine, raster, size)
    clean = cv2.resize(raster.colour, (width, height), interpolation=cv2.INTER_AREA)
    clean = glare(rng, clean, quads, table.ts.gloss)
    lit = expose(rng, clean, light_map(rng, height, width), mild=view.steady_light)
    image = sensor(rng, lit, tile_px=tile_px, video=view.video)
    return Scene(image, quads, faces, roles, hidden, _boxes(outlines, camera, size))


def _boxes(outlines: list[Array], camera: Camera, size: tuple[int, int]) -> NDArray[np.float32]:
    """Boxes (m, 4) of points in space whose middles lie in the picture."""
    ends = [
        (pixels.min(axis=0), pixels.max(axis=0))
        for points in outlines
        if camera.depth(points).min() > 0.5
        for pixels in (camera.project(points),)
    ]
    boxes = np.array([np.concatenate(pair) for pair in ends], np.float32).reshape(-1, 4)
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    return boxes[((middles > 0) & (middles < size)).all(axis=1)]


def _light(rng: np.random.Generator) -> Light:
    toward = rng.normal(0, 0.6, 2)
    direction = np.array([toward[0], toward[1], 1.0])
    return Light(direction / np.linalg.norm(direction), float(rng.uniform(0.2, 0.55)))


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
        (qx0, qy0), (qx1, qy1) = quad.min(axis=0), quad.max(axis=0)
        if qx1 < 0 or qy1 < 0 or qx0 > width or qy0 > height:
            continue
        whole = abs(cv2.contourArea(quad.astype(np.float32))) * SUPERSAMPLING**2
        seen = areas.get(2 * index + (1 if face == BACK else 0), 0)
        # The rounded corners take a little of the whole quad.
        share = seen / max(whole * 0.98, 1.0)
        if share >= 1 - HIDDEN_SHARE and oblique(solid, corners, fine) >= LEAST_SINE:
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
