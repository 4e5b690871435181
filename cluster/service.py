"""The reading service on Ray Serve: replicas of the networks, and what answers in front of them.

    requests ──> readings (decodes, cuts, scores) ──> detector, reader (a network each, in batches)

Each of the three grows and shrinks by itself between the bounds of a `Plan`, and is checked for
health; what answers in front is an ASGI application that the caller makes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import ray
from ray import serve
from ray.exceptions import RayActorError

from cluster.networks import NAMES, Network, far_networks
from vision.detector import Detector
from vision.reader import Reader

APP: Final = "hupai"
FRONT: Final = "readings"
ONGOING: Final = {FRONT: 8, "detector": 16, "reader": 16}
"""Requests that a replica holds at a time: one batch runs while the next one gathers."""
TARGET: Final = {FRONT: 2.0, "detector": 2.0, "reader": 4.0}
"""More than so many ongoing requests a replica, and another one is started."""
WAITING: Final = 200
"""So many more may wait in front; then the answer is 503 and the client reads by itself."""
HEALTH_S: Final = 2.0
HEALTH_LIMIT_S: Final = 20.0
UP_S, DOWN_S = 2.0, 60.0
REQUEST_S: Final = 60.0
TRIES: Final = 5

Networks = tuple[Detector, Reader]
Build = Callable[[Networks], Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How the service is laid out. `low` and `high`: replicas of each deployment; `cpus` is what
    Ray sets aside for a replica of a network (in front of them half of it), `threads` what a run
    of it uses. `host` and `port`: where it listens.
    """

    low: int = 1
    high: int = 8
    cpus: float = 1.0
    threads: int = 1
    host: str = "127.0.0.1"
    port: int = 8000


def deploy(plan: Plan, build: Build) -> None:
    """Start the service in the Ray cluster that is connected, or change it to this plan; returns
    once it answers. `build` makes the ASGI application in each replica. Raises RuntimeError.
    """
    for left in reversed(range(TRIES)):
        try:
            serve.start(
                proxy_location="HeadOnly",
                http_options={"host": plan.host, "port": plan.port, "request_timeout_s": REQUEST_S},
            )
            break
        except (TimeoutError, RayActorError):  # Serve's own patience is short on a busy machine
            if not left:
                raise
    serve.run(application(plan, build), name=APP, route_prefix="/")


def application(plan: Plan, build: Build) -> Any:
    """The three deployments, bound to each other."""

    def app() -> Any:
        handles = {name: serve.get_deployment_handle(name, app_name=APP) for name in NAMES}
        return build(far_networks(handles))

    networks = [
        serve.deployment(Network, name=name, **_options(name, plan, plan.cpus)).bind(
            name, plan.threads
        )
        for name in NAMES
    ]
    front = serve.deployment(
        serve.ingress(app)(),
        name=FRONT,
        max_queued_requests=WAITING,
        **_options(FRONT, plan, plan.cpus / 2),
    )
    return front.bind(*networks)


def _options(name: str, plan: Plan, cpus: float) -> dict[str, Any]:
    return {
        "ray_actor_options": {"num_cpus": cpus},
        "max_ongoing_requests": ONGOING[name],
        "autoscaling_config": {
            "min_replicas": plan.low,
            "initial_replicas": plan.low,
            "max_replicas": plan.high,
            "target_ongoing_requests": TARGET[name],
            "upscale_delay_s": UP_S,
            "downscale_delay_s": DOWN_S,
        },
        "health_check_period_s": HEALTH_S,
        "health_check_timeout_s": HEALTH_LIMIT_S,
        "graceful_shutdown_timeout_s": 5.0,
    }


def status() -> dict[str, Any]:
    """How the service is: `running`, its deployments, the nodes of the cluster."""
    app = serve.status().applications.get(APP)
    return {
        "running": app is not None and app.status.value == "RUNNING",
        "deployments": {
            name: {
                "status": about.status.value,
                "replicas": about.replica_states.get("RUNNING", 0),
                "message": about.message,
            }
            for name, about in (app.deployments if app else {}).items()
        },
        "nodes": [
            {
                "address": node["NodeManagerAddress"],
                "alive": node["Alive"],
                "cpus": node["Resources"].get("CPU", 0.0),
            }
            for node in ray.nodes()
        ],
    }


def down() -> None:
    """End the service; the cluster itself goes on."""
    serve.delete(APP)
    serve.shutdown()
