"""A progress line on the terminal; silent where standard error is not one."""

from __future__ import annotations

import sys
import time


class Progress:
    """Call it with what is done and how much there is; it draws at most five times a second."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = time.monotonic()
        self._drawn = 0.0
        self._on = sys.stderr.isatty()

    def __call__(self, done: int, count: int) -> None:
        now = time.monotonic()
        if not self._on or (now - self._drawn < 0.2 and done < count):
            return
        self._drawn = now
        rate = done / max(now - self.start, 1e-6)
        filled = round(30 * done / max(count, 1))
        bar = "█" * filled + "░" * (30 - filled)
        left = (count - done) / rate if rate else 0.0
        line = f"\r{self.what} {bar} {done}/{count}, {rate:.1f}/s, {left:.0f} s left "
        print(line, end="\n" if done >= count else "", file=sys.stderr, flush=True)
