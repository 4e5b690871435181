"""Names and one-sentence explanations in three languages, kept as data keyed by id.

`names/common.LANG.toml` holds what all games share, `names/RULESET.LANG.toml` the items; such a
file may name another as its `base` and then holds what differs. `jyutping` stands in zh-Hant.
`names/options.LANG.toml` holds the house rules by rule set, in `common` those of several,
in `choices` what may be chosen and in `trouble` what is wrong with one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from .houserules import Option, nearest, written
from .tiles import Tile
from .winds import Wind

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")


def data_text(folder: str, name: str) -> str:
    """The text of one of the package's own data files."""
    return (files("scorer") / folder / name).read_text(encoding="utf-8")


@cache
def texts(file: str, language: str) -> Mapping[str, Any]:
    """A language file, read once. Raises ValueError for a language there is not."""
    if language not in LANGUAGES:
        raise ValueError(f"{language!r}: languages are {', '.join(LANGUAGES)}")
    return tomllib.loads(data_text("names", f"{file}.{language}.toml"))


def _items(ruleset: str, language: str) -> Mapping[str, Any]:
    from .registry import find_ruleset

    own = texts(find_ruleset(ruleset).id, language)
    return {**texts(str(own["base"]), language), **own} if "base" in own else own


def item_name(ruleset: str, id: str, language: str = "en") -> str:
    """The name of an item of a rule set."""
    return str(_items(ruleset, language)[id]["name"])


def item_text(ruleset: str, id: str, language: str = "en") -> str:
    """What an item is for, in one sentence."""
    return str(_items(ruleset, language)[id]["text"])


def option_text(ruleset: str, option: str, language: str = "en") -> str:
    """What a house rule does, in one sentence."""
    from .registry import find_ruleset

    own = find_ruleset(ruleset).id
    sections = (own, texts(own, language).get("base", own), "common")
    known = texts("options", language)
    return str(next(known[one][option] for one in sections if option in known.get(one, ())))


def choice_name(option: str, choice: object, language: str = "en") -> str:
    """What one choice of a house rule is called; a number is called what it is."""
    return str(texts("options", language)["choices"].get(option, {}).get(choice, choice))


def allowed_text(option: Option, language: str = "en") -> str:
    """What may be written for a house rule."""
    words = texts("options", language)["trouble"]
    if isinstance(option.default, bool):
        return str(words["flag"])
    if option.choices:
        said = words["or"].join(map(written, option.choices))
    else:
        said = words["number"].format(low=option.low, high=option.high)
    said += words["pairs"] if option.table else ""
    unset = option.optional and None not in option.choices
    return str(said + (words["unset"] if unset else ""))


def trouble_text(id: str, facts: Mapping[str, Any], language: str = "en") -> str:
    """Why a house rule cannot be so: a sentence of `[trouble]`, without its full stop."""
    words = texts("options", language)["trouble"]
    told = dict(facts)
    if "allowed" in facts:
        told["allowed"] = allowed_text(facts["allowed"], language)
    if "known" in facts:
        near = nearest(facts["value"], facts["known"])
        names = words["or"].join(near) or words["comma"].join(facts["known"])
        told["hint"] = words["near" if near else "there-are"].format(names=names)
    return str(words[id].format(**told))


def item_japanese(ruleset: str, id: str) -> str:
    """The Japanese name of an item, where the rule set gives it."""
    return str(_items(ruleset, "zh-Hant")[id].get("ja", ""))


def item_jyutping(ruleset: str, id: str) -> str:
    """The Cantonese reading of an item's name, where the rule set gives it."""
    return str(_items(ruleset, "zh-Hant")[id].get("jyutping", ""))


def ruleset_name(ruleset: str, language: str = "en") -> str:
    """The name of a rule set or preset."""
    names = texts("common", language)["rulesets"]
    return str(names.get(ruleset, ruleset))


def word(section: str, id: str, language: str = "en") -> str:
    """A word of the common file: sections tiles, winds, units, waits, questions, events, parts,
    sets, reasons, changes. An id that has no word is answered as it is.
    """
    return str(texts("common", language)[section].get(id, id))


def tile_name(tile: Tile, language: str = "en") -> str:
    return word("tiles", tile.code, language)


def wind_name(wind: Wind, language: str = "en") -> str:
    return word("winds", wind.letter, language)


def question_text(id: str, language: str = "en") -> str:
    """The question that asks for an unknown fact (the ids in `Result.questions`)."""
    if id.startswith("event:"):
        event = word("events", id.removeprefix("event:"), language)
        return word("questions", "event", language).format(event=event)
    return word("questions", id, language)


def problem_text(id: str, facts: Mapping[str, Any], language: str = "en") -> str:
    """A problem as a sentence."""
    templates = texts("common", language)["problems"]
    text = str(templates[id]).format(
        **{key: shown(value, language) for key, value in facts.items() if key != "ways"}
    )
    ways = facts.get("ways")
    if ways:
        joined = "; ".join(_way_text(way, language) for way in ways)
        text += word("changes", "ways", language).format(ways=joined)
    return text


def _way_text(way: Mapping[str, Any], language: str) -> str:
    """One way in which a hand would have reached the minimum."""
    changes = [_change_text(change, language) for change in way["changes"]]
    return word("changes", "way", language).format(
        changes=word("changes", "and", language).join(changes), total=way["total"]
    )


def _change_text(change: Mapping[str, Any], language: str) -> str:
    said = {**change}
    if "tile" in said:
        said["tile"] = word("tiles", said["tile"], language)
    return word("changes", change["id"], language).format(**said)


def shown(value: Any, language: str) -> str:
    """A fact of a problem as people read it."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        arrow = " → "
        rows = [row["out"] + arrow + "/".join(row["in"]) for row in value[:4]]
        return "; ".join(rows)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or word("reasons", "none", language)
    if isinstance(value, str):
        common = texts("common", language)
        return str(common["events"].get(value, common["tiles"].get(value, value)))
    return str(value)
