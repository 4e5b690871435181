"""The figures of docs/guide/club.md are those of the networks' pictures, and right."""

from __future__ import annotations

import math
import re

import pytest

from calibration.profile import Table
from datasets.scenes import PRESETS
from tests.support import REPOSITORY
from vision.advice import SMALL_WIDTH_PX

TEXT = (REPOSITORY / "docs" / "guide" / "club.md").read_text(encoding="utf-8")
KIOSK = PRESETS["kiosk"]
TILE_MM = 27
NETWORK_PX = 640
ROWS = re.findall(r"^ *\| (\d+)° \| (\d+) cm \| (\d+) cm \|$", TEXT, re.MULTILINE)


def test_the_camera_stands_where_the_networks_learnt() -> None:
    low, high = (round(value) for value in KIOSK.elevation)
    assert f"from {low}° to {high}° above the table" in TEXT
    assert f"{90 - high}° to\n   {90 - low}° away from the player" in TEXT
    narrow, wide = (round(value) for value in KIOSK.fov)
    assert f"between {narrow}° and {wide}°" in TEXT
    least, most = (round(value) for value in KIOSK.tile_px)
    assert f"below {SMALL_WIDTH_PX:.0f} pixels the screen says" in TEXT
    assert f"tiles {least}\nto {most} pixels wide in a picture {NETWORK_PX} pixels wide" in TEXT


def test_widths_are_those_of_the_tiles_that_hupai_assumes() -> None:
    assert Table.__dataclass_fields__["tile_wh_mm"].default[0] == TILE_MM
    row_cm = 17 * TILE_MM / 10
    assert f"A row of 17 tiles is {round(row_cm)} cm long" in TEXT
    farthest_cm = NETWORK_PX * TILE_MM / KIOSK.tile_px[0] / 10
    assert f"as far as it may be ({round(farthest_cm)} cm)" in TEXT


@pytest.mark.parametrize(("angle", "near", "far"), ROWS, ids=[row[0] for row in ROWS])
def test_distances_follow_from_the_angle(angle: str, near: str, far: str) -> None:
    per_width = 0.5 / math.tan(math.radians(int(angle)) / 2)
    assert int(near) == round(56 * per_width)
    assert int(far) == pytest.approx(
        NETWORK_PX * TILE_MM / KIOSK.tile_px[0] / 10 * per_width, abs=0.6
    )


def test_the_table_of_distances_was_found() -> None:
    assert [int(row[0]) for row in ROWS] == [45, 60, 75]
