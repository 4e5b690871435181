"""Keep a night at the table: hands, draws, penalties, totals, settlement.

The ledger is a file (or a PostgreSQL server, by URL) that only grows: an undo or an edit is a new
event, and shows every total that it changes before it is accepted. Players are named, or meant by
their seat letter.

examples:
  hupai ledger new --players An,Bo,Chi,Dee --rules taiwan --point 10 --currency TWD
  hupai ledger new --guided
  hupai ledger add win "66678m11333p555z[222z]@6m" --winner Chi --discard-from Bo
  hupai ledger add draw
  hupai ledger add penalty Dee --points 5
  hupai ledger show
  hupai ledger edit 2 win "66678m11333p555z[222z]@6m" --winner Chi --self-drawn
  hupai ledger undo
  hupai ledger settle
  hupai ledger verify
  hupai ledger stats --all
  hupai ledger export --format html --out friday.html
  hupai ledger tables --ledger postgresql://club@db/hupai
  hupai ledger season --since 2026-09 --csv

The ledger is --ledger, else HUPAI_LEDGER, else a file in your data folder. A --key that is
repeated with the same event books it once.

Exit code 0: done. 1: not possible, not accepted, or a difference was found. 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from kiosk import facts, ledger_club, ledger_text
from kiosk.ledger_arguments import add_kinds, event_of, names_of
from kiosk.output import write_out
from kiosk.trouble import GOOD, NOT_GOOD, Trouble, WrongUse
from kiosk.words import preferred_language, say
from table import (
    Ledger,
    LedgerError,
    Preview,
    StorageError,
    Store,
    backup,
    export,
    settle,
    stats_of,
)
from table.events import rules_body
from table.games import DRAW_DEALER
from table.ledger import now

HISTORY = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--ledger", metavar="FILE|URL", help="the ledger (HUPAI_LEDGER)")
    common.add_argument("--night", metavar="ID", help="which night (the newest)")
    common.add_argument("--table", metavar="ID", help="which table, where there are several")
    common.add_argument("--json", action="store_true", help="print JSON")
    facts.add_language_argument(common)
    key = argparse.ArgumentParser(add_help=False)
    key.add_argument("--key", help="record key: a repeated request is booked once")
    yes = argparse.ArgumentParser(add_help=False)
    yes.add_argument("--yes", action="store_true", help="accept without asking")

    def action(name: str, about: str, *more: argparse.ArgumentParser) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=about, parents=[common, *more])

    new = action("new", "begin a night", key)
    new.add_argument("--players", metavar="E,S,W,N", help="four names, East first")
    new.add_argument("--guided", action="store_true", help="seats, dealer and wall by dice")
    new.add_argument("--dealer", metavar="PLAYER", help="who deals first (East)")
    new.add_argument("--title")
    new.add_argument("--point", default="1", metavar="MONEY", help="what a point is worth (1)")
    new.add_argument("--currency", default="", metavar="XXX", help="such as TWD")
    new.add_argument("--start", type=int, default=0, metavar="N", help="points to begin with")
    new.add_argument("--bust-ends", action="store_true", help="no points left ends the night")
    new.add_argument("--draw-dealer", choices=DRAW_DEALER, help="the dealer after a draw")
    facts.add_rules_arguments(new)
    add_kinds(actions.add_parser("add", help="book an event"), [common, key])
    show = action("show", "standing and history")
    show.add_argument("--last", type=int, metavar="N", help=f"so many events ({HISTORY})")
    show.add_argument("--nights", action="store_true", help="list the nights instead")
    undo = action("undo", "take an event back", key, yes)
    undo.add_argument("of", nargs="?", type=int, metavar="NO", help="default: the last")
    edit = actions.add_parser("edit", help="put another event in an event's place")
    edit.add_argument("of", type=int, metavar="NO")
    add_kinds(edit, [common, key, yes])
    action("settle", "who pays whom, with the fewest transfers")
    action("verify", "check the log and score every hand again")
    statistics = action("stats", "hands won, dealt in, averages")
    statistics.add_argument("--all", action="store_true", help="over all nights")
    out = action("export", "write a night as a file")
    out.add_argument("--format", choices=("json", "csv", "html"), default="json")
    out.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    action("import", "read an exported night").add_argument("file", type=Path, metavar="FILE")
    action("tables", "every table as it is now")
    season = action("season", "standings over the nights of all tables")
    season.add_argument("--since", metavar="DATE", help="nights that began from then on: 2026-09")
    season.add_argument("--until", metavar="DATE", help="nights that began before")
    season.add_argument("--rules", metavar="ID", help="only nights by these rules")
    season.add_argument("--csv", action="store_true", help="print a table for a spreadsheet")
    action("restore", "put the newest good backup in a damaged file's place", yes)


def run(arguments: argparse.Namespace) -> int:
    arguments.lang = arguments.lang or preferred_language()
    try:
        return ACTIONS[arguments.action](arguments)
    except LedgerError as error:
        raise Trouble(f"{str(error).rstrip('.')}.") from None


def where(arguments: argparse.Namespace) -> str:
    """The ledger to use; its folder is made where it is the default one. Raises StorageError."""
    chosen = arguments.ledger or os.environ.get("HUPAI_LEDGER")
    if chosen:
        return str(chosen)
    from calibration.store import data_folder

    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be written: {error.strerror}") from None
    return str(folder / "ledger.sqlite")


def _open(arguments: argparse.Namespace, *, write: bool = True) -> Ledger:
    """The night that is meant, the newest unless another is named."""
    store = Store(where(arguments), write=write)
    if arguments.night:
        return Ledger(store, arguments.night)
    nights = store.nights(arguments.table)
    if not nights:
        raise Trouble(say("ledger_no_nights", arguments.lang))
    return Ledger(store, nights[-1].night)


def _new(arguments: argparse.Namespace) -> int:
    id, house = facts.house_of(arguments)
    body: dict[str, Any] = {"rules": rules_body(id, house)}
    if arguments.guided:
        from kiosk.calibrate.talk import Terminal
        from kiosk.seating_talk import seat_players

        talk = Terminal()
        bonus = bool(house.all().get("bonus_tiles", True))
        seating = seat_players(talk.say, talk.ask, Random(), arguments.lang, bonus_tiles=bonus)
        body |= {"players": seating.players, "dealer": seating.dealer}
    elif arguments.players:
        body["players"] = names_of(arguments.players)
    else:
        raise WrongUse("name the players with --players E,S,W,N, or take --guided.")
    if arguments.dealer:
        body["dealer"] = arguments.dealer
    if arguments.title:
        body["title"] = arguments.title
    if arguments.draw_dealer:
        body["draw_dealer"] = arguments.draw_dealer
    body["stakes"] = {
        "point": arguments.point,
        "currency": arguments.currency,
        "start": arguments.start,
        "bust_ends": arguments.bust_ends,
    }
    at = now()
    night = arguments.night or at.replace(":", "").removesuffix("Z")
    table = arguments.table or "main"
    store = Store(where(arguments))
    ledger = Ledger.start(store, night, body, table=table, key=arguments.key, at=at)
    return _answer(arguments, ledger, ledger.length)


def _add(arguments: argparse.Namespace) -> int:
    ledger = _open(arguments)
    kind, body = event_of(arguments, ledger.state)
    record = ledger.add(kind, body, key=arguments.key)
    return _answer(arguments, ledger, record.no)


def _undo(arguments: argparse.Namespace) -> int:
    ledger = _open(arguments)
    if (known := _booked_before(ledger, arguments.key)) is not None:
        return _answer(arguments, ledger, known)
    return _decide(arguments, ledger, ledger.propose_undo(arguments.of))


def _edit(arguments: argparse.Namespace) -> int:
    ledger = _open(arguments)
    if (known := _booked_before(ledger, arguments.key)) is not None:
        return _answer(arguments, ledger, known)
    kind, body = event_of(arguments, ledger.state_before(arguments.of))
    return _decide(arguments, ledger, ledger.propose_edit(arguments.of, kind, body))


def _booked_before(ledger: Ledger, key: str | None) -> int | None:
    return next((r.no for r in ledger.records if key and r.key == key), None)


def _decide(arguments: argparse.Namespace, ledger: Ledger, preview: Preview) -> int:
    """Show what would change, and book it when it is accepted."""
    shown = not (arguments.json and arguments.yes)
    if shown and arguments.json:
        _print(preview.to_json())
    elif shown:
        print(ledger_text.preview(preview, arguments.lang))
    if not arguments.yes and not _agreed(arguments):
        print(say("ledger_not_accepted", arguments.lang), file=sys.stderr)
        return NOT_GOOD
    record = ledger.accept(preview, key=arguments.key)
    return _answer(arguments, ledger, record.no)


def _agreed(arguments: argparse.Namespace) -> bool:
    if arguments.json or not sys.stdin.isatty():
        return False
    from kiosk.calibrate.talk import Terminal, agreed

    return agreed(Terminal(), say("ledger_accept", arguments.lang), False)


def _show(arguments: argparse.Namespace) -> int:
    if arguments.nights:
        nights = Store(where(arguments), write=False).nights(arguments.table)
        if arguments.json:
            _print([night.to_json() for night in nights])
        else:
            for night in nights:
                print(f"{night.night}  {night.table}  {night.created}  {night.events}")
        return GOOD
    ledger = _open(arguments, write=False)
    last = HISTORY if arguments.last is None else max(arguments.last, 0)
    if arguments.json:
        entries = [entry.to_json() for entry in ledger.state.history]
        _print({"night": ledger.night, "state": ledger.state.to_json(), "history": entries})
    else:
        parts = [ledger.state.title or ledger.night]
        parts.append(ledger_text.history(ledger.state, last, arguments.lang))
        parts.append(ledger_text.standing(ledger.state, arguments.lang))
        print("\n\n".join(part for part in parts if part))
    return GOOD


def _settle(arguments: argparse.Namespace) -> int:
    state = _open(arguments, write=False).state
    if arguments.json:
        payments = [
            {
                "payer": p.payer,
                "payee": p.payee,
                "points": p.points,
                "money": str(p.points * state.stakes.point),
                "currency": state.stakes.currency,
            }
            for p in settle(state.totals)
        ]
        _print({"totals": state.totals, "payments": payments})
    else:
        print(ledger_text.settlement(state, arguments.lang))
    return GOOD


def _verify(arguments: argparse.Namespace) -> int:
    ledger = _open(arguments, write=False)
    found = ledger.verify()
    if arguments.json:
        _print({"events": ledger.length, "differences": [d.to_json() for d in found]})
    else:
        print(ledger_text.verified(ledger, found, arguments.lang))
    return NOT_GOOD if any(d.pays_otherwise for d in found) else GOOD


def _stats(arguments: argparse.Namespace) -> int:
    ledger = _open(arguments, write=False)
    states = [ledger.state]
    if arguments.all:
        nights = ledger.store.nights(arguments.table)
        states = [Ledger(ledger.store, night.night).state for night in nights]
    rows = stats_of(states)
    if arguments.json:
        _print([row.to_json() for row in rows])
    else:
        ruleset = ledger.state.house.ruleset
        print(ledger_text.statistics(rows, ruleset, arguments.lang))
    return GOOD


def _export(arguments: argparse.Namespace) -> int:
    ledger = _open(arguments, write=False)
    if arguments.format == "json":
        text = json.dumps(export.to_json(ledger), ensure_ascii=False, indent=1) + "\n"
    else:
        text = {"csv": export.to_csv, "html": export.to_html}[arguments.format](ledger)
    if arguments.out is None:
        sys.stdout.write(text)
        return GOOD
    write_out(arguments.out, text.encode("utf-8"))
    return GOOD


def _import(arguments: argparse.Namespace) -> int:
    try:
        text = arguments.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"{arguments.file} cannot be read: {error}.") from None
    ledger = export.read_back(Store(where(arguments)), text, arguments.night)
    return _answer(arguments, ledger, ledger.length)


def _restore(arguments: argparse.Namespace) -> int:
    """Only where the file is damaged, or on --yes, since a copy may be older than the file."""
    place = where(arguments)
    if "://" in place:
        raise WrongUse("restore is for files; a server has its own backups (pg_dump).")
    path = Path(place).expanduser()
    if backup.is_whole(path) and not arguments.yes:
        raise Trouble(f"{path} is not damaged; --yes takes the backup nevertheless.")
    copy, kept = backup.restore(path)
    print(f"{copy} → {path}" + (f" ({kept})" if kept else ""))
    return GOOD


def _tables(arguments: argparse.Namespace) -> int:
    print(ledger_club.tables(Store(where(arguments), write=False), arguments))
    return GOOD


def _season(arguments: argparse.Namespace) -> int:
    print(ledger_club.season(Store(where(arguments), write=False), arguments))
    return GOOD


def _answer(arguments: argparse.Namespace, ledger: Ledger, no: int) -> int:
    """What every booking answers: the event's number and the standing after it."""
    if arguments.json:
        _print({"night": ledger.night, "no": no, "state": ledger.state.to_json()})
    else:
        print(say("ledger_booked", arguments.lang, no=no, night=ledger.night))
        print(ledger_text.standing(ledger.state, arguments.lang))
    return GOOD


def _print(data: object) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "new": _new,
    "add": _add,
    "show": _show,
    "undo": _undo,
    "edit": _edit,
    "settle": _settle,
    "verify": _verify,
    "stats": _stats,
    "export": _export,
    "import": _import,
    "restore": _restore,
    "tables": _tables,
    "season": _season,
}
