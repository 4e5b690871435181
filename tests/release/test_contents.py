"""Wheel and sdist hold what the packages need (models, names, pages, samples), nothing else."""

from __future__ import annotations

import re
import tarfile
import zipfile

from tests.release.bill import project
from tests.release.built import Built, tracked
from tests.support import REPOSITORY
from tests.test_imports import MAY_IMPORT

BESIDE = {"CHANGELOG.md", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml"}
"""What the sdist holds besides the packages."""
WRITTEN = {"PKG-INFO", "setup.cfg"}
"""What setuptools writes into every sdist, beside hupai.egg-info."""
NEEDED = {
    "models/detector.onnx",
    "models/reader.onnx",
    "models/manifest.toml",
    "scorer/names/taiwan.zh-Hant.toml",
    "kiosk/web/phone.html",
    "kiosk/web/words/zh-Hans.json",
    "kiosk/samples/taiwan.jpg",
}


def of_packages() -> set[str]:
    return {name for name in tracked() if name.partition("/")[0] in MAY_IMPORT}


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(release: Built) -> None:
    with zipfile.ZipFile(release.wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held >= NEEDED
    assert sorted(held - of_packages()) == []
    assert sorted(of_packages() - held) == []


def test_the_sdist_holds_the_same_and_what_builds_it(release: Built) -> None:
    with tarfile.open(release.sdist) as archive:
        files = {member.name for member in archive if member.isfile()}
    held = {name.partition("/")[2] for name in files}
    held = {name for name in held if not name.startswith("hupai.egg-info/")} - WRITTEN
    assert sorted(held - of_packages() - BESIDE) == []
    assert sorted((of_packages() | BESIDE) - held) == []


def test_the_wheel_brings_licence_and_command(release: Built) -> None:
    with zipfile.ZipFile(release.wheel) as archive:
        names = archive.namelist()
        entry = next(name for name in names if name.endswith("entry_points.txt"))
        assert "hupai = kiosk.cli:main" in archive.read(entry).decode()
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_changelog_begins_with_the_version_that_is_built(release: Built) -> None:
    text = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)", text, re.MULTILINE)
    assert newest
    assert newest[1] == project()["version"]
    assert release.wheel.name.startswith(f"hupai-{newest[1]}-")
