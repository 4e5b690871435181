"""What is fuzzed: how its input is made, and what must hold whatever comes.

Each check answers a word for the report ("read" or "refused"); anything but the product's own
errors, each with a sentence, is a find. Inputs are text or bytes, so that a find is kept as a file.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from PIL import Image

from calibration import tomltext
from calibration.profile import ProfileError, to_document
from calibration.prototypes import VIEWS, Prototypes
from calibration.store import Store as Profiles
from calibration.store import pack, read_export
from kiosk.server import uploads
from kiosk.server.problems import Problem
from scorer import (
    Hand,
    HandTextError,
    HouseFileError,
    Situation,
    Wind,
    find_ruleset,
    presets,
    read_house,
    rulesets,
    score,
    write_house,
)
from scorer.registry import preset_house
from tests.calibration.test_store import full_profile
from tests.fuzz.books import check_event, check_ledger, event_text, ledger_file
from tests.fuzz.common import READ, folder, said
from tests.fuzz.edits import spoilt_bytes, spoilt_text, spoilt_trees
from vision.detections import Detections
from vision.pipeline import outside_zones
from vision.sources import SourceError, decode_picture

TAIWAN = "66678m11333p555z[222z]@6m"
HANDS = (
    "123456m33s22z[111z][456p]@3s 1f6f",
    TAIWAN,
    "1113344455667788s@4s",
    "12m[123m][555z][2222p](3333s)@3m 1f",
    "147m25p369s22z[678s]@8p",
    "19m19p19s1234567z@1m",
    "2223334445556m@7m",
    "(0b0b0b0b)123m456p77z@7z 12345678f",
    "",
)
WORDS = (*"0123456789mpszfb[]()@ ,", "0b", "@1m", "[111m]", "(2222p)", "1234f", "x", "１", "₁", "٣")


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to fuzz; `text` says in what form a find is kept."""

    made: Callable[[], st.SearchStrategy[Any]]
    check: Callable[[Any], str]
    text: bool = True


# -- hand text


def hand_text() -> st.SearchStrategy[str]:
    return st.one_of(spoilt_text(HANDS, WORDS), st.lists(st.sampled_from(WORDS)).map("".join))


def check_hand(text: str) -> str:
    """A hand prints what is read as the same hand, and every rule set says something of it."""
    try:
        hand = Hand.parse(text)
    except HandTextError as error:
        return said(error)
    assert Hand.parse(str(hand)) == hand
    for seat, rules in enumerate(rulesets()):
        facts = Situation(
            seat=Wind(seat % 4),
            round=Wind.EAST,
            self_drawn=seat % 2 == 0,
            from_seat=Wind((seat + 1) % 4) if seat % 2 else None,
        )
        for situation in (facts, Situation()):
            result = score(hand, situation, rules)
            json.dumps(result.to_json(), allow_nan=False)
            assert result.total is None or result.certain
            assert not (result.certain and hand.has_backs)
            if result.payments is not None:
                assert sum(result.payments.values()) == 0
            for problem in result.problems:
                assert problem.text().strip()
    return READ


# -- house rules


@cache
def _house_seeds() -> tuple[str, ...]:
    clubs = [write_house(preset_house(id), comments=False) for id in (*rulesets(), *presets())]
    return (*clubs, 'ruleset = "taiwan"\nlimit = 40\n[values]\nflower-kong = 1\n')


def house_toml() -> st.SearchStrategy[str]:
    names = sorted({option.name for id in rulesets() for option in find_ruleset(id).options})
    items = sorted({item.id for id in rulesets() for item in find_ruleset(id).items})
    other = (
        "9" * 5000,
        "[" * 3000,
        "true",
        "none",
        '"none"',
        "0",
        "-1",
        "[[3, 8]]",
        "1e400",
        "nan",
        "[values]",
        "\n",
        "=",
    )
    tokens = (*names, *items, *rulesets(), *presets(), *other)
    some = st.sampled_from(tokens)
    lines = st.lists(st.tuples(some, some).map(" = ".join), max_size=4).map("\n".join)
    with_lines = st.tuples(st.sampled_from(_house_seeds()), lines).map("\n".join)
    return st.one_of(spoilt_text(_house_seeds(), tokens), with_lines)


def check_house(text: str) -> str:
    """House rules that are read are written and read the same, and a hand is scored by them."""
    try:
        house = read_house(text, "club.toml")
    except HouseFileError as error:
        return said(error, 1 <= error.line <= text.count("\n") + 1)
    assert read_house(write_house(house)) == house
    sets = find_ruleset(house.ruleset).sets
    hand = Hand.parse(TAIWAN if sets == 5 else "123m456p77s[234s][999p]@7s")
    facts = Situation(seat=Wind.WEST, round=Wind.EAST, self_drawn=False, from_seat=Wind.SOUTH)
    result = score(hand, facts, house.ruleset, house)
    assert result.payments is None or sum(result.payments.values()) == 0
    return READ


# -- profiles


@cache
def _profile() -> tuple[dict[str, Any], dict[str, Any], bytes]:
    rng = np.random.default_rng(0)
    seen, p = rng.normal(size=(3, VIEWS, 8)), rng.random((3, VIEWS, 44))
    tiles = Prototypes.of(seen, p, np.arange(3), "ab" * 32)
    document, arrays = to_document(full_profile().with_tiles(tiles))
    return document, arrays, _export(tomltext.dumps(_named(document, pack(arrays))), pack(arrays))


def _named(document: dict[str, Any], data: bytes) -> dict[str, Any]:
    return document | {"arrays": {"file": "a.npz", "sha256": hashlib.sha256(data).hexdigest()}}


def _export(text: str, data: bytes) -> bytes:
    """An exported profile whose seals are those of its content, whatever that is."""
    raw, out = text.encode("utf-8", "replace"), io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in (("profile.toml", raw), ("arrays.npz", data)):
            archive.writestr(zipfile.ZipInfo(name), content)
        archive.comment = b"hupai " + hashlib.sha256(raw).hexdigest().encode()
    return out.getvalue()


@st.composite
def _sealed(draw: st.DrawFn) -> bytes:
    """A profile with other content under fresh seals."""
    document, arrays, _ = _profile()
    data = pack(arrays)
    if draw(st.booleans()):
        return _export(
            draw(spoilt_text([tomltext.dumps(_named(document, data))], ["nan", "inf", "[", "1e9"])),
            data,
        )
    if draw(st.booleans()):
        name = draw(st.sampled_from(sorted(arrays)))
        old = arrays[name]
        other = draw(
            st.sampled_from(
                [old[:1], old[:0], old[..., :1], old.astype(np.float64), old * 0, old.ravel(), -old]
            )
        )
        fresh = arrays | {name: other}
        if draw(st.booleans()):
            del fresh[name]
        data = pack(fresh)
    elif draw(st.booleans()):
        data = draw(spoilt_bytes([data]))
    tree = draw(spoilt_trees([document]))
    if isinstance(tree, dict):
        tree = _named(tree, data)
    try:
        return _export(tomltext.dumps(tree), data)
    except (TypeError, ValueError, AttributeError, RecursionError):
        return _export(tomltext.dumps(_named(document, data)), data)


def profile_file() -> st.SearchStrategy[bytes]:
    return st.one_of(spoilt_bytes([_profile()[2]]), _sealed())


def check_profile(data: bytes) -> str:
    """A profile that is read is kept and read again, and pictures are looked at with it."""
    file = folder() / "x.hupai"
    file.write_bytes(data)
    try:
        profile = read_export(file)
    except ProfileError as error:
        return said(error)
    store = Profiles(folder() / "profiles")
    store.save(profile)
    again = store.load(profile.name)
    assert to_document(again)[0].keys() == to_document(profile)[0].keys()
    store.remove(profile.name)
    picture = np.full((72, 128, 3), 120, np.uint8)
    assert profile.straight(picture).shape[2] == 3
    quads = np.array([[[10, 10], [20, 10], [20, 25], [10, 25]]], np.float32)
    one = Detections.of_faces(quads, np.array([3]), np.array([0]))
    try:
        outside_zones(profile, one, (1280, 720), "near")
    except ValueError as error:  # of a picture of another proportion
        return said(error)
    if profile.tiles is not None:
        width = profile.tiles.embeddings.shape[2]
        seen = np.eye(2, width, dtype=np.float32)
        p = np.full((2, 42), 1 / 42, np.float32)
        assert np.isfinite(profile.tiles.consult(seen, p)).all()
    return READ


# -- pictures


@cache
def _pictures() -> tuple[bytes, ...]:
    sample = Path(str(files("kiosk"))) / "samples" / "taiwan.jpg"
    small = Image.open(sample).convert("RGB").resize((96, 64))
    exif = Image.Exif()
    exif[0x0112] = 6

    def saved(form: str, image: Image.Image = small, **more: Any) -> bytes:
        out = io.BytesIO()
        image.save(out, form, **more)
        return out.getvalue()

    return (
        saved("JPEG"),
        saved("JPEG", progressive=True, exif=exif),
        saved("JPEG", small.convert("CMYK")),
        saved("PNG"),
        saved("PNG", small.quantize(16), transparency=0),
        saved("PNG", save_all=True, append_images=[small.rotate(90)]),
        saved("WEBP"),
        saved("WEBP", lossless=True, exif=exif),
        saved("GIF", save_all=True, append_images=[small.rotate(90)]),
        b"\0\0\0\x18ftypheic" + bytes(40),
    )


def picture_file() -> st.SearchStrategy[bytes]:
    return spoilt_bytes(_pictures())


def check_picture(data: bytes) -> str:
    """A picture, or a sentence; from an upload and from a file."""
    try:
        image = decode_picture(data)
        assert image.dtype == np.uint8
        assert image.ndim == 3
    except SourceError as error:
        said(error)
    try:
        image = uploads.decode(data)
        uploads.decode(data, half=True)
    except Problem as problem:
        return said(Exception(problem.to_json("zh-Hant")["detail"]))
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert image.shape[2] == 3
    assert min(uploads.size_of(data, image)) > 0
    assert uploads.shown(image)[:2] == b"\xff\xd8"
    return READ


TARGETS = {
    "hand": Target(hand_text, check_hand),
    "house": Target(house_toml, check_house),
    "profile": Target(profile_file, check_profile, text=False),
    "ledger": Target(ledger_file, check_ledger),
    "event": Target(event_text, check_event),
    "picture": Target(picture_file, check_picture, text=False),
}
