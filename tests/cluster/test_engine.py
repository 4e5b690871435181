"""Big jobs: the same bytes by one process, by many and on Ray; killed, they go on as they were."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cluster.local import Node
from datasets.parts import Local, Parts, Rows
from datasets.render import PART, PARTS
from tests.cluster.nodes import Cluster, command, until
from tests.support import REPOSITORY, slow_count

SCENES = slow_count(160, 2000)
SIZE = "192x192"


def render(folder: Path, *more: str) -> list[str]:
    return ["render", "-n", str(SCENES), "--size", SIZE, "--seed", "5", "--out", str(folder), *more]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def marks(folder: Path) -> dict[Path, tuple[int, int]]:
    """Which file it is and when it was written, of every picture."""
    return {
        path: (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in (folder / "train" / "images").glob("*.jpg")
    }


def finished(folder: Path) -> set[int]:
    return {int(path.stem) for path in (folder / PARTS).glob("*.json")}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rendered by processes of this machine."""
    folder = tmp_path_factory.mktemp("local") / "scenes"
    command(dict(os.environ), *render(folder))
    return folder


def started(environment: dict[str, str], words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "kiosk", *words],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def killed_half_way(process: subprocess.Popen[bytes], folder: Path) -> set[int]:
    """Kill the job when half of its parts are done; those that were."""
    half = SCENES // PART // 2
    until(lambda: len(finished(folder)) >= half or process.poll() is not None, "half of the parts")
    assert process.poll() is None, "it was too fast to be killed half-way"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    done = finished(folder)
    assert half <= len(done) < SCENES // PART
    return done


def gone_on_with(
    folder: Path, done: set[int], go_on: list[str], environment: dict[str, str]
) -> None:
    """Go on, and check that no picture of a finished part was written again."""
    pictures = sorted((folder / "train" / "images").glob("*.jpg"))
    of_done = [path for path in pictures if int(path.stem[-5:]) // PART in done]
    assert len(of_done) == len(done) * PART
    before = marks(folder)
    command(environment, *go_on)
    after = marks(folder)
    assert {path: after[path] for path in of_done} == {path: before[path] for path in of_done}
    assert len(after) == SCENES
    assert not (folder / PARTS).exists()


def test_killed_half_way_here_it_goes_on_without_redoing(here: Path, tmp_path: Path) -> None:
    folder, environment = tmp_path / "scenes", dict(os.environ)
    done = killed_half_way(started(environment, render(folder)), folder)
    gone_on_with(folder, done, render(folder), environment)
    assert contents(folder) == contents(here)


def test_on_ray_the_files_are_the_same_also_when_job_and_worker_are_killed(
    here: Path, cluster: Cluster, tmp_path: Path
) -> None:
    folder = tmp_path / "scenes"
    words = render(folder, "--engine", "ray")
    process = started(cluster.environment, words)
    kill_a_worker(process, cluster.head, cluster.worker)
    done = killed_half_way(process, folder)
    gone_on_with(folder, done, words, cluster.environment)
    assert contents(folder) == contents(here)


def kill_a_worker(job: subprocess.Popen[bytes], *nodes: Node) -> None:
    """Kill one process that is at a part; the part is given to another."""
    while job.poll() is None:
        for node in nodes:
            for pid, title in node.programs().items():
                if title.startswith("ray::_do"):
                    os.kill(pid, signal.SIGKILL)
                    return
        time.sleep(0.02)
    raise AssertionError("the job ended before a worker was seen at work")


def test_check_and_evaluation_answer_the_same(cluster: Cluster, tmp_path: Path) -> None:
    count = slow_count(6, 100)
    command(cluster.environment, "render", "-n", str(count), "--size", SIZE, "--out", str(tmp_path))
    for words in (["data", "check", str(tmp_path)], ["evaluate", str(tmp_path / "train")]):
        one = command(cluster.environment, *words, "--json", check=False)
        many = cluster.hupai(*words, "--json", "--engine", "ray", check=False)
        assert one.returncode == many.returncode, many.stderr
        first, second = json.loads(one.stdout), json.loads(many.stdout)
        assert first["pictures"] == count
        assert first | {"ms_median": None} == second | {"ms_median": None}


# -- parts, without Ray


def doubled(items: list[int]) -> Rows:
    return [{"twice": 2 * item} for item in items]


def refused(items: list[int]) -> Rows:
    raise ValueError(f"{items[0]} cannot be done")


@pytest.mark.parametrize(("processes", "count"), [(1, 0), (1, 8), (3, 7)])
def test_rows_come_in_the_order_of_the_items(processes: int, count: int, tmp_path: Path) -> None:
    parts = Parts(tmp_path / "p", "m", list(range(count)), 3)
    told: list[tuple[int, int]] = []
    parts.do(Local(processes), doubled, lambda *done: told.append(done))
    assert [row["twice"] for row in parts.rows()] == [2 * k for k in range(count)]
    assert told[-1:] == ([(count, count)] if count else [])
    parts.clear()
    assert not (tmp_path / "p").exists()


def test_what_a_part_raises_is_raised_and_what_was_done_is_kept(tmp_path: Path) -> None:
    parts = Parts(tmp_path, "m", [1, 2, 3, 4], 2)
    parts.do(Local(1), doubled)
    (tmp_path / "000001.json").unlink()
    with pytest.raises(ValueError, match="3 cannot be done"):
        parts.do(Local(1), refused)
    parts.do(Local(1), doubled)
    assert len(list(parts.rows())) == 4


def test_another_job_in_the_folder_is_begun_anew(tmp_path: Path) -> None:
    Parts(tmp_path, "one", [1, 2], 1).do(Local(1), doubled)
    other = Parts(tmp_path, "other", [5, 6], 1)
    other.do(Local(1), doubled)
    assert [row["twice"] for row in other.rows()] == [10, 12]
