"""What happens in a deal, in order: kongs, wins, the end of the wall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..hand import Hand
from ..tiles import SUITS, Tile
from ..winds import EAST, Wind

CLAIMED, ADDED, CONCEALED = "claimed-kong", "added-kong", "concealed-kong"
KINDS: Final = (CLAIMED, ADDED, CONCEALED)


@dataclass(frozen=True, slots=True)
class Kong:
    """`seat` makes a kong of `tile`; `giver` is who threw the tile of a claimed one.

    Raises ValueError for a kind there is not, a claimed kong without a giver, and the reverse.
    """

    seat: Wind
    tile: Tile
    kind: str
    giver: Wind | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is no kind of kong; write {', '.join(KINDS)}")
        if (self.giver is not None) is not (self.kind == CLAIMED):
            need = "must say" if self.kind == CLAIMED else "cannot say"
            raise ValueError(f"a {self.kind} {need} who gave the tile")

    def to_json(self) -> dict[str, Any]:
        data = {"kong": self.kind, "by": self.seat.letter, "tile": self.tile.code}
        return data if self.giver is None else data | {"from": self.giver.letter}


@dataclass(frozen=True, slots=True)
class Winner:
    """One player who wins, with the hand (its winning tile after `@`) and the events of it."""

    seat: Wind
    hand: Hand
    events: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", frozenset(self.events))

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"by": self.seat.letter, "hand": str(self.hand)}
        return data | ({"events": sorted(self.events)} if self.events else {})


@dataclass(frozen=True, slots=True)
class Win:
    """One tile that one player, or several at once, win with.

    `giver` threw it, or added it to a pung when it `robbed` that kong; None is a self-draw.
    Raises ValueError for no winner, several on a self-draw, and a robbed kong of nobody.
    """

    winners: tuple[Winner, ...]
    giver: Wind | None = None
    robbed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "winners", tuple(self.winners))
        if not self.winners:
            raise ValueError("a win needs a winner")
        if self.giver is None and (self.robbed or len(self.winners) > 1):
            what = "a robbed kong" if self.robbed else "a win of several players"
            raise ValueError(f"{what} must say who gave the tile")

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"win": [winner.to_json() for winner in self.winners]}
        if self.giver is not None:
            data["from"] = self.giver.letter
        return data | ({"robbed": True} if self.robbed else {})


@dataclass(frozen=True, slots=True)
class WallEnd:
    """The wall is empty; `hands` are those of the players who have not won."""

    hands: Mapping[Wind, Hand]

    def to_json(self) -> dict[str, Any]:
        hands = {seat.letter: str(self.hands[seat]) for seat in Wind if seat in self.hands}
        return {"wall_end": hands}


Event = Kong | Win | WallEnd


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: the suit each player gave up, the events in order, and who deals.

    `missing` is empty where a club plays without a missing suit. Raises ValueError when it names
    something else than a suit for each of the four players.
    """

    missing: Mapping[Wind, str]
    events: tuple[Event, ...] = ()
    dealer: Wind = field(default=EAST)

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(self.events))
        if self.missing and set(self.missing) != set(Wind):
            raise ValueError("say for each player E, S, W and N which suit is missing")
        for seat, suit in self.missing.items():
            if suit not in tuple(SUITS):
                raise ValueError(f"missing suit of {seat.letter}: {suit!r} is not m, p or s")

    def to_json(self) -> dict[str, Any]:
        """The deal as plain data, which `deal_of` reads back the same."""
        return {
            "dealer": self.dealer.letter,
            "missing": {seat.letter: self.missing[seat] for seat in Wind if seat in self.missing},
            "events": [event.to_json() for event in self.events],
        }
