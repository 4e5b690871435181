"""Calibrating the table: its plane from markers, the board, its corners or the tiles; its zones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import markers, moved
from calibration.board import Board
from calibration.camera import Intrinsics
from calibration.plane import BadPlaneError, Method, Plane, from_corners
from calibration.profile import Profile, Table
from calibration.tiles_plane import plane_from_tiles
from calibration.zones import Side, Use, Zone, default_zones, rectangle, zones_around
from kiosk.calibrate.talk import Picture
from kiosk.trouble import Trouble, WrongUse

COLOURS = {Use.HAND: (80, 200, 80), Use.BONUS: (220, 140, 60), Use.WINNING: (60, 120, 240)}
Quads = Callable[[Picture], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Wish:
    """How the plane is to be found, and the sizes the user stated."""

    method: Method
    table_wh_mm: tuple[float, float] | None
    tile_wh_mm: tuple[float, float]
    corners_px: NDArray[np.float64] | None = None
    marker_mm: float = markers.SIDE_MM
    board: Board = field(default_factory=Board)


def calibrate(
    pictures: Sequence[Picture], wish: Wish, camera: Intrinsics | None, quads: Quads
) -> Table:
    """The table as the camera sees it. All pictures are of one camera that did not move.

    `quads` finds tiles in an undistorted picture; it is asked only when tiles give the plane.
    Raises Trouble with what to do when the plane cannot be told, WrongUse for missing sizes.
    """
    if not pictures:
        raise WrongUse("no picture of the table was given.")
    size = (pictures[0].shape[1], pictures[0].shape[0])
    if any(p.shape != pictures[0].shape for p in pictures):
        raise WrongUse("the pictures differ in size: they must come from one camera.")
    lens = camera if camera is not None and camera.size_wh == size else None
    try:
        plane, tiles_mm = _plane(pictures, wish, lens, quads, size)
    except BadPlaneError as error:
        raise Trouble(f"{error}.") from None
    if tiles_mm is not None:
        zones = zones_around(tiles_mm, wish.tile_wh_mm)
    elif wish.table_wh_mm is not None:
        zones = default_zones(wish.table_wh_mm, wish.tile_wh_mm)
    else:
        zones = ()
    return Table(
        plane=plane,
        zones=_visible(zones, plane),
        tile_wh_mm=wish.tile_wh_mm,
        table_wh_mm=wish.table_wh_mm,
        landmarks=moved.landmarks(pictures[-1] if lens is None else lens.undistort(pictures[-1])),
        lens=lens is not None,
    )


def _plane(
    pictures: Sequence[Picture],
    wish: Wish,
    lens: Intrinsics | None,
    quads: Quads,
    size: tuple[int, int],
) -> tuple[Plane, NDArray[np.float64] | None]:
    def straight(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return points if lens is None else lens.undistort_points(points)

    if wish.method is Method.TILES:
        views = [p if lens is None else lens.undistort(p) for p in pictures]
        found = np.concatenate([quads(view) for view in views])
        plane = plane_from_tiles(found, size, wish.tile_wh_mm, lens)
        return plane, plane.to_table(found).mean(axis=1)
    if wish.method is Method.BOARD:
        numbers, points = wish.board.find(pictures[-1])
        plane = markers.plane_from_board(wish.board, numbers, straight(points), size)
        return plane, None
    if wish.table_wh_mm is None:
        raise WrongUse("the table's size is needed: --table-mm WIDTHxDEPTH, measured edge to edge.")
    if wish.method is Method.CORNERS:
        if wish.corners_px is None:
            raise WrongUse("the table's corners are needed: --corners x,y x,y x,y x,y")
        return from_corners(straight(wish.corners_px), wish.table_wh_mm, size), None
    seen = {number: straight(quad) for number, quad in markers.find(pictures[-1]).items()}
    return markers.plane_from_markers(seen, wish.table_wh_mm, size, wish.marker_mm), None


def _visible(zones: tuple[Zone, ...], plane: Plane) -> tuple[Zone, ...]:
    """Zones whose middle the picture shows: the others could never hold a tile that is seen."""
    w, h = plane.size_wh
    kept = []
    for zone in zones:
        x, y = plane.to_picture(zone.polygon_mm.mean(axis=0))
        depth = plane.homography[2] @ [*zone.polygon_mm.mean(axis=0), 1.0]
        if 0 <= x < w and 0 <= y < h and depth * plane.homography[2, 2] > 0:
            kept.append(zone)
    return tuple(kept)


def with_zone(table: Table, name: str, corners_mm: Sequence[float] | None) -> Table:
    """The table with one zone set to a polygon x,y,x,y,…, to a rectangle x0,y0,x1,y1, or left out.

    Raises WrongUse for a name or corners that cannot be.
    """
    try:
        side_text, use_text = name.split(".")
        side, use = Side(side_text), Use(use_text)
    except ValueError:
        raise WrongUse(
            f"{name!r} is no zone: write a side ({', '.join(Side)}), a dot and a use "
            f"({', '.join(Use)}), as near.hand."
        ) from None
    others = tuple(z for z in table.zones if z.name != f"{side}.{use}")
    if corners_mm is None:
        return replace(table, zones=others)
    if len(corners_mm) == 4:
        polygon = rectangle(*corners_mm)
    elif len(corners_mm) >= 6 and len(corners_mm) % 2 == 0:
        polygon = np.asarray(corners_mm, np.float64).reshape(-1, 2)
    else:
        raise WrongUse(f"{name}: four numbers x0,y0,x1,y1 or three or more corners x,y,… in mm.")
    try:
        return replace(table, zones=(*others, Zone(side, use, polygon)))
    except ValueError as error:
        raise WrongUse(f"{error}.") from None


def check(profile: Profile, picture: Picture) -> moved.Check:
    """Has the camera moved since the table of the profile was calibrated?

    Raises Trouble when the profile holds no table that can be compared.
    """
    guard = sentinel(profile)
    if guard is None:
        raise Trouble(f"profile {profile.name!r} holds no table: run hupai calibrate table first.")
    return moved.check(guard.reference, profile.straight(picture), guard.area)


def sentinel(profile: Profile | None) -> moved.Sentinel | None:
    """What looks at straightened frames now and then, and says when the camera has moved."""
    table = None if profile is None else profile.table
    if table is None or table.landmarks is None:
        return None
    corners = [zone.polygon_mm for zone in table.zones]
    area = table.plane.to_picture(np.concatenate(corners)) if corners else None
    return moved.Sentinel(table.landmarks, area)


def draw(picture: Picture, table: Table, camera: Intrinsics | None = None) -> Picture:
    """The picture with a 100 mm grid and every zone, to see whether they lie where they should."""
    lens = camera if table.lens and camera is not None else None
    canvas = picture.copy() if lens is None else lens.undistort(picture).copy()
    plane = table.plane.scaled((picture.shape[1], picture.shape[0]))
    thick = max(1, round(max(picture.shape) / 640))
    reach = 500.0 if table.table_wh_mm is None else max(table.table_wh_mm) / 2
    for at in np.arange(-reach, reach + 1, 100.0):
        for ends in ([[at, -reach], [at, reach]], [[-reach, at], [reach, at]]):
            _line(canvas, plane, np.asarray(ends), (200, 200, 200), 1, closed=False)
    for zone in table.zones:
        _line(canvas, plane, zone.polygon_mm, COLOURS[zone.use], 2 * thick, closed=True)
        x, y = plane.to_picture(zone.polygon_mm.mean(axis=0)).astype(int)
        cv2.putText(
            canvas,
            zone.name,
            (int(x) - 30 * thick, int(y)),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.45 * thick,
            COLOURS[zone.use],
            thick,
            cv2.LINE_AA,
        )
    return canvas


def _line(
    canvas: Picture,
    plane: Plane,
    points_mm: NDArray[np.float64],
    colour: tuple[int, int, int],
    thick: int,
    closed: bool,
) -> None:
    ends = np.concatenate([points_mm, points_mm[:1]]) if closed else points_mm
    steps = np.linspace(0, 1, 20)[:, None]
    for a, b in pairwise(ends):
        track = a + (b - a) * steps
        ahead = (track @ plane.homography[2, :2] + plane.homography[2, 2]) * plane.homography[2, 2]
        pixels = plane.to_picture(track[ahead > 0])
        if len(pixels) > 1:
            clipped = np.clip(pixels, -10_000, 10_000).astype(np.int32).reshape(-1, 1, 2)
            cv2.polylines(canvas, [clipped], False, colour, thick, cv2.LINE_AA)
