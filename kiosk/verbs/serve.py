"""Serve the table: its screen, a page for phones, settings, and the HTTP interface.

Only this machine can connect unless --lan is given. Then phones in the same network scan the QR
code that is shown here and on the table's screen; it holds a key. The live view of a phone's
camera needs --https: the certificate is this machine's own, so browsers ask once.

examples:
  hupai serve
  hupai serve --lan
  hupai serve --lan --https --camera 0
  hupai serve --lan --reading-url http://192.168.1.5:8000
  hupai serve --config club.toml --ledger club.sqlite --port 8000

End with Ctrl-C. Exit code 0: ended. 1: the port is taken, or a file cannot be used. 2: wrong use.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.trouble import GOOD, Trouble

if TYPE_CHECKING:
    from kiosk.server.access import Access
    from kiosk.server.certificate import Certificate

PORT, SECURE_PORT = 8080, 8443


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lan", action="store_true", help="let phones of this network in")
    parser.add_argument("--https", action="store_true", help="with a certificate of its own")
    parser.add_argument(
        "--port", type=_port, metavar="N", help=f"{PORT}, with --https {SECURE_PORT}; 0: a free one"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file")
    parser.add_argument("--house", type=Path, metavar="FILE", help="house rules, for this time")
    parser.add_argument("--ledger", metavar="FILE|URL", help="the ledger (HUPAI_LEDGER)")
    parser.add_argument("--table", default="main", metavar="ID", help="which table of the ledger")
    parser.add_argument("--camera", metavar="SOURCE", help="fixed camera, for this time")
    parser.add_argument(
        "--reading-url", metavar="URL", help="send pictures to this reading service, for this time"
    )
    parser.add_argument("--new-key", action="store_true", help="phones must scan the code again")


def run(arguments: argparse.Namespace) -> int:
    from calibration.store import data_folder
    from kiosk.server.access import Access, kept_token, own_names
    from kiosk.server.certificate import kept_certificate
    from kiosk.server.qr import own_addresses
    from kiosk.server.running import listening

    port = arguments.port
    if port is None:
        port = SECURE_PORT if arguments.https else PORT
    folder = data_folder() / "serve"
    addresses = own_addresses() if arguments.lan else []
    certificate = None
    try:
        token = kept_token(folder / "key", arguments.new_key) if arguments.lan else None
        if arguments.https:
            names = sorted(own_names()) if arguments.lan else []
            certificate = kept_certificate(folder, names, addresses)
    except OSError as error:
        raise Trouble(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        bound = listening("0.0.0.0" if arguments.lan else "127.0.0.1", port)
    except OSError as error:
        raise Trouble(f"port {port} cannot be used: {error.strerror}; choose --port.") from None
    access = Access(token)
    with bound:
        from kiosk.server.app import create_app
        from kiosk.server.desk import Options
        from kiosk.server.running import server_of

        port = bound.getsockname()[1]
        here, phones = _addresses(arguments.https, port, access, addresses)
        app = create_app(
            Options(
                config=arguments.config,
                ledger=arguments.ledger,
                table=arguments.table,
                address=phones,
                https=arguments.https,
                access=access,
                camera=arguments.camera,
                house=arguments.house,
                reading_url=arguments.reading_url,
            )
        )
        _tell(here, phones, certificate)
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn ends in order, then passes it on
            server_of(app, certificate).run(sockets=[bound])
    return GOOD


def _addresses(
    https: bool, port: int, access: Access, addresses: list[str]
) -> tuple[str, str | None]:
    """What to open on this machine, and on a phone."""
    scheme = "https" if https else "http"
    key = f"?token={access.token}" if access.token else ""
    here = f"{scheme}://127.0.0.1:{port}/kiosk{key}"
    if access.token is None:
        return here, None
    host = addresses[0] if addresses else socket.gethostname()
    return here, f"{scheme}://{host}:{port}/phone{key}"


def _tell(here: str, phones: str | None, certificate: Certificate | None) -> None:
    from kiosk.server.qr import qr_terminal

    print(f"The table's screen: {here}")
    if phones is not None:
        print(f"Phones in this network: {phones}")
        print(qr_terminal(phones))
    else:
        print("Only this machine can connect; --lan lets phones in.")
    if certificate is not None:
        print("The certificate is this machine's own; browsers ask once whether to trust it.")
        print(f"Its SHA-256: {certificate.fingerprint}")
    print("Ctrl-C ends.", flush=True)
    sys.stdout.flush()


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: write 0 to 65535")
    return int(text)
