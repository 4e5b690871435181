"""The whole way from a picture to a reading, once or for every frame of a stream."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from calibration.zones import which
from scorer.houserules import HouseRules
from scorer.registry import find_ruleset
from scorer.situation import Situation
from vision.advice import advise
from vision.decode import decode
from vision.detections import Detections, centres
from vision.layout import layout
from vision.reading import Reading
from vision.sources import Frame, Lost, open_source, read_picture
from vision.tracker import Steady, Tracker

Picture = NDArray[np.uint8]


class FindsTiles(Protocol):
    """A detector: the tiles of a picture, in whatever form its reader takes them."""

    def __call__(self, picture: Picture, /) -> Any: ...


class ReadsFaces(Protocol):
    """A reader: what the detector found, named; with a club's own tile set beside it."""

    def __call__(self, picture: Picture, found: Any, tiles: Any = None, /) -> Detections: ...


@dataclass(frozen=True, slots=True)
class Eyes:
    """A detector and a reader that belong together, and the profile they look with."""

    detector: FindsTiles
    reader: ReadsFaces
    profile: Profile | None = None

    def look(self, image: Picture) -> tuple[Detections, dict[str, float]]:
        """Detections in the picture, and milliseconds per stage."""
        start = time.perf_counter()
        found = self.detector(image)
        between = time.perf_counter()
        tiles = self.profile.tiles if self.profile is not None else None
        if tiles is not None and tiles.reader != getattr(self.reader, "sha256", tiles.reader):
            tiles = None  # embeddings of another reader say nothing here
        detections = self.reader(image, found, tiles)
        done = time.perf_counter()
        return detections, {"detect": 1e3 * (between - start), "read": 1e3 * (done - between)}

    def straight(self, image: Picture) -> Picture:
        """The picture without the lens's distortion, where the profile knows the lens."""
        return image if self.profile is None else self.profile.straight(image)


def outside_zones(
    profile: Profile | None, detections: Detections, size_wh: tuple[int, int], side: str
) -> NDArray[np.bool_] | None:
    """Which tiles lie outside the zones of the seat at `side`; None where no zones are known."""
    table = profile.table if profile is not None else None
    if table is None or not any(zone.side == side for zone in table.zones):
        return None
    middle = centres(detections.quads)
    found = which(table.zones, table.plane.scaled(size_wh), middle)
    return np.array([zone is None or zone.side != side for zone in found], np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Live:
    """One frame of a stream: the steady detections and, once read, what they say."""

    frame: Frame
    steady: Steady
    reading: Reading


def read(
    picture: str | Path | Picture,
    rules: str = "taiwan",
    situation: Situation | None = None,
    house: HouseRules | None = None,
    *,
    detector: FindsTiles | None = None,
    reader: ReadsFaces | None = None,
    profile: Profile | None = None,
    side: str = "near",
) -> Reading:
    """Read one picture: a path, or a (h, w, 3) uint8 BGR array.

    profile: the club's camera, table and tiles. side: whose zones count, where the profile's table
    has any (near, right, far or left as the picture shows it).

    Raises SourceError for a picture that cannot be opened and UnknownRulesetError for `rules`.
    """
    start = time.perf_counter()
    image = _picture(picture)
    eyes = _eyes(detector, reader, profile)
    image = eyes.straight(image)
    opened = time.perf_counter()
    detections, timings = eyes.look(image)
    looked = time.perf_counter()
    outside = outside_zones(profile, detections, (image.shape[1], image.shape[0]), side)
    seen = layout(detections, find_ruleset(rules).sets, outside)
    laid = time.perf_counter()
    reading = decode(seen, rules, situation, house)
    decoded = time.perf_counter()
    advice = advise(image, seen)
    done = time.perf_counter()
    timings = {"open": 1e3 * (opened - start), **timings}
    timings |= {
        "layout": 1e3 * (laid - looked),
        "decode": 1e3 * (decoded - laid),
        "advice": 1e3 * (done - decoded),
        "total": 1e3 * (done - start),
    }
    return reading.with_picture(advice, timings, profile.name if profile else "")


def watch(
    source: str,
    rules: str = "taiwan",
    situation: Situation | None = None,
    house: HouseRules | None = None,
    *,
    detector: FindsTiles | None = None,
    reader: ReadsFaces | None = None,
    profile: Profile | None = None,
    live: bool | None = None,
    side: str = "near",
    lost: Lost | None = None,
) -> Iterator[Live]:
    """Read a stream: one `Live` for every frame. A still picture costs next to nothing.

    Everything depends on the frames and their times alone, so a recorded clip gives the same
    result every time. `lost` is told when a live source gives no picture any more.
    Raises SourceError when the source cannot be opened.
    """
    watcher = Watcher(
        rules, situation, house, detector=detector, reader=reader, profile=profile, side=side
    )
    with open_source(source, live, lost) as frames:
        for frame in frames:
            yield watcher.look(frame)


class Watcher:
    """The way of `watch`, for frames that come by themselves, as from a phone."""

    def __init__(
        self,
        rules: str = "taiwan",
        situation: Situation | None = None,
        house: HouseRules | None = None,
        *,
        detector: FindsTiles | None = None,
        reader: ReadsFaces | None = None,
        profile: Profile | None = None,
        side: str = "near",
    ) -> None:
        self._eyes = _eyes(detector, reader, profile)
        self._facts = (rules, situation, house)
        self._sets = find_ruleset(rules).sets
        self._side = side
        self._timings: dict[str, float] = {}
        self._tracker = Tracker(self._detect)
        self._reading: Reading | None = None

    def look(self, frame: Frame) -> Live:
        """Take one frame; its time must not fall."""
        image = self._eyes.straight(frame.image)
        steady = self._tracker.update(image, frame.time_s)
        if self._reading is None or steady.read:
            profile = self._eyes.profile
            size_wh = (image.shape[1], image.shape[0])
            outside = outside_zones(profile, steady.detections, size_wh, self._side)
            seen = layout(steady.detections, self._sets, outside)
            self._reading = decode(seen, *self._facts).with_picture(
                advise(image, seen), self._timings, profile.name if profile else ""
            )
        fresh = Frame(image, frame.time_s, frame.name, frame.number)
        return Live(fresh, steady, self._reading)

    def _detect(self, image: Picture) -> Detections:
        detections, spent = self._eyes.look(image)
        self._timings.update(spent)
        return detections


@lru_cache(maxsize=1)
def _models() -> tuple[FindsTiles, ReadsFaces]:
    """The shipped networks, loaded when first asked for."""
    from vision.detector import Detector
    from vision.reader import Reader

    return Detector(), Reader()


def _eyes(detector: FindsTiles | None, reader: ReadsFaces | None, profile: Profile | None) -> Eyes:
    if detector is None or reader is None:
        shipped = _models()
        detector, reader = detector or shipped[0], reader or shipped[1]
    return Eyes(detector, reader, profile)


def _picture(picture: str | Path | Picture) -> Picture:
    if isinstance(picture, np.ndarray):
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise ValueError(
                "picture must be a (h, w, 3) uint8 array in BGR order, "
                f"but got {picture.shape} {picture.dtype}"
            )
        return picture
    return read_picture(picture)
