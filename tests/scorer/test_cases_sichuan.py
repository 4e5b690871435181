"""Worked hands and payments of public Sichuan sources, each put into its class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from scorer import Hand, HouseRules, Situation, Tile, Wind, pay_false_win, pay_total, score
from scorer.deal import Deal, Kong, WallEnd, Win, Winner, settle
from tests.scorer.cases import (
    CONTRADICTS,
    Case,
    classify,
    flags_of,
    hand_of,
    known_differences,
    load,
    situation_of,
)

E, S, W, N = Wind
EVENTS = {"kong_draw": "kong-draw", "last_draw": "last-tile", "kong_discard": "kong-discard"}
MISSING = {E: "m", S: "m", W: "m", N: "s"}


def house(**options: object) -> HouseRules:
    return HouseRules.of("sichuan", options)


# The tables that the programs play by; a cap is on every one of them.
SBR = house(fan_cap=3, golden_hook="any_pair_wait", pig="32_each", false_win=8)
SBR_FOUR_MELDS = house(fan_cap=3)
ZHU = house(fan_cap=4, self_draw="plus_fan", golden_hook="replaces_pungs", shoot_after_kong=True)
ZHU_NO_SUIT = ZHU.but(missing_suit=False)
DONA = house(fan_cap=4, exposed_kong="all", kong_moves=True, arhats="limit", pig="16_ready")
HOUSES = {
    "sc-dcmshi": [SBR],
    "sc-zhu": [ZHU, ZHU_NO_SUIT],
    "sc-dona": [DONA],
    "sc-openmj": [SBR_FOUR_MELDS],
    "cons-sichuan": [SBR, SBR_FOUR_MELDS, house(fan_cap=3, outside_hand=False)],
}
# Items of other programs under our ids; a kong is a root here.
NAMES = {
    "AllPungs": "all-pungs", "GoldenWait": "golden-single-wait", "FullFlush": "full-flush",
    "SevenPairs": "seven-pairs", "Root": "root", "Kong": "root", "七对": "seven-pairs",
    "根": "root", "清一色": "full-flush", "素胡": "plain-hand", "自摸": "self-drawn",
    "海底捞月": "last-tile", "杠上炮": "kong-discard", "ping_hu": "plain-hand",
    "qing_yi_se": "full-flush", "qi_dui": "seven-pairs", "jiang_dui": "all-258-pungs",
    "大对子": "all-pungs",
}  # fmt: skip


def houses(case: Case) -> Iterable[HouseRules]:
    name = case["id"]
    return next((rules for start, rules in HOUSES.items() if name.startswith(start)), [])


def agrees(case: Case, rules: HouseRules | None) -> bool:
    if "payment_only" in flags_of(case):
        return _pays(case, rules)
    result = score(hand_of(case), _facts(case), "sichuan", rules)
    if result.problems or not result.certain or result.total is None:
        return False
    # A program's total is taken before or after its cap, as its case says.
    capped = case.get("expected_capped")
    found = result.uncut if capped is not None else result.total
    base = case.get("expected_base")
    return (
        found == case["expected_total"]
        and capped in (None, result.total)
        and base in (None, 2**result.total)
        and _items(case, result.ids(), result.total == result.uncut)
    )


def _facts(case: Case) -> Situation:
    return situation_of(case, EVENTS).but(missing_suit=flags_of(case).get("void"))


def _items(case: Case, ids: list[str], whole: bool) -> bool:
    """Whether the items that the case names are there, where we have the same item."""
    wanted: list[str] = []
    for name, count in case["expected_fans"] or ():
        id = NAMES.get(name)
        if id is not None:
            wanted += [id] * (count if id == "root" else 1)
    return not whole or all(ids.count(id) >= wanted.count(id) for id in wanted)


def _pays(case: Case, rules: HouseRules | None) -> bool:
    """Payments: of a fan number, of a kong, of the end of the wall, of a false win."""
    flags, name = flags_of(case), case["id"]
    if "false_hu" in flags:
        paid = pay_false_win(E, "sichuan", rules)
        assert paid is not None
        assert paid.payments is not None
        return _same(
            case, {"offender": paid.payments[E], "others": [paid.payments[w] for w in (S, W, N)]}
        )
    if "kong" in flags or "pay-kongs" in name:
        return _pays_kongs(case, rules)
    if "wall_end" in flags or "forbidden_suit" in flags:
        return _pays_pig(case, rules)
    if "pay-transfer" in name:
        return _pays_moved_kong(case, rules)
    if "two-winners" in name:
        one, two = (_won(fan, rules, False, giver=E, seat=seat) for fan, seat in ((1, S), (2, W)))
        found = {key: one[seat] + two[seat] for key, seat in zip("abcd", Wind, strict=True)}
        return _same(case, found)
    fan = _fan(case)
    out = frozenset({S}) if "already_won" in flags else frozenset()
    won = _won(fan, rules, case["win_by"] == "self" or "self" in name, out)
    each = won[W]
    found = {
        "winner": won[E], "each": each, "each_active": each, "winner_three_active": won[E],
        "discarder": won[N], "others": [won[S], won[W], won[N]],
    }  # fmt: skip
    if won[W] == 0:
        found["others"] = [won[S], won[W]]
    return _same(case, found)


def _fan(case: Case) -> int:
    flags = flags_of(case)
    if "base" in flags:
        return int(flags["base"]).bit_length() - 1
    return int(flags["fan"]) if "fan" in flags else int(case["id"].rpartition("-")[2])


def _won(
    fan: int,
    rules: HouseRules | None,
    self_drawn: bool,
    out: frozenset[Wind] = frozenset(),
    seat: Wind = E,
    giver: Wind = N,
) -> Mapping[Wind, int]:
    facts = Situation(
        seat=seat, self_drawn=self_drawn, from_seat=None if self_drawn else giver, already_won=out
    )
    paid = pay_total(fan, facts, "sichuan", rules).payments
    assert paid is not None
    return paid


def _pays_kongs(case: Case, rules: HouseRules | None) -> bool:
    claimed = Kong(E, Tile.P1, "claimed-kong", S)
    added, concealed = Kong(E, Tile.P2, "added-kong"), Kong(E, Tile.P3, "concealed-kong")
    kinds = {"exposed": [claimed], "added": [added], "concealed": [concealed]}
    events = kinds.get(flags_of(case).get("kong", ""), [claimed, added, concealed])
    totals = settle(Deal(MISSING, tuple(events)), rules).totals
    found = {
        "declarer": totals[E], "supplier": totals[S], "each_active": totals[W],
        "others": [totals[S], totals[W], totals[N]],
        **{str(int(seat)): totals[seat] for seat in Wind},
    }  # fmt: skip
    return _same(case, found)


def _pays_pig(case: Case, rules: HouseRules | None) -> bool:
    hands = {
        E: Hand.parse("1m123456789p123s"),
        S: Hand.parse("123456789p2225s"),
        W: Hand.parse("147p147s3366999s"),
        N: Hand.parse("123456789m1233p"),
    }
    paid = [e.transfer for e in settle(Deal(MISSING, (WallEnd(hands),)), rules).entries]
    by_pig = {seat: sum(t.amount for t in paid if (t.payer, t.payee) == (E, seat)) for seat in Wind}
    found = {
        "pig_to_each_non_pig": -min(by_pig[S], by_pig[W], by_pig[N]),
        "offender": -sum(by_pig.values()),
        "others": [by_pig[S], by_pig[W], by_pig[N]],
    }
    return _same(case, found)


def _pays_moved_kong(case: Case, rules: HouseRules | None) -> bool:
    kong = Kong(E, Tile.P9, "concealed-kong")
    winner = Winner(W, Hand.parse("123456p1123477s@7s"), frozenset({"kong-discard"}))
    settled = settle(Deal(MISSING, (kong, Win((winner,), E))), rules)
    moved = [entry.transfer for entry in settled.entries if entry.of is not None]
    sums = {str(int(seat)): 0 for seat in Wind}
    for transfer in moved:
        sums[str(int(transfer.payer))] -= transfer.amount
        sums[str(int(transfer.payee))] += transfer.amount
    return _same(case, sums)


def _same(case: Case, found: Mapping[str, object]) -> bool:
    return all(found[role] == amount for role, amount in case["expected_payments"].items())


@pytest.mark.parametrize("name", ["sichuan", "random_sichuan"])
def test_worked_hands_of_sichuan_sources(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every case agrees, agrees under its source's house rules, or is a known difference."""
    tally = classify(name, load(name), agrees, houses)
    with capsys.disabled():
        print("\n" + "\n".join(tally.lines()))
    against = {id for id, which in tally.classes.items() if which == CONTRADICTS}
    assert against <= known_differences()
    assert tally.share(CONTRADICTS) <= 0.05


def test_no_known_difference_is_out_of_date() -> None:
    """A case that has come to agree is taken off the list."""
    still = set()
    for name in ("sichuan", "random_sichuan"):
        tally = classify(name, load(name), agrees, houses)
        still |= {id for id, which in tally.classes.items() if which == CONTRADICTS}
    listed = {id for id in known_differences() if id.startswith(("sc-", "cons-sichuan"))}
    assert listed <= still
