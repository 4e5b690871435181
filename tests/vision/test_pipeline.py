"""`vision.read` and `vision.watch` with eyes that see a given table; networks are tested apart."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

import vision
from calibration.camera import Intrinsics
from calibration.plane import Method, Plane
from calibration.profile import Profile
from calibration.profile import Table as ClubTable
from calibration.zones import Side, Use, Zone, rectangle
from scorer.hand import Hand
from scorer.situation import Situation
from scorer.winds import EAST, SOUTH
from tests.vision.tables import lay
from vision.detections import Detections
from vision.layout import OUTSIDE
from vision.pipeline import Eyes
from vision.sources import SourceError

KNOWN = Situation(seat=SOUTH, round=EAST, self_drawn=True)
TEXT = "123m456p77s22z[123s](8888p)@2z 1f6f"


class Seen:
    """A detector and a reader that find the same table in every picture."""

    def __init__(self, text: str = TEXT) -> None:
        self.detections = lay(Random(3), Hand.parse(text), winning="turned").detections
        self.looked: list[tuple[int, ...]] = []
        self.tiles: list[Any] = []

    def detect(self, picture: np.ndarray, /) -> str:
        self.looked.append(picture.shape)
        return "found"

    def name(self, picture: np.ndarray, found: Any, tiles: Any = None, /) -> Detections:
        assert found == "found"
        self.tiles.append(tiles)
        return self.detections


def picture(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(60, 220, (960, 1280, 3)).astype(np.uint8)


def read(given: Any, seen: Seen, **more: Any) -> vision.Reading:
    return vision.read(given, "taiwan", KNOWN, detector=seen.detect, reader=seen.name, **more)


def test_an_array_and_a_file_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "hand.png"
    cv2.imwrite(str(path), picture())
    for given in (picture(), path, str(path)):
        reading = read(given, Seen())
        assert reading.text == str(Hand.parse(TEXT))
        assert reading.certain
        assert reading.total == reading.to_json()["total"]


def test_the_time_of_every_stage_is_told() -> None:
    timings = read(picture(), Seen()).timings_ms
    stages = ["open", "detect", "read", "layout", "decode", "advice"]
    assert [name for name in timings if name != "total"] == stages
    assert timings["total"] >= sum(timings[name] for name in stages) - 0.01


@pytest.mark.parametrize(
    "wrong", [np.zeros((10, 10), np.uint8), np.zeros((10, 10, 3), np.float32), np.zeros((4, 4, 4))]
)
def test_an_array_that_is_no_picture_is_refused(wrong: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"must be a \(h, w, 3\) uint8 array"):
        read(wrong, Seen())


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(SourceError, match="no such file"):
        read("nowhere.jpg", Seen())


def test_a_profile_straightens_the_picture_and_is_named() -> None:
    matrix = np.array([[1000.0, 0, 640], [0, 1000.0, 480], [0, 0, 1]])
    lens = Intrinsics((1280, 960), matrix, np.array([-0.2, 0.05, 0, 0, 0.0]), 0.2, 12)
    profile = Profile("club", camera=lens)
    seen = Seen()
    reading = read(picture(), seen, profile=profile)
    assert reading.to_json()["profile"] == "club"
    eyes = Eyes(seen.detect, seen.name, profile)
    assert (eyes.straight(picture()) != picture()).any()


def test_tiles_outside_the_seats_zones_are_not_of_the_hand() -> None:
    """A table seen straight down at ten pixels a millimetre; the zone holds all tiles, or half."""
    seen = Seen()
    middle = seen.detections.quads.mean(axis=1) / 10
    plane = Plane(np.diag([10.0, 10.0, 1.0]), (1280, 960), Method.CORNERS, 0.1)
    (x0, y0), (x1, y1) = middle.min(axis=0) - 4, middle.max(axis=0) + 4
    for left in (x0, float(np.median(middle[:, 0]))):
        zone = Zone(Side.NEAR, Use.HAND, rectangle(left, y0, x1, y1))
        profile = Profile("club", table=ClubTable(plane, (zone,)))
        reading = read(picture(), seen, profile=profile)
        strangers = {i for i, why in reading.layout.others.items() if why == OUTSIDE}
        assert strangers == set(np.flatnonzero(middle[:, 0] < left).tolist())
        placed = [*reading.layout.hand, *reading.layout.bonus, *reading.layout.others]
        assert sorted(placed) == list(range(len(middle)))
    assert strangers


def test_a_stream_locks_and_reads_the_same_every_time(tmp_path: Path) -> None:
    for k in range(30):
        cv2.imwrite(str(tmp_path / f"f{k:02}.png"), picture()[::4, ::4])

    def run() -> list[tuple[bool, str]]:
        seen = Seen()
        live = vision.watch(str(tmp_path), "taiwan", KNOWN, detector=seen.detect, reader=seen.name)
        frames = [(one.steady.settled, one.reading.text) for one in live]
        # A folder's pictures count as one a second: a still one is read now and again only.
        assert len(seen.looked) < 30
        return frames

    first = run()
    assert first == run()
    assert first[-1] == (True, str(Hand.parse(TEXT)))
    assert len(first) == 30


def test_nothing_is_exported_that_is_not_there() -> None:
    for name in vision.__all__:
        assert getattr(vision, name) is not None
    with pytest.raises(AttributeError, match="nothing_such"):
        vision.nothing_such  # noqa: B018
