"""A deal as text: what is read, and what is refused with the event's number."""

from __future__ import annotations

import pytest

from scorer import Wind
from scorer.deal import DealFileError, deal_of, dealfile, read_deal, settle

E, S, W, N = Wind
DEAL = """
dealer = "E"
missing = { E = "m", S = "m", W = "p", N = "s" }

[[events]]
kong = "concealed"
by = "S"
tile = "5p"

[[events]]
win = "E"
from = "N"
hand = "123789p1234477s@7s"

[[events]]
wall_end = { S = "46p55566688s(5555p)", W = "12345678m24599s", N = "123456789m1133p" }
"""
EVENT = 'missing = {{ E = "m", S = "m", W = "p", N = "s" }}\n[[events]]\n{}'


def test_a_deal_in_toml() -> None:
    deal = read_deal(DEAL)
    assert deal.missing == {E: "m", S: "m", W: "p", N: "s"}
    assert len(deal.events) == 3
    result = settle(deal)
    assert not result.problems
    assert result.finished


def test_the_form_in_the_module_can_be_read() -> None:
    """Its hands are left out, so only the fields are judged."""
    text = (dealfile.__doc__ or "").partition("same fields.\n")[2]
    with pytest.raises(DealFileError, match="event 3"):
        read_deal(text)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ('kong = "big"\nby = "E"\ntile = "5p"', "no kind of kong"),
        ('kong = "added"\nby = "X"\ntile = "5p"', "not a wind"),
        ('kong = "added"\nby = "E"\ntile = "5x"', "no such tile"),
        ('kong = "added"\nby = "E"', "needs the field tile"),
        ('kong = "claimed"\nby = "E"\ntile = "5p"', "who gave the tile"),
        ('kong = "added"\nby = "E"\ntile = "5p"\nhand = "1m"', "no field hand"),
        ('win = "E"\nhand = "12x"', "1x"),
        ('win = 3\nhand = "1m"', "names a seat"),
        ('win = "E"\nrobbed = 1\nhand = "1m"', "true or false"),
        ('win = [{ by = "E" }]', "by and hand"),
        ('win = "E"\nhand = "1m"\nevents = "last-tile"', "must be a list"),
        ('wall_end = "1m"', "must be a table"),
        ('by = "E"', "one of the fields"),
    ],
)
def test_an_event_that_cannot_be_read_is_named(event: str, why: str) -> None:
    with pytest.raises(DealFileError, match=why) as error:
        read_deal(EVENT.format(event), "friday.toml")
    assert str(error.value).startswith("friday.toml, event 1: ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("events = [", "not TOML"),
        ("{", "not JSON"),
        ('round = "E"', "no field round"),
        ("events = 3", "must be a list"),
        ("missing = 3", "must be a table"),
        ('missing = { E = "m" }', "for each player"),
    ],
)
def test_a_deal_that_cannot_be_read_says_why(text: str, why: str) -> None:
    with pytest.raises(DealFileError, match=why):
        read_deal(text)


def test_a_deal_of_plain_data_needs_events_that_are_tables() -> None:
    with pytest.raises(DealFileError, match="event 1"):
        deal_of({"events": ["kong"]})
