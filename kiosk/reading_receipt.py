"""The receipt of a picture: the score if it is certain, else what is unsure and what to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.receipt import ANSWERS, columns, head, receipt, section, uncertain
from kiosk.words import say
from scorer.situation import Situation
from vision.words import advice_text, question_text

if TYPE_CHECKING:  # a receipt of a hand typed in needs no arrays
    from vision.reading import Answer, Reading


def reading_receipt(
    reading: Reading, situation: Situation, language: str, *, flags: bool = False
) -> str:
    """The whole text, without a newline at the end; `flags` as in `receipt`."""
    parts = []
    if reading.hand is not None:
        if reading.certain or reading.result.problems:
            parts.append(receipt(reading.hand, situation, reading.result, language, flags=flags))
        else:
            parts.append(head(reading.hand, situation, reading.result, language))
            parts.append(uncertain(reading.result, reading.range, language))
    parts.append("\n".join(reading.notes))
    parts.append(_unsure(reading, language))
    if reading.others:
        parts.append(section(say("or_it_is", language), reading.others))
    if not reading.certain:
        parts.append(_questions(reading, language, flags))
    if reading.advice:
        parts.append(section(say("advice", language), _advice(reading, language)))
    return "\n\n".join(part for part in parts if part)


def _advice(reading: Reading, language: str) -> list[str]:
    """Each advice once, with the tiles it is about."""
    about: dict[str, list[str]] = {}
    for advice in reading.advice:
        tiles = about.setdefault(advice_text(advice.id, language), [])
        if advice.tile is not None:
            tiles.append(f"#{advice.tile + 1}")
    return [f"{text} ({', '.join(tiles)})" if tiles else text for text, tiles in about.items()]


def _unsure(reading: Reading, language: str) -> str:
    if not reading.unsure:
        return ""
    rows = []
    for unsure in reading.unsure:
        others = [face.code for face in unsure.choices if face != unsure.face]
        choices = f"{unsure.face.code}? ({', '.join(others)})"
        rows.append((f"#{unsure.tile + 1}", choices, unsure.why if language == "en" else ""))
    return section(say("unsure", language), columns(rows))


def _questions(reading: Reading, language: str, flags: bool) -> str:
    lines = []
    for question in reading.questions:
        line = question_text(question.id, language)
        flag = "--winning TILE" if question.id == "winning" else ANSWERS.get(question.id, "")
        if question.id.startswith("event:"):
            flag = f"--event {question.id.removeprefix('event:')}"
        lines.append(f"{line}  [{flag}]" if flags and flag else line)
        lines += ["  " + line for line in columns([_answer(a) for a in question.answers])]
    return section(say("please_say", language), lines) if lines else ""


def _answer(answer: Answer) -> tuple[str, str]:
    if answer.range is None:
        return answer.value, "–"
    low, high = answer.range
    return answer.value, str(low) if low == high else f"{low}–{high}"
