"""Small nights for the tests."""

from __future__ import annotations

from typing import Any

from table import Ledger, Store

PLAYERS = ["An", "Bo", "Chi", "Dee"]
THREE_PUNGS = "66678m11333p555z[222z]@6m"
"""taiwan, West in round East, on a discard: three concealed pungs 2, dragon 1 (docs)."""


def start(place: object, rules: str = "taiwan", night: str = "friday", **more: Any) -> Ledger:
    """A night of An, Bo, Chi and Dee; options of the rules go under `options`."""
    options = more.pop("options", {})
    body = {"players": PLAYERS, "rules": {"id": rules, "options": options}, **more}
    return Ledger.start(Store(str(place)), night, body, key=f"start of {night}")


def won(player: str, giver: str | None = None, total: int | None = None) -> dict[str, Any]:
    """The body of a win by the known hand, or of a win of which only the total is known."""
    what = {"hand": THREE_PUNGS} if total is None else {"total": total}
    body: dict[str, Any] = {"winners": [{"player": player, **what}]}
    return body | ({"from": giver} if giver else {})
