"""The picture's way goes in one direction: who may import whom, and what stays unloaded."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import REPOSITORY

MAY_IMPORT: dict[str, set[str]] = {
    "scorer": set(),
    "models": {"scorer"},
    "calibration": {"scorer"},
    "vision": {"scorer", "models", "calibration"},
    "datasets": {"scorer", "calibration"},
    "training": {"scorer", "models", "calibration", "vision", "datasets"},
    "table": {"scorer"},
    "teach": {"scorer", "table"},
    "cluster": {"scorer", "models", "calibration", "vision", "datasets", "training", "table"},
    "kiosk": {
        *("scorer", "models", "calibration", "vision", "datasets"),
        *("training", "table", "teach", "cluster"),
    },
}

HEAVY = {"torch", "ultralytics"}

# numpy and OpenCV are the business of pictures; the rules, the table and the lessons know neither.
PURE = {"scorer": {"numpy", "cv2", "PIL", "onnxruntime"}, "teach": {"numpy", "cv2", "onnxruntime"}}


def modules(package: str) -> list[Path]:
    return sorted((REPOSITORY / package).rglob("*.py"))


def imported(source: str) -> Iterator[tuple[str, bool]]:
    """Top-level names a module imports, each with whether it does so at import time."""

    def waits(node: ast.AST) -> bool:
        if isinstance(node, ast.If):
            return "TYPE_CHECKING" in ast.unparse(node.test)
        return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)

    def walk(node: ast.AST, eager: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from ((alias.name.partition(".")[0], eager) for alias in child.names)
            elif isinstance(child, ast.ImportFrom) and child.level == 0 and child.module:
                yield child.module.partition(".")[0], eager
            else:
                yield from walk(child, eager and not waits(child))

    return walk(ast.parse(source), True)


def imports_of(package: str) -> list[tuple[Path, str, bool]]:
    return [
        (path.relative_to(REPOSITORY), name, eager)
        for path in modules(package)
        for name, eager in imported(path.read_text(encoding="utf-8"))
    ]


def test_the_walker_sees_every_form_of_import() -> None:
    source = """
import a.b, c
from d.e import f
from . import sibling
if TYPE_CHECKING:
    import g
def late():
    import h
class K:
    import i
"""
    assert list(imported(source)) == [
        ("a", True),
        ("c", True),
        ("d", True),
        ("g", False),
        ("h", False),
        ("i", True),
    ]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_package_imports_only_what_lies_upstream(package: str) -> None:
    others = set(MAY_IMPORT) - MAY_IMPORT[package] - {package}
    wrong = [f"{path} imports {name}" for path, name, _ in imports_of(package) if name in others]
    assert not wrong


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_know_no_arrays(package: str) -> None:
    wrong = [f"{p} imports {name}" for p, name, _ in imports_of(package) if name in PURE[package]]
    assert not wrong


def test_only_training_and_export_know_torch() -> None:
    wrong = [
        str(path)
        for package in MAY_IMPORT
        for path, name, _ in imports_of(package)
        if name in HEAVY
        and not (package == "training" and path.name.startswith(("train", "export")))
    ]
    assert not wrong


def test_kiosk_reaches_training_datasets_and_cluster_only_when_a_verb_asks() -> None:
    wrong = [
        f"{path} imports {name} at import time"
        for path, name, eager in imports_of("kiosk")
        if eager and name in {"training", "datasets", "cluster"}
    ]
    assert not wrong


def test_only_cluster_knows_ray() -> None:
    wrong = [
        f"{path} imports ray"
        for package in MAY_IMPORT
        for path, name, _ in imports_of(package)
        if name == "ray" and package != "cluster"
    ]
    assert not wrong


def test_every_package_says_what_it_holds() -> None:
    for package in MAY_IMPORT:
        tree = ast.parse((REPOSITORY / package / "__init__.py").read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), package


def test_nothing_downstream_is_left_out() -> None:
    """A new top-level package must be given its place in the table above."""
    packages = {path.parent.name for path in REPOSITORY.glob("*/__init__.py")} - {"tests"}
    assert packages == set(MAY_IMPORT)


def loaded_by(code: str) -> set[str]:
    """Names of the modules loaded after `code` ran in a fresh interpreter."""
    report = f"{code}\nimport sys; print('LOADED', *{{m.split('.')[0] for m in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", report], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    return set(done.stdout.rpartition("LOADED ")[2].split())


def test_importing_kiosk_loads_no_training_library() -> None:
    assert not loaded_by("import kiosk") & HEAVY
