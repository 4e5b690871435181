"""Open the shipped networks: check each file against the manifest, then make an ONNX Runtime
session of it."""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Official builds of ONNX Runtime report their use unless this stands before the import.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

FOLDER = Path(__file__).parent
MANIFEST = "manifest.toml"


class ModelError(RuntimeError):
    """A model that cannot be used; the message says which file, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Model:
    """One network of the manifest. ``classes``: names by output index; ``input_px``: what it was
    made for."""

    name: str
    path: Path
    sha256: str
    task: str
    classes: tuple[str, ...]
    input_px: int
    licence: str
    settings: dict[str, float]


def manifest(folder: Path = FOLDER) -> dict[str, Model]:
    """The networks by name. Raises `ModelError` when the manifest is absent or damaged."""
    file = folder / MANIFEST
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        return {name: _model(name, entry, folder) for name, entry in data["models"].items()}
    except FileNotFoundError as error:
        raise ModelError(f"{file.name} is missing from {folder}: install hupai again") from error
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{file} is damaged ({error}): install hupai again") from error


def load_session(
    name: str, folder: Path = FOLDER, threads: int | None = None
) -> tuple[onnxruntime.InferenceSession, Model]:
    """A checked session of the network ``name`` and its manifest entry.

    ``threads``: for one picture at a time; default from ``HUPAI_THREADS``, else all but no more
    than four.
    Raises `ModelError` when the file is missing, is not the one of the manifest, or does not say
    the same of itself.
    """
    known = manifest(folder)
    if name not in known:
        raise ModelError(f"no model called {name!r}: the manifest has {', '.join(sorted(known))}")
    model = known[name]
    return open_session(model.path, model, threads), model


def open_session(
    path: Path, model: Model | None = None, threads: int | None = None
) -> onnxruntime.InferenceSession:
    """A session of any ONNX file; checked against ``model`` when that is given. Raises
    `ModelError`."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"the model file {path} cannot be read ({error.strerror}): install hupai again"
        ) from error
    if model is not None and hashlib.sha256(content).hexdigest() != model.sha256:
        raise ModelError(
            f"the model file {path} is damaged or of another version: install hupai again"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = (
        threads or int(os.environ.get("HUPAI_THREADS", "0")) or min(4, os.cpu_count() or 1)
    )
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(
            f"the model file {path} cannot be opened by ONNX Runtime: install hupai again, "
            f"or give another model ({str(error).splitlines()[0]})"
        ) from error
    if model is not None:
        _check_metadata(session, model)
    return session


def _check_metadata(session: onnxruntime.InferenceSession, model: Model) -> None:
    said = session.get_modelmeta().custom_metadata_map
    wanted = {
        "task": model.task,
        "classes": ",".join(model.classes),
        "input_px": str(model.input_px),
        "licence": model.licence,
    }
    for key, value in wanted.items():
        if said.get(key) != value:
            raise ModelError(
                f"{model.path.name} says {key}={said.get(key)!r}, the manifest {value!r}: "
                "install hupai again"
            )


def _model(name: str, entry: dict[str, Any], folder: Path) -> Model:
    settings = {key: float(value) for key, value in entry.get("settings", {}).items()}
    return Model(
        name=name,
        path=folder / str(entry["file"]),
        sha256=str(entry["sha256"]),
        task=str(entry["task"]),
        classes=tuple(entry["classes"]),
        input_px=int(entry["input_px"]),
        licence=str(entry["licence"]),
        settings=settings,
    )
