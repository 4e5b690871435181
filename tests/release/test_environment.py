"""The wheel alone is a whole program: away from the repository, and in an empty environment.

The empty environment is made by the RUN lines of the Containerfile; it needs a package index and
`HUPAI_SLOW=1`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kiosk import cli
from tests.release.bill import project
from tests.release.built import Built
from tests.support import REPOSITORY

PATIENCE_S = 300
HAND = ["score", "66678m11333p555z[222z]@6m", "--seat", "W", "--round", "E", "--discard-from", "S"]
UNPACKED = "import sys; sys.path.insert(0, {!r}); from kiosk.cli import main; sys.exit(main())"
CONTAINERFILE = (REPOSITORY / "packaging" / "Containerfile").read_text(encoding="utf-8")


def lines_of(keyword: str) -> list[str]:
    """What follows a keyword of the Containerfile, line by line."""
    return re.findall(rf"^{keyword} (.+)$", CONTAINERFILE, re.MULTILINE)


@pytest.fixture(scope="module")
def unpacked(release: Built, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of a wheel that lies in a folder, over this environment's other packages."""
    place = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(release.wheel) as archive:
        archive.extractall(place)
    return [sys.executable, "-I", "-c", UNPACKED.format(str(place))]


@pytest.fixture(scope="module")
def installed(release: Built, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command after the Containerfile's RUN lines, in folders of this test."""
    if os.environ.get("HUPAI_SLOW") != "1":
        pytest.skip("an empty environment is filled from a package index under HUPAI_SLOW=1 only")
    place = tmp_path_factory.mktemp("image")
    (place / "tmp").mkdir()
    (place / "tmp" / release.wheel.name).write_bytes(release.wheel.read_bytes())
    for line in lines_of("RUN"):
        moved = re.sub(r"(?<=\s)/(?=opt/|tmp/|data)", f"{place}/", f" {line}")
        moved = re.sub(r"^ python ", f" {shlex.quote(sys.executable)} ", moved)
        done = subprocess.run(moved, shell=True, cwd=place, capture_output=True, text=True)
        if "pip install" in line and "No matching distribution" in done.stderr:
            pytest.skip("no package index can be reached")
        assert done.returncode == 0, f"RUN {line}\n{done.stdout}{done.stderr}"
    return [str(place / "opt" / "hupai" / "bin" / "hupai")]


@pytest.fixture
def run(tmp_path: Path) -> Callable[[list[str]], subprocess.CompletedProcess[str]]:
    """Runs a command in an empty folder, with nothing of this repository in sight."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def go(command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True)

    return go


@pytest.mark.parametrize("way", ["unpacked", "installed"])
def test_the_wheel_alone_runs(
    way: str,
    run: Callable[[list[str]], subprocess.CompletedProcess[str]],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    command: list[str] = request.getfixturevalue(way)
    demo = run([*command, "demo"])
    assert demo.returncode == 0, demo.stderr
    assert "Total        3 tai" in demo.stdout
    assert (tmp_path / "hupai-taiwan-flowers.jpg").stat().st_size > 20_000

    doctor = run([*command, "doctor", "--json"])
    assert doctor.returncode == 0, doctor.stdout
    assert json.loads(doctor.stdout)["good"] is True

    score = run([*command, *HAND, "--lang", "zh-Hant"])
    assert score.returncode == 0, score.stderr
    assert "3 台" in score.stdout

    with served([*command, "serve", "--port", "0"], tmp_path / "data") as where:
        with urllib.request.urlopen(f"{where}/health", timeout=PATIENCE_S) as answer:
            assert json.load(answer)["status"] == "ok"
        with urllib.request.urlopen(f"{where}/phone", timeout=PATIENCE_S) as answer:
            assert b"<html" in answer.read()
    assert (tmp_path / "data" / "ledger.sqlite").is_file()


@contextmanager
def served(command: list[str], folder: Path) -> Iterator[str]:
    """The address of a server that runs meanwhile, as in a container: everything is kept in
    `folder`, and there is no home.
    """
    known = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "PYTHON"))}
    said = dict(pair.split("=") for pair in lines_of("ENV")[0].split())
    assert (said["HUPAI_DATA"], said["HUPAI_CONFIG"]) == ("/data", "/data/config.toml")
    own = {"HUPAI_DATA": str(folder), "HUPAI_CONFIG": str(folder / "config.toml")}
    environment = known | own | {"HOME": "/dev/null"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            printed = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in process.stdout)
            found = next(filter(None, printed), None)
            assert found, "the server did not start"
            yield found[0]
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()


def test_the_installed_version_is_the_one_that_was_built(
    installed: list[str], run: Callable[[list[str]], subprocess.CompletedProcess[str]]
) -> None:
    assert run([*installed, "--version"]).stdout.strip() == f"hupai {project()['version']}"


def test_the_container_starts_what_the_program_understands() -> None:
    entry, words = (json.loads(lines_of(keyword)[0]) for keyword in ("ENTRYPOINT", "CMD"))
    assert entry == ["hupai"]
    module, arguments = cli.parse(words)
    assert module.__name__ == "kiosk.verbs.serve"
    assert arguments.lan is True
    ports = [str(module.PORT), str(module.SECURE_PORT)]
    assert lines_of("EXPOSE") == [" ".join(ports)]
