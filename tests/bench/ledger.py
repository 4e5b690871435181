"""A ledger of 10,000 hands: how long it takes to open, check its seals, fold and total.

Real hands with their outcomes, in an SQLite file and, where it is installed, on a PostgreSQL
server. Best of five, in CPU time of one core, since the file lies in the system's cache, and
elapsed, which holds what the server takes too. Beside it what one more hand takes to book: the
median of 50 in elapsed time, which is mostly the disk's, and in CPU time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

from scorer import Hand, Situation, score
from scorer.sampling import winning_hand
from table import Ledger, State, Store
from table.ledger import now
from table.log import Record
from table.outcome import outcome_of
from tests.support import postgres
from tests.table.conftest import Server

HANDS, ROUNDS, BOOKED = 10_000, 5, 50
PLAYERS = ["An", "Bo", "Chi", "Dee"]


def hands(rng: Random, count: int) -> list[str]:
    """Texts of hands that need no event to be certain wins."""
    found: list[str] = []
    while len(found) < count:
        hand = winning_hand(rng, "taiwan").hand
        if score(Hand.parse(str(hand)), Situation(seat=0, round=0, self_drawn=True)).is_good:  # type: ignore[arg-type]
            found.append(str(hand))
    return found


def log(rng: Random) -> list[Record]:
    """A night of HANDS hands, drawn by themselves so that each names who pays."""
    body = {"players": PLAYERS, "rules": {"id": "taiwan"}}
    records = [Record(1, "start", body, "start", now())]
    state = State(body)
    some = hands(rng, 1000)
    for no in range(2, HANDS + 2):
        win = {"winners": [{"player": rng.choice(PLAYERS), "hand": rng.choice(some)}]}
        outcome = outcome_of(state, "win", win)
        assert outcome is not None
        records.append(Record(no, "win", win, f"key {no}", now(), {no: outcome}))
        state.apply(no, "win", "", win, outcome)
    return records


def best(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of CPU and elapsed, the smallest of each."""
    used, elapsed = [], []
    for _ in range(ROUNDS):
        at, cpu = time.perf_counter(), time.process_time()
        work()
        elapsed.append(time.perf_counter() - at)
        used.append(time.process_time() - cpu)
    return min(used), min(elapsed)


def measure(name: str, place: str, records: list[Record], fresh: list[str]) -> None:
    """Print the figures of one ledger. `fresh` are the hands that are booked."""
    with Store(place) as store:
        store.fill("long", "main", records)

    def load() -> None:
        with Store(place) as store:
            totals = Ledger(store, "long").state.totals
            assert sum(totals.values()) == 0

    used, elapsed = best(load)
    print(
        f"{name}: {HANDS:,} hands, open, check and total {used:.3f} s of CPU, "
        f"{elapsed:.3f} s elapsed"
    )
    ledger = Ledger(Store(place), "long")
    times = []
    for hand in fresh:
        at, cpu = time.perf_counter(), time.process_time()
        ledger.add("win", {"winners": [{"player": "Bo", "hand": hand}]})
        times.append((time.perf_counter() - at, time.process_time() - cpu))
    ledger.store.close()
    waited, worked = (median(row[k] for row in times) * 1000 for k in (0, 1))
    print(f"{name}: one more hand {waited:.1f} ms elapsed, {worked:.1f} ms of CPU (medians)")


def main() -> None:
    rng = Random("bench ledger")
    records, fresh = log(rng), hands(rng, BOOKED)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "club.sqlite"
        measure("SQLite", str(place), records, fresh)
        print(f"SQLite: {place.stat().st_size / 2**20:.1f} MiB")
    programs = postgres()
    if programs is None:
        print("PostgreSQL: not installed")
        return
    server = Server(programs)
    try:
        measure("PostgreSQL", server.url, records, fresh)
    finally:
        server.close()


if __name__ == "__main__":
    main()
