"""Steady detections from a moving picture, and the moment the hand has settled.

Each tile of the table is a track; every frame that is read votes for its face. A still picture is
not read again: a coarse comparison of frames gates the networks. Nothing here looks at a clock:
times come with the frames, so a recorded clip gives the same result every time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import (
    BACK,
    FACE_COUNT,
    Detections,
    boxes_xyxy,
    iou,
)

SETTLE_S = 0.6
"""The picture must have been still for this long, and two readings must agree."""
AGREEING = 2
MATCH_IOU = 0.4
FADE = 0.75
"""Older votes count this much less with each reading."""
KEEP_MISSES = 2
"""A track survives so many readings in which its tile was not found (a hand passing over)."""
CONFIRM_HITS = 2
SWITCH_MARGIN = 1.3
"""A new face must beat the shown one by this factor before it replaces it."""
MOTION_SIDE = 96
MOTION_LEVEL = 9.0
"""Grey levels; a coarse pixel that changes by more has moved."""
MOTION_SHARE = 0.004
REREAD_S = 4.0
"""Even a still picture is read again after this long, in case something changed slowly."""

Image = NDArray[np.uint8]


@dataclass(slots=True)
class MotionGate:
    """Whether a frame differs from the last one that was read, for a fraction of a millisecond."""

    reference: NDArray[np.float32] | None = None
    last: NDArray[np.float32] | None = None

    def moved(self, image: Image) -> tuple[bool, bool]:
        """(differs from the previous frame, differs from the last frame that was read)."""
        small = _coarse(image)
        between = self.last is None or _differs(self.last, small)
        since = self.reference is None or _differs(self.reference, small)
        self.last = small
        return between, since

    def mark_read(self) -> None:
        """The frame given last is the one that is read now."""
        self.reference = self.last


def _coarse(image: Image) -> NDArray[np.float32]:
    # Every few pixels of the green channel: looking at all would cost more than all the rest.
    step = max(1, min(image.shape[:2]) // (2 * MOTION_SIDE))
    green = np.ascontiguousarray(image[::step, ::step, 1])
    small = cv2.resize(green, (MOTION_SIDE, MOTION_SIDE), interpolation=cv2.INTER_AREA)
    blurred = cv2.blur(small, (3, 3)).astype(np.float32)
    # Light that changes everywhere at once is no motion.
    return np.asarray(blurred - blurred.mean(), np.float32)


def _differs(a: NDArray[np.float32], b: NDArray[np.float32]) -> bool:
    if a.shape != b.shape:
        return True
    return bool((np.abs(a - b) > MOTION_LEVEL).mean() > MOTION_SHARE)


@dataclass(slots=True)
class _Track:
    quad: NDArray[np.float32]
    votes: NDArray[np.float64]
    turns: NDArray[np.float64]
    face: int
    score: float
    hits: int = 1
    misses: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Steady:
    """What the tracker holds after a frame. `key` changes when anything that is shown changes."""

    detections: Detections
    moving: bool
    settled: bool
    read: bool
    key: tuple[int, ...]


@dataclass(slots=True)
class Tracker:
    """Feed it frames; it asks `detect` for detections only when something has changed."""

    detect: Callable[[Image], Detections]
    gate: MotionGate = field(default_factory=MotionGate)
    _tracks: list[_Track] = field(default_factory=list)
    _still_since: float | None = None
    _read_at: float = -np.inf
    _agreed: int = 0
    _key: tuple[int, ...] = ()
    _maybe: NDArray[np.float32] = field(default_factory=lambda: Detections.empty().maybe)

    def update(self, image: Image, time_s: float) -> Steady:
        """Take one frame; `time_s` must not fall."""
        between, since = self.gate.moved(image)
        if between or self._still_since is None:
            self._still_since = time_s
        still_s = time_s - self._still_since
        if since:
            self._agreed = 0
        unsettled = self._agreed < AGREEING
        due = time_s - self._read_at >= REREAD_S
        read = since or unsettled or due
        if read:
            self.gate.mark_read()
            self._read_at = time_s
            seen = self.detect(image)
            self._maybe = seen.maybe
            self._vote(seen)
            key = self._shown_key()
            self._agreed = min(self._agreed + 1, AGREEING) if key == self._key else 1
            self._key = key
        settled = still_s >= SETTLE_S and self._agreed >= AGREEING and bool(self._key)
        return Steady(self.detections(), between, settled, read, self._key)

    def reset(self) -> None:
        """Forget everything, as after a change of camera."""
        self._tracks.clear()
        self.gate.reference = self.gate.last = None
        self._still_since, self._read_at, self._agreed, self._key = None, -np.inf, 0, ()

    def detections(self) -> Detections:
        """The confirmed tracks as detections; alternatives are shares of the votes."""
        shown = self._confirmed()
        if not shown:
            return Detections.empty()
        alternatives, p = [], []
        for track in shown:
            share = track.votes / max(float(track.votes.sum()), 1e-9)
            order = [track.face] + [
                int(f) for f in np.argsort(-share, kind="stable") if f != track.face
            ]
            alternatives.append(order[:3])
            chosen = share[order[:3]]
            # With hysteresis the shown face may trail a newer one for a moment.
            p.append(np.maximum.accumulate(chosen[::-1])[::-1])
        return Detections(
            quads=np.stack([track.quad for track in shown]),
            faces=np.array([track.face for track in shown], np.int64),
            alternatives=np.array(alternatives, np.int64),
            alternative_p=np.array(p, np.float32),
            turn=np.array([90 * int(track.turns.argmax()) for track in shown], np.int64),
            score=np.array([track.score for track in shown], np.float32),
            maybe=self._maybe,
        )

    def _confirmed(self) -> list[_Track]:
        return [track for track in self._tracks if track.hits >= CONFIRM_HITS]

    def _shown_key(self) -> tuple[int, ...]:
        """The faces on the table: a tile that moves is seen by the motion gate instead."""
        return tuple(sorted(track.face for track in self._confirmed()))

    def _vote(self, seen: Detections) -> None:
        pairs = _matched([track.quad for track in self._tracks], seen)
        taken = set()
        for t, track in enumerate(self._tracks):
            d = pairs.get(t)
            if d is None:
                track.misses += 1
                continue
            taken.add(d)
            track.misses = 0
            track.hits += 1
            # A still tile is averaged, a moved one jumps.
            near = float(np.abs(track.quad - seen.quads[d]).max()) < 3.0
            track.quad = (
                0.6 * track.quad + 0.4 * seen.quads[d] if near else seen.quads[d].copy()
            ).astype(np.float32)
            track.score = 0.5 * track.score + 0.5 * float(seen.scores[d])
            track.votes *= FADE
            track.turns *= FADE
            _add_votes(track, seen, d)
            best = int(track.votes.argmax())
            if track.votes[best] > SWITCH_MARGIN * track.votes[track.face]:
                track.face = best
        self._tracks = [track for track in self._tracks if track.misses <= KEEP_MISSES]
        for d in range(len(seen)):
            if d not in taken:
                track = _Track(
                    quad=seen.quads[d].copy(),
                    votes=np.zeros(FACE_COUNT),
                    turns=np.zeros(4),
                    face=int(seen.faces[d]),
                    score=float(seen.scores[d]),
                )
                _add_votes(track, seen, d)
                self._tracks.append(track)


def _add_votes(track: _Track, seen: Detections, d: int) -> None:
    if int(seen.faces[d]) == BACK:
        track.votes[BACK] += 1.0
    else:
        for face, p in zip(seen.alternatives[d], seen.alternative_p[d], strict=True):
            track.votes[int(face)] += float(p)
    track.turns[int(seen.turn[d]) // 90] += 1.0


def _matched(quads: list[NDArray[np.float32]], seen: Detections) -> dict[int, int]:
    """Track -> detection, one to one, best overlap first."""
    if not quads or not len(seen):
        return {}
    overlap = iou(boxes_xyxy(np.stack(quads)), boxes_xyxy(seen.quads))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for flat in np.argsort(-overlap, axis=None, kind="stable"):
        t, d = divmod(int(flat), overlap.shape[1])
        if overlap[t, d] < MATCH_IOU:
            break
        if t not in pairs and d not in used:
            pairs[t] = d
            used.add(d)
    return pairs
