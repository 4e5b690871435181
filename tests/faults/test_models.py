"""A model that is damaged or of another version: said, the rest goes on, mended at once."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import httpx2
import pytest

from models.loader import FOLDER, ModelError, load_session
from tests.kiosk.server.started import Command
from tests.support import REPOSITORY
from tests.table.nights import PLAYERS, THREE_PUNGS


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A copy of the package `models`."""
    copy = tmp_path / "path" / "models"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_a_server_with_a_damaged_model_goes_on_and_is_mended_without_a_restart(
    tmp_path: Path, models: Path, photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Programs that are started now take the copy of `models` instead of ours.
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(models.parent), str(REPOSITORY))))
    reader = models / "reader.onnx"
    sound = reader.read_bytes()
    reader.write_bytes(sound[: len(sound) // 2])
    command = Command(tmp_path)
    try:
        with httpx2.Client(base_url=command.address, timeout=120) as client:
            answer = client.post("/api/readings", files={"picture": photo})
            assert (answer.status_code, answer.json()["id"]) == (503, "networks")
            why = answer.json()["detail"]
            assert str(reader) in why
            assert "damaged or of another version: install hupai again" in why
            assert client.get("/health").json()["networks"] == "failed"

            client.post("/api/table/nights", json={"players": PLAYERS, "rules": "taiwan"})
            win = {"winners": [{"player": "Chi", "hand": THREE_PUNGS}], "from": "Bo"}
            assert client.post("/api/table/hands", json=win).status_code == 201

            reader.write_bytes(sound)
            assert client.post("/api/readings", files={"picture": photo}).status_code == 201
            assert client.get("/health").json()["networks"] == "ready"
    finally:
        assert command.end() == 0


def test_a_model_of_a_form_that_this_runtime_does_not_know_is_named(models: Path) -> None:
    """The manifest and the file agree, and were made by a later version of everything."""
    file, manifest = models / "reader.onnx", models / "manifest.toml"
    content = file.read_bytes()
    assert content[0] == 0x08  # ModelProto.ir_version
    later = content[:1] + b"\x7f" + content[2:]
    file.write_bytes(later)
    old, new = (hashlib.sha256(data).hexdigest() for data in (content, later))
    manifest.write_text(manifest.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(ModelError, match=r"reader\.onnx cannot be opened by ONNX Runtime"):
        load_session("reader", models)
