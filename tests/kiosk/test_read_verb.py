"""`hupai read`, `demo`, `doctor` and `evaluate` with the networks that ship."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.cli import main
from kiosk.samples import DEMO, FOLDER, Sample, samples
from tests.support import REPOSITORY
from tests.test_imports import HEAVY

SAMPLES = samples()
Capture = pytest.CaptureFixture[str]


def read(capsys: Capture, *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["read", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_the_samples_are_read_as_they_must_be(sample: Sample, capsys: Capture) -> None:
    code, found = read(capsys, str(sample.path), *sample.words)
    assert found["hand"] == sample.hand
    assert found["total"] == sample.total
    assert found["certain"] == (sample.total is not None)
    assert found["payments"] == sample.payments
    assert [problem["id"] for problem in found["problems"]] == sample.problems
    if not sample.problems:
        assert found["range"] == sample.range
        assert [question["id"] for question in found["questions"]] == sample.questions
    assert code == (0 if sample.total is not None else 1)


def test_json_adds_what_the_picture_shows(capsys: Capture) -> None:
    sample = SAMPLES[DEMO]
    _, found = read(capsys, str(sample.path), *sample.words)
    fields = {"hand", "tiles", "groups", "unsure", "questions", "advice", "timings_ms"}
    assert fields <= set(found)
    assert found["picture"] == str(sample.path)
    assert len(found["tiles"]) >= 17


def test_without_the_facts_there_is_no_score(capsys: Capture) -> None:
    path = str(SAMPLES[DEMO].path)
    code, found = read(capsys, path)
    assert code == 1
    assert found["total"] is None
    assert found["payments"] is None
    assert main(["read", path, "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "Not certain" in out
    assert "Total" not in out


def test_demo_ends_with_receipt_payments_and_overlay(tmp_path: Path, capsys: Capture) -> None:
    assert main(["demo", "--lang", "en", "--out", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    overlay = tmp_path / f"hupai-{DEMO}.jpg"
    assert lines[-1].endswith(str(overlay))
    assert any("Total" in line for line in lines)
    assert any("Payments" in line for line in lines)
    drawn = cv2.imread(str(overlay))
    assert drawn is not None
    assert drawn.shape[1] > cv2.imread(str(SAMPLES[DEMO].path)).shape[1]  # the panel beside it


def test_doctor_finds_nothing_wrong(capsys: Capture) -> None:
    assert main(["doctor", "--json"]) == 0
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["known picture"]["text"] == SAMPLES[DEMO].hand
    assert checks["detector"]["good"]
    assert checks["reader"]["good"]


def test_several_pictures_give_a_list_and_a_folder_of_overlays(
    tmp_path: Path, capsys: Capture
) -> None:
    code = main(["read", str(FOLDER), "--json", "--out", str(tmp_path / "overlays")])
    found = json.loads(capsys.readouterr().out)
    assert code == 1
    assert len(found) == len(SAMPLES)
    assert len(list((tmp_path / "overlays").glob("*-overlay.jpg"))) == len(SAMPLES)


def test_a_picture_without_tiles_is_one_sentence(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "cloth.png"
    cv2.imwrite(str(path), np.full((300, 400, 3), (40, 90, 30), np.uint8))
    assert main(["read", str(path), "--lang", "en"]) == 1
    assert "No tiles were found." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("missing.jpg", None, "no such file"),
        ("empty.jpg", b"", "is empty"),
        ("text.jpg", b"not a picture at all", "not a picture"),
        ("cut.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "is cut off"),
    ],
)
def test_a_picture_that_cannot_be_opened_is_one_sentence(
    name: str, content: bytes | None, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert main(["read", str(tmp_path / name)]) == 1
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


def test_a_bad_picture_among_good_ones_stops_nothing(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"no")
    (tmp_path / "good.jpg").write_bytes(SAMPLES[DEMO].path.read_bytes())
    code = main(["read", str(tmp_path), *SAMPLES[DEMO].words, "--json"])
    out, err = capsys.readouterr()
    assert code == 1
    assert "bad.jpg" in err
    assert json.loads(out)["hand"] == SAMPLES[DEMO].hand


@pytest.mark.parametrize(
    "words",
    [
        ["read"],
        ["read", "x.jpg", "--rules", "bridge"],
        ["read", "x.jpg", "--winning", "9z"],
        ["demo", "no-such-sample"],
    ],
)
def test_wrong_use(words: list[str], capsys: Capture) -> None:
    try:
        code = main(words)
    except SystemExit as end:
        code = int(str(end.code))
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_reading_and_evaluating_load_no_training_library(tmp_path: Path) -> None:
    label = tmp_path / "labels" / f"{DEMO}.txt"
    picture = tmp_path / "images" / f"{DEMO}.jpg"
    for path in (label, picture):
        path.parent.mkdir()
    label.write_text("1 0.1 0.6 0.05 0.1\n", "utf-8")
    picture.write_bytes(SAMPLES[DEMO].path.read_bytes())
    code = f"""
import sys
from kiosk.cli import main
main(["read", {str(picture)!r}])
main(["evaluate", {str(tmp_path)!r}, "--json"])
print("LOADED", *{{name.split(".")[0] for name in sys.modules}})
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.rpartition("LOADED ")[2].split())
    assert "onnxruntime" in loaded
    assert not loaded & HEAVY


def test_evaluate_prints_the_fields_scripts_rely_on(tmp_path: Path, capsys: Capture) -> None:
    words = ["-n", "1", "--out", str(tmp_path), "--size", "320x320", "--processes", "1"]
    assert main(["render", *words]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "train"), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    fields = ("pictures", "tiles", "found_rate", "tiles_right_rate", "extra_per_100")
    more = ("exact_picture_rate", "bonus_right_rate", "intervals", "ms_median")
    assert set(fields + more) <= set(figures)
    assert figures["pictures"] == 1


def test_evaluate_without_labels_is_one_sentence(tmp_path: Path, capsys: Capture) -> None:
    assert main(["evaluate", str(tmp_path)]) == 1
    assert "no labelled picture" in capsys.readouterr().err
