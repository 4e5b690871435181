"""The stored form, and the way from each version of it to the next.

A database that an older hupai wrote is taken forward step by step when it is opened for writing,
in one transaction; one that a newer hupai wrote is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    text,
)

from .errors import StorageError

META: Final = MetaData()
NIGHTS: Final = Table(
    "hupai_nights",
    META,
    Column("night", String(80), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("table_id", String(80), nullable=False, server_default="main"),
    Index("hupai_nights_by_table", "table_id", "created"),
)
EVENTS: Final = Table(
    "hupai_events",
    META,
    Column("night", String(80), ForeignKey("hupai_nights.night"), primary_key=True),
    Column("no", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("key", String(120), nullable=False),
    Column("at", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("outcomes", Text, nullable=False),
    Column("seal", String(64), nullable=False),
    UniqueConstraint("night", "key", name="hupai_events_key"),
)
SCHEMA: Final = Table("hupai_schema", META, Column("version", Integer, nullable=False))


def _to_2(connection: Connection) -> None:
    """Version 1 knew one table; several write to one database since."""
    connection.execute(
        text("ALTER TABLE hupai_nights ADD COLUMN table_id VARCHAR(80) NOT NULL DEFAULT 'main'")
    )
    connection.execute(
        text("CREATE INDEX hupai_nights_by_table ON hupai_nights (table_id, created)")
    )


STEPS: Final[dict[int, Callable[[Connection], None]]] = {2: _to_2}
"""Version -> what makes it from the version before."""
VERSION: Final = 2


def version_of(connection: Connection) -> int:
    """The version of the stored form; 0 where nothing has been stored."""
    if not inspect(connection).has_table(SCHEMA.name):
        return 0
    return connection.execute(text("SELECT MAX(version) FROM hupai_schema")).scalar() or 0


def prepare(connection: Connection) -> None:
    """Make the tables, or bring older ones up to date. Call it inside a writing transaction."""
    if connection.dialect.name == "postgresql":  # two first writers must not make them twice
        connection.execute(text("SELECT pg_advisory_xact_lock(4808201)"))
    version = version_of(connection)
    check(version)
    if version == 0:
        META.create_all(connection)
    for step in range(version + 1, VERSION + 1):
        if version:
            STEPS[step](connection)
    if version != VERSION:
        connection.execute(text("DELETE FROM hupai_schema"))
        connection.execute(SCHEMA.insert().values(version=VERSION))


def check(version: int) -> None:
    """Raises StorageError for a form that is newer than this program."""
    if version > VERSION:
        raise StorageError(
            f"this ledger has form {version}, which a newer hupai wrote; this one knows {VERSION}. "
            "Update hupai"
        )
