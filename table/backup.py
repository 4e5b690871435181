"""Copies of an SQLite ledger beside it: made whole, kept twice, put back when it is damaged."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from .errors import StorageError

SUFFIXES: Final = (".backup", ".backup-before")
TROUBLE: Final = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; where it names a damaged table, its own sentence may be no UTF-8."""


def paths(path: Path) -> list[Path]:
    """Where the copies lie, the newest first."""
    return [path.with_name(path.name + suffix) for suffix in SUFFIXES]


def make(path: Path) -> Path | None:
    """Copy the ledger; the copy before is kept as well. None where there is no room for it.

    A ledger that lost its last copy is no reason to refuse the event that was just written, so
    trouble here leaves the older copies and is no error.
    """
    newest_copy, older = paths(path)
    fresh = path.with_name(f"{path.name}.backup-{os.getpid()}")
    try:
        reading = sqlite3.connect(f"file:{_quoted(path)}?mode=ro", uri=True)
        with closing(reading) as source, closing(sqlite3.connect(fresh)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        if newest_copy.exists():
            os.replace(newest_copy, older)
        os.replace(fresh, newest_copy)
    except (OSError, *TROUBLE):
        with suppress(OSError):
            fresh.unlink()
        return None
    return newest_copy


def newest(path: Path) -> Path | None:
    """The newest copy that is whole."""
    return next((copy for copy in paths(path) if is_whole(copy)), None)


def is_whole(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with the file."""
    if not path.exists():
        return False
    try:
        with closing(open_to_read(path)) as connection:
            [found] = connection.execute("PRAGMA integrity_check(1)").fetchone()
            return bool(found == "ok")
    except TROUBLE:
        return False


def restore(path: Path) -> tuple[Path, Path | None]:
    """Put the newest whole copy in the place of a damaged ledger.

    Answers the copy that was taken and where the damaged file is now (None when it was gone).
    Raises StorageError when there is no whole copy.
    """
    copy = newest(path)
    if copy is None:
        raise StorageError(f"there is no whole backup beside {path}")
    kept = None
    if path.exists():
        kept = _free(path)
        os.replace(path, kept)
        for tail in ("-wal", "-shm"):  # the journal belongs to the damaged file
            with suppress(FileNotFoundError):
                os.replace(f"{path}{tail}", f"{kept}{tail}")
    fresh = path.with_name(f"{path.name}.restored-{os.getpid()}")
    shutil.copyfile(copy, fresh)
    os.replace(fresh, path)
    return copy, kept


def _free(path: Path) -> Path:
    number = 1
    while path.with_name(f"{path.name}.damaged-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}.damaged-{number}")


def writable(path: Path) -> bool:
    """Whether the file, or a new one of this name, can be written; WAL needs the folder too."""
    folder = path.parent
    return os.access(folder, os.W_OK | os.X_OK) and (not path.exists() or os.access(path, os.W_OK))


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing. In a folder that cannot be written SQLite cannot make
    its index of a journal, so the file is read as it is where it has no journal.
    """
    wal = Path(f"{path}-wal")
    still = not wal.exists() or wal.stat().st_size == 0
    frozen = "&immutable=1" if still and not os.access(path.parent, os.W_OK) else ""
    uri = f"file:{_quoted(path)}?mode=ro{frozen}"
    return sqlite3.connect(uri, 30, uri=True, isolation_level=None, check_same_thread=False)


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(str(path.absolute()))
