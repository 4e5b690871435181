"""Lessons on a terminal: hands drawn with letters, explanations as lines."""

from __future__ import annotations

from collections.abc import Iterable

from kiosk.receipt import columns, section, width
from scorer import Hand, Result, Situation, Tile
from scorer.names import item_name, tile_name, word
from scorer.table import Table
from scorer.tiles import tiles_text
from teach.almost import NearMiss, by_item
from teach.asking import joined, reasons
from teach.discards import Discard, Outlook
from teach.groups import Group
from teach.repair import NotAWin, Repair
from teach.waits import Wait
from teach.why import sets_text, why
from teach.words import say

NUMBERS = "一二三四五六七八九"
HONOURS = {27: "東", 28: "南", 29: "西", 30: "北", 31: "中", 32: "發", 33: "白"}
BONUS = "春夏秋冬梅蘭菊竹"
SHOWN = 6
"""Exchanges named for an item at most."""


def _cell(tile: Tile) -> tuple[str, str]:
    """What stands on a tile in two lines."""
    if tile is Tile.BACK:
        return "▒▒", "▒▒"
    if tile.is_bonus:
        return BONUS[tile - 34], str(tile.seat_number)
    if tile.is_honour:
        return HONOURS[tile], tile.code
    upper = NUMBERS[tile.rank - 1] if tile.suit == "m" else str(tile.rank)
    return upper, {"m": "萬", "p": "筒", "s": "條"}[tile.suit]


def drawn(hand: Hand) -> list[str]:
    """The hand in two lines: concealed tiles, sets, the winning tile, bonus tiles."""
    cells: list[tuple[str, str]] = [_cell(tile) for tile in hand.concealed]
    for meld in hand.melds:
        left, right = "()" if meld.kind == "concealed-kong" else "[]"
        cells += [(left, left), *map(_cell, meld.tiles), (right, right)]
    if hand.winning is not None:
        cells += [(">", ">"), _cell(hand.winning)]
    if hand.bonus:
        cells += [("·", "·"), *map(_cell, hand.bonus)]
    lines = ["", ""]
    for upper, lower in cells:
        size = max(width(upper), width(lower))
        for i, text in enumerate((upper, lower)):
            lines[i] += text + " " * (size - width(text) + 1)
    return [line.rstrip() for line in lines]


def drawn_tile(tile: Tile) -> list[str]:
    """One tile as a box."""
    rows = _face(tile)
    inner = 7
    lines = ["┌" + "─" * inner + "┐"]
    for row in rows:
        space = inner - width(row)
        lines.append("│" + " " * (space // 2) + row + " " * (space - space // 2) + "│")
    return [*lines, "└" + "─" * inner + "┘"]


_DOTS = {
    1: ("", "◉", ""), 2: ("●", "", "●"), 3: ("●    ", "●", "    ●"), 4: ("●   ●", "", "●   ●"),
    5: ("●   ●", "●", "●   ●"), 6: ("●   ●", "●   ●", "●   ●"), 7: ("● ● ●", "●   ●", "●   ●"),
    8: ("● ● ● ●", "", "● ● ● ●"), 9: ("● ● ●", "● ● ●", "● ● ●"),
}  # fmt: skip


def _face(tile: Tile) -> tuple[str, str, str]:
    if tile.is_bonus:
        return str(tile.seat_number), BONUS[tile - 34], ""
    if tile is Tile.WHITE:
        return "┌───┐", "│   │", "└───┘"
    if tile.is_honour:
        return "", HONOURS[tile], ""
    if tile.suit == "m":
        return NUMBERS[tile.rank - 1], "", "萬"
    if tile.suit == "s" and tile.rank == 1:
        return "", "🐦", ""
    mark = "●" if tile.suit == "p" else "┃"
    upper, middle, lower = _DOTS[tile.rank]
    if tile.suit == "s" and tile.rank == 7:
        upper, middle, lower = "┃", "┃ ┃ ┃", "┃ ┃ ┃"
    if tile.suit == "s" and tile.rank == 3:
        upper, middle, lower = "┃", "", "┃   ┃"
    if tile.suit == "s" and tile.rank == 6:
        upper, middle, lower = "┃ ┃ ┃", "", "┃ ┃ ┃"
    return upper.replace("●", mark), middle.replace("●", mark), lower.replace("●", mark)


def why_text(hand: Hand, situation: Situation, result: Result, language: str) -> str:
    """The sets, the reasons, the payment."""
    explained = why(hand, situation, result, language)
    lines = list(drawn(hand))
    if explained is not None:
        lines += ["", sets_text(explained), ""]
        lines += reasons(hand, situation, result, language)
        lines += ["", *explained.others] if explained.others else []
    return "\n".join(lines)


def almost_text(misses: tuple[NearMiss, ...], tiles: int, table: Table, language: str) -> str:
    """Every item that was near with its best exchanges, the highest gain first."""
    title = say("almost", "one" if tiles == 1 else "two", language)
    unit = word("units", table.rules.unit, language)
    lines = []
    for id, found in by_item(misses).items():
        # The best of each exchange; it may be there with several winning tiles.
        once = list({(miss.out, miss.into): miss for miss in reversed(found)}.values())[::-1]
        for miss in once[: SHOWN if tiles == 1 else 1]:
            gain = "more" if miss.gain > 0 else "less" if miss.gain else "same"
            item = next(item for item in miss.new if item.id == id)
            lines.append(
                say(
                    "almost",
                    "line",
                    language,
                    item=item_name(table.rules.id, id, language),
                    value=item.total,
                    out=tiles_text([Tile(t) for t in miss.out]),
                    into=tiles_text([Tile(t) for t in miss.into]),
                    total=miss.total,
                    unit=unit,
                    gain=say("almost", gain, language, n=abs(miss.gain)),
                )
            )
    return section(title, lines or [say("almost", "none", language)])


def worth_text(result: Result, language: str) -> str:
    """A score in a few words."""
    unit = word("units", result.unit, language)
    if result.problems or (result.total is None and result.range is None):
        return say("waits", "no-win", language)
    if result.total is not None:
        return say("waits", "worth", language, total=result.total, unit=unit)
    assert result.range is not None
    low, high = result.range
    if low == high:
        return say("waits", "worth", language, total=low, unit=unit)
    return say("waits", "span", language, low=low, high=high, unit=unit)


def waits_text(found: Iterable[Wait], language: str) -> str:
    lines = []
    for wait in found:
        kind = word("waits", wait.kind, language) if wait.kind else say("waits", "plain", language)
        lines.append(
            say(
                "waits",
                "line",
                language,
                tile=named(wait.tile, language),
                left=wait.left,
                kind=kind,
                by_discard=worth_text(wait.by_discard, language),
                by_draw=worth_text(wait.by_draw, language),
            )
        )
    return section(say("waits", "head", language), lines)


def named(tile: Tile, language: str) -> str:
    """A tile by name and code."""
    return f"{tile_name(tile, language)} ({tile.code})"


def outlook_text(view: Outlook, language: str) -> str:
    faces = joined([f"{Tile(face).code} × {left}" for face, left in view.useful.items()], language)
    helps = say("waits", "helps", language, tiles=view.tiles, faces=faces)
    return f"{away_text(view.distance, language)}\n{helps}"


def away_text(distance: int, language: str) -> str:
    key = f"away-{distance}" if distance < 2 else "away"
    return say("waits", key, language, n=distance)


def discards_text(found: Iterable[Discard], unit: str, language: str) -> list[str]:
    """One line for each discard with the reason for its place."""
    lines = []
    for each in found:
        line = say(
            "waits",
            "discard",
            language,
            tile=named(each.tile, language),
            away=away_text(each.outlook.distance, language),
            tiles=each.outlook.tiles,
        )
        reason = [say("waits", f"reason-{each.reason}", language)]
        if each.value is not None:
            value = f"{each.value:.1f}".removesuffix(".0")
            reason.append(say("waits", "value", language, value=value, unit=unit))
        lines.append(f"{line} ({joined(reason, language)})")
    return lines


def repair_lines(repairs: Iterable[Repair], unit: str, language: str) -> list[str]:
    lines = []
    for repair in repairs:
        key = "exchange" if repair.out and repair.into else "take-away" if repair.out else "add"
        out = tiles_text([Tile(t) for t in repair.out])
        into = tiles_text([Tile(t) for t in repair.into])
        lines.append(
            say("repair", key, language, out=out, into=into, total=repair.total, unit=unit)
        )
    return lines


def group_lines(groups: Iterable[Group], language: str) -> list[str]:
    rows = [(tiles_text(g.tiles), say("repair", g.kind, language)) for g in groups]
    return columns(rows)


def not_a_win_text(found: NotAWin, hand: Hand, unit: str, language: str) -> str:
    """What is complete, what is not, the nearest repairs."""
    problems = [problem.text(language) for problem in found.result.problems]
    groups = group_lines(found.groups, language)
    groups += [f"{meld}  {say('repair', 'laid', language)}" for meld in hand.melds]
    if found.lacks is None:
        lacks = say("repair", "far", language)
    else:
        lacks = say("repair", "lacks-1" if found.lacks == 1 else "lacks", language, n=found.lacks)
    lines = repair_lines(found.repairs, unit, language)
    parts = [
        "\n".join(drawn(hand)),
        section(say("repair", "head", language), problems),
        section(say("repair", "groups", language), groups),
    ]
    if lines:
        parts.append(section(say("repair", "repairs", language), lines))
    elif found.lacks:
        parts.append(lacks)
    return "\n\n".join(parts)


def alike_text(tiles: Iterable[Tile], language: str) -> str:
    """The faces that one is easily taken for; empty for none."""
    names = [tile_name(tile, language) for tile in tiles]
    return say("dictionary", "alike", language, tiles=joined(names, language)) if names else ""


def unsure_text(tiles: str, language: str) -> str:
    """That what follows hangs on tiles that may have been misread."""
    return say("waits", "unsure", language, tiles=tiles)
