"""The yaku of `riichi`: id, the package's classes, value in han (concealed), whether it is told."""

from __future__ import annotations

from typing import Final

Row = tuple[str, tuple[str, ...], int, bool]

YAKU: Final[tuple[Row, ...]] = (
    ("riichi", ("Riichi",), 1, True),
    ("double-riichi", ("DaburuRiichi",), 2, True),
    ("ippatsu", ("Ippatsu",), 1, True),
    ("self-drawn", ("Tsumo",), 1, False),
    ("robbing-kong", ("Chankan",), 1, True),
    ("kong-draw", ("Rinshan",), 1, True),
    ("last-draw", ("Haitei",), 1, True),
    ("last-discard", ("Houtei",), 1, True),
    ("pinfu", ("Pinfu",), 1, False),
    ("all-simples", ("Tanyao",), 1, False),
    ("pure-double-chow", ("Iipeiko",), 1, False),
    ("seat-wind-pung",
     ("SeatWindEast", "SeatWindSouth", "SeatWindWest", "SeatWindNorth"), 1, False),
    ("round-wind-pung",
     ("RoundWindEast", "RoundWindSouth", "RoundWindWest", "RoundWindNorth"), 1, False),
    ("dragon-pung", ("Haku", "Hatsu", "Chun"), 1, False),
    ("seven-pairs", ("Chiitoitsu",), 2, False),
    ("outside-hand", ("Chantai",), 2, False),
    ("straight", ("Ittsu",), 2, False),
    ("mixed-triple-chow", ("Sanshoku",), 2, False),
    ("mixed-triple-pung", ("SanshokuDoukou",), 2, False),
    ("three-kongs", ("SanKantsu",), 2, False),
    ("all-pungs", ("Toitoi",), 2, False),
    ("three-concealed-pungs", ("Sanankou",), 2, False),
    ("little-three-dragons", ("Shosangen",), 2, False),
    ("terminals-and-honours", ("Honroto",), 2, False),
    ("half-flush", ("Honitsu",), 3, False),
    ("pure-outside-hand", ("Junchan",), 3, False),
    ("twice-pure-double-chow", ("Ryanpeikou",), 3, False),
    ("full-flush", ("Chinitsu",), 6, False),
    ("human-hand", ("Renhou", "RenhouYakuman"), 5, True),
    ("heavenly-hand", ("Tenhou",), 13, True),
    ("earthly-hand", ("Chiihou",), 13, True),
    ("big-three-dragons", ("Daisangen",), 13, False),
    ("four-concealed-pungs", ("Suuankou",), 13, False),
    ("four-concealed-pungs-single-wait", ("SuuankouTanki",), 26, False),
    ("all-honours", ("Tsuuiisou",), 13, False),
    ("all-green", ("Ryuuiisou",), 13, False),
    ("all-terminals", ("Chinroutou",), 13, False),
    ("nine-gates", ("ChuurenPoutou",), 13, False),
    ("pure-nine-gates", ("DaburuChuurenPoutou",), 26, False),
    ("thirteen-orphans", ("KokushiMusou",), 13, False),
    ("thirteen-orphans-thirteen-waits", ("DaburuKokushiMusou",), 26, False),
    ("big-four-winds", ("DaiSuushii",), 26, False),
    ("little-four-winds", ("Shousuushii",), 13, False),
    ("four-kongs", ("Suukantsu",), 13, False),
    ("dora", ("Dora",), 1, False),
    ("ura-dora", ("UraDora",), 1, False),
    ("red-five", ("AkaDora",), 1, False),
)  # fmt: skip
"""One row a yaku; the last field marks those that only an event can earn."""

ID_OF: Final = {name: id for id, names, _, _ in YAKU for name in names}
"""Class name in the package `mahjong` -> our id."""
SITUATIONAL: Final = frozenset({id for id, _, _, told in YAKU if told} | {"self-drawn"})
