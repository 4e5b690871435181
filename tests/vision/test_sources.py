"""Pictures from files, folders, patterns, clips and the network; clear words if there are none."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as PillowImage

from vision import sources
from vision.sources import (
    SourceError,
    decode_picture,
    is_live,
    open_source,
    picture_size,
    read_picture,
)

SHADES = (40, 120, 200)


def picture(shade: int) -> np.ndarray:
    return np.full((48, 64, 3), shade, np.uint8)


def jpeg(shade: int) -> bytes:
    return cv2.imencode(".jpg", picture(shade))[1].tobytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for k, shade in enumerate(SHADES):
        (tmp_path / f"p{k}.jpg").write_bytes(jpeg(shade))
    (tmp_path / "notes.txt").write_text("not a picture", encoding="utf-8")
    return tmp_path


def shades(source: str, limit: int = 10) -> list[int]:
    found = []
    with open_source(source) as frames:
        for frame in frames:
            found.append(round(float(frame.image.mean()), -1))
            if len(found) == limit:
                break
    return [int(shade) for shade in found]


def test_a_path_a_folder_and_a_pattern(folder: Path) -> None:
    assert shades(str(folder / "p1.jpg")) == [120]
    assert shades(str(folder)) == [40, 120, 200]
    assert shades(str(folder / "p[02].jpg")) == [40, 200]


def test_frames_are_numbered_and_named(folder: Path) -> None:
    with open_source(str(folder)) as frames:
        seen = [(frame.number, Path(frame.name).name) for frame in frames]
    assert seen == [(0, "p0.jpg"), (1, "p1.jpg"), (2, "p2.jpg")]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere.jpg", "no such file"),
        ("nothing-*.jpg", "no file fits this pattern"),
        ("", "no source given"),
        ("97", "camera 97: cannot be opened"),
        ("http://127.0.0.1:9/x.jpg", "cannot be read"),
    ],
)
def test_what_cannot_be_opened_is_said(source: str, words: str) -> None:
    with pytest.raises(SourceError, match=words), open_source(source):
        pass


def test_a_folder_without_pictures_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no pictures"), open_source(str(tmp_path)):
        pass


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"hello", "not a picture that can be read"),
        (jpeg(90)[:60], "is cut off"),
        (b"\x00\x00\x00\x18ftypheic" + b"\x00" * 40, "HEIC is not read"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (60000).to_bytes(4, "big") * 2, "too many"),
    ],
)
def test_what_is_no_picture_is_said(data: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        decode_picture(data, "upload")


@pytest.mark.parametrize("extension", [".jpg", ".png", ".bmp", ".webp"])
def test_the_size_is_known_before_decoding(extension: str) -> None:
    assert picture_size(cv2.imencode(extension, picture(90))[1].tobytes()) == (64, 48)


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    flat = PillowImage.new("RGB", (64, 48), (10, 20, 30))
    exif = PillowImage.Exif()
    exif[0x0112] = 6  # to be turned a quarter clockwise
    flat.save(tmp_path / "turned.jpg", exif=exif)
    assert read_picture(tmp_path / "turned.jpg").shape == (64, 48, 3)


def test_a_clip_keeps_its_own_time(tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for shade in SHADES:
        writer.write(picture(shade))
    writer.release()
    with open_source(str(path)) as frames:
        seen = [(round(frame.time_s, 3), round(float(frame.image.mean()), -1)) for frame in frames]
    assert seen == [(0.0, 40), (0.1, 120), (0.2, 200)]


class Camera(BaseHTTPRequestHandler):
    """/snap.jpg is a new picture every time, /stream a short MJPEG stream, /gone a 404."""

    count = 0

    def do_GET(self) -> None:
        cls = type(self)
        if self.path == "/snap.jpg":
            data = jpeg(SHADES[cls.count % 3])
            cls.count += 1
            self._send("image/jpeg", data)
        elif self.path == "/stream":
            parts = [
                b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg(shade) + b"\r\n"
                for shade in SHADES
            ]
            cls.count += 1
            self._send("multipart/x-mixed-replace; boundary=frame", b"".join(parts))
        else:
            self.send_error(404)

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(sources, "RETRY_S", (0.01,))
    Camera.count = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Camera)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_jpeg_address_is_fetched_again_for_every_frame(camera: str) -> None:
    assert shades(f"{camera}/snap.jpg", 4) == [40, 120, 200, 40]


def test_an_mjpeg_stream_that_ends_is_opened_again(camera: str) -> None:
    assert shades(f"{camera}/stream", 5) == [40, 120, 200, 40, 120]
    assert Camera.count == 2


def test_an_address_without_a_picture_is_said(camera: str) -> None:
    with pytest.raises(SourceError, match="cannot be read"), open_source(f"{camera}/gone"):
        pass


@pytest.mark.parametrize(
    ("source", "live"),
    [("0", True), ("rtsp://cam/1", True), ("http://x/y", True), ("a.jpg", False)],
)
def test_what_goes_on_by_itself(source: str, live: bool) -> None:
    assert is_live(source) is live
