"""Ray nodes on this machine with the reading service, started as people start them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cluster import local
from cluster.local import Node
from tests.support import REPOSITORY

CPUS = 4
"""What each node says it has: replicas and tasks find room, whatever the machine has."""
PATIENCE_S = 600


@dataclass
class Cluster:
    """`worker` has joined `head`, which is what `up` finds; `url` is the service's."""

    head: Node
    worker: Node
    url: str
    environment: dict[str, str]

    def hupai(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """A command of its own, which finds the cluster as `up` has left it."""
        return command(self.environment, *words, check=check)

    def replicas(self, node: Node, part: str = "") -> dict[int, str]:
        """Processes of the service's replicas on a node."""
        title = f"ray::ServeReplica:hupai:{part}"
        return {pid: name for pid, name in node.programs().items() if name.startswith(title)}


def command(
    environment: dict[str, str], *words: str, check: bool = True
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "kiosk", *words],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    if check:
        assert done.returncode == 0, done.stderr
    return done


@contextmanager
def service_on(replicas: str, *, nodes: int = 2) -> Iterator[Cluster]:
    """A cluster of so many nodes, and on it the service with `MIN:MAX` replicas of each part."""
    folder = Path(tempfile.mkdtemp(prefix="hupai-rt-"))
    environment = os.environ | {"HUPAI_DATA": str(folder / "data"), "HUPAI_DEBUG": "1"}
    environment |= {"XDG_CACHE_HOME": str(folder / "cache")}
    started: list[Node] = []
    try:
        head = local.start_head(folder / "ray", cpus=CPUS)
        started.append(head)
        state = folder / "data" / "cluster"
        state.mkdir(parents=True)
        local.remember(state, head)
        started += [local.start_worker(head, folder / "ray", cpus=CPUS) for _ in range(nodes - 1)]
        words = ("--port", str(local.free_port()), "--replicas", replicas, "--share", "0.5")
        done = command(environment, "cluster", "up", *words)
        found = re.search(r"http://127\.0\.0\.1:\d+", done.stdout)
        assert found, done.stdout
        yield Cluster(head, started[-1], found[0], environment)
    finally:
        for node in reversed(started):
            node.kill()
        shutil.rmtree(folder, ignore_errors=True)


def until(done: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    ends = time.monotonic() + patience_s
    while not done():
        assert time.monotonic() < ends, f"waited in vain: {what}"
        time.sleep(0.1)
