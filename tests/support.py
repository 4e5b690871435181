"""What every test may lean on: how many cases to run, where shared data lies, what is installed.

Environment:
- `HUPAI_SLOW=1` (`make slow`) runs the full counts instead of the quick ones.
- `HUPAI_SHARED` names the folder of shared data, by default `../shared` beside the repository.
- `HUPAI_REQUIRE=browser,postgres,pymahjonggb,ray,shared,rtsp,faketime` makes a missing one of these
  a failure instead of a skip; continuous integration sets it.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def slow_count(quick: int, full: int) -> int:
    """How many cases to run: `full` under `make slow`, else `quick`."""
    return full if os.environ.get("HUPAI_SLOW") == "1" else quick


def missing(name: str, reason: str) -> NoReturn:
    """Skip the test with `reason`, or fail it where `HUPAI_REQUIRE` names `name`."""
    required = {word.strip() for word in os.environ.get("HUPAI_REQUIRE", "").split(",")}
    if name in required:
        pytest.fail(f"{name} is required here (HUPAI_REQUIRE), but {reason}", pytrace=False)
    pytest.skip(reason)


def shared(*parts: str) -> Path:
    """A path inside the shared data; skips, or fails where `shared` is required, without it."""
    root = Path(os.environ.get("HUPAI_SHARED") or REPOSITORY.parent / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        missing("shared", f"the shared data has no {'/'.join(parts) or 'folder'} (HUPAI_SHARED)")
    return path


def browser() -> Path | None:
    """The Chromium to drive, or None: `HUPAI_BROWSER` if set, else the first one on the path."""
    names = (os.environ["HUPAI_BROWSER"],) if "HUPAI_BROWSER" in os.environ else BROWSERS
    found = next(filter(None, map(shutil.which, names)), None)
    return Path(found) if found else None


def postgres() -> Path | None:
    """The folder of PostgreSQL's server programs, or None. Debian keeps it off the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (debian[-1] if debian else None)
    return Path(found).parent if found else None


def require(name: str) -> None:
    """Skip (or fail under `HUPAI_REQUIRE`) unless `name` can be used here.

    `name` is `browser`, `postgres`, or an importable module such as `pymahjonggb`.
    """
    if name == "browser":
        if browser() is None:
            missing(name, "Chromium is not installed")
    elif name == "postgres":
        if postgres() is None:
            missing(name, "the PostgreSQL server is not installed")
    elif importlib.util.find_spec(MODULES.get(name, name)) is None:
        missing(name, f"the Python package {name} is not installed")


MODULES = {"pymahjonggb": "MahjongGB"}
