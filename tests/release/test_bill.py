"""What hupai is made of is written down, is current, and may be combined with its licence."""

from __future__ import annotations

import json
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from models import manifest
from tests.release import bill
from tests.release.built import Built
from tests.release.licences import expression_of, fits

BILL = json.loads(bill.SBOM.read_text(encoding="utf-8"))
COMPONENTS = BILL["components"]
BY_NAME = {component["name"].lower(): component for component in COMPONENTS}

components = pytest.mark.parametrize("component", COMPONENTS, ids=[c["name"] for c in COMPONENTS])


@components
def test_every_licence_fits(component: dict[str, object]) -> None:
    assert fits(expression_of(component))


@pytest.mark.parametrize(
    ("expression", "fitting"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND Zlib", True),
        ("Apache-2.0 OR SSPL-1.0", True),
        ("MIT AND SSPL-1.0", False),
        ("GPL-2.0-only", False),
        ("GPL-3.0-or-later WITH GCC-exception-3.1", True),
        ("(GPL-2.0-only OR MIT) AND PSF-2.0", True),
        ("", False),
    ],
)
def test_what_fits(expression: str, fitting: bool) -> None:
    assert fits(expression) is fitting


def test_the_document_is_of_this_release() -> None:
    root = BILL["metadata"]["component"]
    assert (BILL["bomFormat"], BILL["specVersion"]) == ("CycloneDX", "1.6")
    assert (root["name"], root["version"]) == ("hupai", bill.project()["version"])
    assert expression_of(root) == bill.project()["license"]


def test_every_package_that_hupai_asks_for_is_in_it() -> None:
    extras = bill.project()["optional-dependencies"]
    asked = {bill.name_of(text) for text in bill.project()["dependencies"]}
    also = {bill.name_of(text) for name in bill.OPTIONAL for text in extras[name]}
    assert asked | also <= set(BY_NAME)
    assert {BY_NAME[name]["scope"] for name in asked} == {"required"}
    assert {BY_NAME[name]["scope"] for name in also} == {"optional"}


def test_the_networks_are_in_it_as_they_ship() -> None:
    held = {c["name"]: c["hashes"][0]["content"] for c in COMPONENTS if "hashes" in c}
    shipped = {model.path.name: model.sha256 for model in manifest().values()}
    assert held == shipped, "run `python -m tests.release.bill --networks`"


def test_the_list_is_the_document_in_words() -> None:
    assert bill.LISTING.read_text(encoding="utf-8") == bill.listing(BILL)


def test_a_package_of_the_listed_version_has_the_listed_licence() -> None:
    """Read from the packages that are installed here, where they are of that version."""
    same = 0
    for component in COMPONENTS:
        try:
            here = version(component["name"]) == component.get("version")
        except PackageNotFoundError:
            continue
        if here:
            same += 1
            stated = bill.stated_licence(component["name"])
            assert stated in ("", expression_of(component)), component["name"]
    if not same:
        pytest.skip("no package here is of a version that is listed")


def test_made_anew_it_has_the_same_packages_and_licences(release: Built, tmp_path: Path) -> None:
    if os.environ.get("HUPAI_SLOW") != "1":
        pytest.skip("an environment is filled from a package index under HUPAI_SLOW=1 only")
    fresh = bill.bill_of(release.wheel, tmp_path)
    found, listed = (
        {c["name"]: expression_of(c) for c in document["components"]} for document in (fresh, BILL)
    )
    assert found == listed, "run `make bill`"
