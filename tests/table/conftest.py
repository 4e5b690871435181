"""Where a ledger may lie: an SQLite file, and a PostgreSQL server that the test run starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from table.schema import META
from tests.support import postgres, require


class Server:
    """A PostgreSQL server of its own, reached by a socket in its folder."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="hupai-pg-"))
        self.root = os.geteuid() == 0  # the server refuses to run as root
        if self.root:
            shutil.chown(self.folder, "postgres")
        self._do("initdb", "-D", f"{self.folder}/data", "-U", "postgres", "-A", "trust", "-N")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        settings = f"-k {self.folder} -c listen_addresses= -c fsync=off"
        log = f"{self.folder}/log"
        self._do("pg_ctl", "-D", f"{self.folder}/data", "-o", settings, "-l", log, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        self._do("pg_ctl", "-D", f"{self.folder}/data", "-m", mode, "-w", "stop")

    def close(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _do(self, program: str, *words: str) -> None:
        command = [str(self.programs / program), *words]
        if self.root:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    require("postgres")
    require("psycopg")
    programs = postgres()
    assert programs is not None
    server = Server(programs)
    yield server
    server.close()


def _sqlite(request: pytest.FixtureRequest) -> str:
    folder: Path = request.getfixturevalue("tmp_path")
    return str(folder / "club.sqlite")


def _postgres(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue("server").url
    engine = create_engine(url)
    META.drop_all(engine)
    engine.dispose()
    return url


@pytest.fixture(params=[_sqlite, _postgres], ids=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str:
    """An empty ledger's path or URL; the same tests run on both."""
    put: Callable[[pytest.FixtureRequest], str] = request.param
    return put(request)


@pytest.fixture
def postgres_place(request: pytest.FixtureRequest) -> str:
    """The same on PostgreSQL only."""
    return _postgres(request)
