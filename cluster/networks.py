"""A network in a replica of its own, and the session that reaches it.

A replica takes requests in batches: inputs of one shape go through the network together, and what
comes out is bit by bit what each would have given alone. Detector and reader run on top of such a
session as they do on one of this process, so that a reading is the same wherever it is made.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from ray import serve
from ray.exceptions import RayActorError, RayTaskError
from ray.serve.exceptions import RayServeException
from ray.serve.handle import DeploymentHandle

from models import Model, load_session, manifest
from vision.detector import Detector
from vision.reader import Reader

BATCH: Final = 8
BATCH_WAIT_S: Final = 0.005
ANSWER_S: Final = 20.0
"""A request that no replica has answered by then is given up; the client asks again."""
PAUSE_S: Final = 0.05
NAMES: Final = ("detector", "reader")

Array = NDArray[np.float32]


class Network:
    """One replica: a network by its name in the manifest, with `threads` for each run."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._session, self._model = load_session(name, threads=threads)
        self._input = self._session.get_inputs()[0].name
        self._probe = _probe(self._model)

    @serve.batch(max_batch_size=BATCH, batch_wait_timeout_s=BATCH_WAIT_S)  # type: ignore[untyped-decorator]
    async def __call__(self, inputs: list[Array]) -> list[list[Array]]:
        """(k, …) arrays to the network's outputs for each; outputs are (k, …) as well."""
        return await asyncio.to_thread(self._run_all, inputs)

    def check_health(self) -> None:
        """Raises where the network does not answer any more; Serve then starts another replica."""
        self._session.run(None, {self._input: self._probe})

    def _run_all(self, inputs: list[Array]) -> list[list[Array]]:
        alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for place, one in enumerate(inputs):
            alike[one.shape[1:]].append(place)
        answers: list[list[Array]] = [[] for _ in inputs]
        for places in alike.values():
            together = np.concatenate([inputs[place] for place in places])
            outputs = self._session.run(None, {self._input: together})
            ends = np.cumsum([len(inputs[place]) for place in places])[:-1]
            for output in outputs:
                for place, part in zip(places, np.split(output, ends), strict=True):
                    answers[place].append(part)
        return answers


def _probe(model: Model) -> Array:
    side = 64 if model.name == "detector" else model.input_px
    return np.zeros((1, 3, side, side), np.float32)


@dataclass(frozen=True, slots=True)
class _Input:
    name: str


class FarSession:
    """What a detector or a reader uses of an ONNX session, run by a replica elsewhere.

    A replica or a node that dies costs the request nothing but time: running a network changes
    nothing, so it is asked again. To be used from worker threads, not from an event loop.
    """

    def __init__(self, handle: DeploymentHandle) -> None:
        self._handle = handle
        self.retries = 0

    def get_inputs(self) -> list[_Input]:
        return [_Input("input")]

    def run(self, names: None, feeds: dict[str, Array]) -> list[Array]:
        """The network's outputs. Raises TimeoutError when no replica answers in time."""
        ends = time.monotonic() + ANSWER_S
        while True:
            try:
                answer = self._handle.remote(feeds["input"])
                outputs: list[Array] = answer.result(timeout_s=max(0.0, ends - time.monotonic()))
                return [np.array(output) for output in outputs]  # Ray's own are read-only
            except RayTaskError:
                raise  # the network itself has failed; another replica would too
            except (RayActorError, RayServeException):
                if time.monotonic() + PAUSE_S >= ends:
                    raise TimeoutError("no replica of the network answers") from None
                self.retries += 1
                time.sleep(PAUSE_S)


def far_networks(handles: dict[str, DeploymentHandle]) -> tuple[Detector, Reader]:
    """Detector and reader with the settings of the manifest, their networks in replicas."""
    known = manifest()
    detector = Detector(FarSession(handles["detector"]), model=known["detector"])
    reader = Reader(FarSession(handles["reader"]), model=known["reader"])
    return detector, reader
