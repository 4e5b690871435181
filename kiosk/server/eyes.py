"""The networks and the profile that the server reads with, loaded when they are first needed."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.profile import Profile, ProfileError
from calibration.prototypes import PrototypeError
from calibration.store import Store
from kiosk.calibrate.active import NONE, fitted
from kiosk.eyes import networks
from kiosk.server.far import FarDetector, Picture, Service
from kiosk.server.problems import Problem
from kiosk.trouble import Trouble

if TYPE_CHECKING:
    from vision.detector import Detector
    from vision.pipeline import FindsTiles
    from vision.reader import Reader


@dataclass(frozen=True, slots=True)
class Eyes:
    """What one picture is read with."""

    detector: Detector | FarDetector
    reader: Reader
    profile: Profile | None

    def finder(self, image: Picture, data: bytes, half: bool) -> FindsTiles:
        """The detector for one upload, which need not be encoded again to be sent on."""
        detector = self.detector
        if not isinstance(detector, FarDetector):
            return detector
        return lambda picture: detector.look(picture, (data, half, image))

    @property
    def away(self) -> str:
        """Why the last picture of this thread was not read by the reading service, if so."""
        return self.detector.why if isinstance(self.detector, FarDetector) else ""


class Looking:
    """Gives `Eyes` to worker threads; `state` says how far the networks are, `version` counts
    changes of the profile.
    """

    def __init__(self, profile: str = "", service: Service | None = None) -> None:
        self.service = service
        self.state = "loading"
        self.version = 0
        self._name = profile
        self._eyes: Eyes | None = None
        self._lock = threading.Lock()

    def eyes(self) -> Eyes:
        """Loads them where that has not been done. Raises Problem `networks`."""
        with self._lock:
            if self._eyes is None:
                try:
                    detector, reader = networks()
                except Trouble as trouble:
                    self.state = "failed"
                    raise Problem("networks", why=str(trouble)) from None
                profile = _profile(self._name, reader)
                far = FarDetector(detector, self.service) if self.service else detector
                self._eyes = Eyes(far, reader, profile)
                self.state = "ready"
            return self._eyes

    @property
    def away(self) -> str:
        """Why the reading service is not reading now, if there is one."""
        return self.service.why if self.service is not None else ""

    def use(self, profile: str) -> None:
        """Read with another profile from the next picture on."""
        with self._lock:
            self._name = profile
            self._eyes = None
            self.version += 1

    def again(self) -> None:
        """Read the profile again: it has been written."""
        self.use(self._name)


def _profile(name: str, reader: Reader) -> Profile | None:
    """A profile that cannot be used is left out: the settings page names it, reading goes on."""
    store = Store.of_user()
    if name == NONE:
        return None
    try:
        profile = store.load(name) if name else store.load_active()[0]
        return None if profile is None else fitted(profile, reader)
    except (ProfileError, PrototypeError, OSError):
        return None
