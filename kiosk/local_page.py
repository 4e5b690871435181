"""A page on this machine alone that shows the latest picture: for OpenCV without windows."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>hupai watch</title>
<style>body{margin:0;background:#222}img{display:block;max-width:100%;max-height:100vh;margin:auto}
</style><img src="stream.mjpg" alt="The camera's picture with the tiles that were read"></html>"""
BOUNDARY = "frame"
WAIT_S = 5.0


class LocalPage:
    """Serves the JPEG last given to `show` at `address`, to this machine only."""

    def __init__(self, port: int = 0) -> None:
        """Raises OSError when the port is taken."""
        self._changed = threading.Condition()
        self._jpeg = b""
        self._number = 0
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/stream.mjpg":
                    page._stream(self)
                elif self.path == "/":
                    self.send_response(200)
                    self.send_header("Content-Type", "text/html; charset=utf-8")
                    self.send_header("Content-Length", str(len(PAGE)))
                    self.end_headers()
                    self.wfile.write(PAGE)
                else:
                    self.send_error(404)

            def log_message(self, format: str, *args: object) -> None:
                """Quiet: the terminal belongs to the receipts."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def show(self, jpeg: bytes) -> None:
        with self._changed:
            self._jpeg = jpeg
            self._number += 1
            self._changed.notify_all()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _stream(self, to: BaseHTTPRequestHandler) -> None:
        to.send_response(200)
        to.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        to.send_header("Cache-Control", "no-store")
        to.end_headers()
        seen = 0
        try:
            while True:
                with self._changed:
                    if self._number == seen:
                        self._changed.wait(WAIT_S)
                    seen, jpeg = self._number, self._jpeg
                if not jpeg:
                    continue
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}"
                to.wfile.write(f"{head}\r\n\r\n".encode() + jpeg + b"\r\n")
        except OSError:
            return  # the page was closed
