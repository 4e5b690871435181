"""What the reading service costs and how long photos wait: `python -m tests.bench.cluster`.

    python -m tests.bench.cluster --out cluster/measured.json

One replica of each part on one node. First one client, photo after photo: processor seconds of
each part for a photo, from /proc, so that what else runs hardly matters, and the replicas' memory.
Then what four clients at a time get out of it, and photos that arrive at random times, a quarter,
a half and three quarters as many a second: how long each waits for its answer. Last, what an event
takes in PostgreSQL. Needs Linux, ray, PostgreSQL and ../shared.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import create_engine, text

from cluster.capacity import PARTS
from kiosk.server.far import Service
from table import Ledger, Store
from tests.cluster.load import FORM, form, post_all
from tests.cluster.nodes import Cluster, service_on
from tests.support import postgres, shared
from tests.table.conftest import Server
from tests.table.nights import THREE_PUNGS

LOADS = (0.25, 0.5, 0.75)
CLIENTS = 4
EVENTS, TABLES = 3000, 30
HOW = (
    "Measured by `python -m tests.bench.cluster` on {day}, {cores} cores, one replica of each part "
    "on one node, {load:.0f} programs wanting a core in the mean."
)
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--photos", type=int, default=200, help="of each measurement (200)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures")
    arguments = parser.parse_args()
    found = (
        {"how": HOW.format(**about())} | {"event_bytes": event_bytes()} | service(arguments.photos)
    )
    answer = json.dumps(found, indent=1) + "\n"
    print(answer, end="")
    if arguments.out is not None:
        arguments.out.write_text(answer, encoding="utf-8")


def about() -> dict[str, Any]:
    load = os.getloadavg()[1]
    return {"day": datetime.now(UTC).date(), "cores": os.cpu_count(), "load": load}


def photos(count: int) -> list[bytes]:
    paths = sorted(shared("data", "photos").glob("*/images/*.jpg"))
    return [path.read_bytes() for path in paths[:: max(1, len(paths) // count)][:count]]


def service(count: int) -> dict[str, Any]:
    pictures = photos(count)
    bodies = [form(picture) for picture in pictures]
    with service_on("1:1", nodes=1) as cluster:
        client = Service(cluster.url, wait_s=300)
        for body in bodies[:10]:
            client.ask("/api/readings", body, FORM)
        before = {part: cpu_s(cluster, part) for part in PARTS}
        alone_s = []
        for body in bodies:
            start = time.monotonic()
            client.ask("/api/readings", body, FORM)
            alone_s.append(time.monotonic() - start)
        spent = {p: round((cpu_s(cluster, p) - before[p]) / len(bodies), 4) for p in PARTS}
        memory = {part: round(memory_mb(cluster, part)) for part in PARTS}
        start = time.monotonic()
        post_all(cluster.url, pictures, len(pictures), CLIENTS)
        most = len(pictures) / (time.monotonic() - start)
        return {
            "photos": len(bodies),
            "picture_kb": round(statistics.mean(map(len, bodies)) / 1000),
            "cpu_s": spent,
            "memory_mb": memory,
            "photos_per_s_of_a_replica": {p: round(1 / s, 2) for p, s in spent.items()},
            "alone_p50_s": round(statistics.median(alone_s), 3),
            "most_photos_per_s": round(most, 2),
            "loads": [at_load(cluster, bodies, share * most, share) for share in LOADS],
        }


def at_load(cluster: Cluster, bodies: list[bytes], per_s: float, share: float) -> dict[str, Any]:
    """Photos that come at random, `per_s` of them a second in the mean (a Poisson process)."""
    rng, spent, lock = Random(f"load {share}"), [], threading.Lock()

    def post(body: bytes) -> None:
        start = time.monotonic()
        Service(cluster.url, wait_s=300).ask("/api/readings", body, FORM)
        with lock:
            spent.append(time.monotonic() - start)

    threads = []
    begin = time.monotonic()
    for body in bodies:
        time.sleep(rng.expovariate(per_s))
        threads.append(threading.Thread(target=post, args=(body,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - begin
    ordered = sorted(spent)
    return {
        "share": share,
        "arrivals_per_s": round(per_s, 2),
        "answers_per_s": round(len(ordered) / took, 2),
        "p50_s": round(statistics.median(ordered), 3),
        "p95_s": round(ordered[int(0.95 * len(ordered))], 3),
    }


def _replica(cluster: Cluster, part: str) -> int:
    titles = cluster.replicas(cluster.head, part)
    exact = [pid for pid, name in titles.items() if name.split(":")[4].split(".")[0] == part]
    return exact[0]


def cpu_s(cluster: Cluster, part: str) -> float:
    """Processor seconds of the replica so far."""
    stat = Path(f"/proc/{_replica(cluster, part)}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / TICKS


def memory_mb(cluster: Cluster, part: str) -> float:
    pages = int(Path(f"/proc/{_replica(cluster, part)}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def event_bytes() -> float:
    """What a hand takes in PostgreSQL, with indexes, in nights of a hundred."""
    programs = postgres()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed here.")
    server = Server(programs)
    try:
        store = Store(server.url)
        for night in range(TABLES):
            body = {"players": ["An", "Bo", "Chi", "Dee"], "rules": {"id": "taiwan"}}
            ledger = Ledger.start(store, f"night {night}", body, table=str(night))
            for hand in range(EVENTS // TABLES):
                winner = {"player": ("An", "Bo", "Chi")[hand % 3], "hand": THREE_PUNGS}
                ledger.add("win", {"winners": [winner], "from": "Dee"})
        store.close()
        engine = create_engine(server.url)
        with engine.connect() as connection:
            size = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname = ANY(:n)"
            names = ["hupai_events", "hupai_nights"]
            total = int(connection.execute(text(size), {"n": names}).scalar() or 0)
        engine.dispose()
        return round(total / EVENTS)
    finally:
        server.close()


if __name__ == "__main__":
    main()
