"""What was seen in one picture: where each tile lies and what it may be.

`Detections` holds arrays and checks them at birth; everything else here is a function over it.
Pixels are those of the full picture, x to the right and y down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

FACE_COUNT = 43
"""Class ids 0–42; 42 is a tile lying face down (`scorer.tiles.Tile`)."""
BACK = 42
ALTERNATIVES = 3
TURNS = (0, 90, 180, 270)


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The tiles of one picture.

    quads: (n, 4, 2) float32 pixels; corners top-left, top-right, bottom-right, bottom-left *of the
        face as printed*, so an upside-down tile starts at its lower right corner in the picture.
    faces: (n,) class ids 0–42 (42 face down).
    alternatives: (n, 3) class ids, likeliest first; column 0 is `faces`.
    alternative_p: (n, 3) float32 probabilities of the alternatives, falling along a row.
    turn: (n,) degrees the face is turned clockwise in the picture: 0, 90, 180 or 270.
    score: (n,) float32 in 0..1, how sure the detector is that a tile lies there; ones if unknown.
    embedding: (n, d) float32 of the reader, or None.
    maybe: (m, 4, 2) where something lies that may be a tile, and is not counted as one.

    Raises ValueError on arrays of the wrong shape or with values out of bounds.
    """

    quads: FloatArray
    faces: IntArray
    alternatives: IntArray
    alternative_p: FloatArray
    turn: IntArray
    score: FloatArray | None = None
    embedding: FloatArray | None = None
    maybe: FloatArray = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))

    def __post_init__(self) -> None:
        for name, kind in (
            ("quads", np.float32),
            ("faces", np.int64),
            ("alternatives", np.int64),
            ("alternative_p", np.float32),
            ("turn", np.int64),
            ("score", np.float32),
            ("embedding", np.float32),
            ("maybe", np.float32),
        ):
            value = getattr(self, name)
            if value is None:
                if name == "score":
                    value = np.ones(len(self.quads), np.float32)
                else:
                    continue
            array = np.array(value, dtype=kind)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        self._check()

    def _check(self) -> None:
        n = len(self.quads)
        _check_shape("quads", self.quads, (n, 4, 2))
        _check_shape("faces", self.faces, (n,))
        _check_shape("alternatives", self.alternatives, (n, ALTERNATIVES))
        _check_shape("alternative_p", self.alternative_p, (n, ALTERNATIVES))
        _check_shape("turn", self.turn, (n,))
        _check_shape("score", self.scores, (n,))
        if self.embedding is not None and (self.embedding.ndim != 2 or len(self.embedding) != n):
            raise ValueError(
                f"embedding must be a 2D array of shape ({n}, _), but got {self.embedding.shape}"
            )
        _check_shape("maybe", self.maybe, (len(self.maybe), 4, 2))
        if not (np.isfinite(self.quads).all() and np.isfinite(self.maybe).all()):
            raise ValueError("quads must be finite pixels, but got a value that is not")
        _check_range("alternatives", self.alternatives, 0, FACE_COUNT - 1)
        _check_range("alternative_p", self.alternative_p, 0.0, 1.0 + 1e-5)
        _check_range("score", self.scores, 0.0, 1.0 + 1e-5)
        if not np.array_equal(self.alternatives[:, 0], self.faces):
            raise ValueError("column 0 of alternatives must be faces, but they differ")
        if (np.diff(self.alternative_p, axis=1) > 1e-6).any():
            raise ValueError("alternative_p must fall along each row, but a row rises")
        if not np.isin(self.turn, TURNS).all():
            raise ValueError(f"turn must hold only {TURNS}, but got {sorted(set(self.turn))}")

    def __len__(self) -> int:
        return len(self.quads)

    @property
    def scores(self) -> FloatArray:
        """(n,) detector confidence; never None after birth."""
        assert self.score is not None
        return self.score

    @classmethod
    def empty(cls) -> Detections:
        """No tile seen."""
        return cls(
            quads=np.zeros((0, 4, 2), np.float32),
            faces=np.zeros(0, np.int64),
            alternatives=np.zeros((0, ALTERNATIVES), np.int64),
            alternative_p=np.zeros((0, ALTERNATIVES), np.float32),
            turn=np.zeros(0, np.int64),
        )

    @classmethod
    def of_faces(cls, quads: Any, faces: Any, turn: Any = None) -> Detections:
        """Detections of tiles that are known for sure: labels, or a hand typed in."""
        faces = np.asarray(faces, np.int64).reshape(-1)
        others = (faces[:, None] + np.arange(ALTERNATIVES)) % FACE_COUNT
        p = np.zeros((len(faces), ALTERNATIVES), np.float32)
        p[:, 0] = 1.0
        return cls(
            quads=np.asarray(quads, np.float32).reshape(-1, 4, 2),
            faces=faces,
            alternatives=others,
            alternative_p=p,
            turn=np.zeros(len(faces), np.int64) if turn is None else turn,
        )

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Detections:
        """The inverse of `to_json`."""
        names = {known.name for known in fields(cls)}
        unknown = sorted(set(data) - names)
        if unknown:
            raise ValueError(f"unknown keys in detections: {', '.join(unknown)}")
        if not data.get("quads"):
            return cls.empty()
        return cls(**data)

    def to_json(self) -> dict[str, Any]:
        """Plain lists; corners rounded to a hundredth of a pixel, probabilities to 1e-4."""
        data: dict[str, Any] = {
            "quads": _rounded(self.quads, 2),
            "faces": self.faces.tolist(),
            "alternatives": self.alternatives.tolist(),
            "alternative_p": _rounded(self.alternative_p, 4),
            "turn": self.turn.tolist(),
            "score": _rounded(self.scores, 4),
        }
        if self.embedding is not None:
            data["embedding"] = _rounded(self.embedding, 4)
        if len(self.maybe):
            data["maybe"] = _rounded(self.maybe, 2)
        return data


def take(detections: Detections, index: Iterable[int] | NDArray[Any]) -> Detections:
    """The tiles of `index` (integers, or a mask of n booleans), in that order."""
    chosen = np.asarray(index if isinstance(index, np.ndarray) else list(index))
    if chosen.dtype != np.bool_:
        chosen = chosen.astype(np.int64)
    return Detections(
        quads=detections.quads[chosen],
        faces=detections.faces[chosen],
        alternatives=detections.alternatives[chosen],
        alternative_p=detections.alternative_p[chosen],
        turn=detections.turn[chosen],
        score=detections.scores[chosen],
        embedding=None if detections.embedding is None else detections.embedding[chosen],
        maybe=detections.maybe,
    )


def boxes_xyxy(quads: FloatArray) -> FloatArray:
    """(n, 4) upright boxes around (n, 4, 2) quads: left, top, right, bottom."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    return np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)


def quads_of_boxes(boxes: Any) -> FloatArray:
    """(n, 4, 2) quads of (n, 4) upright boxes x1 y1 x2 y2, printed side up."""
    x1, y1, x2, y2 = np.asarray(boxes, np.float32).reshape(-1, 4).T
    return np.stack([x1, y1, x2, y1, x2, y2, x1, y2], axis=1).reshape(-1, 4, 2)


def centres(quads: FloatArray) -> FloatArray:
    """(n, 2) mean of the corners."""
    middle: FloatArray = np.asarray(quads, np.float32).reshape(-1, 4, 2).mean(axis=1)
    return middle


def widths_px(quads: FloatArray) -> FloatArray:
    """(n,) mean length of the printed top and bottom edge: the short side of a tile."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    top = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    bottom = np.linalg.norm(quads[:, 2] - quads[:, 3], axis=1)
    mean: FloatArray = (top + bottom) / 2
    return mean


def heights_px(quads: FloatArray) -> FloatArray:
    """(n,) mean length of the printed left and right edge: the long side of a tile."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    left = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    right = np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
    mean: FloatArray = (left + right) / 2
    return mean


def up_vectors(quads: FloatArray) -> FloatArray:
    """(n, 2) unit vectors from the printed bottom to the printed top, in pixels (y down)."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    up = quads[:, :2].mean(axis=1) - quads[:, 2:].mean(axis=1)
    unit: FloatArray = up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-6)
    return unit


def turn_of_quads(quads: FloatArray) -> IntArray:
    """(n,) quarter turn clockwise in degrees that the corner order of each quad says."""
    up = up_vectors(quads)
    angle = np.degrees(np.arctan2(up[:, 0], -up[:, 1]))
    return np.asarray(np.round(angle / 90.0).astype(np.int64) % 4 * 90, np.int64)


def with_turn(quads: FloatArray, turn: Any) -> FloatArray:
    """The same quads with their corners renumbered so that the face's quarter turn is `turn`."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    steps = (np.asarray(turn, np.int64) - turn_of_quads(quads)) // 90 % 4
    order = (np.arange(4)[None, :] + steps[:, None]) % 4
    return np.take_along_axis(quads, order[:, :, None], axis=1)


def iou(boxes_a: FloatArray, boxes_b: FloatArray) -> FloatArray:
    """(n, m) intersection over union of upright boxes (n, 4) and (m, 4) as x1 y1 x2 y2."""
    a = np.asarray(boxes_a, np.float32).reshape(-1, 4)
    b = np.asarray(boxes_b, np.float32).reshape(-1, 4)
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    inter = np.prod(np.clip(high - low, 0, None), axis=2)
    area_a = np.prod(a[:, 2:] - a[:, :2], axis=1)
    area_b = np.prod(b[:, 2:] - b[:, :2], axis=1)
    union = area_a[:, None] + area_b[None, :] - inter
    return np.asarray(inter / np.maximum(union, 1e-9), np.float32)


def _check_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise ValueError(
            f"{name} must be a {len(shape)}D array of shape {shape}, but got {array.shape}"
        )


def _check_range(name: str, array: NDArray[Any], low: float, high: float) -> None:
    if array.size and not (low <= array.min() and array.max() <= high):
        raise ValueError(
            f"{name} must lie in {low:g}..{high:g}, but got {array.min():g}..{array.max():g}"
        )


def _rounded(array: NDArray[Any], digits: int) -> list[Any]:
    return np.round(array.astype(np.float64), digits).tolist()  # type: ignore[no-any-return]
