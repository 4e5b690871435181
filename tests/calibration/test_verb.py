"""`hupai calibrate` as a user runs it, on rendered pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import sheets
from calibration.board import Board
from calibration.profile import Profile
from calibration.prototypes import Prototypes
from calibration.store import Store
from kiosk.cli import main
from kiosk.trouble import Trouble
from kiosk.verbs.calibrate import _joined, _old_tiles
from tests.calibration.painted import Reader
from tests.calibration.rendering import Pose, camera, photograph
from tests.calibration.sets import FakeReader
from tests.calibration.test_plane import NO_LENS, PX_PER_MM, table_with_markers


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def hupai(*words: object) -> int:
    return main(["calibrate", *map(str, words)])


@cache
def table_seen() -> NDArray[np.uint8]:
    """A table with cards in its corners and a pattern on the cloth: something to hold on to."""
    cam = camera((1280, 720), 900.0, NO_LENS)
    pose = Pose.looking_at((500, 500), 1700, (-35, 0, 3))
    drawing = table_with_markers([(0, 0), (1, 1), (2, 0), (3, 2)])
    rng = np.random.default_rng(0)
    for _ in range(150):
        x, y = rng.integers(300, len(drawing) - 300, 2)
        radius, shade = int(rng.integers(5, 60)), int(rng.integers(60, 200))
        cv2.circle(drawing, (int(x), int(y)), radius, shade, -1)
    return photograph(cam, pose, drawing, PX_PER_MM)


def with_faces(name: str, faces: list[int], reader: str = "r") -> Profile:
    seen = FakeReader.make(0).see(faces, 1)
    return Profile(name).with_tiles(Prototypes.of(*seen, np.asarray(faces), reader))


@dataclass
class Typing:
    """A user who types `word` at every question."""

    word: str
    asked: list[str] = field(default_factory=list)

    def say(self, text: str) -> None: ...

    def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.word

    def show(self, picture: NDArray[np.uint8], file: Path) -> None: ...


@pytest.mark.parametrize(("word", "kept"), [("", 42), ("n", 42), ("y", 6)])
def test_enter_never_replaces_a_tile_set(word: str, kept: int) -> None:
    old, new = with_faces("club", list(range(42))).tiles, with_faces("x", list(range(6))).tiles
    assert old is not None
    assert new is not None
    talk = Typing(word)
    assert len(_joined(new, old, "club", talk).enrolled) == kept
    assert len(talk.asked) == 1
    assert "42 faces; 6 were learnt now. Replace it (no: add to it)? [y/N]" in talk.asked[0]


def test_a_tile_set_of_another_reader_is_not_lost_unasked() -> None:
    profile = with_faces("club", [1, 2], reader="old")
    with pytest.raises(Trouble, match="nothing was changed"):
        _old_tiles(profile, Reader(sha256="new"), Typing(""))
    assert _old_tiles(profile, Reader(sha256="new"), Typing("y")) is None
    assert _old_tiles(Profile("club"), Reader(sha256="new"), Typing("")) is None
    assert _old_tiles(profile, Reader(sha256="old"), Typing("")) is profile.tiles


def test_what_is_not_there_cannot_be_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    assert hupai("tiles", "--forget") == 1
    assert "no profile 'default'" in capsys.readouterr().err
    assert Store.of_user().names() == []
    Store.of_user().save(with_faces("club", [3]))
    assert hupai("table", "--forget", "--profile", "club") == 1
    assert "profile 'club' holds no table" in capsys.readouterr().err
    assert hupai("tiles", "--forget", "--profile", "club") == 0
    assert hupai("tiles", "--forget", "--profile", "club") == 1
    assert hupai("tiles", "--forget", "--profile", "clbu") == 1
    assert "no profile 'clbu', so nothing to forget (known: club)" in capsys.readouterr().err


def table_picture(file: Path, shift: int = 0) -> Path:
    cv2.imwrite(str(file), np.roll(table_seen(), shift, axis=1))
    return file


def test_sheets_are_written_and_their_kind_is_checked(tmp_path: Path) -> None:
    assert hupai("camera", "--print", tmp_path / "board.pdf") == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert hupai("table", "--print", tmp_path / "cards.png", "--page", "letter") == 0
    assert cv2.imread(str(tmp_path / "cards.png")) is not None
    assert hupai("camera", "--print", tmp_path / "board.doc") == 2
    assert hupai("camera", "--print", tmp_path / "b.pdf", "--square-mm", 60) == 2


def test_the_camera_is_calibrated_from_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cam = camera((640, 480), 520.0)
    drawing = sheets.to_picture(Board().sheet(), 3 * 25.4)
    views = tmp_path / "views"
    views.mkdir()
    rng = np.random.default_rng(2)
    for n in range(12):
        turns = (*rng.choice([-28, 28], 2), rng.uniform(-90, 90))
        middle = np.array([105, 142]) + rng.uniform(-110, 110, 2)
        pose = Pose.looking_at((middle[0], middle[1]), rng.uniform(300, 420), turns)
        picture = photograph(cam, pose, drawing, 3, oversample=1, seed=n)
        cv2.imwrite(str(views / f"{n:02}.png"), picture)
    assert hupai("camera", views) == 0
    assert "reprojection error" in capsys.readouterr().out
    found = Store.of_user().load("default").camera
    assert found is not None
    assert found.focal_px[0] == pytest.approx(cam.matrix[0, 0], rel=0.01)
    assert Store.of_user().active() == "default"
    assert hupai("camera", "--forget") == 0
    assert Store.of_user().load("default").camera is None


def test_a_bad_camera_calibration_is_refused_with_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grey.png"
    cv2.imwrite(str(file), np.full((480, 640), 128, np.uint8))
    assert hupai("camera", file) == 1
    heard = capsys.readouterr()
    assert "the board is not in the picture" in heard.out
    assert "0 good views: at least 8 are needed" in heard.err
    assert Store.of_user().names() == []


def test_the_table_is_calibrated_drawn_edited_and_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = table_picture(tmp_path / "table.png")
    out = tmp_path / "zones.jpg"
    assert hupai("table", picture, "--table-mm", "1000x1000", "--out", out) == 0
    assert "near.hand" in capsys.readouterr().out
    assert cv2.imread(str(out)).shape == (720, 1280, 3)
    zone = "near.bonus=-480,300,-250,480"
    assert hupai("table", "--zone", zone, "--no-zone", "far.hand") == 0
    table = Store.of_user().load("default").table
    assert table is not None
    zones = {z.name: z for z in table.zones}
    assert "far.hand" not in zones
    assert zones["near.bonus"].polygon_mm.min(axis=0) == pytest.approx([-480, 300])
    assert hupai("table", "--check", picture) == 0
    assert "stands where it stood" in capsys.readouterr().out
    assert hupai("table", "--check", table_picture(tmp_path / "later.png", shift=40)) == 1
    assert "has moved" in capsys.readouterr().out
    assert hupai("table", "--forget") == 0
    assert hupai("table", "--check", picture) == 1


def test_corners_give_the_table_too(tmp_path: Path) -> None:
    picture = table_picture(tmp_path / "table.png")
    corners = ("310,95", "980,102", "1190,655", "88,640")
    words = ("table", picture, "--by", "corners", "--corners", *corners)
    assert hupai(*words) == 2  # the size is missing
    assert hupai(*words, "--table-mm", "900x900") == 0
    table = Store.of_user().load("default").table
    assert table is not None
    assert table.plane.to_table(np.array([1190.0, 655.0])) == pytest.approx([450, 450], abs=0.01)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("table", "--zone", "near=1,2,3,4"), 2),
        (("table", "--zone", "near.hand=1,2,3"), 2),
        (("table", "--zone", "near.hand=a,b"), 2),
        (("camera",), 2),
        (("camera", "x.jpg", "--source", "0"), 2),
        (("camera", "nowhere.jpg"), 1),
        (("tiles", "--profile", "../x", "a.jpg"), 1),
        (("profiles", "--use", "nobody"), 1),
        (("profiles", "--use", "nobody", "--replace"), 2),
        (("profiles", "--import", "nowhere.hupai"), 1),
    ],
)
def test_wrong_words_end_in_a_sentence(
    words: tuple[str, ...], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--zone" in words:
        assert hupai("table", table_picture(tmp_path / "t.png"), "--table-mm", "1000x1000") == 0
    assert hupai(*words) == code
    assert capsys.readouterr().err.startswith("hupai: ")


def test_profiles_are_listed_exported_and_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Store.of_user().save(Profile("club"))
    assert hupai("profiles", "--use", "club") == 0
    assert hupai("profiles", "--export", "club", tmp_path / "club") == 0
    file = tmp_path / "club.hupai"
    Store.of_user().save(with_faces("club", [3]))
    capsys.readouterr()
    assert hupai("profiles", "--import", file) == 1  # the name is taken
    assert "--as NAME" in (said := capsys.readouterr().err)
    assert "--replace" in said
    assert Store.of_user().load("club").tiles is not None
    assert hupai("profiles", "--import", file, "--replace") == 0
    assert Store.of_user().load("club").tiles is None
    assert hupai("profiles", "--import", file, "--replace", "--as", "club") == 0
    assert hupai("profiles", "--import", file, "--as", "guests") == 0
    capsys.readouterr()
    assert hupai("profiles", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["active"]) for row in listed] == [("club", True), ("guests", False)]
    assert hupai("profiles", "--remove", "club") == 0
    assert Store.of_user().active() is None
    (Store.of_user().folder / "guests" / "profile.toml").write_text("broken")
    capsys.readouterr()
    assert hupai("profiles") == 0
    assert "guests: profile 'guests' is damaged" in capsys.readouterr().out
