"""Read pictures of finished hands: the tiles, the hand, the score, who pays whom.

PICTURE is a file, a folder, a pattern, or an http(s) address; of a camera (0) or a stream one
picture is taken. What the picture cannot tell (seat, round, self-drawn or from whom) is said with
options, or asked for: nothing is shown as a score that is not certain.

examples:
  hupai read hand.jpg --seat S --round E --discard-from W
  hupai read hand.jpg --seat S --round E --self-drawn --out overlay.png
  hupai read photos/*.jpg --rules hongkong --json --out overlays/
  hupai read http://camera.local/snapshot.jpg --seat E --round E --self-drawn

Exit code 0: every hand is certain. 1: one is not, is no win, or could not be read. 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiosk import facts
from kiosk.calibrate.active import add_profile_argument, chosen_profile
from kiosk.eyes import networks
from kiosk.pictures import overlay_path, write_picture
from kiosk.reading_receipt import reading_receipt
from kiosk.trouble import GOOD, NOT_GOOD, Trouble, WrongUse
from kiosk.words import preferred_language, say
from scorer import Tile, TileCodeError

if TYPE_CHECKING:
    from calibration.profile import Profile
    from scorer import HouseRules, Situation
    from vision.reading import Reading
    from vision.sources import Frame


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pictures", metavar="PICTURE", nargs="+", help="what to read")
    facts.add_rules_arguments(parser)
    facts.add_situation_arguments(parser)
    parser.add_argument(
        "--winning", metavar="TILE", help="which tile of the row was the winning tile, as 5s"
    )
    add_profile_argument(parser)
    facts.add_language_argument(parser)
    parser.add_argument("--json", action="store_true", help="print the readings as JSON")
    parser.add_argument(
        "--out", metavar="PATH", type=Path, help="write the overlay: a picture, or a folder"
    )


def run(arguments: argparse.Namespace) -> int:
    ruleset, house = facts.house_of(arguments)
    situation = facts.situation_of(arguments)
    facts.check_events(ruleset, house, situation)
    winning = _tile(arguments.winning)
    profile = chosen_profile(arguments.profile, networks()[1])
    language = arguments.lang or preferred_language()
    answers: list[dict[str, Any]] = []
    good = True
    number = 0
    for frame in _frames(arguments.pictures):
        if isinstance(frame, Trouble):
            print(f"hupai: {frame}", file=sys.stderr)
            good = False
            continue
        reading = read_frame(frame, ruleset, situation, house, profile)
        if winning is not None:
            reading = with_winning(reading, winning, ruleset, situation, house)
        good = good and reading.certain and reading.result.is_good
        path = None
        if arguments.out:
            several = arguments.pictures != [frame.name]
            path = overlay_path(arguments.out, frame.name, several)
            straight = frame.image if profile is None else profile.straight(frame.image)
            write_overlay(path, replace(frame, image=straight), reading, language)
        if arguments.json:
            answers.append(
                {"picture": frame.name, "overlay": path and str(path)} | reading.to_json()
            )
        else:
            if number:
                print("\n" + "═" * 60 + "\n")
            print(told(frame, reading, situation, language, path))
        number += 1
    if arguments.json and answers:
        print(json.dumps(answers if number > 1 else answers[0], ensure_ascii=False, indent=2))
    return GOOD if good else NOT_GOOD


def read_frame(
    frame: Frame,
    ruleset: str,
    situation: Situation,
    house: HouseRules | None,
    profile: Profile | None = None,
) -> Reading:
    """One picture read with the networks that ship. Raises Trouble when they cannot be used."""
    from vision import read

    detector, reader = networks()
    return read(
        frame.image, ruleset, situation, house, detector=detector, reader=reader, profile=profile
    )


def with_winning(
    reading: Reading,
    tile: Tile,
    ruleset: str,
    situation: Situation,
    house: HouseRules | None,
) -> Reading:
    """The reading with the winning tile named, where the picture did not show which one it was.

    Raises Trouble when that tile does not stand in the hand.
    """
    from vision.decode import decode
    from vision.layout import WINNING

    seen = reading.layout
    if seen.winning is not None or reading.hand is None:
        return reading
    places = [i for i in seen.concealed if reading.faces.get(i) == tile]
    if not places:
        raise Trouble(f"--winning {tile.code}: there is no {tile.code} among the concealed tiles.")
    told = replace(
        seen,
        concealed=tuple(i for i in seen.concealed if i != places[-1]),
        winning=places[-1],
        doubts=seen.doubts - {WINNING},
    )
    fresh = decode(told, ruleset, situation, house)
    return fresh.with_picture(reading.advice, reading.timings_ms, reading.profile)


def _tile(code: str | None) -> Tile | None:
    try:
        return None if code is None else Tile.parse(code)
    except TileCodeError as error:
        raise WrongUse(f"--winning {error}.") from None


def told(
    frame: Frame, reading: Reading, situation: Situation, language: str, path: Path | None
) -> str:
    """What is printed about one picture."""
    parts = [frame.name, reading_receipt(reading, situation, language, flags=True)]
    if path is not None:
        parts.append(f"{say('overlay', language)}  {path}")
    return "\n\n".join(parts)


def write_overlay(path: Path, frame: Frame, reading: Reading, language: str) -> None:
    from vision import draw_overlay

    write_picture(path, draw_overlay(frame.image, reading, language))


def _frames(sources: list[str]) -> Iterator[Frame | Trouble]:
    """Every picture of the sources, the first of a live one; a trouble for each that fails."""
    from vision.sources import SourceError, files_of, is_live, open_source

    for source in sources:
        try:
            names = [source] if is_live(source) else [str(path) for path in files_of(source)]
        except SourceError as error:
            yield Trouble(f"{error}.")
            continue
        for name in names:
            try:
                with open_source(name, live=False) as frames:
                    for frame in frames:
                        yield frame
                        if is_live(name):
                            break
            except SourceError as error:
                yield Trouble(f"{error}.")
