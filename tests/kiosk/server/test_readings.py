"""A photo goes in, a receipt comes out; a person corrects it; the score follows."""

from __future__ import annotations

import io
import json
import tempfile
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from calibration.store import Store
from kiosk.server import readings
from tests.kiosk.server.conftest import FACTS

HAND = "123678m4599p[222z][777z]@6p"


def post(client: TestClient, photo: bytes, facts: dict[str, Any] | None = None, **more: str) -> Any:
    form = {"situation": json.dumps(FACTS if facts is None else facts), **more}
    answer = client.post("/api/readings", files={"picture": ("a.jpg", photo)}, data=form)
    assert answer.status_code == 201, answer.text
    return answer.json()


def correct(client: TestClient, reading: Any, **told: Any) -> Any:
    answer = client.post(reading["links"]["corrections"], json=told)
    assert answer.status_code == 200, answer.text
    return answer.json()


def place(reading: Any, code: str, kind: str) -> int:
    """The first tile of this face in a group of this kind."""
    groups = [g for g in reading["groups"] if g["kind"] == kind]
    return next(i for g in groups for i in g["tiles"] if reading["tiles"][i]["tile"] == code)


@pytest.fixture
def reading(client: TestClient, photo: bytes) -> Any:
    return post(client, photo)


def test_a_photo_becomes_a_receipt(reading: Any) -> None:
    assert reading["hand"] == HAND
    assert reading["certain"]
    assert reading["total"] == 2
    assert reading["dealer_line"] == 3
    assert reading["payments"] == {"E": -8, "S": 8, "W": 0, "N": 0}
    assert all(item["name"] and item["text"] for item in reading["items"])
    assert "8" in reading["receipt"]


def test_size_and_quads_are_those_of_the_picture_sent(reading: Any, photo: bytes) -> None:
    width, height = Image.open(io.BytesIO(photo)).size
    assert (reading["width"], reading["height"]) == (width, height)
    for tile in reading["tiles"]:
        assert all(-9 < x < width + 9 and -9 < y < height + 9 for x, y in tile["quad"])


def test_without_facts_questions_say_what_each_answer_is_worth(
    client: TestClient, photo: bytes
) -> None:
    reading = post(client, photo, {})
    assert not reading["certain"]
    assert reading["total"] is None
    asked = {ask["id"]: ask for ask in reading["asks"]}
    assert {"seat", "round", "self_drawn"} <= set(asked)
    assert all(a["range"] and a["text"] for a in asked["seat"]["answers"])


def test_answers_lead_to_the_score(client: TestClient, photo: bytes) -> None:
    reading = post(client, photo, {})
    answers = {"seat": "S", "round": "E", "self_drawn": "no", "from_seat": "E", "streak": "1"}
    assert correct(client, reading, answers=answers)["total"] == 2


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "discard"), ("zh-Hant", "自摸"), ("zh-Hans", "自摸")],
)
def test_questions_come_in_the_language(
    client: TestClient, photo: bytes, language: str, question: str
) -> None:
    answer = client.post(f"/api/readings?lang={language}", files={"picture": photo})
    texts = [ask["text"] for ask in answer.json()["asks"]]
    assert any(question in text for text in texts)


def test_a_corrected_face_changes_the_score(client: TestClient, reading: Any) -> None:
    """With 777m for 678m... the pung of red dragons turned green still counts; a 5p for 4p not."""
    wrong = place(reading, "9p", "concealed")
    after = correct(client, reading, tiles=[{"index": wrong, "face": "8p"}])
    assert after["total"] is None
    assert [p["id"] for p in after["problems"]] == ["not-complete"]
    assert after["tiles"][wrong]["tile"] == "8p"
    back = correct(client, reading, tiles=[])
    assert (back["hand"], back["total"]) == (HAND, 2)


def test_the_same_corrections_twice_are_the_same_reading(client: TestClient, reading: Any) -> None:
    told = {"tiles": [{"index": 0, "remove": True}, {"add": "1m", "group": 0}]}
    first, second = correct(client, reading, **told), correct(client, reading, **told)
    for data in (first, second):
        data.pop("revision"), data["links"].pop("overlay")
    assert first == second


def test_indexes_never_move(client: TestClient, reading: Any) -> None:
    n = len(reading["tiles"])
    after = correct(client, reading, tiles=[{"index": 2, "remove": True}, {"add": "5f"}])
    assert len(after["tiles"]) == n + 1
    assert [t["quad"] for t in after["tiles"][:n]] == [t["quad"] for t in reading["tiles"]]
    assert after["tiles"][n]["tile"] == "5f"
    kinds = [after["groups"][after["tiles"][i]["group"]]["kind"] for i in (2, n)]
    assert kinds == ["not-of-this-hand", "bonus"]


def test_a_removed_tile_can_be_put_back_by_adding(client: TestClient, reading: Any) -> None:
    gone = place(reading, "1m", "concealed")
    told = [{"index": gone, "remove": True}]
    assert correct(client, reading, tiles=told)["total"] is None
    told.append({"add": "1m", "group": "concealed"})
    assert correct(client, reading, tiles=told)["total"] == 2


def test_a_flower_that_was_overlooked_counts(client: TestClient, reading: Any) -> None:
    """The plum (5f) is no flower of seat South; the summer (2f) is: one tai more."""
    assert correct(client, reading, tiles=[{"add": "5f"}])["total"] == 2
    assert correct(client, reading, tiles=[{"add": "2f"}])["total"] == 3


def test_tiles_can_be_put_elsewhere(client: TestClient, reading: Any) -> None:
    """The red dragons taken into the hand: a concealed pung, and the same tiles."""
    groups = [{"kind": g["kind"], "tiles": g["tiles"]} for g in reading["groups"]]
    for group in groups:
        if reading["tiles"][group["tiles"][0]]["tile"] == "7z":
            group["kind"] = "concealed"
    after = correct(client, reading, groups=groups)
    assert after["certain"]
    assert after["hand"] == "123678m4599p777z[222z]@6p"


def test_a_kong_that_lies_face_up_can_be_called_concealed(client: TestClient, reading: Any) -> None:
    groups = [{"kind": g["kind"], "tiles": g["tiles"]} for g in reading["groups"]]
    n = len(reading["tiles"])
    for group in groups:
        if reading["tiles"][group["tiles"][0]]["tile"] == "7z":
            group["kind"] = "concealed-kong"
            group["tiles"] = [*group["tiles"], n]
    after = correct(client, reading, tiles=[{"add": "7z"}], groups=groups)
    assert after["hand"] == "123678m4599p[222z](7777z)@6p"
    assert after["certain"]


def test_the_winning_tile_can_be_another(client: TestClient, reading: Any) -> None:
    after = correct(client, reading, answers={"winning": "9p"})
    assert after["hand"] == "123678m4569p[222z][777z]@9p"
    assert after["certain"]


def test_a_confirmed_tile_is_sure(client: TestClient, reading: Any) -> None:
    told = [{"index": i, "face": tile["tile"]} for i, tile in enumerate(reading["tiles"])]
    after = correct(client, reading, tiles=told)
    assert after["total"] == 2
    assert {tile["p"] for tile in after["tiles"]} == {1.0}


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"tiles": [{"index": 999, "face": "5s"}]}, "tiles"),
        ({"tiles": [{"index": 1, "face": "9x"}]}, "tiles"),
        ({"tiles": [{"index": 1}]}, "tiles"),
        ({"tiles": [{"index": -1, "remove": True}]}, "tiles.0.index"),
        ({"tiles": [{"add": "5s", "group": 99}]}, "tiles"),
        ({"groups": [{"kind": "heap", "tiles": [1]}]}, "groups"),
        ({"groups": [{"kind": "concealed", "tiles": [1, 1]}]}, "groups"),
        ({"groups": [{"kind": "winning-tile", "tiles": [1, 2]}]}, "groups"),
        ({"answers": {"weather": "fine"}}, "answers.weather"),
        ({"answers": {"winning": "1s"}}, "answers"),
        ({"answers": {"claimed": "1s"}}, "answers"),
        ({"answers": {"seat": "X"}}, "answers.seat"),
        ({"situation": {"mood": 1}}, "situation.mood"),
        ({"colour": 1}, "colour"),
    ],
)
def test_a_wrong_correction_names_its_field(
    client: TestClient, reading: Any, told: Any, field: str
) -> None:
    answer = client.post(reading["links"]["corrections"], json=told)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["field"] == field
    assert client.get(reading["links"]["self"]).json()["total"] == 2


def test_picture_and_overlay_are_shown(client: TestClient, reading: Any) -> None:
    for link in ("picture", "overlay"):
        answer = client.get(reading["links"][link])
        assert answer.headers["content-type"] == "image/jpeg"
        assert Image.open(io.BytesIO(answer.content)).format == "JPEG"


def test_a_forgotten_reading_is_gone(client: TestClient, reading: Any) -> None:
    assert client.delete(reading["links"]["self"]).status_code == 204
    answer = client.get(reading["links"]["self"])
    assert (answer.status_code, answer.json()["id"]) == (404, "not-here")


def test_misread_tiles_are_learnt_with_consent_only(client: TestClient, reading: Any) -> None:
    wrong = place(reading, "9p", "concealed")
    assert client.post(reading["links"]["misread"], json={"consent": True}).status_code == 422
    correct(client, reading, tiles=[{"index": wrong, "face": "8p"}])
    assert client.post(reading["links"]["misread"], json={}).json()["id"] == "consent"
    assert Store.of_user().active() is None
    answer = client.post(reading["links"]["misread"], json={"consent": True})
    assert answer.json() == {"learnt": 1, "profile": "default"}
    tiles = Store.of_user().load("default").tiles
    assert tiles is not None
    assert [face.code for face in tiles.enrolled] == ["8p"]


def test_pictures_are_kept_only_when_that_is_switched_on_and_without_exif(
    client: TestClient, photo: bytes
) -> None:
    exif = Image.Exif()
    exif[0x010F] = "a maker"
    out = io.BytesIO()
    Image.open(io.BytesIO(photo)).save(out, "JPEG", exif=exif, quality=95)
    folder = client.app.state.desk.pictures_folder  # type: ignore[attr-defined]
    post(client, out.getvalue())
    assert not folder.exists()
    client.put("/api/config", json={"values": {"save_pictures": True}})
    post(client, out.getvalue())
    (file,) = folder.rglob("*.jpg")
    assert not Image.open(file).getexif()
    assert b"a maker" not in file.read_bytes()


def large(photo: bytes, size: tuple[int, int], orientation: int = 1) -> bytes:
    """The sample as a camera of many megapixels stores it."""
    picture = Image.open(io.BytesIO(photo)).convert("RGB").resize(size, Image.Resampling.LANCZOS)
    noise = Image.effect_noise(size, 12).convert("RGB")
    exif = Image.Exif()
    exif[0x0112] = orientation
    if orientation == 6:
        picture, noise = (p.transpose(Image.Transpose.ROTATE_90) for p in (picture, noise))
    out = io.BytesIO()
    Image.blend(picture, noise, 0.05).save(out, "JPEG", quality=95, exif=exif)
    assert len(out.getvalue()) > readings.LARGE_BYTES
    return out.getvalue()


@pytest.mark.parametrize(("size", "orientation"), [((4000, 3000), 1), ((4001, 2999), 6)])
def test_a_large_photo_is_read_in_half_its_size_and_told_in_the_whole(
    client: TestClient, photo: bytes, size: tuple[int, int], orientation: int
) -> None:
    reading = post(client, large(photo, size, orientation))
    assert (reading["width"], reading["height"]) == size
    assert (reading["hand"], reading["total"]) == (HAND, 2)
    right = max(x for tile in reading["tiles"] for x, _ in tile["quad"])
    small = post(client, photo)
    expected = max(x for tile in small["tiles"] for x, _ in tile["quad"]) / small["width"]
    assert right / size[0] == pytest.approx(expected, abs=0.02)
    for link in ("picture", "overlay"):
        shown = Image.open(io.BytesIO(client.get(reading["links"][link]).content))
        assert max(shown.size) >= 1000


def test_uploads_never_touch_the_disk(
    client: TestClient, photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A form of several megabytes would be spooled to a temporary file otherwise."""
    data = large(photo, (4000, 3000))
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    assert post(client, data)["total"] == 2
