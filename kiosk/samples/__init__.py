"""The sample pictures, what they show, and what must come out of reading them."""

from __future__ import annotations

import shlex
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
DEMO: Final = "taiwan-flowers"


@dataclass(frozen=True, slots=True)
class Sample:
    """One picture. `hand` is the hand that lies there, as far as the picture tells."""

    name: str
    about: str
    hand: str
    seed: int
    winning: str
    options: str
    elevation_deg: float = 75.0
    total: int | None = None
    dealer_line: int = 0
    payments: dict[str, int] | None = None
    range: list[int] | None = None
    questions: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.jpg"

    @property
    def words(self) -> list[str]:
        """The facts as words of a command line."""
        return shlex.split(self.options)


def samples() -> dict[str, Sample]:
    """All samples by name, the demo's first."""
    data = tomllib.loads((FOLDER / "samples.toml").read_text(encoding="utf-8"))
    found = [Sample(**entry) for entry in data["sample"]]
    return {sample.name: sample for sample in sorted(found, key=lambda s: s.name != DEMO)}
