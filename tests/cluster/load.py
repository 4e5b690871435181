"""Clients of the reading service: each photo is asked for until it is answered, and timed."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from kiosk.server.far import Service

BOUNDARY = "hupai-boundary"
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def form(photo: bytes) -> bytes:
    """The body of POST /api/readings."""
    head = 'Content-Disposition: form-data; name="picture"; filename="photo.jpg"'
    start = f"--{BOUNDARY}\r\n{head}\r\nContent-Type: image/jpeg\r\n\r\n".encode()
    return start + photo + f"\r\n--{BOUNDARY}--\r\n".encode()


def plain(reading: dict[str, Any]) -> dict[str, Any]:
    """A reading without what is another each time."""
    return {k: v for k, v in reading.items() if k not in ("id", "links", "timings_ms")}


@dataclass
class Load:
    """What the clients met: answers and seconds by the number of the request."""

    answers: dict[int, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    spent_s: dict[int, float] = field(default_factory=dict)
    retries: int = 0

    def percentile(self, share: float) -> float:
        ordered = sorted(self.spent_s.values())
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)

    def figures(self, took_s: float) -> dict[str, Any]:
        return {
            "photos": len(self.spent_s),
            "photos_per_s": round(len(self.spent_s) / took_s, 2),
            "p50_s": self.percentile(0.5),
            "p95_s": self.percentile(0.95),
            "retries": self.retries,
        }


def post_all(
    url: str,
    photos: Sequence[bytes],
    total: int,
    clients: int,
    answered: Callable[[int], None] | None = None,
) -> Load:
    """Ask for `total` readings, photo k % len for request k, with so many clients at a time.

    `answered` hears after each answer how many there are.
    """
    load, lock, numbers = Load(), threading.Lock(), count()

    def work() -> None:
        service = Service(url, wait_s=300)
        while (number := next(numbers)) < total:
            start = time.monotonic()
            answer = service.ask("/api/readings?lang=en", form(photos[number % len(photos)]), FORM)
            with lock:
                load.answers[number].append(answer)
                load.spent_s[number] = time.monotonic() - start
                done = len(load.answers)
            if answered is not None:
                answered(done)
        with lock:
            load.retries += service.retries

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return load
