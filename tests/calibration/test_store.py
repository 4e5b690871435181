"""Profiles on disk: kept whole, checked when loaded, and never in the program's way."""

from __future__ import annotations

import contextlib
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import tomltext
from calibration.camera import Intrinsics
from calibration.moved import Landmarks
from calibration.plane import Method, Plane
from calibration.profile import Profile, ProfileError, Table
from calibration.prototypes import Prototypes
from calibration.store import NameTakenError, Store, data_folder, pack, read_export, unpack
from calibration.zones import default_zones


def full_profile(name: str = "club") -> Profile:
    rng = np.random.default_rng(0)
    camera = Intrinsics(
        (1280, 720),
        np.array([[1000.5, 0, 640], [0, 1001, 360], [0, 0, 1]]),
        np.array([-0.1, 0.02, 0.001, -0.001, 0]),
        0.21,
        15,
    )
    plane = Plane(
        np.array([[1.1, 0, 640], [0, 0.8, 360], [0, 1e-4, 1]]), (1280, 720), Method.MARKERS, 0.4
    )
    seen = Landmarks(
        rng.random((50, 2), np.float32), rng.integers(0, 255, (50, 32), np.uint8), (1280, 720)
    )
    tiles = (27.0, 36.0)
    table = Table(plane, default_zones((900, 900), tiles), tiles, (900, 900), seen, lens=True)
    crops = rng.integers(0, 255, (42, 64, 64, 3), np.uint8)
    seen, p = rng.normal(size=(42, 12, 16)), rng.random((42, 12, 44))
    prototypes = Prototypes.of(seen, p, np.arange(42), "ab" * 32, crops)
    return Profile(name, camera, table, prototypes)


def assert_same(a: Profile, b: Profile) -> None:
    assert a.name == b.name
    assert a.camera is not None
    assert b.camera is not None
    assert (a.camera.matrix == b.camera.matrix).all()
    assert a.camera.views == b.camera.views
    assert a.table is not None
    assert b.table is not None
    assert (a.table.plane.homography == b.table.plane.homography).all()
    assert [z.name for z in a.table.zones] == [z.name for z in b.table.zones]
    for one, other in zip(a.table.zones, b.table.zones, strict=True):
        assert one.polygon_mm == pytest.approx(other.polygon_mm, abs=0.01)
    assert a.table.landmarks is not None
    assert b.table.landmarks is not None
    assert (a.table.landmarks.descriptors == b.table.landmarks.descriptors).all()
    assert a.tiles is not None
    assert b.tiles is not None
    assert (a.tiles.embeddings == b.tiles.embeddings).all()
    assert a.tiles.crops is not None
    assert (a.tiles.crops == b.tiles.crops).all()


def test_a_profile_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    store = Store(tmp_path / "profiles")
    assert store.names() == []
    store.save(full_profile())
    assert store.names() == ["club"]
    assert_same(full_profile(), store.load("club"))


def test_parts_may_be_missing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(Profile("bare"))
    loaded = store.load("bare")
    assert (loaded.camera, loaded.table, loaded.tiles) == (None, None, None)


def test_a_new_camera_throws_the_table_away() -> None:
    profile = full_profile()
    assert profile.with_camera(profile.camera).table is None
    assert profile.with_table(None).tiles is profile.tiles


def test_saving_again_leaves_one_set_of_arrays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(full_profile())
    store.save(full_profile().with_tiles(None))
    assert len(list((tmp_path / "club").iterdir())) == 2
    assert store.load("club").tiles is None


def test_the_data_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    assert Store.of_user().folder == tmp_path / "profiles"
    monkeypatch.delenv("HUPAI_DATA")
    assert data_folder().name == "hupai"


def test_the_active_profile_is_remembered(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.load_active() == (None, None)
    store.save(full_profile("牌桌 1"))
    store.activate("牌桌 1")
    profile, trouble = Store(tmp_path).load_active()
    assert trouble is None
    assert profile is not None
    assert profile.name == "牌桌 1"
    store.remove("牌桌 1")
    assert store.active() is None
    assert store.names() == []
    with pytest.raises(ProfileError, match="no profile '牌桌 1'"):
        store.activate("牌桌 1")


def spoil_toml(folder: Path, text: str) -> None:
    (folder / "club" / "profile.toml").write_text(text, "utf-8")


def edit(folder: Path, old: str, new: str) -> None:
    text = (folder / "club" / "profile.toml").read_text("utf-8")
    assert old in text
    spoil_toml(folder, text.replace(old, new, 1))


DAMAGE = {
    "cut": (lambda f: spoil_toml(f, "format = "), "is damaged"),
    "empty": (lambda f: spoil_toml(f, ""), "not a hupai profile"),
    "binary": (lambda f: (f / "club" / "profile.toml").write_bytes(b"\xff\x00"), "is damaged"),
    "foreign": (lambda f: spoil_toml(f, 'format = "other"\n'), "not a hupai profile"),
    "newer": (lambda f: edit(f, "version = 1", "version = 2"), "update hupai"),
    "older": (lambda f: edit(f, "version = 1", "version = 0"), "make the profile anew"),
    "hash": (lambda f: edit(f, 'sha256 = "', 'sha256 = "00'), "their hash differs"),
    "elsewhere": (lambda f: edit(f, 'file = "arrays-', 'file = "../arrays-'), "outside its folder"),
    "no-size": (lambda f: edit(f, "size = [1280, 720]", ""), "lacks 'size'"),
    "matrix": (lambda f: edit(f, "1000.5", "-1000.5"), "must be positive"),
    "side": (lambda f: edit(f, 'side = "near"', 'side = "north"'), "is damaged"),
    "twice": (lambda f: edit(f, 'side = "right"', 'side = "near"'), "there twice"),
    "arrays": (lambda f: next((f / "club").glob("*.npz")).unlink(), "are missing"),
    "arrays-cut": (lambda f: next((f / "club").glob("*.npz")).write_bytes(b"PK"), "hash differs"),
    "text-for-number": (lambda f: edit(f, "views = 15", 'views = "x"'), "is damaged"),
    "not-a-table": (
        lambda f: spoil_toml(
            f,
            'format = "hupai-profile"\nversion = 1\n'
            'name = "club"\ncamera = 3\n[arrays]\nfile = "arrays-0.npz"\n',
        ),
        "missing",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_profile_gives_a_clear_error_and_the_program_goes_on(
    tmp_path: Path, damage: str
) -> None:
    spoil, message = DAMAGE[damage]
    store = Store(tmp_path)
    store.save(full_profile())
    store.activate("club")
    spoil(tmp_path)
    with pytest.raises(ProfileError, match=message):
        store.load("club")
    profile, trouble = store.load_active()
    assert profile is None
    assert trouble is not None
    assert "going on without a profile" in trouble


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "../x", ".hidden", "a\\b", "x" * 65, "a.", "tab\t", "a\0b"]
)
def test_names_that_could_leave_the_folder_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProfileError, match="cannot name a profile"):
        Profile(name)
    with pytest.raises(ProfileError, match="cannot name a profile"):
        Store(tmp_path).load(name)


def test_one_file_carries_a_profile_to_another_machine(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    here.save(full_profile())
    file = tmp_path / "club.hupai"
    here.export("club", file)
    assert_same(full_profile(), there.import_file(file))
    assert_same(full_profile(), there.load("club"))
    there.save(Profile("club"))
    with pytest.raises(NameTakenError, match="already"):
        there.import_file(file)
    assert there.load("club").tiles is None
    assert there.import_file(file, name="second").name == "second"
    assert_same(full_profile(), there.import_file(file, replace_old=True))
    assert_same(full_profile(), there.load("club"))
    assert there.names() == ["club", "second"]


def test_an_export_can_leave_the_crops_at_home(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(full_profile())
    store.export("club", tmp_path / "small.hupai", with_crops=False)
    tiles = read_export(tmp_path / "small.hupai").tiles
    assert tiles is not None
    assert tiles.crops is None
    assert store.load("club").tiles.crops is not None  # type: ignore[union-attr]


@pytest.mark.parametrize("at", [0.02, 0.3, 0.6, 0.9, 0.999])
def test_a_flipped_bit_in_an_exported_file_is_noticed(tmp_path: Path, at: float) -> None:
    store = Store(tmp_path)
    store.save(full_profile())
    file = tmp_path / "club.hupai"
    store.export("club", file)
    data = bytearray(file.read_bytes())
    data[int(at * len(data))] ^= 0x10
    file.write_bytes(bytes(data))
    with pytest.raises(ProfileError):
        read_export(file)


def test_files_that_are_no_profiles_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.hupai"
    with pytest.raises(ProfileError, match="no file"):
        read_export(file)
    file.write_bytes(b"not a zip")
    with pytest.raises(ProfileError, match="not an exported hupai profile"):
        read_export(file)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../evil", b"x")
    with pytest.raises(ProfileError, match="not an exported hupai profile"):
        read_export(file)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("profile.toml", b"#" * 2**22)
        archive.writestr("arrays.npz", b"")
    with pytest.raises(ProfileError, match="larger than any profile"):
        read_export(file)


def test_arrays_that_lie_about_their_size_are_refused() -> None:
    good = pack({"a": np.arange(6, dtype=np.int64)})
    assert (unpack(good)["a"] == np.arange(6)).all()
    for bad in (
        {"shape": "(99999999999,)", "kind": "'<i8'"},
        {"shape": "(2,)", "kind": "'|O'"},
    ):
        header = f"{{'descr': {bad['kind']}, 'fortran_order': False, 'shape': {bad['shape']}, }}"
        body = header.ljust(117) + "\n"
        member = b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body.encode() + b"\0" * 16
        with pytest.raises(ProfileError, match="damaged"):
            unpack(zipped(member))


def test_a_spoilt_stream_is_refused_as_damaged() -> None:
    """Found by the profile fuzzer: zlib's own error is none of `zipfile`'s."""
    good = bytearray(pack({"a": np.arange(4000, dtype=np.int64)}))
    start = good.index(b"a.npy") + len(b"a.npy")
    refused = set[str]()
    for at in range(start, start + 40):
        bad = bytearray(good)
        bad[at] ^= 0xFF
        with contextlib.suppress(ProfileError):
            assert (unpack(bytes(bad))["a"] == np.arange(4000)).all()
            continue
        refused.add("damaged")
    assert refused == {"damaged"}


def zipped(member: bytes) -> bytes:
    import io

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.npy", member)
    return buffer.getvalue()


VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(blacklist_categories=["Cs"])),
)
DOCUMENTS = st.recursive(
    st.dictionaries(st.text(min_size=1, max_size=6), st.one_of(VALUES, st.lists(VALUES))),
    lambda inner: st.dictionaries(
        st.text(min_size=1, max_size=6), st.one_of(inner, st.lists(inner, min_size=1), VALUES)
    ),
    max_leaves=12,
)


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS)
def test_what_is_written_as_toml_is_read_back(document: dict[str, object]) -> None:
    assert tomllib.loads(tomltext.dumps(document)) == document


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), None, object()])
def test_what_toml_cannot_hold_is_refused(bad: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        tomltext.dumps({"x": bad})
