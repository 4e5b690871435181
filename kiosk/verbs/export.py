"""Write a trained checkpoint as ONNX; needs the training libraries (make train-env).

Everything after the verb goes to the exporter: `hupai export detector --help`.

examples:
  hupai export detector runs/detector/last.pt --out detector.onnx
  hupai export reader runs/reader/last.pt --out reader.onnx
"""

from __future__ import annotations

import argparse

from kiosk.trouble import GOOD
from kiosk.verbs.train import training_module


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="…", help="for the exporter")


def run(arguments: argparse.Namespace) -> int:
    training_module("training.export").main(arguments.rest)
    return GOOD
