"""Read a sample picture that ships with hupai: receipt, payments and the overlay.

examples:
  hupai demo
  hupai demo --list
  hupai demo taiwan-pushed-together --lang zh-Hant --out /tmp
"""

from __future__ import annotations

import argparse
from pathlib import Path

from kiosk import facts
from kiosk.samples import DEMO, samples
from kiosk.trouble import GOOD, Trouble, WrongUse
from kiosk.verbs import read
from kiosk.words import preferred_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="SAMPLE", nargs="?", default=DEMO, help=f"default {DEMO}")
    parser.add_argument("--list", action="store_true", help="the samples there are")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path(), help="folder of the overlay (here)"
    )
    facts.add_language_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    known = samples()
    if arguments.list:
        for sample in known.values():
            print(f"{sample.name:<24} {sample.about}")
        return GOOD
    if arguments.name not in known:
        raise WrongUse(f"there is no sample {arguments.name!r}; there are: {', '.join(known)}.")
    sample = known[arguments.name]
    out = arguments.out / f"hupai-{sample.name}.jpg"
    print(f"$ hupai read {sample.path} {sample.options} --out {out}\n", flush=True)
    parser = argparse.ArgumentParser()
    read.add_arguments(parser)
    language = arguments.lang or preferred_language()
    words = [
        str(sample.path),
        *sample.words,
        "--profile",
        "none",
        "--lang",
        language,
        "--out",
        str(out),
    ]
    code = read.run(parser.parse_args(words))
    # A sample that is uncertain on purpose is shown well that way.
    if code == GOOD or sample.total is None:
        return GOOD
    raise Trouble(f"{sample.name} was not read as expected; `hupai doctor` looks for the reason.")
