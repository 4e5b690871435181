"""The reading service on two nodes: the same readings, and none lost when replicas die."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest

from kiosk.server.desk import Options
from tests.cluster.load import plain, post_all
from tests.cluster.nodes import Cluster, until
from tests.kiosk.server.conftest import client_of
from tests.support import shared, slow_count

CLIENTS = 4


def photos(count: int) -> list[bytes]:
    """Photos of both splits and every source, spread over the whole set."""
    paths = sorted(shared("data", "photos").glob("*/images/*.jpg"))
    chosen = paths[:: max(1, len(paths) // count)][:count]
    assert len(chosen) == count
    return [path.read_bytes() for path in chosen]


def read_here(pictures: list[bytes], folder: Path) -> list[dict[str, Any]]:
    """The readings of a single kiosk on this machine."""
    options = Options(config=folder / "config.toml", ledger=str(folder / "ledger.sqlite"))
    with client_of(options) as client:
        answers = [
            client.post("/api/readings?lang=en", files={"picture": picture}) for picture in pictures
        ]
    assert all(answer.status_code == 201 for answer in answers)
    return [plain(answer.json()) for answer in answers]


def note(name: str, figures: dict[str, Any]) -> None:
    """Tell the figures, and keep them where HUPAI_FIGURES says."""
    print(f"\n{name}: {json.dumps(figures)}")
    if folder := os.environ.get("HUPAI_FIGURES"):
        Path(folder, f"{name}.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")


def test_every_part_runs_on_both_nodes(cluster: Cluster) -> None:
    status = json.loads(cluster.hupai("cluster", "status", "--json").stdout)
    assert status["running"]
    assert {name: about["replicas"] for name, about in status["deployments"].items()} == {
        "readings": 2,
        "detector": 2,
        "reader": 2,
    }
    assert sum(node["alive"] for node in status["nodes"]) == 2
    for node in (cluster.head, cluster.worker):
        assert cluster.replicas(node)
    assert "detector" in cluster.hupai("cluster", "status").stdout


def test_the_service_reads_every_photo_as_a_single_kiosk_does(
    cluster: Cluster, tmp_path: Path
) -> None:
    pictures = photos(slow_count(20, 500))
    start = time.monotonic()
    load = post_all(cluster.url, pictures, len(pictures), CLIENTS)
    took_s = time.monotonic() - start
    expected = read_here(pictures, tmp_path)
    wrong = [k for k, one in enumerate(expected) if [plain(a) for a in load.answers[k]] != [one]]
    note("same-readings", load.figures(took_s) | {"differing": len(wrong)})
    assert not wrong
    assert len({one["hand"] for one in expected}) > len(pictures) // 4  # not all alike


def test_a_table_with_reading_url_reads_there(cluster: Cluster, tmp_path: Path) -> None:
    picture = photos(4)[1]
    options = Options(
        config=tmp_path / "c.toml", ledger=str(tmp_path / "l"), reading_url=cluster.url
    )
    with client_of(options) as client:
        client.app.state.desk.looking.service._wait_s = 120  # type: ignore[attr-defined]
        there = client.post("/api/readings?lang=en", files={"picture": picture}).json()
    assert there["away"] == ""
    assert plain(there) == read_here([picture], tmp_path)[0]


def test_a_bad_picture_is_a_clear_answer_and_nothing_is_kept(cluster: Cluster) -> None:
    with httpx2.Client(base_url=cluster.url, timeout=120) as client:
        refused = client.post("/api/readings", files={"picture": b"no picture"})
        assert refused.status_code == 415
        assert refused.headers["content-type"] == "application/problem+json"
        assert client.get("/api/table").status_code == 404
        other = client.get("/health", headers={"Host": "evil.test"})
        assert other.status_code == 421


@pytest.mark.parametrize("what", ["node", "replica"])
def test_whatever_dies_under_load_no_request_is_lost(
    what: str, cluster: Cluster, tmp_path: Path
) -> None:
    """Each is answered once, with the right reading; what has died is replaced."""
    pictures = photos(8)
    expected = read_here(pictures, tmp_path)
    total = slow_count(32, 400)
    victims: dict[int, str] = {}
    struck = threading.Event()

    def strike(done: int) -> None:
        if done < total // 3 or struck.is_set():
            return
        struck.set()
        if what == "node":
            victims.update(cluster.replicas(cluster.worker))
            cluster.worker.kill()
            return
        for part in ("detector", "readings", "reader"):  # one of each, wherever it runs
            node = cluster.worker if cluster.replicas(cluster.worker, part) else cluster.head
            pid, title = next(iter(cluster.replicas(node, part).items()))
            victims[pid] = title
            os.kill(pid, signal.SIGKILL)

    start = time.monotonic()
    load = post_all(cluster.url, pictures, total, CLIENTS, strike)
    note(f"{what}-killed", load.figures(time.monotonic() - start) | {"killed": len(victims)})
    assert victims
    running = {**cluster.replicas(cluster.head), **cluster.replicas(cluster.worker)}
    assert not set(victims) & set(running)
    assert sorted(load.answers) == list(range(total))
    for number, answers in load.answers.items():
        assert [plain(answer) for answer in answers] == [expected[number % len(pictures)]]

    def well() -> bool:
        found = json.loads(cluster.hupai("cluster", "status", "--json", check=False).stdout)
        return all(about["replicas"] == 2 for about in found["deployments"].values())

    until(well, "the replicas that died are replaced")
