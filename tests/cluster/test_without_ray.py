"""Where Ray or a cluster is missing, it is said what to do."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from kiosk.cli import main

VERBS = [
    ["cluster", "up"],
    ["cluster", "status"],
    ["cluster", "down"],
    ["render", "-n", "1", "--out", "x", "--engine", "ray"],
    ["data", "check", "FOLDER", "--engine", "ray"],
]


@pytest.fixture
def no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without Ray, whether or not this one has it."""
    found = importlib.util.find_spec

    def without(name: str, *rest: Any) -> Any:
        return None if name == "ray" else found(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    monkeypatch.setitem(sys.modules, "ray", None)


@pytest.mark.usefixtures("no_ray")
@pytest.mark.parametrize("words", VERBS, ids=lambda words: " ".join(words[:2]))
def test_it_says_how_to_get_ray(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "images").mkdir()
    picture = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8"
        "cfc000000301010018dd8db00000000049454e44ae426082"
    )
    (tmp_path / "images" / "a.png").write_bytes(picture)
    words = [str(tmp_path) if word in ("FOLDER", "x") else word for word in words]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "pip install 'hupai[cluster]'" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["cluster"],
        ["cluster", "up", "--replicas", "3:1"],
        ["cluster", "up", "--replicas", "many"],
        ["render", "-n", "1", "--out", "x", "--engine", "sun"],
        ["evaluate", "x", "--processes", "0"],
    ],
)
def test_wrong_use_is_told(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
