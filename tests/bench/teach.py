"""Milliseconds of CPU time of one core that the lessons take, median and worst, by rule set.

Random legal hands after a warm-up of others; single suits are remembered between hands.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median

from scorer import rulesets, score
from scorer.sampling import Sample, other_hand, waiting_hand, winning_hand
from teach.almost import near_misses
from teach.discards import discards
from teach.waits import waits

HANDS, WARM_UP = 60, 10


def times_ms(work: Callable[[Sample], object], samples: list[Sample]) -> list[float]:
    found = []
    for sample in samples:
        start = time.process_time()
        work(sample)
        found.append((time.process_time() - start) * 1000)
    return found[WARM_UP:]


def of_ruleset(ruleset: str) -> dict[str, list[float]]:
    """What is done -> milliseconds of each hand."""
    rng = Random(f"bench teach {ruleset}")
    count = HANDS + WARM_UP
    ready = [waiting_hand(rng, ruleset) for _ in range(count)]
    won: list[Sample] = []
    while len(won) < count:
        sample = winning_hand(rng, ruleset)
        if score(sample.hand, sample.situation, ruleset).is_good:
            won.append(sample)
    unfinished = [other_hand(rng, ruleset, 1 + i % 4) for i in range(count)]
    return {
        "waits": times_ms(lambda s: waits(s.hand, s.situation, ruleset), ready),
        "almost 1": times_ms(lambda s: near_misses(s.hand, s.situation, ruleset), won),
        "almost 2": times_ms(lambda s: near_misses(s.hand, s.situation, ruleset, tiles=2), won),
        "discards": times_ms(lambda s: discards(s.hand, s.situation, ruleset), unfinished),
    }


def main() -> None:
    print("rule set            what        median ms   worst ms")
    for ruleset in rulesets():
        for what, times in of_ruleset(ruleset).items():
            print(f"{ruleset:18}  {what:10} {median(times):10.1f} {max(times):10.1f}")


if __name__ == "__main__":
    main()
