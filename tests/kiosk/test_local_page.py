"""The page that stands in for a window: this machine only, the latest picture, nothing else."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from kiosk.local_page import LocalPage


@pytest.fixture
def page() -> Iterator[LocalPage]:
    shown = LocalPage()
    yield shown
    shown.close()


def test_it_listens_on_this_machine_alone(page: LocalPage) -> None:
    assert page.address.startswith("http://127.0.0.1:")


def test_the_page_shows_the_stream(page: LocalPage) -> None:
    with urllib.request.urlopen(page.address, timeout=10) as answer:
        assert b"stream.mjpg" in answer.read()


def test_the_stream_brings_each_new_picture(page: LocalPage) -> None:
    page.show(b"first")
    with urllib.request.urlopen(page.address + "stream.mjpg", timeout=10) as answer:
        assert answer.headers.get_content_type() == "multipart/x-mixed-replace"
        found = b""
        while b"first" not in found:
            found += answer.read1(64)
        page.show(b"second")
        while b"second" not in found:
            found += answer.read1(64)
    assert found.index(b"first") < found.index(b"second")


def test_there_is_nothing_else(page: LocalPage) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(page.address + "etc/passwd", timeout=10)
    assert refused.value.code == 404


def test_a_port_that_is_taken_is_an_error(page: LocalPage) -> None:
    port = int(page.address.rstrip("/").rpartition(":")[2])
    with pytest.raises(OSError, match="in use"):
        LocalPage(port)
