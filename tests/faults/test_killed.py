"""A server that is killed in the middle of its work, and started again."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path

import httpx2

from table import Ledger, Store
from tests.kiosk.server.started import PATIENCE_S, Command
from tests.support import slow_count
from tests.table.nights import PLAYERS, THREE_PUNGS

BOOKERS = 3
WIN = {"winners": [{"player": "Chi", "hand": THREE_PUNGS}], "from": "Bo"}


def killed(command: Command) -> None:
    """As kill -9 does, or a power cut."""
    command.process.kill()
    command.process.wait(PATIENCE_S)


class Busy:
    """Clients that book hands (each with a key) and send photos until the server is gone."""

    def __init__(self, address: str, headers: dict[str, str], photo: bytes, life: int) -> None:
        self.acknowledged: list[str] = []
        self.asked: list[str] = []
        self.photos = 0
        self._client = partial(httpx2.Client, base_url=address, headers=headers, timeout=60)
        self._threads = [
            threading.Thread(target=self._book, args=(f"{life}-{name}",)) for name in range(BOOKERS)
        ]
        self._threads.append(threading.Thread(target=self._read, args=(photo,)))
        for thread in self._threads:
            thread.start()

    def _book(self, name: str) -> None:
        with self._client() as client:
            for n in range(10_000):
                key = f"{name}-{n}"
                self.asked.append(key)
                try:
                    answer = book(client, key)
                except httpx2.HTTPError:
                    return
                assert answer.status_code == 201, answer.text
                self.acknowledged.append(key)

    def _read(self, photo: bytes) -> None:
        with self._client() as client:
            while True:
                try:
                    client.post("/api/readings", files={"picture": photo})
                except httpx2.HTTPError:
                    return
                self.photos += 1

    def wait_for_a_booking(self) -> None:
        """Return as soon as the server has acknowledged one, however slow the machine is."""
        end = time.monotonic() + PATIENCE_S
        while not self.acknowledged and time.monotonic() < end:
            time.sleep(0.02)

    def join(self) -> None:
        for thread in self._threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


def book(client: httpx2.Client, key: str) -> httpx2.Response:
    return client.post("/api/table/hands", json=WIN, headers={"Idempotency-Key": key})


def test_a_killed_server_is_started_again_and_nothing_is_lost(tmp_path: Path, photo: bytes) -> None:
    acknowledged: list[str] = []
    asked: list[str] = []
    token = None
    for life in range(slow_count(2, 20)):
        command = Command(tmp_path, "--lan")
        headers = {"Authorization": f"Bearer {command.token}"}
        assert token in (None, command.token)  # phones stay known
        token = command.token
        with httpx2.Client(base_url=command.address, timeout=60, headers=headers) as client:
            if life == 0:
                client.put("/api/config", json={"values": {"players": PLAYERS, "base": 5}})
                client.post("/api/table/nights", json={"players": PLAYERS, "rules": "taiwan"})
            assert client.get("/api/config").json()["values"]["base"] == 5
            # What was asked for when the server died is asked again, as a page does.
            for key in [key for key in asked if key not in acknowledged]:
                assert book(client, key).status_code == 201
        acknowledged = list(asked)
        busy = Busy(command.address, headers, photo, life)
        busy.wait_for_a_booking()
        time.sleep(1.0)
        killed(command)
        busy.join()
        assert busy.acknowledged
        acknowledged += busy.acknowledged
        asked += busy.asked
    with Store(tmp_path / "l.sqlite") as store:
        ledger = Ledger(store, store.nights()[-1].night)
        booked = [record.key for record in ledger.records[1:]]
    assert len(booked) == len(set(booked))
    assert set(acknowledged) <= set(booked) <= set(asked)
    assert sum(ledger.state.totals.values()) == 0
    assert ledger.verify() == []
