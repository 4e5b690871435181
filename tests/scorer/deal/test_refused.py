"""Lists of events that cannot have happened are refused, with the event's number and reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorer import Hand, HouseRules, Tile, Wind
from scorer.deal import Deal, Kong, Settlement, WallEnd, Win, Winner, settle
from scorer.deal.events import Event
from scorer.names import LANGUAGES

E, S, W, N = Wind
MISSING = {E: "m", S: "m", W: "p", N: "s"}
EAST_WINS = Win((Winner(E, Hand.parse("123789p1234477s@7s")),), N)
SOUTH_WINS = Win((Winner(S, Hand.parse("445566p2345558s@8s")),), W)
WEST_WINS = Win((Winner(W, Hand.parse("111222333m456s9s@9s")),), N)


def refused(*events: Event) -> Settlement:
    result = settle(Deal(MISSING, events))
    assert result.problems
    assert not result.entries
    return result


def win(
    seat: Wind, hand: str, giver: Wind | None = None, *events: str, robbed: bool = False
) -> Win:
    return Win((Winner(seat, Hand.parse(hand), frozenset(events)),), giver, robbed)


def wall(**hands: str) -> WallEnd:
    return WallEnd({Wind.parse(seat): Hand.parse(hand) for seat, hand in hands.items()})


def kong(seat: Wind, code: str, kind: str = "concealed-kong", giver: Wind | None = None) -> Kong:
    return Kong(seat, Tile.parse(code), kind, giver)


WALL = wall(S="445566p2345558s", W="12345678m24579s", N="123456789m1133p")
AGAIN = win(E, "123789p1234477s@7s")
FIVE = "copies"

CASES: list[tuple[str, list[Event], int, str]] = [
    ("a player who has won draws again", [EAST_WINS, AGAIN], 2, "out"),
    ("a player who has won makes a kong", [EAST_WINS, kong(E, "5p")], 2, "out"),
    ("a player who has won throws", [EAST_WINS, win(S, "445566p2345558s@8s", E)], 2, "out"),
    ("a player who has won gives to a kong",
     [EAST_WINS, kong(S, "5p", "claimed-kong", E)], 2, "out"),
    ("a fifth tile in one hand", [win(E, "11123p11p123789s@1p")], 1, FIVE),
    ("a fifth tile in two hands",
     [win(E, "777789p1234569s@9s", N), win(S, "678p1112225888s@5s", N)], 2, FIVE),
    ("a kong of a tile that lies elsewhere", [EAST_WINS, kong(S, "7s")], 2, FIVE),
    ("the same kong twice", [kong(E, "5p"), kong(E, "5p", "added-kong")], 2, FIVE),
    ("a hand that holds a tile of another's kong",
     [kong(S, "7s"), win(E, "123789p1234477s@7s", N)], 2, FIVE),
    ("a kong of one's own missing suit", [kong(E, "5m")], 1, "own-missing-suit"),
    ("a claim of one's own missing suit",
     [kong(E, "5m", "claimed-kong", S)], 1, "own-missing-suit"),
    ("a robbed kong of the owner's missing suit",
     [win(E, "123789p1234456s@7s", N, robbed=True)], 1, "own-missing-suit"),
    ("a win with the missing suit", [win(E, "123m1234567999s@7s", N)], 1, "no-missing-suit"),
    ("a set of the missing suit at the end",
     [wall(E="123789p4477s[111m]", S="445566p2345558s", W="12345678m24579s",
           N="123456789m1133p")], 1, "own-missing-suit"),
    ("a hand that is not complete", [win(E, "123789p1234457s@9s", N)], 1, "not-complete"),
    ("one's own discard", [win(E, "123789p1234477s@7s", E)], 1, "own-discard"),
    ("a kong of one's own discard", [kong(E, "5p", "claimed-kong", E)], 1, "own-discard"),
    ("a fourth win", [EAST_WINS, SOUTH_WINS, WEST_WINS, win(N, "11223344556677m")], 4, "over"),
    ("something after the end of the wall", [EAST_WINS, WALL, kong(S, "5p")], 3, "over"),
    ("a kong after the last tile",
     [win(E, "123789p1234477s@7s", N, "last-tile"), kong(S, "9s")], 2, "wall-empty"),
    ("a win after the last tile",
     [win(E, "123789p1234477s@7s", N, "last-tile"), SOUTH_WINS], 2, "wall-empty"),
    ("a fifth kong",
     [*(kong(E, f"{n}p") for n in (1, 2, 3, 4)), kong(E, "5p")], 5, "fifth-kong"),
    ("two winners of two tiles",
     [Win((Winner(E, Hand.parse("123789p1234477s@7s")),
           Winner(S, Hand.parse("445566p2345558s@8s"))), N)], 1, "different-tiles"),
    ("one winner named twice",
     [Win((Winner(E, Hand.parse("123789p1234477s@7s")),) * 2, N)], 1, "twice"),
    ("a kong draw without a kong", [win(E, "123789p1234477s@7s", None, "kong-draw")], 1,
     "no-kong-before"),
    ("a kong draw after another's kong",
     [kong(S, "5p"), win(E, "123789p1234477s@7s", None, "kong-draw")], 2, "no-kong-before"),
    ("kong upon kong after one kong",
     [kong(E, "5p"), win(E, "12378p1277s(5555p)@3s", None, "double-kong")], 2, "no-kong-before"),
    ("a shot after no kong", [win(E, "123789p1234477s@7s", N, "kong-discard")], 1,
     "no-kong-before"),
    ("a heavenly hand after a kong",
     [kong(S, "5p"), win(E, "123789p1234477s@7s", None, "heavenly-hand")], 2, "not-first"),
    ("an earthly hand not of the dealer", [win(W, "111222333m456s9s@9s", N, "earthly-hand")], 1,
     "not-of-dealer"),
    ("robbing a kong of nobody", [win(E, "123789p1234477s@7s", N, "robbing-kong")], 1,
     "not-robbed"),
    ("an event there is not", [win(E, "123789p1234477s@7s", N, "flower-win")], 1,
     "unknown-event"),
    ("a kong in the hand that was not told of",
     [win(E, "12378p1277s(5555p)3s@9p", N)], 1, "kong-not-told"),
    ("a kong told of that is not in the hand", [kong(E, "5p"), EAST_WINS], 2, "kong-not-shown"),
    ("a concealed kong shown as a claimed one",
     [kong(E, "5p"), win(E, "12378p12377s[5555p]@9p", N)], 2, "kong-not-told"),
    ("a kong of a pung whose kong was robbed",
     [win(E, "123789p1234456s@7s", W, robbed=True), kong(W, "7s", "added-kong")], 2,
     "robbed-before"),
    ("a robbed pung that is not in the hand at the end",
     [win(E, "123789p1234456s@7s", W, robbed=True),
      wall(S="445566p2345558s", W="12345678m25688s", N="123456789m1133p")], 2, "robbed-pung"),
    ("a robbed tile the winner holds more of",
     [win(E, "123789p1234477s@7s", W, robbed=True)], 1, "robbed-copies"),
    ("a hand at the end of who has won",
     [EAST_WINS, wall(E="123789p1234477s", S="445566p2345558s", W="12345678m24579s",
                      N="123456789m1133p")], 2, "hand-of-winner"),
    ("a hand at the end that is missing",
     [EAST_WINS, wall(S="445566p2345558s", W="12345678m24579s")], 2, "hand-not-given"),
    ("14 tiles at the end",
     [EAST_WINS, wall(S="445566p23455588s", W="12345678m24579s", N="123456789m1133p")], 2,
     "held-too-many"),
    ("12 tiles at the end",
     [EAST_WINS, wall(S="445566p234558s", W="12345678m24579s", N="123456789m1133p")], 2,
     "held-too-few"),
    ("a winning tile at the end",
     [EAST_WINS, wall(S="445566p234555s@8s", W="12345678m24579s", N="123456789m1133p")], 2,
     "winning-tile-held"),
    ("a chow on the table at the end",
     [EAST_WINS, wall(S="445566p5558s[234s]", W="12345678m24579s", N="123456789m1133p")], 2,
     "claimed-chow"),
    ("an honour at the end",
     [EAST_WINS, wall(S="445566p234555s1z", W="12345678m24579s", N="123456789m1133p")], 2,
     "foreign-tile"),
    ("a tile face down at the end",
     [EAST_WINS, wall(S="445566p234555s0b", W="12345678m24579s", N="123456789m1133p")], 2,
     "face-down"),
    ("a bonus tile at the end",
     [EAST_WINS, wall(S="445566p2345558s1f", W="12345678m24579s", N="123456789m1133p")], 2,
     "no-bonus-tiles"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("events", "number", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_an_impossible_event_is_refused(events: list[Event], number: int, reason: str) -> None:
    result = refused(*events)
    assert {problem.event for problem in result.problems} == {number}
    assert reason in [problem.problem.id for problem in result.problems]
    for problem in result.problems:
        for language in LANGUAGES:
            assert str(number) in problem.text(language)
            assert "{" not in problem.text(language)


def test_every_reason_of_the_event_is_named() -> None:
    result = refused(EAST_WINS, kong(E, "5m"))
    assert [problem.problem.id for problem in result.problems] == ["out", "own-missing-suit"]
    assert result.problems[0].text() == (
        "Event 2, East: This player has won already and neither draws, throws nor claims."
    )


def test_the_missing_suits_must_be_told_where_a_club_plays_with_them() -> None:
    assert [p.problem.id for p in settle(Deal({})).problems] == ["missing-not-told"]
    free = HouseRules.of("sichuan", {"missing_suit": False})
    assert not settle(Deal({}, (kong(E, "5m"),)), free).problems


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Kong(E, Tile.P5, "claimed-kong"), "must say who gave"),
        (lambda: Kong(E, Tile.P5, "added-kong", S), "cannot say who gave"),
        (lambda: Kong(E, Tile.P5, "kong"), "no kind of kong"),
        (lambda: Win(()), "needs a winner"),
        (lambda: Win((Winner(E, Hand(())),), robbed=True), "must say who gave"),
        (lambda: Win((Winner(E, Hand(())), Winner(S, Hand(())))), "must say who gave"),
        (lambda: Deal({E: "m"}), "for each player"),
        (lambda: Deal({E: "m", S: "m", W: "m", N: "z"}), "missing suit of N"),
    ],
)
def test_an_event_that_says_too_little_or_too_much_is_no_event(
    make: Callable[[], object], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        make()
