"""The fields of the settings: kind, bounds, default, whether a page may change them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from kiosk.words import LANGUAGES
from scorer import presets, rulesets

TEXT, INTEGER, FLAG, CHOICE, NAMES, TABLE = "text", "integer", "flag", "choice", "names", "table"
SIDES: Final = ("near", "right", "far", "left")
LONGEST: Final = 200


class SettingError(ValueError):
    """A field that cannot be so. `why` is a key of the server's texts, `facts` fill it in; `text`
    is a sentence from further below, in English, `cause` an error that speaks for itself.
    """

    def __init__(
        self,
        field: str,
        why: str = "",
        text: str = "",
        cause: Exception | None = None,
        **facts: object,
    ) -> None:
        super().__init__(f"{field}: {cause or text or why}")
        self.cause = cause
        self.field = field
        self.why = why
        self.text = text
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Field:
    """One setting. `low` and `high` bound a number, `high` the length of a text. `remote` is
    false for what only the file may say, since it names a file.
    """

    name: str
    section: str
    kind: str
    default: Any
    low: int = 0
    high: int = LONGEST
    choices: tuple[str, ...] = ()
    optional: bool = False
    remote: bool = True

    def check(self, value: Any) -> Any:
        """The value in its own type. Raises SettingError."""
        if self.optional and value in (None, ""):
            return None
        good = getattr(self, f"_{self.kind}")(value)
        if not good:
            choices = ", ".join(self.choices)
            raise SettingError(self.name, self.kind, low=self.low, high=self.high, choices=choices)
        if self.name in EXTRA:
            EXTRA[self.name](self.name, value)
        return value

    def _text(self, value: Any) -> bool:
        return isinstance(value, str) and len(value) <= self.high and value.isprintable()

    def _integer(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def _flag(self, value: Any) -> bool:
        return isinstance(value, bool)

    def _choice(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.choices

    def _names(self, value: Any) -> bool:
        from table import EventError
        from table.events import check_players

        try:
            check_players(value)
        except EventError:
            return False
        return True

    def _table(self, value: Any) -> bool:
        return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)


def _money(name: str, value: Any) -> None:
    try:
        amount = Decimal(value)
        places = amount.as_tuple().exponent
    except InvalidOperation:
        raise SettingError(name, "amount") from None
    if not isinstance(places, int) or places < -4 or not 0 < amount < 10**9:
        raise SettingError(name, "amount")


def _currency(name: str, value: Any) -> None:
    if not re.fullmatch(r"([A-Za-z]{3})?", value):
        raise SettingError(name, "currency")


def _address(name: str, value: Any) -> None:
    if not re.fullmatch(r"(https?://[^\s/?#]+\S*)?", value):
        raise SettingError(name, "address")


EXTRA: Final = {"point": _money, "currency": _currency, "reading_url": _address}

FIELDS: Final[tuple[Field, ...]] = (
    Field("rules", "rules", CHOICE, "taiwan", choices=(*rulesets(), *presets())),
    Field("house_file", "rules", TEXT, "", high=4096, remote=False),
    Field("house_options", "rules", TABLE, {}),
    Field("house_values", "rules", TABLE, {}),
    Field("base", "stakes", INTEGER, None, high=100_000, optional=True),
    Field("tai", "stakes", INTEGER, None, low=1, high=100_000, optional=True),
    Field("point", "stakes", TEXT, "1", high=16),
    Field("currency", "stakes", TEXT, "", high=3),
    Field("players", "table", NAMES, ["East", "South", "West", "North"], high=40),
    Field("language", "table", CHOICE, "en", choices=tuple(LANGUAGES)),
    Field("first_start_done", "table", FLAG, False),
    Field("camera", "camera", TEXT, "", high=LONGEST),
    Field("camera_side", "camera", CHOICE, "near", choices=SIDES),
    Field("profile", "camera", TEXT, "", high=64),
    Field("save_pictures", "privacy", FLAG, False),
    Field("reading_url", "privacy", TEXT, "", remote=False),
)
BY_NAME: Final = {field.name: field for field in FIELDS}
SECTIONS: Final = tuple(dict.fromkeys(field.section for field in FIELDS))
