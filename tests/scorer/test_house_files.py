"""House rules as files of a club: read, written, and refused with the line and the choices."""

from __future__ import annotations

import pytest

from scorer import (
    Hand,
    HouseFileError,
    HouseRuleError,
    HouseRules,
    Situation,
    UnknownRulesetError,
    find_ruleset,
    presets,
    read_house,
    rulesets,
    score,
    write_house,
)
from scorer.houserules import Option
from scorer.names import (
    LANGUAGES,
    choice_name,
    item_name,
    item_text,
    option_text,
    ruleset_name,
    texts,
)
from scorer.registry import preset_house


@pytest.mark.parametrize("id", [*rulesets(), *presets()])
def test_what_is_written_is_read_again(id: str) -> None:
    house = preset_house(id)
    assert read_house(write_house(house)) == house
    assert read_house(write_house(house, comments=False)) == house


def test_a_club_file_over_a_preset() -> None:
    text = 'ruleset = "taiwan-b"\nlimit = 20\n[values]\nflower-kong = 1\n'
    house = read_house(text)
    assert (house["limit"], house["eight_pairs"]) == (20, False)
    assert dict(house.values) == {"flower-kong": 1}
    assert read_house('ruleset = "taiwan"\nlimit = "none"')["limit"] is None


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('ruleset = "taiwan"\n\nlimt = 40\n', 3, "limit"),
        ('ruleset = "taiwan"\nlimit = 0\n', 2, "from 1 to 1000"),
        ('ruleset = "taiwan"\nlimit = true\n', 2, "whole number"),
        ('ruleset = "taiwan"\neight_pairs = 1\n', 2, "true or false"),
        ('ruleset = "taiwan"\nwait_rule = "strict"\n', 2, '"real" or "formal"'),
        ('ruleset = "taiwan"\nheavenly_hand = 20\n', 2, "24 or 16"),
        ('ruleset = "taiwna"\n', 1, "taiwan"),
        ("limit = 40\n", 1, "ruleset"),
        ('ruleset = "taiwan"\nlimit = \n', 2, "TOML"),
        ('ruleset = "taiwan"\n[values]\nflower-cong = 1\n', 3, "flower-kong"),
        ('ruleset = "taiwan"\n[values]\nflower-kong = -1\n', 3, "from 0 to 200"),
        ('ruleset = "taiwan"\nvalues = 3\n', 2, "[values]"),
        ('title = 3\nruleset = "taiwan"\n', 1, "title"),
    ],
)
def test_what_is_wrong_names_the_line_and_the_choices(text: str, line: int, says: str) -> None:
    with pytest.raises(HouseFileError) as caught:
        read_house(text, "club.toml")
    assert caught.value.line == line
    assert f"club.toml, line {line}:" in str(caught.value)
    assert says in str(caught.value)


def test_house_rules_are_validated_in_code_too() -> None:
    with pytest.raises(HouseRuleError, match="limit"):
        HouseRules.of("taiwan", {"limt": 4})
    with pytest.raises(UnknownRulesetError, match="taiwan"):
        HouseRules.of("taiwn")
    taiwan = HouseRules.of("taiwan")
    with pytest.raises(ValueError, match="not of mcr"):
        score(Hand(()), Situation(), "mcr", taiwan)


def test_a_table_of_points_must_rise() -> None:
    option = Option("points", "usual", ("usual",), table=True)
    assert option.check([[3, 8], [4, 16]]) == ((3, 8), (4, 16))
    for wrong in ([[4, 16], [3, 8]], [[3]], [["a", 1]], []):
        with pytest.raises(HouseRuleError):
            option.check(wrong)


@pytest.mark.parametrize("id", rulesets())
def test_every_option_has_a_good_default(id: str) -> None:
    options = find_ruleset(id).options
    assert len({option.name for option in options}) == len(options)
    for option in options:
        assert option.check(option.default) == option.default


@pytest.mark.parametrize("id", rulesets())
def test_every_option_has_a_sentence_and_named_choices_in_three_languages(id: str) -> None:
    options = find_ruleset(id).options
    for language, stop in (("en", "."), ("zh-Hant", "。"), ("zh-Hans", "。")):
        said = [option_text(id, option.name, language) for option in options]
        assert len(said) == len(options)
        assert all(sentence.endswith(stop) for sentence in said)
        named = texts("options", language)["choices"]
        for option in options:
            names = [choice_name(option.name, choice, language) for choice in option.choices]
            assert len(set(names)) == len(names)
            words = {choice for choice in option.choices if isinstance(choice, str)}
            assert words <= set(named.get(option.name, ()))


def test_the_languages_tell_of_the_same_options_and_of_no_other() -> None:
    known = {language: texts("options", language) for language in LANGUAGES}
    keys = {
        language: {section: set(rows) for section, rows in sections.items()}
        for language, sections in known.items()
    }
    assert keys["en"] == keys["zh-Hant"] == keys["zh-Hans"]
    played = {option.name for id in rulesets() for option in find_ruleset(id).options}
    told = [rows for section, rows in keys["en"].items() if section != "trouble"]
    assert {name for rows in told for name in rows} == played


@pytest.mark.parametrize("id", rulesets())
def test_every_item_has_a_name_and_a_sentence_in_three_languages(id: str) -> None:
    for language in LANGUAGES:
        assert ruleset_name(id, language) != id
        for item in find_ruleset(id).items:
            assert item_name(id, item.id, language)
            assert item_text(id, item.id, language)[-1] in ".。"
            assert item.source


@pytest.mark.parametrize("id", rulesets())
def test_exclusions_name_items_that_exist(id: str) -> None:
    rules = find_ruleset(id)
    ids = {item.id for item in rules.items}
    assert len(ids) == len(rules.items)
    for exclusion in rules.exclusions:
        assert {exclusion.by, *exclusion.drops} <= ids
        assert exclusion.reason
        for option, _ in exclusion.house:
            assert option in {o.name for o in rules.options}
