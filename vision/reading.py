"""What a picture says: the hand, how sure each tile is, and what is still to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.hand import Hand
from scorer.result import Result
from scorer.tiles import Tile
from vision.layout import Layout

CONCEALED, BONUS, WINNING, OTHER = "concealed", "bonus", "winning-tile", "not-of-this-hand"
"""Group kinds beside chow, pung, kong and concealed-kong."""
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that lie together: indexes in reading order, and what they are."""

    kind: str
    tiles: tuple[int, ...]
    text: str
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"kind": self.kind, "tiles": list(self.tiles), "text": self.text}
        return data | {"reason": self.reason} if self.reason else data


@dataclass(frozen=True, slots=True)
class Unsure:
    """A tile that must be looked at. `repaired` when the face is not the reader's first choice."""

    tile: int
    face: Tile
    why: str
    choices: tuple[Tile, ...]
    repaired: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "tile": self.tile,
            "face": self.face.code,
            "why": self.why,
            "choices": [face.code for face in self.choices],
            "repaired": self.repaired,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer and the lowest and highest total it leads to; None when it is no win."""

    value: str
    range: tuple[int, int] | None

    def to_json(self) -> dict[str, Any]:
        return {"answer": self.value, "range": list(self.range) if self.range else None}


@dataclass(frozen=True, slots=True)
class Question:
    """A fact that changes the score of this very hand.

    id: a fact of the situation (`self_drawn`, `seat`, `round`, `winning`, `event:…`), or of the
    picture (`claimed`, `kong`, `tile`). `about` holds the tiles in question.
    """

    id: str
    text: str
    answers: tuple[Answer, ...]
    about: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "text": self.text,
            "answers": [answer.to_json() for answer in self.answers],
            "tiles": list(self.about),
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """What is wrong with the picture. `tile` is an index, or None for the whole picture."""

    id: str
    text: str
    measure: float
    limit: float
    tile: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "text": self.text,
            "measure": round(self.measure, 3),
            "limit": self.limit,
            "tile": self.tile,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One picture read under one rule set.

    hand: as it is read, or None when no hand was found. faces: the face given to every tile of
    the hand (by index). result: the score; without a total unless `certain`. others: hand texts
    that are nearly as likely. notes: sentences about what was seen and what is missing.

    `certain` is true only when every tile, the grouping and every fact that changes the score are
    known; otherwise `total` is None and `range` tells what is possible.
    """

    hand: Hand | None
    layout: Layout
    faces: Mapping[int, int]
    result: Result
    certain: bool
    groups: tuple[Group, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    questions: tuple[Question, ...] = ()
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    profile: str = ""

    @property
    def total(self) -> int | None:
        """The total, if it is certain."""
        return self.result.total if self.certain else None

    @property
    def range(self) -> tuple[int, int] | None:
        """Lowest and highest total that is possible; None when there is none."""
        if self.certain and self.result.total is not None:
            return self.result.total, self.result.total
        return self.result.range

    @property
    def text(self) -> str:
        """The hand text, empty when no hand was found."""
        return "" if self.hand is None else str(self.hand)

    def with_picture(
        self,
        advice: tuple[Advice, ...],
        timings_ms: Mapping[str, float],
        profile: str = "",
    ) -> Reading:
        """The same reading with what is known of the picture itself."""
        return replace(self, advice=advice, timings_ms=dict(timings_ms), profile=profile)

    def to_json(self) -> dict[str, Any]:
        """The result's fields and those of the picture (docs/json.md)."""
        data = self.result.to_json()
        span = self.range
        data |= {
            "schema": SCHEMA,
            "total": self.total,
            "certain": self.certain,
            "range": list(span) if span is not None and not self.certain else None,
            "hand": self.text,
            "tiles": [self._tile_json(i) for i in range(len(self.layout.detections))],
            "groups": [group.to_json() for group in self.groups],
            "unsure": [unsure.to_json() for unsure in self.unsure],
            "questions": [question.to_json() for question in self.questions],
            "other_readings": list(self.others),
            "doubts": sorted(self.layout.doubts),
            "notes": list(self.notes),
            "advice": [advice.to_json() for advice in self.advice],
            "timings_ms": {name: round(ms, 2) for name, ms in self.timings_ms.items()},
            "profile": self.profile or None,
        }
        return data

    def _tile_json(self, i: int) -> dict[str, Any]:
        seen = self.layout.detections
        return {
            "tile": Tile(self.faces.get(i, int(seen.faces[i]))).code,
            "seen": Tile(int(seen.faces[i])).code,
            "p": round(float(seen.alternative_p[i, 0]), 4),
            "alternatives": [
                {"tile": Tile(int(face)).code, "p": round(float(p), 4)}
                for face, p in zip(seen.alternatives[i], seen.alternative_p[i], strict=True)
            ],
            "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in seen.quads[i]],
            "turn": int(seen.turn[i]),
            "group": next((k for k, g in enumerate(self.groups) if i in g.tiles), None),
        }
