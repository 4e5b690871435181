"""Questions to the player, each with what every answer is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from scorer.arrange import arrangements, key_of
from scorer.engine import score
from scorer.hand import CONCEALED_KONG, KONG, Hand, Meld
from scorer.houserules import HouseRules
from scorer.result import Result
from scorer.situation import Situation
from scorer.tiles import Tile, tiles_text
from scorer.winds import Wind
from vision.facts import outcomes
from vision.reading import Answer, Question
from vision.words import question_text


@dataclass(frozen=True, slots=True)
class Asked:
    """The best reading's result and everything that is worth asking."""

    result: Result
    span: tuple[int, int] | None
    questions: tuple[Question, ...]


def ask(
    hand: Hand,
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
    claimed: bool = False,
    kongs: bool = False,
    waits: tuple[Tile, ...] = (),
    rivals: tuple[tuple[Hand, tuple[int, ...]], ...] = (),
) -> Asked:
    """Score the hand and find what has to be asked.

    claimed: the picture does not say which sets were claimed. kongs: nor whether kongs that lie
    face up are concealed. waits: the winning tile is not in the picture and is one of these.
    rivals: other likely readings, each with the tiles that are read differently.
    """
    if waits:
        return _ask_winning(hand, situation, ruleset, house, waits)
    found = outcomes(hand, situation, ruleset, house)
    questions = [
        Question(name, question_text(name), answers) for name, answers in found.answers.items()
    ]
    spans = [found.span]
    picture: list[Question] = []
    if claimed:
        picture.append(_variants("claimed", claim_variants(hand), situation, ruleset, house))
    if kongs:
        picture.append(_variants("kong", kong_variants(hand), situation, ruleset, house))
    if rivals:
        variants = [(str(hand), hand), *((str(other), other) for other, _ in rivals)]
        about = tuple(sorted({i for _, tiles in rivals for i in tiles}))
        question = _variants("tile", variants, situation, ruleset, house)
        picture.append(replace(question, about=about))
    for question in picture:
        spans += [answer.range for answer in question.answers]
        if question.id == "tile" or len({answer.range for answer in question.answers}) > 1:
            questions.insert(0, question)
    return Asked(found.result, _union(spans), tuple(questions))


def problems_of(hand: Hand, situation: Situation, ruleset: str, house: HouseRules | None) -> Asked:
    """Why the hand is no win. What is unknown cannot change that, so it is not gone through."""
    if situation.events or situation.unknown_events:
        return ask(hand, situation, ruleset, house)
    taken = situation.from_seat
    seat = situation.seat if situation.seat is not None else Wind(1 if taken == 0 else 0)
    drawn = situation.self_drawn if situation.self_drawn is not None else taken is None
    some = situation.but(
        seat=seat,
        round=situation.round if situation.round is not None else Wind(0),
        self_drawn=drawn and not situation.robbed,
    )
    if hand.winning is None and hand.concealed:
        *left, last = hand.concealed
        result = score(replace(hand, concealed=tuple(left), winning=last), some, ruleset, house)
    else:
        result = score(hand, some, ruleset, house)
    span = None if result.total is None else (result.total, result.total)
    return Asked(result, span, ())


def kong_variants(hand: Hand) -> list[tuple[str, Hand]]:
    """The hand with every choice of its kongs that lie face up concealed; named by those."""
    kongs = [k for k, meld in enumerate(hand.melds) if meld.kind == KONG]
    found = []
    for hidden in product((False, True), repeat=len(kongs)):
        chosen = {k for k, concealed in zip(kongs, hidden, strict=True) if concealed}
        melds = tuple(
            Meld(CONCEALED_KONG, meld.tiles) if k in chosen else meld
            for k, meld in enumerate(hand.melds)
        )
        name = " ".join(str(melds[k]) for k in sorted(chosen)) or "none"
        found.append((name, replace(hand, melds=melds)))
    return found


def claim_variants(hand: Hand) -> list[tuple[str, Hand]]:
    """Hands that look the same: no set claimed, those that were guessed, every set claimed."""
    loose: list[Tile] = list(hand.concealed)
    kept: list[Meld] = []
    for meld in hand.melds:
        if meld.is_kong:
            kept.append(Meld(CONCEALED_KONG, meld.tiles))
        else:
            loose += meld.tiles
    none = Hand(tuple(loose), tuple(kept), hand.bonus, hand.winning)
    variants = [("none", none), (_sets_text(hand.melds), hand)]
    whole = [*hand.concealed, *(() if hand.winning is None else (hand.winning,))]
    ways = arrangements(key_of([int(tile) for tile in whole]))
    if ways:
        chows, pungs, _ = ways[0]
        open_sets = [(Tile(t), Tile(t + 1), Tile(t + 2)) for t in chows]
        open_sets += [(Tile(t),) * 3 for t in pungs]
        left = list(hand.concealed)
        melds = list(hand.melds)
        for tiles in open_sets:
            trial = list(left)
            try:
                for tile in tiles:
                    trial.remove(tile)
            except ValueError:
                continue  # the winning tile ended this set, so it lies with the hand
            left = trial
            melds.append(Meld.of(tiles))
        every = Hand(tuple(left), tuple(melds), hand.bonus, hand.winning)
        variants.append((_sets_text(every.melds), every))
    unique: dict[str, tuple[str, Hand]] = {}
    for name, variant in variants:
        unique.setdefault(str(variant), (name, variant))
    return list(unique.values())


def _sets_text(melds: tuple[Meld, ...]) -> str:
    return " ".join(tiles_text(meld.tiles) for meld in melds if meld.is_exposed) or "none"


def _variants(
    id: str,
    variants: list[tuple[str, Hand]],
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
) -> Question:
    answers = tuple(
        Answer(name, outcomes(hand, situation, ruleset, house).span) for name, hand in variants
    )
    return Question(id, question_text(id), answers)


def _ask_winning(
    hand: Hand,
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
    waits: tuple[Tile, ...],
) -> Asked:
    tried = [
        (tile, outcomes(replace(hand, winning=tile), situation, ruleset, house)) for tile in waits
    ]
    answers = tuple(Answer(tile.code, found.span) for tile, found in tried)
    span = _union([found.span for _, found in tried])
    first = tried[0][1].result
    result = Result(
        first.ruleset, first.version, range=span, questions=("winning",), unit=first.unit,
        minimum=first.minimum,
    )  # fmt: skip
    return Asked(result, span, (Question("winning", question_text("winning"), answers),))


def _union(spans: list[tuple[int, int] | None]) -> tuple[int, int] | None:
    known = [span for span in spans if span is not None]
    if not known:
        return None
    return min(low for low, _ in known), max(high for _, high in known)
