"""Enrolling a tile set: from photographed tiles to faces that the user agrees with.

The user photographs the set laid out, in any order and over several photos. Each tile gets the
likeliest face under the copies that one photo can hold; tiles that look alike help each other, and
every answer teaches the rest. Only groups of tiles whose face stays unsure are asked about. An
answer that contradicts another is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, floats
from calibration.assign import assign
from calibration.prototypes import FACES, TURNS, VIEWS, Prototypes, face_shares, likeness, unit
from scorer.tiles import Tile

COPIES = np.array([4] * 34 + [1] * 8)  # of each face in one set
TWINS = 0.985  # tiles more alike than this show the same face: others were seen to reach 0.97
ALIKE = 0.95  # tiles at least so alike are asked about together
STRANGERS = 0.45  # tiles less alike than this do not show the same face: measured, 1 in 100 is 0.64
SURE = 3.0  # nats by which any other face must be dearer: odds of 20 to 1
SURE_BONUS = 4.6  # 100 to 1: pictures and words on bonus tiles vary without limit
BONUS = frozenset(tile for tile in Tile if tile.is_bonus)
LEAST = 1e-6


class ContradictionError(ValueError):
    """An answer that cannot be true together with earlier ones; `tiles` are those it clashes with.

    `insist` says whether the user may repeat the answer to overrule: looks can deceive, copies
    cannot.
    """

    def __init__(self, why: str, tiles: Sequence[int], insist: bool) -> None:
        super().__init__(why)
        self.tiles = tuple(tiles)
        self.insist = insist


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a tile is taken for; `margin` in nats says how much dearer any other face would be.

    A bonus tile's margin is no more than what the tile itself says: that the other faces are taken
    proves little, as they may be taken wrongly. `likely` holds faces that are still to be had.
    """

    face: Tile
    margin: float
    sure: bool
    likely: tuple[Tile, ...]


class Enrolment:
    """All photographed tiles of one set, numbered in the order in which they came."""

    def __init__(self, reader: str) -> None:
        self.reader = reader
        self._units = np.empty((0, VIEWS, 0))
        self._own = np.empty((0, VIEWS, FACES))
        self._photo = np.empty(0, np.int64)
        self._once = np.empty(0, np.int64)  # tiles of one number are all different tiles
        self._crops: list[Picture | None] = []
        self._answers: dict[int, Tile] = {}
        self._left_out: set[int] = set()

    def __len__(self) -> int:
        return len(self._units)

    def add_photo(
        self,
        embeddings: NDArray[Any],
        probabilities: NDArray[Any],
        crops: Picture | None = None,
        again: bool = False,
    ) -> range:
        """Tiles of one photo in all views (`prototypes.read_views`).

        Embeddings (n,12,d), probabilities (n,12,k), k >= 42, crops (n,64,64,3). Returns their
        numbers. Raises ValueError when shapes differ or the photo holds more tiles than a set.
        """
        n = len(embeddings)
        if embeddings.shape[:2] != (n, VIEWS) or embeddings.ndim != 3:
            raise ValueError(f"embeddings must be (n, {VIEWS}, d), but got {embeddings.shape}")
        if probabilities.shape[:2] != (n, VIEWS) or probabilities.shape[-1] < FACES:
            raise ValueError(
                f"probabilities must be (n, {VIEWS}, k) with k >= {FACES}, but got "
                f"{probabilities.shape}"
            )
        number = int(self._photo.max(initial=-1)) + 1
        once = number if again else 0
        shown = n + int((self._once == once).sum())
        if shown > COPIES.sum():
            raise ValueError(
                f"{shown} tiles, but a set has no more than {COPIES.sum()}: was a tile shown twice?"
            )
        start = len(self)
        rows = unit(embeddings)
        self._units = rows if start == 0 else np.concatenate([self._units, rows])
        self._own = np.concatenate([self._own, face_shares(probabilities)])
        self._photo = np.concatenate([self._photo, np.full(n, number)])
        self._once = np.concatenate([self._once, np.full(n, once)])
        self._crops += [None] * n if crops is None else list(crops)
        return range(start, start + n)

    def photo_of(self, tile: int) -> int:
        """Number of the photo that a tile was seen in, from 0."""
        return int(self._photo[tile])

    @property
    def answers(self) -> dict[int, Tile]:
        """Faces that the user has given or agreed to, by tile number."""
        return dict(self._answers)

    def answer(self, tile: int, face: Tile, insist: bool = False) -> None:
        """The user says what a tile is.

        Raises ContradictionError when it cannot be; nothing is changed then.
        """
        self._known(tile)
        if not 0 <= int(face) < FACES:
            raise ValueError(f"{face!r} is no face that can be enrolled")
        self._check_copies(tile, face)
        if not insist:
            self._check_looks(tile, face)
        self._left_out.discard(tile)
        self._answers[tile] = Tile(face)

    def withdraw(self, tile: int) -> None:
        """Forget what was said about a tile."""
        self._answers.pop(tile, None)
        self._left_out.discard(tile)

    def leave_out(self, tile: int) -> None:
        """The tile is not one of the set, or too badly seen: it teaches nothing."""
        self._known(tile)
        self._answers.pop(tile, None)
        self._left_out.add(tile)

    def proposals(self) -> dict[int, Proposal]:
        """The likeliest face of every tile that is not left out, given all answers."""
        alive = np.array([t for t in range(len(self)) if t not in self._left_out], np.int64)
        if len(alive) == 0:
            return {}
        own, shared = self._evidence(alive)
        found: dict[int, Proposal] = {}
        for once in np.unique(self._once[alive]):
            rows = np.flatnonzero(self._once[alive] == once)
            costs = -np.log(np.maximum(shared[rows], LEAST))
            for at, tile in enumerate(alive[rows]):
                if int(tile) in self._answers:
                    costs[at] = np.inf
                    costs[at, int(self._answers[int(tile)])] = 0.0
            best = assign(costs, COPIES)
            taken = self._taken(int(once))
            # With seven of the eight answered there is nothing left to confuse the last one with.
            left = {tile for tile in BONUS if not taken[int(tile)]}
            for at, tile in enumerate(alive[rows]):
                face = Tile(int(best.faces[at]))
                margin = float(best.margin[at])
                answered = int(tile) in self._answers
                if face.is_bonus and not answered and left != {face}:
                    margin = max(0.0, min(margin, _ahead(own[rows[at]], face)))
                sure = answered or margin >= (SURE_BONUS if face.is_bonus else SURE)
                order = [Tile(int(f)) for f in np.argsort(-shared[rows[at]])]
                to_be_had = self.open_to(int(tile))
                likely = tuple([f for f in order if f in to_be_had][:5])
                found[int(tile)] = Proposal(face, margin, sure, likely)
        return found

    def open_to(self, tile: int) -> frozenset[Tile]:
        """Faces of which the answers about other tiles leave a copy."""
        taken = self._taken(int(self._once[tile]))
        if tile in self._answers:
            taken[int(self._answers[tile])] -= 1
        return frozenset(Tile(int(f)) for f in np.flatnonzero(taken < COPIES))

    def questions(self) -> list[tuple[int, ...]]:
        """Groups of tiles that look alike and whose face is unsure, largest and least sure first.

        The answer for the first of a group settles most of it.
        """
        proposals = self.proposals()
        unsure = sorted(
            (t for t, p in proposals.items() if not p.sure), key=lambda t: proposals[t].margin
        )
        groups: list[tuple[int, ...]] = []
        while unsure:
            first = unsure[0]
            like = [
                t
                for t in unsure
                if t == first
                or (proposals[t].face is proposals[first].face and self.likeness(t, first) >= ALIKE)
            ]
            groups.append(tuple(like))
            unsure = [t for t in unsure if t not in like]
        return sorted(groups, key=lambda g: (len(g), proposals[g[0]].margin))

    def likeness(self, a: int, b: int) -> float:
        """Cosine of two tiles in the turns in which they are most alike."""
        return float(likeness(self._units[[a]], self._units[[b]])[0, 0])

    def missing(self) -> list[Tile]:
        """Faces that no tile is surely taken for: nothing is learnt about them."""
        seen = {p.face for p in self.proposals().values() if p.sure}
        return [tile for tile in Tile if int(tile) < FACES and tile not in seen]

    def prototypes(self, keep_crops: bool) -> Prototypes:
        """The finished table. Tiles that are still unsure teach nothing; crops only with consent.

        Raises ValueError when nothing is sure.
        """
        sure = {t: p.face for t, p in self.proposals().items() if p.sure}
        if not sure:
            raise ValueError("no tile of the set is known yet: answer the questions first")
        tiles = sorted(sure, key=lambda t: (t not in self._answers, t))
        crops = [self._crops[t] for t in tiles]
        kept = None
        if keep_crops and all(crop is not None for crop in crops):
            kept = np.asarray(np.stack([c for c in crops if c is not None]), np.uint8)
        faces = np.array([int(sure[t]) for t in tiles])
        return Prototypes.of(self._units[tiles], self._own[tiles], faces, self.reader, kept)

    def _known(self, tile: int) -> None:
        if not 0 <= tile < len(self):
            raise ValueError(
                f"there is no tile {tile}: they are numbered from 0 to {len(self) - 1}"
            )

    def _taken(self, once: int) -> NDArray[np.int64]:
        """How many copies of each face the answers name among tiles that are all different."""
        named = [int(f) for t, f in self._answers.items() if self._once[t] == once]
        return np.bincount(np.array(named, np.int64), minlength=FACES)

    def _check_copies(self, tile: int, face: Tile) -> None:
        same = [
            t
            for t, f in self._answers.items()
            if f is face and t != tile and self._once[t] == self._once[tile]
        ]
        if len(same) >= COPIES[int(face)]:
            copies = "only one" if COPIES[int(face)] == 1 else f"only {COPIES[int(face)]} copies"
            raise ContradictionError(
                f"there is {copies} of {face.code} in a set, and "
                f"{'it was' if len(same) == 1 else 'they were'} named already",
                same,
                insist=False,
            )

    def _check_looks(self, tile: int, face: Tile) -> None:
        twins = [
            t
            for t, f in self._answers.items()
            if t != tile and f is not face and self.likeness(t, tile) >= TWINS
        ]
        if twins:
            named = self._answers[twins[0]].code
            raise ContradictionError(
                f"this tile looks the same as one that was named {named}, and now it is called "
                f"{face.code}: one of the two is wrong",
                twins,
                insist=True,
            )
        same = [t for t, f in self._answers.items() if t != tile and f is face]
        if same and max(self.likeness(t, tile) for t in same) < STRANGERS:
            raise ContradictionError(
                f"this tile looks nothing like the one that was named {face.code} before: one of "
                "the two is wrong",
                same,
                insist=True,
            )

    def _evidence(self, alive: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Log probabilities (n,42) of each tile by itself after all answers, and probabilities
        (n,42) after what tiles that look alike say of each other too.
        """
        own = self._own[alive, :TURNS]
        if self._answers:
            told = list(self._answers)
            faces = np.array([int(self._answers[t]) for t in told])
            known = Prototypes.of(self._units[told], self._own[told], faces, self.reader)
            flat = self._units[alive, :TURNS].reshape(len(alive) * TURNS, -1)
            # All is looked over here, and what is asked about is chosen by margins: no doubt.
            own = known.consult(flat, own.reshape(-1, FACES), doubt=False).reshape(own.shape)
        logs = np.log(np.maximum(own, LEAST)).mean(axis=1)
        for at, tile in enumerate(alive):
            if int(tile) in self._answers:
                logs[at] = np.log(LEAST)
                logs[at, int(self._answers[int(tile)])] = 0.0
        like = likeness(self._units[alive], self._units[alive])
        weights = np.where(like >= ALIKE, like, 0.0)
        mean = (weights @ logs) / weights.sum(axis=1, keepdims=True)
        shared = np.exp(mean - mean.max(axis=1, keepdims=True))
        return floats(logs), floats(shared / shared.sum(axis=1, keepdims=True))


def _ahead(logs: Floats, face: Tile) -> float:
    """By how many nats a face is likelier than any other; negative when it is not the likeliest."""
    return float(logs[int(face)] - np.delete(logs, int(face)).max())
