"""The address for phones, as a QR code for the page and for the terminal."""

from __future__ import annotations

import io
import ipaddress
import socket
from typing import Final

import segno

_FAR: Final = "192.0.2.1"
"""An address that leads out of the house; asking for the way to it sends nothing."""


def qr_svg(address: str) -> bytes:
    """The code in black on white, whatever the page's colours: readers want it so."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", scale=8, border=4, light="#fff", xmldecl=False
    )
    return out.getvalue()


def qr_terminal(address: str) -> str:
    """The code in half blocks, dark on light."""
    out = io.StringIO()
    segno.make(address, error="m").terminal(out, border=2, compact=True)
    return out.getvalue()


def own_addresses() -> list[str]:
    """IPv4 addresses by which others in the house reach this machine, the likeliest first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_FAR, 9))
            found.append(probe.getsockname()[0])
        except OSError:
            pass  # no way out: an island network, or none
    try:
        names = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(entry[4][0]) for entry in names]
    except OSError:
        pass
    return [ip for ip in dict.fromkeys(found) if not ipaddress.ip_address(ip).is_loopback]
