"""The settings of a table: one typed TOML file, changed as a whole or not at all.

It lies in the user's configuration folder, or where `--config` says. Paths (of house rules, of a
recorded clip as camera) stand in the file only: nobody who reaches the server can name one.
"""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from calibration import tomltext
from calibration.store import Store
from kiosk.calibrate.active import NONE
from kiosk.facts import read_house_file
from kiosk.settings_fields import BY_NAME, FIELDS, SettingError
from kiosk.trouble import Trouble, WrongUse
from kiosk.words import preferred_language
from scorer import HouseFileError, HouseRuleError, HouseRules, find_ruleset
from scorer.names import item_name, option_text
from scorer.registry import preset_house

NOTE = "# Settings of hupai serve; the page /settings changes them, and so may you.\n"
REMOTE_CAMERA = re.compile(r"|\d{1,2}|(rtsps?|https?)://\S+")
_STAKES = {"base": "base", "tai": "tai_value"}
"""A setting and the house rule that it stands for."""


class Settings:
    """Values by field name, valid as a whole. Build it with `of`, which checks."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Settings:
        """Settings in which these fields differ from the defaults. Raises SettingError."""
        known = {field.name: field.default for field in FIELDS}
        for name, value in values.items():
            if name not in BY_NAME:
                raise SettingError(name, "unknown")
            known[name] = BY_NAME[name].check(value)
        fresh = cls(known)
        fresh.house()
        return fresh

    def but(self, values: Mapping[str, Any]) -> Settings:
        """The same with some fields changed from a page. Raises SettingError."""
        for name, value in values.items():
            field = BY_NAME.get(name)
            if field is None:
                raise SettingError(name, "unknown")
            if not field.remote and value != self.values[name]:
                raise SettingError(name, "fixed")
            told = isinstance(value, str) and REMOTE_CAMERA.fullmatch(value)
            if name == "camera" and not told and value != self.values[name]:
                raise SettingError(name, "camera")
            if name == "profile" and value not in (names := ["", NONE, *Store.of_user().names()]):
                raise SettingError(name, "profile", choices=", ".join(filter(None, names)))
        fresh = self.values | dict(values)
        other = BY_NAME["rules"].check(fresh["rules"])
        if find_ruleset(other).id != find_ruleset(self["rules"]).id:
            # House rules of another game mean nothing here.
            fresh |= {n: values.get(n, {}) for n in ("house_options", "house_values")}
            fresh["house_file"] = ""
        return Settings.of(fresh)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def house(self) -> tuple[str, HouseRules]:
        """Rule set or preset, and the house rules in force. Raises SettingError."""
        id: str = self["rules"]
        base = preset_house(id)
        try:
            if self["house_file"]:
                base = read_house_file(Path(self["house_file"]).expanduser(), id)
        except (WrongUse, HouseFileError) as error:
            raise SettingError("house_file", text=str(error)) from None
        options = dict(base.options) | self["house_options"]
        try:
            house = HouseRules.of(id, options, dict(base.values) | self["house_values"], base.title)
        except HouseRuleError as error:
            where = "house_values" if error.option in self["house_values"] else "house_options"
            raise SettingError(where, cause=error, ruleset=base.ruleset) from None
        # A rule set without a base has no use for the stakes of one that has.
        known = {option.name for option in find_ruleset(id).options}
        stakes = {
            option: self[name]
            for name, option in _STAKES.items()
            if self[name] is not None and option in known
        }
        try:
            return id, house.but(**stakes) if stakes else house
        except HouseRuleError as error:
            name = next((n for n, o in _STAKES.items() if o == error.option), "base")
            raise SettingError(name, cause=error, ruleset=base.ruleset) from None

    def stakes(self) -> dict[str, Any]:
        """The `stakes` of a new night."""
        return {"point": self["point"], "currency": self["currency"]}


class SettingsFile:
    """Where the settings lie. Without a file they are the defaults, in the user's language."""

    def __init__(self, path: Path | None = None) -> None:
        """Raises Trouble when the file cannot be read or a field in it is wrong."""
        self.path = path or default_path()
        self.settings = Settings.of(self._read())
        self._aside: dict[str, Any] = {}

    def _read(self) -> dict[str, Any]:
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {"language": preferred_language()}
        except (OSError, UnicodeDecodeError) as error:
            raise Trouble(f"the settings {self.path} cannot be read: {error}.") from None
        try:
            values = tomllib.loads(text)
            Settings.of(values)
            return values
        except (ValueError, RecursionError) as error:  # of TOML, or a SettingError
            raise Trouble(
                f"the settings {self.path} are wrong: {explained(error)} Mend that line, or move "
                "the file away to begin anew."
            ) from None

    def start_with(self, values: Mapping[str, Any]) -> None:
        """Let options of the command line stand before the file, this time. Raises Trouble."""
        self._aside = {name: self.settings[name] for name in values}
        try:
            self.settings = Settings.of(self.settings.values | dict(values))
        except SettingError as error:
            raise Trouble(explained(error)) from None

    def change(self, values: Mapping[str, Any]) -> Settings:
        """Take and write these values. Raises SettingError or Trouble; then nothing changed."""
        fresh = self.settings.but(values)
        kept = {n: v for n, v in (fresh.values | self._aside).items() if v is not None}
        try:
            _put(self.path, NOTE + tomltext.dumps(kept))
        except (OSError, TypeError, ValueError) as error:
            raise Trouble(f"the settings {self.path} cannot be written: {error}.") from None
        self.settings = fresh
        return fresh


def default_path() -> Path:
    """`HUPAI_CONFIG`, else the configuration folder of the system."""
    chosen = os.environ.get("HUPAI_CONFIG")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_config_path

    return Path(user_config_path("hupai")) / "config.toml"


def explained(error: Exception, language: str = "en") -> str:
    """A bad setting as a sentence."""
    if not isinstance(error, SettingError):
        return f"{error}."
    from kiosk.server.texts import text

    if isinstance(error.cause, HouseRuleError):
        rule = _rule_name(str(error.facts["ruleset"]), error.cause.option, language)
        why = text("why", "house", language, rule=rule, why=error.cause.why(language))
    else:
        why = error.text or text("why", error.why, language, **error.facts)
    return f"{error.field}: {why}"


def _rule_name(ruleset: str, option: str, language: str) -> str:
    """A house rule by its sentence, an item by its name, as the page for settings shows them."""
    with suppress(StopIteration):
        return option_text(ruleset, option, language).rstrip(".。")
    with suppress(KeyError):
        return item_name(ruleset, option, language)
    return option


def _put(file: Path, content: str) -> None:
    """Write a file in one step."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(content)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
