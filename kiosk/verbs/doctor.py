"""Check this installation: versions, the networks, and a known picture read with its exact text.

examples:
  hupai doctor
  hupai doctor --json

Exit code 0: everything works. 1: something does not; each line says what.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

from kiosk import facts
from kiosk.cli import product_version
from kiosk.samples import DEMO, samples
from kiosk.trouble import GOOD, NOT_GOOD

PACKAGES = ("numpy", "onnxruntime", "opencv-python", "opencv-python-headless", "pillow")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `good` is None for what is only told."""

    name: str
    good: bool | None
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")


def run(arguments: argparse.Namespace) -> int:
    checks = []
    for check in _checks():
        checks.append(check)
        if not arguments.json:
            mark = {True: "ok  ", False: "BAD ", None: "    "}[check.good]
            print(f"{mark} {check.name:<18} {check.text}", flush=True)
    good = all(check.good is not False for check in checks)
    if arguments.json:
        print(json.dumps({"good": good, "checks": [asdict(c) for c in checks]}, indent=2))
    return GOOD if good else NOT_GOOD


def _checks() -> Iterator[Check]:
    yield Check("hupai", None, product_version())
    yield Check("Python", None, f"{platform.python_version()} on {platform.platform()}")
    yield Check("cores", None, str(os.cpu_count()))
    for name in PACKAGES:
        try:
            yield Check(name, None, version(name))
        except PackageNotFoundError:
            continue
    for name, look in (("font", _font), ("models", _models), ("known picture", _known_picture)):
        yield from _safely(name, look)


def _safely(name: str, look: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """The checks of `look`; an error is a bad check, so that the others are still made."""
    try:
        yield from look()
    except Exception as error:
        yield Check(name, False, f"{type(error).__name__}: {error}")


def _font() -> Iterator[Check]:
    from vision.fonts import chinese_font_path

    path = chinese_font_path()
    yield Check("font", None, path or "no Chinese font: names on overlays are English (HUPAI_FONT)")


def _models() -> Iterator[Check]:
    from models import load_session, manifest

    for name in manifest():
        _, model = load_session(name)
        size_mb = model.path.stat().st_size / 1e6
        yield Check(name, True, f"{model.path.name} {size_mb:.1f} MB sha256 {model.sha256[:16]}")


def _known_picture() -> Iterator[Check]:
    from vision import read

    sample = samples()[DEMO]
    parser = argparse.ArgumentParser()
    facts.add_rules_arguments(parser)
    facts.add_situation_arguments(parser)
    said = parser.parse_args(sample.words)
    ruleset, house = facts.house_of(said)
    reading = read(sample.path, ruleset, facts.situation_of(said), house)
    right = reading.text == sample.hand
    found = reading.text or "nothing"
    yield Check("known picture", right, found if right else f"{found} (expected {sample.hand})")
    score = reading.total if reading.certain else "not certain"
    yield Check("its score", score == sample.total, f"{score} (expected {sample.total})")
    took = ", ".join(f"{name} {ms:.0f}" for name, ms in reading.timings_ms.items())
    yield Check("milliseconds", None, took)
