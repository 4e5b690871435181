"""Exposed rows are cut into sets by what the tiles show; gaps do not say it."""

from __future__ import annotations

import math

import pytest

from scorer.handtext import parse_tiles
from scorer.tiles import tiles_text
from vision.faces import Costs, is_set, kind_of
from vision.sets import best_set, partition, partition_with_eyes


def row(text: str) -> list[Costs]:
    """Tiles in the order written, each sure; `0b` is a back."""
    codes = [text[k : k + 2] for k in range(0, len(text), 2)]
    return [{int(parse_tiles(code)[0]): 0.0} for code in codes]


def texts(costs: list[Costs]) -> list[str] | None:
    found = partition(costs)
    if found is None:
        return None
    return [tiles_text([parse_tile(face) for face in guess.faces]) for guess in found]


def parse_tile(face: int):  # type: ignore[no-untyped-def]
    from scorer.tiles import Tile

    return Tile(face)


@pytest.mark.parametrize(
    ("faces", "sets"),
    [
        ("1m2m3m4p4p4p", ["123m", "444p"]),
        ("3m1m2m4p4p4p", ["123m", "444p"]),
        ("2s2s2s2s3s4s", ["222s", "234s"]),
        ("2s2s2s2s3s4s5s", ["2222s", "345s"]),
        ("1z1z1z1z2z2z2z", ["1111z", "222z"]),
        ("1m1m1m2m2m2m3m3m3m", ["111m", "222m", "333m"]),
        ("1m2m3m1m2m3m", ["123m", "123m"]),
        ("5z0b0b5z7m8m9m", ["55z0b0b", "789m"]),
        ("0b6p6p0b", ["66p0b0b"]),
        ("0b0b0b8s", ["8s0b0b0b"]),
        ("0b0b0b0b1z1z1z", ["0b0b0b0b", "111z"]),
        # A kong's fourth tile added after the next set.
        ("4s4s4s1p2p3p4s", ["4444s", "123p"]),
    ],
)  # fmt: skip
def test_a_row_of_sets(faces: str, sets: list[str]) -> None:
    assert texts(row(faces)) == sets


@pytest.mark.parametrize("faces", ["1m1m", "1m2m3m4m", "8m9m1p", "1z2z3z", "1f1f1f", "1m2m3m5z5z"])
def test_what_is_no_row_of_sets(faces: str) -> None:
    assert texts(row(faces)) is None


def test_a_doubtful_tile_takes_the_face_that_makes_the_set() -> None:
    costs = row("4p5p6p")
    costs[1] = {15: 0.0, 13: math.log(4)}  # read as 7p, a quarter as likely 5p
    assert best_set(costs) == (pytest.approx(math.log(4)), (12, 13, 14))


def test_eyes_among_sets() -> None:
    found = partition_with_eyes(row("1m2m3m7z7z4p4p4p"))
    assert found is not None
    sets, eyes = found
    assert eyes == (3, 4)
    assert [guess.tiles for guess in sets] == [(0, 1, 2), (5, 6, 7)]
    assert partition_with_eyes(row("1m2m3m7z6z4p4p4p")) is None


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ((0, 1, 2), "chow"),
        ((5, 5, 5), "pung"),
        ((5, 5, 5, 5), "kong"),
        ((42, 5, 5, 42), "concealed-kong"),
    ],
)
def test_kinds(faces: tuple[int, ...], expected: str) -> None:
    assert is_set(faces)
    assert kind_of(faces) == expected


def test_no_chow_across_suits_nor_of_honours() -> None:
    assert not is_set((7, 8, 9))
    assert not is_set((27, 28, 29))
