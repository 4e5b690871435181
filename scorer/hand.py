"""A hand: concealed tiles, sets laid down, bonus tiles and the winning tile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .tiles import HandTextError, Tile, in_print_order, tiles_text

CHOW: Final = "chow"
PUNG: Final = "pung"
KONG: Final = "kong"
CONCEALED_KONG: Final = "concealed-kong"


class MeldError(HandTextError):
    """Tiles in brackets that are not a set."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set laid down on the table, tiles in printing order.

    `kind` is chow, pung, kong (claimed or added) or concealed-kong. Tiles of a concealed kong may
    lie face down; one that is seen tells the others.

    Raises MeldError when the tiles are not a set of that kind.
    """

    kind: str
    tiles: tuple[Tile, ...]

    def __post_init__(self) -> None:
        tiles = tuple(in_print_order(tuple(Tile(t) for t in self.tiles)))
        object.__setattr__(self, "tiles", tiles)
        found = _kind_of(tiles, self.kind == CONCEALED_KONG)
        if found != self.kind:
            raise MeldError(tiles_text(tiles), f"not a {self.kind}")
        if Tile.BACK in tiles and tiles[0] is not Tile.BACK:
            object.__setattr__(self, "tiles", tiles[:1] * 4)

    @classmethod
    def of(cls, tiles: Iterable[Tile], concealed: bool = False) -> Meld:
        """The set these tiles make; a concealed set can only be a kong."""
        ordered = tuple(in_print_order(tuple(tiles)))
        kind = _kind_of(ordered, concealed)
        if not kind:
            want = "a concealed kong is four alike" if concealed else "not a chow, pung or kong"
            raise MeldError(tiles_text(ordered), want)
        return cls(kind, ordered)

    @property
    def tile(self) -> Tile:
        """The lowest tile of a chow, or the face of a pung or kong."""
        return self.tiles[0]

    @property
    def is_kong(self) -> bool:
        return len(self.tiles) == 4

    @property
    def is_exposed(self) -> bool:
        """Whether it took another player's discard; of the kongs a concealed one did not."""
        return self.kind != CONCEALED_KONG

    def __str__(self) -> str:
        text = tiles_text(self.tiles)
        return f"({text})" if self.kind == CONCEALED_KONG else f"[{text}]"


def _kind_of(tiles: tuple[Tile, ...], concealed: bool) -> str:
    faces = {tile for tile in tiles if tile is not Tile.BACK}
    if any(tile.is_bonus for tile in tiles):
        return ""
    if concealed:
        return CONCEALED_KONG if len(tiles) == 4 and len(faces) <= 1 else ""
    if len(faces) == 1 and Tile.BACK not in tiles:
        return {3: PUNG, 4: KONG}.get(len(tiles), "")
    if len(tiles) == 3 and all(tile.is_suited for tile in tiles):
        low = tiles[0]
        if low % 9 < 7 and tuple(tiles) == (low, low + 1, low + 2):
            return CHOW
    return ""


@dataclass(frozen=True, slots=True)
class Hand:
    """Tiles of one player. Whether they are a legal win is for `score` to say.

    `concealed` does not contain the winning tile; `winning` is None when it is not known or when
    there is none. Concealed and bonus tiles are kept in printing order, melds as given; bonus
    tiles always stand apart.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    bonus: tuple[Tile, ...] = ()
    winning: Tile | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        concealed = [Tile(t) for t in self.concealed]
        apart = [tile for tile in concealed if Tile.SPRING <= tile < Tile.BACK]
        if apart:
            concealed = [tile for tile in concealed if tile not in apart]
        put(self, "concealed", tuple(in_print_order(concealed)))
        put(self, "bonus", tuple(in_print_order([*map(Tile, self.bonus), *apart])))
        put(self, "melds", tuple(self.melds))
        if self.winning is not None:
            put(self, "winning", Tile(self.winning))

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Read a hand text such as `123456m33s22z[111z][456p]@3s 1f6f`.

        Any order and any split of the suits is read; `str()` prints the one normal form.

        >>> str(Hand.parse("456m123m 33s22z[111z][456p]@3s 16f"))
        '123456m33s22z[111z][456p]@3s 1f6f'

        Raises HandTextError (TileCodeError, MeldError, WinningTileError) naming the wrong part.
        """
        from .handtext import parse_hand

        return parse_hand(text)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles but the bonus tiles, the winning tile last."""
        shown = [tile for meld in self.melds for tile in meld.tiles]
        return (*self.concealed, *shown, *(() if self.winning is None else (self.winning,)))

    @property
    def has_backs(self) -> bool:
        """Whether a tile lies face down that nothing else tells."""
        return (
            (bool(self.concealed) and self.concealed[-1] is Tile.BACK)
            or self.winning is Tile.BACK
            or any(meld.tiles[0] is Tile.BACK for meld in self.melds)
        )

    @property
    def kongs(self) -> int:
        return sum(meld.is_kong for meld in self.melds)

    def __str__(self) -> str:
        text = tiles_text(self.concealed) + "".join(map(str, self.melds))
        if self.winning is not None:
            text += f"@{self.winning.code}"
        if self.bonus:
            text += " " + tiles_text(self.bonus)
        return text.strip()
