"""Types and paths that every module here shares."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[Any]
"""8-bit pixels (h, w) or (h, w, channels), blue first; OpenCV does not tell the type of its own."""

Floats = NDArray[Any]
"""Real numbers, mostly 32 bit."""


def as_pixels(values: Floats) -> Picture:
    """Real values as 8-bit pixels, cut off at 0 and 255."""
    return np.asarray(np.clip(values, 0, 255).astype(np.uint8))


def shared_folder() -> Path:
    """The folder of shared data: ``HUPAI_SHARED``, by default ``../shared``."""
    return Path(os.environ.get("HUPAI_SHARED", "../shared"))
