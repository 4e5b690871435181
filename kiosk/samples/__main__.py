"""Draw the sample pictures again: `make samples`."""

from __future__ import annotations

from kiosk.pictures import write_picture
from kiosk.samples import samples
from scorer import Hand


def draw_all() -> None:
    from datasets.samples import draw_hand_picture

    for sample in samples().values():
        scene = draw_hand_picture(Hand.parse(sample.hand), seed=sample.seed, winning=sample.winning)
        print(write_picture(sample.path, scene.image))


if __name__ == "__main__":
    draw_all()
