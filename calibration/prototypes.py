"""The club's own tile set: what its faces look like to the reader.

A prototype is one photographed tile whose face is known, in views turned and slanted: the reader's
embedding and probabilities for each. Where the network names a prototype rightly there is nothing
to learn; where it errs, tiles that look like the prototype are corrected by as much. In terms of
the trade this is kernel logistic regression on top of the network's own logits, so that a set which
is read well stays read well.

Embeddings of one reader mean nothing to another, so that each table of prototypes names its reader;
small crops, kept only with consent, let a new reader make them anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, floats
from scorer.tiles import Tile

FACES = int(Tile.BACK)  # 42 faces can be enrolled; a back has none
TURNS = 4
SLANTS = (0.0, 0.2, -0.2)  # sideways by this share of the height: as tiles look from beside them
VIEWS = TURNS * len(SLANTS)
MAX_PER_FACE = 3
CROP_PX = 64
WIDTH = 0.2  # a cosine lower by this weighs 1/e: chosen on dev, flat from 0.2 to 0.45
STEPS = 60
FLOOR = 1e-6  # least probability of the network that is believed

DOUBTED = 0.89
"""At most so sure is a face that overrules the network without looking like its prototype: a
reading asks about what is below 0.9."""

LOOKS_LIKE = 0.85
"""Cosine to the nearest view of the winning face from which an overruling is believed.

Measured on the dev design, 20 times one tile of each face enrolled, the others read from the photos
as they are and made noisy, blurred or dark (70 600 readings, 3598 overruled). Of 722 overrulings at
0.9 or more: below this cosine 408 right and 21 wrong, from it on 291 right and 2 wrong; at 0.75 it
would be 75 and 5 against 624 and 18, at 0.8 216 and 9 against 483 and 14. On the photos as they
are, 0.7 % more of all tiles are asked about.
"""


class PrototypeError(ValueError):
    """Arrays that make no table of prototypes, or do not belong to this reader."""


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """`embeddings` (m,12,d) of unit length and `probabilities` (m,12,42) by view, `faces` (m,).

    `crops` (m,64,64,3) BGR or None; `reader` is the SHA-256 of the network that made the rest.
    """

    embeddings: NDArray[np.float32]
    probabilities: NDArray[np.float32]
    faces: NDArray[np.int64]
    reader: str
    crops: Picture | None = None
    _lift: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        e, p, f = self.embeddings, self.probabilities, self.faces
        m = len(e)
        if e.ndim != 3 or e.shape[1] != VIEWS or p.shape != (m, VIEWS, FACES) or f.shape != (m,):
            raise PrototypeError(
                f"embeddings must be (m, {VIEWS}, d), probabilities (m, {VIEWS}, {FACES}) and "
                f"faces (m,), but got {e.shape}, {p.shape} and {f.shape}"
            )
        if not (np.isfinite(e).all() and np.isfinite(p).all()):
            raise PrototypeError("embeddings and probabilities must be finite numbers")
        if not np.allclose(np.linalg.norm(e, axis=2), 1, atol=1e-2):
            raise PrototypeError("embeddings must have unit length")
        if not ((f >= 0) & (f < FACES)).all():
            raise PrototypeError(f"faces must be from 0 to {FACES - 1}")
        if self.crops is not None and self.crops.shape != (m, CROP_PX, CROP_PX, 3):
            raise PrototypeError(
                f"crops must be (m, {CROP_PX}, {CROP_PX}, 3), but got {self.crops.shape}"
            )
        object.__setattr__(self, "_lift", _learnt(e, p, f))

    @classmethod
    def of(
        cls,
        embeddings: NDArray[Any],
        probabilities: NDArray[Any],
        faces: NDArray[Any],
        reader: str,
        crops: Picture | None = None,
    ) -> Prototypes:
        """From embeddings of any length; at most MAX_PER_FACE tiles a face, the most unlike."""
        units = unit(embeddings).astype(np.float32)
        labels = np.asarray(faces, np.int64)
        shares = face_shares(probabilities).astype(np.float32)
        keep = _most_unlike(units, labels)
        kept = None if crops is None else crops[keep]
        return cls(units[keep], shares[keep], labels[keep], reader, kept)

    @property
    def enrolled(self) -> frozenset[Tile]:
        """Faces with at least one prototype."""
        return frozenset(Tile(int(f)) for f in np.unique(self.faces))

    def consult(
        self, embeddings: NDArray[Any], probabilities: NDArray[Any], doubt: bool = True
    ) -> Floats:
        """The network's probabilities (n,k), k >= 42, corrected by the prototypes.

        Columns from 42 on (not a tile) and the rows' sums stay as they are. With `doubt`, a face
        that overrules the network's is sure only where it looks like a prototype. Raises
        PrototypeError when the embeddings (n,d) are not of this reader's size.
        """
        probabilities = floats(probabilities)
        if embeddings.ndim != 2 or embeddings.shape[1] != self.embeddings.shape[2]:
            raise PrototypeError(
                f"these prototypes compare {self.embeddings.shape[2]} numbers a tile, but got "
                f"embeddings of shape {embeddings.shape}"
            )
        if probabilities.ndim != 2 or probabilities.shape[1] < FACES:
            raise PrototypeError(
                f"probabilities must be (n, k) with k >= {FACES}, but got {probabilities.shape}"
            )
        out = probabilities.copy()
        if len(self.faces) == 0 or len(out) == 0:
            return out
        own = np.log(np.maximum(face_shares(probabilities), FLOOR))
        known = floats(self.embeddings).reshape(len(self._lift), -1)
        cosines = unit(embeddings) @ known.T
        lifted = own + _kernel(cosines) @ self._lift
        mass = probabilities[:, :FACES].sum(axis=1, keepdims=True)
        out[:, :FACES] = _softmax(lifted) * mass
        if doubt:
            now = lifted.argmax(axis=1)
            for row in np.flatnonzero(now != own.argmax(axis=1)):
                views = np.repeat(self.faces == now[row], VIEWS)
                if cosines[row, views].max(initial=-1.0) < LOOKS_LIKE:
                    _make_doubtful(out[row, :FACES], int(now[row]))
        return out

    def joined(self, other: Prototypes) -> Prototypes:
        """Both together, thinned to MAX_PER_FACE; crops are kept only where both have them."""
        if other.reader != self.reader:
            raise PrototypeError("these prototypes were made by another reader")
        crops = None
        if self.crops is not None and other.crops is not None:
            crops = np.concatenate([self.crops, other.crops])
        return Prototypes.of(
            np.concatenate([self.embeddings, other.embeddings]),
            np.concatenate([self.probabilities, other.probabilities]),
            np.concatenate([self.faces, other.faces]),
            self.reader,
            crops,
        )

    def without_crops(self) -> Prototypes:
        """The same with the pictures forgotten."""
        return Prototypes(self.embeddings, self.probabilities, self.faces, self.reader)

    def made_anew(
        self, read: Callable[[Picture], tuple[NDArray[Any], NDArray[Any]]], reader: str
    ) -> Prototypes:
        """For a new reader: `read` gives embeddings (n,d) and probabilities (n,k) of crops
        (n,64,64,3).

        Raises PrototypeError when no crops were kept: the set must then be photographed again.
        """
        if self.crops is None:
            raise PrototypeError(
                "the reading network has changed and no crops were kept: enrol the tile set again "
                "with `hupai calibrate tiles`"
            )
        embeddings, probabilities = read_views(self.crops, read)
        return Prototypes.of(embeddings, probabilities, self.faces, reader, self.crops)


def read_views(
    crops: Picture, read: Callable[[Picture], tuple[NDArray[Any], NDArray[Any]]]
) -> tuple[Floats, Floats]:
    """Embeddings (n,12,d), probabilities (n,12,k) of crops (n,64,64,3), plain turns first."""
    seen = []
    for slant in SLANTS:
        slanted = _slanted(crops, slant)
        for turn in range(TURNS):
            seen.append(read(np.ascontiguousarray(np.rot90(slanted, turn, (1, 2)))))
    return floats(np.stack([e for e, _ in seen], 1)), floats(np.stack([p for _, p in seen], 1))


def _slanted(crops: Picture, slant: float) -> Picture:
    if slant == 0:
        return crops
    # The middle row stays where it is.
    matrix = np.array([[1, slant, -slant * (CROP_PX - 1) / 2], [0, 1, 0]])
    out = np.empty_like(crops)
    for n, crop in enumerate(crops):
        out[n] = cv2.warpAffine(crop, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    return out


def unit(embeddings: NDArray[Any]) -> Floats:
    """Embeddings (...,d) scaled to length 1."""
    rows = floats(embeddings)
    return floats(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12))


def face_shares(probabilities: NDArray[Any]) -> Floats:
    """The first 42 of probabilities (...,k), given that it is a face."""
    faces = floats(probabilities)[..., :FACES]
    return floats(faces / np.maximum(faces.sum(axis=-1, keepdims=True), 1e-12))


def _kernel(cosines: Floats) -> Floats:
    return floats(np.exp((cosines - 1) / WIDTH))


def _make_doubtful(p: Floats, face: int) -> None:
    """Lower one face of `p` (42,) to DOUBTED, in place; the others share what it loses."""
    excess = p[face] - DOUBTED
    if excess <= 0:
        return
    shares = p + FLOOR
    shares[face] = 0.0
    p += excess * shares / shares.sum()
    p[face] = DOUBTED


def _softmax(logits: Floats) -> Floats:
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return floats(shares / shares.sum(axis=1, keepdims=True))


def _learnt(
    embeddings: NDArray[np.float32], probabilities: NDArray[np.float32], faces: NDArray[np.int64]
) -> Floats:
    """Weights (12m,42) of the kernel: how much each view of a prototype lifts a face near it."""
    rows = len(faces) * VIEWS
    lift = np.zeros((rows, FACES), np.float32)
    if rows == 0:
        return floats(lift)
    known = embeddings.reshape(rows, -1)
    own = np.log(np.maximum(probabilities.reshape(rows, FACES), np.float32(FLOOR)))
    wanted = np.eye(FACES, dtype=np.float32)[np.repeat(faces, VIEWS)]
    kernel = np.exp((known @ known.T - 1) / np.float32(WIDTH))
    # The softmax bends at most by 1/4, and the largest row sum bounds the kernel's eigenvalues.
    rate = np.float32(4 / kernel.sum(axis=1).max())
    ahead = lift.copy()
    for step in range(STEPS):
        logits = own + kernel @ ahead
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        moved = ahead + rate * (wanted - shares)
        # Nesterov's step: as good as several hundred plain ones.
        ahead = moved + np.float32(step / (step + 3)) * (moved - lift)
        lift = moved
    return floats(lift)


def _most_unlike(units: NDArray[np.float32], faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices to keep: of each face the first, then always the one least like those kept."""
    keep: list[int] = []
    for face in np.unique(faces):
        own = np.flatnonzero(faces == face)
        chosen = [int(own[0])]
        while len(chosen) < min(MAX_PER_FACE, len(own)):
            nearest = likeness(floats(units[own]), floats(units[chosen])).max(axis=1)
            nearest[np.isin(own, chosen)] = np.inf
            chosen.append(int(own[int(np.argmin(nearest))]))
        keep += chosen
    return np.asarray(sorted(keep), np.int64)


def likeness(a: Floats, b: Floats) -> Floats:
    """Cosine (n,m) of tiles (n,12,d) and (m,12,d) in the turns in which they are most alike."""
    return floats(np.stack([a[:, 0] @ b[:, turn].T for turn in range(TURNS)]).max(axis=0))
