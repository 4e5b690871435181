"""From a picture to the hand: sources, detector, reader, layout, decode, tracker, overlay.

The way is picture -> quads -> `Detections` -> `Layout` -> `Reading`; `vision.read` runs it.
Nothing is loaded before it is used.
"""
