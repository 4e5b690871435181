"""Hands per second of every rule set, in CPU time of one core.

2,000 random legal hands, 500 others as warm-up, best of five rounds; single suits are remembered
between hands, whole hands are not. Beside it, in the same process, the independent package
`mahjong` (Japanese rules) on random concealed 14-tile hands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from scorer import rulesets, score
from scorer.sampling import Sample, winning_hand

HANDS, WARM_UP, ROUNDS = 2000, 500, 5
T = TypeVar("T")


def hands_per_second(work: Callable[[T], object], hands: Sequence[T]) -> float:
    """The best of five rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for hand in hands:
            work(hand)
        best = min(best, time.process_time() - start)
    return len(hands) / best


def worst_ms(work: Callable[[T], object], hands: Sequence[T]) -> float:
    """The slowest hand, each at its best of five."""
    times = []
    for hand in hands:
        tries = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            work(hand)
            tries.append(time.perf_counter() - start)
        times.append(min(tries))
    return max(times) * 1000


def of_ruleset(ruleset: str) -> tuple[float, float]:
    """(hands per second, milliseconds of the worst hand)."""
    rng = Random(f"bench {ruleset}")

    def work(sample: Sample) -> object:
        return score(sample.hand, sample.situation, ruleset)

    for _ in range(WARM_UP):
        work(winning_hand(rng, ruleset))
    samples = [winning_hand(rng, ruleset) for _ in range(HANDS)]
    return hands_per_second(work, samples), worst_ms(work, samples)


def of_mahjong() -> float | None:
    """Hands per second of the package `mahjong`, or None where it is not installed."""
    try:
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig
    except ImportError:
        return None
    config = HandConfig(is_riichi=True, is_tsumo=True)
    rng = Random("bench mahjong")

    def work(hand: tuple[list[int], int]) -> object:
        return HandCalculator().estimate_hand_value(hand[0], hand[1], config=config)

    hands = [_fourteen(rng) for _ in range(HANDS + WARM_UP)]
    for hand in hands[HANDS:]:
        work(hand)
    return hands_per_second(work, hands[:HANDS])


def _fourteen(rng: Random) -> tuple[list[int], int]:
    """Four random sets and a pair as ids of single tiles (four copies a face), and the last."""
    while True:
        faces = [rng.randrange(34)] * 2
        for _ in range(4):
            low = rng.randrange(34)
            chow = low < 27 and low % 9 < 7 and rng.random() < 0.7
            faces += [low, low + 1, low + 2] if chow else [low] * 3
        if all(faces.count(face) <= 4 for face in faces):
            break
    faces.sort()
    tiles = [4 * face + faces[:i].count(face) for i, face in enumerate(faces)]
    return tiles, rng.choice(tiles)


def main() -> None:
    print("rule set            hands/s   worst ms")
    for ruleset in rulesets():
        rate, worst = of_ruleset(ruleset)
        print(f"{ruleset:18} {rate:8,.0f} {worst:10.2f}")
    rate_other = of_mahjong()
    if rate_other is None:
        print("mahjong            not installed")
    else:
        print(f"{'mahjong (package)':18} {rate_other:8,.0f}")


if __name__ == "__main__":
    main()
