"""Names and sentences put beside the ids of a result, in the language that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.receipt import receipt
from kiosk.words import say
from scorer import Hand, Problem, Result, Situation, Tile, find_ruleset
from scorer.names import (
    item_name,
    item_text,
    problem_text,
    ruleset_name,
    tile_name,
    wind_name,
    word,
)
from scorer.winds import LETTERS, Wind
from vision.reading import Question
from vision.words import question_text

YES_NO = {"yes": {"en": "yes", "zh-Hant": "是", "zh-Hans": "是"},
          "no": {"en": "no", "zh-Hant": "否", "zh-Hans": "否"},
          "none": {"en": "none", "zh-Hant": "沒有", "zh-Hans": "没有"}}  # fmt: skip
SEAT_QUESTIONS = ("seat", "round", "from_seat", "dealer")
LANGUAGES = ("en", "zh-Hant", "zh-Hans")
MOST_REPAIRS = 4


def result_json(
    hand: Hand, situation: Situation, result: Result, asks: Iterable[Question], language: str
) -> dict[str, Any]:
    """A result with names, what is to be asked, and the receipt as text."""
    data = result.to_json()
    data["receipt"] = receipt(hand, situation, result, language)
    return with_names(data, result, asks, language)


def with_names(
    data: dict[str, Any], result: Result, asks: Iterable[Question], language: str
) -> dict[str, Any]:
    """`data`, the JSON of `result`, with names."""
    rules = result.ruleset
    for item in data["items"]:
        item |= _item(rules, item["id"], language)
    for item in data["left_out"]:
        item |= {
            "name": item_name(rules, item["id"], language),
            "by_name": item_name(rules, item["by"], language) if item["by"] else "",
            "why": word("reasons", item["reason"], language),
        }
    for told, problem in zip(data["problems"], result.problems, strict=True):
        told["text"] = _said(problem, language)
    for told, transfer in zip(data["transfers"], result.transfers, strict=True):
        told["text"] = say(
            "pays",
            language,
            payer=wind_name(transfer.payer, language),
            payee=wind_name(transfer.payee, language),
            amount=transfer.amount,
        )
        told["parts_text"] = ", ".join(
            f"{word('parts', key, language)} {n}" for key, n in transfer.parts
        )
    data["ruleset_name"] = ruleset_name(rules, language)
    data["unit_name"] = word("units", result.unit, language) if result.unit else ""
    data["asks"] = [ask_json(question, language) for question in asks]
    return data


def _said(problem: Problem, language: str) -> str:
    """The sentence of a problem with tiles by name: on a page nobody writes codes."""
    facts = dict(problem.facts)
    if facts.get("repairs"):
        facts["repairs"] = "; ".join(
            f"{_tiles([row['out']], language)} → {_tiles(row['in'], language)}"
            for row in facts["repairs"][:MOST_REPAIRS]
        )
    return problem_text(problem.id, facts, language)


def _tiles(codes: Iterable[str], language: str) -> str:
    return "/".join(tile_name(Tile.parse(code), language) for code in codes)


def _item(rules: str, id: str, language: str) -> dict[str, str]:
    return {"name": item_name(rules, id, language), "text": item_text(rules, id, language)}


def ask_json(question: Question, language: str) -> dict[str, Any]:
    """A question with its answers, in words."""
    return {
        "id": question.id,
        "text": question_text(question.id, language),
        "tiles": list(question.about),
        "answers": [
            answer.to_json() | {"text": answer_text(question.id, answer.value, language)}
            for answer in question.answers
        ],
    }


def answer_text(id: str, answer: str, language: str) -> str:
    """One answer as people say it."""
    if answer in YES_NO:
        if id == "self_drawn":
            key = "self-drawn" if answer == "yes" else "discard"
            return word("events", key, language)
        return YES_NO[answer][language]
    if id in SEAT_QUESTIONS and answer in LETTERS:
        return wind_name(Wind.parse(answer), language)
    if id in ("winning", "face_down"):
        return tile_name(Tile.parse(answer), language)
    return answer


def names_of(section: str, id: str) -> dict[str, str]:
    """A word in every language."""
    return {language: word(section, id, language) for language in LANGUAGES}


def brief_json(name: str, result: Result, language: str) -> dict[str, Any]:
    """A result in a few lines, to stand beside others."""
    rules = find_ruleset(result.ruleset).id
    data: Mapping[str, Any] = result.to_json()
    return {
        "ruleset": name,
        "name": ruleset_name(name, language),
        "total": data["total"],
        "certain": data["certain"],
        "range": data["range"],
        "unit_name": word("units", result.unit, language) if result.unit else "",
        "items": [
            {
                "id": item.id,
                "name": item_name(rules, item.id, language),
                "value": item.value,
                "count": item.count,
            }
            for item in result.items
        ],
        "problems": [{"id": p.id, "text": p.text(language)} for p in result.problems],
        "payments": data["payments"],
    }
