"""What all requests share: settings, networks, readings, live phones, the table, the camera."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from calibration.store import data_folder
from kiosk.server.access import Access
from kiosk.server.camera import Camera
from kiosk.server.club import ClubRoom
from kiosk.server.eyes import Looking
from kiosk.server.far import Service
from kiosk.server.hub import Hub
from kiosk.server.live import Lives
from kiosk.server.pool import Pool
from kiosk.server.problems import language_of
from kiosk.server.readings import Readings
from kiosk.server.tables import Tables
from kiosk.server.texts import text
from kiosk.settings import Settings, SettingsFile
from scorer import HouseRules


@dataclass(frozen=True, slots=True)
class Options:
    """How the server was started. `address` is what phones open, None where only this machine
    can; `ledger` a path or a database's URL; `camera`, `house` and `reading_url` stand before the
    settings'.
    """

    config: Path | None = None
    ledger: str | None = None
    table: str = "main"
    address: str | None = None
    https: bool = False
    camera: str | None = None
    house: Path | None = None
    reading_url: str | None = None
    access: Access = field(default_factory=Access)


class Desk:
    """Made once for a server; everything in it is for the event loop, or has a lock of its own."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.file = SettingsFile(options.config)
        said = {"house_file": options.house, "reading_url": options.reading_url}
        if first := {name: str(value) for name, value in said.items() if value is not None}:
            self.file.start_with(first)
        self.pool = Pool()
        url = self.settings["reading_url"]
        self.looking = Looking(self.settings["profile"], Service(url) if url else None)
        self.readings = Readings()
        self.lives = Lives()
        self.hub = Hub()
        self.tables = Tables(options.ledger, options.table)
        self.club = ClubRoom(options.ledger)
        self.camera = Camera(self.looking, self.readings, self.hub)
        self.pictures_folder = data_folder() / "pictures"
        self.streams = 0
        self.club_streams = 0
        self.closing = False

    @property
    def settings(self) -> Settings:
        return self.file.settings

    @property
    def language(self) -> str:
        language: str = self.settings["language"]
        return language

    def in_force(self) -> tuple[str, HouseRules]:
        """The rules of the night that is played, so that what is shown is what is booked; before
        the first night those of the settings."""
        return self.tables.rules() or self.settings.house()

    def change(self, values: dict[str, Any]) -> None:
        """Take new settings, and what follows from them. Raises SettingError or Trouble."""
        before = self.settings
        after = self.file.change(values)
        if before["profile"] != after["profile"]:
            self.looking.use(after["profile"])
        self.watch()
        self.hub.tell("config")

    def kiosk_json(self, language: str, *, reading: bool = True) -> dict[str, Any]:
        """What the camera sees now, and why the reading service is not reading, if so."""
        why = self.looking.away
        away = text("away", why, language) if why else ""
        return self.camera.to_json(language, reading=reading) | {"away": away}

    def watch(self) -> None:
        """Let the camera look as the settings say."""
        rules, house = self.in_force()
        chosen = self.options.camera
        self.camera.use(
            self.settings["camera"] if chosen is None else chosen,
            self.settings["camera_side"],
            rules,
            house,
            self.tables.situation,
        )

    def end_streams(self) -> None:
        """Let everybody who listens or looks go."""
        self.closing = True
        self.hub.close()

    def close(self) -> None:
        self.end_streams()
        self.camera.close()
        self.pool.close()


async def desk_of(request: Request) -> Desk:
    """The desk of the application that a request is for."""
    desk: Desk = request.app.state.desk
    return desk


async def language(request: Request) -> str:
    """The language in which a request is answered."""
    return language_of(request.scope, request.app.state.desk.language)


TheDesk = Annotated[Desk, Depends(desk_of)]
Said = Annotated[str, Depends(language)]
