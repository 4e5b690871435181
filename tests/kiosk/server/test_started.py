"""A server that is really started: streams, slow and broken clients, many at once, certificates."""

from __future__ import annotations

import json
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from kiosk.server import limits, running
from kiosk.server.certificate import kept_certificate
from kiosk.server.desk import Options
from tests.kiosk.server.conftest import FACTS
from tests.kiosk.server.started import PATIENCE_S, Command, Served, served
from tests.support import REPOSITORY

PLAYERS = ["An", "Bo", "Chi", "Dee"]
WIN = {"winners": [{"player": "Chi", "hand": "66678m11333p555z[222z]@6m"}], "from": "Bo"}


@pytest.fixture
def server(options: Options) -> Iterator[Served]:
    with served(options) as server:
        yield server


def news(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """The events of a stream."""
    event = ""
    for line in lines:
        if line.startswith("event: "):
            event = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield event, json.loads(line.removeprefix("data: "))


def test_several_pages_see_the_same_state_at_once(server: Served) -> None:
    with httpx2.Client(base_url=server.address, timeout=PATIENCE_S) as client:
        client.post("/api/table/nights", json={"players": PLAYERS, "rules": "taiwan"})
        with (
            client.stream("GET", "/api/table/events?lang=en") as one,
            client.stream("GET", "/api/table/events?lang=zh-Hant") as two,
        ):
            streams = [news(stream.iter_lines()) for stream in (one, two)]
            firsts = [next(stream) for stream in streams]
            assert [(event, data["length"]) for event, data in firsts] == [("table", 1)] * 2
            assert [next(stream)[0] for stream in streams] == ["kiosk"] * 2
            client.post("/api/table/hands", json=WIN)
            seen = [next(stream)[1] for stream in streams]
            assert [data["length"] for data in seen] == [2, 2]
            assert [data["round_name"] for data in seen] == ["East", "東"]
            client.put("/api/config", json={"values": {"currency": "TWD"}})
            assert [next(stream)[0] for stream in streams] == ["config"] * 2


def test_what_the_command_line_books_is_told(server: Served, options: Options) -> None:
    with httpx2.Client(base_url=server.address, timeout=PATIENCE_S) as client:
        client.post("/api/table/nights", json={"players": PLAYERS, "rules": "taiwan"})
        with client.stream("GET", "/api/table/events") as stream:
            events = news(stream.iter_lines())
            next(events), next(events)
            time.sleep(2.5)  # the server has looked at the ledger once
            done = subprocess.run(
                [sys.executable, "-m", "kiosk", "ledger", "add", "draw",
                 "--ledger", str(options.ledger)],
                cwd=REPOSITORY, capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            assert next(events)[1]["length"] == 2


def test_slow_and_broken_clients_block_nobody(
    server: Served, photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty that send half a line, forty that stop in a body: everybody else is served."""
    monkeypatch.setattr(limits, "PAUSE_S", 1.0)
    lines = [b"GET /hea", b"POST /api/readings HTTP/1.1\r\nHost: 127.0.0.1\r\n"]
    body = (
        b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n--x\r\n"
    )
    starts = [lines[0]] * 40 + [lines[1] + body] * 40
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in starts]
    try:
        for connection, start in zip(slow, starts, strict=True):
            connection.sendall(start)
        with httpx2.Client(base_url=server.address, timeout=PATIENCE_S) as client:
            assert client.get("/health").json()["status"] == "ok"
            answer = client.post("/api/readings", files={"picture": photo})
            assert answer.status_code == 201
        slow[-1].settimeout(PATIENCE_S)
        assert b"408" in slow[-1].recv(4096)
    finally:
        for connection in slow:
            connection.close()


def test_a_connection_that_says_nothing_is_closed(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "HEADER_S", 0.3)
    with served(options) as server:
        for start in (b"", b"GET / HTTP/1.1\r\nHost: 127"):
            with socket.create_connection(
                ("127.0.0.1", server.port), timeout=PATIENCE_S
            ) as connection:
                connection.sendall(start)
                assert connection.recv(100) == b""


def test_a_client_that_leaves_in_the_middle_does_no_harm(server: Served) -> None:
    head = b"POST /api/readings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nabc"
    for _ in range(10):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(head)
    assert httpx2.get(f"{server.address}/health", timeout=PATIENCE_S).status_code == 200


def test_many_photos_at_once_are_read_or_told_to_wait(server: Served, photo: bytes) -> None:
    """Twenty at the same moment: two are read, twelve wait, the others are told when to come."""
    gate = threading.Barrier(20)

    def post(_: int) -> Any:
        with httpx2.Client(base_url=server.address, timeout=PATIENCE_S) as client:
            gate.wait()
            form = {"situation": json.dumps(FACTS)}
            return client.post("/api/readings", files={"picture": photo}, data=form)

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(post, range(20)))
    read = [answer for answer in answers if answer.status_code == 201]
    assert len(read) >= 14
    assert {answer.json()["total"] for answer in read} == {2}
    assert len({answer.json()["id"] for answer in read}) == len(read)
    for answer in answers:
        if answer.status_code != 201:
            assert (answer.status_code, answer.json()["id"]) == (503, "busy")
            assert int(answer.headers["retry-after"]) > 0


def test_readings_are_bounded_in_memory(server: Served, photo: bytes) -> None:
    with httpx2.Client(base_url=server.address, timeout=PATIENCE_S) as client:
        ids = [
            client.post("/api/readings", files={"picture": photo}).json()["id"] for _ in range(3)
        ]
        server.desk.readings._most = 2
        client.post("/api/readings", files={"picture": photo})
        assert len(server.desk.readings) == 2
        assert client.get(f"/api/readings/{ids[0]}").status_code == 404
        assert client.get(f"/api/readings/{ids[2]}").status_code == 200


def test_the_command_serves_this_machine_alone(tmp_path: Path) -> None:
    command = Command(tmp_path)
    try:
        assert command.token is None
        assert httpx2.get(f"{command.address}/health", timeout=PATIENCE_S).json()["status"] == "ok"
        assert "--lan" in command.output
        # An open stream must not hold up the end.
        with httpx2.stream(
            "GET", f"{command.address}/api/table/events", timeout=PATIENCE_S
        ) as stream:
            next(stream.iter_lines())
            assert command.end() == 0, command.output
    finally:
        command.process.kill()


def test_lan_wants_the_token_also_with_https(tmp_path: Path) -> None:
    command = Command(tmp_path, "--lan", "--https")
    certificate = tmp_path / "data" / "serve" / "certificate.pem"
    try:
        trusted = ssl.create_default_context(cafile=str(certificate))
        with httpx2.Client(base_url=command.address, verify=trusted, timeout=PATIENCE_S) as client:
            assert client.get("/health").status_code == 401
            first = client.get(f"/api/session?token={command.token}")
            assert first.json()["https"]
            assert first.json()["address"].startswith("https://")
            assert "Secure" in first.headers["set-cookie"]
            assert client.get("/qr.svg").status_code == 200
    finally:
        command.end()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with running.listening("127.0.0.1", 0) as bound:
        port = str(bound.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "kiosk", "serve", "--port", port,
             "--config", str(tmp_path / "c")],
            cwd=REPOSITORY, capture_output=True, text=True,
        )  # fmt: skip
    assert done.returncode == 1
    assert "choose --port" in done.stderr


def test_a_certificate_is_made_anew_for_other_names_only(tmp_path: Path) -> None:
    first = kept_certificate(tmp_path, ["table7.local"], ["192.168.1.7"])
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    assert kept_certificate(tmp_path, [], []).fingerprint == first.fingerprint
    other = kept_certificate(tmp_path, [], ["192.168.1.8"])
    assert other.fingerprint != first.fingerprint
    first.file.write_text("damaged", encoding="ascii")
    assert kept_certificate(tmp_path, [], []).fingerprint != other.fingerprint


def test_serving_loads_no_training_library() -> None:
    code = (
        "import sys; from kiosk.server.app import create_app; create_app(); "
        "import kiosk.verbs.serve; "
        "sys.exit(bool({'torch', 'ultralytics', 'datasets', 'training'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY).returncode == 0
