"""Enrolling the club's tile set: photographs in, questions, prototypes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.enrol import ContradictionError, Enrolment, Proposal
from calibration.prototypes import TURNS, VIEWS, Prototypes, read_views
from kiosk.calibrate.sheet import draw_numbers, draw_sheet
from kiosk.calibrate.talk import Picture, Talk, agreed
from kiosk.trouble import Trouble
from scorer.names import tile_name
from scorer.tiles import Tile, TileCodeError

NOT_A_TILE, BACK = 43, 42
CONSENT = (
    "Keep small pictures (64 x 64) of the tiles in the profile? They stay on this machine unless "
    "you export them, and let a later version of hupai use this set without new photographs."
)
SUITED = "1-9 with m, p or s, 1-7z"
LOOK_OVER = "Look the sheet over. Numbers that are wrong (Enter: all right):"
HELP = (
    "Enter: yes, it is · a code such as 5f: it is that · x: no tile of this set, or badly seen · "
    "u: undo the last answer · q: stop asking"
)


MIN_SIDE_PX = 24.0  # smaller tiles teach little
MAX_TURN_DEG = 18.0  # rows that lean further are cut badly by upright boxes
SAME_GREY = 12.0  # crops of one photo saved anew differ by less; three pairs of copies by 21
SAME_PLACE = 0.003  # of the larger side: nearer than this a tile then lies
SAME_SHARE = 0.9  # of the tiles of a photo: then it is one that was given before


class ReadsCrops(Protocol):
    """The reader, as far as it is needed here."""

    sha256: str

    def read(
        self, crops: Picture, /
    ) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.float32]]:
        """Probabilities (n,44), quarter turns (n,) and unit embeddings (n,d) of (n,64,64,3)."""
        ...


class FindsQuads(Protocol):
    """The detector: an object with `quads`, `boxes` and `back`."""

    def __call__(self, picture: Picture, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Seen:
    """Tiles of one photo: quads (n,4,2), crops (n,64,64,3), and how far each is turned (n,).

    `size_wh` is the photo's.
    """

    quads: NDArray[np.float32]
    crops: Picture
    turns: NDArray[np.int64]
    embeddings: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    size_wh: tuple[int, int]

    @property
    def fault(self) -> str | None:
        """Why the photo is not fit to learn from, with what to do; None when it is."""
        if len(self.quads) == 0:
            return "no tile with its face up is seen"
        side = float(np.median(np.ptp(self.quads, axis=1).min(axis=1)))
        if side < MIN_SIDE_PX:
            return f"the tiles are only {side:.0f} pixels wide: go nearer, or show fewer at once"
        turn = _lean_deg(self.quads.mean(axis=1))
        if turn > MAX_TURN_DEG:
            return (
                f"the rows lean by {turn:.0f} degrees: turn the camera so that they lie level in "
                "the picture"
            )
        return None

    def repeats(self, other: Seen) -> bool:
        """Whether nearly all tiles are the very same picture as a tile of `other`.

        Copies of a face, laid where others lay, are not cut so alike.
        """
        ours, theirs = self.crops.astype(np.int16), other.crops.astype(np.int16)
        (w, h), (past_w, past_h) = self.size_wh, other.size_wh
        if len(ours) == 0 or len(theirs) == 0 or abs(w * past_h / (h * past_w) - 1) > SAME_PLACE:
            return False
        apart = np.linalg.norm(self.middles[:, None] - other.middles[None], axis=2)
        nearest = apart.argmin(axis=1)
        grey = np.abs(ours - theirs[nearest]).mean(axis=(1, 2, 3))
        same = (grey < SAME_GREY) & (apart.min(axis=1) < SAME_PLACE)
        return bool(same.mean() >= SAME_SHARE)

    @property
    def middles(self) -> NDArray[np.float64]:
        """Middles of the tiles (n,2) as shares of the picture's larger side."""
        return np.asarray(self.quads.mean(axis=1) / max(self.size_wh), np.float64)


def look(picture: Picture, detector: FindsQuads, reader: ReadsCrops) -> Seen:
    """Find and read the tiles of a photo, each in all views; backs are left out."""
    from vision.crops import cut_crops
    from vision.detections import quads_of_boxes

    size = (picture.shape[1], picture.shape[0])
    found = detector(picture)
    straighten = bool(getattr(reader, "straighten", False))
    quads = np.asarray(found.quads if straighten else quads_of_boxes(found.boxes), np.float32)
    quads = quads[~np.asarray(found.back, bool)]
    if len(quads) == 0:
        none = np.empty((0, VIEWS, 1))
        crops = np.empty((0, 64, 64, 3), np.uint8)
        return Seen(quads, crops, np.empty(0, np.int64), none, none, size)
    crops = cut_crops(picture, quads)

    def read(turned: Picture) -> tuple[NDArray[Any], NDArray[Any]]:
        p, _, embedding = reader.read(turned)
        return embedding, p

    embeddings, p = read_views(crops, read)
    plain = p[:, :TURNS, [BACK, NOT_A_TILE]].mean(axis=1).sum(axis=1)
    faces = plain < 0.5
    _, turns, _ = reader.read(crops)
    order = _reading_order(quads[faces])
    return Seen(
        quads[faces][order],
        crops[faces][order],
        np.asarray(turns)[faces][order],
        embeddings[faces][order],
        p[faces][order],
        size,
    )


def _lean_deg(middles: NDArray[np.float32]) -> float:
    """By how much the rows lean, 0 to 45: the way to each tile's nearest neighbour, mod 90."""
    if len(middles) < 4:
        return 0.0
    ways = middles[None] - middles[:, None]
    distance = np.linalg.norm(ways, axis=2)
    np.fill_diagonal(distance, np.inf)
    nearest = ways[np.arange(len(middles)), distance.argmin(axis=1)]
    angles = np.arctan2(nearest[:, 1], nearest[:, 0])
    # Neighbours lie beside, above or below: the fourfold angle is the same for all of them.
    return abs(float(np.degrees(np.angle(np.exp(4j * angles).sum()))) / 4)


def _reading_order(quads: NDArray[np.float32]) -> NDArray[np.int64]:
    """Rows from the top, each from the left, so that numbers are easy to find on the photo."""
    if len(quads) == 0:
        return np.empty(0, np.int64)
    middles = quads.mean(axis=1)
    height = float(np.median(np.ptp(quads[:, :, 1], axis=1)))
    row, rows = 0, np.empty(len(quads), np.int64)
    by_y = np.argsort(middles[:, 1])
    for before, now in zip([by_y[0], *by_y[:-1]], by_y, strict=True):
        row += int(middles[now, 1] - middles[before, 1] > 0.5 * height)
        rows[now] = row
    return np.lexsort((middles[:, 0], rows)).astype(np.int64)


@dataclass(slots=True)
class Dialogue:
    """One enrolment with its pictures; `folder` is where sheets for the user are written."""

    talk: Talk
    folder: Path
    language: str
    session: Enrolment
    crops: list[Picture] = field(default_factory=list)
    photos: dict[str, Seen] = field(default_factory=dict)

    def add(self, name: str, picture: Picture, seen: Seen, again: bool) -> None:
        """The tiles of one photo. Raises Trouble when it cannot belong to one set."""
        fault = seen.fault
        if fault is None:
            before = next((n for n, old in self.photos.items() if seen.repeats(old)), None)
            if before is not None:
                fault = f"it is the same photo as {before}"
        if fault is not None:
            self.talk.say(f"{name}: left out: {fault}")
            return
        try:
            tiles = self.session.add_photo(seen.embeddings, seen.probabilities, seen.crops, again)
        except ValueError as error:
            raise Trouble(
                f"{name}: {error} (--again allows photos that show the same tiles)"
            ) from None
        self.photos[name] = seen
        upright = zip(seen.crops, seen.turns, strict=True)
        self.crops += [np.rot90(crop, int(turn)).copy() for crop, turn in upright]
        self.talk.say(f"{name}: {len(tiles)} tiles, numbers {tiles.start + 1} to {tiles.stop}")
        file = self.folder / f"photo-{self.session.photo_of(tiles.start) + 1}.jpg"
        self.talk.show(draw_numbers(picture, list(seen.quads), tiles.start), file)

    def run(self, keep_crops: bool | None = None) -> Prototypes:
        """Ask what is unsure, let the user look the rest over, and make the prototypes.

        `keep_crops` is the user's consent; asked for when None. Raises Trouble when nothing is
        sure.
        """
        if len(self.session) == 0:
            raise Trouble("no photo is fit to learn from.")
        self._sheet()
        self._ask_unsure()
        self._look_over()
        self._tell_missing()
        if keep_crops is None:
            keep_crops = agreed(self.talk, CONSENT, default=False)
        try:
            return self.session.prototypes(keep_crops)
        except ValueError as error:
            raise Trouble(f"{error}.") from None

    def _sheet(self) -> None:
        picture = draw_sheet(self.crops, self.session.proposals())
        self.talk.show(picture, self.folder / "tiles.png")

    def _ask_unsure(self) -> None:
        given: list[int] = []
        if self.session.questions():
            self.talk.say(HELP)
        while questions := self.session.questions():
            tile = questions[0][0]
            proposal = self.session.proposals()[tile]
            answer = self.talk.ask(self._question(questions, proposal)).lower()
            if answer == "q":
                return
            if answer == "u":
                if given:
                    self.session.withdraw(given.pop())
                continue
            if answer == "x":
                self.session.leave_out(tile)
                given.append(tile)
            elif self._answer(tile, answer or proposal.face.code):
                given.append(tile)

    def _question(self, questions: list[tuple[int, ...]], proposal: Proposal) -> str:
        group = questions[0]
        others = [str(t + 1) for t in group[1:]]
        alike = f" (as {', '.join(others)})" if others else ""
        likely = ", ".join(self._name(f) for f in proposal.likely if f is not proposal.face)
        left = f"{len(questions)} to go" if len(questions) > 1 else "the last one"
        return f"tile {group[0] + 1}{alike}: {self._name(proposal.face)}? or {likely} [{left}]"

    def _choices(self, tile: int) -> str:
        """What can be typed for a tile; bonus tiles that another tile was called are left out."""
        bonus = sorted(face for face in self.session.open_to(tile) if face.is_bonus)
        names = [self._name(face) for face in bonus]
        return f"type {', '.join([*names, SUITED])}, or x to leave the tile out"

    def _name(self, face: Tile) -> str:
        return f"{face.code} {tile_name(face, self.language)}"

    def _answer(self, tile: int, code: str) -> bool:
        """Give an answer, and talk about what contradicts it. Whether it was taken."""
        try:
            face = Tile.parse(code)
            if face is Tile.BACK:  # a code, but no face
                raise TileCodeError(code)
            self.session.answer(tile, face)
        except TileCodeError:
            self.talk.say(f"{code!r} is no code of a tile: {self._choices(tile)}")
            return False
        except ContradictionError as clash:
            numbers = ", ".join(str(t + 1) for t in clash.tiles)
            self.talk.say(f"This cannot be: {clash} (tile {numbers}).")
            if not clash.insist:
                return self._answer_earlier(clash.tiles, tile, face)
            if not agreed(self.talk, f"Is tile {tile + 1} really {face.code}?", default=False):
                return self._answer_earlier(clash.tiles, tile, face)
            self.session.answer(tile, face, insist=True)
        except ValueError as error:
            self.talk.say(f"{error}")
            return False
        return True

    def _answer_earlier(self, earlier: Sequence[int], tile: int, face: Tile) -> bool:
        """Take back an earlier answer that was wrong, if the user says so."""
        for number in earlier:
            named = self.session.answers[number].code
            question = f"Was it tile {number + 1}, named {named}, that is wrong?"
            if agreed(self.talk, question, default=False):
                self.session.withdraw(number)
                return self._answer(tile, face.code)
        self.talk.say(f"Tile {tile + 1} is left aside.")
        self.session.leave_out(tile)
        return True

    def _look_over(self) -> None:
        """The user looks at the whole sheet once: what was sure may still be wrong."""
        while True:
            self._sheet()
            answer = self.talk.ask(LOOK_OVER)
            if not answer:
                return
            for word in answer.replace(",", " ").split():
                if not word.isdigit() or not 1 <= int(word) <= len(self.session):
                    self.talk.say(f"{word}: no such number")
                    continue
                code = self.talk.ask(f"tile {word} is (a code, or x to leave it out):").lower()
                if code == "x":
                    self.session.leave_out(int(word) - 1)
                elif code:
                    self._answer(int(word) - 1, code)
            self._ask_unsure()

    def _tell_missing(self) -> None:
        missing = self.session.missing()
        if missing:
            names = ", ".join(self._name(face) for face in missing)
            self.talk.say(f"Not learnt, so read as before: {names}")


def learn(
    tiles: Prototypes | None,
    crops: Picture,
    faces: Sequence[Tile],
    reader: ReadsCrops,
    keep_crops: bool,
) -> Prototypes:
    """A tile set with corrected crops (n,64,64,3) of a reading added, as after "this was misread".

    Raises PrototypeError when the set was made by another reader.
    """

    def read(turned: Picture) -> tuple[NDArray[Any], NDArray[Any]]:
        p, _, embedding = reader.read(turned)
        return embedding, p

    embeddings, p = read_views(crops, read)
    more = Prototypes.of(
        embeddings,
        p,
        np.array([int(face) for face in faces]),
        reader.sha256,
        crops if keep_crops else None,
    )
    # New ones first: they show what was misread, and a full face gives up an old one for them.
    return more if tiles is None else more.joined(tiles)
