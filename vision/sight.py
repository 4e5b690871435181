"""What both networks say of one picture, before it is named; it can go from machine to machine.

The reader makes it and names it; a club's own tile set comes in only then, so that a picture may be
looked at elsewhere and named here.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Found

CLASSES: Final = 44
MOST: Final = 1000
"""No table shows as many tiles."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """``found`` (n tiles), ``quads`` (n, 4, 2) by which the crops were cut, ``p`` (n, 44)
    probabilities, ``quarter`` (n,) turns clockwise within the crop, ``embedding`` (n, d)."""

    found: Found
    quads: NDArray[np.float32]
    p: NDArray[np.float32]
    quarter: NDArray[np.int64]
    embedding: NDArray[np.float32]

    def to_json(self) -> dict[str, Any]:
        """Every array as it is: little-endian bytes in base64, so that nothing is rounded."""
        return {name: _written(array) for name, array in self._arrays().items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sight:
        """The inverse. Raises ValueError for anything that is no sight."""
        try:
            n = len(base64.b64decode(data["score"], validate=True)) // 4
            wide = len(base64.b64decode(data["embedding"], validate=True)) // 4 // max(n, 1)
            if n > MOST:
                raise ValueError(f"{n} tiles are more than a table shows")
            array = {
                name: _read(data[name], kind, (n, *shape))
                for name, (kind, shape) in {**FORMS, "embedding": ("<f4", (wide,))}.items()
            }
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no sight of a picture: {error}") from None
        if not all(np.isfinite(values).all() for values in array.values()):
            raise ValueError("no sight of a picture: a value is not finite")
        found = Found(
            array["found_quads"], array["boxes"], array["score"], array["back"].astype(bool)
        )
        return cls(found, array["quads"], array["p"], array["quarter"], array["embedding"])

    def _arrays(self) -> dict[str, NDArray[Any]]:
        found = self.found
        return {
            "found_quads": found.quads.astype("<f4"),
            "boxes": found.boxes.astype("<f4"),
            "score": found.score.astype("<f4"),
            "back": found.back.astype("u1"),
            "quads": self.quads.astype("<f4"),
            "p": self.p.astype("<f4"),
            "quarter": self.quarter.astype("<i8"),
            "embedding": self.embedding.astype("<f4"),
        }


FORMS: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "found_quads": ("<f4", (4, 2)),
    "boxes": ("<f4", (4,)),
    "score": ("<f4", ()),
    "back": ("u1", ()),
    "quads": ("<f4", (4, 2)),
    "p": ("<f4", (CLASSES,)),
    "quarter": ("<i8", ()),
}


def _written(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")


def _read(text: str, kind: str, shape: tuple[int, ...]) -> NDArray[Any]:
    return np.frombuffer(base64.b64decode(text, validate=True), kind).reshape(shape)
