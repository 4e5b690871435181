"""Short names for the arrays that are passed around here."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]  # (h,w) grey or (h,w,3) BGR


def floats(values: Any) -> Floats:
    """`values` as an array of 64-bit floats."""
    return np.asarray(values, np.float64)


def grey(picture: Picture) -> Picture:
    """`picture` without colour."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
