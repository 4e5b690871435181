"""From a layout to the likeliest legal hand, and all that is not sure about it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.arrange import key_of
from scorer.hand import CONCEALED_KONG, Hand, Meld
from scorer.houserules import HouseRules
from scorer.registry import find_ruleset, preset_house
from scorer.result import Result
from scorer.ruleset import Ruleset
from scorer.situation import Situation
from scorer.tiles import Tile, tiles_text
from vision.certainty import tile_p, unsure_tiles
from vision.detections import BACK
from vision.faces import costs_of, is_bonus, is_set
from vision.layout import BELONGS, CLAIMED, KONG, MISSED, WINNING, Layout
from vision.questions import Asked, ask, problems_of
from vision.reading import BONUS, CONCEALED, OTHER, Group, Reading, Unsure
from vision.reading import WINNING as WINNING_TILE
from vision.solve import Completion, Solution, is_complete, solve
from vision.thresholds import (
    DOUBTFUL_NATS,
    DOUBTFUL_P,
    MIN_ALTERNATIVE_P,
    MIN_HAND_P,
    RIVAL_NATS,
)

Faces = Mapping[int, int]
GUESSED = "lies apart, and is taken for the winning tile because it completes the hand"
STRAY = "does not complete the hand: a discard"


def decode(
    layout: Layout,
    ruleset: str = "taiwan",
    situation: Situation | None = None,
    house: HouseRules | None = None,
) -> Reading:
    """The likeliest legal hand among the tiles' alternatives, scored.

    Raises UnknownRuleset. Every first choice that is overruled is listed in `unsure`.
    """
    situation = situation or Situation()
    rules = find_ruleset(ruleset)
    in_force = house or preset_house(ruleset)
    layout, solution = _solve(layout, rules, in_force)
    best = solution.completions[0] if solution.completions else None
    faces = best.faces if best else _first_faces(layout)
    faces = _kongs_turned_up(layout, faces)
    hand = hand_of(layout, faces)
    if best is not None and not best.waits and CLAIMED not in layout.doubts:
        hand = _ended_on_the_pair(hand, rules)
    near = [c for c in solution.completions[1:] if best and c.cost <= best.cost + RIVAL_NATS]
    rivals = [_kongs_turned_up(layout, c.faces) for c in near]
    other_hands = tuple(
        (hand_of(layout, other), tuple(i for i in other if other[i] != faces[i]))
        for other in rivals
    )
    other_hands = tuple(pair for pair in other_hands if str(pair[0]) != str(hand))
    waits = tuple(Tile(face) for face in best.waits) if best else ()
    if not faces:
        return _nothing(layout, rules, ruleset, situation, house)
    if best is None:
        asked = problems_of(hand, situation, ruleset, house)
    else:
        asked = ask(
            hand,
            situation,
            ruleset,
            house,
            claimed=CLAIMED in layout.doubts,
            kongs=KONG in layout.doubts,
            waits=waits,
            rivals=() if waits else other_hands,
        )
    p = _tile_p(layout, faces, best, rules, in_force)
    unsure = unsure_tiles(layout.detections, faces, p, rivals)
    if layout.winning is not None and layout.winning in layout.near:
        last = Tile(faces[layout.winning])
        unsure += (Unsure(layout.winning, last, GUESSED, (last,)),)
    certain = (
        best is not None
        and solution.exhausted
        and asked.result.certain
        and all(problem.id == "below-minimum" for problem in asked.result.problems)
        and not asked.questions
        and not unsure
        and len(solution.completions) == 1
        and not layout.doubts & {BELONGS, MISSED}
        and math.prod(p.values()) >= MIN_HAND_P
    )
    return Reading(
        hand=hand,
        layout=layout,
        faces=faces,
        result=asked.result if certain else _withheld(asked),
        certain=certain,
        groups=groups_of(layout, faces),
        unsure=unsure,
        questions=asked.questions,
        others=tuple(str(other) for other, _ in other_hands),
        notes=_notes(layout, hand, best, rules, solution),
    )


def hand_of(layout: Layout, faces: Faces) -> Hand:
    """The hand with these faces: exposed tiles that make no set stand with the concealed ones."""
    loose = [faces[i] for i in layout.concealed]
    melds = []
    for tiles in layout.exposed:
        shown = tuple(Tile(faces[i]) for i in tiles)
        hidden = _face_down(tiles, layout.detections.faces)
        if is_set(tuple(shown)):
            melds.append(Meld(CONCEALED_KONG, shown) if hidden else Meld.of(shown))
        else:
            loose += shown
    concealed = tuple(Tile(face) for face in loose if not is_bonus(face))
    bonus = [faces[i] for i in layout.bonus] + [face for face in loose if is_bonus(face)]
    winning = None
    if layout.winning is not None:
        face = faces[layout.winning]
        if is_bonus(face):
            bonus.append(face)
        elif WINNING in layout.doubts:
            concealed += (Tile(face),)
        else:
            winning = Tile(face)
    extra = tuple(Tile(face) for face in bonus if not is_bonus(face))
    shown_bonus = tuple(Tile(face) for face in bonus if is_bonus(face))
    return Hand(concealed + extra, tuple(melds), shown_bonus, winning)


def _face_down(tiles: Sequence[int], seen: NDArray[np.int64]) -> bool:
    """Whether the set is a kong with tiles face down; in one of three a back is a blank face."""
    return len(tiles) == 4 and any(int(seen[i]) == BACK for i in tiles)


def _ended_on_the_pair(hand: Hand, rules: Ruleset) -> Hand:
    """With every set laid down the winning tile can only be of the pair, wherever it lies."""
    if hand.winning is None and len(hand.melds) == rules.sets and len(set(hand.concealed)) == 1:
        return replace(hand, concealed=hand.concealed[1:], winning=hand.concealed[0])
    return hand


def groups_of(layout: Layout, faces: Faces) -> tuple[Group, ...]:
    """The tiles as a person would point them out."""
    seen = layout.detections.faces

    def text(tiles: Sequence[int]) -> str:
        return tiles_text([Tile(faces.get(i, int(seen[i]))) for i in tiles])

    groups = []
    if layout.concealed:
        groups.append(Group(CONCEALED, layout.concealed, text(layout.concealed)))
    for tiles in layout.exposed:
        shown = tuple(Tile(faces[i]) for i in tiles)
        hidden = _face_down(tiles, seen)
        kind = CONCEALED_KONG if hidden else Meld.of(shown).kind if is_set(shown) else CONCEALED
        groups.append(Group(kind, tiles, text(tiles)))
    if layout.winning is not None:
        groups.append(Group(WINNING_TILE, (layout.winning,), text((layout.winning,))))
    if layout.bonus:
        groups.append(Group(BONUS, layout.bonus, text(layout.bonus)))
    reasons: dict[str, list[int]] = {}
    for i, reason in sorted(layout.others.items()):
        reasons.setdefault(reason, []).append(i)
    groups += [Group(OTHER, tuple(t), text(t), reason) for reason, t in reasons.items()]
    return tuple(groups)


def _solve(layout: Layout, rules: Ruleset, house: HouseRules) -> tuple[Layout, Solution]:
    """Completions of the layout as it is, or else with its exposed sets taken into the hand."""
    sets = [tiles for tiles in layout.exposed if len(tiles) == 3]
    variants = [layout]
    lone = layout.winning if (layout.winning,) in layout.rows else None
    if lone is not None or layout.winning is None:
        # A tile lying apart is the winning one if it completes the hand.
        variants += [_with_winning(layout, tile) for tile in layout.near]
    if lone is not None:
        variants.append(_with_winning(layout, None))
    if sets:
        variants.append(
            replace(
                layout,
                concealed=layout.concealed + tuple(i for tiles in sets for i in tiles),
                exposed=tuple(tiles for tiles in layout.exposed if len(tiles) == 4),
                doubts=layout.doubts | {CLAIMED},
            )
        )
    p = layout.detections.alternative_p[:, 0]
    reach = {i: DOUBTFUL_NATS for i in range(len(p)) if p[i] < DOUBTFUL_P}
    solved: list[tuple[Layout, Solution]] = []
    for variant in variants:
        costs = {
            i: costs_of(layout.detections, i, MIN_ALTERNATIVE_P, unlisted=True)
            for i in (*variant.hand, *variant.bonus)
        }
        last = () if variant.winning is None else (variant.winning,)
        loose = variant.concealed + variant.bonus + last
        solution = solve(loose, variant.exposed, costs, rules, house, reach)
        if solution.completions and not solution.completions[0].waits:
            return variant, solution
        solved.append((variant, solution))
    return next((pair for pair in solved if pair[1].completions), solved[0])


def _with_winning(layout: Layout, tile: int | None) -> Layout:
    """The layout with another tile, or none, as the winning one; the old one is then a stray."""
    others = {i: reason for i, reason in layout.others.items() if i != tile}
    if layout.winning is not None:
        others[layout.winning] = STRAY
    return replace(layout, winning=tile, others=others)


def _first_faces(layout: Layout) -> dict[int, int]:
    seen = layout.detections.faces
    return {i: int(seen[i]) for i in (*layout.hand, *layout.bonus)}


def _kongs_turned_up(layout: Layout, faces: Faces) -> dict[int, int]:
    """Backs in a kong take the face of the tiles that are seen."""
    turned = dict(faces)
    for tiles in layout.exposed:
        shown = {faces[i] for i in tiles} - {BACK}
        if len(tiles) == 4 and len(shown) == 1:
            turned |= dict.fromkeys(tiles, shown.pop())
    return turned


def _tile_p(
    layout: Layout, faces: Faces, best: Completion | None, rules: Ruleset, house: HouseRules
) -> dict[int, float]:
    """How sure each tile is; alternatives that keep the hand complete weigh in full."""
    seen = layout.detections
    complete = best is not None and not best.waits
    grouped = {i: tiles for tiles in layout.exposed for i in tiles}
    loose = [i for i in (*layout.concealed, *layout.bonus) if i not in grouped]
    loose += [] if layout.winning is None else [layout.winning]
    key = key_of([faces[i] for i in loose if not is_bonus(faces[i])])
    p: dict[int, float] = {}
    for i, face in faces.items():
        possible = set()
        for other in seen.alternatives[i] if complete else ():
            if int(other) == face or int(other) == BACK:
                continue
            if i in grouped:
                changed = tuple(int(other) if k == i else faces[k] for k in grouped[i])
                fits = is_set(changed)
            elif is_bonus(face) or is_bonus(int(other)):
                fits = is_bonus(face) == is_bonus(int(other))
            else:
                swapped = key - key_of([face]) + key_of([int(other)])
                fits = is_complete(swapped, len(layout.exposed), rules, house)
            if fits:
                possible.add(int(other))
        p[i] = tile_p(seen, i, face, frozenset(possible), complete)
    return p


def _withheld(asked: Asked) -> Result:
    """The result without a total or items: what is not certain is never shown as a score."""
    return replace(
        asked.result,
        total=None,
        certain=False,
        range=asked.span,
        items=(),
        left_out=(),
        payments=None,
        transfers=(),
        dealer_line=0,
        arrangement=None,
        others=(),
        uncut=None,
    )


def _notes(
    layout: Layout, hand: Hand, best: Completion | None, rules: Ruleset, solution: Solution
) -> tuple[str, ...]:
    """What was seen and what is missing, in sentences."""
    notes = []
    need = 3 * rules.sets + 2 + hand.kongs
    have = len(hand.tiles)
    if best is not None and best.waits:
        faces = ", ".join(Tile(face).code for face in best.waits)
        notes.append(
            f"{have} tiles are in the picture; the hand waits for {faces}. "
            "Show the winning tile, or say which it was."
        )
    elif best is None and have != need:
        missing = need - have
        what = f"{missing} missing" if missing > 0 else f"{-missing} too many"
        notes.append(f"{have} tiles of the hand were seen, a complete hand has {need}: {what}.")
    elif best is None:
        notes.append(f"{have} tiles were seen, but they make no complete hand.")
    if not solution.exhausted:
        notes.append("Too many tiles are doubtful to compare every possible hand.")
    if BELONGS in layout.doubts:
        notes.append("A bonus tile lies near the hand, and may or may not belong to it.")
    if MISSED in layout.doubts:
        notes.append("Something beside the hand may be a tile, and is not counted.")
    return tuple(notes)


def _nothing(
    layout: Layout,
    rules: Ruleset,
    ruleset: str,
    situation: Situation,
    house: HouseRules | None,
) -> Reading:
    asked = ask(Hand(()), situation, ruleset, house)
    seen = len(layout.detections)
    note = "No tiles were found." if not seen else "No hand was found: every tile lies face down."
    return Reading(
        hand=None,
        layout=layout,
        faces={},
        result=_withheld(asked),
        certain=False,
        groups=groups_of(layout, {}),
        notes=(note,),
    )
