"""Chinese Official: the five principles, account once, knitted hands and waits.

The examples and their values are those of rules/chinese-official.md.
"""

from __future__ import annotations

import pytest

from scorer import Hand, Wind, waits_of
from scorer.rules.mcr import MCR
from tests.scorer.mcr_wins import DRAWN, points, problems, reasons, won

# The five principles


def test_no_repeat() -> None:
    """Two dragon pungs lie inside little three dragons."""
    text = "6677z234678p[555z]@6z"
    assert points(text) == {"little-three-dragons": 64, "half-flush": 6}
    assert reasons(text) >= {
        ("dragon-pung", "little-three-dragons", "MCR-A"),
        ("two-dragon-pungs", "little-three-dragons", "no-repeat"),
    }


def test_no_separating() -> None:
    """The same tiles are three chows or three pungs, never both."""
    result = won("22233344p55s[678p]@4p")
    assert result.total == 29
    assert "pure-triple-chow" in result.ids()
    assert "pure-shifted-pungs" not in result.ids()
    assert 29 in {other.total for other in result.others}


def test_no_identical() -> None:
    """A set of a mixed shifted chow cannot make another."""
    text = "23m345p88p[456s][567m]@4m"
    assert points(text) == {
        "mixed-shifted-chows": 6, "all-chows": 2, "all-simples": 2, "short-straight": 1,
    }  # fmt: skip
    assert ("mixed-shifted-chows", "", "no-identical") in reasons(text)


def test_freedom_of_choice() -> None:
    """Seven pairs are dearer than the four chows."""
    result = won("22334m55p667788s@4m")
    assert (result.total, result.ids()) == (26, ["seven-pairs", "all-simples"])
    assert 8 in {other.total for other in result.others}


def test_account_once() -> None:
    """The fourth line between four sets would close a ring."""
    text = "23m789m99p[123p][789p]@1m"
    assert points(text) == {
        "outside-hand": 4, "all-chows": 2, "mixed-double-chow": 2, "two-terminal-chows": 1,
        "one-voided-suit": 1,
    }  # fmt: skip
    assert ("two-terminal-chows", "", "account-once") in reasons(text)


@pytest.mark.parametrize(
    ("text", "fans", "count"),
    [
        ("1z[123m][345m][123p][777s]@1z", ["mixed-double-chow"], 1),
        ("1z[123m][456m][123p][777s]@1z", ["mixed-double-chow", "short-straight"], 2),
        # 123m 456m 456p 123p: a ring of four lines, of which three stand.
        ("1z[123m][456m][123p][456p]@1z", ["mixed-double-chow", "short-straight"], 3),
        # Three alike in two suits are two lines of one name on one set.
        ("1z[222m][222p][345s][678s]@1z", ["double-pung", "short-straight"], 2),
        ("1z[222m][222p][333m][333p]@1z", ["double-pung"], 2),
        ("1z[123m][123m][123p][123p]@1z", ["pure-double-chow", "mixed-double-chow"], 3),
    ],
)
def test_n_sets_give_at_most_one_less(text: str, fans: list[str], count: int) -> None:
    found = [id for id in won(text).ids() if MCR.item(id) in SETS]
    assert set(found) == set(fans)
    assert len(found) == count


SETS = [
    MCR.item(id)
    for id in (
        "double-pung", "pure-double-chow", "mixed-double-chow", "short-straight",
        "two-terminal-chows",
    )
]  # fmt: skip


def test_a_three_set_fan_takes_the_fourth_set_once() -> None:
    """123 456 789 with a second 123: a double chow or terminal chows, not both."""
    assert points("11z[123m][456m][789m]23m@1m") == {
        "pure-straight": 16, "half-flush": 6, "pure-double-chow": 1,
    }  # fmt: skip
    assert ("two-terminal-chows", "pure-straight", "no-repeat") in reasons(
        "11z[123m][456m][789m]23m@1m"
    )
    assert ("two-terminal-chows", "", "account-once") in reasons("11z[123m][456m][789m]23m@1m")


def test_after_a_four_set_fan_nothing_is_combined() -> None:
    assert points("23344556p99s[123p]@4p") == {
        "four-pure-shifted-chows": 32, "all-chows": 2, "one-voided-suit": 1,
    }  # fmt: skip


def test_the_dearest_choice_may_be_of_another_reading() -> None:
    """A fan that is left out leaves nothing out: seven pairs drop the one, the other counts."""
    result = won("2255m1199p3344s6z@6z", DRAWN)
    assert result.ids() == ["seven-pairs", "self-drawn"]
    assert ("concealed-self-drawn", "seven-pairs", "MCR-A") in {
        (out.id, out.by, out.reason) for out in result.left_out
    }


def test_fans_cannot_be_waived_for_a_chicken_hand() -> None:
    """One point is what it is worth, not eight."""
    assert points("34m88p[789m][123p][567s]@5m") == {"all-chows": 2}
    assert points("34m44z[789m][123p][567s]@5m") == {"chicken-hand": 8}
    assert points("34m44z[789m][123p][567s]@5m", DRAWN) == {"self-drawn": 1}


# Knitted hands


def test_knitted_straight_takes_the_fans_of_its_one_set() -> None:
    assert points("147m258p69s11z[777p]@3s") == {"knitted-straight": 12}
    assert points("147m258p369s1z[777z]@1z") == {
        "knitted-straight": 12, "all-types": 6, "dragon-pung": 2, "pair-wait": 1,
    }  # fmt: skip
    assert points("13447m258p369s5m7m@7m") == {
        "knitted-straight": 12, "concealed-hand": 2, "all-chows": 2, "pair-wait": 1,
    }  # fmt: skip


def test_knitted_straight_with_a_kong_or_a_concealed_pung() -> None:
    assert "melded-kong" in points("147m258p369s1z[8888s]@1z")
    assert "concealed-kong" in points("147m258p369s1z(8888s)@1z")
    assert "two-concealed-pungs" not in points("147m258p369s888s1z@1z")


def test_knitted_tiles_without_pairs() -> None:
    assert points("147m28p36s123456z@7z") == {"greater-knitted": 24}
    assert points("147m258p36s12456z@7z") == {"lesser-knitted": 12}
    assert points("147m258p369s1234z@5z") == {"lesser-knitted": 12, "knitted-straight": 12}
    assert points("147m258p369s1234z@5z", knitted_stack=False) == {"lesser-knitted": 12}


def test_knitted_waits() -> None:
    """A hand of 13 knitted tiles waits for each of the three faces that are missing."""
    codes = [tile.code for tile in waits_of(Hand.parse("147m258p36s12456z"), "mcr")]
    assert codes == ["9s", "3z", "7z"]
    codes = [tile.code for tile in waits_of(Hand.parse("147m258p36s55567s"), "mcr")]
    assert codes == ["9s"]
    codes = [tile.code for tile in waits_of(Hand.parse("19m19p19s1234567z"), "mcr")]
    assert len(codes) == 13


# Waits


def test_formal_and_real_waits() -> None:
    """A face held four times is a wait by the formal rule, and none by the real one."""
    text = "1234444m[555p][678s]@1m"
    assert points(text) == {"tile-hog": 2, "no-honours": 1}
    assert points(text, wait_rule="real") == {"tile-hog": 2, "no-honours": 1, "pair-wait": 1}


def test_knitted_wait() -> None:
    """The 3 that completes 123 also lies in the knitted straight."""
    text = "12369m258p13347s@3m"
    assert points(text)["edge-wait"] == 1
    assert won(text).total == 17
    assert won(text, knitted_wait=False).total == 16


def test_the_knitted_straight_itself_is_no_wait() -> None:
    assert points("147789m25888p69s@3s") == {
        "knitted-straight": 12, "concealed-hand": 2, "all-chows": 2,
    }  # fmt: skip


def test_the_dealt_hand_has_no_winning_tile() -> None:
    """The dealer's complete dealt hand earns what it holds, and no wait."""
    facts = DRAWN.but(seat=Wind.EAST, events=frozenset({"heavenly-hand"}))
    assert points("123456789m11z456p", facts) == {
        "pure-straight": 16, "concealed-self-drawn": 4, "mixed-double-chow": 1,
        "one-voided-suit": 1,
    }  # fmt: skip
    assert "nine-gates" in points("11123455678999m", facts)
    assert problems("123456789m11z456p", facts.but(seat=Wind.SOUTH)) == ["event-of-dealer"]
    assert problems("123456789m11z[456p]", facts) == ["event-with-sets"]
