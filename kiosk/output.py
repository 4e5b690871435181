"""Files that a person asked for: written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from kiosk.trouble import Trouble


def put(path: Path, content: bytes) -> None:
    """Write a file in one step, so that a full disk leaves the older one as it was. Raises
    OSError."""
    if path.exists() and not path.is_file():  # a device or a pipe is not replaced
        path.write_bytes(content)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def write_out(path: Path, content: bytes) -> None:
    """The same for an option such as `--out`. Raises Trouble with a sentence."""
    try:
        put(path, content)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.") from None
