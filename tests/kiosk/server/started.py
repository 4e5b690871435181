"""A server that is really started: in a thread of this process, or by the command `hupai`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kiosk.server.app import create_app
from kiosk.server.desk import Desk, Options
from kiosk.server.running import listening, server_of
from tests.support import REPOSITORY

PATIENCE_S = 300
"""How long a server may take on a busy machine before a test gives up."""
ADDRESS = re.compile(r"(https?)://127\.0\.0\.1:(\d+)/kiosk(?:\?token=(\S+))?")


@dataclass(frozen=True)
class Served:
    """Where it is."""

    port: int
    desk: Desk

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def served(options: Options) -> Iterator[Served]:
    """A server in a thread, without limits on how often one client may ask."""
    app = create_app(options, rates={})
    with listening("127.0.0.1", 0) as bound:
        server = server_of(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.02)
        try:
            yield Served(bound.getsockname()[1], app.state.desk)
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)


class Command:
    """`hupai serve …` as a process; `output` is what it has printed."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = os.environ | {"HUPAI_DATA": str(folder / "data")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kiosk", "serve", "--port", "0", *arguments,
             "--config", str(folder / "config.toml"), "--ledger", str(folder / "l.sqlite")],
            cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.output = ""
        for line in self.process.stdout:
            self.output += line
            if line.startswith("Ctrl-C"):
                break
        self._rest = threading.Thread(target=self._listen, daemon=True)
        self._rest.start()
        found = ADDRESS.search(self.output)
        assert found, self.output
        self.scheme, port, self.token = found.groups()
        self.port = int(port)
        self.address = f"{self.scheme}://127.0.0.1:{port}"

    def _listen(self) -> None:
        """A pipe that nobody reads would hold the server up."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line

    def end(self) -> int:
        """As Ctrl-C does; the exit code."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()
            self._rest.join(PATIENCE_S)
