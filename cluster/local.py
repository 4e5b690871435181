"""Ray on this machine: a head, and more nodes beside it, each in a session of its own.

Nothing is reported to anybody, and whoever would connect needs the cluster's key. A node is ended
by its own processes: other people's Ray on the same machine is not touched. Ray reads the key once,
when it is imported: so it is imported here by `connect`, and by the other modules afterwards.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

ANSWER_S: Final = 5.0
ENDED_S: Final = 10.0
"""A busy machine takes a while to clear away a process that was killed."""
START_S: Final = 300.0
STORE_BYTES: Final = 200 * 2**20
STATE: Final = "cluster.json"


class ClusterError(RuntimeError):
    """Ray could not be started or reached; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Node:
    """One `ray start` that runs: its process (and group) and the address of its head."""

    pid: int
    address: str
    key: str
    log: str

    def alive(self) -> bool:
        try:
            state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return _signals(self.pid, 0) if not Path("/proc").is_dir() else False
        return state not in "ZX"

    def kill(self) -> None:
        """End it at once with all that runs on it, as a power cut would, and wait until it is."""
        _signals(self.pid, signal.SIGKILL, group=True)
        for pid in self.programs():
            _signals(pid, signal.SIGKILL)
        ends = time.monotonic() + ENDED_S
        while self.alive() and time.monotonic() < ends:
            time.sleep(0.02)

    def programs(self) -> dict[int, str]:
        """What runs on this node: process number to its title; empty where there is no /proc."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
                title = (folder / "cmdline").read_bytes().rstrip(b"\0").decode(errors="replace")
            except OSError:
                continue
            if int(words[3]) == self.pid and words[0] != "Z":
                found[int(folder.name)] = title.replace("\0", " ")
        return found

    def stop(self, patience_s: float = 15.0) -> None:
        """Let it end in order, at the latest after so many seconds."""
        _signals(self.pid, signal.SIGTERM)
        ends = time.monotonic() + patience_s
        while self.alive() and time.monotonic() < ends:
            time.sleep(0.1)
        self.kill()


def start_head(folder: Path, *, port: int = 0, cpus: int | None = None) -> Node:
    """A head node, ready to be connected to; logs and sockets lie in `folder`.

    Raises ClusterError when it does not come up.
    """
    port = port or free_port()
    address = f"127.0.0.1:{port}"
    words = ["--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder / 'r'}"]
    return _start(folder, "head", address, secrets.token_hex(32), words, cpus)


def start_worker(head: Node, folder: Path, *, cpus: int | None = None) -> Node:
    """Another node of the same cluster on this machine. Raises ClusterError."""
    name = f"worker-{len(list(folder.glob('worker-*.log')))}"
    return _start(folder, name, head.address, head.key, [f"--address={head.address}"], cpus)


def _start(
    folder: Path, name: str, address: str, key: str, words: list[str], cpus: int | None
) -> Node:
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    command = [
        str(Path(sys.executable).with_name("ray")), "start", "--block", "--disable-usage-stats",
        "--node-ip-address=127.0.0.1", f"--object-store-memory={STORE_BYTES}", *words,
    ]  # fmt: skip
    if cpus is not None:
        command.append(f"--num-cpus={cpus}")
    with log.open("w", encoding="utf-8") as stream:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=environment(key),
            start_new_session=True,
        )
    node = Node(process.pid, address, key, str(log))
    ends = time.monotonic() + START_S
    while "Ray runtime started" not in log.read_text(encoding="utf-8", errors="replace"):
        if process.poll() is not None or time.monotonic() > ends:
            node.kill()
            raise ClusterError(f"Ray did not start here; its own words are in {log}")
        time.sleep(0.1)
    return node


def environment(key: str) -> dict[str, str]:
    """The environment in which Ray's programs find this cluster's key and report nothing."""
    fresh = os.environ | {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",  # Ray would let everything else on the machine go first
        # A machine that is busy is slow, not dead.
        "RAY_SERVE_QUEUE_LENGTH_RESPONSE_DEADLINE_S": "1",
        "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "60",
        "RAY_SERVE_PROXY_HEALTH_CHECK_TIMEOUT_S": "60",
    }
    if key:
        fresh |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": key}
    return fresh


def connect(address: str, key: str = "") -> None:
    """Be connected to a cluster. Raises ClusterError when there is none."""
    os.environ.update(environment(key))
    import ray

    if ray.is_initialized():
        return
    if not _answers(address):
        raise ClusterError(f"there is no Ray cluster at {address}")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ClusterError(f"there is no Ray cluster at {address} ({why})") from None


def _answers(address: str) -> bool:
    """Whether anything listens at a head: Ray itself asks one that has gone for minutes."""
    from ray._private.services import canonicalize_bootstrap_address

    try:
        found = canonicalize_bootstrap_address(address)
    except (ConnectionError, ValueError):
        return True  # no plain host and port: Ray may know more
    if found is None:
        return False
    host, _, port = found.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_S):
            return True
    except OSError:
        return False


def disconnect() -> None:
    import ray

    ray.shutdown()


# -- what `hupai cluster up` has started here


def remember(folder: Path, node: Node) -> None:
    """Keep what is needed to find and to end this head again; only its owner may read it."""
    file = folder / STATE
    file.unlink(missing_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(asdict(node), stream)


def remembered(folder: Path) -> Node | None:
    """The head that was started from here, if it still runs."""
    try:
        data: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
        node = Node(**data)
    except (OSError, ValueError, TypeError):
        return None
    return node if node.alive() else None


def forget(folder: Path) -> None:
    (folder / STATE).unlink(missing_ok=True)


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


def _signals(pid: int, number: int, *, group: bool = False) -> bool:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        (os.killpg if group else os.kill)(pid, number)
        return True
    return False
