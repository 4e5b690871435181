"""Whatever is uploaded: a right reading, or a clear no; never trouble, never much memory."""

from __future__ import annotations

import json
import resource

import numpy as np
import pytest
from starlette.testclient import TestClient

from kiosk.server import uploads
from kiosk.server.problems import Problem
from tests.kiosk.server.conftest import FACTS
from tests.kiosk.server.hostile import uploads as hostile_uploads

HAND = "123678m4599p[222z][777z]@6p"


def test_two_hundred_hostile_uploads(client: TestClient, photo: bytes) -> None:
    form = {"situation": json.dumps(FACTS)}
    count = 0
    for upload in hostile_uploads(photo):
        answer = client.post("/api/readings", files={"picture": upload.data}, data=form)
        assert answer.status_code in upload.may, (upload.name, answer.status_code, answer.text)
        data = answer.json()
        if upload.hand:
            assert data["hand"] == HAND, upload.name
        if answer.status_code == 201:
            # A picture that is damaged may be read otherwise, but not for certain and wrong.
            assert not data["certain"] or data["hand"] == HAND, upload.name
        else:
            assert answer.headers["content-type"] == "application/problem+json", upload.name
            assert data["detail"].endswith("."), upload.name
        count += 1
    assert count >= 200


def test_a_bomb_is_refused_before_it_is_decoded(photo: bytes) -> None:
    """900 million pixels would take 2.7 GB; the header alone says so."""
    from tests.kiosk.server.hostile import png_header

    uploads.decode(photo)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Problem) as caught:
        uploads.decode(png_header(30_000, 30_000))
    assert caught.value.id == "too-many-pixels"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_heic_is_refused_with_what_to_do(client: TestClient, language: str) -> None:
    data = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"
    answer = client.post(f"/api/readings?lang={language}", files={"picture": data})
    assert (answer.status_code, answer.json()["id"]) == (415, "heic")
    assert "JPEG" in answer.json()["detail"]


def test_transparent_pixels_become_grey() -> None:
    """What lies under full transparency is often black or anything."""
    from PIL import Image

    from tests.kiosk.server.hostile import saved

    image = uploads.decode(saved(Image.new("RGBA", (64, 64), (255, 0, 0, 0)), "PNG"))
    assert np.unique(image).tolist() == [114]


def test_the_form_without_a_picture_is_refused(client: TestClient) -> None:
    answer = client.post("/api/readings", data={"rules": "taiwan"})
    assert (answer.status_code, answer.json()["field"]) == (422, "picture")


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"situation": "{"}, "situation"),
        ({"situation": "[1]"}, "situation"),
        ({"situation": "[" * 3000}, "situation"),
        ({"situation": '{"seat": "Q"}'}, "situation.seat"),
        ({"rules": "chess"}, "rules"),
        ({"house": '{"options": {"limt": 3}}'}, "house.limt"),
    ],
)
def test_a_wrong_form_names_its_field(
    client: TestClient, photo: bytes, form: dict[str, str], field: str
) -> None:
    answer = client.post("/api/readings", files={"picture": photo}, data=form)
    assert answer.status_code in (400, 422)
    assert answer.json()["field"] == field
