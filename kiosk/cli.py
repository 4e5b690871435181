"""The command `hupai`: finds the verb, hands it its arguments, turns trouble into exit codes.

Each verb is a module of `kiosk.verbs` with `add_arguments(parser)` and `run(args) -> int`. Only the
verb that was asked for is imported, so that `hupai score` loads no camera and `hupai --help` loads
nothing at all.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

from kiosk.trouble import GOOD, NOT_GOOD, WRONG_USE, Trouble

# Verb: one line for `hupai --help`, in the order a newcomer meets them.
VERBS: dict[str, str] = {
    "demo": "read a sample picture that ships with hupai",
    "read": "read pictures: tiles, hand, score, payments",
    "score": "score a hand written as text",
    "watch": "watch a camera or a stream",
    "serve": "the table's screen, phones, and the HTTP interface",
    "rules": "show rule sets and house rules, check and compare them",
    "ledger": "keep a night at the table: hands, totals, settlement",
    "teach": "practise, and learn why a hand is worth what it is",
    "calibrate": "teach the camera, the table, the club's own tiles",
    "render": "render labelled pictures of tables",
    "data": "check and convert labelled pictures",
    "evaluate": "count how well tiles are read",
    "train": "train the detector or the reader",
    "export": "write a trained network as ONNX",
    "cluster": "read on several machines: start, look at, end the reading service",
    "doctor": "check this installation",
}

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; returns the exit code (0 good, 1 not good or not certain, 2 wrong use)."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without Chinese letters must not stop us
            stream.reconfigure(errors="replace")
    try:
        module, arguments = parse(argv)
        code: int = module.run(arguments)
        sys.stdout.flush()
        return code
    except Trouble as trouble:
        print(f"hupai: {trouble}", file=sys.stderr)
        return trouble.exit_code
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the interpreter flushes it at exit
        return GOOD
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno not in FULL:
            return _strange(error)
        where = f"{error.filename}" if error.filename else "the output"
        print(f"hupai: {where} was not written: the disk is full; make room.", file=sys.stderr)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - what is left cannot be written either
        return NOT_GOOD
    except Exception as error:
        return _strange(error)


def _strange(error: Exception) -> int:
    """What nobody expected, in one line."""
    if os.environ.get("HUPAI_DEBUG"):
        raise error
    print(f"hupai: {type(error).__name__}: {error} (HUPAI_DEBUG=1 shows where)", file=sys.stderr)
    return NOT_GOOD


def parse(argv: Sequence[str] | None = None) -> tuple[ModuleType, argparse.Namespace]:
    """The verb's module and its arguments; wrong use ends in `SystemExit(2)` with the usage."""
    parser = argparse.ArgumentParser(
        prog="hupai",
        description="Read a finished mahjong hand from a picture, score it, say who pays whom.",
        epilog=_verb_list(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="hupai [--help] [--version] VERB …",
    )
    parser.add_argument("--version", action="version", version=f"hupai {product_version()}")
    parser.add_argument("verb", choices=VERBS, metavar="VERB", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    words = list(sys.argv[1:] if argv is None else argv)
    if not words:
        parser.print_help(sys.stderr)
        raise SystemExit(WRONG_USE)
    chosen = parser.parse_args(words)
    module = importlib.import_module(f"kiosk.verbs.{chosen.verb}")
    verb_parser = argparse.ArgumentParser(
        prog=f"hupai {chosen.verb}",
        description=(module.__doc__ or "").strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(verb_parser)
    return module, verb_parser.parse_args(chosen.rest)


def _verb_list() -> str:
    lines = [f"  {verb:<10} {summary}" for verb, summary in VERBS.items()]
    return "verbs:\n" + "\n".join(lines) + "\n\n`hupai VERB --help` shows options and examples."


def product_version() -> str:
    """The installed version, or `unknown` when run from sources that were never installed."""
    try:
        return version("hupai")
    except PackageNotFoundError:
        return "unknown"
