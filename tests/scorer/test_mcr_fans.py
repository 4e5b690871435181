"""Chinese Official: every fan with a hand that earns it, and its whole list (tests/data)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from scorer import Hand, Situation, Wind, score
from scorer.names import LANGUAGES, item_name, item_text, word
from scorer.rules.mcr import MCR
from scorer.rules.mcr_combine import CHOW_FANS, PUNG_FANS, fan_of
from scorer.ruleset import READING
from tests.support import REPOSITORY, shared


@dataclass(frozen=True)
class Row:
    """One line of tests/data/mcr-fans.txt."""

    fan: str
    hand: str
    facts: Situation
    items: dict[str, tuple[int, int]]
    note: str

    @property
    def total(self) -> int:
        return sum(count * points for count, points in self.items.values())


def read_facts(text: str) -> Situation:
    """`SE self-drawn last-draw` is seat South, round East, drawn as the last tile."""
    winds, how, *events = text.split()
    seat = Wind.parse(winds[0])
    drawn = how == "self-drawn"
    return Situation(
        seat=seat,
        round=Wind.parse(winds[1]),
        self_drawn=drawn,
        from_seat=None if drawn else Wind((seat + 3) % 4),
        robbed=how == "robbed",
        events=frozenset(events),
    )


def read_items(text: str) -> dict[str, tuple[int, int]]:
    """`2 x tile-hog 2, all-simples 2` is {"tile-hog": (2, 2), "all-simples": (1, 2)}."""
    found = {}
    for part in text.split(", "):
        match = re.fullmatch(r"(?:(\d+) x )?([a-z-]+) (\d+)", part)
        assert match, part
        found[match[2]] = (int(match[1] or 1), int(match[3]))
    return found


def rows() -> list[Row]:
    lines = (REPOSITORY / "tests" / "data" / "mcr-fans.txt").read_text("utf-8").splitlines()
    parts = [[*line.split(" | "), ""] for line in lines if not line.startswith("#")]
    return [Row(p[0], p[1], read_facts(p[2]), read_items(p[3]), p[4]) for p in parts]


ROWS = rows()
NAMES = [f"{row.fan if row.fan != '-' else row.note or 'list'}-{row.hand}" for row in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_fan(row: Row) -> None:
    """The hand earns the fans of its list, no more and no less."""
    result = score(Hand.parse(row.hand), row.facts, "mcr")
    assert {item.id: (item.count, item.value) for item in result.items} == row.items
    assert result.total == row.total
    flowers = len(Hand.parse(row.hand).bonus)
    short = row.total - flowers < 8
    assert [problem.id for problem in result.problems] == ["below-minimum"] * short
    assert result.minimum_met is not short


def test_every_fan_has_a_hand() -> None:
    """81 fans and mixed-kongs, each named by a row whose list holds it."""
    assert len(MCR.items) == 82
    assert {row.fan for row in ROWS if row.fan in row.items} == {item.id for item in MCR.items}


def test_points_are_those_of_the_table() -> None:
    """The rows stand in falling order of points, as in the rule book."""
    points = [item.value for item in MCR.items if isinstance(item.value, int)]
    assert points == sorted(points, reverse=True)
    for row in ROWS:
        for id, (_, value) in row.items.items():
            assert MCR.item(id).value in (value, "two_concealed_kongs")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fan_has_a_name_and_a_sentence(language: str) -> None:
    names = [item_name("mcr", item.id, language) for item in MCR.items]
    assert len(set(names)) == len(names)
    end = "." if language == "en" else "。"
    assert all(item_text("mcr", item.id, language).endswith(end) for item in MCR.items)
    reasons = {exclusion.reason for exclusion in MCR.exclusions} - {"MCR-A"}
    principles = ("account-once", "no-identical", "free-choice", "concealed-copy")
    assert all(word("reasons", id, language) != id for id in (*reasons, *principles))


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_every_fan_shows_its_tiles(row: Row) -> None:
    """The tiles that earned a fan are tiles of the hand."""
    hand = Hand.parse(row.hand)
    held = [*map(int, hand.tiles), *map(int, hand.bonus)]
    by_facts = {"self-drawn", "last-draw", "last-discard", "kong-draw"}
    for item in score(hand, row.facts, "mcr").items:
        assert bool(item.tiles) is (item.id not in by_facts)
        # Fans that count twice may show a tile twice: 123m in two double chows.
        assert set(item.tiles) <= set(held)


def exclusions() -> set[tuple[str, str, str, str, bool]]:
    """(by, dropped, reason, scope, only under strict_1998) of every exclusion."""
    strict = ("strict_1998", True)
    return {
        (exclusion.by, dropped, exclusion.reason, exclusion.scope, strict in exclusion.house)
        for exclusion in MCR.exclusions
        for dropped in exclusion.drops
    }


def test_fans_inside_a_larger_one_are_marked_as_left_out() -> None:
    """Whatever smaller fan a group of sets always holds stands in its exclusions."""
    marked = {(by, dropped) for by, dropped, *_ in exclusions()}
    for fans in (CHOW_FANS, PUNG_FANS):
        for (suits, steps), fan in fans.items():
            ranks = [sum(steps[:i]) for i in range(len(steps) + 1)]
            sets = [9 * (i % suits) + rank for i, rank in enumerate(ranks)]
            for a in range(len(sets)):
                for b in range(a + 1, len(sets)):
                    inside = fan_of((sets[a], sets[b]), fans)
                    assert len(sets) == 2 or not inside or (fan, inside) in marked, fan


def table_of_the_rules() -> dict[str, tuple[str, str, str]]:
    """id -> (Chinese name, points, leaves out) of the table in the rules file."""
    text = shared("rules", "chinese-official.md").read_text("utf-8")
    lines = [line[1:-1].split("|") for line in text.splitlines() if line.startswith("|")]
    fans = [line for line in lines if len(line) == 5 and line[0] not in ("id", "---")]
    return {id: (name, points, leaves) for id, name, points, _, leaves in fans}


def test_table_is_that_of_the_rules() -> None:
    """Ids in order, Chinese names and points are those of rules/chinese-official.md."""
    table = table_of_the_rules()
    listed = [item for item in MCR.items if item.id != "mixed-kongs"]
    assert [item.id for item in listed] == list(table)
    for item in listed:
        name, points, _ = table[item.id]
        assert item_name("mcr", item.id, "zh-Hant") == name
        assert str(6 if isinstance(item.value, str) else item.value) == points


def test_exclusions_are_marked_as_in_the_rules() -> None:
    """Unmarked there: the fan's own text; †: the no-repeat principle; (own), (one): scopes."""
    wanted = set()
    for id, (_, _, leaves) in table_of_the_rules().items():
        for part in filter(None, leaves.split(", ")):
            match = re.fullmatch(r"([a-z-]+)(†?)(?:\((own|one)\))?", part)
            assert match, part
            wanted.add((id, match[1], "no-repeat" if match[2] else "MCR-A", match[3] or ""))
    coded = {
        (by, dropped, reason, "" if scope == READING else scope)
        for by, dropped, reason, scope, strict in exclusions()
        if not strict
    }
    assert coded == wanted
