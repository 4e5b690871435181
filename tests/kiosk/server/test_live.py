"""Phones that point, and the fixed camera: settled hands, dropped frames, two at most."""

from __future__ import annotations

import asyncio
import io
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from kiosk.server import live
from kiosk.server.desk import Options
from kiosk.server.eyes import Looking
from kiosk.server.live import Phone
from kiosk.server.pool import Pool
from kiosk.server.problems import Problem
from kiosk.server.readings import Readings
from scorer import Situation
from scorer.registry import preset_house
from tests.kiosk.server.conftest import FACTS, client_of

HAND = "123678m4599p[222z][777z]@6p"


@pytest.fixture(scope="module")
def frame() -> bytes:
    """What a phone would send: the sample, 1280 pixels long."""
    from importlib.resources import files

    picture = Image.open(Path(str(files("kiosk"))) / "samples" / "taiwan.jpg")
    picture.thumbnail((1280, 1280))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=92)
    return out.getvalue()


def begin(client: TestClient, status: int = 201, **body: Any) -> Any:
    answer = client.post("/api/live", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def send(client: TestClient, id: str, n: int, data: bytes) -> Any:
    headers = {"Content-Type": "image/jpeg"}
    return client.post(f"/api/live/{id}/frames?n={n}", content=data, headers=headers)


def until_locked(client: TestClient, id: str, frame: bytes, most: int = 60) -> Any:
    """Frames until the hand is settled; the answer that says so."""
    for n in range(most):
        answer = send(client, id, n, frame).json()
        if answer["reading"] is not None:
            return answer
        time.sleep(0.05)
    raise AssertionError("the hand never settled")


def test_a_still_hand_is_locked_and_can_be_corrected(client: TestClient, frame: bytes) -> None:
    phone = begin(client, situation=FACTS, rules="taiwan")
    answer = until_locked(client, phone["id"], frame)
    assert answer["settled"]
    assert (answer["width"], answer["height"]) == Image.open(io.BytesIO(frame)).size
    assert len(answer["tiles"]) == 17
    assert {tile["kind"] for tile in answer["tiles"]} == {"concealed", "pung", "winning-tile"}
    reading = answer["reading"]
    assert (reading["hand"], reading["total"]) == (HAND, 2)
    assert client.get(reading["links"]["picture"]).status_code == 200
    again = send(client, phone["id"], 1000, frame).json()["reading"]
    assert again["id"] == reading["id"]


def test_a_picture_without_tiles_locks_nothing(client: TestClient) -> None:
    phone = begin(client)
    out = io.BytesIO()
    Image.new("RGB", (640, 480), (90, 120, 90)).save(out, "JPEG")
    answers = [send(client, phone["id"], n, out.getvalue()).json() for n in range(4)]
    assert all(answer["reading"] is None and answer["tiles"] == [] for answer in answers)


def test_hints_come_in_the_language(client: TestClient) -> None:
    phone = begin(client)
    out = io.BytesIO()
    Image.new("RGB", (640, 480), (2, 2, 2)).save(out, "JPEG")
    headers = {"Accept-Language": "zh-TW"}
    answer = client.post(
        f"/api/live/{phone['id']}/frames?n=1", content=out.getvalue(), headers=headers
    )
    assert [hint["id"] for hint in answer.json()["hints"]] == ["dark"]
    assert "太暗" in answer.json()["hints"][0]["text"]


def test_a_third_phone_is_told_why_it_must_wait(client: TestClient) -> None:
    first, _ = begin(client), begin(client)
    refused = client.post("/api/live", json={})
    assert (refused.status_code, refused.json()["id"]) == (503, "live-full")
    assert int(refused.headers["retry-after"]) >= 1
    assert client.get("/api/session").json()["live_free"] == 0
    assert client.delete(f"/api/live/{first['id']}").status_code == 204
    begin(client)


def test_a_phone_that_is_silent_makes_room(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(client)
    old = begin(client)
    monkeypatch.setattr(live.time, "monotonic", lambda now=time.monotonic: now() + 16)
    assert send(client, old["id"], 1, b"").json()["id"] == "no-session"
    begin(client)


@pytest.mark.parametrize(
    ("data", "status"), [(b"", 422), (b"x", 415), (b"\xff\xd8\xff", 422), (b"\0" * 5_000_000, 413)]
)
def test_a_frame_that_is_no_picture_is_refused(
    client: TestClient, data: bytes, status: int
) -> None:
    phone = begin(client)
    answer = send(client, phone["id"], 1, data)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_stale_frame_is_dropped(client: TestClient, frame: bytes) -> None:
    phone = begin(client)
    assert not send(client, phone["id"], 5, frame).json()["dropped"]
    assert send(client, phone["id"], 5, frame).json() == {"n": 5, "dropped": True}
    assert send(client, phone["id"], 3, frame).json() == {"n": 3, "dropped": True}


def test_only_the_newest_waiting_frame_is_read(frame: bytes) -> None:
    """Four frames arrive while the pool is busy: the first is read, then the last."""
    house = preset_house("taiwan")
    looking = Looking()
    looking.eyes()
    free = threading.Event()

    async def arrive() -> list[Any]:
        pool, readings = Pool(workers=1), Readings()
        blocked = asyncio.create_task(pool.run(free.wait))
        await asyncio.sleep(0)
        phone = Phone("taiwan", house, Situation(), looking, "near")
        tasks = []
        for n in range(4):
            tasks.append(asyncio.create_task(phone.frame(n, frame, pool, readings, "en")))
            await asyncio.sleep(0)
        free.set()
        answers = await asyncio.gather(*tasks)
        await blocked
        pool.close()
        return answers

    answers = asyncio.run(arrive())
    assert [answer["dropped"] for answer in answers] == [False, True, True, False]


def test_a_full_queue_says_when_to_come_again() -> None:
    free = threading.Event()

    async def fill() -> str:
        pool = Pool(workers=1, waiting=2)
        jobs = [asyncio.create_task(pool.run(free.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await pool.run(free.wait)
        assert refused.value.seconds
        free.set()
        await asyncio.gather(*jobs)
        assert await pool.run(lambda: "room again") == "room again"
        pool.close()
        return refused.value.id

    assert asyncio.run(fill()) == "busy"


def test_work_whose_client_has_gone_keeps_its_place() -> None:
    """Otherwise clients that come and go would pile up work behind the queue's back."""
    free = threading.Event()

    async def leave() -> None:
        pool = Pool(workers=1, waiting=0)
        job = asyncio.create_task(pool.run(free.wait))
        await asyncio.sleep(0)
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        with pytest.raises(Problem):
            await pool.run(lambda: None)
        free.set()
        pool.close()

    asyncio.run(leave())


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory, frame: bytes) -> str:
    """A recorded table: four seconds of the hand lying still."""
    file = tmp_path_factory.mktemp("clip") / "table.avi"
    image = cv2.imdecode(np.frombuffer(frame, np.uint8), cv2.IMREAD_COLOR)
    size = (image.shape[1], image.shape[0])
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 5, size)
    for _ in range(20):
        writer.write(image)
    writer.release()
    return str(file)


def wait_for(client: TestClient, good: Callable[[Any], bool]) -> Any:
    for _ in range(600):
        data = client.get("/api/kiosk").json()
        if good(data):
            return data
        time.sleep(0.1)
    raise AssertionError(data)


def test_the_fixed_camera_shows_the_settled_hand(options: Options, clip: str) -> None:
    with client_of(replace(options, camera=clip)) as client:
        players = ["An", "Bo", "Chi", "Dee"]
        client.post("/api/table/nights", json={"players": players, "rules": "taiwan"})
        seen = wait_for(client, lambda data: data["settled"])
        assert seen["camera"] == "watching"
        reading = seen["reading"]
        assert reading["hand"] == HAND
        # The table knows the round; who won and how is asked.
        assert {ask["id"] for ask in reading["asks"]} == {"seat", "self_drawn"}
        corrected = client.post(
            reading["links"]["corrections"],
            json={"answers": {"seat": "S", "self_drawn": "no", "from_seat": "E"}},
        ).json()
        assert corrected["certain"]
        assert client.get(reading["links"]["overlay"]).status_code == 200
        shot = client.get("/snapshot.jpg")
        assert Image.open(io.BytesIO(shot.content)).format == "JPEG"
        assert client.get("/health").json()["camera"] == "watching"


def test_without_a_camera_that_is_said(client: TestClient) -> None:
    assert client.get("/api/kiosk").json()["camera"] == "off"
    assert client.get("/snapshot.jpg").json()["id"] == "no-camera"
    assert client.get("/stream.mjpg").json()["id"] == "no-camera"


def test_a_camera_that_cannot_be_opened_is_lost_and_says_why(options: Options) -> None:
    with client_of(replace(options, camera="/nowhere/clip.mp4")) as client:
        seen = wait_for(client, lambda data: data["camera"] == "lost")
        assert "no such file" in seen["trouble"]
        assert client.get("/snapshot.jpg").json()["id"] == "no-picture-yet"
        assert client.get("/health").json()["status"] == "ok"
