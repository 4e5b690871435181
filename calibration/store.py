"""Profiles on disk: a folder each, under the user's data folder; export and import as one file.

    profiles/active                 the name of the active profile
    profiles/NAME/profile.toml      what a person may read and change; names the arrays and their
    hash profiles/NAME/arrays-HASH.npz   NumPy arrays, never pickled

A profile is replaced as a whole or not at all: arrays are written under a new name first, and the
TOML that names them is put in place in one step.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from calibration import tomltext
from calibration.profile import (
    Arrays,
    Profile,
    ProfileError,
    check_header,
    check_name,
    from_document,
    to_document,
)

ENVIRONMENT = "HUPAI_DATA"
SUFFIX = ".hupai"
MAX_BYTES = 64 * 2**20  # of a profile's arrays, unpacked: a set with all crops takes 4 MiB
MAX_TOML_BYTES = 2**20
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError)
"""What `zipfile` raises over a damaged archive; a spoilt stream is zlib's own error."""

_TOML, _ARRAYS, _ACTIVE = "profile.toml", "arrays.npz", "active"
_NOTE = (
    "# A hupai profile. Zones and sizes may be changed by hand; `hupai calibrate` makes the rest.\n"
)


def data_folder() -> Path:
    """Where the program keeps what is the user's: `HUPAI_DATA`, else the system's place for it."""
    chosen = os.environ.get(ENVIRONMENT)
    return (
        Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_path("hupai", False))
    )


class NameTakenError(ProfileError):
    """An imported profile has the name of one that is there."""


@dataclass(frozen=True, slots=True)
class Store:
    """The profiles of one data folder. Nothing is made on disk until something is saved."""

    folder: Path

    @classmethod
    def of_user(cls) -> Store:
        """The store in the user's data folder."""
        return cls(data_folder() / "profiles")

    def names(self) -> list[str]:
        """Profiles that are there, readable or not, in order."""
        if not self.folder.is_dir():
            return []
        return sorted(p.name for p in self.folder.iterdir() if (p / _TOML).is_file())

    def load(self, name: str) -> Profile:
        """One profile. Raises ProfileError when it is missing, damaged or foreign."""
        folder = self.folder / check_name(name)
        document = _document(_read(folder / _TOML, MAX_TOML_BYTES), name)
        try:
            profile = from_document(document, _named_arrays(folder, document))
        except ProfileError as error:
            raise ProfileError(f"profile {name!r}: {error}") from None
        return replace(profile, name=name)

    def save(self, profile: Profile) -> None:
        """Write a profile, replacing the one of that name. Raises OSError when the disk says no."""
        folder = self.folder / profile.name
        folder.mkdir(parents=True, exist_ok=True)
        document, arrays = to_document(profile)
        data = pack(arrays)
        digest = hashlib.sha256(data).hexdigest()
        file = f"arrays-{digest[:16]}.npz"
        document["arrays"] = {"file": file, "sha256": digest}
        _put(folder / file, data)
        _put(folder / _TOML, (_NOTE + tomltext.dumps(document)).encode())
        for old in folder.glob("arrays-*.npz"):
            if old.name != file:
                old.unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        """Delete a profile, active or not. Raises ProfileError if it is missing."""
        folder = self.folder / check_name(name)
        if name not in self.names():
            raise ProfileError(self._no_such(name))
        if self.active() == name:
            self.activate(None)
        for file in [folder / _TOML, *folder.glob("arrays-*.npz")]:
            file.unlink(missing_ok=True)
        with suppress(OSError):  # something of the user's own may lie in there
            folder.rmdir()

    def active(self) -> str | None:
        """The name of the active profile, if any."""
        try:
            name = (self.folder / _ACTIVE).read_text("utf-8").strip()
            return check_name(name) if name else None
        except (OSError, UnicodeDecodeError, ProfileError):
            return None

    def activate(self, name: str | None) -> None:
        """Use this profile from now on, or none. Raises ProfileError if it is missing."""
        if name is None:
            (self.folder / _ACTIVE).unlink(missing_ok=True)
            return
        if check_name(name) not in self.names():
            raise ProfileError(self._no_such(name))
        _put(self.folder / _ACTIVE, name.encode())

    def load_active(self) -> tuple[Profile | None, str | None]:
        """The active profile, or None and, where one should be there, a sentence about what is
        wrong.

        Never raises for a bad profile: the program goes on without.
        """
        name = self.active()
        if name is None:
            return None, None
        try:
            return self.load(name), None
        except (ProfileError, OSError) as error:
            return None, f"{error}; going on without a profile"

    def export(self, name: str, file: Path, with_crops: bool = True) -> None:
        """Write a profile to one file. Raises ProfileError when it cannot be read."""
        profile = self.load(name)
        if profile.tiles is not None and not with_crops:
            profile = profile.with_tiles(profile.tiles.without_crops())
        document, arrays = to_document(profile)
        data = pack(arrays)
        document["arrays"] = {"file": _ARRAYS, "sha256": hashlib.sha256(data).hexdigest()}
        text = tomltext.dumps(document).encode()
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for inner, content in ((_TOML, text), (_ARRAYS, data)):
                archive.writestr(zipfile.ZipInfo(inner), content)
            archive.comment = b"hupai " + hashlib.sha256(text).hexdigest().encode()
        _put(file, buffer.getvalue())

    def import_file(
        self, file: Path, name: str | None = None, replace_old: bool = False
    ) -> Profile:
        """Read an exported file and save it, under another name if one is given.

        A profile of that name is replaced only with `replace_old`, and not before the file was
        read whole. Raises ProfileError when the file is damaged, foreign or too large,
        NameTakenError when the name is taken.
        """
        profile = read_export(file)
        if name is not None:
            profile = replace(profile, name=check_name(name))
        if profile.name in self.names() and not replace_old:
            raise NameTakenError(f"there is a profile {profile.name!r} already")
        self.save(profile)
        return profile

    def _no_such(self, name: str) -> str:
        there = ", ".join(self.names()) or "there is none yet"
        return f"no profile {name!r} (known: {there})"


def read_export(file: Path) -> Profile:
    """The profile in an exported file, with its hashes checked. Raises ProfileError."""
    foreign = f"{file.name} is not an exported hupai profile"
    try:
        with zipfile.ZipFile(file) as archive:
            if sorted(archive.namelist()) != sorted((_TOML, _ARRAYS)):
                raise ProfileError(foreign)
            text = _member(archive, _TOML, MAX_TOML_BYTES)
            data = _member(archive, _ARRAYS, MAX_BYTES)
            comment = archive.comment
    except FileNotFoundError:
        raise ProfileError(f"there is no file {file}") from None
    except zipfile.BadZipFile:
        raise ProfileError(f"{foreign}, or is damaged") from None
    except UNREADABLE as error:
        if isinstance(error, ProfileError):
            raise
        raise ProfileError(f"{file.name} cannot be read: {error}") from None
    document = _document(text, file.name)
    if comment != b"hupai " + hashlib.sha256(text).hexdigest().encode():
        raise ProfileError(f"{file.name} was changed or damaged after it was exported")
    try:
        return from_document(document, _checked_arrays(data, document))
    except ProfileError as error:
        raise ProfileError(f"{file.name}: {error}") from None


def pack(arrays: Arrays) -> bytes:
    """Arrays as npz, the same bytes for the same arrays."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(arrays):
            member = io.BytesIO()
            np.lib.format.write_array(
                member, np.ascontiguousarray(arrays[name]), allow_pickle=False
            )
            info = zipfile.ZipInfo(f"{name}.npy")
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue())
    return buffer.getvalue()


def unpack(data: bytes) -> Arrays:
    """Arrays of an npz, without pickles and within MAX_BYTES. Raises ProfileError."""
    arrays: Arrays = {}
    left = MAX_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                content = _member(archive, info.filename, left)
                left -= len(content)
                arrays[info.filename.removesuffix(".npy")] = _array(content)
    except ProfileError:
        raise
    except UNREADABLE as error:
        raise ProfileError(f"its arrays are damaged ({error})") from None
    return arrays


def _array(content: bytes) -> Any:
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(version)
    if read is None:
        raise ProfileError(f"its arrays have an unknown format {version}")
    shape, _, kind = read(stream)
    # NumPy believes the header and reserves what it says: look first.
    size = int(np.prod([int(s) for s in shape], dtype=object)) * kind.itemsize
    if kind.hasobject or size != len(content) - stream.tell():
        raise ProfileError("its arrays are damaged (an array is not as long as it says)")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


def _member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    with archive.open(name) as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise ProfileError("it is larger than any profile can be")
    return content


def _read(file: Path, limit: int) -> bytes:
    try:
        with file.open("rb") as stream:
            content = stream.read(limit + 1)
    except FileNotFoundError:
        raise ProfileError(f"there is no profile {file.parent.name!r} (no {file})") from None
    if len(content) > limit:
        raise ProfileError(f"{file} is larger than any profile can be")
    return content


def _document(text: bytes, name: str) -> Mapping[str, Any]:
    try:
        document = tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # also endless numbers, endless brackets
        raise ProfileError(f"profile {name!r} is damaged: {error}") from None
    try:
        check_header(document)
    except ProfileError as error:
        raise ProfileError(f"{name}: {error}") from None
    return document


def _named_arrays(folder: Path, document: Mapping[str, Any]) -> Arrays:
    try:
        file = str(document["arrays"]["file"])
    except (KeyError, TypeError):
        raise ProfileError("it does not name its arrays: it is damaged") from None
    if not (file.startswith("arrays-") and file.endswith(".npz") and Path(file).name == file):
        raise ProfileError(f"it names arrays outside its folder ({file!r})")
    try:
        data = _read(folder / file, MAX_BYTES)
    except ProfileError:
        raise ProfileError(f"its arrays {file} are missing or too large") from None
    return _checked_arrays(data, document)


def _checked_arrays(data: bytes, document: Mapping[str, Any]) -> Arrays:
    try:
        expected = document["arrays"]["sha256"]
    except (KeyError, TypeError):
        raise ProfileError("it does not name its arrays: it is damaged") from None
    if hashlib.sha256(data).hexdigest() != expected:
        raise ProfileError("its arrays are damaged (their hash differs)")
    return unpack(data)


def _put(file: Path, content: bytes) -> None:
    """Write a file in one step: the whole of it, or nothing changes. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
