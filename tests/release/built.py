"""Wheel and source distribution, built from the repository's own files alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support import REPOSITORY


@dataclass(frozen=True, slots=True)
class Built:
    """What `python -m build` makes: the wheel comes from the unpacked sdist."""

    sdist: Path
    wheel: Path


def tracked() -> set[str]:
    """The files of the repository, new ones that git does not ignore too.

    Raises OSError or CalledProcessError without git.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split("\0") if name and (REPOSITORY / name).is_file()}


def built(place: Path) -> Built:
    """Both, in folders under `place`. Needs no package index: setuptools is installed here."""
    source, out = place / "source", place / "dist"
    for name in tracked():
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / name, target)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the build failed:\n{done.stdout}{done.stderr}")
    return Built(next(out.glob("hupai-*.tar.gz")), next(out.glob("hupai-*.whl")))
