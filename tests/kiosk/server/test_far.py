"""Pictures read elsewhere: the same reading, and this machine's own where the service is away."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import httpx2
import numpy as np
import pytest

from calibration.profile import Profile
from kiosk.calibrate.tiles import learn
from kiosk.eyes import networks
from kiosk.server.access import Access
from kiosk.server.desk import Options
from kiosk.server.far import AwayError, Service
from kiosk.server.running import listening, server_of
from kiosk.server.service import create_service
from kiosk.words import LANGUAGES
from tests.kiosk.server.conftest import FACTS, client_of
from tests.support import slow_count
from vision import read
from vision.crops import cut_crops
from vision.sight import Sight

KEY = "a key of at least sixteen letters"


@contextmanager
def service(token: str | None = None, **more: Any) -> Iterator[str]:
    """A reading service that is really listening; its address."""
    app = create_service(more.get("networks") or networks(), Access(token))
    with listening("127.0.0.1", 0) as bound:
        server = server_of(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.02)
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(60)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with service() as url:
        yield url


def with_service(options: Options, url: str) -> Options:
    return Options(config=options.config, ledger=options.ledger, reading_url=url)


def posted(options: Options, photo: bytes, language: str = "en") -> dict[str, Any]:
    with client_of(options) as client:
        answer = client.post(f"/api/readings?lang={language}", files={"picture": photo})
        assert answer.status_code == 201
        data: dict[str, Any] = answer.json()
        return data


def without_names(reading: dict[str, Any]) -> dict[str, Any]:
    """A reading without what is another each time."""
    return {k: v for k, v in reading.items() if k not in ("id", "links", "timings_ms")}


def test_a_sight_survives_the_way_bit_by_bit(photo: bytes) -> None:
    detector, reader = networks()
    image = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    seen = reader.look(image, detector(image))
    back = Sight.from_json(seen.to_json())
    for mine, its in zip(seen._arrays().items(), back._arrays().items(), strict=True):
        assert mine[0] == its[0]
        assert mine[1].shape == its[1].shape
        assert mine[1].tobytes() == its[1].tobytes()
    nothing = np.zeros((64, 64, 3), np.uint8)
    empty = Sight.from_json(reader.look(nothing, detector(nothing)).to_json())
    assert len(reader(nothing, empty)) == 0


@pytest.mark.parametrize("wrong", [{}, {"p": "AAAA"}, {"score": 3}, {"score": "!"}, {"quads": ""}])
def test_what_is_no_sight_is_refused(photo: bytes, wrong: dict[str, Any]) -> None:
    detector, reader = networks()
    image = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    data: dict[str, Any] = dict(reader.look(image, detector(image)).to_json()) | wrong
    with pytest.raises(ValueError, match="no sight of a picture"):
        Sight.from_json(data if wrong else {})


def test_the_service_reads_as_a_table_does(url: str, options: Options, photo: bytes) -> None:
    with httpx2.Client(base_url=url, timeout=60) as client:
        there = client.post("/api/readings", files={"picture": photo})
    assert there.status_code == 201
    assert without_names(there.json()) == without_names(posted(options, photo))
    assert there.json()["hand"] == "123678m4599p[222z][777z]@6p"


def test_a_table_that_reads_there_reads_the_same(url: str, options: Options, photo: bytes) -> None:
    """Also a large photo, of which only half is sent for; nothing says that the service is away."""
    large = cv2.resize(cv2.imdecode(np.frombuffer(photo, np.uint8), 1), (3000, 2250))
    noise = np.random.default_rng(3).normal(0, 6, large.shape)
    big = cv2.imencode(".jpg", np.clip(large + noise, 0, 255).astype(np.uint8))[1].tobytes()
    assert len(big) > 2**20
    for picture in (photo, big):
        there = posted(with_service(options, url), picture)
        assert there["away"] == ""
        assert without_names(there) == without_names(posted(options, picture))


def test_the_club_s_own_tiles_count_for_what_was_seen_there(url: str, photo: bytes) -> None:
    """The tile set stays at the table: it is asked about what the service has seen."""
    detector, reader = networks()
    image = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    found = detector(image)
    plain = reader(image, found)
    from scorer import Tile

    wrong = [Tile.parse("9s")] * 2  # taught on purpose that two tiles are what they are not
    tiles = learn(None, cut_crops(image, found.quads[:2]), wrong, reader, keep_crops=False)
    profile = Profile("club").with_tiles(tiles)
    here = read(image, detector=detector, reader=reader, profile=profile)
    sight = Service(url, wait_s=60).sight(photo)
    there = read(image, detector=lambda picture: sight, reader=reader, profile=profile)
    assert here.text == there.text
    assert here.layout.detections.to_json() == there.layout.detections.to_json()
    assert here.layout.detections.to_json() != plain.to_json()


@contextmanager
def silent() -> Iterator[str]:
    """A service that takes requests and never answers."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen(64)
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


@contextmanager
def nobody() -> Iterator[str]:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
    yield f"http://127.0.0.1:{port}"


@contextmanager
def stranger() -> Iterator[str]:
    """Something else that speaks HTTP: this product's own service with other networks."""
    with service() as url, pytest.MonkeyPatch.context() as patch:
        patch.setattr("kiosk.server.service.digests", lambda: {"detector": "0", "reader": "1"})
        yield url


@contextmanager
def closed() -> Iterator[str]:
    with service(KEY) as url:
        yield f"{url}/?token=wrong"


@contextmanager
def broken() -> Iterator[str]:
    """A service whose networks fail."""

    def fail(*pictures: object) -> None:
        raise ArithmeticError("the network fails")

    with service(networks=(fail, networks()[1])) as url:
        yield url


AWAY = {
    "gone": (nobody, "reached"),
    "slow": (silent, "slow"),
    "refused": (closed, "key"),
    "other": (stranger, "version"),
    "failed": (broken, "failed"),
}


@pytest.mark.parametrize(("away", "word"), AWAY.values(), ids=AWAY)
def test_where_the_service_is_away_this_machine_reads_and_says_so(
    away: Any, word: str, options: Options, photo: bytes
) -> None:
    here = without_names(posted(options, photo))
    with away() as url, client_of(with_service(options, url)) as client:
        start = time.monotonic()
        answer = client.post("/api/readings?lang=en", files={"picture": photo}).json()
        again = client.post("/api/readings?lang=en", files={"picture": photo}).json()
        for reading in (answer, again):
            assert word in reading["away"]
            assert without_names(reading) == here | {"away": reading["away"]}
        said = {
            language: client.get(f"/api/kiosk?lang={language}").json()["away"]
            for language in LANGUAGES
        }
        assert word in said["en"]
        assert len(set(said.values())) == len(LANGUAGES)
        assert client.get("/health").json()["away"]
        assert time.monotonic() - start < 120  # once slow, it is let alone


def test_a_service_that_comes_back_is_used_again(options: Options, photo: bytes) -> None:
    with service() as url:
        far = Service(url, wait_s=60, rest_s=0.0)
        far.sight(photo)
        far.why = "gone"
        far.sight(photo)
        assert far.why == ""


def test_a_key_lets_a_table_in_and_is_shown_to_nobody(options: Options, photo: bytes) -> None:
    with service(KEY) as url:
        told = with_service(options, f"{url}/?token={KEY.replace(' ', '%20')}")
        with client_of(told) as client:
            assert client.post("/api/readings", files={"picture": photo}).json()["away"] == ""
            config = client.get("/api/config").text
        assert url in config
        assert "sixteen" not in config


def test_a_page_cannot_send_pictures_elsewhere(options: Options) -> None:
    """Who holds the key of the table may change settings, but not where its pictures go."""
    with client_of(options) as client:
        answer = client.put("/api/config", json={"values": {"reading_url": "http://evil.test"}})
        assert answer.status_code == 422
        assert answer.json()["field"] == "reading_url"


@pytest.mark.parametrize("url", ["ftp://x", "reading.local", "http://", "http:// x"])
def test_a_bad_address_is_named(tmp_path: Path, url: str) -> None:
    from kiosk.settings import Settings
    from kiosk.settings_fields import SettingError

    with pytest.raises(SettingError) as caught:
        Settings.of({"reading_url": url})
    assert caught.value.field == "reading_url"


def test_what_is_lost_on_the_way_is_asked_again(photo: bytes) -> None:
    """A relay drops every other connection in the middle of the answer."""
    drops = slow_count(3, 40)
    with service() as url, dropping(int(url.rpartition(":")[2])) as relay:
        far = Service(relay, wait_s=120, rest_s=0.0)
        first = far.sight(photo).to_json()
        for _ in range(drops):
            assert far.sight(photo).to_json() == first
        assert far.retries > 0


@contextmanager
def dropping(port: int) -> Iterator[str]:
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(16)

    def pump(source: socket.socket, target: socket.socket, most: int) -> None:
        with suppress(OSError):
            while most > 0 and (data := source.recv(4096)):
                target.sendall(data)
                most -= len(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        for number in range(10_000):
            try:
                inner, _ = bound.accept()
            except OSError:
                return
            outer = socket.create_connection(("127.0.0.1", port))
            most = 5000 if number % 2 == 0 else 10**9
            threading.Thread(target=pump, args=(inner, outer, 10**9), daemon=True).start()
            threading.Thread(target=pump, args=(outer, inner, most), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        bound.close()


def test_away_says_why() -> None:
    with nobody() as url, pytest.raises(AwayError, match="gone"):
        Service(url).sight(b"")


def test_facts_are_taken_by_the_service(url: str, photo: bytes) -> None:
    import json

    with httpx2.Client(base_url=url, timeout=60) as client:
        answer = client.post(
            "/api/readings", files={"picture": photo}, data={"situation": json.dumps(FACTS)}
        ).json()
        assert answer["total"] == 2
        assert client.get("/health").json()["status"] == "ok"
        assert client.post("/api/sights", content=b"no picture").status_code == 415
        assert client.get("/api/table").status_code == 404
