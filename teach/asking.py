"""Questions, hints and explanations in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorer import Hand, Result, Situation, Tile, Wind
from scorer.names import item_name, ruleset_name, tile_name, wind_name, word
from scorer.tiles import FACES, tiles_text

from .dictionary import entry
from .groups import groups_of
from .places import sets_shown, shown_tiles, winning_place
from .questions import COUNT, ILLEGAL, NAME, PAYS, WAIT, WHICH, Question
from .waits import waits
from .why import formula, paid, who_pays, why
from .words import say


@dataclass(frozen=True, slots=True)
class Told:
    """A question in one language. `labels` name the choices in their order; `answer` is the right
    answer in words; `hints` tell more and more, `explanation` what is to be learnt.
    """

    prompt: str
    facts: str
    labels: tuple[str, ...]
    answer: str
    hints: tuple[str, ...]
    explanation: tuple[str, ...]


def told(question: Question, language: str = "en") -> Told:
    """The words of a question."""
    tell = {NAME: _name, COUNT: _count, WAIT: _wait, WHICH: _which, PAYS: _pays, ILLEGAL: _illegal}
    return tell[question.spec.kind](question, language)


def facts_of(
    hand: Hand, situation: Situation, language: str, ruleset: str, last: bool = True
) -> str:
    """How the hand was won, to the player who holds it; `last` says by which tile too."""
    lines = []

    def add(key: str, **facts: object) -> None:
        lines.append(say("facts", key, language, **facts))

    if situation.seat is not None:
        add("seat", seat=wind_name(situation.seat, language))
    if situation.round is not None:
        add("round", round=wind_name(situation.round, language))
    if situation.dealer is not None:
        deals = situation.winner_deals
        add("you-deal" if deals else "dealer", dealer=wind_name(situation.dealer, language))
    if situation.streak:
        add("streak", n=situation.streak)
    if situation.missing_suit:
        add("missing", suit=say("suits", situation.missing_suit, language))
    if last and hand.winning is not None:
        tile = tile_name(hand.winning, language)
        giver = None if situation.from_seat is None else wind_name(situation.from_seat, language)
        if situation.self_drawn:
            add("self-drawn", tile=tile)
        elif giver is not None:
            add("robbed" if situation.robbed else "discard", tile=tile, giver=giver)
        elif situation.self_drawn is False:
            add("discard-any", tile=tile)
    for event in sorted(situation.events - {"robbing-kong"}) if last else ():
        add("event", event=_event(event, ruleset, language))
    return (" " if language == "en" else "").join(lines)


def _event(event: str, ruleset: str, language: str) -> str:
    named = word("events", event, language)
    if named != event:
        return named
    try:
        return item_name(ruleset, event, language)
    except KeyError:
        return event


def rules_line(ruleset: str, language: str) -> str:
    return say("ask", "rules", language, rules=ruleset_name(ruleset, language))


def _name(question: Question, language: str) -> Told:
    assert question.tile is not None
    found = entry(question.tile, language)
    labels = tuple(tile_name(Tile.parse(code), language) for code in question.choices)
    suit = say("suits", question.tile.suit, language)
    alike = [tile_name(tile, language) for tile in found.alike]
    tips = [say("dictionary", "alike", language, tiles=joined(alike, language))] if alike else []
    return Told(
        say("ask", "name", language),
        "",
        labels,
        found.name,
        (say("hint", "name-suit", language, suit=suit), found.tell),
        tuple(filter(None, [found.tell, found.said, found.seat_text, *tips])),
    )


def _count(question: Question, language: str) -> Told:
    hand, situation, result = _won(question)
    unit = word("units", result.unit, language)
    names = [item_name(result.ruleset, item.id, language) for item in result.items]
    values = [f"{name} {item.total}" for name, item in zip(names, result.items, strict=True)]
    many = len(result.items)
    hints = [
        say("hint", "count-number-1" if many == 1 else "count-number", language, n=many),
        say("hint", "count-names", language, items=joined(names, language)),
        say("hint", "count-values", language, items=joined(values, language)),
    ]
    return Told(
        say("ask", "count", language, unit=unit),
        facts_of(hand, situation, language, result.ruleset),
        (),
        f"{result.total} {unit}",
        tuple(hints),
        reasons(hand, situation, result, language),
    )


def reasons(
    hand: Hand, situation: Situation, result: Result, language: str, payment: bool = True
) -> tuple[str, ...]:
    """The explanation of a result as lines: items, what is left out, the sum, the payment."""
    explained = why(hand, situation, result, language)
    if explained is None:
        return ()
    colon = ": " if language == "en" else "："
    lines = [f"{r.worth}  {r.name}{colon}{r.sentence}" for r in explained.reasons]
    lines += [f"–  {r.name} ({r.worth}){colon}{r.against}" for r in explained.left_out]
    lines.append(explained.sum)
    return (*lines, *explained.steps) if payment else tuple(lines)


def _wait(question: Question, language: str) -> Told:
    hand, _, result = _won(question)
    assert hand.winning is not None
    kinds = tuple(word("waits", kind, language) for kind in question.choices)
    last = winning_place(hand)
    tiles = shown_tiles(hand)
    ended = next(
        (s.places for s in sets_shown(hand, result.arrangement) if last in s.places), (last,)
    )
    around = tiles_text([tiles[place] for place in ended if place is not None])
    name = word("waits", question.answer, language)
    sentence = say("wait-kinds", question.answer, language)
    others = [f"{word('waits', k, language)}: {say('wait-kinds', k, language)}"
              for k in question.choices]  # fmt: skip
    return Told(
        say("ask", "wait", language, tile=tile_name(hand.winning, language)),
        "",
        kinds,
        name,
        (say("hint", "wait-set", language, set=around), *others),
        (f"{name}: {sentence}",),
    )


def _which(question: Question, language: str) -> Told:
    hand, situation, club = question.hand, question.situation, question.spec.club
    assert hand is not None
    assert situation is not None
    found = waits(hand, situation, club.ruleset, club.house)
    right = [wait for wait in found if wait.tile.code in _codes(question.answer)]
    many = len(right)
    need = club.table.rules.sets - len(hand.melds)
    loose = [tile for tile in hand.concealed if tile < FACES]
    groups = " ".join(tiles_text(group.tiles) for group in groups_of(loose, need))
    lines = []
    for wait in right:
        text = f"{tile_name(wait.tile, language)} ({wait.tile.code})"
        kind = word("waits", wait.kind, language) if wait.kind else say("waits", "plain", language)
        lines.append(f"{text}: {kind}")
    return Told(
        say("ask", "which", language),
        facts_of(hand, situation, language, club.table.rules.id, last=False),
        (),
        joined([tile_name(wait.tile, language) for wait in right], language),
        (
            say("hint", "which-groups", language, groups=groups),
            say("hint", "which-number-1" if many == 1 else "which-number", language, n=many),
        ),
        tuple(lines),
    )


def _codes(text: str) -> list[str]:
    from scorer import parse_tiles

    return [tile.code for tile in parse_tiles(text)]


def _pays(question: Question, language: str) -> Told:
    hand, situation, result = _won(question)
    assert question.payer is not None
    unit = word("units", result.unit, language)
    winner = result.transfers[0].payee
    ours = [t for t in result.transfers if t.payer == question.payer]
    parts = [text for t in (ours or result.transfers[:1]) if (text := formula(t, language))]
    who = who_pays(situation, result, language)
    hints = [say("hint", "pays-who", language, who=who)]
    if parts and ours:
        hints.append(say("hint", "pays-parts", language, parts=joined(parts, language)))
    names = {seat: wind_name(seat, language) for seat in Wind}
    return Told(
        say("ask", "pays", language, total=result.total, unit=unit,
            payer=names[question.payer], winner=names[winner]),
        facts_of(hand, situation, language, result.ruleset),
        (),
        question.answer,
        tuple(hints),
        (who, *(paid(transfer, language) for transfer in result.transfers)),
    )  # fmt: skip


def _illegal(question: Question, language: str) -> Told:
    labels = tuple(say("ask", "hand-label", language, letter=c) for c in question.choices)
    wrong = question.shown[question.choices.index(question.answer)]
    size = 3 * question.spec.club.table.rules.sets + 2
    return Told(
        say("ask", "illegal", language),
        "",
        labels,
        labels[question.choices.index(question.answer)],
        (
            say("hint", "illegal-count", language, n=size),
            say("hint", "illegal-four", language),
        ),
        tuple(problem.text(language) for problem in wrong.result.problems),
    )


def _won(question: Question) -> tuple[Hand, Situation, Result]:
    assert question.hand is not None
    assert question.situation is not None
    assert question.result is not None
    return question.hand, question.situation, question.result


def joined(parts: Iterable[str] | Sequence[str], language: str) -> str:
    return (", " if language == "en" else "、").join(parts)
