"""`hupai render`, `hupai data`: rendered pictures, their check, and the way through every form."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from datasets.yolo import read_yolo
from kiosk.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenes")
    words = ["-n", "2", "--out", str(folder), "--size", "160x160", "--seed", "3"]
    assert main(["render", *words, "--processes", "1"]) == 0
    return folder


def test_render_writes_pictures_and_labels(scenes: Path) -> None:
    assert len(read_yolo(scenes)) == 2


def test_check_finds_nothing_in_rendered_pictures(scenes: Path, capsys: Capture) -> None:
    assert main(["data", "check", str(scenes), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["pictures"] == 2
    assert report["problems"] == []
    assert main(["data", "check", str(scenes)]) == 0
    assert "no problems found" in capsys.readouterr().out


def test_check_names_a_box_outside(scenes: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["data", "convert", str(scenes), str(tmp_path / "copy")]) == 0
    label = sorted((tmp_path / "copy").glob("*/labels/*.txt"))[0]
    label.write_text("3 1.4 0.5 0.1 0.1\n", "utf-8")
    capsys.readouterr()
    assert main(["data", "check", str(tmp_path / "copy")]) == 1
    assert "outside" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["other", "all.json", "all.tasks.json"])
def test_conversion_keeps_faces_and_boxes(scenes: Path, tmp_path: Path, name: str) -> None:
    assert main(["data", "convert", str(scenes), str(tmp_path / name)]) == 0
    if name.endswith(".tasks.json"):
        for picture in read_yolo(scenes):
            target = tmp_path / picture.path.name
            target.write_bytes(picture.path.read_bytes())
    assert main(["data", "convert", str(tmp_path / name), str(tmp_path / "back")]) == 0
    before, after = read_yolo(scenes), read_yolo(tmp_path / "back")
    assert [list(p.faces) for p in after] == [list(p.faces) for p in before]
    for a, b in zip(after, before, strict=True):
        assert np.abs(a.boxes - b.boxes).max(initial=0) < 0.1


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["data", "check", "nowhere"], 1, "nowhere"),
        (["data", "convert", "nowhere.json", "x"], 1, "nowhere.json"),
        (["render", "-n", "1", "--out", "x", "--preset", "moon"], 2, "phone"),
        (["render", "-n", "1", "--out", "x", "--size", "big"], 2, "640x480"),
        (["render", "--out", "x"], 2, "-n"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: list[str], code: int, sentence: str, capsys: Capture
) -> None:
    try:
        found = main(words)
    except SystemExit as end:
        found = int(str(end.code))
    assert found == code
    assert sentence in capsys.readouterr().err
