"""The ChArUco board: a printed chessboard with a marker in each white square.

Each inner corner has a number that can be told even when part of the board is out of the picture,
so that views may reach into the corners of the picture, where lens distortion shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, grey
from calibration.sheets import A4_MM, Sheet, Text, ruler

_BITS = 5
_DICTIONARY = cv2.aruco.DICT_5X5_100
MAX_MARKERS = 100


@dataclass(frozen=True, slots=True)
class Board:
    """`columns` x `rows` squares of `square_mm`, with markers of `marker_mm` in the white ones."""

    columns: int = 7
    rows: int = 10
    square_mm: float = 25.0
    marker_mm: float = 18.0

    def __post_init__(self) -> None:
        size = f"{self.columns} x {self.rows}"
        if self.columns < 3 or self.rows < 3:
            raise ValueError(f"a board needs at least 3 x 3 squares, but got {size}")
        if self.columns * self.rows // 2 > MAX_MARKERS:
            raise ValueError(f"a board of {size} squares needs over {MAX_MARKERS} markers")
        if not 0 < self.marker_mm < self.square_mm:
            raise ValueError(
                f"markers ({self.marker_mm:g} mm) must be smaller than squares "
                f"({self.square_mm:g} mm)"
            )

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the whole pattern."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @property
    def corners_mm(self) -> Floats:
        """Inner corners (n,2) by number: origin at the pattern's top left, y downwards."""
        x, y = np.meshgrid(np.arange(1, self.columns), np.arange(1, self.rows))
        return np.stack([x.ravel(), y.ravel()], axis=1) * np.float64(self.square_mm)

    def sheet(self, page_mm: tuple[float, float] = A4_MM) -> Sheet:
        """The board centred on a page, with its size written below it.

        Raises ValueError when the pattern does not fit.
        """
        width, height = self.size_mm
        left, top = (page_mm[0] - width) / 2, max(5.0, (page_mm[1] - height) / 2 - 6)
        rectangles = self._rectangles() + np.array([left, top, 0, 0])
        bar, caption = ruler(left, top + height + 8)
        name = (
            f"hupai ChArUco board {self.columns} x {self.rows}, squares {self.square_mm:g} mm, "
            f"markers {self.marker_mm:g} mm"
        )
        texts = (caption, Text(left, top + height + 14, name))
        return Sheet(page_mm, np.concatenate([rectangles, bar]), texts)

    def _rectangles(self) -> Floats:
        dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
        cells = _BITS + 2  # the marker's black border is one cell wide
        cell = self.marker_mm / cells
        margin = (self.square_mm - self.marker_mm) / 2
        found: list[list[float]] = []
        marker = 0
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = column * self.square_mm, row * self.square_mm
                if (row + column) % 2 == 0:
                    found.append([x, y, self.square_mm, self.square_mm])
                    continue
                bits = np.asarray(
                    cv2.aruco.generateImageMarker(dictionary, marker, cells), np.uint8
                )
                found += black_runs(bits, x + margin, y + margin, cell)
                marker += 1
        return np.asarray(found)

    def detector(self) -> cv2.aruco.CharucoDetector:
        """OpenCV's detector for this board."""
        dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
        board = cv2.aruco.CharucoBoard(
            (self.columns, self.rows), self.square_mm, self.marker_mm, dictionary
        )
        return cv2.aruco.CharucoDetector(board)

    def find(self, picture: Picture) -> tuple[NDArray[np.int64], Floats]:
        """Numbers (n,) and pixels (n,2) of the inner corners seen in `picture` (grey or BGR)."""
        image = grey(picture)
        corners, numbers, _, _ = self.detector().detectBoard(image)
        if numbers is None or len(numbers) == 0:
            return np.empty(0, np.int64), np.empty((0, 2))
        return numbers.ravel().astype(np.int64), corners.reshape(-1, 2).astype(np.float64)


def black_runs(bits: Picture, x_mm: float, y_mm: float, cell_mm: float) -> list[list[float]]:
    """Rectangles (x, y, width, height in mm) over a marker's black cells, one per run in a row.

    Runs rather than cells: fewer rectangles, and no hairlines between neighbours on screen.
    """
    found: list[list[float]] = []
    for row, line in enumerate(bits):
        edges = np.flatnonzero(np.diff(np.pad((line < 128).astype(np.int8), 1)))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            found.append(
                [x_mm + start * cell_mm, y_mm + row * cell_mm, (stop - start) * cell_mm, cell_mm]
            )
    return found
