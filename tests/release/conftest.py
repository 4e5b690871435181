"""One build for all tests of this folder."""

from __future__ import annotations

import shutil

import pytest

from tests.release.built import Built, built
from tests.support import REPOSITORY


@pytest.fixture(scope="package")
def release(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Wheel and sdist of the tracked files."""
    if shutil.which("git") is None or not (REPOSITORY / ".git").exists():
        pytest.skip("this is not a git checkout: which files belong to it is not known")
    return built(tmp_path_factory.mktemp("release"))
