"""Pictures that the club wants to keep: only where that is switched on, and without EXIF."""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

from kiosk.output import put
from kiosk.server.readings import Kept
from kiosk.server.uploads import decode, jpeg

QUALITY = 92


def save_picture(folder: Path, kept: Kept) -> None:
    """Write the picture anew, under a name of ours; a full disk does not stop the reading, and
    leaves no half of a picture behind."""
    at = datetime.now()
    file = folder / f"{at:%Y-%m-%d}" / f"{at:%H%M%S}-{kept.id}.jpg"
    try:
        put(file, jpeg(decode(kept.data), QUALITY))
    except OSError as error:
        logging.getLogger("hupai").warning("%s was not kept: %s", file, error.strerror)
