"""From a picture to the hand: sources, detector, reader, layout, decode, tracker, overlay.

The way is picture -> quads -> `Detections` -> `Layout` -> `Reading`; `vision.read` runs it once
and `vision.watch` for every frame of a stream. Nothing is loaded before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.decode import decode as decode
    from vision.detections import Detections as Detections
    from vision.layout import Layout as Layout
    from vision.overlay import overlay as draw_overlay
    from vision.pipeline import read as read
    from vision.pipeline import watch as watch
    from vision.reading import Reading as Reading

_HOME = {
    "Detections": ("vision.detections", "Detections"),
    "Layout": ("vision.layout", "Layout"),
    "Reading": ("vision.reading", "Reading"),
    "draw_overlay": ("vision.overlay", "overlay"),
    "read": ("vision.pipeline", "read"),
    "watch": ("vision.pipeline", "watch"),
}

__all__ = ["Detections", "Layout", "Reading", "draw_overlay", "read", "watch"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'vision' has no attribute {name!r}")
    module, attribute = _HOME[name]
    return getattr(import_module(module), attribute)
