"""What one design of faces decides: characters, paints, motifs, sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets import motifs
from datasets.lettering import styles


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """What one design decides; paints are names of vector.PALETTE."""

    seed: int
    numerals: str
    wan: str
    honours: str
    words: str
    wu: str = "五"
    wan_form: str = "萬"
    green_form: str = "發"
    east_form: str = "東"
    numeral_paint: str = "blue"
    wan_paint: str = "red"
    wind_paint: str = "blue"
    wan_size: float = 205.0
    numeral_size: float = 180.0
    honour_size: float = 290.0
    stretch: float = 1.15
    dot_kind: str = "double"
    dot_scheme: str = "classic"
    stick_kind: str = "capsule"
    stick_scheme: str = "classic"
    stick_width: float = 30.0
    bird: bool = True
    frame: str = "double"
    frame_paint: str = "blue"
    dragon_word: bool = False
    index: str = ""
    index_paint: str = "red"
    season_paint: str = "red"
    plant_paint: str = "blue"
    season_word_paint: str = "red"
    plant_word_paint: str = "blue"
    orchid_form: str = "蘭"
    number_size: float = 72.0
    word_size: float = 105.0
    lined: bool = False
    season_numbers: str = "arabic"
    plant_numbers: str = "arabic"
    season_side: float = -1.0
    plant_side: float = 1.0
    season_words: str = "own"
    plant_words: str = "own"
    petal: str = "red"
    stem: str = "green"
    own_drawings: bool = True
    clump: float = 0.0
    stick_spread: float = 1.0
    weight: float = 0.0
    wobble: float = 0.0
    slant: float = 0.0
    art_scale: float = 1.3

    @classmethod
    def random(cls, rng: np.random.Generator) -> FaceStyle:
        """A design drawn by lot; the same seed gives the same design."""
        names = [s.name for s in styles()]
        brush = [n for n in names if n.startswith(("yuji", "wenkai", "klee"))]

        def lettering() -> str:
            pool = brush if rng.random() < 0.65 else names
            return str(pool[int(rng.integers(len(pool)))])

        def pick(*choices: str, p: tuple[float, ...] | None = None) -> str:
            return str(rng.choice(choices, p=p))

        first = lettering()
        slender = first in brush or first == "kaisei"
        dark = pick("blue", "black", "green", p=(0.5, 0.38, 0.12))
        bonus = rng.random()
        chinese = bonus > 0.75
        colours = pick("red-blue", "black", "red-black", "red-green", "mixed",
                       p=(0.52, 0.1, 0.16, 0.1, 0.12))  # fmt: skip
        season, plant = {
            "red-blue": ("red", "blue"),
            "black": ("black", "red"),
            "red-black": ("red", "black"),
            "red-green": ("red", "green"),
            "mixed": ("blue", "red"),
        }[colours]
        style = cls(
            seed=int(rng.integers(2**31)),
            numerals=first,
            wan=first if rng.random() < 0.8 else lettering(),
            honours=first if rng.random() < 0.7 else lettering(),
            words=lettering(),
            wu=pick("五", "伍"),
            wan_form=pick("萬", "万", p=(0.88, 0.12)),
            green_form=pick("發", "発", "发", p=(0.86, 0.1, 0.04)),
            east_form=pick("東", "东", p=(0.97, 0.03)),
            numeral_paint=dark if rng.random() < 0.85 else pick("red", "black", "green"),
            wan_paint=pick("red", dark, p=(0.9, 0.1)),
            wind_paint=dark,
            wan_size=float(rng.uniform(165, 225)),
            numeral_size=float(rng.uniform(145, 205)),
            honour_size=float(rng.uniform(195, 305)),
            stretch=float(rng.uniform(0.95, 1.3)),
            dot_kind=pick(*motifs.DOT_KINDS),
            dot_scheme=pick("classic", "alternating", "mono", "mono-red", "dark"),
            stick_kind=pick(*motifs.STICK_KINDS),
            stick_scheme=pick("classic", "blue", "mono", "mono-red"),
            stick_width=float(rng.uniform(28, 56)),
            bird=bool(rng.random() < 0.82),
            frame=pick(
                "none", *motifs.FRAME_KINDS, p=(0.16, 0.2, 0.22, 0.08, 0.06, 0.12, 0.08, 0.08)
            ),
            frame_paint=dark if rng.random() < 0.8 else pick("blue", "green", "black"),
            dragon_word=bool(rng.random() < 0.06),
            index=pick("", "left", "right", "dots", p=(0.55, 0.25, 0.1, 0.1)),
            index_paint=pick("red", "blue", "black", "green"),
            season_paint=season,
            plant_paint=plant,
            season_numbers="chinese" if chinese else "arabic",
            plant_numbers="arabic",
            season_side=1.0 if chinese or rng.random() < 0.12 else -1.0,
            plant_side=float(rng.choice([1.0, -1.0], p=[0.85, 0.15])),
            season_words=pick(
                "own", "none", "slogan", p=(0.82, 0.12, 0.06) if not chinese else (0.2, 0.75, 0.05)
            ),
            plant_words=pick(
                "own", "none", "slogan", p=(0.82, 0.12, 0.06) if not chinese else (0.2, 0.75, 0.05)
            ),
            petal=pick("red", dark, season, p=(0.8, 0.1, 0.1)),
            stem=pick("green", dark, p=(0.85, 0.15)),
            own_drawings=bool(rng.random() < 0.6),
            clump=float(rng.choice([0.0, rng.uniform(0, 1), 1.0])),
            stick_spread=float(rng.uniform(0.7, 1.05)),
            weight=float(rng.choice([0.0, rng.uniform(1, 12)], p=[0.35, 0.65])) * slender,
            wobble=float(rng.choice([0.0, rng.uniform(1, 7)], p=[0.3, 0.7])),
            slant=float(rng.choice([0.0, rng.normal(0, 0.05)])),
            art_scale=float(rng.uniform(1.2, 1.9)),
        )
        # Many sets cut the word in the other row's colour, so that only one of the two tells.
        season_word, plant_word = (plant, season) if rng.random() < 0.35 else (season, plant)
        return replace(
            style,
            season_word_paint=season_word,
            plant_word_paint=plant_word,
            orchid_form=pick("蘭", "兰", p=(0.6, 0.4)),
            number_size=float(rng.uniform(56, 96)),
            word_size=float(rng.uniform(80, 120)),
            lined=bool(rng.random() < 0.4),
        )


def clean_style() -> FaceStyle:
    """The product's own look."""
    return FaceStyle(
        seed=28,
        numerals="wenkai",
        wan="wenkai",
        honours="wenkai",
        words="wenkai",
        honour_size=270.0,
        clump=0.55,
        stick_width=32.0,
        stick_spread=0.9,
        art_scale=1.12,
    )
