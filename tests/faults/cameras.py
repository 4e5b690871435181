"""Cameras that can be unplugged: an MJPEG stream over HTTP, and GStreamer's RTSP server."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.support import missing

SYSTEM_PYTHON = "/usr/bin/python3"
"""Debian's: its GStreamer modules are not for the environment of the tests."""


class Webcam:
    """A camera at an address that sends `picture` (a JPEG) again and again while it is plugged."""

    def __init__(self, picture: bytes) -> None:
        self.picture = picture
        self._port = 0
        self._server: ThreadingHTTPServer | None = None
        self._pulled = threading.Event()
        self.plug()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/stream"

    def plug(self) -> None:
        camera, pulled = self, threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                head = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n"
                try:
                    while not pulled.wait(0.05):
                        self.wfile.write(head + camera.picture + b"\r\n")
                except OSError:
                    return  # whoever looked has gone

            def log_message(self, format: str, *args: object) -> None:
                return

        self._pulled = pulled
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._server.daemon_threads = True
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def pull(self) -> None:
        """Nothing answers at the address any more."""
        assert self._server is not None
        self._pulled.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def webcam(picture: bytes) -> Iterator[Webcam]:
    camera = Webcam(picture)
    try:
        yield camera
    finally:
        camera.pull()


class RtspCamera:
    """tests/faults/rtsp_server.py as a process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [SYSTEM_PYTHON, str(Path(__file__).with_name("rtsp_server.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        if not port:
            self.close()
            missing("rtsp", "GStreamer's RTSP server (gir1.2-gst-rtsp-server-1.0) is not installed")
        self.address = f"rtsp://127.0.0.1:{port}/table"

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def rtsp_camera() -> Iterator[RtspCamera]:
    if not Path(SYSTEM_PYTHON).exists():
        missing("rtsp", "there is no system Python with GStreamer here")
    camera = RtspCamera()
    try:
        yield camera
    finally:
        camera.close()
