"""The fuzzers for a while: `python -m tests.fuzz [AREA …] [--minutes M]`.

Rounds of Hypothesis with a new seed each, until the time is over. What is found is made small,
printed with its error, and kept under tests/fuzz/corpus, where `make test` tries it again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.targets import TARGETS, Target

CORPUS = Path(__file__).parent / "corpus"
ROUND = 400
SHRINKING_S = 60.0


def fuzz(name: str, target: Target, minutes: float) -> dict[str, Any]:
    """Counts of one area; its finds are kept as files."""
    ends = time.monotonic() + 60 * minutes
    began, worked = time.monotonic(), time.process_time()
    seen = Counter[str]()
    finds: set[str] = set()
    while time.monotonic() < ends:
        try:
            _round(target, ends, seen)
        except Find as find:
            error = find.error
            where = traceback.extract_tb(error.__traceback__)[-1]
            mark = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
            if mark not in finds:
                finds.add(mark)
                print(f"{name}: {mark}: {error}\n  kept as {keep(name, find.made)}", flush=True)
                traceback.print_exception(error, file=sys.stdout)
    return {
        "seconds": round(time.monotonic() - began),
        "of_the_processor": round(time.process_time() - worked),
        "inputs": seen.total(),
        "read": seen["read"],
        "refused": seen["refused"],
        "finds": len(finds),
    }


class Find(Exception):  # noqa: N818 - it is what we look for
    """An input after which something did not hold, and the error."""

    def __init__(self, made: Any, error: Exception) -> None:
        super().__init__(str(error))
        self.made = made
        self.error = error


def _round(target: Target, ends: float, seen: Counter[str]) -> None:
    """Some inputs of a new seed. Raises Find with the smallest one."""

    @seed(time.time_ns())
    @settings(
        max_examples=ROUND,
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
    @given(target.made())
    def tried(made: Any) -> None:
        if time.monotonic() > ends + SHRINKING_S:
            return
        try:
            seen[target.check(made)] += 1
        except Exception as error:
            raise Find(made, error) from error

    tried()


def keep(name: str, made: Any) -> Path:
    """The find as a file of the corpus."""
    content = made.encode("utf-8", "surrogatepass") if isinstance(made, str) else made
    file = CORPUS / name / hashlib.sha256(content).hexdigest()[:12]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=10.0, help="for each area (10)")
    arguments = parser.parse_args()
    found = 0
    print("| area | seconds | of the processor | inputs | read | refused | finds |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.areas or TARGETS:
        row = fuzz(name, TARGETS[name], arguments.minutes)
        found += row["finds"]
        print(f"| {name} | " + " | ".join(map(str, row.values())) + " |", flush=True)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
