"""What hupai is made of: `python -m tests.release.bill` (`make bill`) writes a CycloneDX document
and a list of licences into `packaging/`.

The wheel is installed, with the parts that only some clubs need, in an environment that holds
nothing else; cyclonedx-py looks at that one from another. Needs a package index. With `--networks`
only hupai's version and its networks are written anew, which needs none.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
import venv
from importlib.metadata import metadata
from pathlib import Path
from typing import Any, Final

from models import manifest
from tests.release.built import built
from tests.release.licences import CONCLUDED, expression_of
from tests.support import REPOSITORY

SBOM: Final = REPOSITORY / "packaging" / "sbom.cdx.json"
LISTING: Final = REPOSITORY / "packaging" / "licences.md"
OPTIONAL: Final = ("postgres", "riichi")
"""Extras that run at a table; the others are for those who build, train or test."""
NETWORK: Final = "machine-learning-model"
KEPT_LINKS: Final = ("website", "vcs")
VALIDATE: Final = (
    "import sys; from cyclonedx.schema import SchemaVersion as V; "
    "from cyclonedx.validation.json import JsonStrictValidator as J; "
    "wrong = J(V.V1_6).validate_str(sys.stdin.read()); sys.exit(str(wrong) if wrong else 0)"
)

HEAD: Final = """\
# What hupai stands on

Written by `make bill` from an environment on Linux into which only the wheel was installed; the
same as a CycloneDX document: [sbom.cdx.json](sbom.cdx.json). A test holds that every licence here
fits AGPL-3.0-or-later, under which hupai itself stands ([LICENSE](../LICENSE)).

| package | version | licence | needed by |
|---|---|---|---|
"""
FOOT: Final = """
Licences are those of the packages themselves. Some wheels carry more inside, under the licences
that they list in their own folder: those of opencv-python (FFmpeg, Qt, OpenSSL and others), numpy
(OpenBLAS, the GCC runtime), pillow, onnxruntime and psycopg-binary. hupai's wheel holds none of
them. Who hands on an image with all of them installed looks there first: opencv-python brings
OpenSSL 1.1, whose old licence does not fit the GPL.

hupai's own wheel holds besides its code:

- {networks}: the networks, {network_licence}; the
  [model card](../models/card.md) credits the pictures they learnt from;
- the outlines of characters in `datasets/glyphs`, from fonts under the SIL Open Font License 1.1;
  each file names its font;
- pictures of tiles, icons and samples, drawn by hupai, AGPL-3.0-or-later.

The other extras of `pyproject.toml`, for those who train, test, or run a cluster, bring packages
that are not listed here.
"""


def main(words: list[str]) -> None:
    if words == ["--networks"]:
        bill = with_networks(json.loads(SBOM.read_text(encoding="utf-8")))
    else:
        with tempfile.TemporaryDirectory() as place:
            wheel = built(Path(place)).wheel
            bill = bill_of(wheel, Path(place))
    SBOM.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    LISTING.write_text(listing(bill), encoding="utf-8")
    print(f"{len(bill['components'])} components: {SBOM}, {LISTING}")


def bill_of(wheel: Path, place: Path) -> dict[str, Any]:
    """The validated CycloneDX document of what pip installs for the wheel and what is OPTIONAL."""
    plain, tool = place / "plain", place / "tool"
    venv.create(plain, with_pip=False)
    venv.create(tool, with_pip=True)
    pip = [str(tool / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    python = str(plain / "bin" / "python")
    wish = f"{wheel}[{','.join(OPTIONAL)}]"
    _run([*pip, "install", "--quiet", "cyclonedx-bom>=7"])
    _run([*pip, "--python", python, "install", "--quiet", wish])
    words = ["environment", "--output-reproducible", "--short-PURLs", "--sv", "1.6"]
    project = ["--pyproject", str(REPOSITORY / "pyproject.toml")]
    found = _run([str(tool / "bin" / "cyclonedx-py"), *words, *project, python])
    bill = completed(json.loads(found))
    _run([str(tool / "bin" / "python"), "-c", VALIDATE], json.dumps(bill))
    return bill


def completed(bill: dict[str, Any]) -> dict[str, Any]:
    """The same with concluded licences, what is optional, our networks, and few links."""
    extras = project()["optional-dependencies"]
    needed = _reached(
        bill,
        {name_of(text) for text in project()["dependencies"]},
        {name_of(text) for name in OPTIONAL for text in extras[name]},
    )
    for component in (*bill["components"], *bill["metadata"]["tools"]["components"]):
        links = component.get("externalReferences", ())
        component["externalReferences"] = [x for x in links if x["type"] in KEPT_LINKS][:1]
    for component in bill["components"]:
        component["scope"] = "required" if component["bom-ref"] in needed else "optional"
        if not expression_of(component) and component["name"] in CONCLUDED:
            component["licenses"] = [
                {"expression": CONCLUDED[component["name"]], "acknowledgement": "concluded"}
            ]
    return with_networks(bill)


def with_networks(bill: dict[str, Any]) -> dict[str, Any]:
    """The same with hupai's version and the networks as they are now."""
    bill["metadata"]["component"]["version"] = project()["version"]
    packages = [c for c in bill["components"] if c["type"] != NETWORK]
    networks = [
        {
            "bom-ref": model.path.name,
            "type": NETWORK,
            "name": model.path.name,
            "hashes": [{"alg": "SHA-256", "content": model.sha256}],
            "licenses": [{"license": {"id": model.licence}}],
            "scope": "required",
        }
        for model in manifest().values()
    ]
    bill["components"] = sorted(packages + networks, key=lambda c: str(c["name"]).lower())
    return bill


def listing(bill: dict[str, Any]) -> str:
    """The list of licences as Markdown."""
    packages = [c for c in bill["components"] if c["type"] == "library"]
    networks = [c for c in bill["components"] if c["type"] == NETWORK]
    lines = [
        f"| {c['name']} | {c['version']} | {expression_of(c) or 'not known'} | "
        f"{', '.join(_parents(bill, c))} |\n"
        for c in packages
    ]
    foot = FOOT.format(
        networks=" and ".join(f"`models/{c['name']}`" for c in networks),
        network_licence=" and ".join(sorted({expression_of(c) for c in networks})),
    )
    return HEAD + "".join(lines) + foot


def _parents(bill: dict[str, Any], component: dict[str, Any]) -> list[str]:
    names = {c["bom-ref"]: str(c["name"]) for c in bill["components"]}
    optional = component["scope"] == "optional"
    names["root-component"] = "hupai, optional" if optional else "hupai"
    ref = component["bom-ref"]
    found = [names[d["ref"]] for d in bill["dependencies"] if ref in d.get("dependsOn", ())]
    return sorted(found, key=lambda name: (not name.startswith("hupai"), name.lower()))


def _reached(bill: dict[str, Any], names: set[str], without: set[str]) -> set[str]:
    """References of these packages and of all that they depend on, `without` some.

    The document counts what a package could use as well: SQLAlchemy and psycopg.
    """
    graph = {d["ref"]: d.get("dependsOn", []) for d in bill["dependencies"]}
    refs = {c["name"].lower(): c["bom-ref"] for c in bill["components"]}
    waiting = [refs[name] for name in names]
    left_out = {refs[name] for name in without}
    found: set[str] = set()
    while waiting:
        ref = waiting.pop()
        if ref not in found | left_out:
            found.add(ref)
            waiting += graph.get(ref, [])
    return found


def project() -> dict[str, Any]:
    """The table `project` of pyproject.toml."""
    data = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    return dict(data["project"])


def stated_licence(package: str) -> str:
    """The SPDX expression in the metadata of a package that is installed here, or ""."""
    return str(metadata(package).json.get("license_expression", ""))


def name_of(requirement: str) -> str:
    """The package a requirement asks for, in lower case."""
    return requirement.split(">")[0].split("[")[0].strip().lower()


def _run(command: list[str], told: str | None = None) -> str:
    done = subprocess.run(command, input=told, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} …:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1:])
