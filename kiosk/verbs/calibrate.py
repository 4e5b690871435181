r"""Teach hupai the camera, the table and the club's own tiles.

Start with `tiles`: it needs nothing but a few photographs. `camera` and `table` are for a camera
that stands fixed above a table. What is learnt goes into a profile, which is used from then on.

examples:
  hupai calibrate tiles set1.jpg set2.jpg
  hupai calibrate camera --print board.pdf
  hupai calibrate camera --source 0
  hupai calibrate table --print markers.pdf
  hupai calibrate table --source 0 --by markers --table-mm 900x900
  hupai calibrate table table.jpg --by corners --table-mm 900x900 \
      --corners 310,95 980,102 1190,655 88,640
  hupai calibrate table table.jpg --by tiles --tile-mm 27x36 --out zones.jpg
  hupai calibrate table --zone near.bonus=-420,330,-245,450 --source 0 --out zones.jpg
  hupai calibrate table --check --source 0
  hupai calibrate profiles --export club club.hupai

Exit code 0: learnt. 1: it could not be learnt, and why. 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from calibration import markers
from calibration.board import Board
from calibration.moved import Camera
from calibration.plane import Method
from calibration.profile import DEFAULT_NAME, Profile, ProfileError, Table, check_name
from calibration.prototypes import Prototypes
from calibration.sheets import PAGES_MM
from calibration.store import SUFFIX, NameTakenError, Store
from kiosk.calibrate.active import fitted
from kiosk.calibrate.talk import Picture, Talk, Terminal, agreed
from kiosk.facts import add_language_argument
from kiosk.pictures import write_picture
from kiosk.trouble import GOOD, NOT_GOOD, Trouble, WrongUse
from kiosk.words import preferred_language

if TYPE_CHECKING:
    from kiosk.calibrate.tiles import ReadsCrops


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    camera = kinds.add_parser("camera", help="the lens, from views of a printed board")
    _add_sources(camera)
    _add_printing(camera, "the ChArUco board")
    table = kinds.add_parser("table", help="the table's plane and the seats' zones")
    _add_sources(table)
    _add_printing(table, "four marker cards for the table's corners")
    table.add_argument("--by", choices=[str(m) for m in Method], default="markers")
    table.add_argument("--table-mm", metavar="WxD", type=_pair, help="the table, edge to edge")
    table.add_argument("--tile-mm", metavar="WxH", type=_pair, default=(27.0, 36.0))
    table.add_argument("--marker-mm", type=float, default=markers.SIDE_MM)
    table.add_argument("--corners", metavar="x,y", nargs=4, type=_numbers, help="in pixels")
    table.add_argument("--zone", metavar="NAME=x0,y0,x1,y1", action="append", default=[])
    table.add_argument("--no-zone", metavar="NAME", action="append", default=[])
    table.add_argument("--edit", action="store_true", help="drag the zones in a window")
    table.add_argument("--check", action="store_true", help="has the camera moved since?")
    table.add_argument("--out", metavar="PICTURE", type=Path, help="draw the zones")
    tiles = kinds.add_parser("tiles", help="the club's own tile set, from photographs")
    _add_sources(tiles)
    tiles.add_argument("--again", action="store_true", help="photos may show the same tiles")
    tiles.add_argument(
        "--keep-crops", choices=("yes", "no"), help="answers the question beforehand"
    )
    tiles.add_argument("--sheets", metavar="DIR", type=Path, help="where the sheets are written")
    add_language_argument(tiles)
    for part in (camera, table, tiles):
        part.add_argument("--profile", metavar="NAME", help="the profile to fill")
        part.add_argument("--forget", action="store_true", help="throw away what was learnt")
    _add_profiles(kinds.add_parser("profiles", help="list, choose, export, import, remove"))


def _add_sources(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pictures", metavar="PICTURE", nargs="*", help="files, folders, patterns")
    parser.add_argument("--source", help="a camera or stream, as in hupai watch")


def _add_printing(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--square-mm", type=float, default=25.0, help="side of the board's squares as printed"
    )
    parser.add_argument("--print", metavar="FILE", type=Path, help=f"write {what} (.pdf, .png)")
    parser.add_argument("--page", choices=sorted(PAGES_MM), default="a4")


def _add_profiles(parser: argparse.ArgumentParser) -> None:
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--use", metavar="NAME", help="make a profile the active one")
    action.add_argument("--use-none", action="store_true", help="read without a profile")
    action.add_argument("--export", metavar=("NAME", "FILE"), nargs=2)
    action.add_argument("--import", metavar="FILE", dest="import_file", type=Path)
    action.add_argument("--remove", metavar="NAME")
    parser.add_argument("--without-crops", action="store_true", help="export no pictures")
    parser.add_argument("--as", metavar="NAME", dest="new_name", help="import under this name")
    parser.add_argument(
        "--replace", action="store_true", help="import over the profile of that name"
    )
    parser.add_argument("--json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    store = Store.of_user()
    try:
        if arguments.kind == "profiles":
            return _profiles(arguments, store)
        if getattr(arguments, "print", None) is not None:
            return _print(arguments)
        name = check_name(arguments.profile or store.active() or DEFAULT_NAME)
        profile = store.load(name) if name in store.names() else Profile(name)
        if arguments.forget:
            _check_is_there(store, name, profile, arguments.kind)
            _keep(store, _without(profile, arguments.kind))
            print(f"profile {name!r} holds no {arguments.kind} any more")
            return GOOD
        return {"camera": _camera, "table": _table, "tiles": _tiles}[arguments.kind](
            arguments, store, profile
        )
    except ProfileError as error:
        raise Trouble(f"{error}.") from None
    except OSError as error:
        raise Trouble(f"the profile cannot be written: {error}.") from None


def _check_is_there(store: Store, name: str, profile: Profile, kind: str) -> None:
    """Raises Trouble when there is nothing to forget."""
    if name not in store.names():
        known = ", ".join(store.names()) or "there is none yet"
        raise Trouble(f"there is no profile {name!r}, so nothing to forget (known: {known}).")
    if getattr(profile, kind) is None:
        raise Trouble(f"profile {name!r} holds no {kind}, so there is nothing to forget.")


def _without(profile: Profile, kind: str) -> Profile:
    if kind == "camera":
        return profile.with_camera(None)
    return profile.with_table(None) if kind == "table" else profile.with_tiles(None)


def _keep(store: Store, profile: Profile) -> None:
    store.save(profile)
    if store.active() is None:
        store.activate(profile.name)


def _print(arguments: argparse.Namespace) -> int:
    from kiosk.calibrate.camera import print_sheet

    page = PAGES_MM[arguments.page]
    try:
        sheet = (
            _board(arguments).sheet(page)
            if arguments.kind == "camera"
            else markers.sheet(page, arguments.marker_mm)
        )
    except ValueError as error:
        raise WrongUse(f"{error}.") from None
    print_sheet(sheet, arguments.print)
    print(f"{arguments.print}: print it at actual size and check the ruler on it")
    return GOOD


def _board(arguments: argparse.Namespace) -> Board:
    return Board(square_mm=arguments.square_mm, marker_mm=round(arguments.square_mm * 0.72, 2))


def _camera(arguments: argparse.Namespace, store: Store, profile: Profile) -> int:
    from kiosk.calibrate.camera import calibrate

    camera = calibrate(_sources(arguments), _board(arguments), Terminal())
    if profile.table is not None:
        print("the table was seen through the old lens: run hupai calibrate table again")
    _keep(store, profile.with_camera(camera))
    w, h = camera.size_wh
    print(f"kept in profile {profile.name!r}; pictures of {w} x {h} are straightened from now on")
    return GOOD


def _table(arguments: argparse.Namespace, store: Store, profile: Profile) -> int:
    from kiosk.calibrate import table as dialogue

    if arguments.check:
        found = dialogue.check(profile, _pictures(arguments)[-1])
        print(found.verdict.value)
        return NOT_GOOD if found.verdict is Camera.MOVED else GOOD
    table = profile.table
    pictures = _pictures(arguments) if arguments.pictures or arguments.source else []
    editing = bool(arguments.zone or arguments.no_zone or arguments.edit)
    if not editing or table is None:
        wish = dialogue.Wish(
            Method(arguments.by),
            arguments.table_mm,
            arguments.tile_mm,
            _corners(arguments, pictures),
            arguments.marker_mm,
            _board(arguments),
        )
        table = dialogue.calibrate(pictures, wish, profile.camera, _quads)
        print(f"the table is known to about {table.plane.error_mm:.1f} mm")
    for text in arguments.zone:
        name, _, corners = text.partition("=")
        table = dialogue.with_zone(table, name, _numbers(corners))
    for name in arguments.no_zone:
        table = dialogue.with_zone(table, name, None)
    if arguments.edit:
        table = _edited(table, pictures, profile)
    profile = profile.with_table(table)
    _keep(store, profile)
    for zone in table.zones:
        corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in zone.polygon_mm)
        print(f"  {zone.name:<14} {corners}")
    print(f"kept in profile {profile.name!r}")
    if arguments.out is not None:
        if not pictures:
            raise WrongUse("--out needs a picture of the table to draw on.")
        drawn = dialogue.draw(pictures[-1], table, profile.camera)
        print(f"zones drawn: {write_picture(arguments.out, drawn)}")
    return GOOD


def _corners(arguments: argparse.Namespace, pictures: list[Picture]) -> NDArray[np.float64] | None:
    """The table's corners as given, or clicked in a window where they are needed."""
    from kiosk.calibrate import window
    from kiosk.verbs.watch import has_windows

    if arguments.corners is not None:
        return np.asarray(arguments.corners, np.float64)
    if arguments.by != Method.CORNERS or not pictures or not has_windows():
        return None
    clicks = window.Corners()
    if not window.run(pictures[-1], clicks, "click the four corners, then Enter"):
        raise Trouble("no corners were chosen.")
    return np.stack(clicks.points)


def _edited(table: Table, pictures: list[Picture], profile: Profile) -> Table:
    from kiosk.calibrate import window
    from kiosk.calibrate.table import draw
    from kiosk.verbs.watch import has_windows

    if not pictures:
        raise WrongUse("--edit needs a picture of the table to draw on.")
    if not has_windows():
        raise Trouble(
            "OpenCV has no windows here: change zones with --zone, and see them with --out."
        )
    drag = window.Drag(table, lambda picture, changed: draw(picture, changed, profile.camera))
    hint = "drag corners or zones; Backspace: undo, Enter: keep, Escape: leave"
    if not window.run(pictures[-1], drag, hint):
        raise Trouble("the zones were left as they were.")
    return drag.table


def _quads(picture: Picture) -> NDArray[np.float32]:
    """Corners of the tiles with their faces up."""
    from calibration.tiles_plane import MIN_TILES
    from kiosk.eyes import networks
    from vision.detections import quads_of_boxes

    found = networks()[0](picture)
    upright = quads_of_boxes(found.boxes)
    # Where the detector was not sure of the corners it gives those of the box: these tell nothing.
    seen = ~found.back & ~np.isclose(found.quads, upright, atol=0.01).all(axis=(1, 2))
    if seen.sum() < MIN_TILES:
        raise Trouble(
            f"the corners of only {seen.sum()} tiles are seen well enough: use --by markers or "
            "--by corners."
        )
    return found.quads[seen]


def _tiles(arguments: argparse.Namespace, store: Store, profile: Profile) -> int:
    from calibration.enrol import Enrolment
    from kiosk.calibrate.camera import frames_of
    from kiosk.calibrate.tiles import Dialogue, look
    from kiosk.eyes import networks

    sources = _sources(arguments)
    detector, reader = networks()
    folder = arguments.sheets or Path(tempfile.mkdtemp(prefix="hupai-tiles-"))
    language = arguments.lang or preferred_language()
    talk = Terminal()
    old = _old_tiles(profile, reader, talk)
    dialogue = Dialogue(talk, folder, language, Enrolment(reader.sha256))
    for frame in frames_of(sources):
        dialogue.add(frame.name, frame.image, look(frame.image, detector, reader), arguments.again)
        if arguments.source:
            break
    keep = None if arguments.keep_crops is None else arguments.keep_crops == "yes"
    tiles = dialogue.run(keep)
    if old is not None:
        tiles = _joined(tiles, old, profile.name, talk)
    _keep(store, profile.with_tiles(tiles))
    print(f"{len(tiles.enrolled)} faces are kept in profile {profile.name!r}")
    if store.active() != profile.name:
        print(f"to use it: hupai calibrate profiles --use {profile.name!r}")
    return GOOD


def _old_tiles(profile: Profile, reader: ReadsCrops, talk: Talk) -> Prototypes | None:
    """The profile's tile set as `reader` sees it. Raises Trouble when the user wants to keep one
    that the reader cannot see.
    """
    old = fitted(profile, reader).tiles
    if old is None and profile.tiles is not None:
        question = f"The tile set of profile {profile.name!r} cannot be added to. Replace it?"
        if not agreed(talk, question, default=False):
            raise Trouble("nothing was changed; --profile NAME fills another profile.")
    return old


def _joined(tiles: Prototypes, old: Prototypes, name: str, talk: Talk) -> Prototypes:
    """The new tiles and the old ones, unless the user wants these replaced."""
    question = (
        f"Profile {name!r} has a tile set with {len(old.enrolled)} faces; "
        f"{len(tiles.enrolled)} were learnt now. Replace it (no: add to it)?"
    )
    return tiles if agreed(talk, question, default=False) else tiles.joined(old)


def _profiles(arguments: argparse.Namespace, store: Store) -> int:
    if arguments.replace and arguments.import_file is None:
        raise WrongUse("--replace belongs to --import.")
    if arguments.use is not None:
        store.activate(arguments.use)
    elif arguments.use_none:
        store.activate(None)
    elif arguments.export is not None:
        name, file = arguments.export
        path = Path(file if file.endswith(SUFFIX) else file + SUFFIX)
        store.export(name, path, with_crops=not arguments.without_crops)
        print(f"{name!r} is in {path}")
        return GOOD
    elif arguments.import_file is not None:
        try:
            imported = store.import_file(
                arguments.import_file, arguments.new_name, arguments.replace
            )
        except NameTakenError as error:
            raise Trouble(
                f"{error}: --as NAME imports under another name, --replace over it."
            ) from None
        print(f"imported {imported.name!r}")
    elif arguments.remove is not None:
        store.remove(arguments.remove)
    return _list(store, arguments.json)


def _list(store: Store, as_json: bool) -> int:
    found = []
    for name in store.names():
        row: dict[str, object] = {"name": name, "active": name == store.active()}
        try:
            profile = store.load(name)
            row["camera"] = profile.camera is not None
            row["table"] = profile.table is not None
            row["faces"] = len(profile.tiles.enrolled) if profile.tiles else 0
        except ProfileError as error:
            row["problem"] = str(error)
        found.append(row)
    if as_json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return GOOD
    if not found:
        print("no profile yet: hupai calibrate tiles PICTURE makes one")
    for row in found:
        parts = [p for p in ("camera", "table") if row.get(p)]
        if row.get("faces"):
            parts.append(f"{row['faces']} faces")
        holds = row.get("problem") or ", ".join(parts) or "nothing yet"
        print(f"{'*' if row['active'] else ' '} {row['name']}: {holds}")
    return GOOD


def _sources(arguments: argparse.Namespace) -> list[str]:
    if bool(arguments.pictures) == bool(arguments.source):
        raise WrongUse("name pictures, or a camera with --source (one of the two).")
    return list(arguments.pictures) or [arguments.source]


def _pictures(arguments: argparse.Namespace) -> list[Picture]:
    """All pictures, or one frame of a camera."""
    from kiosk.calibrate.camera import frames_of

    found: list[Picture] = []
    for frame in frames_of(_sources(arguments)):
        found.append(frame.image)
        if arguments.source:
            break
    return found


def _pair(text: str) -> tuple[float, float]:
    parts = text.lower().replace("×", "x").split("x")
    try:
        w, h = (float(part) for part in parts)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: two numbers in mm, as 900x900") from None
    if not (0 < w < 10_000 and 0 < h < 10_000):
        raise argparse.ArgumentTypeError(f"{text!r}: sizes must be positive")
    return w, h


def _numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise WrongUse(f"{text!r}: numbers with commas between, as 310,95.") from None
