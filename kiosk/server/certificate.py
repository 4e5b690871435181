"""A certificate of this machine's own, made once and kept: phones show cameras to HTTPS only."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAYS: Final = 397
"""Longer ones are refused by phones."""
SPARE_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files in PEM, and the SHA-256 that the browser shows."""

    file: Path
    key: Path
    fingerprint: str


def kept_certificate(folder: Path, names: list[str], addresses: list[str]) -> Certificate:
    """The certificate in `folder`, made anew when it is missing, soon over, or for other names.

    The private key is readable by its owner alone. Raises OSError when it cannot be written.
    """
    file, key_file = folder / "certificate.pem", folder / "key.pem"
    wanted = {"localhost", "127.0.0.1", "::1", *names, *addresses}
    found = _usable(file, key_file, wanted)
    if found is None:
        folder.mkdir(parents=True, exist_ok=True)
        key = ec.generate_private_key(ec.SECP256R1())
        found = _made(key, sorted(wanted))
        _write(key_file, _key_bytes(key), 0o600)
        _write(file, found.public_bytes(serialization.Encoding.PEM), 0o644)
    digest = found.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(file, key_file, digest)


def _usable(file: Path, key_file: Path, wanted: set[str]) -> x509.Certificate | None:
    try:
        found = x509.load_pem_x509_certificate(file.read_bytes())
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound):
        return None
    held = {*names.get_values_for_type(x509.DNSName)}
    held |= {str(ip) for ip in names.get_values_for_type(x509.IPAddress)}
    now = datetime.now(UTC)  # a clock that was wrong may have made one for other years
    begun = found.not_valid_before_utc <= now
    fresh = begun and found.not_valid_after_utc > now + timedelta(days=SPARE_DAYS)
    same = key.public_key() == found.public_key()
    return found if fresh and same and wanted <= held else None


def _made(key: ec.EllipticCurvePrivateKey, names: list[str]) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hupai")])
    now = datetime.now(UTC)
    use = x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=False, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(use, True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(key, hashes.SHA256())
    )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _key_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write(file: Path, content: bytes, mode: int) -> None:
    file.unlink(missing_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
