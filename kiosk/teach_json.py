"""Lessons as plain data for the page: questions, verdicts, explanations, things to look up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from kiosk.teach_text import (
    discards_text,
    named,
    outlook_text,
    repair_lines,
    worth_text,
)
from scorer import Hand, HouseRules, Result, Situation, Tile, Wind, score
from scorer.names import item_name, question_text, tile_name, wind_name, word
from scorer.table import table_of
from teach import asking, winds
from teach.almost import NearMiss, by_item, near_misses
from teach.cards import Deck
from teach.dealing import DIFFICULTIES, Club, Dealt, TooRareError
from teach.dictionary import dictionary
from teach.discards import discards, outlook
from teach.lesson import ROUND, Lesson
from teach.questions import (
    COUNT,
    KINDS,
    NAME,
    WHICH,
    WON,
    Question,
    Spec,
    about,
    focuses,
    to_json,
)
from teach.repair import not_a_win
from teach.waits import waits, winning_only
from teach.why import why
from teach.words import say, texts

SHOWN = 6
"""Exchanges and discards that are shown of each."""
MOST_FOCUS = 60


def words_json(language: str) -> dict[str, Any]:
    """What the page itself says."""
    sections = ("page", "kinds", "almost", "waits", "repair", "hint", "winds", "dictionary")
    said = {section: dict(texts(section, language)) for section in sections}
    said["winds"] |= {w.letter: wind_name(w, language) for w in Wind}
    return {"language": language, "kinds": list(KINDS), "levels": list(DIFFICULTIES)} | {
        "words": said
    }


def next_json(
    club: Club,
    progress: Any,
    language: str,
    day: float,
    *,
    kind: str | None,
    item: str,
    difficulty: int,
    asked: int,
    last: str,
    seed: int,
) -> dict[str, Any]:
    """The next question for a player with this progress. Raises DeckError, KeyError for an item
    that the rules do not have.
    """
    deck = Deck.from_json(progress) if progress else Deck()
    kinds = (kind,) if kind else ROUND
    wanted = item if kind == COUNT else ""
    lesson = Lesson(club, Random(seed), deck, kinds, difficulty, wanted, asked, last=last)
    try:
        found = lesson.next(day)
    except TooRareError:
        name = item_name(club.table.rules.id, item, language)
        return {"question": None, "text": say("lesson", "too-rare", language, item=name)}
    if found is None:
        return {"question": None, "text": say("lesson", "nothing-due", language)}
    return {"question": question_json(found, language)}


def next_won_json(
    won: Iterable[tuple[Dealt, Club]],
    progress: Any,
    language: str,
    day: float,
    *,
    last: str,
    seed: int,
) -> dict[str, Any]:
    """The next hand of the ledger to count. Raises DeckError."""
    deck = Deck.from_json(progress) if progress else Deck()
    hands = {asked.spec.card: asked for asked in (about(dealt, club) for dealt, club in won)}
    card = deck.next(hands, day, Random(seed), last)
    if card is None:
        key = "nothing-due" if hands else "no-ledger-hands"
        return {"question": None, "text": say("lesson", key, language)}
    return {"question": question_json(hands[card], language)}


def won_question(
    data: Mapping[str, Any], won: Callable[[], Iterable[tuple[Dealt, Club]]]
) -> Question | None:
    """The question about a hand of the ledger that a spec names, None where it names none.

    Raises ValueError for a hand that is there no more.
    """
    focus = data.get("focus")
    if not isinstance(focus, str) or not focus.startswith(WON):
        return None
    for dealt, club in won():
        asked = about(dealt, club)
        if asked.spec.focus == focus:
            return asked
    raise ValueError("this hand is not in the night that is played now")


def question_json(asked: Question, language: str) -> dict[str, Any]:
    """A question with its words; the answer is not in it."""
    told = asking.told(asked, language)
    labels = zip(asked.choices, told.labels, strict=True)
    kind = asked.spec.kind
    return {
        "spec": to_json(asked.spec),
        "kind": kind,
        "card": asked.spec.card,
        "kind_name": say("kinds", kind, language),
        "prompt": told.prompt,
        "facts": told.facts,
        "choices": [{"id": id, "label": label} for id, label in labels],
        "input": "choice" if asked.choices else "tiles" if kind == WHICH else "number",
        "hints": list(told.hints),
        "tile": asked.tile.code if asked.tile is not None else None,
        "hand": hand_json(asked.hand) if asked.hand is not None else None,
        "hands": [hand_json(dealt.hand) for dealt in asked.shown],
    }


def hand_json(hand: Hand) -> dict[str, Any]:
    """A hand as it is drawn."""
    return {
        "text": str(hand),
        "concealed": [tile.code for tile in hand.concealed],
        "melds": [
            {"kind": meld.kind, "tiles": [tile.code for tile in meld.tiles]} for meld in hand.melds
        ],
        "winning": hand.winning.code if hand.winning is not None else None,
        "bonus": [tile.code for tile in hand.bonus],
    }


def spec_of(data: Mapping[str, Any], club: Club) -> Spec:
    """The spec of a question that was asked. Raises ValueError naming what is wrong."""
    kind, focus = data.get("kind"), data.get("focus")
    seed, difficulty = data.get("seed"), data.get("difficulty")
    if kind not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}")
    if difficulty not in DIFFICULTIES or isinstance(difficulty, bool):
        raise ValueError("difficulty is 1, 2 or 3")
    if not isinstance(seed, int) or isinstance(seed, bool) or abs(seed) > 2**31:
        raise ValueError("seed is a whole number")
    if not isinstance(focus, str) or len(focus) > MOST_FOCUS:
        raise ValueError("focus is a short text")
    items = {item.id for item in club.table.items} if kind == COUNT else set()
    if focus not in items and focus not in focuses(kind, difficulty, club):
        raise ValueError(f"there is no question about {focus!r} here")
    return Spec(kind, focus, seed, difficulty, club)


def verdict_json(
    asked: Question, said: str, progress: Any, hints: int, language: str, day: float
) -> dict[str, Any]:
    """Whether an answer is right, why, and the progress after it.

    An answer with hints does not count as known. Raises DeckError, AnswerError.
    """
    deck = Deck.from_json(progress) if progress else Deck()
    spec = asked.spec
    right = asked.check(said)
    told = asking.told(asked, language)
    after = deck.answered(spec.card, right and not hints, day)
    explained = None
    if asked.hand is not None and asked.result is not None and asked.situation is not None:
        explained = why(asked.hand, asked.situation, asked.result, language)
    key = "right" if right else "wrong"
    return {
        "right": right,
        "text": say("verdict", key, language, answer=told.answer),
        "explanation": list(told.explanation),
        "why": explained.to_json() if explained and spec.kind != NAME else None,
        "progress": after.to_json(),
        "missed": len(after.missed()),
    }


def explain_json(
    hand: Hand,
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
    language: str,
    two: bool = False,
) -> dict[str, Any]:
    """Everything there is to say about a hand: why, what was near, what it waits for, repairs."""
    rules = table_of(ruleset, house).rules
    size = len(hand.tiles) - sum(meld.is_kong for meld in hand.melds)
    data: dict[str, Any] = {"hand": hand_json(hand), "unit": word("units", rules.unit, language)}
    if size == 3 * rules.sets + 1:
        return data | _before_draw(hand, situation, ruleset, house, language)
    result = score(hand, situation, ruleset, house)
    if result.problems:
        return data | _no_win(hand, situation, ruleset, house, language)
    explained = why(hand, situation, result, language)
    if explained is None:
        asks = [question_text(id, language) for id in result.questions]
        return data | {"asks": asks, "range": list(result.range) if result.range else None}
    data |= {"why": explained.to_json(), "total": result.total}
    data["almost"] = _almost(near_misses(hand, situation, ruleset, house, 1), result, language)
    if two:
        data["two"] = _almost(near_misses(hand, situation, ruleset, house, 2), result, language)
    return data


def _almost(misses: tuple[NearMiss, ...], result: Result, language: str) -> list[dict[str, Any]]:
    """The items that were near, each with its best exchange and its sentence."""
    unit = word("units", result.unit, language)
    rows = []
    for id, found in by_item(misses).items():
        best = found[0]
        gain = "more" if best.gain > 0 else "less" if best.gain else "same"
        rows.append(
            {
                "id": id,
                "name": item_name(result.ruleset, id, language),
                "worth": sum(item.total for item in best.new if item.id == id),
                "out": [Tile(t).code for t in best.out],
                "in": [Tile(t).code for t in best.into],
                "total": best.total,
                "unit": unit,
                "gain": say("almost", gain, language, n=abs(best.gain)),
                "ways": len(found),
            }
        )
    return rows


def _before_draw(
    hand: Hand, situation: Situation, ruleset: str, house: HouseRules | None, language: str
) -> dict[str, Any]:
    found = winning_only(waits(hand, situation, ruleset, house))
    if found:
        rows = [
            {
                "tile": wait.tile.code,
                "name": tile_name(wait.tile, language),
                "left": wait.left,
                "kind": word("waits", wait.kind, language)
                if wait.kind
                else say("waits", "plain", language),
                "by_discard": worth_text(wait.by_discard, language),
                "by_draw": worth_text(wait.by_draw, language),
            }
            for wait in found
        ]
        return {"waits": rows}
    view = outlook(hand, situation, ruleset, house)
    lines = [say("waits", "none", language)]
    lines.append(outlook_text(view, language) if view else say("waits", "no-way", language))
    return {"outlook": lines}


def _no_win(
    hand: Hand, situation: Situation, ruleset: str, house: HouseRules | None, language: str
) -> dict[str, Any]:
    found = not_a_win(hand, situation, ruleset, house)
    assert found is not None
    unit = word("units", table_of(ruleset, house).rules.unit, language)
    data: dict[str, Any] = {
        "problems": [problem.text(language) for problem in found.result.problems],
        "groups": [
            {
                "kind": group.kind,
                "name": say("repair", group.kind, language),
                "tiles": [tile.code for tile in group.tiles],
            }
            for group in found.groups
        ],
        "repairs": repair_lines(found.repairs[:SHOWN], unit, language),
    }
    if [problem.id for problem in found.result.problems] == ["not-complete"]:
        ranked = discards(hand, situation, ruleset, house)[:SHOWN]
        data["discards"] = discards_text(ranked, unit, language)
    return data


def tiles_json(language: str) -> dict[str, Any]:
    """The tile dictionary."""
    rows = []
    for found in dictionary(language):
        alike = [named(tile, language) for tile in found.alike]
        data = found.to_json()
        text = asking.joined(alike, language)
        data["alike_text"] = say("dictionary", "alike", language, tiles=text) if alike else ""
        rows.append(data)
    return {"tiles": rows}


def winds_json(club: Club, seat: Wind, round: Wind, language: str) -> dict[str, Any]:
    """The wind explainer for one seat, and the four seats going round."""
    table = club.table
    return {
        "lines": list(winds.explained(language, table)),
        "yours": list(winds.for_seat(seat, round, language, table)),
        "seats": [
            {"seat": w.letter, "name": wind_name(w, language), "number": w + 1} for w in Wind
        ],
    }
