"""Settings for all tests: one thread for the number crunchers, reproducible property tests."""

from __future__ import annotations

import os

import pytest

# Before NumPy and OpenCV are imported: tests measure truth, not speed, and share two cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import HealthCheck, settings

settings.register_profile(
    "hupai",
    deadline=None,  # no wall-clock assertions
    derandomize=os.environ.get("HUPAI_SLOW") != "1",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("hupai")


@pytest.fixture(autouse=True)
def _own_user_folders(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing a test does may touch the configuration, data or cache of the person running it."""
    home = tmp_path_factory.mktemp("home")
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.delenv("HUPAI_HOME", raising=False)
