"""How fast everything is, each beside the least it could take on this machine.

    make bench AREA=speed                       # five minutes; writes the report and the page
    python -m tests.bench.speed --no-write      # prints only
    python -m tests.bench.speed --quick         # a few rounds, prints only

The floor of a network is its multiply-adds over the machine's measured peak (tests/bench/floor.py),
that of a photo besides OpenCV's own decoding of it. Medians of at least 50 rounds after 20
warm-ups, as docs/json.md's `timings_ms` counts. Writes docs/reports/speed.json and docs/speed.md,
and adds a line to docs/reports/speed-history.jsonl. Nothing else should be running.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import cv2
import httpx2
import numpy as np

from scorer import Situation, Wind, rulesets, score
from scorer.sampling import Sample, winning_hand
from tests.bench.floor import multiply_adds, peak_per_second
from tests.bench.scorer import hands_per_second
from tests.bench.server import resident_mb, twelve_megapixels
from tests.kiosk.server.started import Command
from tests.support import REPOSITORY
from vision import draw_overlay, read
from vision.crops import CROP_PX
from vision.decode import decode
from vision.detector import Detector, prepare
from vision.layout import layout
from vision.pipeline import Watcher
from vision.reader import Reader
from vision.sources import Frame, decode_picture

REPORT = REPOSITORY / "docs" / "reports" / "speed.json"
HISTORY = REPOSITORY / "docs" / "reports" / "speed-history.jsonl"
PAGE = REPOSITORY / "docs" / "speed.md"
FACTS = Situation(seat=Wind.SOUTH, round=Wind.EAST, self_drawn=False, from_seat=Wind.EAST)
SMALL_PX = 640
LIVE_WH = (1280, 720)
STILL_S, STILL_FPS = 20.0, 15.0
WARM_UPS, ROUNDS, STARTS, HANDS = 20, 50, 5, 1000
LABELS = {
    "detector_ms": "detector, picture of 640 × 480",
    "reader_ms": "reader, the tiles of a hand",
    "layout_ms": "layout",
    "decode_ms": "decode",
    "score_ms": "score, the hand again",
    "overlay_ms": "overlay, picture of 640 × 480",
    "read_640_ms": "a whole reading, picture of 640 × 480 in memory",
    "read_12mp_ms": "a whole reading, 12-megapixel JPEG",
    "live_fps": "live frames a second, everything moving, 1280 × 720",
    "ready_s": "`hupai serve` until its networks are ready",
    "read_verb_s": "`hupai read` of a sample picture, as a process",
    "score_verb_s": "`hupai score` of a hand, as a process",
    "memory_mb": "memory of the server after 20 photos of 12 megapixels",
    "still_cpu": "processor, still scene, 1280 × 720 at 15 frames a second",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--no-write", action="store_true", help="print, and write nothing")
    parser.add_argument("--quick", action="store_true", help="a few rounds, and write nothing")
    given = parser.parse_args()
    began = time.monotonic()
    figures = measured(given.quick)
    report = {
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": _commit(),
        "machine": f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "took_s": round(time.monotonic() - began),
        **figures,
    }
    print(page(report))
    if not (given.quick or given.no_write):
        REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(report), encoding="utf-8")
        with HISTORY.open("a", encoding="utf-8") as history:
            history.write(json.dumps(report) + "\n")


def measured(quick: bool = False) -> dict[str, Any]:
    """`{"figures": …, "floors": …, "hands_per_second": …}` by the names of LABELS."""
    warm_ups, rounds, hands = (2, 5, 100) if quick else (WARM_UPS, ROUNDS, HANDS)

    def ms(work: Callable[[], object]) -> float:
        for _ in range(warm_ups):
            work()
        spent = []
        for _ in range(rounds):
            start = time.perf_counter()
            work()
            spent.append(1e3 * (time.perf_counter() - start))
        return statistics.median(spent)

    peak = peak_per_second()
    photo = twelve_megapixels()
    small = shrunk(decode_picture(photo), SMALL_PX)
    detector, reader = Detector(), Reader()
    found = detector(small)
    seen = reader(small, found)
    laid = layout(seen, 5)
    reading = decode(laid, "taiwan", FACTS)
    assert reading.hand is not None
    hand = reading.hand
    figures = {
        "detector_ms": ms(lambda: detector(small)),
        "reader_ms": ms(lambda: reader(small, found)),
        "layout_ms": ms(lambda: layout(seen, 5)),
        "decode_ms": ms(lambda: decode(laid, "taiwan", FACTS)),
        "score_ms": ms(lambda: score(hand, FACTS, "taiwan")),
        "overlay_ms": ms(lambda: draw_overlay(small, reading)),
        "read_640_ms": ms(lambda: read(small, "taiwan", FACTS)),
        "read_12mp_ms": ms(lambda: read(decode_picture(photo), "taiwan", FACTS)),
        "live_fps": live_fps(detector, reader, quick),
    }
    crops = np.zeros((len(seen), 3, CROP_PX, CROP_PX), np.float32)
    least = {
        "detector_ms": 1e3 * multiply_adds("detector", prepare(small, SMALL_PX)[0]) / peak,
        "reader_ms": 1e3 * multiply_adds("reader", crops) / peak,
    }
    least["read_640_ms"] = least["detector_ms"] + least["reader_ms"]
    jpeg = np.frombuffer(photo, np.uint8)
    least["read_12mp_ms"] = least["read_640_ms"] + ms(lambda: cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
    frame = prepare(np.zeros((LIVE_WH[1], LIVE_WH[0], 3), np.uint8), SMALL_PX)[0]
    live = 1e3 * multiply_adds("detector", frame) / peak + least["reader_ms"]
    least["live_fps"] = 1e3 / live
    figures |= started(photo, quick)
    figures["still_cpu"] = still_cpu(small, quick)
    return {
        "peak_multiply_adds_per_second": round(peak),
        "figures": {name: _round(value) for name, value in figures.items()},
        "floors": {name: _round(value) for name, value in least.items()},
        "hands_per_second": {id: round(hands_of(id, hands)) for id in rulesets()},
    }


def shrunk(image: np.ndarray, width: int) -> np.ndarray:
    size = (width, round(width * image.shape[0] / image.shape[1]))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def live_fps(detector: Detector, reader: Reader, quick: bool) -> float:
    """Frames a second of a hand that moves from frame to frame, so that each one is read."""
    wide = shrunk(decode_picture(twelve_megapixels()), LIVE_WH[0] + 200)
    frames = [
        np.ascontiguousarray(wide[y : y + LIVE_WH[1], x : x + LIVE_WH[0]])
        for x, y in ((k % 20 * 10, k % 11 * 20) for k in range(20 if quick else 80))
    ]
    watcher = Watcher("taiwan", FACTS, detector=detector, reader=reader)
    warm = len(frames) // 4
    start = 0.0
    for number, frame in enumerate(frames):
        if number == warm:
            start = time.perf_counter()
        assert watcher.look(Frame(frame, number / 30, "bench", number)).steady.read
    return (len(frames) - warm) / (time.perf_counter() - start)


def started(photo: bytes, quick: bool) -> dict[str, float]:
    """Whole programs: until they are ready or done, and what the server holds in memory."""
    sample = str(REPOSITORY / "kiosk" / "samples" / "taiwan.jpg")
    hand = ["66678m11333p555z[222z]@6m", "--seat", "W", "--round", "E", "--self-drawn"]
    times: dict[str, list[float]] = {"ready_s": [], "read_verb_s": [], "score_verb_s": []}
    memory = 0.0
    for n in range(1 if quick else STARTS):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            command = Command(Path(folder))
            try:
                with httpx2.Client(base_url=command.address, timeout=60) as client:
                    while client.get("/health").json()["networks"] != "ready":
                        time.sleep(0.01)
                    times["ready_s"].append(time.perf_counter() - start)
                    for _ in range((2 if quick else 20) if n == 0 else 0):
                        client.post("/api/readings", files={"picture": photo}).raise_for_status()
                    memory = max(memory, resident_mb(command.process.pid))
            finally:
                command.end()
        times["read_verb_s"].append(_run("read", sample))
        times["score_verb_s"].append(_run("score", *hand))
    return {name: statistics.median(spent) for name, spent in times.items()} | {"memory_mb": memory}


def _run(*words: str) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "kiosk", *words]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True)
    assert done.returncode in (0, 1), done.stderr
    return time.perf_counter() - start


def still_cpu(small: np.ndarray, quick: bool) -> float:
    """Share of one core that a camera takes before which nothing moves, grain and all."""
    rng = np.random.default_rng(7)
    still = cv2.resize(small, LIVE_WH, interpolation=cv2.INTER_CUBIC)
    grain = [rng.normal(0, 2, still.shape) for _ in range(5)]
    frames = [np.clip(still + one, 0, 255).astype(np.uint8) for one in grain]
    watcher = Watcher("taiwan", FACTS)
    for number in range(30):  # settled
        watcher.look(Frame(frames[number % 5], number / STILL_FPS, "bench", number))
    count = round((4 if quick else STILL_S) * STILL_FPS)
    begun, worked = time.perf_counter(), time.process_time()
    for number in range(30, 30 + count):
        watcher.look(Frame(frames[number % 5], number / STILL_FPS, "bench", number))
        due = begun + (number - 29) / STILL_FPS
        time.sleep(max(0.0, due - time.perf_counter()))
    return (time.process_time() - worked) / (time.perf_counter() - begun)


def hands_of(ruleset: str, count: int) -> float:
    """Random finished hands a second, one core."""
    rng = Random(f"speed {ruleset}")
    samples = [winning_hand(rng, ruleset) for _ in range(count)]

    def work(sample: Sample) -> object:
        return score(sample.hand, sample.situation, ruleset)

    return hands_per_second(work, samples)


def page(report: dict[str, Any]) -> str:
    """docs/speed.md."""
    rows = []
    for name, label in LABELS.items():
        value, floor = report["figures"][name], report["floors"].get(name)
        if floor is None:
            rows.append(f"| {label} | {_shown(name, value)} | – | – |")
        else:
            times = floor / value if name == "live_fps" else value / floor
            rows.append(
                f"| {label} | {_shown(name, value)} | {_shown(name, floor)} | {times:.1f} × |"
            )
    hands = [f"| {id} | {rate:,} |" for id, rate in report["hands_per_second"].items()]
    peak = report["peak_multiply_adds_per_second"] / 1e9
    return "\n".join(
        [
            "# Speed",
            "",
            "Made by `make bench AREA=speed`, with nothing else running; earlier figures are in",
            "`docs/reports/speed-history.jsonl`. Medians.",
            "",
            f"{report['at'][:10]}, commit {report['commit']}: {report['machine']}.",
            f"Its best product of float32 matrices: {peak:.1f} thousand million multiply-adds a",
            "second. The floor of a network is its multiply-adds at that pace; that of a photo",
            "has OpenCV's own decoding of the JPEG besides. What has no such floor has a dash.",
            "",
            "| what | measured | floor | over it |",
            "|---|---|---|---|",
            *rows,
            "",
            "Random finished hands, scored one after the other on one core:",
            "",
            "| rule set | hands a second |",
            "|---|---|",
            *hands,
            "",
        ]
    )


def _shown(name: str, value: float) -> str:
    if name == "still_cpu":
        return f"{100 * value:.1f} % of a core"
    unit = {"ms": " ms", "fps": "", "s": " s", "mb": " MB"}[name.rpartition("_")[2]]
    return f"{value:.0f}{unit}" if name == "memory_mb" else f"{value:.3g}{unit}"


def _round(value: float) -> float:
    return float(f"{value:.4g}")


def _commit() -> str:
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=REPOSITORY, capture_output=True, text=True
    )
    return said.stdout.strip() or "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
