"""How fast the server answers, and whether it stays well under eight clients.

    python -m tests.bench.server                # both measurements, five minutes
    python -m tests.bench.server --seconds 30   # a short try

1. A 12-megapixel JPEG posted to a started server over loopback until the answer is read, against
   the detector's bare ONNX session on its array, in turn: medians, and their ratio (the aim is at
   most 4).
2. Eight clients that post 12-megapixel photos, each the next one two seconds after the answer:
   errors, p50 and p95, and the server's memory at the end of each tenth (the aims are no error,
   p95 under 3 s, memory flat).

The server is a process of its own, started as people start it. Nothing else should be running.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import cv2
import httpx2
import numpy as np
from PIL import Image

from models import load_session
from tests.kiosk.server.started import Command
from vision.detector import prepare

FACTS = {"seat": "S", "round": "E", "self_drawn": False, "from_seat": "E"}
SIZE_WH = (4000, 3000)
WARM_UPS = 5
REST_S = 0.15
"""Threads of the one have ended before the other begins; within what one client may ask."""
PAUSE_S = 2.0
CLIENTS = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=300.0, help="of the eight clients (300)")
    parser.add_argument("--times", type=int, default=50, help="photos of the first figure (50)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    photo = twelve_megapixels()
    with tempfile.TemporaryDirectory() as folder:
        command = Command(Path(folder))
        try:
            bare, posted = in_turn_ms(command.address, photo, arguments.times)
            many = eight_clients(command, photo, arguments.seconds)
        finally:
            command.end()
    answer = {
        "photo_mb": round(len(photo) / 1e6, 2),
        "bare_session_ms": round(bare, 1),
        "photo_to_receipt_ms": round(posted, 1),
        "ratio": round(posted / bare, 2),
        "clients": many.to_json(),
    }
    print(json.dumps(answer, indent=None if arguments.json else 2))


def twelve_megapixels() -> bytes:
    """The sample hand as a phone's camera would send it: 4000 × 3000, quality 92."""
    sample = Path(str(files("kiosk"))) / "samples" / "taiwan.jpg"
    picture = Image.open(sample).convert("RGB").resize(SIZE_WH, Image.Resampling.LANCZOS)
    grain = np.random.default_rng(1).normal(0, 3, (SIZE_WH[1], SIZE_WH[0], 1))
    noisy = np.clip(np.asarray(picture) + grain, 0, 255).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(noisy).save(out, "JPEG", quality=92)
    return out.getvalue()


def bare_session(photo: bytes) -> Callable[[], object]:
    """The detector's network alone, on the array of that photo."""
    session, model = load_session("detector")
    image = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    blob, _ = prepare(np.asarray(image, np.uint8), model.input_px)
    name = session.get_inputs()[0].name
    return lambda: session.run(None, {name: blob})


def in_turn_ms(address: str, photo: bytes, times: int) -> tuple[float, float]:
    """Medians of the bare session, and from the first byte sent to the receipt in hand; in turn,
    so that both meet the same machine.
    """
    run = bare_session(photo)
    bare, posted = [], []
    with httpx2.Client(base_url=address, timeout=120) as client:
        for _ in range(WARM_UPS + times):
            bare.append(_spent_ms(run))
            time.sleep(REST_S)
            posted.append(_spent_ms(lambda: _post(client, photo)))
            time.sleep(REST_S)
    return statistics.median(bare[WARM_UPS:]), statistics.median(posted[WARM_UPS:])


def _spent_ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - start)


@dataclass
class Many:
    """What eight clients met."""

    spent_s: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory_mb: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        ordered = sorted(self.spent_s)
        return {
            "photos": len(ordered),
            "errors": len(self.errors),
            "first_error": self.errors[0] if self.errors else "",
            "p50_s": round(statistics.median(ordered), 2) if ordered else None,
            "p95_s": round(ordered[int(0.95 * len(ordered))], 2) if ordered else None,
            "memory_mb": [round(mb) for mb in self.memory_mb],
        }


def eight_clients(command: Command, photo: bytes, seconds: float) -> Many:
    found = Many()
    ends = time.monotonic() + seconds

    def work(first_s: float) -> None:
        time.sleep(first_s)  # people do not press at the same moment
        with httpx2.Client(base_url=command.address, timeout=60) as client:
            while time.monotonic() < ends:
                start = time.monotonic()
                try:
                    _post(client, photo)
                    found.spent_s.append(time.monotonic() - start)
                except Exception as error:
                    found.errors.append(f"{type(error).__name__}: {error}")
                time.sleep(PAUSE_S)

    threads = [threading.Thread(target=work, args=(PAUSE_S * k / CLIENTS,)) for k in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        time.sleep(seconds / 10)
        found.memory_mb.append(resident_mb(command.process.pid))
    for thread in threads:
        thread.join()
    return found


def _post(client: httpx2.Client, photo: bytes) -> None:
    form = {"situation": json.dumps(FACTS)}
    answer = client.post("/api/readings", files={"picture": photo}, data=form)
    answer.raise_for_status()
    if answer.json()["total"] != 2:
        raise ValueError(f"read as {answer.json()['hand']!r}")


def resident_mb(pid: int) -> float:
    """Resident memory of a process; 0 where the system has no /proc."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
