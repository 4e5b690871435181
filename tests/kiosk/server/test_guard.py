"""Who is let in, how much, how often: token, names, sites, rates, sizes, paths."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kiosk.server.access import Access, fresh_token, kept_token
from kiosk.server.app import create_app
from kiosk.server.desk import Options
from kiosk.server.limits import BODY_BYTES, Buckets, Rate
from kiosk.server.problems import Problem
from tests.kiosk.server.conftest import HERE, client_of

TOKEN = "a-token-of-22-letters-"
LAN = Access(TOKEN, frozenset({"table7", "table7.local"}))


@pytest.fixture
def lan(options: Options) -> Iterator[TestClient]:
    """A server with --lan, asked by a phone that has not scanned the code."""
    with client_of(replace(options, access=LAN, address=f"{HERE}/phone?token={TOKEN}")) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/health", "/api/config", "/api/table", "/qr.svg", "/snapshot.jpg", "/nowhere",
             "/api/table/events", "/static/tiles/5m.svg", "/openapi.json"],
)  # fmt: skip
def test_without_the_token_nothing_is_answered(lan: TestClient, path: str) -> None:
    answer = lan.get(path)
    assert (answer.status_code, answer.json()["id"]) == (401, "no-token")
    assert TOKEN not in answer.text


@pytest.mark.parametrize("wrong", ["x", TOKEN[:-1], TOKEN + "a", TOKEN.upper(), "é", "%00"])
def test_a_wrong_token_is_refused_wherever_it_stands(lan: TestClient, wrong: str) -> None:
    assert lan.get("/health", params={"token": wrong}).json()["id"] == "wrong-token"
    told = {"Authorization": f"Bearer {wrong}".encode()}
    assert lan.get("/health", headers=told).status_code == 401
    assert lan.get("/health", headers={"Cookie": f"hupai={wrong}".encode()}).status_code == 401


def test_the_first_visit_sets_a_strict_cookie_that_lets_in(lan: TestClient) -> None:
    first = lan.get(f"/health?token={TOKEN}")
    assert first.status_code == 200
    cookie = first.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    again = lan.get("/health")  # the client keeps its cookies
    assert again.status_code == 200
    assert "set-cookie" not in again.headers


def test_programs_send_the_token_as_bearer(lan: TestClient) -> None:
    assert lan.get("/health", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_person_without_the_token_reads_a_page(lan: TestClient) -> None:
    answer = lan.get("/phone?lang=zh-Hant", headers={"Accept": "text/html"})
    assert answer.status_code == 401
    assert answer.headers["content-type"].startswith("text/html")
    assert "QR" in answer.text


def test_the_code_holds_the_address(lan: TestClient) -> None:
    answer = lan.get(f"/qr.svg?token={TOKEN}")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert lan.get("/api/session").json()["address"].endswith(f"/phone?token={TOKEN}")


def test_without_lan_there_is_no_code(client: TestClient) -> None:
    assert client.get("/qr.svg").json()["id"] == "only-here"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8080", 200),
        ("localhost", 200),
        ("[::1]:8080", 200),
        ("127.0.0.1.evil.example", 421),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("192.168.1.7", 421),
        ("table7.local", 421),
        ("", 421),
        ("[::1", 200),
        ("127.0.0.1@evil.example", 421),
    ],
)
def test_only_names_of_this_machine_are_served(client: TestClient, host: str, status: int) -> None:
    """DNS rebinding: a page of evil.example, whose name suddenly leads to 127.0.0.1."""
    assert client.get("/health", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("192.168.1.7:8080", 200), ("table7.local", 200), ("TABLE7", 200), ("evil.example", 421)],
)
def test_with_lan_also_addresses_and_own_names(lan: TestClient, host: str, status: int) -> None:
    answer = lan.get("/health", headers={"Host": host, "Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": HERE}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:8080"}, 403),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403),
    ],
)
def test_other_sites_cannot_book(client: TestClient, headers: dict[str, str], status: int) -> None:
    answer = client.put("/api/config", json={"values": {}}, headers=headers)
    assert answer.status_code == status


def test_a_link_from_elsewhere_may_be_followed(client: TestClient) -> None:
    """From a message, say; a frame or a picture on another site may not."""
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = client.get("/health", headers=followed | {"Sec-Fetch-Dest": "document"})
    assert answer.status_code == 200
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    framed = client.get("/health", headers=followed | {"Sec-Fetch-Dest": "iframe"})
    assert framed.status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/static/../cli.py",
        "/static/..%2fcli.py",
        "/static/%2e%2e/cli.py",
        "/static/..%5ccli.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/tiles/../../cli.py",
        "/static/%00",
        "/static/tiles%00.svg",
        "/..%2f..%2fetc/passwd",
        "/phone.html",
        "/api/readings/..%2f..%2fetc%2fpasswd",
        "/api/readings/%00/picture.jpg",
        "/api/readings/a/../../../etc/passwd",
        "/api/rules/..%2f..%2fpyproject/items",
    ],
)
def test_no_path_reaches_the_disk(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_the_static_folder_serves_its_files(client: TestClient) -> None:
    answer = client.get("/static/tiles/5m.svg")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_body_is_refused_by_the_length_it_names(client: TestClient) -> None:
    answer = client.post("/api/scores", content=b"{}", headers={"Content-Length": str(10**9)})
    assert (answer.status_code, answer.json()["id"]) == (413, "too-many-bytes")


def test_a_body_is_refused_while_it_arrives(client: TestClient) -> None:
    """Chunked: it names no length."""

    def endless() -> Iterator[bytes]:
        for _ in range(BODY_BYTES // 1024 + 2):
            yield b" " * 1024

    answer = client.post(
        "/api/scores", content=endless(), headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["id"]) == (413, "too-many-bytes")


def test_a_client_that_asks_too_often_is_told_when_to_come_again(options: Options) -> None:
    app = create_app(options, rates={"other": Rate(1, 3)})
    with TestClient(app, base_url=HERE) as client:
        answers = [client.get("/api/tiles") for _ in range(5)]
    assert [a.status_code for a in answers[:3]] == [200] * 3
    assert answers[4].json()["id"] == "too-often"
    assert int(answers[4].headers["retry-after"]) >= 1


def test_rates_are_for_each_client_and_recover() -> None:
    now = 0.0
    buckets = Buckets({"reading": Rate(2, 4)}, lambda: now)
    for _ in range(4):
        buckets.take("a", "reading")
    with pytest.raises(Problem, match="too-often"):
        buckets.take("a", "reading")
    buckets.take("b", "reading")
    now = 0.6
    buckets.take("a", "reading")


def test_the_token_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "serve" / "key"
    token = kept_token(file)
    assert len(token) >= 22
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept_token(file) == token
    assert kept_token(file, new=True) != token
    assert len({fresh_token() for _ in range(100)}) == 100


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
@pytest.mark.parametrize("header", [True, False])
def test_errors_come_in_the_language(client: TestClient, language: str, header: bool) -> None:
    titles = {
        "en": "There is nothing here.",
        "zh-Hant": "這裡沒有東西。",
        "zh-Hans": "这里没有东西。",
    }
    if header:
        answer = client.get("/api/nowhere", headers={"Accept-Language": f"{language},fr;q=0.5"})
    else:
        answer = client.get(f"/api/nowhere?lang={language}")
    assert answer.json()["title"] == titles[language]
    assert answer.json()["status"] == answer.status_code == 404


def test_what_breaks_in_the_server_shows_no_traces(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kiosk.server import catalogue

    def broken() -> None:
        raise RuntimeError("secret /path")

    monkeypatch.setattr(catalogue, "tiles_json", broken)
    answer = client.get("/api/tiles")
    assert (answer.status_code, answer.json()["id"]) == (500, "trouble")
    assert "secret" not in answer.text
