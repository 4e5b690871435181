"""Render pictures of tables with exact labels: a YOLO pose folder with the hands' texts.

The same seed gives the same pictures, whoever renders them; a rendering that was stopped goes on
where it was. With --engine ray a Ray cluster does the work (docs/cluster.md); it must share DIR.

examples:
  hupai render -n 1000 --out scenes
  hupai render -n 200 --out stream --preset stream --seed 7 --size 960x540
  hupai render -n 100000 --out /shared/scenes --engine ray
  hupai render -n 50 --out hands --hands 1.0 --preset kiosk
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from kiosk.engines import add_engine_arguments, engine_of
from kiosk.progress import Progress
from kiosk.trouble import GOOD, Trouble, WrongUse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", "--count", type=int, required=True, metavar="N", help="how many")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument(
        "--preset", default="phone", metavar="NAME", help="phone, kiosk, stream or tray"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which pictures (0)")
    parser.add_argument("--size", type=_size, default=(640, 640), metavar="WxH", help="640x640")
    parser.add_argument("--hands", type=float, metavar="SHARE", help="share of finished hands, 0-1")
    parser.add_argument("--split", default="train", metavar="NAME", help="train, val or test")
    parser.add_argument(
        "--shared", action="store_true", help="add the drawings of the shared folder (HUPAI_SHARED)"
    )
    add_engine_arguments(parser, "how many cores (all)")


def run(arguments: argparse.Namespace) -> int:
    from datasets.render import RenderJob, render_folder

    try:
        job = RenderJob(
            arguments.count,
            preset=arguments.preset,
            seed=arguments.seed,
            size=arguments.size,
            hands=arguments.hands,
            split=arguments.split,
            shared=arguments.shared,
        )
    except ValueError as error:
        raise WrongUse(f"{error}.") from None
    start = time.monotonic()
    try:
        with engine_of(arguments) as engine:
            pictures = render_folder(
                job, arguments.out, engine=engine, progress=Progress("rendering")
            )
    except OSError as error:
        raise Trouble(f"{error}.") from None
    took = time.monotonic() - start
    hands = sum(picture.hand is not None for picture in pictures)
    tiles = sum(len(picture.faces) for picture in pictures)
    print(
        f"{len(pictures)} pictures with {tiles} tiles and {hands} whole hands in {arguments.out}, "
        f"{len(pictures) / max(took, 1e-6):.1f} a second"
    )
    return GOOD


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; write for example 640x480")
    return int(width), int(height)
