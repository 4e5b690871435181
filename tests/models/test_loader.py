"""A model is used only when it is the one the manifest speaks of."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models import ModelError, load_session, manifest
from models.loader import FOLDER
from tests.support import REPOSITORY


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for file in FOLDER.iterdir():
        if file.suffix in {".onnx", ".toml"}:
            shutil.copy(file, tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["detector", "reader"])
def test_shipped_models_open_and_say_what_the_manifest_says(name: str) -> None:
    session, model = load_session(name)
    assert session.get_modelmeta().custom_metadata_map["task"] == model.task
    assert model.licence == "AGPL-3.0-or-later"


def test_the_shipped_files_are_at_most_16_mb_together() -> None:
    assert sum(model.path.stat().st_size for model in manifest().values()) <= 16_000_000


def test_the_reader_knows_42_faces_the_back_and_what_is_no_tile() -> None:
    session, model = load_session("reader")
    assert len(model.classes) == 44
    assert model.classes[31:34] == ("7z", "6z", "5z")
    outputs = session.run(None, {"crops": np.zeros((3, 3, 64, 64), np.float32)})
    embedding = outputs[2]
    assert [out.shape for out in outputs] == [(3, 44), (3, 4), (3, 128), (3, 8)]
    assert np.linalg.norm(embedding, axis=1) == pytest.approx(np.ones(3), abs=1e-4)


def test_a_damaged_file_is_refused_with_advice(copy: Path) -> None:
    file = copy / "reader.onnx"
    content = bytearray(file.read_bytes())
    content[1000] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(ModelError, match="damaged or of another version: install hupai again"):
        load_session("reader", copy)


def test_a_missing_file_is_named(copy: Path) -> None:
    (copy / "detector.onnx").unlink()
    with pytest.raises(ModelError, match=r"detector\.onnx cannot be read"):
        load_session("detector", copy)


def test_a_damaged_manifest_is_named(copy: Path) -> None:
    (copy / "manifest.toml").write_text("[models.detector\n")
    with pytest.raises(ModelError, match="is damaged"):
        load_session("detector", copy)


def test_a_manifest_that_says_something_else_than_the_file_is_refused(copy: Path) -> None:
    text = (copy / "manifest.toml").read_text()
    (copy / "manifest.toml").write_text(text.replace('task = "pose"', 'task = "detect"'))
    with pytest.raises(ModelError, match="task"):
        load_session("detector", copy)


def test_nothing_is_kept_or_reported_of_whoever_reads(tmp_path: Path) -> None:
    """Builds of ONNX Runtime that report their use make a device id below the home folder."""
    known = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "ORT_"))}
    code = "from models import load_session; load_session('reader'); load_session('detector')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        env=known | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
