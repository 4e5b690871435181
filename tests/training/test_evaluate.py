"""Accuracy is counted as design.md says; the figures here are worked by hand."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.evaluate import (
    Labels,
    Tally,
    calibration_error,
    count,
    folder_labels,
    judge,
    match,
    median_ms,
    wilson,
)
from training.failures import FailurePage, mark
from vision.detections import Detections, quads_of_boxes

ROW = np.array([[0, 0, 10, 14], [10, 0, 20, 14], [20, 0, 30, 14]], np.float32)


def labels(faces: list[int]) -> Labels:
    return Labels(Path("row.jpg"), ROW[: len(faces)], np.array(faces))


def seen(boxes: list[list[float]], faces: list[int]) -> Detections:
    return Detections.of_faces(quads_of_boxes(np.array(boxes, np.float32).reshape(-1, 4)), faces)


def tally_of(truth: Labels, found: Detections) -> Tally:
    tally = Tally()
    tally.add(truth, found)
    return tally


def test_a_picture_is_exact_when_every_label_is_right_and_nothing_is_extra() -> None:
    tally = tally_of(labels([0, 9, 34]), seen(ROW.tolist(), [0, 9, 34]))
    assert (tally.found, tally.right, tally.extra, tally.exact) == (3, 3, 0, 1)
    assert (tally.bonus, tally.bonus_right) == (1, 1)


def test_a_wrong_face_is_found_but_not_right() -> None:
    tally = tally_of(labels([0, 9, 34]), seen(ROW.tolist(), [0, 10, 38]))
    assert (tally.found, tally.right, tally.exact, tally.bonus_right) == (3, 1, 0, 0)
    assert tally.confusions == {(9, 10): 1, (34, 38): 1}


def test_two_boxes_on_one_tile_leave_one_extra() -> None:
    tally = tally_of(labels([0]), seen([ROW[0].tolist(), ROW[0].tolist()], [0, 0]))
    assert (tally.found, tally.extra, tally.exact) == (1, 1, 0)


def test_a_box_that_shares_less_than_half_is_a_miss_and_an_extra() -> None:
    tally = tally_of(labels([0]), seen([[4, 0, 14, 14]], [0]))
    assert (tally.found, tally.extra) == (0, 1)


def test_tiles_are_counted_by_class_width_turn_and_design() -> None:
    truth = Labels(Path("row.jpg"), ROW[:2], np.array([0, 42]), np.array([1, 0]), "jade")
    parts = tally_of(truth, seen(ROW[:2].tolist(), [1, 42])).summary()["parts"]
    # tiles, found, right; the back does not count.
    assert parts == {
        "class": {"1m": [1, 1, 0]},
        "design": {"jade": [1, 1, 0]},
        "turn": {"90°": [1, 1, 0]},
        "width_px": {"under 16": [1, 1, 0]},
    }


def test_the_failure_page_names_and_shows_what_went_wrong(tmp_path: Path) -> None:
    truth = Labels(Path("row<1>.jpg"), ROW * 4, np.array([0, 9, 34]))
    tally, page = Tally(), FailurePage()
    boxes = [(ROW[0] * 4).tolist(), (ROW[1] * 4).tolist(), [200, 0, 240, 56]]
    judged = tally.add(truth, seen(boxes, [0, 10, 5]))
    page.add(np.full((80, 260, 3), 255, np.uint8), judged)
    page.write(tmp_path / "page.html", tally.summary())
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "row&lt;1&gt;.jpg: 1p read as 2p, 1f missed, 1 extra" in text
    assert text.count("<img") == 1


def test_what_is_marked_is_what_went_wrong() -> None:
    truth = Labels(Path("row.jpg"), ROW * 4, np.array([0, 9, 34]))
    judged = judge(truth, seen([(ROW[0] * 4).tolist()], [0]))
    plain = np.full((60, 130, 3), 255, np.uint8)
    changed = (mark(plain, judged) != plain).any(axis=2)
    assert not changed[:, :38].any()
    assert changed[:, 44:76].any()
    assert changed[:, 84:].any()


@pytest.mark.parametrize("labelled", [True, False])
def test_backs_are_neither_found_nor_extra(labelled: bool) -> None:
    truth = labels([0, 42]) if labelled else labels([0])
    tally = tally_of(truth, seen(ROW[:2].tolist(), [0, 42]))
    assert (tally.tiles, tally.found, tally.extra, tally.exact) == (1, 1, 0, 1)


def test_the_surer_box_is_matched_first() -> None:
    boxes = np.array([[0, 0, 10, 13], [0, 0, 10, 14]], np.float32)
    pairs, stray = match(ROW[:1], boxes, np.array([0.5, 0.9], np.float32))
    assert pairs == [(0, 1)]
    assert stray == [0]


def test_wilson_interval_of_92_in_100() -> None:
    # Wilson (1927): (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n), z = 1.96.
    assert wilson(92, 100) == pytest.approx([0.8501, 0.9589], abs=1e-4)
    assert wilson(0, 0) is None


def test_calibration_error_is_the_gap_between_said_and_so() -> None:
    assert calibration_error([(0.8, True)] * 8 + [(0.8, False)] * 2) == pytest.approx(0.0)
    assert calibration_error([(0.9, True), (0.9, False)]) == pytest.approx(0.4)
    assert calibration_error([]) is None


def test_a_yolo_folder_is_read_and_counted(tmp_path: Path) -> None:
    for part in ("images", "labels"):
        (tmp_path / part).mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.png"), np.zeros((14, 30, 3), np.uint8))
    (tmp_path / "labels" / "a.txt").write_text("3 0.166667 0.5 0.333333 1\n")
    found = folder_labels(tmp_path)
    assert found[0].boxes[0] == pytest.approx([0, 0, 10, 14], abs=1e-3)
    tally, times = count(lambda picture: seen([ROW[0].tolist()], [3]), found)
    assert tally.summary()["tiles_right_rate"] == 1.0
    assert times == []
    assert median_ms(times) is None


def test_a_bad_label_line_is_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((14, 30, 3), np.uint8))
    (tmp_path / "a.txt").write_text("0 0.5 0.5 1 1\nfive 0.5 0.5 1 1\n")
    with pytest.raises(ValueError, match=r"a\.txt, line 2"):
        folder_labels(tmp_path)


def test_a_folder_without_labels_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="labels/NAME"):
        folder_labels(tmp_path)
