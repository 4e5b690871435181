"""The networks that ship, loaded once, for the verbs and the server."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kiosk.trouble import Trouble

if TYPE_CHECKING:
    from vision.detector import Detector
    from vision.reader import Reader


@lru_cache(maxsize=1)
def networks() -> tuple[Detector, Reader]:
    """Detector and reader. Raises Trouble when a model cannot be used."""
    from models import ModelError
    from vision.detector import Detector
    from vision.reader import Reader

    try:
        return Detector(), Reader()
    except ModelError as error:
        raise Trouble(f"{error}.") from None
