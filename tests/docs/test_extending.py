"""docs/extending.md is followed to the letter in a copy of the rules."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.bank import FaceBank
from datasets.classes import FILE_NAMES
from datasets.drawing import DrawnDesign
from datasets.face_style import FaceStyle
from scorer.names import LANGUAGES
from tests.release.built import tracked
from tests.support import REPOSITORY

TEXT = (REPOSITORY / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\s]+\.(?:toml|json|py|js))`")


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def blocks(text: str, language: str) -> list[str]:
    """The blocks of a language, without the margin of the list they stand in."""
    return [
        re.sub(rf"^{margin}", "", body, flags=re.MULTILINE)
        for margin, kind, body in BLOCK.findall(text)
        if kind == language
    ]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the scorer, which is imported before the one of the repository."""
    shutil.copytree(
        REPOSITORY / "scorer", tmp_path / "scorer", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


def hupai(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": f"{folder}:{REPOSITORY}"}
    return subprocess.run(
        [sys.executable, "-m", "kiosk", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def put(folder: Path, block: str) -> Path:
    """Write a block under the path in its first line, or at the end of the file that is there."""
    path = folder / block.splitlines()[0].removeprefix("# ")
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{before}\n{block}", encoding="utf-8")
    return path


def register(folder: Path, table: str, line: str) -> None:
    path = folder / "scorer" / "registry.py"
    text = path.read_text(encoding="utf-8")
    head = re.search(rf"^{table}: .*\{{$", text, re.MULTILINE)
    assert head
    path.write_text(text.replace(head[0], f"{head[0]}\n{line.rstrip()}", 1), encoding="utf-8")


def name_it(folder: Path, id: str, name: str) -> None:
    for language in LANGUAGES:
        path = folder / "scorer" / "names" / f"common.{language}.toml"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("[rulesets]", f'[rulesets]\n{id} = "{name}"', 1), "utf-8")


def test_a_table_of_a_club_becomes_a_preset(copy: Path) -> None:
    text = section("A table of your club")
    (preset,) = blocks(text, "toml")
    (line,) = blocks(text, "python")
    put(copy, preset)
    register(copy, "PRESETS", line)
    name_it(copy, "taiwan-harbour", "Taiwan, Harbour club")
    (command,) = re.findall(r"`hupai (rules show [\w-]+)`", text)
    done = hupai(copy, *shlex.split(command))
    assert done.returncode == 0, done.stderr
    assert "Harbour club" in done.stdout
    assert re.search(r"^limit *20\b", done.stdout, re.MULTILINE)
    listed = hupai(copy, "rules", "list").stdout
    assert "taiwan-harbour" in listed


def test_a_game_is_added(copy: Path) -> None:
    text = section("A game")
    module, line = blocks(text, "python")
    items, options = blocks(text, "toml")
    put(copy, module)
    register(copy, "RULESETS", line)
    name_it(copy, "village", "Village")
    for language in LANGUAGES:
        put(copy, items.replace(".en.toml", f".{language}.toml", 1))
        put(copy, options.replace(".en.toml", f".{language}.toml", 1))
    (command,) = blocks(text, "console")
    done = hupai(copy, *shlex.split(command.removeprefix("$ hupai ")))
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    (total,) = re.findall(r"with a total of (\d+) fan, which West pays", text)
    assert (result["total"], result["ruleset"]) == (int(total), "village")
    assert {item["id"] for item in result["items"]} == {"all-pungs", "full-flush"}
    assert result["payments"] == {"E": 0, "S": int(total), "W": -int(total), "N": 0}

    house = copy / "club.toml"
    house.write_text('ruleset = "village"\nflush_alone = true\n', encoding="utf-8")
    words = [*shlex.split(command.removeprefix("$ hupai ")), "--house", str(house)]
    assert json.loads(hupai(copy, *words).stdout)["total"] == 4

    written = hupai(copy, "rules", "document", "--out", "docs")
    assert written.returncode == 0, written.stderr
    page = (copy / "docs" / "rules-village.md").read_text(encoding="utf-8")
    assert "A full flush counts without all pungs." in page


def test_a_design_of_drawings_is_rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "designs" / "club"
    folder.mkdir(parents=True)
    drawn = DrawnDesign(FaceStyle.random(np.random.default_rng(0)))
    for face, name in enumerate(FILE_NAMES):
        assert cv2.imwrite(str(folder / f"{name}.png"), drawn.art(face))
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(section("A tile design"), "python")
    known: dict[str, object] = {}
    exec(compile(code, "docs/extending.md", "exec"), known)
    faces, scene = known["faces"], known["scene"]
    assert isinstance(faces, FaceBank)
    assert [design.name for design in faces.designs] == ["club"]
    assert len(scene.faces) > 5  # type: ignore[attr-defined]


def test_the_names_of_drawings_are_the_ones_told() -> None:
    told = section("A tile design")
    for name in ("m1", "m9", "p1", "p9", "s1", "s9", "z1", "z4", "z5", "z6", "z7", "g1", "g4"):
        assert f"`{name}" in told
        assert name in FILE_NAMES
    assert len(FILE_NAMES) == 42


def test_every_place_that_knows_the_languages_is_named() -> None:
    told = CODE.findall(section("A language"))
    ours = {name for name in tracked() if not name.startswith(("tests/", "docs/", "training/"))}
    files = {name for name in ours if re.search(r"[./]en\.(toml|json)$", name)}
    missing = [name for name in files if not any(fnmatch.fnmatch(name, each) for each in told)]
    assert sorted(missing) == []
    # Two modules look up the one language in which Chinese names, and one example, are written.
    single = {"teach/dictionary.py", "teach/sheet.py", "kiosk/verbs/demo.py"}
    described = {"scorer/rules/__init__.py"}
    code = {
        name
        for name in ours
        if name.endswith((".py", ".js"))
        and "zh-Hant" in (REPOSITORY / name).read_text(encoding="utf-8")
    }
    assert sorted(code - set(told) - single - described) == []
    assert sorted(each for each in told if not fnmatch.filter(ours, each)) == []
