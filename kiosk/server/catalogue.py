"""What a page needs to be drawn: rule sets, tiles, the fields of the settings, with names."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from calibration.store import Store
from kiosk.server.far import without_key
from kiosk.server.names import LANGUAGES, names_of
from kiosk.server.texts import text
from kiosk.settings import Settings
from kiosk.settings_fields import FIELDS, INTEGER, SECTIONS, SIDES, TABLE, TEXT, Field
from scorer import Option, Tile, UnknownRulesetError, find_ruleset, presets, rulesets
from scorer.houserules import written
from scorer.legality import events_of
from scorer.names import choice_name, item_name, item_text, option_text, ruleset_name, word
from scorer.registry import PRESETS, preset_house
from scorer.table import table_of
from scorer.tiles import in_print_order

OWN_FACTS: Final = {
    "sichuan": ("missing_suit", "already_won"),
    "riichi": ("dora", "ura_dora", "red_fives", "sticks"),
    "hongkong": ("fed", "wall_left", "seen"),
    "hongkong-digital": ("fed",),
    "taiwan": ("wall_left", "fed"),
    "taiwan-classic": ("wall_left",),
}
"""Facts of the situation that only some games ask for."""


def tiles_json() -> dict[str, Any]:
    """All faces in the order of a picker."""
    rows = []
    for tile in in_print_order(list(Tile)):
        kind = "suit" if tile.is_suited else "honour" if tile.is_honour else "bonus"
        rows.append(
            {
                "code": tile.code,
                "kind": "back" if tile is Tile.BACK else kind,
                "names": names_of("tiles", tile.code),
                "picture": f"/static/tiles/{tile.code}.svg",
            }
        )
    return {"tiles": rows}


def rules_json(language: str) -> dict[str, Any]:
    """Every rule set and preset with its options and events."""
    return {"rulesets": [_rules(id, language) for id in (*rulesets(), *presets())]}


@cache
def _rules(id: str, language: str) -> dict[str, Any]:
    rules = find_ruleset(id)
    table = table_of(id, preset_house(id))
    in_force = preset_house(id).all()
    tiles = [t for t in Tile if t.is_suited or (t.is_honour and rules.honours)]
    if rules.bonus_option and in_force.get(rules.bonus_option):
        tiles += [t for t in Tile if t.is_bonus]
    return {
        "id": id,
        "name": ruleset_name(id, language),
        "names": {one: ruleset_name(id, one) for one in LANGUAGES},
        "preset_of": PRESETS.get(id),
        "version": rules.version,
        "unit": rules.unit,
        "unit_name": word("units", rules.unit, language),
        "sets": rules.sets,
        "minimum": table.minimum,
        "tiles": [tile.code for tile in in_print_order(tiles)],
        "options": [
            _option(rules.id, option, in_force[option.name], language) for option in rules.options
        ],
        "events": [
            {"id": event, "names": _event_names(rules.id, event)}
            for event in sorted(events_of(table))
        ],
        "facts": list(OWN_FACTS.get(rules.id, ())),
    }


def _event_names(ruleset: str, event: str) -> dict[str, str]:
    found = names_of("events", event)
    if found["en"] != event:
        return found
    try:
        return {language: item_name(ruleset, event, language) for language in LANGUAGES}
    except KeyError:
        return found


def _option(ruleset: str, option: Option, value: Any, language: str) -> dict[str, Any]:
    kind = "integer"
    if isinstance(option.default, bool):
        kind = "flag"
    elif option.choices:
        kind = "choice"
    return {
        "name": option.name,
        "kind": kind,
        "default": option.default,
        "value": value,
        "low": option.low,
        "high": option.high,
        "choices": list(option.choices),
        "choice_names": [choice_name(option.name, one, language) for one in option.choices],
        "optional": option.optional,
        "pairs": option.table,
        "about": option_text(ruleset, option.name, language),
        "allowed": option.allowed(language),
        "written": written(value),
    }


def items_json(id: str, language: str) -> dict[str, Any]:
    """The items of a rule set or preset. Raises UnknownRulesetError."""
    rules = find_ruleset(id)
    table = table_of(id, preset_house(id))
    rows = [
        {
            "id": item.id,
            "name": item_name(rules.id, item.id, language),
            "text": item_text(rules.id, item.id, language),
            "value": value,
            "source": item.source,
        }
        for item, value in zip(table.items, table.values, strict=True)
    ]
    return {"items": rows}


def known_ruleset(id: str) -> bool:
    try:
        find_ruleset(id)
    except UnknownRulesetError:
        return False
    return True


def config_json(settings: Settings, file: str, folder: str, language: str) -> dict[str, Any]:
    """The settings and everything that is needed to draw a page for them."""
    return {
        "values": settings.values | {"reading_url": without_key(settings["reading_url"])},
        "fields": [_field(field, language) for field in FIELDS],
        "sections": [
            {"name": name, "title": text("sections", name, language)} for name in SECTIONS
        ],
        "file": file,
        "pictures_folder": folder,
    }


def _field(field: Field, language: str) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": field.name,
        "section": field.section,
        "kind": field.kind,
        "title": text("settings", f"{field.name}.title", language),
        "about": text("settings", f"{field.name}.about", language),
        "default": field.default,
        "optional": field.optional,
        "remote": field.remote,
    }
    if field.kind == INTEGER:
        data |= {"low": field.low, "high": field.high}
    if field.kind == TEXT:
        data["longest"] = field.high
    if field.kind != TABLE and (choices := _choices(field, language)):
        data["choices"] = choices
    return data


def _choices(field: Field, language: str) -> list[dict[str, str]]:
    if field.name == "rules":
        return [{"value": id, "title": ruleset_name(id, language)} for id in field.choices]
    if field.name == "profile":
        names = ["", *Store.of_user().names(), "none"]
        return [{"value": name, "title": name or "–"} for name in names]
    if field.choices in (LANGUAGES, SIDES):
        return [
            {"value": value, "title": text("choices", f"{field.name}.{value}", language)}
            for value in field.choices
        ]
    return []
