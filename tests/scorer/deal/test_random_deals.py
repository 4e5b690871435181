"""What must hold for every deal, over deals played at random."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import HouseRules, Wind, find_ruleset
from scorer.deal import Deal, Kong, WallEnd, Win, deal_of, read_deal, settle
from scorer.deal.settlement import REASONS
from tests.scorer import brute_sichuan
from tests.scorer.deal.simulate import random_deal
from tests.support import slow_count

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
KONGS = ("claimed-kong", "added-kong", "concealed-kong")


def cases(quick: int, full: int) -> settings:
    return settings(max_examples=slow_count(quick, full), deadline=None, database=None)


def random_house(rng: Random) -> HouseRules:
    options: dict[str, object] = {}
    for option in find_ruleset("sichuan").options:
        if option.choices:
            options[option.name] = rng.choice(option.choices)
        elif isinstance(option.default, bool) and option.name != "missing_suit":
            options[option.name] = rng.random() < 0.5
    options["multiple_winners"] = "all"
    return HouseRules.of("sichuan", options | {"fan_cap": rng.choice(["none", 3, 4, 5])})


@cases(120, 3000)
@given(SEEDS)
def test_transfers_sum_to_zero_under_any_house_rules(seed: int) -> None:
    rng = Random(seed)
    settled = settle(random_deal(seed), random_house(rng))
    assert not settled.problems
    assert settled.finished
    assert sum(settled.totals.values()) == 0
    assert all(entry.transfer.amount > 0 for entry in settled.entries)
    assert all(entry.transfer.payer != entry.transfer.payee for entry in settled.entries)
    assert {entry.transfer.reason for entry in settled.entries} <= set(REASONS)
    assert json.loads(json.dumps(settled.to_json()))["totals"] == {
        seat.letter: amount for seat, amount in settled.totals.items()
    }


@cases(80, 2000)
@given(SEEDS)
def test_a_settlement_written_apart_comes_to_the_same(seed: int) -> None:
    """Plain arithmetic over the same events, sharing no code, has the same totals."""
    deal = random_deal(seed)
    assert dict(settle(deal).totals) == brute_sichuan.totals(deal)


@cases(80, 2000)
@given(SEEDS)
def test_who_has_won_neither_pays_nor_earns_but_at_the_end_of_the_wall(seed: int) -> None:
    settled = settle(random_deal(seed))
    won_at = {won.seat: won.event for won in settled.wins}
    for entry in settled.entries:
        paid = entry.transfer
        assert entry.event <= won_at.get(paid.payer, entry.event)
        if entry.event > won_at.get(paid.payee, entry.event):
            assert paid.reason in ("kong-refund", "flower-pig")


@cases(80, 2000)
@given(SEEDS)
def test_kong_payments_come_back_once_from_those_not_ready(seed: int) -> None:
    settled = settle(random_deal(seed))
    late = {s.seat for s in settled.standings if s.state in ("not-ready", "flower-pig")}
    made = [e for e in settled.entries if e.transfer.reason in KONGS]
    back = [e for e in settled.entries if e.transfer.reason == "kong-refund"]
    owed = [(e.event, e.transfer.payee, e.transfer.payer, e.transfer.amount) for e in made]
    assert [(e.of, e.transfer.payer, e.transfer.payee, e.transfer.amount) for e in back] == [
        row for row in owed if row[1] in late
    ]


@cases(60, 1000)
@given(SEEDS)
def test_pigs_pay_32_to_each_who_is_none_and_no_more(seed: int) -> None:
    settled = settle(random_deal(seed))
    states = {s.seat: s.state for s in settled.standings}
    pigs = [seat for seat, state in states.items() if state == "flower-pig"]
    end = [e.transfer for e in settled.entries if e.transfer.reason in ("flower-pig", "not-ready")]
    for pig in pigs:
        assert {t.payee: t.amount for t in end if t.payer == pig} == {
            seat: 32 for seat in Wind if seat not in pigs
        }
        assert not [t for t in end if t.payee == pig]


@cases(60, 1000)
@given(SEEDS)
def test_the_order_in_which_winners_are_named_changes_nothing(seed: int) -> None:
    deal = random_deal(seed)
    turned = tuple(
        replace(event, winners=event.winners[::-1]) if isinstance(event, Win) else event
        for event in deal.events
    )
    assert settle(replace(deal, events=turned)).entries == settle(deal).entries


@cases(60, 1000)
@given(SEEDS)
def test_a_deal_reads_back_from_json(seed: int) -> None:
    deal = random_deal(seed)
    assert deal_of(deal.to_json()) == deal
    assert read_deal(json.dumps(deal.to_json())) == deal


@cases(60, 1000)
@given(SEEDS, st.integers(0, 30))
def test_an_unfinished_deal_is_settled_so_far(seed: int, length: int) -> None:
    """The first events alone pay what they pay in the whole deal."""
    deal = random_deal(seed)
    if not deal.events:
        return
    part = deal.events[: length % len(deal.events)]
    if part and isinstance(part[-1], Kong):
        part = part[:-1]  # whether it is robbed stands in the next event
    settled = settle(replace(deal, events=part))
    assert not settled.finished
    whole = settle(deal).entries
    assert settled.entries == whole[: len(settled.entries)]


@cases(60, 1000)
@given(SEEDS, SEEDS)
def test_a_broken_list_of_events_never_raises(seed: int, other: int) -> None:
    """Events left out, doubled or from another deal: refused with a number, or settled to zero."""
    rng = Random(seed)
    events = [*random_deal(seed).events, *rng.choices(random_deal(other).events or [None], k=2)]
    rng.shuffle(events)
    kept = tuple(e for e in events if e is not None and rng.random() < 0.8)
    deal = Deal(random_deal(seed).missing, kept)
    settled = settle(deal)
    assert sum(settled.totals.values()) == 0
    for problem in settled.problems:
        assert 1 <= problem.event <= len(kept)
        assert all(problem.text(language) for language in ("en", "zh-Hant", "zh-Hans"))
    if any(isinstance(event, WallEnd) for event in kept[:-1]):
        assert settled.problems
