"""Settings: typed, bounded, in three languages, changed as a whole or not at all."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kiosk.server.desk import Options
from kiosk.settings import Settings, SettingsFile, explained
from kiosk.settings_fields import FIELDS, SettingError
from kiosk.trouble import Trouble
from kiosk.words import LANGUAGES


def put(client: TestClient, **values: Any) -> Any:
    return client.put("/api/config", json={"values": values})


def test_the_page_can_be_drawn_from_the_fields(client: TestClient) -> None:
    data = client.get("/api/config").json()
    sections = {section["name"] for section in data["sections"]}
    for field in data["fields"]:
        assert field["title"]
        assert field["about"].endswith((".", "…", "。"))
        assert field["section"] in sections
        assert field["name"] in data["values"]
        if field["kind"] == "integer":
            assert field["low"] < field["high"]
        if field["kind"] == "choice":
            assert field["choices"]


def test_every_field_has_words_in_every_language(client: TestClient) -> None:
    titles = {
        language: [f["title"] for f in client.get(f"/api/config?lang={language}").json()["fields"]]
        for language in LANGUAGES
    }
    assert all(len(words) == len(FIELDS) for words in titles.values())
    assert titles["en"] != titles["zh-Hant"] != titles["zh-Hans"]


def test_settings_are_kept_in_a_file_a_person_can_read(
    client: TestClient, options: Options
) -> None:
    assert put(client, base=5, players=["An", "Bo", "Chi", "Dee"]).status_code == 200
    assert options.config is not None
    assert tomllib.loads(options.config.read_text("utf-8"))["base"] == 5
    assert SettingsFile(options.config).settings["players"] == ["An", "Bo", "Chi", "Dee"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rules", "chess"),
        ("rules", None),
        ("base", -1),
        ("base", 1.5),
        ("base", "5"),
        ("base", True),
        ("tai", 0),
        ("point", "0"),
        ("point", "nan"),
        ("point", "1.23456"),
        ("point", "ten"),
        ("point", "1e400"),
        ("currency", "T"),
        ("players", ["An", "An", "Bo", "Chi"]),
        ("players", ["An", "Bo", "Chi"]),
        ("players", "An"),
        ("language", "fr"),
        ("camera", "/etc/passwd"),
        ("camera", "clip.mp4"),
        ("camera", "file:///etc/passwd"),
        ("camera", "../clip"),
        ("camera_side", "up"),
        ("profile", "../../x"),
        ("profile", "nobody"),
        ("save_pictures", "yes"),
        ("house_file", "/etc/passwd"),
        ("house_options", {"limt": 3}),
        ("house_options", {"limit": -3}),
        ("house_options", []),
        ("house_values", {"no-such-item": 3}),
        ("colour", "red"),
    ],
)
def test_a_bad_value_names_its_field_and_changes_nothing(
    client: TestClient, options: Options, name: str, value: object
) -> None:
    answer = put(client, **{"currency": "TWD", name: value})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["field"] == name
    assert client.get("/api/config").json()["values"]["currency"] == ""
    assert options.config is not None
    assert not options.config.exists()


@pytest.mark.parametrize("camera", ["", "0", "12", "rtsp://cam.local/1", "http://cam.local/a.jpg"])
def test_cameras_that_a_page_may_choose(camera: str) -> None:
    assert Settings.of({}).but({"camera": camera})["camera"] == camera


def test_a_file_may_name_paths(tmp_path: Path) -> None:
    """Whoever can write the file can read the disk anyway."""
    house = tmp_path / "club.toml"
    house.write_text('ruleset = "taiwan"\nlimit = 40\n', encoding="utf-8")
    file = tmp_path / "config.toml"
    file.write_text(
        f'camera = "/clips/a.mp4"\nhouse_file = "{house}"\nbase = 7\n', encoding="utf-8"
    )
    settings = SettingsFile(file).settings
    id, rules = settings.house()
    assert (id, rules["limit"], rules["base"]) == ("taiwan", 40, 7)
    assert settings.but({"camera": "/clips/a.mp4", "base": 8})["base"] == 8


def test_what_the_command_line_says_is_for_this_time(tmp_path: Path) -> None:
    house = tmp_path / "club.toml"
    house.write_text('ruleset = "taiwan"\nlimit = 40\n', encoding="utf-8")
    file = SettingsFile(tmp_path / "config.toml")
    file.start_with({"house_file": str(house)})
    assert file.change({"base": 5}).house()[1]["limit"] == 40
    again = SettingsFile(tmp_path / "config.toml").settings
    assert (again["base"], again["house_file"]) == (5, "")


def test_other_rules_forget_the_house_rules_of_another_game() -> None:
    taiwan = Settings.of({"house_options": {"limit": 40}, "base": 5})
    hongkong = taiwan.but({"rules": "hongkong"})
    assert hongkong["house_options"] == {}
    assert hongkong.house()[1].ruleset == "hongkong"


@pytest.mark.parametrize("text", ["base = -1", "bass = 3", "base =", 'rules = "chess"'])
def test_a_damaged_file_is_refused_with_its_name_and_kept(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Trouble, match=r"config\.toml"):
        SettingsFile(file)
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_in_the_language(language: str) -> None:
    with pytest.raises(SettingError) as caught:
        Settings.of({"base": -1})
    assert "100000" in explained(caught.value, language)


def test_the_rule_sets_come_with_everything_a_page_needs(client: TestClient) -> None:
    rows = {row["id"]: row for row in client.get("/api/rules").json()["rulesets"]}
    assert {"taiwan", "hongkong", "mcr", "sichuan", "riichi"} <= set(rows)
    assert rows["taiwan"]["sets"] == 5
    assert rows["mcr"]["minimum"] == 8
    assert rows["taiwan-b"]["preset_of"] == "taiwan"
    assert rows["taiwan"]["names"]["zh-Hant"] == "台灣十六張"
    assert "1z" not in rows["sichuan"]["tiles"]
    assert "5f" in rows["taiwan"]["tiles"]
    limit = next(o for o in rows["taiwan"]["options"] if o["name"] == "limit")
    assert limit["optional"]
    for row in rows.values():
        for event in row["events"]:
            assert all(event["names"].values())


def test_the_rule_sets_travel_packed_and_once(client: TestClient) -> None:
    """A phone in a cellar asks for them on every page."""
    packed = client.get("/api/rules", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) * 5 < len(packed.content)
    plain = client.get("/api/rules", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == packed.json()
    mark = {"if-none-match": packed.headers["etag"]}
    again = client.get("/api/rules", headers=mark)
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/api/rules?lang=zh-Hant", headers=mark).status_code == 200


def test_house_rules_are_told_in_the_language_that_is_asked(client: TestClient) -> None:
    def option(language: str) -> dict[str, Any]:
        rows = client.get(f"/api/rules?lang={language}").json()["rulesets"]
        return next(
            option
            for row in rows
            for option in row["options"]
            if (row["id"], option["name"]) == ("hongkong", "payment_table")
        )

    assert option("en")["about"].startswith("Points of one loser")
    chinese = option("zh-Hant")
    assert chinese["about"].startswith("每一番數輸家付的點數")
    assert dict(zip(chinese["choices"], chinese["choice_names"], strict=True))["half-spicy"] == (
        "半辣上"
    )


@pytest.mark.parametrize(
    ("language", "rule", "why"),
    [
        ("en", "tai are cut here", "-3 is not allowed; write a whole number from 1 to 1000"),
        ("zh-Hant", "台數最多計到這裡", "不能是 -3；請寫 1 到 1000 的整數"),
        ("zh-Hans", "台数最多计到这里", "不能是 -3；请写 1 到 1000 的整数"),
    ],
)
def test_a_wrong_house_rule_is_named_and_told_in_the_language(
    client: TestClient, language: str, rule: str, why: str
) -> None:
    options = {"limit": -3}
    place = f"/api/config?lang={language}"
    saved = client.put(place, json={"values": {"house_options": options}}).json()
    assert rule in saved["detail"]
    assert why in saved["detail"]
    told = {"hand": "1m", "rules": "taiwan", "house": {"options": options}}
    scored = client.post(f"/api/scores?lang={language}", json=told).json()
    assert scored["field"] == "house.limit"
    assert why in scored["detail"]


def test_what_a_house_rule_may_be_is_told_in_the_language(client: TestClient) -> None:
    said = {
        language: {
            option["allowed"]
            for row in client.get(f"/api/rules?lang={language}").json()["rulesets"]
            for option in row["options"]
        }
        for language in LANGUAGES
    }
    assert {len(words) for words in said.values()} == {len(said["en"])}
    assert not any("whole number" in words for words in said["zh-Hant"] | said["zh-Hans"])
    assert '1 到 1000 的整數，或 "none"' in said["zh-Hant"]


def test_events_have_names_in_three_languages(client: TestClient) -> None:
    """A page must not show an id such as `kong-draw` to a person."""
    bare = {
        event["id"]
        for row in client.get("/api/rules").json()["rulesets"]
        for event in row["events"]
        if event["names"]["zh-Hant"] == event["id"]
    }
    assert not bare


def test_tiles_come_in_the_order_of_a_picker(client: TestClient) -> None:
    tiles = client.get("/api/tiles").json()["tiles"]
    assert len(tiles) == 43
    assert [tile["code"] for tile in tiles[:3]] == ["1m", "2m", "3m"]
    assert all(client.get(tile["picture"]).status_code == 200 for tile in tiles)


def test_items_explain_themselves(client: TestClient) -> None:
    items = client.get("/api/rules/taiwan/items?lang=zh-Hant").json()["items"]
    assert all(item["name"] and item["text"] for item in items)
    assert client.get("/api/rules/chess/items").status_code == 404
