"""A reading as a person corrects it: tiles named, removed, added, moved, questions answered.

Everything is said of the first reading, all at once, so that saying it again changes nothing.
Indexes never move: a removed tile stays and is not of the hand, added tiles come after the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.hand import CONCEALED_KONG, Hand
from scorer.houserules import HouseRules
from scorer.registry import find_ruleset
from scorer.situation import Situation
from scorer.tiles import Tile
from vision.decode import decode, hand_of
from vision.detections import ALTERNATIVES, BACK, FACE_COUNT, Detections
from vision.faces import is_bonus
from vision.layout import BELONGS, CLAIMED, KONG, MISSED, OUTSIDE, WINNING, Layout, layout
from vision.questions import claim_variants, kong_variants
from vision.reading import BONUS, CONCEALED, OTHER, Answer, Question, Reading
from vision.reading import WINNING as WINNING_TILE
from vision.words import question_text

REMOVED: Final = "removed"
UNNAMED: Final = "put aside"
SETS: Final = ("chow", "pung", "kong", CONCEALED_KONG)
KINDS: Final = (CONCEALED, *SETS, BONUS, WINNING_TILE)
QUESTIONS: Final = ("winning", "claimed", "kong", "tile", "belongs", "missed", "face_down")
"""Questions of a reading that are answered here; the others are facts of the situation."""
MOST_ADDED: Final = 40


class CorrectionError(ValueError):
    """A correction that cannot be made; `place` names what is wrong."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(why)
        self.place = place


@dataclass(frozen=True, slots=True)
class Added:
    """A tile the picture does not show. `group` is a group's number, or a kind, or empty."""

    face: Tile
    group: int | str = ""


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a person says of a reading.

    faces: tile to its face, also where it was right (the tile is then sure). groups: (kind, tiles)
    for every tile of the hand, or None. answers: of QUESTIONS, as the reading's answers are named.
    """

    faces: Mapping[int, Tile] = field(default_factory=dict)
    removed: frozenset[int] = frozenset()
    added: tuple[Added, ...] = ()
    groups: tuple[tuple[str, tuple[int, ...]], ...] | None = None
    answers: Mapping[str, str] = field(default_factory=dict)


def corrected(
    first: Reading,
    told: Corrections,
    ruleset: str,
    situation: Situation | None = None,
    house: HouseRules | None = None,
) -> Reading:
    """The reading under these corrections. Raises CorrectionError."""
    _check(first, told)
    seen = _detections(first, told)
    sets = find_ruleset(ruleset).sets
    if told.groups is not None:
        ways = [_laid_as_told(first, seen, told)]
    else:
        ways = [_laid_again(first, seen, told, sets, frozenset())]
        if told.removed:  # what was no tile at all may have led the layout astray
            ways.append(_laid_again(first, seen, told, sets, told.removed))

    def read(laid: Layout) -> Reading:
        return decode(laid, ruleset, situation, house)

    reading = max((read(_answered(laid, told)) for laid in ways), key=_worth)
    sure = reading.layout.winning
    if sure is not None and sure in told.faces and sure in reading.layout.near:
        reading = read(replace(reading.layout, near=()))
    for id, answer in (
        ("tile", _named_hand),
        ("claimed", _with_claims),
        ("kong", _with_kongs),
        ("winning", _won_with),
    ):
        if id in told.answers and reading.hand is not None:
            reading = read(answer(reading, told.answers[id], sets))
    return reading.with_picture(first.advice, first.timings_ms, first.profile)


def doubted(
    first: Reading,
    now: Reading,
    told: Corrections,
    ruleset: str,
    situation: Situation | None = None,
    house: HouseRules | None = None,
) -> tuple[Question, ...]:
    """What is open about what lies beside the hand: a bonus tile, or what may be a tile.

    `now` is `first` as it was corrected by what was `told`.
    """
    if now.hand is None:
        return ()
    near = tuple(i for i in now.layout.others if is_bonus(int(now.layout.detections.faces[i])))
    found = []
    for id, choices, tiles in ((BELONGS, ("yes", "no"), near), (MISSED, ("no",), ())):
        if id in now.layout.doubts:
            answers = []
            for answer in choices:
                trial = replace(told, answers={**told.answers, id: answer})
                span = corrected(first, trial, ruleset, situation, house).range
                answers.append(Answer(answer, span))
            found.append(Question(id, question_text(id), tuple(answers), tiles))
    return tuple(found)


def _worth(reading: Reading) -> tuple[bool, bool, int]:
    """Of two ways to lay the tiles, the one that makes a hand, with fewer doubts."""
    return reading.certain, reading.range is not None, -len(reading.layout.doubts)


def _answered(laid: Layout, told: Corrections) -> Layout:
    """The layout with the answers that need no hand yet."""
    laid = _turned_up(laid, told)
    return _belonging(laid, told.answers["belongs"]) if "belongs" in told.answers else laid


def _check(first: Reading, told: Corrections) -> None:
    n = len(first.layout.detections)
    for i in (*told.faces, *told.removed):
        if not 0 <= i < n:
            raise CorrectionError("tiles", f"there is no tile {i}; the picture shows {n}")
    if len(told.added) > MOST_ADDED:
        raise CorrectionError("tiles", f"at most {MOST_ADDED} tiles can be added")
    for one in told.added:
        known = one.group in ("", *KINDS) or (
            isinstance(one.group, int) and 0 <= one.group < len(first.groups)
        )
        if not known:
            raise CorrectionError("tiles", f"there is no group {one.group!r}")
    named: set[int] = set()
    for kind, tiles in told.groups or ():
        if kind not in (*KINDS, OTHER):
            raise CorrectionError("groups", f"{kind!r}: kinds are {', '.join((*KINDS, OTHER))}")
        for i in tiles:
            if not 0 <= i < n + len(told.added) or i in named:
                raise CorrectionError("groups", f"tile {i} is not there, or named twice")
            named.add(i)
    if sum(len(tiles) for kind, tiles in told.groups or () if kind == WINNING_TILE) > 1:
        raise CorrectionError("groups", "a hand has one winning tile")
    for id in told.answers:
        if id not in QUESTIONS:
            raise CorrectionError("answers", f"no such question: {id}")


def _detections(first: Reading, told: Corrections) -> Detections:
    """What was seen, with what was told in the place of it, and the added tiles behind."""
    seen = first.layout.detections
    fresh = _known(seen, {i: int(face) for i, face in told.faces.items()})
    for one in told.added:
        fresh = _with_tile(fresh, first, one)
    # Who adds a tile, or says that there is none, has looked.
    looked = told.added or "missed" in told.answers
    return replace(fresh, maybe=fresh.maybe[:0]) if looked else fresh


def _known(seen: Detections, faces: Mapping[int, int]) -> Detections:
    """The detections with these faces as sure as can be."""
    if not faces:
        return seen
    alternatives, p, score = (
        seen.alternatives.copy(), seen.alternative_p.copy(), seen.scores.copy(),
    )  # fmt: skip
    for i, face in faces.items():
        others = [int(f) for f in seen.alternatives[i] if int(f) != face]
        others += [f for f in range(FACE_COUNT) if f != face and f not in others]
        alternatives[i] = [face, *others[: ALTERNATIVES - 1]]
        p[i] = [1.0] + [0.0] * (ALTERNATIVES - 1)
        score[i] = 1.0
    return replace(
        seen, faces=alternatives[:, 0], alternatives=alternatives, alternative_p=p, score=score
    )


def _with_tile(seen: Detections, first: Reading, one: Added) -> Detections:
    """One more tile, beside the last one of its group."""
    kind = one.group if isinstance(one.group, str) else ""
    group = next((g for g in first.groups if kind and g.kind == kind), None)
    if isinstance(one.group, int):
        group = first.groups[one.group]
    beside = group.tiles[-1] if group and group.tiles else len(seen) - 1
    if len(seen):
        quad = seen.quads[beside] + (seen.quads[beside][1] - seen.quads[beside][0]) * 1.05
        turn = int(seen.turn[beside])
    else:
        quad = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
        turn = 0
    alone = Detections.of_faces(quad[None], [int(one.face)], [turn])
    return Detections(
        quads=np.concatenate([seen.quads, alone.quads]),
        faces=np.concatenate([seen.faces, alone.faces]),
        alternatives=np.concatenate([seen.alternatives, alone.alternatives]),
        alternative_p=np.concatenate([seen.alternative_p, alone.alternative_p]),
        turn=np.concatenate([seen.turn, alone.turn]),
        score=np.concatenate([seen.scores, alone.scores]),
        maybe=seen.maybe,
    )


def _laid_again(
    first: Reading, seen: Detections, told: Corrections, sets: int, unseen: frozenset[int]
) -> Layout:
    """The layout found anew with what is known of the faces, as if `unseen` were not there; then
    what was removed is taken out and what was added put in.
    """
    n = len(first.layout.detections)
    out = {i for i, why in first.layout.others.items() if why == OUTSIDE} - set(told.faces)
    aside = out | unseen | set(range(n, len(seen)))
    mask: NDArray[np.bool_] = np.isin(np.arange(len(seen)), list(aside))
    found = layout(seen, sets, mask)
    others = {i: why for i, why in found.others.items() if i < n}
    gone = told.removed.__contains__
    exposed = (tuple(i for i in tiles if not gone(i)) for tiles in found.exposed)
    winning = found.winning
    found = replace(
        found,
        concealed=tuple(i for i in found.concealed if not gone(i)),
        exposed=tuple(tiles for tiles in exposed if tiles),
        bonus=tuple(i for i in found.bonus if not gone(i)),
        winning=None if winning is None or gone(winning) else winning,
        others=others | dict.fromkeys(told.removed, REMOVED),
        near=tuple(i for i in found.near if not gone(i)),
    )
    for k, one in enumerate(told.added):
        found = _put(found, n + k, one, first)
    return found


def _put(found: Layout, tile: int, one: Added, first: Reading) -> Layout:
    kind, mates = one.group, set()
    if isinstance(kind, int):
        group = first.groups[kind]
        kind, mates = group.kind, set(group.tiles)
    if is_bonus(int(one.face)):
        return replace(found, bonus=(*found.bonus, tile))
    if kind == WINNING_TILE:
        old = () if found.winning is None else (found.winning,)
        return replace(
            found, concealed=found.concealed + old, winning=tile, near=(),
            doubts=found.doubts - {WINNING},
        )  # fmt: skip
    for k, tiles in enumerate(found.exposed):
        if kind in SETS and mates & set(tiles):
            sets = (*found.exposed[:k], (*tiles, tile), *found.exposed[k + 1 :])
            return replace(found, exposed=sets)
    return replace(found, concealed=(*found.concealed, tile))


def _laid_as_told(first: Reading, seen: Detections, told: Corrections) -> Layout:
    """Where a person says that everything lies; nothing is doubtful then."""
    groups = told.groups or ()

    def of(*kinds: str) -> tuple[int, ...]:
        return tuple(i for kind, tiles in groups if kind in kinds for i in tiles)

    exposed = tuple(tiles for kind, tiles in groups if kind in SETS and tiles)
    hidden = [tiles for kind, tiles in groups if kind == CONCEALED_KONG]
    winning = of(WINNING_TILE)
    hand = {*of(CONCEALED), *of(*SETS), *of(BONUS), *winning} - told.removed
    others = {
        i: REMOVED if i in told.removed else first.layout.others.get(i, UNNAMED)
        for i in range(len(seen))
        if i not in hand
    }
    keep = hand.__contains__
    laid = Layout(
        detections=seen,
        concealed=tuple(filter(keep, of(CONCEALED))),
        exposed=tuple(tiles for tiles in (tuple(filter(keep, t)) for t in exposed) if tiles),
        bonus=tuple(filter(keep, of(BONUS))),
        winning=next(filter(keep, winning), None),
        rows=(tuple(sorted(hand)),),
        others=others,
        doubts=frozenset(),
        angle=first.layout.angle,
    )
    return _hidden(laid, hidden, told.faces)


def _hidden(laid: Layout, kongs: Iterable[tuple[int, ...]], told: Container[int] = ()) -> Layout:
    """The layout in which the middle of these kongs lies face down, as a concealed kong does; of
    four that are not alike those whose face was not ``told``."""
    backs: dict[int, int] = {}
    for tiles in kongs:
        faces = {int(laid.detections.faces[i]) for i in tiles}
        if len(tiles) == 4 and BACK not in faces:
            guessed = [i for i in tiles if i not in told]
            middle = len(faces) == 1 or len(guessed) == 4
            backs |= dict.fromkeys(tiles[1:3] if middle else guessed, BACK)
    return replace(laid, detections=_known(laid.detections, backs)) if backs else laid


def _turned_up(laid: Layout, told: Corrections) -> Layout:
    """The tiles that lie face down, as what they are said to be; a kong keeps its middle hidden."""
    if "face_down" not in told.answers:
        return laid
    face = int(_tile(told.answers["face_down"], "face_down"))
    faces: dict[int, int] = {}
    for tiles in (*((i,) for i in (*laid.concealed, laid.winning or 0)), *laid.exposed):
        backs = [i for i in tiles if int(laid.detections.faces[i]) == BACK]
        hide = tiles[1:3] if len(tiles) == 4 else ()
        faces |= {i: face for i in backs if i not in hide}
    return replace(laid, detections=_known(laid.detections, faces))


def _belonging(laid: Layout, answer: str) -> Layout:
    """Whether the bonus tiles that lie near are of this hand."""
    near = tuple(i for i in laid.others if is_bonus(int(laid.detections.faces[i])))
    laid = replace(laid, doubts=laid.doubts - {BELONGS})
    if answer != "yes":
        return laid
    others = {i: why for i, why in laid.others.items() if i not in near or why == REMOVED}
    return replace(
        laid, bonus=laid.bonus + tuple(i for i in near if i not in others), others=others
    )


def _named_hand(reading: Reading, answer: str, sets: int) -> Layout:
    """The reading among the likely ones that is right: its tiles are sure."""
    laid, seen = reading.layout, reading.layout.detections
    about = next((q.about for q in reading.questions if q.id == "tile"), ())
    for choice in product(*({*map(int, seen.alternatives[i])} for i in about)):
        faces = dict(reading.faces) | dict(zip(about, choice, strict=True))
        if str(hand_of(laid, faces)) == answer:
            known = {i: faces[i] for i in about}
            return replace(laid, detections=_known(seen, known))
    raise CorrectionError("answers", f"tile: {answer!r} is not among the readings")


def _with_claims(reading: Reading, answer: str, sets: int) -> Layout:
    assert reading.hand is not None
    return _as_hand(reading, _variant(claim_variants(reading.hand), "claimed", answer), CLAIMED)


def _with_kongs(reading: Reading, answer: str, sets: int) -> Layout:
    assert reading.hand is not None
    return _as_hand(reading, _variant(kong_variants(reading.hand), "kong", answer), KONG)


def _variant(variants: list[tuple[str, Hand]], id: str, answer: str) -> Hand:
    for name, hand in variants:
        if name == answer:
            return hand
    names = ", ".join(name for name, _ in variants)
    raise CorrectionError("answers", f"{id}: {answer!r} is none of {names}")


def _as_hand(reading: Reading, hand: Hand, doubt: str) -> Layout:
    """The tiles laid as `hand` has them, and the doubt gone."""
    laid = reading.layout
    free = [*laid.concealed, *(i for tiles in laid.exposed for i in tiles)]
    exposed: list[tuple[int, ...]] = []
    hidden: list[tuple[int, ...]] = []
    for meld in hand.melds:
        wanted = Counter(int(tile) for tile in meld.tiles)
        tiles = next(
            (t for t in laid.exposed if Counter(reading.faces[i] for i in t) == wanted
             and set(t) <= set(free)),
            None,
        )  # fmt: skip
        if tiles is None:
            left = list(free)
            found = []
            for face in map(int, meld.tiles):
                found.append(next(i for i in left if reading.faces[i] == face))
                left.remove(found[-1])
            tiles = tuple(found)
        free = [i for i in free if i not in tiles]
        exposed.append(tiles)
        if meld.kind == CONCEALED_KONG:
            hidden.append(tiles)
    fresh = replace(
        laid, concealed=tuple(free), exposed=tuple(exposed), doubts=laid.doubts - {doubt}
    )
    return _hidden(fresh, hidden)


def _won_with(reading: Reading, answer: str, sets: int) -> Layout:
    """The winning tile named: one of the concealed tiles, or one that the picture does not show."""
    assert reading.hand is not None
    laid = reading.layout
    face = int(_tile(answer, "winning"))
    settled = {"near": (), "doubts": laid.doubts - {WINNING}}
    if laid.winning is not None and reading.faces.get(laid.winning) == face:
        return replace(laid, **settled)  # type: ignore[arg-type]
    if len(reading.hand.tiles) == 3 * sets + 1 + reading.hand.kongs:
        one = Added(Tile(face), WINNING_TILE)
        seen = _with_tile(laid.detections, reading, one)
        return _put(replace(laid, detections=seen), len(seen) - 1, one, reading)
    concealed = laid.concealed + (() if laid.winning is None else (laid.winning,))
    places = [i for i in concealed if reading.faces.get(i) == face]
    if not places:
        raise CorrectionError("answers", f"winning: there is no {answer} among the hand's tiles")
    left = tuple(i for i in concealed if i != places[-1])
    return replace(laid, concealed=left, winning=places[-1], **settled)  # type: ignore[arg-type]


def _tile(code: str, id: str) -> Tile:
    try:
        return Tile.parse(code)
    except ValueError as error:
        raise CorrectionError("answers", f"{id}: {error}") from None
