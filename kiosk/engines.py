"""Who does a big job: processes of this machine, or a Ray cluster (`--engine`)."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.trouble import Trouble

if TYPE_CHECKING:
    from datasets.parts import Engine

LOCAL, RAY = "local", "ray"
ADDRESS = "HUPAI_RAY"
"""The environment's word for the cluster's address."""


def add_engine_arguments(
    parser: argparse.ArgumentParser, processes: str, default: int | None = None
) -> None:
    """`--engine`, `--address` and `--processes`, which is said to mean `processes`."""
    parser.add_argument(
        "--engine", choices=(LOCAL, RAY), default=LOCAL, help="this machine, or a Ray cluster"
    )
    add_address_argument(parser)
    parser.add_argument("--processes", type=_number, default=default, metavar="N", help=processes)


def add_address_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        default=os.environ.get(ADDRESS, ""),
        help=f"the Ray cluster ({ADDRESS}; else the one of `hupai cluster up`)",
    )


@contextmanager
def engine_of(arguments: argparse.Namespace) -> Iterator[Engine]:
    """The engine that was asked for. Raises Trouble when there is no cluster."""
    if arguments.engine == LOCAL:
        from datasets.parts import Local

        yield Local(arguments.processes)
        return
    with connected(arguments.address):
        from cluster.engine import OnRay

        yield OnRay(arguments.processes)


@contextmanager
def connected(address: str = "") -> Iterator[None]:
    """A connection to a Ray cluster. Raises Trouble where Ray or the cluster is missing."""
    from cluster import local

    node = local.remembered(cluster_folder())
    key = node.key if node is not None and address in ("", node.address) else ""
    try:
        local.connect(address or (node.address if node else "auto"), key)
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise Trouble("Ray is not installed here: pip install 'hupai[cluster]'.") from None
    except local.ClusterError as error:
        why = str(error) if address else "no Ray cluster runs on this machine"
        raise Trouble(
            f"{why}; `hupai cluster up` starts one here, --address names another."
        ) from None
    try:
        with redirect_stdout(sys.stderr):  # Ray's own words are no part of an answer
            yield
    finally:
        local.disconnect()


def cluster_folder() -> Path:
    """Where what `hupai cluster up` has started is remembered."""
    from calibration.store import data_folder

    return data_folder() / "cluster"


def kept_parts(verb: str, source: Path) -> Path:
    """The folder of finished parts of this job, so that it can be gone on with."""
    from platformdirs import user_cache_path

    name = hashlib.sha256(str(source.resolve()).encode()).hexdigest()[:16]
    return user_cache_path("hupai") / "jobs" / f"{verb}-{name}"


def _number(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of cores: write 1 or more")
    return int(text)
