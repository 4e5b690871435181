"""The hand text of rules/README.md: what is read, what is printed, what is refused."""

from __future__ import annotations

import pytest

from scorer import (
    Fed,
    Hand,
    HandTextError,
    Meld,
    MeldError,
    Situation,
    Tile,
    TileCodeError,
    Wind,
    WinningTileError,
)

NORMAL = "123456m33s22z[111z][456p]@3s 1f6f"


@pytest.mark.parametrize(
    "text",
    [
        NORMAL,
        "456m123m33s22z[111z][456p]@3s1f6f",
        "123456m33s22z[111z][456p]@3s 16f",
        "22z 33s 6m12345m [111z] [645p] 6f @3s 1f",
        "[111z][456p]@3s 123456m33s22z1f6f",
    ],
)
def test_any_order_and_split_prints_one_normal_form(text: str) -> None:
    assert str(Hand.parse(text)) == NORMAL


def test_parts_of_a_hand() -> None:
    hand = Hand.parse("12m[123m][555z][2222p](3333s)@3m 1f")
    assert [meld.kind for meld in hand.melds] == ["chow", "pung", "kong", "concealed-kong"]
    assert hand.winning is Tile.M3
    assert hand.bonus == (Tile.SPRING,)
    assert hand.concealed == (Tile.M1, Tile.M2)
    assert str(hand) == "12m[123m][555z][2222p](3333s)@3m 1f"


def test_the_numbers_of_the_tiles() -> None:
    """The class ids: 31 red, 32 green, 33 white; seasons, plants, face down."""
    assert [Tile.parse(code) for code in ("1m", "9p", "1s", "1z", "4z")] == [0, 17, 18, 27, 30]
    assert [Tile.parse(code) for code in ("7z", "6z", "5z")] == [31, 32, 33]
    assert [Tile.parse(code) for code in ("1f", "4f", "5f", "8f", "0b")] == [34, 37, 38, 41, 42]
    assert len(Tile) == 43
    assert all(Tile.parse(tile.code) is tile for tile in Tile)


def test_honours_print_in_the_order_of_their_codes() -> None:
    assert str(Hand.parse("7z5z6z1z")) == "1567z"


def test_a_tile_face_down_may_stand_in_a_hand() -> None:
    assert str(Hand.parse("12m0b0b")) == "12m0b0b"
    assert str(Hand.parse("(0b0b0b0b)")) == "(0b0b0b0b)"
    assert str(Hand.parse("(0b22p0b)")) == "(2222p)"


@pytest.mark.parametrize(
    ("text", "error", "part"),
    [
        ("12x", TileCodeError, "1x"),
        ("0m", TileCodeError, "0m"),
        ("8z", TileCodeError, "8z"),
        ("9f", TileCodeError, "9f"),
        ("123", HandTextError, "123"),
        ("m123", HandTextError, "m123"),
        ("12m-3m", HandTextError, "-3m"),
        ("[124m]", MeldError, "124m"),
        ("[12m]", MeldError, "12m"),
        ("[891m]", MeldError, "189m"),
        ("[567z]", MeldError, "567z"),
        ("[11111m]", MeldError, "11111m"),
        ("(123m)", MeldError, "123m"),
        ("(111m)", MeldError, "111m"),
        ("[1f1f1f]", MeldError, "1f1f1f"),
        ("[123m", MeldError, "[123m"),
        ("123m]", HandTextError, "]"),
        ("12m@", WinningTileError, "@"),
        ("12m@34m", WinningTileError, "@34m"),
        ("12m@3m@4m", WinningTileError, "@4m"),
        ("12m@1f", WinningTileError, "@1f"),
        ("12m@9z", WinningTileError, "@9z"),
    ],
)
def test_what_cannot_be_read_is_quoted(text: str, error: type[HandTextError], part: str) -> None:
    with pytest.raises(error) as caught:
        Hand.parse(text)
    assert caught.value.text == part
    assert part in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_melds_are_checked_when_made() -> None:
    with pytest.raises(MeldError):
        Meld("chow", (Tile.M1, Tile.M1, Tile.M1))
    with pytest.raises(MeldError):
        Meld("kong", (Tile.M9, Tile.P1, Tile.P2))


def test_facts_of_a_situation_are_checked() -> None:
    with pytest.raises(ValueError, match="streak"):
        Situation(streak=-1)
    with pytest.raises(ValueError, match="missing suit"):
        Situation(missing_suit="z")
    with pytest.raises(ValueError, match="replacement"):
        Situation(replacement="kong")
    robbed = Situation(robbed=True)
    assert robbed.events == {"robbing-kong"}
    assert Situation(events=frozenset({"robbing-kong"})).robbed


def test_winds_and_feeders_are_read() -> None:
    assert Wind.parse("s") is Wind.SOUTH
    assert Wind.parse("West") is Wind.WEST
    assert Wind.EAST.after(Wind.NORTH) == 1
    assert Fed.parse("S:[234p]") == Fed(Wind.SOUTH, (Tile.P2, Tile.P3, Tile.P4))
    for text in ("x", "S234p", "S:1x", "S:", "S:[]"):
        with pytest.raises(ValueError, match=r"\S"):
            Fed.parse(text)
