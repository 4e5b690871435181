"""A full disk: said in a sentence, what was there is kept, and with room again all goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from calibration.profile import Profile
from calibration.store import Store as Profiles
from kiosk import cli
from kiosk.server.desk import Options
from teach import progress
from teach.cards import Deck
from tests.calibration.test_store import assert_same, full_profile
from tests.faults.disk import fill, small_disk
from tests.kiosk.server.conftest import client_of
from tests.support import REPOSITORY, missing
from tests.table.nights import PLAYERS, THREE_PUNGS

WIN = {"winners": [{"player": "Chi", "hand": THREE_PUNGS}], "from": "Bo"}


def book(client: TestClient, key: str) -> tuple[int, str]:
    answer = client.post("/api/table/hands", json=WIN, headers={"Idempotency-Key": key})
    data = answer.json()
    return answer.status_code, data.get("detail", "")


def test_the_server_on_a_full_disk(photo: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands, settings, kept pictures and the tile profile, all on a disk without any room."""
    with small_disk("4m") as disk:
        monkeypatch.setenv("HUPAI_DATA", str(disk / "data"))
        options = Options(config=disk / "config.toml", ledger=str(disk / "club.sqlite"))
        with client_of(options) as client:
            client.put("/api/config", json={"values": {"save_pictures": True, "base": 5}})
            client.post("/api/table/nights", json={"players": PLAYERS, "rules": "taiwan"})
            assert book(client, "first")[0] == 201
            filler = fill(disk)

            refused = [book(client, f"hand {n}") for n in range(40)]
            booked = [status for status, _ in refused].count(201)  # the journal had some room
            status, why = refused[-1]
            assert status == 503
            assert "the disk is full" in why
            assert "nothing was booked, what was there is kept" in why

            answer = client.put("/api/config", json={"values": {"base": 7}})
            assert (answer.status_code, answer.json()["id"]) == (503, "settings-file")
            assert "cannot be written" in answer.json()["detail"]
            assert client.get("/api/config").json()["values"]["base"] == 5

            read = client.post("/api/readings", files={"picture": photo}).json()
            assert read["hand"]
            kept = disk / "data" / "pictures"
            assert not [file for file in kept.rglob("*") if file.is_file()]
            tile = {"tiles": [{"index": 0, "face": "9m"}]}
            client.post(read["links"]["corrections"], json=tile)
            taught = client.post(read["links"]["misread"], json={"consent": True})
            assert taught.status_code == 422
            assert "It cannot be written" in taught.json()["detail"]

            filler.unlink()
            assert book(client, "hand 39") == (201, "")
            assert book(client, "hand 39") == (201, "")  # the same again is booked once
            assert client.get("/api/table").json()["length"] == 3 + booked
            assert client.put("/api/config", json={"values": {"base": 7}}).status_code == 200
            client.post("/api/readings", files={"picture": photo})
            assert len([file for file in kept.rglob("*.jpg") if file.stat().st_size > 10_000]) == 1
            assert client.post(read["links"]["misread"], json={"consent": True}).json()["learnt"]


def test_a_profile_on_a_full_disk_stays_the_one_it_was() -> None:
    with small_disk("2m") as disk:
        store = Profiles(disk / "profiles")
        store.save(full_profile())
        files = sorted(disk.rglob("*"))
        filler = fill(disk)
        with pytest.raises(OSError, match="No space"):
            store.save(Profile("club"))
        filler.unlink()
        assert_same(store.load("club"), full_profile())
        assert [file for file in sorted(disk.rglob("*")) if file.suffix != ".npz"] == [
            file for file in files if file.suffix != ".npz"
        ]
        store.save(Profile("club"))
        assert store.load("club").tiles is None


def test_what_was_learnt_stays_on_a_full_disk() -> None:
    with small_disk("64k") as disk:
        deck = Deck().answered("1m", True, 3.0)
        progress.save(disk / "deck.json", deck)
        filler = fill(disk)
        with pytest.raises(OSError, match="No space"):
            progress.save(disk / "deck.json", deck.answered("2m", True, 3.0))
        assert progress.load(disk / "deck.json") == (deck, None)
        filler.unlink()


def test_an_output_that_cannot_be_written_is_said() -> None:
    full = Path("/dev/full")
    if not full.exists():
        missing("full", "this system has no /dev/full")
    done = subprocess.run(
        [sys.executable, "-m", "kiosk", "score", THREE_PUNGS, "--seat", "W", "--round", "E",
         "--self-drawn"],
        cwd=REPOSITORY, stdout=full.open("wb"), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "hupai: the output was not written: the disk is full; make room.\n"


def test_an_export_and_a_picture_on_a_full_disk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with small_disk("1m") as disk:
        ledger = ["--ledger", str(tmp_path / "club.sqlite")]
        out = disk / "night.json"
        export = ["ledger", "export", "--format", "json", "--out", str(out), *ledger]
        assert cli.main(["ledger", "new", "--players", ",".join(PLAYERS), *ledger]) == 0
        assert cli.main(export) == 0
        before = out.read_bytes()
        filler = fill(disk)
        capsys.readouterr()
        assert cli.main(export) == 1
        said = capsys.readouterr().err
        assert said == f"hupai: {out} cannot be written: No space left on device.\n"
        assert out.read_bytes() == before  # the older export is still whole
        sample = str(REPOSITORY / "kiosk" / "samples" / "taiwan.jpg")
        assert cli.main(["read", sample, "--out", str(disk / "o.jpg")]) == 1
        assert "o.jpg cannot be written" in capsys.readouterr().err
        filler.unlink()
        assert cli.main(export) == 0
        assert sorted(file.name for file in disk.iterdir()) == ["night.json"]
