"""Where the log lies: an SQLite file, or PostgreSQL by URL; the same tables, by SQLAlchemy.

An appended record is on disk when `append` returns (SQLite: WAL, synchronous FULL). The primary
key (night, no) lets one of two writers of the same number through; the other sees `TakenError`,
reads on and tries again, so that nothing is lost or written over.
"""

from __future__ import annotations

import gc
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from . import backup, schema
from .errors import DamagedError, LedgerError, StorageError
from .log import FIRST_SEAL, TIME, Record, seal
from .schema import EVENTS, NIGHTS

BUSY_SECONDS: Final = 30
BACKUP_EVERY: Final = 10
"""A copy of the file is made when the number of a record is a multiple of this."""


class TakenError(LedgerError):
    """Another writer took this number, key or night first."""


@dataclass(frozen=True, slots=True)
class Night:
    """A night in the database: its id, the table it is played at, when it began, its length."""

    night: str
    table: str
    created: str
    events: int

    def to_json(self) -> dict[str, Any]:
        return {
            "night": self.night,
            "table": self.table,
            "created": self.created,
            "events": self.events,
        }


class Store:
    """One database. `where` is a path, or an SQLAlchemy URL such as `postgresql+psycopg://…`.

    Raises StorageError where it cannot be opened, DamagedError where the file is not whole.
    """

    def __init__(self, where: str | Path, *, write: bool = True) -> None:
        self.path, self.url = _place(where)
        self.writable = write and (self.path is None or backup.writable(self.path))
        if write and not self.writable:
            raise StorageError(
                f"{self.path} cannot be written: the file or its folder is read-only"
            )
        if not write and self.path is not None and not self.path.exists():
            raise StorageError(f"there is no ledger at {self.path}; `hupai ledger new` makes one")
        self.engine = self._engine()
        with self._trouble():
            self._open()

    def _engine(self) -> Engine:
        if self.path is None:
            try:
                return create_engine(self.url, pool_pre_ping=True)
            except ModuleNotFoundError as error:
                raise StorageError(
                    f"the Python package {error.name} is needed for {self.url.drivername}: "
                    "pip install 'hupai[postgres]'"
                ) from None
        path = self.path
        engine = create_engine(
            "sqlite://", creator=lambda: self._connect(path), poolclass=QueuePool
        )
        event.listen(engine, "begin", _begin)
        return engine

    def _connect(self, path: Path) -> sqlite3.Connection:
        if self.writable:
            connection = sqlite3.connect(
                path, BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            return connection
        return backup.open_to_read(path)

    def _open(self) -> None:
        if self.path is not None and self.path.exists() and self.path.stat().st_size:
            with self.engine.connect() as connection:
                found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
            if found != "ok":
                raise DamagedError(f"{self.path} is damaged ({found})", backup.newest(self.path))
        with self.engine.connect() as connection:
            version = schema.version_of(connection)
        schema.check(version)
        if version != schema.VERSION:
            if not self.writable:
                raise StorageError(f"{self.url} is of an older form; open it once for writing")
            if self.path is not None and version:
                backup.make(self.path)
            with self.writing() as connection:
                schema.prepare(connection)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that holds the right to write from its start."""
        ready = self.engine.connect().execution_options(hupai_write=True)
        with ready as connection, connection.begin():
            yield connection

    def append(self, night: str, record: Record, before: str) -> str:
        """Write one record after the one whose seal is `before`; answers its seal.

        Raises TakenError when another writer was faster, StorageError when it is not stored.
        """
        row = self._row(record)
        mark = seal(before, night, row)
        with self._trouble(), self.writing() as connection:
            self._insert(connection, night, row, mark)
        self._copy(record.no)
        return mark

    def begin(self, night: str, table: str, record: Record) -> str:
        """Write a new night with its first record; answers its seal.

        It is the table's newest, whatever the clock says: one that was set back does not put it
        before the nights that were.
        """
        row = self._row(record)
        mark = seal(FIRST_SEAL, night, row)
        with self._trouble(), self.writing() as connection:
            newest = select(func.max(NIGHTS.c.created)).where(NIGHTS.c.table_id == table)
            created = max(record.at, _after(connection.execute(newest).scalar() or ""))
            values = {"night": night, "table_id": table, "created": created}
            connection.execute(NIGHTS.insert().values(values))
            self._insert(connection, night, row, mark)
        self._copy(BACKUP_EVERY)
        return mark

    def fill(self, night: str, table: str, records: list[Record]) -> None:
        """Write a whole night at once (import): all of it or nothing."""
        with self._trouble(), self.writing() as connection:
            values = {"night": night, "table_id": table, "created": records[0].at}
            connection.execute(NIGHTS.insert().values(values))
            mark = FIRST_SEAL
            for record in records:
                row = self._row(record)
                mark = seal(mark, night, row)
                self._insert(connection, night, row, mark)
        self._copy(BACKUP_EVERY)

    def read(self, night: str, after: int = 0, mark: str = FIRST_SEAL) -> tuple[list[Record], str]:
        """The records after number `after`, whose seal is `mark`, and the seal of the last.

        Raises DamagedError where a record is not what was written, or one is missing.
        """
        e = EVENTS.c
        query = (
            select(e.no, e.kind, e.key, e.at, e.body, e.outcomes, e.seal)
            .where(e.night == night, e.no > after)
            .order_by(e.no)
        )
        with self._trouble(), self.engine.connect() as connection:
            rows = connection.execute(query).all()
        for number, row in enumerate(rows, after + 1):
            mark = seal(mark, night, row[:6])
            if row.seal != mark or row.no != number:
                raise self._damaged(f"event {number} of {night} is not what was written")
        with _no_collecting():
            bodies = _decoded(row.body for row in rows)
            outcomes = _decoded(row.outcomes for row in rows)
            records = [
                Record(no, kind, body, key, at, {int(n): o for n, o in kept.items()})
                for (no, kind, key, at, *_), body, kept in zip(rows, bodies, outcomes, strict=True)
            ]
        return records, mark

    def nights(self, table: str | None = None) -> list[Night]:
        """All nights, or those of one table, in the order in which they began."""
        n = NIGHTS.c
        query = (
            select(n.night, n.table_id, n.created, func.count(EVENTS.c.no))
            .join(EVENTS, EVENTS.c.night == n.night)
            .group_by(n.night, n.table_id, n.created)
            .order_by(n.created, n.night)
        )
        if table is not None:
            query = query.where(n.table_id == table)
        with self._trouble(), self.engine.connect() as connection:
            return [Night(*row) for row in connection.execute(query)]

    def newest(self) -> list[Night]:
        """The newest night of every table, in one question whatever the number of nights."""
        n, e = NIGHTS.c, EVENTS.c
        rank = (
            func.row_number()
            .over(partition_by=n.table_id, order_by=(n.created.desc(), n.night.desc()))
            .label("rank")
        )
        nights = select(n.night, n.table_id, n.created, rank).subquery()
        last = select(func.max(e.no)).where(e.night == nights.c.night).scalar_subquery()
        query = select(nights.c.night, nights.c.table_id, nights.c.created, last).where(
            nights.c.rank == 1
        )
        with self._trouble(), self.engine.connect() as connection:
            return [Night(*row) for row in connection.execute(query)]

    def close(self) -> None:
        self.engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *ignored: object) -> None:
        self.close()

    def _row(self, record: Record) -> tuple[Any, ...]:
        return (record.no, record.kind, record.key, record.at, *record.texts())

    def _insert(self, connection: Connection, night: str, row: tuple[Any, ...], mark: str) -> None:
        names = ("no", "kind", "key", "at", "body", "outcomes")
        values = dict(zip(names, row, strict=True)) | {"night": night, "seal": mark}
        connection.execute(EVENTS.insert().values(values))

    def _copy(self, no: int) -> None:
        if self.path is not None and no % BACKUP_EVERY == 0:
            backup.make(self.path)

    def _damaged(self, why: str) -> DamagedError:
        return DamagedError(f"{self.path or self.url.database} is damaged: {why}", self._newest())

    def _newest(self) -> Path | None:
        return backup.newest(self.path) if self.path else None

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        """Turn what the database says into a sentence of ours."""
        name = str(self.path or self.url.render_as_string(hide_password=True))
        try:
            yield
        except IntegrityError:
            raise TakenError("another writer was faster") from None
        except (DBAPIError, *backup.TROUBLE) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            said = (str(cause).strip() or repr(cause)).splitlines()[0]
            sentence = _sentence(name, said)
            if self.path is not None and (sentence is None or _may_be_damage(said, self.path)):
                raise DamagedError(f"{name} is damaged ({said})", self._newest()) from None
            raise StorageError(sentence or f"{name}: {said}") from None
        except SQLAlchemyError as error:
            raise StorageError(f"{name}: {error}") from None


def _place(where: str | Path) -> tuple[Path | None, URL]:
    """The file, if it is one, and the URL. Raises StorageError for neither."""
    text = str(where)
    if "://" not in text:
        path = Path(text).expanduser()
        return path, URL.create("sqlite", database=str(path))
    try:
        url = make_url(text)
    except ArgumentError:
        raise StorageError(f"{text!r} is neither a path nor a database URL") from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    sqlite = url.get_backend_name() == "sqlite" and url.database
    return (Path(url.database) if sqlite and url.database else None), url


def _after(at: str) -> str:
    """The next second; nothing for what is no time."""
    try:
        return (datetime.strptime(at, TIME) + timedelta(seconds=1)).strftime(TIME)
    except (ValueError, OverflowError):
        return ""


def _decoded(texts: Iterable[str]) -> list[Any]:
    """The texts decoded at once, which is several times faster than one by one."""
    decoded: list[Any] = json.loads(f"[{','.join(texts)}]")
    return decoded


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Without looking for cycles: a long log is many new objects, and none of them is garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("hupai_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _sentence(name: str, said: str) -> str | None:
    """What an error of the system around the database means; None for any other."""
    lower = said.lower()
    if "full" in lower or "no space" in lower or "disk i/o" in lower:
        return f"{name}: the disk is full ({said}); nothing was booked, what was there is kept"
    if "readonly" in lower or "read-only" in lower or "unable to open" in lower:
        return f"{name} cannot be written: the file or its folder is read-only ({said})"
    if "locked" in lower:
        return f"{name} is held by another program for too long; try again ({said})"
    return None


def _may_be_damage(said: str, path: Path) -> bool:
    """SQLite calls a full disk and a broken page an I/O error alike; the file itself decides."""
    return "disk I/O" in said and path.exists() and not backup.is_whole(path)
