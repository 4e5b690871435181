"""The reading service on a Ray cluster: for clubs and federations with many tables.

`up` starts it on a cluster that is there (--address), or starts Ray on this machine first. Tables
then read there: `hupai serve --reading-url URL`. Needs `pip install 'hupai[cluster]'`. What many
tables need is reckoned by `plan`; docs/cluster.md shows how.

examples:
  hupai cluster up
  hupai cluster up --lan --replicas 2:8
  hupai cluster up --address 192.168.1.5:6379 --lan
  hupai cluster status --json
  hupai cluster down
  hupai cluster plan 30

Exit code 0: done. 1: there is no cluster, or the service is not well. 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from kiosk.engines import add_address_argument, cluster_folder, connected
from kiosk.receipt import columns
from kiosk.trouble import GOOD, NOT_GOOD, Trouble

if TYPE_CHECKING:
    from kiosk.server.access import Access

PORT = 8000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    up = actions.add_parser("up", help="start the service, or change it")
    add_address_argument(up)
    up.add_argument("--port", type=int, default=PORT, metavar="N", help=f"its port ({PORT})")
    up.add_argument("--lan", action="store_true", help="let tables of this network in, with a key")
    up.add_argument("--new-key", action="store_true", help="with another key than last time")
    up.add_argument(
        "--replicas", type=_bounds, default=(1, 8), metavar="MIN:MAX", help="of each part (1:8)"
    )
    up.add_argument("--cpus", type=int, metavar="N", help="cores, where Ray is started (all)")
    up.add_argument("--share", type=float, default=1.0, metavar="N", help="cores a replica (1)")
    status = actions.add_parser("status", help="parts, replicas, nodes")
    add_address_argument(status)
    status.add_argument("--json", action="store_true", help="print JSON")
    down = actions.add_parser("down", help="end the service, and the Ray that `up` has started")
    add_address_argument(down)
    plan = actions.add_parser("plan", help="what so many tables need")
    plan.add_argument("tables", type=int, metavar="TABLES")
    plan.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    code: int = {"up": _up, "status": _status, "down": _down, "plan": _plan}[arguments.action](
        arguments
    )
    return code


def _up(arguments: argparse.Namespace) -> int:
    from kiosk.server.access import Access, kept_token, own_names
    from kiosk.server.service import builder

    folder = cluster_folder()
    try:
        token = kept_token(folder / "key", arguments.new_key) if arguments.lan else None
        _start_ray(folder, arguments)
    except OSError as error:
        raise Trouble(f"{folder} cannot be written: {error.strerror}.") from None
    access = Access(token, own_names())
    with connected(arguments.address):
        from cluster.service import Plan, deploy

        low, high = arguments.replicas
        host = "0.0.0.0" if arguments.lan else "127.0.0.1"
        plan = Plan(low, high, arguments.share, host=host, port=arguments.port)
        try:
            deploy(plan, builder(access))
        except (RuntimeError, TimeoutError) as error:
            why = str(error).splitlines()[0].rstrip(".")
            raise Trouble(f"the service did not start: {why}; see the logs of Ray.") from None
    _tell(access, arguments.port, folder)
    return GOOD


def _start_ray(folder: Path, arguments: argparse.Namespace) -> None:
    """Ray on this machine, where no address is given and none was started before."""
    from cluster import local

    if arguments.address or local.remembered(folder):
        return
    _need_ray()
    try:
        # Ray's sockets need a short path.
        head = local.start_head(Path(mkdtemp(prefix="hupai-ray-")), cpus=arguments.cpus)
    except local.ClusterError as error:
        raise Trouble(f"{error}.") from None
    local.remember(folder, head)


def _tell(access: Access, port: int, folder: Path) -> None:
    from cluster import local
    from kiosk.server.qr import own_addresses

    addresses = own_addresses() if access.token else []
    host = addresses[0] if addresses else "127.0.0.1"
    key = f"/?token={access.token}" if access.token else ""
    print(f"The reading service: http://{host}:{port}{key}")
    print("A table reads there with: hupai serve --reading-url that address")
    head = local.remembered(folder)
    if head is not None and addresses:
        joining = head.address.replace("127.0.0.1", host)
        print("Another machine with hupai[cluster] joins with:")
        print(f"  RAY_AUTH_MODE=token RAY_AUTH_TOKEN={head.key} ray start --address={joining}")


def _status(arguments: argparse.Namespace) -> int:
    _need_ray()
    with connected(arguments.address):
        from cluster.service import status

        found = status()
    if arguments.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        rows = columns(_rows(found)) if found["deployments"] else ["There is no reading service."]
        print("\n".join(rows))
    return GOOD if found["running"] else NOT_GOOD


def _rows(found: dict[str, Any]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (name, about["status"].lower(), f"{about['replicas']} replicas", about["message"])
        for name, about in found["deployments"].items()
    ]
    for node in found["nodes"]:
        state = "alive" if node["alive"] else "gone"
        rows.append((f"node {node['address']}", state, f"{node['cpus']:g} cores", ""))
    return rows


def _down(arguments: argparse.Namespace) -> int:
    from cluster import local

    _need_ray()
    head = local.remembered(cluster_folder())
    if arguments.address or head is None:
        with connected(arguments.address):
            from cluster.service import down

            down()
    else:
        head.stop()
        local.forget(cluster_folder())
        shutil.rmtree(Path(head.log).parent, ignore_errors=True)
    print("The reading service has ended.")
    return GOOD


def _plan(arguments: argparse.Namespace) -> int:
    from cluster.capacity import measured, needs

    found = needs(arguments.tables, measured())
    if arguments.json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        print("\n".join(columns(found.lines())))
    return GOOD


def _need_ray() -> None:
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise Trouble("Ray is not installed here: pip install 'hupai[cluster]'.")


def _bounds(text: str) -> tuple[int, int]:
    low, _, high = text.partition(":")
    if not (low.isdigit() and high.isdigit() and 1 <= int(low) <= int(high)):
        raise argparse.ArgumentTypeError(f"{text!r} is not MIN:MAX, such as 1:8")
    return int(low), int(high)
