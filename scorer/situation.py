"""The facts of one win that are not in the hand text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from .tiles import Tile
from .winds import EAST, Wind

REPLACEMENTS: Final = ("claimed-kong", "added-kong", "concealed-kong", "bonus")
"""What the winning tile of a kong-draw replaced."""


@dataclass(frozen=True, slots=True)
class Fed:
    """`seat` gave the tile with which the winner laid down the set `tiles`."""

    seat: Wind
    tiles: tuple[Tile, ...]

    @classmethod
    def parse(cls, text: str) -> Fed:
        """Read `S:234p` or `S:[222p]`. Raises ValueError naming the wrong part."""
        from .handtext import parse_tiles

        seat, colon, tiles = text.partition(":")
        if not colon:
            raise ValueError(f"{text!r}: write SEAT:SET, such as S:234p")
        found = parse_tiles(tiles.strip("[]() "))
        if not found:
            raise ValueError(f"{text!r}: no tiles after the colon; write SEAT:SET, such as S:234p")
        return cls(Wind.parse(seat), tuple(sorted(found)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """How a hand was won. A fact that is None is not known.

    Facts with a default that is not None are taken for granted unless something else is said
    (East deals, first deal, nothing special happened).
    """

    seat: Wind | None = None
    """The winner's seat wind."""
    round: Wind | None = None
    """The round wind."""
    self_drawn: bool | None = None
    """Whether the winning tile came from the wall; a robbed kong is False."""
    from_seat: Wind | None = None
    """Who discarded the winning tile, or whose kong was robbed."""
    robbed: bool = False
    """Whether the winning tile robbed a kong."""
    dealer: Wind | None = EAST
    """The dealer's seat."""
    streak: int | None = 0
    """How many times the dealer has stayed on."""
    events: frozenset[str] = frozenset()
    """What happened: the ids of the items it brings, and `last-copy`."""
    unknown_events: frozenset[str] = frozenset()
    """Events of which it is not known whether they happened."""
    replacement: str | None = None
    """What the winning tile of a kong-draw replaced, one of REPLACEMENTS."""
    missing_suit: str | None = None
    """Sichuan: the suit the winner gave up, m, p or s."""
    already_won: frozenset[Wind] = frozenset()
    """Sichuan: who had won before."""
    also_won: frozenset[Wind] = frozenset()
    """Other players who win on the same discard."""
    fed: tuple[Fed, ...] = ()
    """Who gave the tiles of which exposed sets."""
    wall_left: int | None = None
    """Tiles left in the wall when the hand was won."""
    seen: bool | None = None
    """Whether the face of the winning discard had been seen on the table before."""

    dora: tuple[Tile, ...] | None = None
    """Riichi: the dora indicators that are turned up."""
    ura_dora: tuple[Tile, ...] = ()
    """Riichi: the indicators beneath them, looked at after a win with riichi."""
    red_fives: int | None = None
    """Riichi: how many red fives the hand holds."""
    sticks: tuple[Wind, ...] = ()
    """Riichi: whose riichi sticks lie on the table, one seat for each stick."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("seat", "round", "from_seat", "dealer"):
            value = getattr(self, name)
            if value is not None and type(value) is not Wind:
                put(self, name, Wind(value))
        if self.streak is not None and self.streak < 0:
            raise ValueError(f"streak must be 0 or more, not {self.streak}")
        if self.missing_suit not in (None, "m", "p", "s"):
            raise ValueError(f"missing suit must be m, p or s, not {self.missing_suit!r}")
        if self.replacement is not None and self.replacement not in REPLACEMENTS:
            choices = ", ".join(REPLACEMENTS)
            raise ValueError(f"replacement must be one of {choices}, not {self.replacement!r}")
        for name in ("events", "unknown_events", "already_won", "also_won"):
            put(self, name, frozenset(getattr(self, name)))
        for name in ("fed", "ura_dora", "sticks"):
            put(self, name, tuple(getattr(self, name)))
        if self.dora is not None:
            put(self, "dora", tuple(self.dora))
        if self.robbed != ("robbing-kong" in self.events):
            put(self, "robbed", True)
            put(self, "events", self.events | {"robbing-kong"})

    def but(self, **facts: Any) -> Situation:
        """The same situation with other facts."""
        return replace(self, **facts)

    def with_events(self, events: Iterable[str]) -> Situation:
        """The same situation with these events as well."""
        return replace(self, events=self.events | frozenset(events))

    @property
    def winner_deals(self) -> bool | None:
        """Whether the winner is the dealer; None when it is not known."""
        if self.seat is None or self.dealer is None:
            return None
        return self.seat == self.dealer
