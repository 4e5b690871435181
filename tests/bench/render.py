"""How fast scenes are rendered: `python -m tests.bench.render`.

Wall time on all cores as `hupai render` uses them, and processor time for one picture, which does
not suffer from what else is running.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from datasets.bank import FaceBank
from datasets.render import RenderJob, render_folder
from datasets.scenes import PRESETS, render_scene

SIZES_PX = (320, 640)
PICTURES = 40


def processor_ms(size_px: int, preset: str, pictures: int) -> float:
    """Mean processor time of one picture in milliseconds, on one thread."""
    cv2.setNumThreads(1)
    bank = FaceBank.own()
    render_scene(np.random.default_rng(0), bank, size=(size_px, size_px), preset=preset)
    start = time.process_time()
    for k in range(pictures):
        rng = np.random.default_rng([1, k])
        render_scene(rng, bank, size=(size_px, size_px), preset=preset)
    return (time.process_time() - start) / pictures * 1000


def pictures_a_second(size_px: int, pictures: int) -> float:
    """As `hupai render` does it: all cores, JPEG files and labels written, starting included."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        render_folder(RenderJob(pictures, size=(size_px, size_px)), Path(folder))
        return pictures / (time.monotonic() - start)


def main() -> None:
    print("| pixels | preset | ms of one core for a picture |")
    print("|---|---|---|")
    for size in SIZES_PX:
        for preset in PRESETS:
            print(f"| {size} | {preset} | {processor_ms(size, preset, PICTURES):.0f} |", flush=True)
    for size in SIZES_PX:
        rate = pictures_a_second(size, 6 * PICTURES)
        print(f"{size} pixels on {os.cpu_count()} cores: {rate:.1f} pictures a second", flush=True)


if __name__ == "__main__":
    main()
