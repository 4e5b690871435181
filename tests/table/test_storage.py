"""Nothing acknowledged is lost: killed writers, rival writers, full disks, broken files."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from table import DamagedError, Ledger, LedgerError, StorageError, Store, backup
from table.log import effective, refold
from table.schema import VERSION
from tests.faults.disk import small_disk
from tests.support import REPOSITORY, slow_count
from tests.table.nights import start, won

FORK = multiprocessing.get_context("fork")  # a fresh interpreter for each kill would take minutes
NOBODY = 65534


def in_child(work: Callable[[], None]) -> Any:
    child = FORK.Process(target=work, daemon=True)
    child.start()
    return child


def whole(place: str, night: str = "friday") -> Ledger:
    """The night read from the start; what is stored must be what an honest refold gives."""
    ledger = Ledger(Store(place), night)
    state, changed = refold(effective(ledger.records))
    assert not changed
    assert state.totals == ledger.state.totals
    assert sum(state.totals.values()) == 0
    ledger.store.close()  # it opens again when it is asked; a fork must not share a connection
    return ledger


def test_a_killed_writer_loses_nothing_it_acknowledged(place: str) -> None:
    """Killed at a random moment, again and again; each writer goes on where the last one died."""
    rng = Random("kill")
    acknowledged, night = 1, ""
    for kill in range(slow_count(5, 300)):
        if kill % 30 == 0:
            acknowledged, night = 1, f"night {kill}"
            start(place, night=night).store.close()
        read, write = os.pipe()

        def book(kill: int = kill, write: int = write, night: str = night) -> None:
            ledger = Ledger(Store(place), night)
            for number in range(1000):
                if number % 5 == 4:  # an undo moves later hands in the same record
                    record = ledger.accept(ledger.propose_undo(ledger.length - 1))
                else:
                    body = won("An", total=1) if number % 2 else won("Bo", "Chi", 3)
                    record = ledger.add("win", body, key=f"{kill}-{number}")
                os.write(write, record.no.to_bytes(4, "big"))

        child = in_child(book)
        os.close(write)
        seen = b"".join(os.read(read, 4) for _ in range(rng.randint(0, 6)))
        time.sleep(rng.random() * 0.03)
        child.kill()
        child.join()
        while more := os.read(read, 4096):
            seen += more
        os.close(read)
        if seen:
            acknowledged = int.from_bytes(seen[-4:], "big")
        ledger = whole(place, night)
        assert ledger.length >= acknowledged
        acknowledged = ledger.length
    whole(place, night).add("draw", {})


def test_rival_writers_never_lose_an_event(place: str) -> None:
    start(place).store.close()
    writers, each = 3, slow_count(8, 60)

    def book(name: int) -> None:
        ledger = Ledger(Store(place), "friday")
        for number in range(each):
            ledger.add("win", won("Bo", "Chi", number), key=f"{name}-{number}")

    children = [in_child(lambda name=name: book(name)) for name in range(writers)]  # type: ignore[misc]
    for child in children:
        child.join()
        assert child.exitcode == 0
    ledger = whole(place)
    keys = [record.key for record in ledger.records[1:]]
    assert sorted(keys) == sorted(f"{w}-{n}" for w in range(writers) for n in range(each))
    assert ledger.state.deals == writers * each


def test_a_restarted_postgres_server_keeps_what_was_booked(
    server: Any, postgres_place: str
) -> None:
    ledger = start(postgres_place, night="restart")
    ledger.add("draw", {})
    server.stop("immediate")
    with pytest.raises(StorageError):
        ledger.add("draw", {}, key="again")
    server.start()
    ledger.add("draw", {}, key="again")
    assert Ledger(Store(postgres_place), "restart").state.streak == 2


def fill_up(place: str) -> None:
    """Book until there is no room, and end with 7 when that was said clearly."""
    ledger = Ledger(Store(place), "friday")
    try:
        for _ in range(5000):
            ledger.add("penalty", {"offender": "An", "points": 1, "note": "x" * 2000})
    except StorageError as error:
        os._exit(7 if "full" in str(error) and "kept" in str(error) else 8)


def test_a_file_that_may_not_grow_keeps_what_was_there(tmp_path: Path) -> None:
    place = str(tmp_path / "club.sqlite")
    ledger = start(place)
    ledger.add("win", won("Chi", "Bo"))
    ledger.store.close()

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
        fill_up(place)

    child = in_child(work)
    child.join()
    assert child.exitcode == 7
    ledger = whole(place)
    assert ledger.length > 10
    assert ledger.state.history[0].payments["Chi"] == 6
    ledger.add("draw", {})


def test_a_full_disk_keeps_what_was_there() -> None:
    with small_disk("400k") as folder:
        place = str(folder / "club.sqlite")
        start(place).store.close()
        child = in_child(lambda: fill_up(place))
        child.join()
        assert child.exitcode == 7
        ledger = Ledger(Store(place, write=False), "friday")
        assert ledger.state.totals["An"] == -3 * (ledger.length - 1)
        assert ledger.length > 10
        ledger.store.close()


def test_a_read_only_folder_is_named_and_can_still_be_read() -> None:
    folder = Path(tempfile.mkdtemp(prefix="hupai-ro-"))
    place = folder / "club.sqlite"
    ledger = start(str(place))
    ledger.add("win", won("Chi", "Bo"))
    ledger.store.close()
    place.chmod(0o444)
    folder.chmod(0o555)

    def work() -> None:
        if os.geteuid() == 0:  # root ignores mode bits
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        with pytest.raises(StorageError, match="read-only"):
            Store(str(place))
        with pytest.raises(StorageError, match="read-only"):
            Store(str(folder / "new.sqlite"))
        assert Ledger(Store(str(place), write=False), "friday").state.totals["Chi"] == 6
        os._exit(7)

    child = in_child(work)
    child.join()
    folder.chmod(0o755)
    shutil.rmtree(folder)
    assert child.exitcode == 7


def test_a_damaged_file_is_detected_and_a_backup_offered(tmp_path: Path) -> None:
    """Bytes are overwritten anywhere: either it is noticed, or nothing that is read changed."""
    place = tmp_path / "club.sqlite"
    ledger = start(str(place))
    for number in range(30):
        ledger.add("win", won("Bo", "Chi", number))
    ledger.store.close()
    sound, totals = place.read_bytes(), dict(ledger.state.totals)
    rng = Random("damage")
    tries, noticed = slow_count(25, 400), 0
    for _ in range(tries):
        broken = bytearray(sound)
        at = rng.randrange(len(broken))
        length = rng.choice((1, 16, 4096))
        broken[at : at + length] = rng.randbytes(len(broken[at : at + length]))
        place.write_bytes(broken)
        try:
            store = Store(str(place))
            again = Ledger(store, "friday")
        except DamagedError as error:
            noticed += error.backup is not None and "restore" in str(error)
        else:
            noticed += 1  # nothing that is read has changed
            assert again.state.totals == totals
            assert again.length == 31
            store.close()
        for tail in ("-wal", "-shm"):
            Path(f"{place}{tail}").unlink(missing_ok=True)
    assert noticed == tries


def test_the_backup_is_put_back_and_the_damaged_file_kept(tmp_path: Path) -> None:
    place = tmp_path / "club.sqlite"
    ledger = start(str(place))
    for _ in range(10):
        ledger.add("draw", {})
    ledger.store.close()
    place.write_bytes(b"not a database, but long enough to look at" * 100)
    with pytest.raises(DamagedError, match="backup"):
        Store(str(place))
    copy, kept = backup.restore(place)
    assert copy == backup.paths(place)[0]
    assert kept is not None
    assert kept.read_bytes().startswith(b"not a database")
    assert whole(str(place)).length == 10  # the copy made with event 10


def test_a_changed_event_is_noticed_though_the_file_is_whole(place: str) -> None:
    """Somebody with a database tool gives himself points: the seals no longer fit."""
    ledger = start(place)
    ledger.add("win", won("Bo", "Chi", 3))
    ledger.add("draw", {})
    engine = create_engine(ledger.store.url)
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE hupai_events SET outcomes = REPLACE(outcomes, '-6', '-9') WHERE no = 2")
        )
    engine.dispose()
    with pytest.raises(DamagedError, match="event 2"):
        Ledger(Store(place), "friday")
    with pytest.raises(DamagedError, match="event 2"):
        ledger.verify()


def statements(name: str) -> list[str]:
    lines = (REPOSITORY / "tests" / "data" / name).read_text("utf-8").splitlines()
    sql = "\n".join(line for line in lines if not line.startswith("--"))
    return [statement for statement in sql.split(";\n") if statement.strip()]


def test_a_ledger_of_the_first_form_is_brought_up_to_date(place: str) -> None:
    url = place if "://" in place else f"sqlite:///{place}"
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements("ledger-form-1.sql"):
            connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()
    store = Store(place)
    assert [(n.night, n.table) for n in store.nights()] == [("friday", "main")]
    ledger = Ledger(store, "friday")
    assert ledger.state.totals == {"An": 0, "Bo": -6, "Chi": 6, "Dee": 0}
    ledger.add("draw", {})
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT version FROM hupai_schema")).scalar() == VERSION
    if store.path:
        assert backup.newest(store.path) is not None  # a copy of what it was before


def test_a_ledger_of_a_newer_form_is_left_alone(place: str) -> None:
    store = start(place).store
    with store.writing() as connection:
        connection.execute(text("UPDATE hupai_schema SET version = 99"))
    store.close()
    with pytest.raises(StorageError, match="newer"):
        Store(place)


def test_where_there_is_no_ledger_the_message_says_so(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="ledger new"):
        Store(tmp_path / "nothing.sqlite", write=False)
    with pytest.raises(LedgerError, match="neither"):
        Store("://")
    with contextlib.suppress(StorageError):
        Store("postgresql://nobody@127.0.0.1:1/none")
        pytest.fail("there is no server there")
