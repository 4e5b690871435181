"""A camera on the network, played by GStreamer's RTSP server: run with the system's Python.

Prints its port. Lines on its standard input: `stall` (the connection stays, no picture comes) and
`go PATTERN` (pictures of that pattern come). Debian: gir1.2-gst-rtsp-server-1.0, python3-gi,
gstreamer1.0-plugins-base and -good.
"""

from __future__ import annotations

import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")

from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

PIPELINE = (
    "( videotestsrc name=scene is-live=true pattern=white"
    " ! video/x-raw,format=I420,width=320,height=240,framerate=10/1"
    " ! valve name=valve ! jpegenc ! rtpjpegpay name=pay0 pt=26 )"
)


def main() -> None:
    Gst.init(None)
    parts: list[Gst.Element] = []
    state = {"drop": False, "pattern": "white"}

    def apply() -> bool:
        for element in parts:
            element.get_by_name("valve").set_property("drop", state["drop"])
            Gst.util_set_object_arg(element.get_by_name("scene"), "pattern", str(state["pattern"]))
        return False

    def configured(factory: GstRtspServer.RTSPMediaFactory, media: object) -> None:
        parts.append(media.get_element())  # type: ignore[attr-defined]
        apply()

    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(sys.argv[1] if len(sys.argv) > 1 else "0")
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(PIPELINE)
    factory.set_shared(True)
    factory.connect("media-configure", configured)
    server.get_mount_points().add_factory("/table", factory)
    server.attach(None)
    loop = GLib.MainLoop()

    def listen() -> None:
        for line in sys.stdin:
            word, _, pattern = line.strip().partition(" ")
            state["drop"] = word == "stall"
            state["pattern"] = pattern or state["pattern"]
            GLib.idle_add(apply)
        GLib.idle_add(loop.quit)

    threading.Thread(target=listen, daemon=True).start()
    print(server.get_bound_port(), flush=True)
    loop.run()


if __name__ == "__main__":
    main()
