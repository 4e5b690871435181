"""What the documents say can be followed: links lead somewhere, commands are understood."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from kiosk import cli
from scorer import Hand, Situation, score
from tests.release.bill import project
from tests.support import REPOSITORY
from tests.test_imports import MAY_IMPORT
from vision.decode import decode
from vision.detections import Detections
from vision.layout import layout

FOLDERS = ("*.md", "docs/**/*.md", "packaging/*.md", "models/*.md")
DOCUMENTS = sorted(path for folder in FOLDERS for path in REPOSITORY.glob(folder))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)[^)]*\)")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
ABROAD = ("http://", "https://", "mailto:")
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
MODULE = re.compile(r"python -m ((?!build|venv|pip)[\w.]+)")
EXTRA = re.compile(r"hupai\[(\w+)\]")

documents = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=[str(path.relative_to(REPOSITORY)) for path in DOCUMENTS]
)


def anchors(text: str) -> set[str]:
    """The anchors that headings get where Markdown is shown (lower case, hyphens)."""
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(text))
    return {word.replace(" ", "-") for word in words}


def commands(text: str) -> list[str]:
    """Command lines of the `sh` blocks, and of the `console` blocks where `$` marks them."""
    lines = []
    for language, body in BLOCK.findall(text):
        joined = body.replace("\\\n", " ").splitlines()
        if language == "sh":
            lines += [line for line in joined if line.strip() and not line.startswith("#")]
        elif language == "console":
            lines += [line[2:] for line in joined if line.startswith("$ ")]
    return lines


def make_targets() -> set[str]:
    text = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))


@documents
def test_links_lead_somewhere(document: Path) -> None:
    text = BLOCK.sub("", document.read_text(encoding="utf-8"))
    broken = []
    for target in LINK.findall(text):
        if target.startswith(ABROAD):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        if not path.exists() or (
            anchor and path.suffix == ".md" and anchor not in anchors(path.read_text("utf-8"))
        ):
            broken.append(target)
    assert not broken


@documents
def test_commands_are_understood(document: Path) -> None:
    wrong = []
    for line in commands(document.read_text(encoding="utf-8")):
        words = shlex.split(line.partition(" > ")[0], comments=True)
        if words[:1] == ["make"]:
            targets = [word for word in words[1:] if "=" not in word]
            wrong += [f"make {name}" for name in targets if name not in make_targets()]
        elif words[:1] == ["hupai"]:
            try:
                cli.parse(words[1:])
            except SystemExit as end:
                if end.code:
                    wrong.append(line)
    assert not wrong


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """The options of a parser and of all that stand below it."""
    found = set(parser._option_string_actions)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(*(options_of(below) for below in action.choices.values()))
    return found


@cache
def options(verb: str) -> set[str]:
    parser = argparse.ArgumentParser(prog=f"hupai {verb}")
    importlib.import_module(f"kiosk.verbs.{verb}").add_arguments(parser)
    return options_of(parser)


def flags(words: str) -> set[str]:
    return set(re.findall(r"(?<!\S)--[a-z][a-z-]*", words))


def unknown(text: str) -> list[str]:
    """What a document quotes between backquotes (verbs, options, make targets), or runs with
    `python -m`, or installs as an extra, and which does not exist.
    """
    everywhere = set().union({"--version"}, *(options(verb) for verb in cli.VERBS))
    wrong = []
    for span in SPAN.findall(BLOCK.sub("", text)):
        program, *words = span.split()
        if program == "hupai" and words and words[0] != "VERB" and words[0][0] != "-":
            verbs = set(words[0].split("|"))
            known = set().union(*(options(verb) for verb in verbs & set(cli.VERBS)))
            good = verbs <= set(cli.VERBS) and flags(span) <= known
        elif program == "make":
            good = set(words[:1]) <= make_targets()
        else:
            good = not span.startswith("--") or flags(span) <= everywhere
        wrong += [] if good else [span]
    extras = project()["optional-dependencies"]
    wrong += [name for name in MODULE.findall(text) if importlib.util.find_spec(name) is None]
    return wrong + [name for name in EXTRA.findall(text) if name not in extras]


@documents
def test_what_is_quoted_within_a_sentence_exists(document: Path) -> None:
    assert unknown(document.read_text(encoding="utf-8")) == []


def test_what_does_not_exist_is_found() -> None:
    good = "`hupai serve --lan`, `make test`, `--seat S`, `hupai read|score`, python -m kiosk"
    assert unknown(good + " hupai[riichi]") == []
    bad = ["hupai fly", "hupai serve --fly", "make tea", "--fly"]
    text = " ".join(f"`{span}`" for span in bad) + " python -m tests.nothing hupai[tea]"
    assert unknown(text) == [*bad, "tests.nothing", "tea"]


def test_commands_are_found_in_both_kinds_of_blocks() -> None:
    shell = "```sh\nmake run\n# said\nhupai score \\\n  X\n```\n"
    text = shell + "```console\n$ hupai demo\nTotal 5\n```\n"
    assert commands(text) == ["make run", "hupai score    X", "hupai demo"]


def test_every_document_is_reached_from_the_index() -> None:
    seen: set[Path] = set()
    waiting = [REPOSITORY / "docs" / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md" or not page.exists():
            continue
        seen.add(page)
        targets = LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))
        waiting += [
            (page.parent / target.partition("#")[0]).resolve()
            for target in targets
            if not target.startswith(("#", *ABROAD))
        ]
    assert sorted(set((REPOSITORY / "docs").rglob("*.md")) - seen) == []


def test_the_packages_of_the_architecture_are_those_there_are() -> None:
    text = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    text = text.partition("## Packages")[2]
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", text, re.MULTILINE)
    assert [name for name, _ in rows] == list(MAY_IMPORT)
    for name, may in rows:
        told = set(re.findall(r"`(\w+)`", may))
        if "all" not in may:
            assert told == MAY_IMPORT[name], name


def test_readme_shows_the_overlay_and_the_two_commands() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert {"make run", "make test"} <= set(commands(text))


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.parse([verb, "--help"])
    assert end.value.code == 0
    assert f"hupai {verb}" in capsys.readouterr().out.partition("examples:")[2]


def documented_fields(section: str) -> set[str]:
    """Field names in the table of a section of docs/json.md."""
    text = (REPOSITORY / "docs" / "json.md").read_text(encoding="utf-8")
    body = text.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", body, re.MULTILINE))


def test_every_field_of_a_result_is_documented() -> None:
    hand = Hand.parse("66678m11333p555z[222z]@6m")
    assert documented_fields("Result") == set(score(hand, Situation()).to_json())


def test_every_field_of_a_reading_is_documented() -> None:
    reading = decode(layout(Detections.empty()))
    result = set(reading.result.to_json())
    assert documented_fields("Reading") - result == set(reading.to_json()) - result
