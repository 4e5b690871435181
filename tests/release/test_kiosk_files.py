"""The files that make a machine a table's screen: the service, the launcher, the desktop entry."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kiosk import cli
from tests.kiosk.server.started import Command
from tests.support import REPOSITORY

PACKAGING = REPOSITORY / "packaging"
LAUNCHER = PACKAGING / "hupai-kiosk"


def ini(name: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((PACKAGING / name).read_text(encoding="utf-8"))
    return parser


def test_the_service_starts_what_the_program_understands() -> None:
    program, *words = shlex.split(ini("hupai.service")["Service"]["ExecStart"])
    assert Path(program).name == "hupai"
    module, arguments = cli.parse(words)
    assert module.__name__ == "kiosk.verbs.serve"
    assert (arguments.lan, arguments.camera) == (True, "0")


def test_systemd_finds_nothing_wrong_with_the_service(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    program = tmp_path / "hupai"
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    text = (PACKAGING / "hupai.service").read_text(encoding="utf-8")
    unit = tmp_path / "hupai.service"
    unit.write_text(text.replace("%h/hupai/bin/hupai", str(program)), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(unit)],
        env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_the_desktop_entry_is_as_desktops_want_it() -> None:
    if shutil.which("desktop-file-validate") is None:
        pytest.skip("desktop-file-validate is not installed")
    done = subprocess.run(
        ["desktop-file-validate", str(PACKAGING / "hupai.desktop")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_the_desktop_entry_starts_the_launcher() -> None:
    entry = ini("hupai.desktop")["Desktop Entry"]
    assert entry["Exec"] == LAUNCHER.name
    assert os.access(LAUNCHER, os.X_OK)


def test_what_is_copied_by_hand_is_there() -> None:
    text = (PACKAGING / "README.md").read_text(encoding="utf-8")
    copied = re.findall(r"^cp packaging/(\S+) ", text, re.MULTILINE)
    assert set(copied) == {"hupai.service", "hupai-kiosk", "hupai.desktop"}
    assert all((PACKAGING / name).is_file() for name in copied)


@pytest.mark.parametrize("lan", [False, True], ids=["this machine only", "with phones"])
def test_the_launcher_opens_the_address_that_the_server_prints(lan: bool, tmp_path: Path) -> None:
    """The browser is a program that prints its arguments."""
    server = Command(tmp_path, *(["--lan"] if lan else []))
    try:
        chosen = {
            "HUPAI_DATA": str(tmp_path / "data"),
            "HUPAI_PORT": str(server.port),
            "HUPAI_BROWSER": "echo",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        done = subprocess.run(
            [str(LAUNCHER)], env=os.environ | chosen, capture_output=True, text=True, timeout=60
        )
    finally:
        server.end()
    assert done.returncode == 0, done.stderr
    flags, address = done.stdout.split()[:-1], done.stdout.split()[-1]
    assert "--kiosk" in flags
    assert f"The table's screen: {address}\n" in server.output
