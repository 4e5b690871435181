"""The distance equals what the package `mahjong` says, and what a search finds."""

from __future__ import annotations

from random import Random

import pytest

from scorer import Hand, Situation, Tile, Wind, rulesets, waits_of
from scorer.sampling import other_hand, winning_hand
from scorer.table import Table, table_of
from scorer.tiles import FACES
from teach.discards import discards, outlook
from teach.distance import Standing, lacking
from teach.groups import groups_of
from tests.support import require, slow_count

EAST = Situation(seat=Wind.EAST, round=Wind.EAST)
THEIRS = {31: 33, 33: 31}


def far(hand: Hand, table: Table) -> int:
    return lacking(Standing.of(hand, table.rules), table)


def test_the_distance_is_the_shanten_of_the_package_mahjong() -> None:
    """Sets, seven pairs and thirteen orphans; 13 and 14 tiles of all kinds."""
    require("mahjong")
    from mahjong.shanten import Shanten

    rng = Random("shanten")
    table = table_of("riichi")
    for _ in range(slow_count(400, 5000)):
        faces = rng.choice((range(34), range(18), range(27), range(9)))
        tiles = rng.sample([face for face in faces for _ in range(4)], rng.choice((13, 14)))
        counts = [0] * 34
        for tile in tiles:
            counts[THEIRS.get(tile, tile)] += 1
        hand = Hand(tuple(map(Tile, tiles)))
        assert far(hand, table) - 1 == Shanten.calculate_shanten(counts), str(hand)


def steps(hand: Hand, table: Table) -> int:
    """Tiles lacking to a ready hand (1) or one exchange before it (2), by trying; else 3."""
    if _ready(hand, table):
        return 1
    for tile in dict.fromkeys(hand.concealed):
        kept = list(hand.concealed)
        kept.remove(tile)
        for face in range(FACES if table.rules.honours else 27):
            if hand.tiles.count(Tile(face)) < 4:
                tried = Hand((*kept, Tile(face)), hand.melds)
                if _ready(tried, table):
                    return 2
    return 3


def _ready(hand: Hand, table: Table) -> bool:
    """Whether a copy that is not held completes the hand, in Sichuan with two suits only."""
    for tile in waits_of(hand, table.name):
        if hand.tiles.count(tile) < 4 and (table.rules.honours or tile.is_suited):
            suits = {t.suit for t in (*hand.tiles, tile)}
            if table.rules.honours or len(suits) < 3:
                return True
    return False


@pytest.mark.parametrize("ruleset", rulesets())
def test_the_distance_equals_what_trying_finds(ruleset: str) -> None:
    """Every shape that the rule set plays: hands one, two and three exchanges from a win."""
    rng = Random(f"distance {ruleset}")
    table = table_of(ruleset)
    met = set()
    for no in range(slow_count(12, 150)):
        hand = other_hand(rng, ruleset, 1 + no % 3).hand
        hand = Hand(hand.concealed, hand.melds, hand.bonus)
        expected = steps(hand, table)
        met.add(expected)
        assert min(far(hand, table), 3) == expected, str(hand)
    assert len(met) > 1


SHAPES = [
    ("taiwan", "1133557799m11p33s555z"),
    ("taiwan-classic", "1133557799m11p33s555z"),
    ("hongkong", "19m19p19s1234567z1m"),
    ("hongkong-digital", "1133557799m11p33s"),
    ("hongkong-digital", "1111557799m11p33s"),
    ("mcr", "147m258p369s123m55z"),
]
"""Pairs, with a triplet, with four alike; thirteen orphans; the knitted straight."""


@pytest.mark.parametrize(("ruleset", "text"), SHAPES)
def test_special_shapes_are_complete_and_one_tile_less_is_ready(ruleset: str, text: str) -> None:
    table = table_of(ruleset)
    loose = Hand.parse(text).concealed
    assert far(Hand(loose), table) == 0
    for i in range(len(loose)):
        assert far(Hand(loose[:i] + loose[i + 1 :]), table) == 1


@pytest.mark.parametrize("text", ["147m258p369s12345z", "147m28p36s1234567z", "147m25p369s123456z"])
def test_knitted_tiles_and_honours(text: str) -> None:
    """Fourteen different tiles of one pattern and the honours; one exchanged lacks one."""
    table = table_of("mcr")
    hand = Hand.parse(text)
    assert far(hand, table) == 0
    spoilt = Hand((*hand.concealed[1:], hand.concealed[1]))
    assert far(spoilt, table) == 1


def test_a_suit_given_up_counts() -> None:
    """Sichuan: complete in three suits is no win; with dots given up two sets are to be made."""
    hand = Hand.parse("123456789m11p123s")
    table = table_of("sichuan")
    free = Standing.of(hand, table.rules)
    told = Standing.of(hand, table.rules, (), "p")
    assert lacking(free, table) == 2
    assert lacking(told, table) == 2
    assert lacking(Standing.of(hand, table.rules, (), "m"), table) > 5


def test_copies_that_are_gone_cannot_be_waited_for() -> None:
    """13m waits for 2m; when all four lie on the table another tile must come first."""
    table = table_of("taiwan")
    hand = Hand.parse("13m456m456p456s789s11z")
    assert lacking(Standing.of(hand, table.rules), table) == 1
    assert lacking(Standing.of(hand, table.rules, (Tile.M2,) * 4), table) == 2


def test_useful_tiles_bring_the_hand_nearer() -> None:
    """Three sets and eyes are there; 12m, 89p and 67s want two tiles of four faces."""
    view = outlook(Hand.parse("12m89p456m456p456s11z67s"), EAST)
    assert view is not None
    assert view.distance == 1
    assert {Tile(face).code: left for face, left in view.useful.items()} == {
        "3m": 4,
        "7p": 4,
        "5s": 3,
        "8s": 4,
    }


def test_discards_keep_the_hand_nearest_and_are_ranked() -> None:
    """After 9p and 4z are gone the hand is one exchange from ready: they go first."""
    hand = Hand.parse("66678m11333p545z[222z]@9p")
    ranked = discards(hand, EAST.but(seat=Wind.WEST))
    assert {each.tile.code for each in ranked[:2]} == {"9p", "4z"}
    assert [each.outlook.distance for each in ranked] == sorted(
        each.outlook.distance for each in ranked
    )
    assert ranked[0].reason == "fastest"
    assert ranked[2].reason == "slower"


def test_a_dearer_discard_may_come_before_a_faster_one() -> None:
    """What is ranked is tiles that help times value."""
    rng = Random("dearer")
    reasons = set()
    for _ in range(slow_count(25, 60)):
        sample = other_hand(rng, "taiwan", 1)
        ranked = discards(sample.hand, sample.situation)
        near = [each for each in ranked if each.outlook.distance == ranked[0].outlook.distance]
        reasons |= {each.reason for each in near}
        worth = [each.outlook.tiles * (each.value or 0) for each in near]
        if all(each.value is not None for each in near):
            assert worth == sorted(worth, reverse=True)
    assert {"fastest", "dearer"} <= reasons


@pytest.mark.parametrize("ruleset", ["taiwan", "mcr", "sichuan"])
def test_the_tiles_left_of_a_winning_hand_are_ready(ruleset: str) -> None:
    rng = Random(f"left {ruleset}")
    table = table_of(ruleset)
    for _ in range(slow_count(20, 200)):
        hand = winning_hand(rng, ruleset).hand
        assert far(hand, table) == 0
        assert far(Hand(hand.concealed, hand.melds, hand.bonus), table) == 1


def test_groups_show_what_is_there() -> None:
    """Two sets, eyes, two pairs that are begun pungs, two lone tiles."""
    tiles = Hand.parse("66678m11333p455z9p").concealed
    kinds = [(group.kind, [t.code for t in group.tiles]) for group in groups_of(tiles, 4)]
    assert kinds[:2] == [("set", ["6m", "7m", "8m"]), ("set", ["3p", "3p", "3p"])]
    assert [kind for kind, _ in kinds].count("lone") == 2


@pytest.mark.parametrize("ruleset", ["taiwan", "hongkong"])
def test_groups_use_every_tile_once(ruleset: str) -> None:
    rng = Random(f"groups {ruleset}")
    sets = table_of(ruleset).rules.sets
    for no in range(slow_count(40, 400)):
        hand = other_hand(rng, ruleset, 1 + no % 4).hand
        loose = [*hand.concealed, *([hand.winning] if hand.winning is not None else [])]
        groups = groups_of(loose, sets - len(hand.melds))
        assert sorted(t for g in groups for t in g.tiles) == sorted(loose)
        assert all(len({tile.suit for tile in group.tiles}) == 1 for group in groups)
