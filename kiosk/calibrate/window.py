"""Clicking the table's corners and dragging zones, in a window of OpenCV.

What a click does is decided by `Corners` and `Drag`, which know no window; `run` shows them in one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Table
from calibration.zones import Zone
from kiosk.calibrate.talk import Picture

GRAB_PX = 14.0
TITLE = "hupai"
ENTER, ESCAPE, BACKSPACE = (10, 13), 27, (8, 127)


class Mouse(Protocol):
    """What `run` shows and hands mouse and keys to. Positions are pixels of the picture."""

    @property
    def done(self) -> bool: ...
    def press(self, at: NDArray[np.float64]) -> None: ...
    def move(self, at: NDArray[np.float64]) -> None: ...
    def release(self) -> None: ...
    def back(self) -> None: ...
    def draw(self, picture: Picture) -> Picture: ...


@dataclass(slots=True)
class Corners:
    """Four corners, clicked in any order; a press near one picks it up, back takes the last."""

    points: list[NDArray[np.float64]] = field(default_factory=list)
    _held: int | None = None

    @property
    def done(self) -> bool:
        return len(self.points) == 4

    def press(self, at: NDArray[np.float64]) -> None:
        self._held = _nearest(self.points, at)
        if self._held is None and not self.done:
            self.points.append(at)

    def move(self, at: NDArray[np.float64]) -> None:
        if self._held is not None:
            self.points[self._held] = at

    def release(self) -> None:
        self._held = None

    def back(self) -> None:
        if self.points:
            self.points.pop()

    def draw(self, picture: Picture) -> Picture:
        canvas = picture.copy()
        for x, y in self.points:
            cv2.circle(canvas, (round(x), round(y)), 6, (60, 60, 230), 2, cv2.LINE_AA)
        return canvas


@dataclass(slots=True)
class Drag:
    """Zones of a table: a corner follows the mouse, and so does a zone held by its inside."""

    table: Table
    paint: Callable[[Picture, Table], Picture]
    done: bool = True
    _zone: int | None = None
    _corner: int | None = None
    _last_mm: NDArray[np.float64] | None = None
    _before: list[tuple[Zone, ...]] = field(default_factory=list)

    def press(self, at: NDArray[np.float64]) -> None:
        plane = self.table.plane
        for n, zone in enumerate(self.table.zones):
            corner = _nearest(list(plane.to_picture(zone.polygon_mm)), at)
            if corner is not None:
                self._hold(n, corner)
                return
        at_mm = plane.to_table(at)
        for n, zone in enumerate(self.table.zones):
            if zone.holds(at_mm[None])[0]:
                self._hold(n, None)
                self._last_mm = at_mm
                return

    def move(self, at: NDArray[np.float64]) -> None:
        if self._zone is None:
            return
        at_mm = self.table.plane.to_table(at)
        zone = self.table.zones[self._zone]
        try:
            if self._corner is not None:
                changed = zone.moved(self._corner, at_mm)
            else:
                assert self._last_mm is not None
                changed = zone.shifted(at_mm - self._last_mm)
        except ValueError:  # no area left, or beyond the horizon: stay where it was
            return
        self._last_mm = at_mm
        self._set((*self.table.zones[: self._zone], changed, *self.table.zones[self._zone + 1 :]))

    def release(self) -> None:
        self._zone = self._corner = None

    def back(self) -> None:
        if self._before:
            self._set(self._before.pop())

    def draw(self, picture: Picture) -> Picture:
        return self.paint(picture, self.table)

    def _hold(self, zone: int, corner: int | None) -> None:
        self._before.append(self.table.zones)
        self._zone, self._corner = zone, corner

    def _set(self, zones: tuple[Zone, ...]) -> None:
        t = self.table
        self.table = Table(t.plane, zones, t.tile_wh_mm, t.table_wh_mm, t.landmarks, t.lens)


def run(picture: Picture, mouse: Mouse, hint: str) -> bool:
    """Show the picture until Enter (True, once `mouse.done`) or Escape (False).

    Raises cv2.error where OpenCV has no windows.
    """
    scale = min(1.0, 1200 / max(picture.shape[:2]))

    def heard(event: int, x: int, y: int, flags: int, data: object) -> None:
        at = (np.array([x, y], np.float64) + 0.5) / scale - 0.5
        if event == cv2.EVENT_LBUTTONDOWN:
            mouse.press(at)
        elif event == cv2.EVENT_MOUSEMOVE:
            mouse.move(at)
        elif event == cv2.EVENT_LBUTTONUP:
            mouse.release()

    cv2.namedWindow(TITLE)
    cv2.setMouseCallback(TITLE, heard)
    try:
        while True:
            small = cv2.resize(mouse.draw(picture), None, fx=scale, fy=scale)
            for colour, weight in (((0, 0, 0), 4), ((255, 255, 255), 1)):
                cv2.putText(
                    small,
                    hint,
                    (10, 24),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.6,
                    colour,
                    weight,
                    cv2.LINE_AA,
                )
            cv2.imshow(TITLE, small)
            key = cv2.waitKey(30) & 0xFF
            if key in ENTER and mouse.done:
                return True
            if key == ESCAPE:
                return False
            if key in BACKSPACE:
                mouse.back()
    finally:
        cv2.destroyWindow(TITLE)


def _nearest(points: list[NDArray[np.float64]], at: NDArray[np.float64]) -> int | None:
    if not points:
        return None
    distances = [float(np.linalg.norm(point - at)) for point in points]
    best = int(np.argmin(distances))
    return best if distances[best] <= GRAB_PX else None
