"""The search is exact: the same answer as trying every assignment, in order of cost."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from scorer.arrange import key_of
from scorer.handtext import parse_tiles
from scorer.registry import find_ruleset
from scorer.sampling import winning_hand
from tests.support import slow_count
from vision.faces import Costs, is_bonus, is_set
from vision.solve import is_complete, solve, waits_of
from vision.thresholds import CERTAIN_NATS, MAX_REPAIRS, REPAIR_NATS, REPAIR_TOTAL_NATS

TAIWAN = find_ruleset("taiwan")


def sure(text: str) -> dict[int, Costs]:
    return {i: {int(tile): 0.0} for i, tile in enumerate(parse_tiles(text))}


def brute(
    loose: list[int], exposed: list[tuple[int, ...]], costs: dict[int, Costs]
) -> float | None:
    """Cheapest legal assignment by trying all of them."""
    tiles = loose + [i for tiles in exposed for i in tiles]
    best: float | None = None
    for faces in product(*(list(costs[i]) for i in tiles)):
        chosen = dict(zip(tiles, faces, strict=True))
        cost = sum(costs[i][chosen[i]] for i in tiles)
        changed = sum(chosen[i] != next(iter(costs[i])) for i in tiles)
        if (
            changed > MAX_REPAIRS
            or cost > REPAIR_TOTAL_NATS
            or any(costs[i][chosen[i]] > REPAIR_NATS for i in tiles)
        ):
            continue
        plain = [chosen[i] for i in loose if not is_bonus(chosen[i])]
        bonus = [chosen[i] for i in loose if is_bonus(chosen[i])]
        every = plain + [chosen[i] for tiles in exposed for i in tiles]
        if len(set(bonus)) < len(bonus) or any(every.count(f) > 4 for f in every):
            continue
        if not all(is_set(tuple(chosen[i] for i in tiles)) for tiles in exposed):
            continue
        if len(plain) != 17 - 3 * len(exposed):
            continue
        if is_complete(key_of(plain), len(exposed), TAIWAN, None):
            best = cost if best is None else min(best, cost)
    return best


def test_the_same_as_trying_everything() -> None:
    for seed in range(slow_count(30, 400)):
        rng = Random(seed)
        hand = winning_hand(rng).hand
        melds = [meld for meld in hand.melds if len(meld.tiles) == 3]
        if len(melds) != len(hand.melds):
            continue
        faces = [*hand.concealed, hand.winning, *hand.bonus]
        loose = list(range(len(faces)))
        exposed, at = [], len(faces)
        for meld in melds:
            exposed.append(tuple(range(at, at + 3)))
            faces += meld.tiles
            at += 3
        costs = {i: {int(face): 0.0} for i, face in enumerate(faces)}
        for i in rng.sample(range(len(faces)), rng.choice((2, 3, 4))):
            # The first choice is something else; the truth comes behind it, or is not there.
            true = next(iter(costs[i]))
            other = rng.choice([f for f in range(38) if f != true])
            extra = rng.choice([f for f in range(34) if f not in (true, other)])
            costs[i] = {other: 0.0, true: rng.uniform(0.1, 4.5), extra: rng.uniform(0.1, 5.0)}
        found = solve(loose, exposed, costs, TAIWAN)
        complete = [c for c in found.completions if not c.waits]
        expected = brute(loose, exposed, costs)
        assert found.exhausted
        if expected is None or (found.completions and found.completions[0].waits):
            assert expected is None or found.completions[0].cost <= expected + 1e-9
            continue
        assert complete[0].cost == pytest.approx(expected), seed
        assert all(c.cost <= complete[0].cost + CERTAIN_NATS for c in found.completions)


def test_a_hand_read_right_costs_nothing() -> None:
    found = solve(list(range(17)), [], sure("123m456p789s111z55z22z2z"), TAIWAN)
    assert [c.cost for c in found.completions] == [0.0]


def test_a_fifth_copy_is_never_read() -> None:
    costs = sure("1111m23m456p789s11122z")
    # Seventeen tiles with four 1m; the seventeenth was read 2m and could be a fifth 1m.
    assert all(
        list(c.faces.values()).count(0) <= 4
        for c in solve(list(costs), [], costs | {4: {1: 0.0, 0: 0.1}}, TAIWAN).completions
    )


def test_a_bonus_tile_is_there_once() -> None:
    costs = sure("123m456p789s111z222z55z") | {17: {34: 0.0}, 18: {34: 0.0, 38: 1.0}}
    (best,) = solve(list(costs), [], costs, TAIWAN).completions
    assert (best.faces[17], best.faces[18]) == (34, 38)
    assert best.cost == 1.0


def test_a_first_choice_is_not_overruled_beyond_the_limit() -> None:
    tiles = "123m456p789s111z222z5z"
    near = sure(tiles) | {16: {31: 0.0, 33: REPAIR_NATS - 0.1}}
    far = sure(tiles) | {16: {31: 0.0, 33: REPAIR_NATS + 0.1}}
    assert len(solve(list(near), [], near, TAIWAN).completions) == 1
    assert not solve(list(far), [], far, TAIWAN).completions


def test_one_tile_short_is_a_waiting_hand() -> None:
    costs = sure("123m456p789s111z222z5z")
    (best,) = solve(list(costs), [], costs, TAIWAN).completions
    assert best.waits == (33,)
    assert waits_of(key_of([0, 0, 1, 2, 3]), 4, TAIWAN, None) == ()


def test_kong_tiles_face_down_take_the_face_of_the_others() -> None:
    costs = sure("123m456p789s22z") | {11: {42: 0.0}, 12: {15: 0.0}, 13: {15: 0.0}, 14: {42: 0.0}}
    costs |= {15: {33: 0.0}, 16: {33: 0.0}, 17: {33: 0.0}}
    (best,) = solve(list(range(11)), [(11, 12, 13, 14), (15, 16, 17)], costs, TAIWAN).completions
    assert best.cost == 0.0
