"""Types and paths that every module here shares."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Pixels (h, w) or (h, w, channels), blue first."""


def shared_folder() -> Path:
    """The folder of shared data: ``HUPAI_SHARED``, by default ``../shared``."""
    return Path(os.environ.get("HUPAI_SHARED", "../shared"))
