"""Every line of the shared list of reported faults has tests (tests/faults/lines.toml)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.support import REPOSITORY, shared

LINES = Path(__file__).with_name("lines.toml")


def table() -> list[tuple[str, str, list[str]]]:
    """(section, how the line begins, tests)."""
    data = tomllib.loads(LINES.read_text("utf-8"))
    return [(section, row["line"], row["tests"]) for section, rows in data.items() for row in rows]


def test_every_line_of_the_list_is_in_the_table_and_no_other() -> None:
    wanted = []
    section = ""
    for line in shared("faults.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("- "):
            wanted.append((section, line[2:]))
    told = [(section, begin) for section, begin, _ in table()]
    assert len(wanted) == len(told)
    for (section, line), (section_told, begin) in zip(wanted, told, strict=True):
        assert section == section_told
        assert line.startswith(begin)


def test_every_test_of_the_table_is_there() -> None:
    for _, begin, tests in table():
        assert tests, begin
        for test in tests:
            file, _, name = test.partition("::")
            text = (REPOSITORY / file).read_text("utf-8")
            assert re.search(rf"^def {name}\(", text, re.MULTILINE), test
