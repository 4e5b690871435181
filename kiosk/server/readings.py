"""Readings kept in memory: the picture, what was read, and what a person has corrected."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np

from calibration.profile import Profile
from kiosk.receipt import receipt
from kiosk.server import uploads
from kiosk.server.eyes import Eyes
from kiosk.server.names import with_names
from kiosk.server.problems import Problem, wrong
from kiosk.server.situations import answered, situation_json
from kiosk.server.texts import text
from scorer import HouseRules, Situation, Tile
from vision import draw_overlay, read
from vision.correct import QUESTIONS, Added, CorrectionError, Corrections, corrected, doubted
from vision.crops import CROP_PX
from vision.detections import widths_px
from vision.phrases import phrase
from vision.reading import Question, Reading
from vision.words import advice_text, question_text

MOST: Final = 32
MOST_BYTES: Final = 96 * 2**20
LARGE_PX: Final = 3000
LARGE_BYTES: Final = 2**20
"""A photo of more is first read in half its size; the reader sees tiles 64 pixels wide."""


@dataclass(slots=True)
class Kept:
    """One picture and its reading. `data` is the encoded upload; `straight` says that it needs no
    straightening any more, as frames of the fixed camera; `asked` is the situation without the
    answers that were given since. `away` says why the reading service did not read it, if so.
    """

    id: str
    data: bytes
    size_wh: tuple[int, int]
    profile: Profile | None
    rules: str
    house: HouseRules
    situation: Situation
    first: Reading
    reading: Reading
    asked: Situation
    straight: bool = False
    away: str = ""
    told: Corrections = field(default_factory=Corrections)
    revision: int = 0

    def picture(self, *, half: bool = False) -> uploads.Picture:
        """The picture in which the quads lie, decoded again; `half` where that is enough."""
        lens = self.profile is not None and not self.straight
        image = uploads.decode(self.data, half=half and not lens)
        return self.profile.straight(image) if lens and self.profile else image

    def shown(self) -> bytes:
        """A JPEG to look at."""
        return uploads.shown(self.picture(half=self._is_large))

    def overlay(self, language: str) -> bytes:
        """The picture with the reading drawn on it, at the size that is shown."""
        image = self.picture(half=self._is_large)
        scale = min(1.0, uploads.SHOWN_PX / max(image.shape[:2]))
        if scale < 1:
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            image = np.asarray(small, np.uint8)
        fitting = scaled(self.reading, image.shape[1] / self.size_wh[0])
        return uploads.shown(draw_overlay(image, fitting, language))

    def asks(self) -> tuple[Question, ...]:
        """What is to be asked of a person, also where no rule makes it a question."""
        facts = (self.rules, self.situation, self.house)
        return (*doubted(self.first, self.reading, self.told, *facts), *self.reading.questions)

    @property
    def _is_large(self) -> bool:
        """Whether half of it is enough to look at."""
        return max(self.size_wh) >= LARGE_PX

    def to_json(self, language: str) -> dict[str, Any]:
        """The reading with names, size and links (docs/http.md)."""
        reading = self.reading
        data = reading.to_json()
        if reading.hand is not None and (reading.certain or reading.result.problems):
            data["receipt"] = receipt(reading.hand, self.situation, reading.result, language)
        else:
            data["receipt"] = ""
        data = with_names(data, reading.result, self.asks(), language)
        _in_words(data, language)
        here = f"/api/readings/{self.id}"
        return data | {
            "id": self.id,
            "revision": self.revision,
            "width": self.size_wh[0],
            "height": self.size_wh[1],
            "rules": self.rules,
            "away": text("away", self.away, language) if self.away else "",
            "situation": situation_json(self.situation),
            "links": {
                "self": here,
                "picture": f"{here}/picture.jpg",
                "overlay": f"{here}/overlay.jpg?r={self.revision}",
                "corrections": f"{here}/corrections",
                "misread": f"{here}/misread",
            },
        }


def scaled(reading: Reading, factor: float) -> Reading:
    """The same reading in a picture that is so many times as large."""
    if factor == 1:
        return reading
    seen = reading.layout.detections
    laid = replace(reading.layout, detections=replace(seen, quads=seen.quads * factor))
    return replace(reading, layout=laid)


def _in_words(data: dict[str, Any], language: str) -> None:
    """The sentences about the picture, in the language."""
    data["notes"] = [phrase(note, language) for note in data["notes"]]
    for group in data["groups"]:
        if "reason" in group:
            group["reason"] = phrase(group["reason"], language)
    for unsure in data["unsure"]:
        unsure["why"] = phrase(unsure["why"], language)
    for advice in data["advice"]:
        advice["text"] = advice_text(advice["id"], language)
    for question in data["questions"]:
        question["text"] = question_text(question["id"], language)


class Readings:
    """The newest readings by id; bounded in number and in bytes. Safe for threads."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._most = most
        self._most_bytes = most_bytes
        self._lock = threading.Lock()

    def add(self, kept: Kept) -> None:
        with self._lock:
            self._kept[kept.id] = kept
            while len(self._kept) > self._most or (
                len(self._kept) > 1 and self._bytes() > self._most_bytes
            ):
                self._kept.popitem(last=False)

    def get(self, id: str) -> Kept:
        """Raises Problem `not-here`."""
        with self._lock:
            if id not in self._kept:
                raise Problem("not-here")
            self._kept.move_to_end(id)
            return self._kept[id]

    def forget(self, id: str) -> None:
        with self._lock:
            self._kept.pop(id, None)

    def __len__(self) -> int:
        return len(self._kept)

    def _bytes(self) -> int:
        return sum(len(kept.data) for kept in self._kept.values())


def fresh_id() -> str:
    """Not to be guessed: whoever knows it sees the picture."""
    return secrets.token_urlsafe(9)


def read_upload(
    data: bytes, rules: str, house: HouseRules, situation: Situation, eyes: Eyes, side: str
) -> Kept:
    """Decode and read one upload. Raises Problem."""

    def read_at(half: bool) -> tuple[Reading, tuple[int, int]]:
        image = uploads.decode(data, half=half)
        size_wh = uploads.size_of(data, image)
        reading = read(
            image,
            rules,
            situation,
            house,
            detector=eyes.finder(image, data, half),
            reader=eyes.reader,
            profile=eyes.profile,
            side=side,
        )
        return scaled(reading, size_wh[0] / image.shape[1]), size_wh

    profile = eyes.profile
    lens = profile is not None and (profile.camera is not None or profile.table is not None)
    half = not lens and len(data) > LARGE_BYTES
    reading, size_wh = read_at(half)
    if half and not _is_fine(reading):
        reading, size_wh = read_at(False)
    return Kept(
        fresh_id(),
        data,
        size_wh,
        eyes.profile,
        rules,
        house,
        situation,
        reading,
        reading,
        situation,
        away=eyes.away,
    )


def _is_fine(reading: Reading) -> bool:
    """Whether the tiles were so large in half the picture that the whole one shows no more."""
    quads = reading.layout.detections.quads
    return len(quads) > 0 and float(np.median(widths_px(quads))) >= 2 * CROP_PX


def correct(
    kept: Kept,
    told: Corrections,
    answers: Mapping[str, str],
    situation: Situation,
    rules: str,
    house: HouseRules,
) -> None:
    """Correct a kept reading; `answers` may be facts of the situation too. Raises Problem."""
    facts = {id: answer for id, answer in answers.items() if id not in QUESTIONS}
    kept.asked = situation
    situation = answered(situation, facts)
    try:
        reading = corrected(kept.first, told, rules, situation, house)
    except CorrectionError as error:
        raise wrong(error.place, f"{error}.") from None
    kept.told, kept.reading, kept.situation = told, reading, situation
    kept.rules, kept.house = rules, house
    kept.revision += 1


def corrections_of(
    tiles: Iterable[Mapping[str, Any]],
    groups: Iterable[Mapping[str, Any]] | None,
    answers: Mapping[str, str],
) -> Corrections:
    """The list that a page sends. Raises Problem."""
    faces: dict[int, Tile] = {}
    removed: set[int] = set()
    added: list[Added] = []
    for one in tiles:
        if one.get("add") is not None:
            group = one.get("group")
            added.append(Added(_tile(one["add"]), "" if group is None else group))
        elif one.get("index") is None:
            raise wrong("tiles", "A correction has an index, or a tile to add.")
        elif one.get("remove"):
            removed.add(one["index"])
        elif one.get("face") is not None:
            faces[one["index"]] = _tile(one["face"])
        else:
            raise wrong("tiles", "A correction has a face, or remove.")
    placed = None
    if groups is not None:
        placed = tuple((group["kind"], tuple(group["tiles"])) for group in groups)
    asked = {id: answer for id, answer in answers.items() if id in QUESTIONS}
    return Corrections(faces, frozenset(removed), tuple(added), placed, asked)


def _tile(code: str) -> Tile:
    try:
        return Tile.parse(code)
    except ValueError as error:
        raise wrong("tiles", f"{error}.") from None
