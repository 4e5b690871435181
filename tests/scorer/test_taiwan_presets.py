"""The published Taiwan tables that ship as presets: worked hands, and a program's own cases."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scorer import Hand, HouseRules, Situation, Wind, score
from scorer.registry import preset_house
from tests.scorer.cases import Case, load
from tests.scorer.test_cases_taiwan import agrees

E, S, W, N = Wind
PRESETS = ("sml", "cml", "atawmj", "star31", "shenlaiye", "zhaishenye")
Facts = Mapping[str, object]

# Sources: the published values of each table (scorer/presets/taiwan-*.toml). East wins on a discard
# of North, North deals, round East, where nothing else is said. Tai in the order of PRESETS.
CONCEALED = "123456m23456p123s77z@1p"
OPEN = "23456p123456s77z[123m]@1p"
PUNG = "23456p123456s77z[111m]@1p"
HANDS: list[tuple[str, str, Facts, tuple[int, ...]]] = [
    # Concealed and self-drawn 1 + 1 + 1; 2 + 2 + 1 for zhaishenye.
    ("concealed, self-drawn", CONCEALED, {"self_drawn": True}, (3, 3, 3, 3, 3, 5)),
    # All chows 2: for a claimed hand only in sml and its kin; star31 adds no honours no flowers 2.
    ("all chows, concealed", "123456m23456p123s99s@1p", {}, (1, 1, 3, 3, 1, 4)),
    ("all chows, one claimed", "23456p123456s99p[123m]@1p", {}, (2, 2, 2, 4, 2, 2)),
    ("all chows with a pair of dragons", OPEN, {}, (2, 2, 0, 2, 2, 0)),
    ("nothing at all", PUNG, {}, (0, 0, 0, 0, 0, 0)),
    # Five concealed pungs 8, all pungs 4, concealed and self-drawn.
    ("five concealed pungs", "111222m111222p11s77z@1s", {"self_drawn": True},
     (15, 15, 15, 15, 15, 17)),
    # Big three dragons 8; the three pungs beside it in the association's program.
    ("big three dragons", "23m123p11s[555z][666z][777z]@1m", {}, (8, 8, 11, 8, 8, 8)),
    # All claimed 2; star31 counts every wind pung.
    ("all claimed", "1m[234p][567p][234s][567s][222z]@1m", {}, (2, 2, 2, 3, 2, 2)),
    # Half claimed 1 (self-drawn beside it in shenlaiye), else self-drawn 1 and pair wait 1.
    ("all claimed, self-drawn", "1m[234p][567p][234s][567s][222z]@1m", {"self_drawn": True},
     (2, 2, 1, 3, 2, 1)),
    # Heavenly hand 24, earthly hand 16, self-drawn beside them in sml and its kin.
    ("heavenly hand", CONCEALED,
     {"self_drawn": True, "dealer": E, "events": frozenset({"heavenly-hand"})},
     (25, 25, 24, 25, 25, 24)),
    ("earthly hand", CONCEALED, {"self_drawn": True, "events": frozenset({"earthly-hand"})},
     (17, 17, 16, 17, 17, 16)),
    # Human hand 16, in shenlaiye 8.
    ("human hand", CONCEALED, {"events": frozenset({"human-hand"})}, (16, 16, 16, 16, 8, 16)),
    # Flower kong 1 or 2, the seat's flower 1 beside it; star31 counts every flower.
    ("four seasons", PUNG + " 1234f", {}, (2, 2, 3, 6, 3, 2)),
    # Little four winds 8, edge wait 1; the winds of seat and round beside it, or not.
    ("little four winds", "12m123p44z[111z][222z][333z]@3m", {"round": S},
     (9, 9, 11, 9, 9, 11)),
    # All honours 16 or 8; big four winds 16, five concealed pungs 8, all pungs 4, a dragon pung,
    # concealed hand and pair wait 1 each, concealed hand 2 for zhaishenye.
    ("all honours", "1112223334445777z@5z", {}, (47, 47, 39, 39, 39, 48)),
    # Ready on the first discard 16 or 8, in the first round 8 or 4; concealed hand beside or not.
    ("ready on the first discard", CONCEALED,
     {"dealer": E, "events": frozenset({"first-discard-ready"})}, (17, 17, 8, 9, 17, 8)),
    ("ready in the first round", CONCEALED, {"events": frozenset({"first-round-ready"})},
     (9, 9, 4, 5, 5, 6)),
    # Kongs earn tai in star31 alone.
    ("kongs", "23456p77z(1111m)[2222m][333s]@1p", {}, (0, 0, 0, 3, 0, 0)),
    # Chrysanthemum is West's, but North's in the association's table.
    ("chrysanthemum of West", PUNG + " 7f", {"seat": W}, (1, 1, 0, 1, 1, 1)),
    ("last discard", PUNG, {"events": frozenset({"last-tile"})}, (0, 0, 1, 0, 0, 1)),
]  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("hand", "facts", "tai"), [row[1:] for row in HANDS], ids=[row[0] for row in HANDS]
)
def test_a_worked_hand(preset: str, hand: str, facts: Facts, tai: tuple[int, ...]) -> None:
    given: dict[str, object] = {"seat": E, "round": E, "dealer": N, "self_drawn": False} | facts
    if not given["self_drawn"]:
        given["from_seat"] = N
    result = score(Hand.parse(hand), Situation(**given), f"taiwan-{preset}")  # type: ignore[arg-type]
    assert not result.problems
    assert result.total == tai[PRESETS.index(preset)]


# `taiwan-hk-style`: straight 10 (20 concealed), chow hand without honours and flowers 10, pung hand
# 30, half flush 30, big three dragons 40, exposed hand 15, fully concealed 5, two suits 5, double
# chow 3, double pung 3, no honours no flowers 3, two terminal chows 2, two concealed pungs 2, the
# dealer's win 1, no flowers 1, each honour pung 1 and its own kind 1 more.
HK_STYLE: list[tuple[str, Facts, int]] = [
    ("23456p123789p99m[123m]@1p", {}, 20 + 10 + 3 + 5),
    ("23456p123789p99m[123m]@1p", {"dealer": E}, 20 + 10 + 3 + 5 + 1),
    ("23456p123789p99m345m@1p", {"self_drawn": True}, 20 + 10 + 5 + 3 + 5),
    ("23p112233456s99m[123m]@1p", {}, 10 + 3),
    ("23p789p455556s99m[123m]@1p", {}, 3 + 2),
    ("23p789p444s99m[444m][777p]@1p", {}, 3 + 2 + 3),
    ("111p3339m[222s][444m][999s]@9m", {}, 3 + 2 + 30),
    ("23p567p11789p[555z][222z]@4p", {}, 1 + 2 + 30 + 1),
    ("9m[123m][456p][789s][222p][333s]@9m", {}, 3 + 15),
    ("23m123p11s[555z][666z][777z]@1m", {}, 1 + 40),
    ("23m123p11s456s[111z][666z]@1m", {}, 1 + 2 + 1 + 1 + 1),
    ("2345678999p234m[111s]@1p", {}, 3 + 10),
]


@pytest.mark.parametrize(("hand", "facts", "tai"), HK_STYLE)
def test_a_worked_hand_of_hong_kong_style(hand: str, facts: Facts, tai: int) -> None:
    given: dict[str, object] = {"seat": E, "round": E, "dealer": N, "self_drawn": False} | facts
    if not given["self_drawn"]:
        given["from_seat"] = N
    result = score(Hand.parse(hand), Situation(**given), "taiwan-hk-style")  # type: ignore[arg-type]
    assert not result.problems
    assert result.total == tai


def with_options(case: Case) -> HouseRules:
    """The preset a case of the program open_mahjong is played by, with the options it names."""
    named = dict(case["options"]["openmahjong"])
    base = preset_house(f"taiwan-{named.pop('scoring_preset', 'sml')}")
    options: dict[str, object] = {}
    for name, value in named.items():
        options |= OPTIONS[name, value]
    return base.but(**options)


OPTIONS: dict[tuple[str, object], dict[str, object]] = {
    ("half_begging_enabled", True): {"half_claimed": True, "half_claimed_self_drawn": True},
    ("last_tile_claim_enabled", True): {"last_discard_counts": True},
    ("all_wind_pungs_enabled", True): {"every_wind_pung": True, "every_wind_adds": True},
    ("concealed_kong_enabled", True): {"concealed_kong": True},
    ("eight_flowers_mode", "compound"): {"flower_wins": "hand"},
    ("eight_flowers_mode", "forced_standalone"): {"flower_wins": "standalone"},
    ("eight_and_a_half_pairs_enabled", True): {
        "eight_pairs": True,
        "eight_pairs_concealed_hand": True,
    },
    ("four_kongs_enabled", True): {},
    ("five_kongs_enabled", True): {},
    ("all_chows_honors_and_flowers_allowed", False): {
        "all_chows_honours": "no",
        "all_chows_flowers": False,
    },
    ("all_chows_wait_mode", "any_two_sided"): {"all_chows_waits": "any"},
    ("all_chows_wait_mode", "only_two_sided"): {"all_chows_waits": "only_two_sided"},
    ("all_honors_add_all_pungs", False): {"all_honours_stacks": False},
    ("earthly_ready_excludes_concealed_and_declared_ready", True): {
        "first_round_ready_concealed_hand": False
    },
    ("prefer_triplet_decomposition_on_discard_win", True): {},
}
# Not a house rule here (tests/data/known-differences.md), or another reading of the seat's winds.
OTHERWISE = {
    "tw-openmj-heavenly",
    "tw-openmj-kongdraw",
    "tw-openmj-ambiguous-triplet-priority",
    "tw-openmj-winds-each",
}


def test_cases_of_the_program_agree_under_its_preset() -> None:
    """Each case under the one preset that the program publishes, with the options it names."""
    cases = [
        case
        for case in load("taiwan")
        if (case.get("options") or {}).get("openmahjong") is not None
    ]
    against = {case["id"] for case in cases if not agrees(case, with_options(case))}
    assert len(cases) >= 30
    assert against <= OTHERWISE
