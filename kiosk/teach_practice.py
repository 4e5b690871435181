"""A round of practice on a terminal."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random, SystemRandom

from kiosk import facts, teach_text
from kiosk.trouble import GOOD, Trouble, WrongUse
from scorer.names import item_name
from scorer.tiles import Tile
from teach import asking, progress
from teach.cards import Deck
from teach.dealing import DIFFICULTIES, Club, Dealt, TooRareError, from_ledger
from teach.lesson import ROUND, Lesson
from teach.questions import COUNT, ILLEGAL, KINDS, NAME, AnswerError, Question, about
from teach.words import say

DAY_S = 86_400


def add_practice_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of practice."""
    add = parser.add_argument
    add("--kind", choices=KINDS, help="ask this kind only")
    add("--item", metavar="ID", help="hands to count that earn this item")
    add("--difficulty", type=int, choices=DIFFICULTIES, help="1 easy (default), 2, 3 hard")
    add("--questions", type=int, metavar="N", help="how many (one of each kind)")
    add("--from-ledger", action="store_true", help="count hands that were won at the table")
    add("--ledger", metavar="FILE|URL", help="the ledger they are in (HUPAI_LEDGER)")
    add("--night", metavar="ID", help="which night of it (all)")
    add("--progress", type=Path, metavar="FILE", help="where progress is kept")
    add("--seed", type=int, metavar="N", help="for the same questions again")
    facts.add_rules_arguments(parser)
    facts.add_language_argument(parser)


class _Stopped(Exception):  # noqa: N818 - the player has had enough
    pass


def practise(arguments: argparse.Namespace, language: str) -> int:
    """Ask a round; progress is written after every answer, so that stopping loses nothing."""
    club = Club(*facts.house_of(arguments))
    file = arguments.progress or progress_file()
    deck = _kept(file, language)
    seed = SystemRandom().randrange(2**31) if arguments.seed is None else arguments.seed
    kinds = (arguments.kind,) if arguments.kind else ROUND
    level = arguments.difficulty or DIFFICULTIES[0]
    lesson = Lesson(club, Random(seed), deck, kinds, level, arguments.item or "")
    questions = _questions(arguments, lesson)
    if arguments.item and not any(item.id == arguments.item for item in club.table.items):
        known = ", ".join(item.id for item in club.table.items)
        raise WrongUse(f"--item {arguments.item}: there is no such item; there are {known}.")
    _welcome(club, language, newcomer=not deck.cards)
    wanted = arguments.questions or len(ROUND)
    counted = None
    try:
        while lesson.asked < wanted:
            question = _next(questions, arguments, language)
            if question is None:
                break
            right = _ask(question, lesson.asked + 1, wanted, language)
            lesson.answered(question, right, _today())
            if question.spec.kind == COUNT and right:
                counted = question
            _save(file, lesson.deck, language)
    except _Stopped:
        print()
    _farewell(lesson, file, counted, language, newcomer=not deck.cards)
    return GOOD


def progress_file() -> Path:
    """Where practice is remembered."""
    from calibration.store import data_folder

    return data_folder() / "practice.json"


def _today() -> float:
    return time.time() / DAY_S


def _kept(file: Path, language: str) -> Deck:
    try:
        deck, damage = progress.load(file)
    except OSError as error:
        raise Trouble(f"{file} cannot be read: {error.strerror}.") from None
    if damage is not None:
        why = say("lesson", "newer", language) if damage.newer else damage.why
        print(say("lesson", "damaged", language, file=file, copy=damage.copy, why=why))
    return deck


def _save(file: Path, deck: Deck, language: str) -> None:
    try:
        progress.save(file, deck)
    except OSError as error:
        print(say("lesson", "not-saved", language, file=file, why=error.strerror))


def _questions(arguments: argparse.Namespace, lesson: Lesson) -> Iterator[Question | None]:
    if not arguments.from_ledger:
        while True:
            yield lesson.next(_today())
    hands = [about(dealt, club) for dealt, club in _won_hands(arguments)]
    lesson.rng.shuffle(hands)
    yield from hands
    yield None


def _won_hands(arguments: argparse.Namespace) -> Iterator[tuple[Dealt, Club]]:
    from kiosk.verbs.ledger import where
    from table import Ledger, LedgerError, Store

    try:
        store = Store(where(arguments), write=False)
        nights = [arguments.night] if arguments.night else [n.night for n in store.nights()]
        for night in nights:
            yield from from_ledger(Ledger(store, night))
    except LedgerError as error:
        raise Trouble(f"{str(error).rstrip('.')}.") from None


def _next(
    questions: Iterator[Question | None], arguments: argparse.Namespace, language: str
) -> Question | None:
    try:
        question = next(questions)
    except TooRareError as error:
        item = item_name(facts.house_of(arguments)[0], error.item, language)
        raise Trouble(say("lesson", "too-rare", language, item=item)) from None
    if question is None:
        key = "no-ledger-hands" if arguments.from_ledger else "nothing-due"
        print(say("lesson", key, language))
    return question


def _welcome(club: Club, language: str, newcomer: bool) -> None:
    print(say("lesson", "welcome", language))
    print(asking.rules_line(club.ruleset, language))
    if newcomer:
        sets = club.table.rules.sets
        print(say("lesson", "basics", language, sets=sets, tiles=3 * sets + 2))
        print(say("lesson", "legend", language))
        print(say("lesson", "claimed", language))


def _ask(question: Question, no: int, of: int, language: str) -> bool:
    """Ask until there is an answer; whether it was right at once and without hints."""
    told = asking.told(question, language)
    print(f"\n{no}/{of}  {say('kinds', question.spec.kind, language)}")
    print("\n".join(_shown(question, language)))
    if told.facts:
        print(told.facts)
    print(told.prompt)
    for i, label in enumerate(told.labels if question.spec.kind != ILLEGAL else (), 1):
        print(f"  {i}  {label}")
    key = "choose" if question.choices and question.spec.kind != ILLEGAL else "answer"
    hints = iter(told.hints)
    helped = False
    while True:
        said = _input(say("lesson", key, language))
        if said.lower() in ("q", "quit"):
            raise _Stopped
        if said == "?":
            helped = True
            print("  " + next(hints, say("hint", "no-more", language)))
            continue
        try:
            right = question.check(said)
        except AnswerError as error:
            choices = ", ".join(_choice_names(question))
            want = say("verdict", f"want-{error.want}", language, choices=choices)
            print("  " + say("verdict", "not-understood", language, want=want))
            continue
        key = "right" if right else "wrong"
        print("  " + say("verdict", key, language, answer=told.answer))
        print("\n".join(f"  {line}" for line in told.explanation))
        return right and not helped


def _choice_names(question: Question) -> tuple[str, ...]:
    if question.spec.kind == ILLEGAL:
        return question.choices
    return tuple(str(i + 1) for i in range(len(question.choices)))


def _shown(question: Question, language: str) -> list[str]:
    """The tile, the hand or the hands of a question."""
    if question.spec.kind == NAME:
        assert isinstance(question.tile, Tile)
        return teach_text.drawn_tile(question.tile)
    if question.shown:
        lines = []
        for letter, dealt in zip(question.choices, question.shown, strict=True):
            facts_line = asking.facts_of(
                dealt.hand, dealt.situation, language, question.spec.club.table.rules.id
            )
            lines += [f"{letter}  {facts_line}", *teach_text.drawn(dealt.hand)]
        return lines
    assert question.hand is not None
    return teach_text.drawn(question.hand)


def _input(prompt: str) -> str:
    try:
        return input(f"{prompt} ").strip()
    except EOFError:
        raise _Stopped from None


def _farewell(
    lesson: Lesson, file: Path, counted: Question | None, language: str, newcomer: bool
) -> None:
    tell: Callable[[str], None] = print
    if newcomer and counted is not None:
        answer = asking.told(counted, language)
        assert counted.result is not None
        total, _, unit = answer.answer.partition(" ")
        tell(say("lesson", "done-hand", language, total=total, unit=unit))
    tell("\n" + say("lesson", "score", language, right=lesson.right, asked=lesson.asked))
    missed = len(lesson.deck.missed())
    if missed:
        tell(say("lesson", "again", language, n=missed))
    tell(say("lesson", "kept", language, file=file))
    tell(say("lesson", "more", language))
    tell(say("lesson", "with-pictures", language))
