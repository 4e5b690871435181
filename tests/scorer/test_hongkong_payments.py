"""Payments of the Hong Kong games: every example of rules/hong-kong.md, seat by seat."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

from scorer import (
    Fed,
    Hand,
    HouseRuleError,
    HouseRules,
    Result,
    Situation,
    Wind,
    pay_false_win,
    pay_total,
    score,
    score_winners,
)
from scorer.rules.hongkong_points import CANTON, SIMPLIFIED, TABLES, TRADITIONAL, points
from scorer.sampling import winning_hand
from scorer.tiles import Tile
from tests.scorer.test_properties import SEEDS, cases

E, S, W, N = Wind


def house(**options: object) -> HouseRules:
    return HouseRules.of("hongkong", options)


def won(winner: Wind, giver: Wind | None, **facts: Any) -> Situation:
    return Situation(seat=winner, round=E, self_drawn=giver is None, from_seat=giver, **facts)


def paid(faan: int, facts: Situation, rules: HouseRules | None = None) -> tuple[int, ...]:
    found = pay_total(faan, facts, "hongkong", rules).payments
    assert found is not None
    assert sum(found.values()) == 0
    return tuple(found[wind] for wind in Wind)


# (table, faan, winner, who gave the tile, East, South, West, North)
EXAMPLES = [
    ("simplified", 3, W, None, -4, -2, 8, -2),
    ("simplified", 5, N, S, -4, -4, -2, 10),
    ("simplified", 10, E, W, 64, -16, -32, -16),
    ("traditional", 4, W, None, -64, -32, 128, -32),
    ("traditional", 7, N, S, -64, -64, -32, 160),
    ("traditional", 10, E, W, 512, -128, -256, -128),
    ("canton", 4, W, None, -64, -32, 128, -32),
    ("canton", 7, W, None, -192, -96, 384, -96),
    ("canton", 12, E, W, 2048, -512, -1024, -512),
]


@pytest.mark.parametrize(("table", "faan", "winner", "giver", "e", "s", "w", "n"), EXAMPLES)
def test_examples_of_the_rules(
    table: str, faan: int, winner: Wind, giver: Wind | None, e: int, s: int, w: int, n: int
) -> None:
    rules = house(payment_table=table)
    assert paid(faan, won(winner, giver), rules) == (e, s, w, n)


# Without East: faan, winner's total on a discard, and self-drawn.
WITHOUT_EAST = [(0, 4, 0), (1, 8, 12), (2, 16, 24), (3, 32, 48), (4, 64, 96), (5, 64, 96),
                (6, 64, 96), (7, 128, 192), (8, 128, 192), (9, 128, 192), (10, 256, 384),
                (11, 256, 384), (13, 256, 384)]  # fmt: skip


@pytest.mark.parametrize(("faan", "discard", "drawn"), WITHOUT_EAST)
def test_traditional_totals_without_east_doubling(faan: int, discard: int, drawn: int) -> None:
    """1 + 1 + 2 shares on a discard, 2 + 2 + 2 self-drawn."""
    rules = house(payment_doubling="discarder", minimum_faan=0)
    quarter = discard // 4
    assert paid(faan, won(S, N), rules) == (-quarter, discard, -quarter, -2 * quarter)
    if drawn:
        third = drawn // 3
        assert paid(faan, won(S, None), rules) == (-third, drawn, -third, -third)


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("simplified", (None, None, None, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 8)),
        ("traditional", (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64)),
        ("canton", (None, None, None, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)),
        ("half-spicy", (None, None, None, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)),
        ("full-spicy", (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)),
    ],
)
def test_points_of_every_row(table: str, rows: tuple[int | None, ...]) -> None:
    for faan, amount in enumerate(rows):
        if amount is None:
            with pytest.raises(ValueError, match="below the first row"):
                points(table, faan)
        else:
            assert points(table, faan) == amount


def test_the_last_row_holds_for_ever() -> None:
    assert [points(table, 40) for table in (SIMPLIFIED, TRADITIONAL, CANTON)] == [8, 64, 384]


@pytest.mark.parametrize(
    ("style", "rules", "expected"),
    [
        # Five styles that HK-A describes, as lists of a club's own.
        ("oldest, stops at 4", {"payment_table": [[0, 1], [1, 2], [2, 4], [3, 8], [4, 16]]},
         {0: 1, 4: 16, 9: 16}),
        ("nothing for 1 or less", {"payment_table": [[0, 0], [2, 4], [3, 8], [4, 16]]},
         {0: 0, 1: 0, 2: 4}),
        ("steps at 7 and 10", {"payment_table": "traditional"}, {6: 16, 7: 32, 10: 64}),
        ("parlour, constant", {"payment_table": [[0, 25]]}, {0: 25, 13: 25}),
        ("extreme, no limit", {"payment_table": "full-spicy", "limit_faan": "none"},
         {3: 8, 20: 2**20}),
    ],
)  # fmt: skip
def test_a_club_can_play_any_of_the_styles(
    style: str, rules: dict[str, object], expected: dict[int, int]
) -> None:
    table = house(payment_doubling="none", **rules)
    for faan, each in expected.items():
        assert paid(faan, won(S, None), table) == (-each, 3 * each, -each, -each), style


def test_points_double_at_most_twice_for_one_loser() -> None:
    """Self-drawn by East: every loser pays four times the points; so does East as discarder."""
    assert paid(3, won(E, None)) == (96, -32, -32, -32)
    assert paid(3, won(S, E)) == (-32, 48, -8, -8)


def test_the_dealer_need_not_sit_east() -> None:
    assert paid(3, won(S, None, dealer=N)) == (-16, 64, -16, -32)
    assert pay_total(3, won(S, W, dealer=None), "hongkong").payments is None


def test_discarder_pays_all() -> None:
    """全銃: the three shares as they stand, one of them doubled, East's too."""
    rules = house(discarder_pays_all=True)
    assert paid(3, won(S, W), rules) == (0, 16 + 16 + 8, -40, 0)
    assert paid(3, won(S, None), rules) == paid(3, won(S, None))


def test_nobody_doubles() -> None:
    rules = house(payment_doubling="none")
    assert paid(3, won(E, W), rules) == (24, -8, -8, -8)
    assert paid(3, won(S, None), rules) == (-8, 24, -8, -8)


def test_several_winners_of_one_discard() -> None:
    """Nearest: the second to sit after the discarder wins nothing. All: each is paid in full by
    the discarder and the player who did not win.
    """
    hands = [Hand.parse("7m888s444z[222m][555p]@7m"), Hand.parse("7m333p999s[666s][888m]@7m")]
    wins = [(hands[0], won(E, W)), (hands[1], won(S, W))]
    nearest = score_winners(wins, "hongkong")
    assert nearest[0].is_good
    assert [problem.id for problem in nearest[1].problems] == ["not-nearest"]
    both = score_winners(wins, "hongkong", house(multiple_winners="all"))
    assert [result.total for result in both] == [4, 4]
    assert [seats(result) for result in both] == [(96, 0, -64, -32), (0, 48, -32, -16)]


def seats(result: Result) -> tuple[int, ...]:
    assert result.payments is not None
    return tuple(result.payments[wind] for wind in Wind)


# Liability

FLUSH_3 = "1p4p4p4p[123p][456p][789p]@1p"  # three exposed sets
FLUSH_4 = "5p[123p][456p][789p][111p]@5p"  # four exposed sets


def reasons(result: Result) -> set[str]:
    return {transfer.reason for transfer in result.transfers}


def flush(text: str, facts: Situation, rules: HouseRules | None = None) -> Result:
    return score(Hand.parse(text), facts, "hongkong", rules)


def test_nine_piece_the_discarder_of_the_full_flush_pays_all() -> None:
    """8 faan = 32: East's share 64, West's own as discarder 64, North's 32."""
    result = flush(FLUSH_3, won(S, W))
    assert (result.total, seats(result)) == (8, (0, 160, -160, 0))
    assert reasons(result) == {"nine-piece"}
    assert seats(flush(FLUSH_3, won(S, W), house(nine_piece=False))) == (-64, 160, -64, -32)


@pytest.mark.parametrize(
    "text",
    [
        "1p44p[123p](4444s)[789p][666p]@1p",  # not a full flush
        "1p444p[123p][456p](7777p)@1p",  # two exposed sets and a concealed kong
        "1p444p1z1z1z[123p][456p]@1p",  # honours
    ],
)
def test_nine_piece_needs_three_exposed_sets_and_a_full_flush(text: str) -> None:
    assert "nine-piece" not in reasons(flush(text, won(S, W)))


def test_nine_piece_is_not_for_a_self_draw_with_three_sets() -> None:
    assert reasons(flush(FLUSH_3, won(S, None))) == {"self-drawn"}


def test_twelve_piece_who_fed_the_fourth_set_pays_the_self_draw() -> None:
    """9 faan = 32, doubled by the self-draw, East's share again: 128 + 64 + 64."""
    fed = (Fed(E, (Tile.P1, Tile.P2, Tile.P3)), Fed(W, (Tile.P1,) * 3))
    result = flush(FLUSH_4, won(S, None, fed=fed))
    assert (result.total, seats(result)) == (9, (0, 256, -256, 0))
    assert reasons(result) == {"twelve-piece"}
    off = flush(FLUSH_4, won(S, None, fed=fed), house(twelve_piece=False))
    assert seats(off) == (-128, 256, -64, -64)


def test_twelve_piece_east_wins() -> None:
    fed = (Fed(W, (Tile.P1,) * 3),)
    assert seats(flush(FLUSH_4, won(E, None, fed=fed))) == (384, 0, -384, 0)


def test_twelve_piece_without_a_feeder_asks_for_him() -> None:
    result = flush(FLUSH_4, won(S, None))
    assert result.total == 9
    assert result.certain
    assert result.payments is None
    assert result.questions == ("fed",)


def test_an_added_kong_is_fed_by_who_gave_its_pung() -> None:
    text = FLUSH_4.replace("[111p]", "[1111p]").replace("[123p]", "[234p]")
    result = flush(text, won(S, None, fed=(Fed(N, (Tile.P1,) * 3),)))
    assert reasons(result) == {"twelve-piece"}
    assert seats(result)[N] < 0


def test_twelve_piece_is_for_the_self_draw_only() -> None:
    fed = (Fed(E, (Tile.P1,) * 3),)
    assert reasons(flush(FLUSH_4, won(S, W, fed=fed))) == {"nine-piece"}


PLAIN = "7m888s444z[222m][555p]@7m"


@pytest.mark.parametrize(
    ("facts", "liable"),
    [
        ({"wall_left": 5, "seen": False}, True),
        ({"wall_left": 0, "seen": False}, True),
        ({"wall_left": 6, "seen": False}, False),
        ({"wall_left": 5, "seen": True}, False),
        ({"seen": False}, False),
        ({"seen": False, "events": frozenset({"last-tile"})}, True),
        ({}, False),
    ],
)
def test_fifth_tile(facts: dict[str, Any], liable: bool) -> None:
    """Five or fewer in the wall and a face not seen before: the discarder pays all."""
    result = flush(PLAIN, won(S, W, **facts))
    assert reasons(result) == ({"fifth-tile"} if liable else {"discard"})
    share = points("traditional", result.total or 0)
    if liable:
        assert seats(result) == (0, 5 * share, -5 * share, 0)
        assert reasons(flush(PLAIN, won(S, W, **facts), house(fifth_tile=False))) == {"discard"}
    else:
        assert seats(result) == (-2 * share, 5 * share, -2 * share, -share)


def test_fifth_tile_asks_whether_the_face_had_been_seen() -> None:
    result = flush(PLAIN, won(S, W, wall_left=3))
    assert (result.total, result.payments, result.questions) == (4, None, ("seen",))


def test_robbed_kong_the_robbed_player_pays_all() -> None:
    """Won on a discard of the robbed player: 4 faan = 16, of East 32, of the robbed 32."""
    text = "12m456m789m222z5m5m@3m"
    facts = won(S, W, robbed=True)
    result = score(Hand.parse(text), facts, "hongkong")
    assert result.ids() == ["half-flush", "seat-wind-pung", "concealed-hand", "robbing-kong",
                            "no-flowers"]  # fmt: skip
    assert seats(result) == (0, 160, -160, 0)
    assert reasons(result) == {"robbed-kong"}
    off = score(Hand.parse(text), facts, "hongkong", house(robbed_kong=False))
    assert seats(off) == (-64, 160, -64, -32)


def test_false_win_pays_every_player_the_points_of_the_limit_without_doublings() -> None:
    def fined(**options: object) -> tuple[int, ...]:
        found = pay_false_win(S, "hongkong", house(**options))
        assert found is not None
        assert found.payments is not None
        return tuple(found.payments.get(wind, 0) for wind in Wind)

    assert fined() == (64, -192, 64, 64)
    assert fined(payment_table="canton") == (384, -1152, 384, 384)
    assert fined(payment_table="canton", limit_faan=8) == (64, -192, 64, 64)
    assert fined(payment_table="full-spicy", limit_faan="none") == (8192, -24576, 8192, 8192)
    assert fined(false_win="minimum") == (8, -24, 8, 8)
    assert fined(false_win="off") == (0, 0, 0, 0)


def test_the_face_of_a_robbed_kong_has_been_seen() -> None:
    facts = won(S, W, robbed=True, wall_left=3)
    result = score(Hand.parse("12m456m789m222z5m5m@3m"), facts, "hongkong",
                   house(robbed_kong=False))  # fmt: skip
    assert reasons(result) == {"discard"}


@cases(60, 600)
@given(SEEDS)
def test_who_is_liable_changes_who_pays_and_never_what_the_winner_gets(seed: int) -> None:
    rng = Random(seed)
    drawn = winning_hand(rng, "hongkong", rng.choice(("flush", "open", "mixed")))
    exposed = [meld for meld in drawn.hand.melds if meld.is_exposed]
    seat = drawn.situation.seat
    assert seat is not None
    fed = tuple(Fed(Wind((seat + rng.randrange(1, 4)) % 4), meld.tiles) for meld in exposed)
    facts = drawn.situation.but(
        fed=fed, wall_left=rng.choice((None, 0, 5, 40)), seen=rng.choice((True, False))
    )
    off = dict.fromkeys(("nine_piece", "twelve_piece", "fifth_tile", "robbed_kong"), False)
    strict = score(drawn.hand, facts, "hongkong", house(minimum_faan=0))
    mild = score(drawn.hand, facts, "hongkong", house(minimum_faan=0, **off))
    assert strict.payments is not None
    assert mild.payments is not None
    assert strict.payments[seat] == mild.payments[seat]
    assert sum(strict.payments.values()) == 0
    if reasons(strict) & {"nine-piece", "twelve-piece", "fifth-tile", "robbed-kong"}:
        assert sum(amount < 0 for amount in strict.payments.values()) == 1
    else:
        assert strict.payments == mild.payments


# House rules that cannot go together


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("minimum", range(4))
def test_a_minimum_below_the_first_row_needs_another_table(table: str, minimum: int) -> None:
    options = {"payment_table": table, "minimum_faan": minimum}
    if minimum < 3 and table in ("simplified", "canton", "half-spicy"):
        with pytest.raises(HouseRuleError, match="begins at 3 faan"):
            HouseRules.of("hongkong", options)
    else:
        assert HouseRules.of("hongkong", options)["minimum_faan"] == minimum


def test_a_limit_below_the_minimum_is_refused() -> None:
    with pytest.raises(HouseRuleError, match="below the minimum"):
        house(minimum_faan=5, limit_faan=4)


@pytest.mark.parametrize("table", ["no such table", [[3, 8], [3, 9]], [[3]], [], 7, [[3, -1]]])
def test_a_payment_table_that_is_none_is_refused(table: object) -> None:
    with pytest.raises(HouseRuleError, match="payment_table"):
        house(payment_table=table)


# hongkong-digital


@pytest.mark.parametrize("faan", range(3, 14))
def test_digital_base_is_two_to_the_faan(faan: int) -> None:
    """Self-drawn each loser pays the base; on a discard the discarder pays three."""
    base = 2**faan

    def digital(facts: Situation) -> tuple[int, ...]:
        found = pay_total(faan, facts, "hongkong-digital").payments
        assert found is not None
        return tuple(found[wind] for wind in Wind)

    assert digital(won(S, None)) == (-base, 3 * base, -base, -base)
    assert digital(won(E, None)) == (3 * base, -base, -base, -base)
    assert digital(won(S, E)) == (-3 * base, 3 * base, 0, 0)
    assert digital(won(E, W, robbed=True)) == (3 * base, 0, -3 * base, 0)
    assert digital(won(S, W, wall_left=0, seen=False)) == (0, 3 * base, -3 * base, 0)


def test_digital_names_no_false_win() -> None:
    found = pay_false_win(S, "hongkong-digital")
    assert found is not None
    assert not found.transfers
