"""What each tile is: the reader over crops of the full picture, and the club's own tile set beside
it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from models import Model, load_session
from vision.crops import cut_crops, out_of, turned_clockwise
from vision.detections import ALTERNATIVES, BACK, Detections, quads_of_boxes
from vision.detector import Found
from vision.sight import Sight
from vision.sizes import too_small

FACES = 42
NOT_A_TILE = 43
BACK_VOTE = 0.5
"""Least probability of a back at which the detector's word that a tile lies face down is
believed, also where it is in doubt itself: nothing is printed there of which it could be sure."""

WHITE = 33
BLANK_VOTE = 0.05
"""What is left of a white dragon's probability where the detector sees a back: bare cloth and the
sides of walls look blank too."""

SECOND_OPINION_P = 0.97
"""A tile that is read less surely than this is looked at again: cut by its corners, a little
closer, a little wider, by its upright box and midway between the two, each in all four turns, and
the readings averaged."""

CLOSER, WIDER = 0.94, 1.08

BATCH = 128
"""Crops that are read at once: more take no less time a crop, and memory grows with them."""

DOUBTED_SCORE = 0.6
"""What the detector is less sure of counts as a tile only where the reader is sure of its face."""

MAYBE_SCORE, MAYBE_P = 0.3, 0.3
"""What is left out, though the detector and the reader give it this much as a tile, is told."""


class TileSet(Protocol):
    """A club's enrolled tiles: corrects the reader's probabilities by their embeddings."""

    def consult(
        self, embeddings: NDArray[np.float32], probabilities: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """(n, d) unit embeddings and (n, 42) probabilities to (n, 42) probabilities."""
        ...


class Said(NamedTuple):
    """What the network says of n crops: face logits (n, 44), turn logits (n, 4), unit embeddings
    (n, d), and where the tile's corners lie in the crop (n, 4, 2), whose sides are 1."""

    faces: NDArray[np.float32]
    turns: NDArray[np.float32]
    embedding: NDArray[np.float32]
    corners: NDArray[np.float32]


class Reader:
    """The shipped reader, or any session of the same form.

    ``temperature`` divides the face logits so that the probabilities mean what they say (fitted on
    dev). ``trusted``: how sure of a face it must be where the detector is in doubt.
    ``model``: whose settings count for a session that runs elsewhere.
    Raises `models.ModelError` when the model cannot be used.
    """

    def __init__(
        self,
        session: Any | None = None,
        *,
        temperature: float | None = None,
        straighten: bool | None = None,
        trusted: float | None = None,
        model: Model | None = None,
    ) -> None:
        if session is None:
            session, model = load_session("reader")
        self._session = session
        self._input = session.get_inputs()[0].name
        settings = model.settings if model else {}
        self.temperature = (
            temperature if temperature is not None else settings.get("temperature", 1.0)
        )
        self.straighten = (
            straighten if straighten is not None else bool(settings.get("straighten", 0.0))
        )
        self.trusted = trusted if trusted is not None else settings.get("trusted", 0.9)
        self.sha256 = model.sha256 if model else ""

    def __call__(
        self,
        picture: NDArray[np.uint8],
        found: Found | Sight,
        tiles: TileSet | None = None,
        *,
        keep: bool = False,
    ) -> Detections:
        """Name what the detector found; what is no tile is left out (unless ``keep``)."""
        return self.name(self.look(picture, found), tiles, keep=keep)

    def look(self, picture: NDArray[np.uint8], found: Found | Sight) -> Sight:
        """What the network says of each tile that was found; a sight is that already."""
        if isinstance(found, Sight):
            return found
        upright = quads_of_boxes(found.boxes)
        quads = found.quads if self.straighten else upright
        if not len(found.score):
            none = np.zeros((0, NOT_A_TILE + 1), np.float32)
            return Sight(found, quads, none, np.zeros(0, np.int64), none[:, :0])
        said = self.logits(cut_crops(picture, quads))
        p, embedding = self._probabilities(said.faces), said.embedding
        unsure = p.max(axis=1) < SECOND_OPINION_P
        if unsure.any():
            p[unsure], embedding[unsure] = self._look_again(picture, quads[unsure], upright[unsure])
        return Sight(found, quads, p, said.turns.argmax(axis=1), embedding)

    def _look_again(
        self,
        picture: NDArray[np.uint8],
        quads: NDArray[np.float32],
        upright: NDArray[np.float32],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities (n, 44) and embeddings (n, d) from many views of each tile."""
        between = np.asarray((quads + upright) / 2, np.float32)
        first = np.stack([*_three(quads), between, upright])
        said = self._in_all_turns(picture, first)
        better = _agreed(first, said.corners)
        again = self._in_all_turns(picture, _three(better))
        faces, embedding = (
            np.concatenate([a, b]).reshape(-1, len(quads), a.shape[1]).mean(axis=0)
            for a, b in ((said.faces, again.faces), (said.embedding, again.embedding))
        )
        return self._probabilities(faces), embedding / np.linalg.norm(
            embedding, axis=1, keepdims=True
        )

    def _in_all_turns(self, picture: NDArray[np.uint8], cuts: NDArray[np.float32]) -> Said:
        """What is said of n tiles by cuts (k, n, 4, 2), each in four quarter turns, one after the
        other: 4 · k · n rows."""
        crops = cut_crops(picture, cuts.reshape(-1, 4, 2))
        return self.logits(
            np.concatenate([np.rot90(crops, turns, axes=(1, 2)) for turns in range(4)])
        )

    def name(self, sight: Sight, tiles: TileSet | None = None, *, keep: bool = False) -> Detections:
        """The faces that a sight shows, with the club's own tile set beside it."""
        found, p, embedding = sight.found, sight.p, sight.embedding
        if not len(found.score):
            return Detections.empty()
        faces = p[:, :FACES].copy()
        faces[found.back, WHITE] *= BLANK_VOTE
        if tiles is not None:
            share = faces.sum(axis=1, keepdims=True)
            faces = tiles.consult(embedding, faces / np.maximum(share, 1e-9)) * share
        back = np.where(
            found.back, np.maximum(p[:, BACK], np.minimum(found.score, BACK_VOTE)), p[:, BACK]
        )
        p = np.concatenate([faces, back[:, None]], axis=1)
        face_down = found.back & (found.score >= MAYBE_SCORE) & (sight.p[:, BACK] >= BACK_VOTE)
        doubted = (found.score < DOUBTED_SCORE) & ~face_down
        is_tile = p.sum(axis=1)
        whole = np.where(doubted, p.max(axis=1) >= self.trusted, is_tile > 0.5)
        whole = whole & ~too_small(found.quads, ~doubted & (p.max(axis=1) >= self.trusted)) | keep
        maybe = ~whole & (found.score >= MAYBE_SCORE) & (is_tile >= MAYBE_P)
        p = p / np.maximum(p.sum(axis=1, keepdims=True), 1e-9)
        order = np.argsort(-p, axis=1, kind="stable")[:, :ALTERNATIVES]
        quads, turn = _face_up(found.quads, sight.quads, sight.quarter)
        return Detections(
            quads=quads[whole],
            faces=order[whole, 0],
            alternatives=order[whole],
            alternative_p=np.take_along_axis(p, order, axis=1)[whole].astype(np.float32),
            turn=turn[whole],
            score=found.score[whole],
            embedding=embedding[whole],
            maybe=quads[maybe],
        )

    def read(
        self, crops: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.float32]]:
        """Crops (n, 64, 64, 3) BGR to probabilities (n, 44), quarter turns clockwise (n,) and unit
        embeddings (n, d)."""
        said = self.logits(crops)
        return self._probabilities(said.faces), said.turns.argmax(axis=1), said.embedding

    def logits(self, crops: NDArray[np.uint8]) -> Said:
        """What the network says of crops (n, 64, 64, 3) BGR."""
        rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))
        parts = [
            self._session.run(None, {self._input: rgb[at : at + BATCH] / np.float32(255)})
            for at in range(0, max(len(rgb), 1), BATCH)
        ]
        faces, turns, embedding, corners = map(np.concatenate, zip(*parts, strict=True))
        return Said(faces, turns, embedding, corners.reshape(-1, 4, 2))

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        scaled = logits / self.temperature
        p = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(p / p.sum(axis=1, keepdims=True), np.float32)


def _three(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quads (n, 4, 2) as they are, a little closer and a little wider: (3, n, 4, 2)."""
    return np.stack([quads, _about_centre(quads, CLOSER), _about_centre(quads, WIDER)])


def _agreed(cuts: NDArray[np.float32], corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Where the tiles' corners lie by the word of all views, (n, 4, 2) in pixels.

    ``cuts`` (k, n, 4, 2); ``corners`` of those in four turns, (4 · k · n, 4, 2). Of a cut's turns
    the mean is taken, of the cuts the median.
    """
    views = corners.reshape(4, -1, 4, 2)
    upright = np.mean([turned_clockwise(view, turns) for turns, view in enumerate(views)], axis=0)
    flat = cuts.reshape(-1, 4, 2)
    places = [out_of(cut, corner) for cut, corner in zip(flat, upright, strict=True)]
    return np.asarray(np.median(np.reshape(places, cuts.shape), axis=0), np.float32)


def _about_centre(quads: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """The quads (n, 4, 2) larger or smaller by a factor."""
    centre = quads.mean(axis=1, keepdims=True)
    return np.asarray(centre + (quads - centre) * factor, np.float32)


def _face_up(
    corners: NDArray[np.float32], seen: NDArray[np.float32], quarter: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The corners begun at the face's own upper left, and the face's turn in the picture in
    degrees clockwise.

    ``quarter`` is the turn of the face within the crop that was cut by ``seen``.
    """
    along = seen[:, 1] - seen[:, 0]
    angle = np.degrees(np.arctan2(along[:, 1], along[:, 0])) + 90.0 * quarter
    edges = np.roll(corners, -1, axis=1) - corners
    directions = np.degrees(np.arctan2(edges[..., 1], edges[..., 0]))
    off = np.abs((directions - angle[:, None] + 180) % 360 - 180)
    start = off.argmin(axis=1)
    index = (start[:, None] + np.arange(4)) % 4
    turned = np.take_along_axis(corners, index[..., None], axis=1)
    top = np.take_along_axis(directions, start[:, None], axis=1)[:, 0]
    return turned.astype(np.float32), (np.round(top / 90.0).astype(np.int64) % 4) * 90
