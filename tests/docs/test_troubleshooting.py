"""Every sentence that docs/troubleshooting.md quotes is one that the program says."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support import REPOSITORY
from tests.test_imports import MAY_IMPORT

TEXT = (REPOSITORY / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
HEAD = "hupai says"
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE)
QUOTED = [said for said, _ in ROWS if said != HEAD]


def of_python(source: str) -> Iterator[str]:
    """The texts of a module; what is filled in is `…`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )


def of_data(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield re.sub(r"\{\w+\}", "…", data)
    elif isinstance(data, dict):
        for value in data.values():
            yield from of_data(value)


def of_file(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return of_python(text)
    return of_data(tomllib.loads(text) if path.suffix == ".toml" else json.loads(text))


@cache
def said() -> str:
    """Everything that the program can say in English, one text a line."""
    found: list[str] = []
    for package in MAY_IMPORT:
        folder = REPOSITORY / package
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*en.toml")]):
            found += of_file(path)
    found += of_file(REPOSITORY / "kiosk" / "web" / "words" / "en.json")
    return "\n".join(re.sub(r"\s+", " ", text) for text in found)


@pytest.mark.parametrize("sentence", QUOTED)
def test_the_program_says_it(sentence: str) -> None:
    assert sentence.strip("…;: ") in said()


def test_sentences_were_found_and_invented_ones_are_not() -> None:
    assert len(QUOTED) > 30
    assert "the camera has caught fire" not in said()


def test_each_says_what_to_do() -> None:
    assert all(len(remedy) > 5 and remedy.endswith(".") for said, remedy in ROWS if said != HEAD)
