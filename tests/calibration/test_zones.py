"""Zones of the seats, and the check that the camera still stands where it stood."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.moved import Camera, Landmarks, Sentinel, check, landmarks
from calibration.plane import from_corners
from calibration.zones import (
    Side,
    Use,
    Zone,
    area_mm2,
    default_zones,
    rectangle,
    which,
    zones_around,
)

TILE = (27.0, 36.0)


def by_name(zones: tuple[Zone, ...]) -> dict[str, Zone]:
    return {zone.name: zone for zone in zones}


def test_every_seat_has_its_hand_at_its_own_edge() -> None:
    zones = by_name(default_zones((900, 900), TILE))
    middles = {side: zones[f"{side}.hand"].polygon_mm.mean(axis=0) for side in Side}
    assert middles[Side.NEAR][1] > 300
    assert middles[Side.FAR][1] < -300
    assert middles[Side.RIGHT][0] > 300
    assert middles[Side.LEFT][0] < -300
    assert middles[Side.NEAR][0] == pytest.approx(0)


def test_bonus_tiles_lie_at_the_left_of_the_one_who_sits_there() -> None:
    zones = by_name(default_zones((900, 900), TILE))
    assert zones["near.bonus"].polygon_mm.mean(axis=0)[0] < -200
    assert zones["far.bonus"].polygon_mm.mean(axis=0)[0] > 200
    assert zones["right.bonus"].polygon_mm.mean(axis=0)[1] > 200  # the near end of the right edge
    assert zones["left.winning"].polygon_mm.mean(axis=0)[1] > 200


def test_zones_hold_seventeen_tiles_and_stay_on_the_table() -> None:
    for zone in default_zones((900, 900), TILE):
        assert (np.abs(zone.polygon_mm) <= 450 + 1e-9).all()
        if zone.use is Use.HAND:
            assert area_mm2(zone.polygon_mm) >= 17 * TILE[0] * 3 * TILE[1]


def test_a_small_table_leaves_no_room_beside_the_hand() -> None:
    names = set(by_name(default_zones((500, 500), TILE)))
    assert names == {f"{side}.hand" for side in Side}


def test_tiles_are_told_to_their_zone() -> None:
    corners = np.array([[300.0, 100], [980, 100], [1180, 650], [100, 650]])
    plane = from_corners(corners, (900, 900), (1280, 720))
    zones = default_zones((900, 900), TILE)
    points = plane.to_picture(np.array([[0, 400], [-300, 400], [270, 400], [0, 0], [0, -400.0]]))
    found = [zone.name if zone else None for zone in which(zones, plane, points)]
    assert found == ["near.hand", "near.bonus", "near.winning", None, "far.hand"]


def test_a_zone_can_be_moved_and_reshaped() -> None:
    zone = Zone(Side.NEAR, Use.HAND, rectangle(0, 0, 100, 50))
    assert zone.shifted([10, 5]).holds(np.array([[105, 52], [5, 2]])).tolist() == [True, False]
    assert zone.moved(2, np.array([160, 90])).holds(np.array([[120, 65]])).all()


@pytest.mark.parametrize(
    ("polygon", "message"),
    [
        (np.zeros((2, 2)), "three corners"),
        (rectangle(0, 0, 100, 0), "no area"),
        (rectangle(0, 0, 1e6, 100), "within 5000 mm"),
        (np.full((4, 2), np.nan), "within 5000 mm"),
    ],
)
def test_impossible_zones_are_refused(polygon: NDArray[np.float64], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Zone(Side.NEAR, Use.HAND, polygon)


def test_zones_grow_around_a_laid_out_hand() -> None:
    own = np.column_stack([np.arange(16) * 27.0 - 200, np.full(16, 40.0)])
    exposed = np.column_stack([np.arange(6) * 27.0 - 200, np.full(6, -15.0)])
    zones = by_name(zones_around(np.vstack([own, exposed]), TILE))
    assert zones["near.hand"].holds(np.vstack([own, exposed])).all()
    assert set(zones) == {"near.hand", "near.bonus", "near.winning"}


def room(seed: int = 0) -> NDArray[np.uint8]:
    """A textured table with furniture: enough for landmarks."""
    rng = np.random.default_rng(seed)
    picture = cv2.resize(
        rng.integers(60, 120, (45, 80), np.uint8), (1280, 720), interpolation=cv2.INTER_CUBIC
    )
    for _ in range(60):
        x, y = rng.integers(0, 1200), rng.integers(0, 680)
        w, h = rng.integers(15, 90, 2)
        cv2.rectangle(
            picture, (int(x), int(y)), (int(x + w), int(y + h)), int(rng.integers(0, 255)), -1
        )
    return picture


def shaken(
    picture: NDArray[np.uint8], shift: tuple[float, float], turn_deg: float
) -> NDArray[np.uint8]:
    h, w = picture.shape
    move = cv2.getRotationMatrix2D((w / 2, h / 2), turn_deg, 1.0)
    move[:, 2] += shift
    out = cv2.warpAffine(picture, move, (w, h), borderMode=cv2.BORDER_REFLECT)
    noise = np.random.default_rng(1).normal(0, 3, out.shape)
    return np.clip(out * 0.9 + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("shift", "turn", "verdict"),
    [
        ((0.0, 0.0), 0.0, Camera.STILL),
        ((1.0, -1.0), 0.0, Camera.STILL),
        ((25.0, 0.0), 0.0, Camera.MOVED),
        ((0.0, 0.0), 3.0, Camera.MOVED),
        ((8.0, 12.0), 0.0, Camera.MOVED),
    ],
)
def test_the_check_tells_a_moved_camera(
    shift: tuple[float, float], turn: float, verdict: Camera
) -> None:
    found = check(landmarks(room()), shaken(room(), shift, turn))
    assert found.verdict is verdict
    if not turn:
        assert found.shift_px == pytest.approx(np.hypot(*shift), abs=2.0)


def test_hands_and_tiles_in_view_do_not_look_like_a_moved_camera() -> None:
    later = room()
    rng = np.random.default_rng(7)
    for n in range(17):
        tile = rng.integers(0, 255, (60, 45), np.uint8)
        later[500:560, 200 + 48 * n : 245 + 48 * n] = cv2.GaussianBlur(tile, (0, 0), 2)
    cv2.circle(later, (900, 300), 140, 180, -1)
    assert check(landmarks(room()), later).verdict is Camera.STILL


def test_another_room_or_the_dark_is_unsure() -> None:
    assert check(landmarks(room()), np.zeros((720, 1280), np.uint8)).verdict is Camera.UNSURE
    assert check(landmarks(room()), room(9)).verdict is Camera.UNSURE


def test_frames_of_another_size_are_compared_all_the_same() -> None:
    half = cv2.resize(room(), (640, 360), interpolation=cv2.INTER_AREA)
    assert check(landmarks(room()), half).verdict is Camera.STILL


def test_landmarks_are_points_not_a_picture() -> None:
    found = landmarks(room())
    assert isinstance(found, Landmarks)
    assert len(found.points) <= 600
    assert (found.points >= 0).all()
    assert (found.points <= 1).all()


def test_the_sentinel_looks_at_the_start_and_now_and_then() -> None:
    sentinel = Sentinel(landmarks(room()), every_s=60)
    assert sentinel.look(room(), 0.0) is not None
    assert sentinel.look(room(), 30.0) is None
    assert sentinel.look(room(), 61.0) is not None


def test_the_sentinel_does_not_cry_for_a_moment() -> None:
    sentinel = Sentinel(landmarks(room()), every_s=60, again_s=2)
    moved = shaken(room(), (25, 0), 0)
    assert sentinel.look(moved, 0.0) is None
    back = sentinel.look(room(), 2.5)
    assert back is not None
    assert back.verdict is Camera.STILL
    assert [sentinel.look(moved, t) for t in (63.0, 65.5)] == [None, None]
    sure = sentinel.look(moved, 68.0)
    assert sure is not None
    assert sure.verdict is Camera.MOVED
