"""Votes per tile, hysteresis, the settled signal and the motion gate, on given times."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detections import Detections, quads_of_boxes
from vision.tracker import AGREEING, REREAD_S, SETTLE_S, MotionGate, Tracker

SIZE = (240, 320, 3)


def frame(spot: int | None = None, noise: int = 0) -> np.ndarray:
    """A table; `spot` is where a bright hand is, `noise` the seed of the camera's noise."""
    image = np.full(SIZE, 90, np.uint8)
    image[100:140, 40:280] = 200
    if spot is not None:
        image[30:90, spot : spot + 60] = 255
    grain = np.random.default_rng(noise).integers(-4, 5, SIZE)
    return np.clip(image.astype(int) + grain, 0, 255).astype(np.uint8)


def seen(faces: list[int], p: float = 0.9, shift: float = 0.0) -> Detections:
    boxes = [[40 + 24 * k + shift, 100, 62 + 24 * k + shift, 132] for k in range(len(faces))]
    alternatives = [[f, (f + 1) % 34, (f + 2) % 34] for f in faces]
    return Detections(
        quads_of_boxes(boxes),
        np.array(faces),
        np.array(alternatives),
        np.tile(np.array([p, 1 - p, 0]), (len(faces), 1)),
        np.zeros(len(faces), np.int64),
    )


class Script:
    """A detector that answers from a list, the last answer for ever, and counts its calls."""

    def __init__(self, *answers: Detections) -> None:
        self.answers = list(answers)
        self.calls = 0

    def __call__(self, image: np.ndarray) -> Detections:
        answer = self.answers[min(self.calls, len(self.answers) - 1)]
        self.calls += 1
        return answer


def test_a_still_picture_settles_and_is_then_hardly_read() -> None:
    detect = Script(seen([0, 1, 2]))
    tracker = Tracker(detect)
    times = np.arange(0, 5, 0.04)
    steady = [tracker.update(frame(noise=k), float(t)) for k, t in enumerate(times)]
    first = next(float(t) for t, s in zip(times, steady, strict=True) if s.settled)
    assert SETTLE_S <= first <= SETTLE_S + 0.2
    assert steady[-1].settled
    # A few readings to agree, then one now and again.
    assert detect.calls <= AGREEING + 2 + 5 / REREAD_S
    assert steady[-1].detections.faces.tolist() == [0, 1, 2]


def test_motion_unsettles_at_once_and_a_new_hand_is_read_after_it() -> None:
    detect = Script(*[seen([0, 1, 2])] * 4, *[seen([5, 6, 7])] * 200)
    tracker = Tracker(detect)
    for k in range(30):
        tracker.update(frame(noise=k), k * 0.04)
    moved = [tracker.update(frame(spot=20 + 8 * k, noise=k), 1.2 + k * 0.04) for k in range(20)]
    assert not any(s.settled for s in moved)
    assert all(s.moving for s in moved[1:])
    after = [tracker.update(frame(noise=k), 2.0 + k * 0.04) for k in range(40)]
    assert after[-1].settled
    assert sorted(after[-1].detections.faces.tolist()) == [5, 6, 7]


def test_one_odd_reading_does_not_change_a_face_but_a_lasting_one_does() -> None:
    detect = Script(*[seen([3])] * 4, seen([8]), *[seen([3])] * 3, *[seen([8])] * 20)
    tracker = Tracker(detect)
    faces = []
    for k in range(28):
        # Every frame differs, so that each is read.
        steady = tracker.update(frame(spot=10 + 9 * (k % 25)), k * 0.1)
        faces.append(steady.detections.faces.tolist())
    assert faces[5:8] == [[3]] * 3
    assert faces[-1] == [8]


def test_a_tile_covered_for_a_moment_stays_and_one_taken_away_goes() -> None:
    detect = Script(*[seen([3, 4])] * 3, seen([3]), *[seen([3, 4])] * 2, *[seen([3])] * 20)
    tracker = Tracker(detect)
    counts = [len(tracker.update(frame(spot=10 + 9 * k), k * 0.1).detections) for k in range(14)]
    assert counts[2:6] == [2, 2, 2, 2]
    assert counts[-1] == 1


def test_the_same_clip_gives_the_same_result_every_time() -> None:
    def run() -> list[tuple[bool, bool, tuple[int, ...]]]:
        tracker = Tracker(Script(*[seen([k % 3, 9, 10]) for k in range(9)]))
        steps = [
            tracker.update(frame(spot=(5 * k) % 200 or None, noise=k), k / 25) for k in range(60)
        ]
        return [(s.read, s.settled, s.key) for s in steps]

    assert run() == run()


def test_an_empty_table_never_settles_as_a_hand() -> None:
    tracker = Tracker(Script(Detections.empty()))
    steps = [tracker.update(frame(noise=k), k / 10) for k in range(20)]
    assert not any(step.settled for step in steps)
    assert len(steps[-1].detections) == 0


@pytest.mark.parametrize("light", [-25, 25])
def test_light_that_changes_everywhere_is_no_motion(light: int) -> None:
    gate = MotionGate()
    gate.moved(frame())
    gate.mark_read()
    brighter = np.clip(frame(noise=1).astype(int) + light, 0, 255).astype(np.uint8)
    assert gate.moved(brighter) == (False, False)


def test_a_hand_over_the_table_is_motion() -> None:
    gate = MotionGate()
    gate.moved(frame())
    gate.mark_read()
    assert gate.moved(frame(spot=120)) == (True, True)
    assert gate.moved(frame(spot=120, noise=2)) == (False, True)


def test_forgetting_starts_anew() -> None:
    tracker = Tracker(Script(seen([1, 2])))
    for k in range(5):
        tracker.update(frame(), k * 0.1)
    tracker.reset()
    assert len(tracker.detections()) == 0
