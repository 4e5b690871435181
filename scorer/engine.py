"""`score`: every arrangement, every place of the winning tile, the best of them."""

from __future__ import annotations

from .arrange import NONE, WAIT_NAMES, arrangements, key_of, places
from .hand import Hand
from .houserules import HouseRules
from .legality import hand_problems, incomplete, situation_problems
from .result import Arrangement, Earned, LeftOut, Problem, Result
from .situation import Situation
from .suits import UNIT, Split
from .table import Evaluation, Table, table_of
from .tiles import Tile
from .view import View
from .waits import faces_of, held_four_times, set_waits

Way = tuple[Evaluation, str, Split, int]
"""(evaluation, shape, split, wait)."""


def score(
    hand: Hand,
    situation: Situation,
    ruleset: str = "taiwan",
    house: HouseRules | None = None,
) -> Result:
    """Score a hand under a rule set or preset, with a club's house rules where given.

    Never raises for a hand or situation: what is wrong stands in `Result.problems`, every reason
    of it; where a fact that changes the total is unknown, the result is not certain and holds the
    range and the questions. Raises ValueError for an unknown rule set or foreign house rules.
    """
    return score_with(hand, situation, table_of(ruleset, house))


def score_with(hand: Hand, situation: Situation, table: Table) -> Result:
    """`score` with a compiled table."""
    if situation.events:
        situation = table.rules.prepare(hand, situation, table.house)
    from .unknowns import open_facts, score_open

    facts = open_facts(hand, situation, table)
    if facts:
        return score_open(hand, situation, table, facts)
    return score_known(hand, situation, table)


def score_known(hand: Hand, situation: Situation, table: Table, explain: bool = True) -> Result:
    """Score a hand of which everything that matters is known; `explain` names repairs too."""
    rules = table.rules
    key = key_of(hand.concealed)
    if hand.winning is not None:
        key += UNIT[hand.winning]
    view = View(hand, situation, table.house, key)
    bare = rules.bare(hand, situation, table.house) if situation.events else ""
    problems = hand_problems(view, table, loose=bool(bare))
    if situation.events or situation.also_won or situation.fed or situation.from_seat is not None:
        problems += situation_problems(hand, situation, table)
    if situation.events or rules.check_always:
        problems += rules.check(hand, situation, table.house)
    fits = view.size == 3 * rules.sets + 2 + view.kongs + view.concealed_kongs
    ways: list[Way] = []
    if fits and bare != "only":
        ways = list(_ways(view, table))
    if bare and not ways:
        view.arrange("none", ((), (), -1), NONE)
        ways = [(table.evaluate(view), "none", ((), (), -1), NONE)]
    if not ways and fits:
        problems.append(incomplete(view, table, explain))
    if problems:
        return _refused(table, problems)
    if rules.answer is not None:
        return rules.answer(view, table)
    return _answer(view, table, ways)


def _ways(view: View, table: Table) -> list[Way]:
    rules = table.rules
    key = view.concealed_key
    winning = view.winning
    melds = len(view.melds)
    candidates: list[tuple[str, Split, list[int]]] = []
    for split in arrangements(key):
        candidates.append(("sets", split, places(split, winning) if winning >= 0 else [NONE]))
    for shape in table.shapes:
        for split in shape.find(key, melds):
            spots = shape.places(split, winning) if shape.places and winning >= 0 else []
            candidates.append((shape.id, split, spots or [NONE]))
    if not candidates:
        return []
    if winning >= 0:
        view.waits = waits_before(view.key - UNIT[winning], key - UNIT[winning], melds, table)
        view.sole = view.waits & (view.waits - 1) == 0
    evaluate = rules.evaluate
    ways: list[Way] = []
    for shape_id, split, spots in candidates:
        for wait in spots:
            view.arrange(shape_id, split, wait)
            if evaluate is None:
                ways.append((table.evaluate(view), shape_id, split, wait))
            else:
                ways += [(e, shape_id, split, wait) for e in evaluate(view, table)]
    return ways


def waits_before(whole: int, concealed: int, melds: int, table: Table) -> int:
    """The faces that complete a hand, as a bit mask of tile ids.

    `whole` is the key of all its tiles, `concealed` that of the concealed ones, both without the
    winning tile. By the real wait rule a face held four times is no wait.
    """
    mask = set_waits(concealed)
    for shape in table.shapes:
        mask |= shape.waits(concealed, melds)
    return mask & ~held_four_times(whole) if table.real_waits else mask


def waits_of(
    hand: Hand, ruleset: str = "taiwan", house: HouseRules | None = None
) -> tuple[Tile, ...]:
    """The faces that would complete a hand that is one tile short; its winning tile is ignored.

    Four of a face in the hand make it no wait where the house rule `wait_rule` is real. Raises
    ValueError for an unknown rule set or foreign house rules.
    """
    table = table_of(ruleset, house)
    concealed = key_of(hand.concealed)
    whole = concealed + key_of(tile for meld in hand.melds for tile in meld.tiles)
    kongs = sum(meld.is_kong for meld in hand.melds)
    size = len(hand.concealed) + sum(len(meld.tiles) for meld in hand.melds) - kongs
    if size != 3 * table.rules.sets + 1:
        return ()
    mask = waits_before(whole, concealed, len(hand.melds), table)
    return tuple(Tile(face) for face in faces_of(mask))


def _refused(table: Table, problems: list[Problem]) -> Result:
    return Result(
        table.name,
        table.rules.version,
        problems=tuple(problems),
        minimum=table.minimum,
        unit=table.rules.unit,
    )


def _answer(view: View, table: Table, ways: list[Way]) -> Result:
    best = ways[0]
    for way in ways[1:]:
        if table.better(way[0], best[0]):
            best = way
    evaluation, shape, split, wait = best
    view.arrange(shape, split, wait)
    view.choice = evaluation.choice
    rules = table.rules
    total = table.cut(evaluation.total)
    problems = rules.after(view, evaluation, table) if table.minimum else []
    paid = rules.pay(total, view, evaluation, table)
    items, values = table.items, table.values
    return Result(
        table.name,
        rules.version,
        total,
        True,
        None,
        paid.dealer_line,
        tuple(
            [
                Earned(
                    items[i].id,
                    values[i] * count if items[i].once else values[i],
                    1 if items[i].once else count,
                    items[i].lit(view),
                    items[i].source,
                )
                for i, count in evaluation.counted
            ]
        ),
        tuple(
            [
                LeftOut(items[i].id, values[i], count, items[by].id if by >= 0 else "", reason)
                for i, count, by, reason in evaluation.left
            ]
        ),
        tuple(problems),
        None if problems else paid.payments,
        () if problems else paid.transfers,
        () if problems or paid.payments is not None else _who_pays(view),
        table.minimum,
        evaluation.total,
        rules.unit,
        _arrangement(view, table, best),
        tuple([_arrangement(view, table, way) for way in ways if way is not best])
        if len(ways) > 1
        else (),
    )


def _who_pays(view: View) -> tuple[str, ...]:
    """The unknown facts on which the payments hang."""
    facts = view.situation
    missing = [name for name in ("dealer", "streak") if getattr(facts, name) is None]
    if not view.self_drawn and facts.from_seat is None:
        missing.insert(0, "from_seat")
    return tuple(missing)


def _arrangement(view: View, table: Table, way: Way) -> Arrangement:
    evaluation, shape, split, wait = way
    total = table.cut(evaluation.total)
    return Arrangement(shape, *split, view.melds, WAIT_NAMES[wait], total)
