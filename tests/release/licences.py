"""Licences as SPDX expressions, and whether what stands under one may go into hupai."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from license_expression import AND, LicenseWithExceptionSymbol, Licensing, get_spdx_licensing

FITTING: Final = frozenset({
    "0BSD", "AGPL-3.0-or-later", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0",
    "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later", "ISC", "LGPL-2.1-or-later",
    "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PostgreSQL",
    "PSF-2.0", "Python-2.0", "Unlicense", "Zlib",
})  # fmt: skip
"""Permissive licences, and the copyleft ones that the FSF lists as compatible with (A)GPL 3."""

CONCLUDED: Final = {
    "flatbuffers": "Apache-2.0",
    "opencv-python": "Apache-2.0 AND MIT",
    "protobuf": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
}
"""By package: read in its licence file, because its metadata names no SPDX identifier."""


def expression_of(component: dict[str, Any]) -> str:
    """The SPDX expression of a component of a CycloneDX document, or "" where it has none."""
    found = component.get("licenses", [])
    if len(found) != 1:
        return ""
    return str(found[0].get("expression") or found[0]["license"].get("id", ""))


def fits(expression: str) -> bool:
    """Whether one of the choices that the expression leaves fits AGPL-3.0-or-later.

    Raises `license_expression.ExpressionError` for what is not SPDX.
    """
    parsed = _licensing().parse(expression, validate=True, strict=True)
    return parsed is not None and _fits(parsed)


@cache
def _licensing() -> Licensing:
    return get_spdx_licensing()


def _fits(node: Any) -> bool:
    if isinstance(node, LicenseWithExceptionSymbol):  # an exception only allows more
        return _fits(node.license_symbol)
    if not node.args:
        return node.key in FITTING
    each = map(_fits, node.args)
    return all(each) if isinstance(node, AND) else any(each)
