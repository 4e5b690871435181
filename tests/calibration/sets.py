"""Tile sets without pictures: embeddings and probabilities as a reader might give them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.prototypes import unit

FACES = 42
SIZE = 64


@dataclass(frozen=True)
class FakeReader:
    """A reader that was taught each face at one point, and a set whose faces lie elsewhere.

    `strange` faces of the set lie where the reader thinks of another face.
    """

    taught: NDArray[np.float64]
    own: NDArray[np.float64]

    @classmethod
    def make(
        cls, seed: int, strange: dict[int, int] | None = None, shift: float = 0.5
    ) -> FakeReader:
        rng = np.random.default_rng(seed)
        taught = unit(rng.normal(size=(FACES, SIZE)))
        own = taught.copy()
        for face, taken_for in (strange or {}).items():
            own[face] = taught[taken_for]
        own = unit(own + shift * unit(rng.normal(size=own.shape)))
        return cls(taught, own)

    def see(
        self, faces: list[int], seed: int, noise: float = 0.2
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Embeddings (n,12,64) and probabilities (n,12,43) of photographed tiles, by view."""
        rng = np.random.default_rng(seed)
        places = self.own[faces][:, None]
        seen = unit(places + noise * unit(rng.normal(size=(len(faces), 12, SIZE))))
        logits = 16 * seen @ self.taught.T
        p = np.exp(logits - logits.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        none = np.full((len(faces), 12, 1), 0.02)
        return seen, np.concatenate([p * 0.98, none], axis=-1)

    def read(self, faces: list[int], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Embeddings (n,64) and probabilities (n,43), as when a hand is read."""
        seen, p = self.see(faces, seed)
        return seen[:, 0], p[:, 0]
