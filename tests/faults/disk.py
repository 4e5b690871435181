"""Small disks to fill."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support import missing


@contextmanager
def small_disk(size: str) -> Iterator[Path]:
    """A file system of its own that holds so much (`400k`); skips where none can be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="hupai-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(mount).returncode:
        folder.rmdir()
        missing("mount", "a small disk cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


def fill(folder: Path) -> Path:
    """Leave no room at all; remove the file to make room again."""
    file = folder / "filler"
    with file.open("wb", buffering=0) as stream:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    stream.write(bytes(size))
            except OSError:
                continue
    return file
