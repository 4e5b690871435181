"""Train one of the two networks; needs the training libraries (make train-env).

Everything after the name goes to the trainer: `hupai train detector --help`.

examples:
  hupai train detector --minutes 60 --out runs/detector
  hupai train reader --minutes 40 --out runs/reader
"""

from __future__ import annotations

import argparse
import importlib
from types import ModuleType

from kiosk.trouble import GOOD, Trouble

TRAINERS = {"detector": "training.train_detector", "reader": "training.train_reader"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", choices=TRAINERS)
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="…", help="for the trainer")


def run(arguments: argparse.Namespace) -> int:
    training_module(TRAINERS[arguments.network]).main(arguments.rest)
    return GOOD


def training_module(name: str) -> ModuleType:
    """A module that needs torch. Raises Trouble that says how to get it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise Trouble(
            f"training needs {error.name}, which is not installed here: "
            "run `make train-env`, then .venv-train/bin/hupai."
        ) from None
