"""A source that ends, stalls, grows or sends half of a picture: told, and gone on with."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from kiosk.server.desk import Options
from tests.faults.cameras import rtsp_camera, webcam
from tests.kiosk.server.conftest import client_of
from vision import sources
from vision.sources import Frame, SourceError, is_whole, open_source, read_picture

BRIGHT, DARK = 220, 30


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds at a table takes less here."""
    monkeypatch.setattr(sources, "RETRY_S", (0.1,))
    monkeypatch.setattr(sources, "STALL_S", 1.5)


def jpeg(shade: int) -> bytes:
    """A picture whose first part is not all of it."""
    noise = np.random.default_rng(1).integers(0, 20, (240, 320, 3), np.uint8)
    return cv2.imencode(".jpg", noise + np.uint8(shade))[1].tobytes()


def until(frames: Iterator[Frame], good: Callable[[Frame], bool], most: int = 2000) -> Frame:
    for _, frame in zip(range(most), frames, strict=False):
        if good(frame):
            return frame
    raise AssertionError("the frame that was waited for did not come")


def is_dark(frame: Frame) -> bool:
    return float(frame.image.mean()) < 100


def test_a_camera_that_is_unplugged_is_told_and_comes_back() -> None:
    told: list[str] = []
    with webcam(jpeg(BRIGHT)) as camera, open_source(camera.address, None, told.append) as frames:
        first = until(frames, lambda frame: frame.number == 2)
        camera.pull()
        camera.picture = jpeg(DARK)
        threading.Timer(0.5, camera.plug).start()
        back = until(frames, is_dark)
        assert back.number > first.number
        assert back.time_s > first.time_s
        assert len(told) == 1  # not once more for every try
        assert told[0].startswith(camera.address)
        assert "look whether the camera is on" in told[0]


def test_an_rtsp_stream_that_stalls_is_told_and_goes_on() -> None:
    told: list[str] = []
    with rtsp_camera() as camera, open_source(camera.address, None, told.append) as frames:
        assert not is_dark(next(frames))
        camera.say("stall")
        threading.Timer(3.0, camera.say, ("go black",)).start()
        back = until(frames, is_dark)
        assert back.time_s > sources.STALL_S
        assert told
        assert "gives no picture any more" in told[0]


def seen(client: TestClient, good: Callable[[Any], bool]) -> Any:
    for _ in range(900):
        data = client.get("/api/kiosk").json()
        if good(data):
            return data
        time.sleep(0.1)
    raise AssertionError(data)


def test_the_table_says_that_its_camera_is_gone_and_keeps_the_hand(
    options: Options, photo: bytes
) -> None:
    picture = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    small = cv2.resize(picture, (1024, round(1024 * picture.shape[0] / picture.shape[1])))
    frame = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    with (
        webcam(frame) as camera,
        client_of(replace(options, camera=camera.address)) as client,
    ):
        before = seen(client, lambda data: data["settled"])
        camera.pull()
        lost = seen(client, lambda data: data["camera"] == "lost")
        assert "look whether the camera is on" in lost["trouble"]
        assert lost["reading"]["hand"] == before["reading"]["hand"]
        assert client.get("/health").json()["camera"] == "lost"
        camera.plug()
        after = seen(client, lambda data: data["camera"] == "watching")
        assert after["trouble"] == ""
        assert after["number"] == before["number"]  # the same hand; nobody's answers are lost
        assert after["reading"]["id"] == before["reading"]["id"]


def film(path: Path, shades: list[int]) -> bytes:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240))
    for shade in shades:
        writer.write(np.full((240, 320, 3), shade, np.uint8))
    writer.release()
    return path.read_bytes()


@pytest.mark.parametrize("form", ["avi", "mkv"])
def test_a_film_that_is_still_being_recorded_is_followed(tmp_path: Path, form: str) -> None:
    whole = film(tmp_path / f"whole.{form}", [BRIGHT] * 30 + [DARK] * 30)
    path = tmp_path / f"growing.{form}"
    path.write_bytes(whole[: len(whole) // 2])
    times = []
    with open_source(str(path)) as frames:
        for frame in frames:
            times.append(frame.time_s)
            if len(times) == 5:
                path.write_bytes(whole)  # while it is read
        assert is_dark(frame)
    assert len(times) >= 60
    assert all(a < b for a, b in pairwise(times))


def test_a_film_that_cannot_be_read_yet_is_said(tmp_path: Path) -> None:
    path = tmp_path / "begun.mp4"
    path.write_bytes(b"\0\0\0\x18ftypisom" + bytes(100))
    with (
        pytest.raises(SourceError, match="while it is still being recorded"),
        open_source(str(path)),
    ):
        pass


def test_a_picture_that_is_still_being_written_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "GROWS_S", 1.0)
    path, whole = tmp_path / "shot.jpg", jpeg(BRIGHT)
    path.write_bytes(b"")

    def write() -> None:
        with path.open("ab", buffering=0) as stream:
            for at in range(0, len(whole), len(whole) // 5):
                time.sleep(0.05)
                stream.write(whole[at : at + len(whole) // 5])

    writer = threading.Thread(target=write)
    writer.start()
    image = read_picture(path)
    writer.join()
    assert (image == cv2.imdecode(np.frombuffer(whole, np.uint8), cv2.IMREAD_COLOR)).all()


@pytest.mark.parametrize("form", [".jpg", ".png"])
def test_half_a_picture_is_not_read_as_a_whole_one(tmp_path: Path, form: str) -> None:
    """Some releases of OpenCV fill the rest with grey: half of a hand would be scored."""
    whole = cv2.imencode(form, cv2.imdecode(np.frombuffer(jpeg(90), np.uint8), 1))[1].tobytes()
    path = tmp_path / f"half{form}"
    path.write_bytes(whole[: len(whole) // 2])
    assert is_whole(whole)
    with pytest.raises(SourceError, match="is cut off") as caught:
        read_picture(path)
    assert "copy or take it again" in str(caught.value)
    path.write_bytes(whole)
    assert read_picture(path).shape == (240, 320, 3)


@pytest.mark.parametrize(
    "answer",
    [
        b"this is no HTTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: 99999\r\n\r\n"
        + jpeg(90)[:900],
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nabc",
        b"",
    ],
    ids=["no HTTP", "half a picture", "half a chunk", "nothing"],
)
def test_an_address_that_sends_nonsense_is_said(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)

        server = threading.Thread(target=serve)
        server.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/shot.jpg"
        with pytest.raises(SourceError, match="cannot be read"), open_source(address):
            pass
        server.join()
