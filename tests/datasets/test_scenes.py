"""Rendered scenes: exact corners, honest labels, hands as they say, the stated mix."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from datasets.bank import FaceBank
from datasets.camera import Camera
from datasets.classes import BACK
from datasets.pictures import Picture
from datasets.scenes import PRESETS, Scene, _with_all_in_view, render_hand, render_scene
from datasets.solids import Light, Raster, face_down, label_corners, lying, standing
from datasets.tables import Table
from datasets.tileset import Ink, TileSet
from scorer import Hand
from scorer.tiles import Tile
from tests.support import shared, slow_count

CORNERS = ((250, 20, 20), (20, 250, 20), (20, 20, 250), (20, 250, 250))
"""Blue top left, green top right, red bottom right, yellow bottom left."""


class Quartered:
    """A design whose faces are four colours, one in each corner."""

    name = "quartered"

    def art(self, face: int, height_px: int = 120) -> Picture:
        art = np.full((120, 90, 4), 255, np.uint8)
        art[:60, :45, :3], art[:60, 45:, :3], art[60:, 45:, :3], art[60:, :45, :3] = CORNERS
        return art


def quartered_set() -> TileSet:
    ink = Ink((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), keep=True)
    return TileSet(
        height=1.35,
        thickness=0.8,
        radius=0.05,
        body=(245, 245, 245),
        back=(60, 160, 40),
        seam=0.4,
        gloss=0.0,
        designs=(Quartered(),) * 6,
        ink=ink,
        scale=1.0,
    )


def camera(elevation: float, azimuth: float = 0.2, roll: float = 0.3) -> Camera:
    return Camera.looking_at(
        (0.0, 0.0, 0.4),
        elevation=elevation,
        azimuth=azimuth,
        roll=roll,
        distance=12.0,
        focal_px=900.0,
        principal_px=(199.5, 199.5),
    )


LIGHT = Light(np.array([0.0, 0.0, 1.0]), 0.0)


@pytest.mark.parametrize("turn", [0.0, 0.7, np.pi / 2, np.pi, 4.0])
@pytest.mark.parametrize("pose", ["lying", "standing"])
def test_corners_are_named_as_printed_however_the_tile_is_turned(pose: str, turn: float) -> None:
    ts, view = quartered_set(), camera(1.1 if pose == "lying" else 0.5)
    if pose == "lying":
        solid = lying(3, 0.0, 0.0, turn, ts)
    else:
        solid = standing(3, 0.0, 0.0, 0.1, ts, upside_down=turn > 2)
    raster = Raster(np.zeros((400, 400, 3), np.uint8))
    raster.put(0, solid, ts, view, LIGHT)
    found = label_corners(solid, ts, view)
    assert found is not None
    quad = view.project(found[1])
    middle = quad.mean(axis=0)
    for corner, colour in zip(quad, CORNERS, strict=True):
        x, y = np.round(corner * 0.6 + middle * 0.4).astype(int)
        assert np.abs(raster.colour[y, x].astype(int) - colour).max() < 30


def test_the_quad_is_the_outline_of_the_face_to_a_pixel() -> None:
    ts, view = quartered_set(), camera(1.2)
    ts.radius = 0.02
    solid = lying(3, 0.0, 0.0, 0.4, ts)
    raster = Raster(np.zeros((400, 400, 3), np.uint8))
    raster.put(0, solid, ts, view, LIGHT)
    found = label_corners(solid, ts, view)
    assert found is not None
    drawn = np.zeros((400, 400), np.uint8)
    cv2.fillConvexPoly(drawn, np.round(view.project(found[1])).astype(np.int32), 1)
    face = raster.owner == 0
    common, either = (face & (drawn > 0)).sum(), (face | (drawn > 0)).sum()
    assert common / either > 0.97


def test_a_glyph_is_never_mirrored() -> None:
    # Seen from in front, the corners of a face run clockwise; a mirrored one would run the
    # other way round.
    ts = quartered_set()
    for elevation in (0.6, 1.0, 1.5):
        view = camera(elevation)
        for solid in (lying(3, 1.0, 0.5, 2.0, ts), face_down(3, 1.0, 0.5, 2.0, ts)):
            found = label_corners(solid, ts, view)
            assert found is not None
            assert cv2.contourArea(view.project(found[1]).astype(np.float32), oriented=True) > 0


def test_a_tile_lying_face_down_is_a_back() -> None:
    ts, view = quartered_set(), camera(1.2)
    found = label_corners(face_down(3, 0.0, 0.0, 0.0, ts), ts, view)
    assert found is not None
    assert found[0] == BACK


def test_the_nearer_tile_hides_the_farther_whatever_the_order() -> None:
    ts, view = quartered_set(), camera(0.5, 0.0, 0.0)
    near, far = standing(3, 0.0, 0.0, 0.0, ts), lying(3, 0.0, 1.6, 0.0, ts)
    owners = []
    for order in ((0, 1), (1, 0)):
        raster = Raster(np.zeros((400, 400, 3), np.uint8))
        for index in order:
            raster.put(index, (near, far)[index], ts, view, LIGHT)
        owners.append(raster.owner)
    assert (owners[0] == owners[1]).mean() > 0.999
    alone = Raster(np.zeros((400, 400, 3), np.uint8))
    alone.put(1, far, ts, view, LIGHT)
    assert (owners[0] == 2).sum() < 0.8 * (alone.owner == 2).sum()


def scenes(preset: str, count: int, *, hands: float | None = None) -> list[Scene]:
    bank = FaceBank.own()
    return [
        render_scene(
            np.random.default_rng([77, i]), bank, size=(224, 224), preset=preset, hands=hands
        )
        for i in range(count)
    ]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_scenes_are_well_formed_and_repeat(preset: str) -> None:
    for i, scene in enumerate(scenes(preset, slow_count(3, 30))):
        assert scene.image.shape == (224, 224, 3)
        assert scene.image.dtype == np.uint8
        n = len(scene.faces)
        assert scene.quads.shape == (n, 4, 2)
        assert len(scene.roles) == n
        assert ((scene.faces >= 0) & (scene.faces <= BACK)).all()
        for quad in scene.quads:
            assert cv2.contourArea(quad, oriented=True) > 0
        again = render_scene(
            np.random.default_rng([77, i]), FaceBank.own(), size=(224, 224), preset=preset
        )
        assert np.array_equal(scene.image, again.image)
        assert np.array_equal(scene.quads, again.quads)


def test_a_scene_with_a_hand_shows_exactly_the_tiles_of_its_text() -> None:
    for i in range(slow_count(6, 80)):
        preset = ("phone", "kiosk", "stream")[i % 3]
        scene = render_hand(
            np.random.default_rng([3, i]), FaceBank.own(), size=(224, 224), preset=preset
        )
        assert scene.hand is not None
        hand = Hand.parse(scene.hand)
        assert str(hand) == scene.hand
        of_hand = Counter(
            int(face)
            for face, role in zip(scene.faces, scene.roles, strict=True)
            if role.startswith(("concealed", "winning", "bonus", "set-"))
        )
        kongs = [m for m in hand.melds if m.kind == "concealed-kong"]
        told = Counter(int(t) for t in (*hand.tiles, *hand.bonus))
        told.subtract(int(t) for m in kongs for t in m.tiles)
        assert of_hand == +told
        for k, meld in enumerate(hand.melds):
            if meld.kind == "concealed-kong":
                seen = [int(f) for f, r in zip(scene.faces, scene.roles, strict=True)
                        if r == f"kong-{k}"]  # fmt: skip
                assert len(seen) == 4
                assert set(seen) <= {int(meld.tile), BACK}


def test_the_mix_of_hands_is_as_stated() -> None:
    count = slow_count(24, 400)
    shown = [s for s in scenes("phone", count, hands=1.0) if s.hand]
    assert len(shown) > 0.7 * count

    def share(test: object) -> float:
        return float(np.mean([bool(test(s)) for s in shown]))  # type: ignore[operator]

    # The quick count is small: allow two standard deviations below the stated shares.
    slack = 2 * np.sqrt(0.25 / len(shown))
    assert share(lambda s: "bonus" in s.roles) > 0.40 - slack
    assert share(lambda s: set(s.roles) & {"discard", "wall", "other"}) > 0.30 - slack
    assert share(_has_hidden_kong) > 0.15 - slack
    assert share(_turned) > 0.20 - slack


def _has_hidden_kong(scene: Scene) -> bool:
    return any(
        r.startswith("kong-") and f == BACK for r, f in zip(scene.roles, scene.faces, strict=True)
    )


def _turned(scene: Scene) -> bool:
    """Whether the hand's upright tiles are turned by more than 15° in the picture."""
    tops = [
        q[1] - q[0]
        for q, r in zip(scene.quads, scene.roles, strict=True)
        if r.startswith("concealed")
    ]
    angles = [np.degrees(np.arctan2(t[1], t[0])) for t in tops]
    return bool(abs(np.median(angles)) > 15)


def test_stream_tiles_are_small() -> None:
    widths = []
    for i in range(slow_count(4, 40)):
        scene = render_hand(
            np.random.default_rng([8, i]), FaceBank.own(), size=(640, 480), preset="stream"
        )
        widths.append(np.median(np.linalg.norm(scene.quads[:, 1] - scene.quads[:, 0], axis=1)))
    assert np.median(widths) < 30
    assert min(widths) > 8


def test_photo_crops_are_pasted_only_where_asked() -> None:
    shared("data", "photos", "manifest.csv")
    assert FaceBank.shared().pasted == 0
    with pytest.raises(ValueError, match="no photo design"):
        FaceBank.own().with_photos((), 0.5)


def test_designs_of_the_shared_folder_draw_all_faces() -> None:
    bank = FaceBank.from_folder(shared("data", "faces"))
    assert len(bank.designs) == 26
    for design in bank.designs:
        for face in (0, 13, 25, 33, 40):
            art = design.art(face)
            assert art.shape[2] == 4


def test_a_hand_that_shows_no_face_leaves_the_camera_where_it_is() -> None:
    """Standing tiles seen from straight above show none."""
    table = Table(TileSet.random(np.random.default_rng(1), FaceBank.own()))
    table.add(standing(3, 0.0, 0.0, 0.0, table.ts, role="concealed"))
    above = Camera.looking_at(
        (0, 0, 0), elevation=np.pi / 2, azimuth=0, roll=0, distance=30, focal_px=600,
        principal_px=(320, 320),
    )  # fmt: skip
    assert label_corners(table.solids[0], table.ts, above) is None
    assert _with_all_in_view(above, table, (640, 640)) is above


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(KeyError):
        render_scene(np.random.default_rng(0), FaceBank.own(), preset="moon")


def test_class_ids_follow_the_tile_type() -> None:
    from datasets.classes import FILE_NAMES

    expected = {"m1": "1m", "p9": "9p", "s1": "1s", "z1": "1z", "z7": "7z", "z5": "5z",
                "g1": "1f", "f4": "8f"}  # fmt: skip
    for name, code in expected.items():
        assert FILE_NAMES.index(name) == int(Tile.parse(code))
