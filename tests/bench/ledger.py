"""A ledger of 10,000 hands: how long it takes to open, check its seals, fold and total.

Real hands with their outcomes, in an SQLite file. Best of five, in CPU time of one core, since
the file lies in the system's cache. Beside it what one more hand takes to book: the median of 50
in elapsed time, which is mostly the disk's, and in CPU time.
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


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    rng = Random("bench ledger")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "club.sqlite"
        store = Store(place)
        store.fill("long", "main", log(rng))
        store.close()
        size = place.stat().st_size / 2**20

        def load() -> None:
            with Store(place) as store:
                totals = Ledger(store, "long").state.totals
                assert sum(totals.values()) == 0

        print(f"{HANDS:,} hands, {size:.1f} MiB: open, check and total {best(load):.3f} s of CPU")
        ledger = Ledger(Store(place), "long")
        elapsed, used = [], []
        for hand in hands(rng, BOOKED):
            at, cpu = time.perf_counter(), time.process_time()
            ledger.add("win", {"winners": [{"player": "Bo", "hand": hand}]})
            elapsed.append(time.perf_counter() - at)
            used.append(time.process_time() - cpu)
        print(
            f"one more hand: {median(elapsed) * 1000:.1f} ms elapsed, "
            f"{median(used) * 1000:.1f} ms of CPU (medians)"
        )


if __name__ == "__main__":
    main()
