"""Watch a camera or a stream: the picture with what is read, and a receipt for each settled hand.

The picture is shown in a window, or on a page of this machine where OpenCV has no windows.
End with q in the window or Ctrl-C in the terminal.

examples:
  hupai watch --source 0 --seat S --round E
  hupai watch --source rtsp://camera.local/stream --rules hongkong
  hupai watch --source night.mp4 --page 8080
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from kiosk import facts
from kiosk.calibrate.active import add_profile_argument, chosen_profile
from kiosk.eyes import networks
from kiosk.reading_receipt import reading_receipt
from kiosk.trouble import GOOD, Trouble
from kiosk.words import preferred_language

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Show = Callable[[Picture | None], bool]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--source", default="0", help="0, a path, http(s)://… or rtsp://… (0)")
    facts.add_rules_arguments(parser)
    facts.add_situation_arguments(parser)
    add_profile_argument(parser)
    facts.add_language_argument(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--page", type=int, metavar="PORT", help="show on a page, at this port")
    shown.add_argument("--no-picture", action="store_true", help="print only")
    parser.add_argument("--json", action="store_true", help="print one JSON line a settled hand")


def run(arguments: argparse.Namespace) -> int:
    from calibration.moved import Camera
    from kiosk.calibrate.table import sentinel
    from vision import draw_overlay, watch
    from vision.sources import SourceError

    ruleset, house = facts.house_of(arguments)
    situation = facts.situation_of(arguments)
    facts.check_events(ruleset, house, situation)
    language = arguments.lang or preferred_language()
    detector, reader = networks()
    profile = chosen_profile(arguments.profile, reader)
    guard = sentinel(profile)
    show, close = _screen(arguments)
    told = ""
    try:
        frames = watch(
            arguments.source,
            ruleset,
            situation,
            house,
            detector=detector,
            reader=reader,
            profile=profile,
            lost=lambda why: print(f"hupai: {why}", file=sys.stderr, flush=True),
        )
        for live in frames:
            reading = live.reading
            moved = guard.look(live.frame.image, live.frame.time_s) if guard else None
            if moved is not None and moved.verdict is Camera.MOVED:
                print(f"hupai: {moved.verdict.value}", file=sys.stderr, flush=True)
            if live.steady.settled and reading.text not in ("", told):
                told = reading.text
                if arguments.json:
                    print(json.dumps(reading.to_json(), ensure_ascii=False), flush=True)
                else:
                    print(reading_receipt(reading, situation, language) + "\n", flush=True)
            elif not reading.text:
                told = ""
            # A still scene is not drawn again.
            fresh = live.steady.read or live.steady.moving
            picture = draw_overlay(live.frame.image, reading, language) if fresh and show else None
            if show is not None and not show(picture):
                break
    except SourceError as error:
        raise Trouble(f"{error}.") from None
    except KeyboardInterrupt:
        pass
    finally:
        close()
    return GOOD


def has_windows() -> bool:
    """Whether this OpenCV can open a window here."""
    import cv2

    lines = cv2.getBuildInformation().splitlines()
    without = any(line.split() == ["GUI:", "NONE"] for line in lines)
    screen = sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return screen and not without


def _screen(arguments: argparse.Namespace) -> tuple[Show | None, Callable[[], None]]:
    """How a picture is shown (None: the last one stays; False ends the watching), and how the
    screen is closed."""
    import cv2

    if arguments.no_picture:
        return None, lambda: None
    if arguments.page is None and has_windows():

        def in_window(picture: Picture | None) -> bool:
            if picture is not None:
                cv2.imshow("hupai", picture)
            return cv2.waitKey(1) & 0xFF not in (ord("q"), 27)

        return in_window, cv2.destroyAllWindows

    from kiosk.local_page import LocalPage

    try:
        page = LocalPage(arguments.page or 0)
    except OSError as error:
        raise Trouble(f"the page cannot use port {arguments.page}: {error.strerror}.") from None
    print(f"The picture is at {page.address}", file=sys.stderr)

    def on_page(picture: Picture | None) -> bool:
        if picture is not None:
            page.show(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())
        return True

    return on_page, page.close
