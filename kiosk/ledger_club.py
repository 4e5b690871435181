"""What `hupai ledger` says of all tables together: those of now, and the standings of a season."""

from __future__ import annotations

import argparse
import json

from kiosk.receipt import columns
from kiosk.words import say
from scorer import Wind
from scorer.names import wind_name
from table import Club, Season, Store
from table.club import standings_csv


def tables(store: Store, arguments: argparse.Namespace) -> str:
    """A line for each table, then what everybody has at all of them."""
    club = Club(store)
    club.refresh()
    if arguments.json:
        return json.dumps(club.to_json(), ensure_ascii=False, indent=2)
    rows: list[tuple[str, ...]] = []
    for now in club.tables:
        if now.state is None:
            rows.append((now.table, now.trouble))
            continue
        seats = (
            f"{wind_name(wind, arguments.lang)} {player} {now.state.totals[player]:+d}"
            for wind in Wind
            for player in [now.state.player_at(wind)]
        )
        round = wind_name(now.state.round, arguments.lang)
        rows.append((now.table, round, str(now.state.deals), *seats))
    rows += [(player, f"{points:+d}") for player, points in club.totals().items()]
    return "\n".join(columns(rows))


def season(store: Store, arguments: argparse.Namespace) -> str:
    """The standings, as text, JSON or CSV."""
    rows = Season(store).standings(
        arguments.since or "", arguments.until or "", arguments.rules or ""
    )
    if arguments.json:
        return json.dumps([row.to_json() for row in rows], ensure_ascii=False, indent=2)
    if arguments.csv:
        return standings_csv(rows).rstrip("\n")
    lines = [
        (
            f"{row.place}.",
            row.stats.player,
            f"{row.stats.points:+d}",
            say("ledger_season_nights", arguments.lang, n=row.nights),
            say("ledger_season_won", arguments.lang, n=row.stats.won, of=row.stats.hands),
        )
        for row in rows
    ]
    return "\n".join(columns(lines))
