"""The tile dictionary: names, readings, how to tell a face, and which seat a bonus tile is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from scorer import Tile, Wind
from scorer.names import tile_name, wind_name

from .words import say, texts, words

_ALIKE: Final = (
    ("2m", "3m"), ("4p", "5p", "6p"), ("6p", "8p"), ("7s", "9s"), ("7s", "8s"), ("8s", "6z"),
    ("1m", "7z"), ("5z", "0b"), ("4s", "5s", "6s"), ("7p", "8p"), ("6m", "8m"), ("1s", "8f"),
    ("7f", "8f"), ("5f", "6f"), ("1f", "2f"), ("3f", "4f"), ("1z", "2z"), ("3z", "4z"),
    ("5m", "4m"), ("7m", "9m"), ("2s", "3s"), ("2p", "3p"), ("1p", "9p"),
)  # fmt: skip
"""Faces that beginners and cameras take for one another."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One face in one language. `said` are its Mandarin and Cantonese readings."""

    tile: Tile
    name: str
    chinese: str
    said: str
    tell: str
    alike: tuple[Tile, ...]
    seat: Wind | None
    seat_text: str

    def to_json(self) -> dict[str, Any]:
        return {
            "tile": self.tile.code,
            "name": self.name,
            "chinese": self.chinese,
            "said": self.said,
            "tell": self.tell,
            "alike": [tile.code for tile in self.alike],
            "seat": self.seat.letter if self.seat is not None else None,
            "seat_text": self.seat_text,
        }


def entry(tile: Tile, language: str = "en") -> Entry:
    """The entry of a face. Raises KeyError for a tile that lies face down."""
    reading = words("readings")[tile.code]
    seat = Wind(tile.seat_number - 1) if tile.is_bonus else None
    belongs = ""
    if seat is not None:
        belongs = say("dictionary", "seat", language, seat=wind_name(seat, language))
    return Entry(
        tile,
        tile_name(tile, language),
        tile_name(tile, "zh-Hant"),
        say("dictionary", "said", language, **reading),
        words(f"tiles.{language}")["tell"][tile.code],
        look_alikes(tile),
        seat,
        belongs,
    )


def dictionary(language: str = "en") -> tuple[Entry, ...]:
    """All 42 faces: suits, winds, dragons, bonus tiles."""
    texts("dictionary", language)
    return tuple(entry(tile, language) for tile in Tile if tile is not Tile.BACK)


def look_alikes(tile: Tile) -> tuple[Tile, ...]:
    """The faces that this one is easily taken for."""
    found = [c for group in _ALIKE if tile.code in group for c in group if c != tile.code]
    return tuple(Tile.parse(code) for code in dict.fromkeys(found))
