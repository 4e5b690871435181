"""Writing pictures where the user wants them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.output import write_out
from kiosk.trouble import WrongUse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


def write_picture(path: Path, picture: NDArray[np.uint8]) -> Path:
    """Encode (h, w, 3) BGR by the file's suffix and write it, making its folder.

    Raises WrongUse for a suffix that is no picture, Trouble when it cannot be written.
    """
    import cv2

    if path.suffix.lower() not in SUFFIXES:
        raise WrongUse(f"{path}: a picture is written as {', '.join(SUFFIXES)}.")
    quality = [cv2.IMWRITE_JPEG_QUALITY, 88] if path.suffix.lower() in (".jpg", ".jpeg") else []
    _, data = cv2.imencode(path.suffix.lower(), picture, quality)
    write_out(path, data.tobytes())
    return path


def overlay_path(out: Path, picture: str, several: bool) -> Path:
    """Where the overlay of `picture` goes: `out` itself, or a file in the folder `out`."""
    if not several and out.suffix.lower() in SUFFIXES and not out.is_dir():
        return out
    name = Path(picture.rpartition("?")[0] or picture).stem or "picture"
    return out / f"{name}-overlay.jpg"
