"""Reading the hand text of rules/README.md."""

from __future__ import annotations

import re

from .hand import Hand, Meld, MeldError
from .tiles import HandTextError, Tile, TileCodeError

_RUN = re.compile(r"\s*([0-9]+)\s*([A-Za-z])")
_SPACE = re.compile(r"[\s,]*")
_CLOSING = {"[": "]", "(": ")"}


class WinningTileError(HandTextError):
    """The part after `@` is not one tile."""


def parse_tiles(text: str) -> list[Tile]:
    """Read tiles in any order and split, such as `123m44z16f`.

    Raises TileCodeError for a tile that does not exist, HandTextError for anything else.
    """
    tiles: list[Tile] = []
    at = _SPACE.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        run = _RUN.match(text, at)
        if not run:
            raise HandTextError(text[at:], "expected digits and a letter, such as 123m or 44z")
        digits, letter = run.groups()
        for digit in digits:
            tiles.append(Tile.parse(digit + letter))
        at = _SPACE.match(text, run.end()).end()  # type: ignore[union-attr]
    return tiles


def parse_hand(text: str) -> Hand:
    """Read a whole hand text; see `Hand.parse`."""
    loose: list[Tile] = []
    melds: list[Meld] = []
    winning: Tile | None = None
    rest = text
    while rest:
        cut = re.search(r"[\[\](){}@]", rest)
        if not cut:
            loose += parse_tiles(rest)
            break
        loose += parse_tiles(rest[: cut.start()])
        mark, rest = cut.group(), rest[cut.end() :]
        if mark == "@":
            if winning is not None:
                raise WinningTileError("@" + rest, "a hand has one winning tile")
            winning, rest = _winning(rest)
        elif mark in _CLOSING:
            inside, closed, rest = rest.partition(_CLOSING[mark])
            if not closed:
                raise MeldError(mark + inside, f"no closing {_CLOSING[mark]!r}")
            melds.append(Meld.of(parse_tiles(inside), concealed=mark == "("))
        else:
            raise HandTextError(mark + rest, "a bracket closes that was not opened")
    bonus = tuple(tile for tile in loose if tile.is_bonus)
    concealed = tuple(tile for tile in loose if not tile.is_bonus)
    return Hand(concealed, tuple(melds), bonus, winning)


def _winning(text: str) -> tuple[Tile, str]:
    found = re.match(r"\s*([0-9]+)([A-Za-z])", text)
    if not found or len(found.group(1)) != 1:
        part = found.group().strip() if found else text.strip()
        raise WinningTileError("@" + part, "write one tile after @, such as @3s")
    try:
        tile = Tile.parse("".join(found.groups()))
    except TileCodeError as error:
        raise WinningTileError("@" + error.text, "no such tile") from None
    if tile.is_bonus:
        raise WinningTileError("@" + tile.code, "a bonus tile does not complete a hand")
    return tile, text[found.end() :]
