"""`riichi` says what the package `mahjong` says, in our words."""

from __future__ import annotations

from random import Random

import pytest

from scorer import Hand, HouseRules, Result, Situation, Tile, Wind, score, score_range
from scorer.handtext import parse_tiles
from scorer.names import LANGUAGES, item_japanese, item_name, item_text
from scorer.rules.riichi_yaku import YAKU
from scorer.sampling import Sample, winning_hand
from tests.support import require, slow_count

E, S, W, N = Wind


@pytest.fixture(autouse=True)
def _package() -> None:
    require("mahjong")


def won(text: str, house: HouseRules | None = None, **facts: object) -> Result:
    """South wins on a discard of North in round East, no dora, no red five."""
    given = {"seat": S, "round": E, "self_drawn": False, "from_seat": N, "dora": (), "red_fives": 0}
    given |= facts
    if given["self_drawn"]:
        given["from_seat"] = None
    return score(Hand.parse(text), Situation(**given), "riichi", house)  # type: ignore[arg-type]


def numbered(tiles: list[Tile], reds: int) -> list[int]:
    """Tiles as the package counts them, written apart from the adapter: the red fives first."""
    dragons = {Tile.WHITE: 31, Tile.GREEN: 32, Tile.RED: 33}
    fives = sorted({t for t in tiles if t.rank == 5 and t.is_suited}, key=lambda t: -tiles.count(t))
    seen: dict[int, int] = {t: 0 if t in fives[:reds] else 1 for t in (Tile.M5, Tile.P5, Tile.S5)}
    numbers = []
    for tile in tiles:
        copy = seen.get(tile, 0)
        seen[tile] = copy + 1
        numbers.append(4 * dragons.get(tile, int(tile)) + copy)
    return numbers


def by_the_package(drawn: Sample) -> tuple[int, int] | None:
    """(han, points of all payments) straight from the package; None without a yaku."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld as Theirs

    hand, facts = drawn.hand, drawn.situation
    ordered = [*hand.concealed, *([] if hand.winning is None else [hand.winning])]
    ordered += [tile for meld in hand.melds for tile in meld.tiles]
    fives = sum(hand.tiles.count(five) == 4 for five in (Tile.M5, Tile.P5, Tile.S5))
    numbers = numbered(ordered, fives if facts.red_fives is None else facts.red_fives)
    at = len(hand.concealed) + 1
    melds = []
    for meld in hand.melds:
        mine = numbers[at : at + len(meld.tiles)]
        at += len(meld.tiles)
        kind = {"chow": Theirs.CHI, "pung": Theirs.PON}.get(meld.kind, Theirs.KAN)
        melds.append(Theirs(kind, mine, opened=meld.kind != "concealed-kong"))
    events = facts.events
    assert facts.seat is not None
    assert facts.round is not None
    config = HandConfig(
        is_tsumo=bool(facts.self_drawn),
        is_riichi="riichi" in events,
        is_daburu_riichi="double-riichi" in events,
        is_rinshan="kong-draw" in events,
        is_chankan="robbing-kong" in events,
        is_haitei="last-draw" in events,
        is_houtei="last-discard" in events,
        is_tenhou="heavenly-hand" in events,
        is_chiihou="earthly-hand" in events,
        is_renhou="human-hand" in events,
        player_wind=27 + int(facts.seat),
        round_wind=27 + int(facts.round),
        tsumi_number=facts.streak or 0,
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True),
    )
    indicators = [n - n % 4 for n in numbered(list(facts.dora or ()), 0)]
    won = numbers[len(hand.concealed)]
    found = HandCalculator.estimate_hand_value(numbers, won, melds, indicators, config)
    if found.error == "no_yaku":
        return None
    assert found.error is None
    assert found.han is not None
    assert found.cost is not None
    return found.han, found.cost["total"]


def test_totals_and_payments_are_those_of_the_package() -> None:
    """Over random hands with melds, kongs, events, dora and red fives."""
    rng = Random("riichi")
    scored = 0
    for _ in range(slow_count(300, 2000)):
        drawn = winning_hand(rng, "riichi")
        result = score(drawn.hand, drawn.situation, "riichi")
        expected = by_the_package(drawn)
        if expected is None:
            assert [problem.id for problem in result.problems] == ["below-minimum"]
            continue
        scored += 1
        assert result.certain
        assert result.payments is not None
        assert (result.total, result.payments[drawn.situation.seat or E]) == expected
        assert sum(result.payments.values()) == 0
        assert sum(item.total for item in result.items) == result.total
    assert scored > 100


# The points of the Japanese table: (hand, facts, han, fu, what South is paid by E, W, N).
TABLE: list[tuple[str, dict[str, object], int, int, tuple[int, int, int]]] = [
    ("234m456p2234567s@8s", {}, 2, 30, (0, 0, 2000)),
    ("234m456p2234567s@8s", {"self_drawn": True}, 3, 20, (1300, 700, 700)),
    ("234m456p2234567s@8s", {"streak": 2}, 2, 30, (0, 0, 2600)),
    ("1133m2277p44668s@8s", {}, 2, 25, (0, 0, 1600)),
    ("123456789m2p777z@2p", {}, 3, 40, (0, 0, 5200)),
    ("123m123p123s999s1z@1z", {"events": frozenset({"riichi"})}, 5, 50, (0, 0, 8000)),
    ("11122233344m55z@5z", {"self_drawn": True}, 13, 50, (16000, 8000, 8000)),
]


@pytest.mark.parametrize(("hand", "facts", "han", "fu", "paid"), TABLE)
def test_a_row_of_the_points_table(
    hand: str, facts: dict[str, object], han: int, fu: int, paid: tuple[int, int, int]
) -> None:
    result = won(hand, **facts)
    assert result.total == han
    assert dict(result.transfers[0].parts)["fu"] == fu
    assert result.payments is not None
    assert tuple(-result.payments[seat] for seat in (E, W, N)) == paid


def test_a_dealer_is_paid_half_as_much_again() -> None:
    result = won("234m456p2234567s@8s", seat=E)
    assert result.payments == {E: 2900, S: 0, W: 0, N: -2900}
    drawn = won("234m456p2234567s@8s", seat=E, self_drawn=True)
    assert drawn.payments == {E: 3900, S: -1300, W: -1300, N: -1300}


def test_riichi_sticks_go_to_the_winner_from_those_who_put_them_there() -> None:
    result = won("234m456p2234567s@8s", sticks=(E, S, E))
    assert result.payments == {E: -2000, S: 4000, W: 0, N: -2000}
    assert [t.reason for t in result.transfers] == ["discard", "riichi-stick", "riichi-stick"]


def test_no_yaku_is_no_win_whatever_the_dora() -> None:
    result = won("456p1789s[111m][999m]@1s", dora=tuple(parse_tiles("8m")))
    assert result.total == 0
    assert [problem.id for problem in result.problems] == ["below-minimum"]


def test_dora_and_red_fives_are_asked_for() -> None:
    """A hand with fives and no indicator named has a range, not a score."""
    result = won("234m456p2234567s@8s", dora=None, red_fives=None)
    assert not result.certain
    assert result.range == (2, 6)
    assert set(result.questions) == {"dora", "red_fives"}
    facts = Situation(seat=S, round=E, self_drawn=False, from_seat=N, dora=())
    span = score_range(Hand.parse("234m456p2234567s@8s"), facts, "riichi")
    assert span == (2, 4, ("red_fives",))


def test_a_yakuman_is_certain_without_the_dora() -> None:
    result = won("19m19p19s1234567z@1m", dora=None)
    assert result.certain
    assert result.total == 26


def test_four_fives_hold_the_red_one() -> None:
    """With all four of a face in the hand, one of them is red; each suit has one red five."""
    hand = "46m22333678s(5555p)@5m"
    assert [p.id for p in won(hand, red_fives=0).problems] == ["red-fives"]
    assert [p.id for p in won(hand, red_fives=3).problems] == ["red-fives"]
    assert won(hand, red_fives=1).ids() == ["all-simples", "red-five"]


@pytest.mark.parametrize(
    ("hand", "facts", "options", "han"),
    [
        ("23m456p22567s[678p]@4m", {}, {}, 1),
        ("23m456p22567s[678p]@4m", {}, {"open_tanyao": False}, 0),
        ("19m19p19s1234567z@1m", {}, {"double_yakuman": False}, 13),
        ("234m456p2234567s@8s", {"red_fives": None}, {"red_fives": False}, 2),
    ],
)
def test_a_house_rule_is_handed_on(
    hand: str, facts: dict[str, object], options: dict[str, object], han: int
) -> None:
    assert won(hand, HouseRules.of("riichi", options), **facts).total == han


@pytest.mark.parametrize(
    "facts",
    [
        {"events": frozenset({"ippatsu"})},
        {"events": frozenset({"riichi", "double-riichi"})},
        {"events": frozenset({"last-draw"})},
        {"self_drawn": True, "events": frozenset({"last-discard"})},
        {"self_drawn": True, "events": frozenset({"kong-draw"})},
        {"dealer": S},
        {"red_fives": 3},
    ],
)
def test_facts_that_cannot_be(facts: dict[str, object]) -> None:
    assert won("234m456p2234567s@8s", **facts).problems


def test_riichi_needs_a_concealed_hand() -> None:
    assert won("23m456p22567s[678p]@4m", events=frozenset({"riichi"})).problems
    assert not won("234m22567s(7777p)45p@6p", events=frozenset({"riichi"})).problems


def test_every_yaku_has_its_names() -> None:
    for id, _, _, _ in YAKU:
        assert item_japanese("riichi", id)
        assert all(item_name("riichi", id, language) for language in LANGUAGES)
        assert all(item_text("riichi", id, language) for language in LANGUAGES)


def test_every_yaku_of_the_package_has_a_row() -> None:
    """All that can be earned by the rules that are switched on."""
    from mahjong.hand_calculating.yaku_config import YakuConfig

    off = {"OpenRiichi", "DaburuOpenRiichi", "NagashiMangan", "Daisharin", "Daichisei",
           "Sashikomi", "Paarenchan"}  # fmt: skip
    theirs = {type(yaku).__name__ for yaku in vars(YakuConfig()).values()}
    assert {name for _, names, _, _ in YAKU for name in names} == theirs - off


def test_without_the_package_the_answer_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mahjong.hand_calculating.hand", None)
    result = won("234m456p2234567s@8s")
    assert [problem.id for problem in result.problems] == ["needs-package"]
    assert "hupai[riichi]" in result.problems[0].text()


def test_a_picture_of_a_hand_with_fives_asks_for_the_red_ones() -> None:
    """The question stands with what each answer is worth; indicators are written as tiles."""
    from vision.facts import outcomes

    facts = Situation(seat=S, round=E, self_drawn=False, from_seat=N)
    found = outcomes(Hand.parse("234m456p2234567s@8s"), facts, "riichi", None)
    assert [(a.value, a.range) for a in found.answers["red_fives"]] == [
        ("0", (2, 4)), ("1", (3, 5)), ("2", (4, 6)),
    ]  # fmt: skip
    assert [a.value for a in found.answers["dora"]] == ["4m", "1s"]
