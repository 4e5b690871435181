"""Formats round-trip, leaks are refused, the check finds what is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.check import check, class_sheets, picture_hash
from datasets.coco import CocoError, from_coco, read_coco, to_coco, write_coco
from datasets.labelled import LabelledPicture, LeakError, box_quads, refuse_leaks
from datasets.labelstudio import LabelStudioError, from_tasks, read_tasks, write_tasks
from datasets.render import RenderJob, render_folder
from datasets.yolo import YoloError, parse_labels, read_yolo, write_yolo


def picture(folder: Path, name: str, seed: int, **about: str) -> LabelledPicture:
    """A picture of noise with five tiles, the last of them known by its box only."""
    rng = np.random.default_rng(seed)
    pixels = cv2.resize(rng.integers(0, 256, (12, 16, 3), np.uint8), (160, 120))
    path = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), pixels)
    corner = np.stack([np.arange(5) * 28.0 + 8, rng.uniform(10, 60, 5)], axis=1)
    boxes = np.concatenate([corner, corner + np.array([20, 27])], axis=1)
    quads = box_quads(boxes)
    quads[:4] += rng.uniform(-2, 2, (4, 4, 2)).astype(np.float32)
    faces = rng.integers(0, 43, 5)
    known = np.array([True, True, True, True, False])
    return LabelledPicture(path, (160, 120), quads, faces, known, **about)


def same(a: LabelledPicture, b: LabelledPicture, tolerance_px: float) -> None:
    assert a.path.name == b.path.name
    assert a.size == b.size
    assert (a.split, a.design, a.session) == (b.split, b.design, b.session)
    assert np.array_equal(a.faces, b.faces)
    assert np.array_equal(a.corners_known, b.corners_known)
    assert np.abs(a.quads - b.quads).max() < tolerance_px


@pytest.fixture
def three(tmp_path: Path) -> list[LabelledPicture]:
    raw = tmp_path / "raw"
    return [
        picture(raw, "a.png", 1, split="train", design="old set", session="monday"),
        picture(raw, "b.png", 2, split="dev", design="old set", session="tuesday"),
        picture(raw, "c.png", 3, split="val", design="new set", session="monday"),
    ]


def test_yolo_pose_round_trips(tmp_path: Path, three: list[LabelledPicture]) -> None:
    write_yolo(tmp_path / "yolo", three)
    back = {p.path.name: p for p in read_yolo(tmp_path / "yolo")}
    for p in three:
        same(p, back[p.path.name], 0.001)


def test_yolo_detect_keeps_boxes_and_forgets_corners(
    tmp_path: Path, three: list[LabelledPicture]
) -> None:
    write_yolo(tmp_path / "yolo", three, pose=False)
    back = {p.path.name: p for p in read_yolo(tmp_path / "yolo")}
    for p in three:
        assert not back[p.path.name].corners_known.any()
        assert np.abs(p.boxes - back[p.path.name].boxes).max() < 0.001


@pytest.mark.parametrize("form", ["images", "images/train", "train/images", "."])
def test_any_usual_yolo_folder_is_read(
    tmp_path: Path, three: list[LabelledPicture], form: str
) -> None:
    images = tmp_path / "set" / form
    images.mkdir(parents=True)
    labels = Path(str(images).replace("images", "labels"))
    labels.mkdir(parents=True, exist_ok=True)
    (images / "a.png").write_bytes(three[0].path.read_bytes())
    (labels / "a.txt").write_text("3 0.5 0.5 0.25 0.5\n")
    (found,) = read_yolo(tmp_path / "set")
    assert found.size == (160, 120)
    assert found.boxes[0] == pytest.approx([60, 30, 100, 90])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 2 3", "3 numbers"),
        ("43 0.5 0.5 0.1 0.1", "no class 43"),
        ("1.5 0.5 0.5 0.1 0.1", "no class 1.5"),
        ("x 0.5 0.5 0.1 0.1", "not all numbers"),
    ],
)
def test_labels_that_make_no_sense_are_named(line: str, says: str) -> None:
    with pytest.raises(YoloError, match=says):
        parse_labels(f"\n{line}\n", (10, 10), "a.txt")


def test_coco_round_trips(tmp_path: Path, three: list[LabelledPicture]) -> None:
    three[0] = replace(three[0], hand="123m@3m")
    write_coco(tmp_path / "all.json", three)
    for p, q in zip(three, read_coco(tmp_path / "all.json"), strict=True):
        same(p, q, 0.001)
        assert p.hand == q.hand


def test_a_coco_file_with_foreign_categories_is_refused(three: list[LabelledPicture]) -> None:
    data = to_coco(three)
    data["categories"][0]["name"] = "cat"
    with pytest.raises(CocoError, match="cat"):
        from_coco(data)


def test_label_studio_round_trips(tmp_path: Path, three: list[LabelledPicture]) -> None:
    write_tasks(tmp_path / "tasks.json", three, prefix="/data/local-files/?d=tiles%2F")
    for p, q in zip(three, read_tasks(tmp_path / "tasks.json"), strict=True):
        same(p, q, 0.001)
    assert '<Label value="5z"/>' in (tmp_path / "tasks.xml").read_text()


def test_a_turned_box_of_label_studio_gives_corners_in_face_order() -> None:
    # Label Studio turns a box clockwise about its top left corner.
    value = {"x": 50, "y": 20, "width": 10, "height": 20, "rotation": 90,
             "rectanglelabels": ["1m"]}  # fmt: skip
    result = {"type": "rectanglelabels", "original_width": 200, "original_height": 100,
              "value": value}  # fmt: skip
    task = {"data": {"image": "x.png"}, "annotations": [{"result": [result]}]}
    (found,) = from_tasks([task])
    assert found.corners_known.all()
    expected = [[100, 20], [100, 40], [80, 40], [80, 20]]
    assert np.abs(found.quads[0] - expected).max() < 1e-3


def test_a_polygon_that_is_no_tile_is_refused() -> None:
    result = {"type": "polygonlabels", "original_width": 10, "original_height": 10,
              "value": {"points": [[0, 0], [1, 0], [1, 1]], "polygonlabels": ["1m"]}}  # fmt: skip
    task = {"data": {"image": "x.png"}, "annotations": [{"result": [result]}]}
    with pytest.raises(LabelStudioError, match="four corners"):
        from_tasks([task])


def test_a_session_in_two_splits_is_a_leak(tmp_path: Path, three: list[LabelledPicture]) -> None:
    three[1] = replace(three[1], session="monday")
    for write in (write_yolo, lambda f, p: write_coco(f / "x.json", p)):
        with pytest.raises(LeakError, match="monday"):
            write(tmp_path / "out", three)
    assert not (tmp_path / "out").exists()


def test_a_design_that_is_tested_on_must_not_be_learnt_from(three: list[LabelledPicture]) -> None:
    refuse_leaks(three)
    with pytest.raises(LeakError, match="old set"):
        refuse_leaks([*three[:2], replace(three[2], design="old set")])


def test_the_check_finds_what_is_wrong(tmp_path: Path, three: list[LabelledPicture]) -> None:
    a, b, c = three
    quads, faces = a.quads.copy(), a.faces.copy()
    quads[4] += (60, 0)
    quads[1], faces[1] = quads[0] + 0.5, faces[0]
    bad = replace(a, quads=quads, faces=faces)
    pixels = cv2.imread(str(a.path))
    cv2.imwrite(str(c.path), cv2.convertScaleAbs(pixels, alpha=0.9, beta=8))
    gone = replace(b, path=b.path.with_name("gone.png"))
    report = check([bad, gone, c])
    kinds = [p.kind for p in report.problems]
    assert sorted(kinds) == ["duplicate", "near-duplicate", "outside", "unreadable"]
    assert report.labels == 15
    assert sum(report.counts.values()) == 15
    assert not check([b]).problems


def test_the_hash_knows_a_picture_again_after_recompression() -> None:
    rng = np.random.default_rng(4)
    one = cv2.resize(rng.integers(0, 256, (9, 12), np.uint8), (320, 240))
    other = cv2.resize(rng.integers(0, 256, (9, 12), np.uint8), (320, 240))
    ok, data = cv2.imencode(".jpg", cv2.resize(one, (200, 150)), [cv2.IMWRITE_JPEG_QUALITY, 40])
    assert ok
    again = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
    assert (picture_hash(one) ^ picture_hash(again)).bit_count() <= 3
    assert (picture_hash(one) ^ picture_hash(other)).bit_count() > 12


def test_what_a_killed_process_had_half_written_is_cleared_away(tmp_path: Path) -> None:
    half = tmp_path / "train" / "images" / "kiosk_6_00001.4711.new"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"")
    render_folder(RenderJob(2, preset="kiosk", seed=6, size=(96, 96)), tmp_path, processes=1)
    assert not half.exists()
    assert len(list(half.parent.glob("*.jpg"))) == 2


def test_rendered_folders_repeat_to_the_byte_and_check_clean(tmp_path: Path) -> None:
    job = RenderJob(4, preset="kiosk", seed=6, size=(192, 192))
    done: list[int] = []
    first = render_folder(job, tmp_path / "a", processes=1, progress=lambda n, _: done.append(n))
    render_folder(job, tmp_path / "b", processes=2)
    assert done == [4]
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    assert len(files) == 4 + 4 + 3
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    back = read_yolo(tmp_path / "a")
    assert [p.hand for p in back] == [p.hand for p in first]
    assert not check(back).problems
    sheets = class_sheets(back, tmp_path / "sheets", per_class=4)
    assert len(sheets) == len({int(f) for p in back for f in p.faces})


@pytest.mark.parametrize(
    "wrong", [{"preset": "moon"}, {"size": (10, 10)}, {"count": -1}], ids=lambda w: next(iter(w))
)
def test_a_render_job_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        RenderJob(**({"count": 1} | wrong))  # type: ignore[arg-type]
