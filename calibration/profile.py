"""A profile: what one table taught the program, and its form as versioned TOML and arrays.

Each part may be missing, and can be thrown away and made anew by itself. The TOML holds what a
person may want to read or change (names, sizes, zones); the arrays hold the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, floats
from calibration.camera import Intrinsics
from calibration.moved import Landmarks
from calibration.plane import Method, Plane
from calibration.prototypes import Prototypes
from calibration.zones import Side, Use, Zone

FORMAT = "hupai-profile"
VERSION = 1
DEFAULT_NAME = "default"
MAX_NAME = 64
_NAME = re.compile(r"\w[\w .-]*")

Arrays = dict[str, NDArray[Any]]
T = TypeVar("T")


class ProfileError(ValueError):
    """A profile that cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The table's plane, its zones and landmarks; `lens` says that pixels are undistorted ones."""

    plane: Plane
    zones: tuple[Zone, ...] = ()
    tile_wh_mm: tuple[float, float] = (27.0, 36.0)
    table_wh_mm: tuple[float, float] | None = None
    landmarks: Landmarks | None = None
    lens: bool = False

    def __post_init__(self) -> None:
        names = [zone.name for zone in self.zones]
        double = sorted({name for name in names if names.count(name) > 1})
        if double:
            raise ValueError(f"zone {', '.join(double)} is there twice")
        if not all(0 < side < 500 for side in self.tile_wh_mm):
            raise ValueError(f"a tile of {self.tile_wh_mm} mm cannot be")


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A name and what was taught under it."""

    name: str
    camera: Intrinsics | None = None
    table: Table | None = None
    tiles: Prototypes | None = None

    def __post_init__(self) -> None:
        check_name(self.name)

    def straight(self, picture: Picture) -> Picture:
        """`picture` without the lens's distortion, where it may be of the profile's camera.

        A picture of another size, as of a phone at a table with a camera, is left as it is.
        """
        camera = self.camera
        return camera.undistort(picture) if camera is not None and camera.fits(picture) else picture

    def with_camera(self, camera: Intrinsics | None) -> Profile:
        """With another camera; the table's plane was seen through the old one and goes with it."""
        return replace(self, camera=camera, table=None)

    def with_table(self, table: Table | None) -> Profile:
        """With another table, or none."""
        return replace(self, table=table)

    def with_tiles(self, tiles: Prototypes | None) -> Profile:
        """With another tile set, or none."""
        return replace(self, tiles=tiles)


def check_name(name: str) -> str:
    """`name` if it can name a profile (and a folder). Raises ProfileError otherwise."""
    plain = unicodedata.normalize("NFC", name)
    if plain != name or len(name) > MAX_NAME or not _NAME.fullmatch(name) or name[-1] in ". ":
        raise ProfileError(
            f"{name!r} cannot name a profile: use up to {MAX_NAME} letters, digits, spaces, '-' or "
            "'_', starting with a letter or digit"
        )
    return name


def to_document(profile: Profile) -> tuple[dict[str, Any], Arrays]:
    """The profile as a table for TOML and arrays for npz."""
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "name": profile.name}
    arrays: Arrays = {}
    if profile.camera:
        camera = profile.camera
        document["camera"] = {
            "size": list(camera.size_wh),
            "matrix": camera.matrix.tolist(),
            "distortion": camera.distortion.tolist(),
            "error_px": camera.error_px,
            "views": camera.views,
        }
    if profile.table:
        document["table"] = _table_document(profile.table, arrays)
    if profile.tiles:
        tiles = profile.tiles
        document["tiles"] = {"reader": tiles.reader, "crops": tiles.crops is not None}
        arrays["tiles_embeddings"] = tiles.embeddings
        arrays["tiles_probabilities"] = tiles.probabilities
        arrays["tiles_faces"] = tiles.faces
        if tiles.crops is not None:
            arrays["tiles_crops"] = tiles.crops
    return document, arrays


def _table_document(table: Table, arrays: Arrays) -> dict[str, Any]:
    document: dict[str, Any] = {
        "size": list(table.plane.size_wh),
        "method": str(table.plane.method),
        "error_mm": float(table.plane.error_mm),
        "homography": table.plane.homography.tolist(),
        "lens": table.lens,
        "tile_mm": [float(v) for v in table.tile_wh_mm],
    }
    if table.table_wh_mm:
        document["table_mm"] = [float(v) for v in table.table_wh_mm]
    if table.landmarks:
        document["landmarks_size"] = list(table.landmarks.size_wh)
        arrays["landmarks_points"] = table.landmarks.points
        arrays["landmarks_descriptors"] = table.landmarks.descriptors
    document["zones"] = [
        {"side": str(z.side), "use": str(z.use), "polygon_mm": z.polygon_mm.round(2).tolist()}
        for z in table.zones
    ]
    return document


def from_document(document: Mapping[str, Any], arrays: Arrays) -> Profile:
    """The profile in a TOML table and arrays.

    Raises ProfileError naming what is foreign, too new, missing or wrong.
    """
    check_header(document)
    try:
        return Profile(
            name=str(document["name"]),
            camera=_part(document, "camera", lambda part: _camera(part)),
            table=_part(document, "table", lambda part: _table(part, arrays)),
            tiles=_part(document, "tiles", lambda part: _tiles(part, arrays)),
        )
    except KeyError as missing:
        raise ProfileError(f"the profile lacks {missing}: it is damaged") from None
    except (TypeError, ValueError, OverflowError) as wrong:
        if isinstance(wrong, ProfileError):
            raise
        raise ProfileError(f"the profile is damaged: {wrong}") from None


def check_header(document: Mapping[str, Any]) -> None:
    """Raises ProfileError unless the document is a profile that this program can read."""
    if document.get("format") != FORMAT:
        raise ProfileError("this is not a hupai profile")
    version = document.get("version")
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        advice = "update hupai to read it" if newer else "make the profile anew"
        raise ProfileError(f"profile version {version!r} is not {VERSION}: {advice}")


def _part(
    document: Mapping[str, Any], name: str, read: Callable[[Mapping[str, Any]], T]
) -> T | None:
    part = document.get(name)
    if part is None:
        return None
    if not isinstance(part, Mapping):
        raise ProfileError(f"[{name}] must be a table: the profile is damaged")
    return read(part)


def _camera(part: Mapping[str, Any]) -> Intrinsics:
    return Intrinsics(
        size_wh=_size(part["size"]),
        matrix=floats(part["matrix"]),
        distortion=floats(part["distortion"]),
        error_px=float(part["error_px"]),
        views=int(part["views"]),
    )


def _table(part: Mapping[str, Any], arrays: Arrays) -> Table:
    plane = Plane(
        homography=floats(part["homography"]),
        size_wh=_size(part["size"]),
        method=Method(part["method"]),
        error_mm=float(part["error_mm"]),
    )
    seen = None
    if "landmarks_size" in part:
        seen = Landmarks(
            _array(arrays, "landmarks_points", np.float32),
            _array(arrays, "landmarks_descriptors", np.uint8),
            _size(part["landmarks_size"]),
        )
    zones = tuple(
        Zone(Side(z["side"]), Use(z["use"]), _polygon(z["polygon_mm"]))
        for z in part.get("zones", [])
    )
    table_mm = part.get("table_mm")
    return Table(
        plane=plane,
        zones=zones,
        tile_wh_mm=_pair(part["tile_mm"]),
        table_wh_mm=None if table_mm is None else _pair(table_mm),
        landmarks=seen,
        lens=bool(part["lens"]),
    )


def _tiles(part: Mapping[str, Any], arrays: Arrays) -> Prototypes:
    crops = _array(arrays, "tiles_crops", np.uint8) if part["crops"] else None
    return Prototypes(
        _array(arrays, "tiles_embeddings", np.float32),
        _array(arrays, "tiles_probabilities", np.float32),
        _array(arrays, "tiles_faces", np.int64),
        str(part["reader"]),
        crops,
    )


def _array(arrays: Arrays, name: str, kind: type[np.generic]) -> NDArray[Any]:
    found = arrays[name]
    if found.dtype != kind:
        raise ValueError(f"array {name} must hold {kind.__name__}, but holds {found.dtype}")
    return found


def _size(values: Any) -> tuple[int, int]:
    w, h = (int(v) for v in values)
    if not (0 < w <= 100_000 and 0 < h <= 100_000):
        raise ValueError(f"a picture size of {w} x {h} cannot be")
    return w, h


def _pair(values: Any) -> tuple[float, float]:
    w, h = (float(v) for v in values)
    return w, h


def _polygon(values: Any) -> Floats:
    return floats(values)
