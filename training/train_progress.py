"""A training run's clock, learning rate, averaged weights, checkpoints and curve: the same for
both networks."""

from __future__ import annotations

import argparse
import copy
import csv
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

SAVE_EVERY_S = 180.0
REPORT_EVERY_S = 30.0
WARM_UP_STEPS = 150
LONGEST_STEP_S = 60.0
"""A longer step was a pause of the machine and costs the run no time."""


def command_line(
    network: str, learns_from: str, *, minutes: float, hold: float, photos: float, threads: int
) -> argparse.ArgumentParser:
    """What the training commands of both networks take, with a network's own defaults."""
    parser = argparse.ArgumentParser(
        prog=f"hupai train {network}", description=f"Train the {network} from {learns_from}."
    )
    add = parser.add_argument
    add("--out", type=Path, default=Path("runs") / network, help="folder of checkpoints and curves")
    add("--from", dest="start", type=Path, help="checkpoint whose weights to begin from")
    add("--minutes", type=float, default=minutes)
    add("--rate", type=float, default=0.002)
    add("--hold", type=float, default=hold, help="part of the time at the full rate")
    add("--photos", type=float, default=photos, help="part of what is shown that is of photos")
    add("--split", default="train", choices=("train", "train+dev"))
    add("--threads", type=int, default=threads)
    add("--seed", type=int, default=0)
    return parser


def short_numbers() -> torch.autocast:
    """Convolutions in bfloat16: half the time on processors that multiply them in hardware, about
    the same elsewhere; weights, averages and losses stay float32."""
    return torch.autocast("cpu", torch.bfloat16)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Full rate for ``hold`` of the time, then a cosine down to a hundredth; by the clock, so that
    a busy machine ends in time."""

    rate: float
    minutes: float
    hold: float

    def at(self, spent_s: float, step: int) -> float:
        """Learning rate after ``spent_s`` seconds of training and ``step`` steps."""
        part = min(spent_s / (self.minutes * 60.0), 1.0)
        warm = min(1.0, (step + 1) / WARM_UP_STEPS)
        if part <= self.hold:
            return self.rate * warm
        fall = (part - self.hold) / (1.0 - self.hold)
        return self.rate * warm * (0.01 + 0.99 * (1.0 + math.cos(math.pi * fall)) / 2.0)


class Progress:
    """Everything of a run that is not the network's own. ``checkpoint``: its file; ``now``: the
    clock that counts, in seconds."""

    def __init__(
        self,
        folder: Path,
        model: torch.nn.Module,
        optimiser: torch.optim.Optimizer,
        schedule: Schedule,
        average: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.checkpoint = folder / "last.pt"
        self.step = 0
        self.spent_s = 0.0
        self._curve = folder / "curve.csv"
        self._model = model
        self._optimiser = optimiser
        self._schedule = schedule
        self._decay = average
        self._averaged = copy.deepcopy(model).eval()
        self._since: list[dict[str, float]] = []
        self._now = now
        self._tick = self._saved = self._reported = now()

    def begin(self, start: Path | None) -> None:
        """Go on from this folder's checkpoint, else begin from the averaged weights of ``start``,
        else afresh."""
        if self.checkpoint.is_file():
            state = torch.load(self.checkpoint, map_location="cpu", weights_only=True)
            self._model.load_state_dict(state["model"])
            self._averaged.load_state_dict(state["averaged"])
            self._optimiser.load_state_dict(state["optimiser"])
            self.step, self.spent_s = state["step"], state["spent_s"]
        elif start is not None:
            weights = torch.load(start, map_location="cpu", weights_only=True)["averaged"]
            weights = {
                key: value.float() if value.is_floating_point() else value
                for key, value in weights.items()
            }
            # What the older weights have not begins afresh.
            weights = {**self._model.state_dict(), **weights}
            self._model.load_state_dict(weights)
            self._averaged.load_state_dict(weights)
        self._tick = self._now()

    @property
    def finished(self) -> bool:
        """Whether the time is spent."""
        return self.spent_s >= self._schedule.minutes * 60.0

    def set_rate(self) -> None:
        """Give the optimiser the learning rate of this moment."""
        for group in self._optimiser.param_groups:
            group["lr"] = self._schedule.at(self.spent_s, self.step)

    def record(self, parts: dict[str, float]) -> None:
        """One step is done: average the weights, note the losses, write when it is time."""
        self.step += 1
        self._average()
        self._since.append(parts)
        now = self._now()
        self.spent_s += min(now - self._tick, LONGEST_STEP_S)
        self._tick = now
        if now - self._reported > REPORT_EVERY_S:
            self._report()
            self._reported = now
        if now - self._saved > SAVE_EVERY_S:
            self.save()
            self._saved = now

    def save(self) -> None:
        """Write the checkpoint whole or not at all."""
        state = {
            "model": self._model.state_dict(),
            "averaged": self._averaged.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "step": self.step,
            "spent_s": self.spent_s,
        }
        fresh = self.checkpoint.with_suffix(".new")
        torch.save(state, fresh)
        os.replace(fresh, self.checkpoint)

    def _average(self) -> None:
        decay = self._decay * (1.0 - math.exp(-self.step / 500.0))
        with torch.no_grad():
            for mine, theirs in zip(
                self._averaged.state_dict().values(), self._model.state_dict().values(), strict=True
            ):
                if mine.is_floating_point():
                    mine.lerp_(theirs, 1.0 - decay)
                else:
                    mine.copy_(theirs)

    def _report(self) -> None:
        names = sorted(self._since[0])
        means = {name: sum(p[name] for p in self._since) / len(self._since) for name in names}
        row = {
            "minutes": round(self.spent_s / 60, 2),
            "step": self.step,
            "rate": self._schedule.at(self.spent_s, self.step),
        }
        row |= {name: round(value, 4) for name, value in means.items()}
        first = not self._curve.exists()
        with self._curve.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            if first:
                writer.writeheader()
            writer.writerow(row)
        print(" ".join(f"{key} {value:g}" for key, value in row.items()), flush=True)
        self._since.clear()
