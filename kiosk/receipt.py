"""The receipt a person reads: items, total, payments, what was left out and why.

A number is called the total only when the result is certain. Otherwise the text says so, gives the
range, and asks for what is missing; a hand that is no win gets its reasons instead.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from kiosk.words import say
from scorer.hand import Hand
from scorer.names import item_name, question_text, ruleset_name, wind_name, word
from scorer.result import Result
from scorer.situation import Situation
from scorer.tiles import Tile, tiles_text
from scorer.winds import Wind

ANSWERS = {
    "seat": "--seat",
    "round": "--round",
    "self_drawn": "--self-drawn, --discard-from SEAT, --robbed-from SEAT",
    "from_seat": "--discard-from SEAT",
    "winning": "@TILE at the end of the hand",
    "dealer": "--dealer",
    "streak": "--streak",
    "replacement": "--replacement",
    "missing_suit": "--missing-suit",
    "dora": "--dora",
    "red_fives": "--red-fives",
    "fed": "--fed SEAT:SET",
    "seen": "--seen yes|no",
}
"""How an open question is answered on the command line."""


def receipt(
    hand: Hand, situation: Situation, result: Result, language: str, *, flags: bool = False
) -> str:
    """The whole text, without a newline at the end.

    `flags` adds to each open question the option that answers it.
    """
    parts = [head(hand, situation, result, language)]
    if result.problems:
        parts.append(problems(result, language))
    elif not result.certain:
        parts.append(uncertain(result, result.range, language))
        parts.append(questions(result.questions, language, flags))
    else:
        parts += [_items(hand, result, language), _left_out(result, language)]
        parts.append(_payments(situation, result, language))
        if result.questions:
            parts.append(questions(result.questions, language, flags))
    return "\n\n".join(part for part in parts if part)


def head(hand: Hand, situation: Situation, result: Result, language: str) -> str:
    name = ruleset_name(result.ruleset, language)
    version = f"{result.ruleset} {result.version}"
    rows = [
        (say("hand", language), str(hand)),
        (say("rules", language), say("rules_version", language, name=name, version=version)),
    ]
    won = _won(situation, language)
    if won:
        rows.append((say("won", language), won))
    return "\n".join(columns(rows))


def _won(situation: Situation, language: str) -> str:
    """How the hand was won, as far as it is known."""
    facts = []
    if situation.seat is not None:
        seat = wind_name(situation.seat, language)
        if situation.self_drawn:
            facts.append(say("won_self_drawn", language, seat=seat))
        elif situation.from_seat is not None:
            giver = wind_name(situation.from_seat, language)
            key = "won_robbed" if situation.robbed else "won_discard"
            facts.append(say(key, language, seat=seat, giver=giver))
        else:
            facts.append(seat)
    if situation.round is not None:
        facts.append(say("round", language, wind=wind_name(situation.round, language)))
    if facts and situation.dealer is not None:
        facts.append(say("deals", language, dealer=wind_name(situation.dealer, language)))
        if situation.streak:
            facts.append(say("streak", language, n=situation.streak))
    return "; ".join(facts)


def _items(hand: Hand, result: Result, language: str) -> str:
    unit = word("units", result.unit, language)
    rows: list[Sequence[str]] = []
    for item in result.items:
        worth = f"{item.count} × {item.value}" if item.count > 1 else str(item.value)
        part = len(item.tiles) < len(hand.tiles)  # for the whole hand the tiles say nothing
        tiles = tiles_text([Tile(t) for t in item.tiles]) if part else ""
        rows.append((item_name(result.ruleset, item.id, language), worth, tiles, item.source))
    if not rows:
        rows.append((say("no_item", language), "0"))
    cut = result.uncut is not None and result.uncut != result.total
    total = say("total_cut" if cut else "total", language, uncut=result.uncut)
    rows.append((total, f"{result.total} {unit}"))
    if result.dealer_line:
        note = say("dealer_line_note", language)
        rows.append((say("dealer_line", language), f"{result.dealer_line} {unit}", note))
    lines = columns(rows)
    rule = "─" * max(width(line) for line in lines[: len(result.items) + 1])
    lines.insert(max(1, len(result.items)), rule)
    return _indented(lines)


def _left_out(result: Result, language: str) -> str:
    rows = []
    for item in result.left_out:
        name = item_name(result.ruleset, item.id, language)
        if item.by:
            by = item_name(result.ruleset, item.by, language)
            why = word("reasons", item.reason, language)
            reason = f"{say('left_out_by', language, item=by)} ({why})"
        else:
            reason = word("reasons", item.reason, language)
        rows.append((name, str(item.value * item.count), reason))
    return section(say("left_out", language), columns(rows)) if rows else ""


def _payments(situation: Situation, result: Result, language: str) -> str:
    if result.payments is None:
        return say("payments_unknown", language)
    rows = []
    for wind in Wind:
        roles = [("winner", situation.seat), ("dealer", situation.dealer)]
        role = ", ".join(say(key, language) for key, seat in roles if seat == wind)
        rows.append((wind_name(wind, language), _signed(result.payments.get(wind, 0)), role))
    lines = columns(rows)
    for transfer in result.transfers:
        sentence = say(
            "pays",
            language,
            payer=wind_name(transfer.payer, language),
            payee=wind_name(transfer.payee, language),
            amount=transfer.amount,
        )
        parts = [f"{word('parts', key, language)} {n}" for key, n in transfer.parts]
        if transfer.reason not in ("self-drawn", "discard"):
            parts.insert(0, word("parts", transfer.reason, language))
        made_of = ", ".join(parts)
        lines.append(f"{sentence} ({made_of})" if made_of else sentence)
    return section(say("payments", language), lines)


def uncertain(result: Result, span: tuple[int, int] | None, language: str) -> str:
    """That there is no score, and the lowest and highest that is possible."""
    if span is None:
        return f"{say('uncertain', language)}\n{say('no_range', language)}"
    low, high = span
    unit = word("units", result.unit, language)
    key = "range" if low < high else "range_one"
    return f"{say('uncertain', language)}\n{say(key, language, low=low, high=high, unit=unit)}"


def questions(asked: Iterable[str], language: str, flags: bool) -> str:
    lines = []
    for question in asked:
        line = question_text(question, language)
        event = question.startswith("event:")
        flag = f"--event {question[6:]}" if event else ANSWERS.get(question, "")
        lines.append(f"{line}  [{flag}]" if flags and flag else line)
    return section(say("please_say", language), lines) if lines else ""


def problems(result: Result, language: str) -> str:
    lines = [problem.text(language) for problem in result.problems]
    return section(say("not_a_win", language), lines)


def _signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else str(amount).replace("-", "−")


def section(title: str, lines: Iterable[str]) -> str:
    return f"{title}\n{_indented(lines)}"


def _indented(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines whose columns are aligned; the last cell of a row is never padded."""
    columns = max((len(row) for row in rows), default=0)
    widest = [max(width(row[k]) for row in rows if len(row) > k) for k in range(columns)]
    lines = []
    for row in rows:
        cells = [cell + " " * (widest[k] - width(cell)) for k, cell in enumerate(row)]
        lines.append("  ".join(cells).rstrip())
    return lines


def width(text: str) -> int:
    """Columns a text takes on a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
