"""The wheel holds what the packages need (models, names, pages, samples) and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support import REPOSITORY
from tests.test_imports import MAY_IMPORT

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def tracked() -> set[str]:
    if shutil.which("git") is None or not (REPOSITORY / ".git").exists():
        pytest.skip("this is not a git checkout: which files belong to it is not known")
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    return {name for name in done.stdout.split("\0") if name and (REPOSITORY / name).is_file()}


@pytest.fixture(scope="module")
def wheel(tracked: set[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the tracked files alone."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in tracked:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / name, target)
    subprocess.run(
        [sys.executable, "-c", BUILD, str(out)], cwd=source, capture_output=True, check=True
    )
    return next(out.glob("hupai-*.whl"))


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(
    wheel: Path, tracked: set[str]
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    of_packages = {name for name in tracked if name.partition("/")[0] in MAY_IMPORT}
    assert sorted(held - of_packages) == []
    assert sorted(of_packages - held) == []


def test_the_wheel_brings_licence_and_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        entry = next(name for name in names if name.endswith("entry_points.txt"))
        assert "hupai = kiosk.cli:main" in archive.read(entry).decode()
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_installed_elsewhere_the_data_is_found(wheel: Path, tmp_path: Path) -> None:
    """Unpacked away from the repository, the command finds its rules, words and samples."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    for words in (["rules", "show", "taiwan", "--lang", "zh-Hant"], ["demo", "--list"]):
        done = subprocess.run(
            [sys.executable, "-I", "-c", RUN.format(str(tmp_path)), *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout


RUN = "import sys; sys.path.insert(0, {!r}); from kiosk.cli import main; sys.exit(main())"
