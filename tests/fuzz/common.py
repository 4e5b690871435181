"""What every check of the fuzzers answers, and the folder in which they work."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

READ, REFUSED = "read", "refused"


def said(error: Exception, good: bool = True) -> str:
    """Refused, which must be told in a sentence."""
    sentence = str(error)
    assert good, sentence
    assert sentence.strip(), f"{type(error).__name__} says nothing"
    assert "Traceback" not in sentence
    return REFUSED


@cache
def folder() -> Path:
    """A folder in memory, where there is one; gone at the end."""
    memory = Path("/dev/shm")  # a disk would be waited for more than anything is tried
    where = memory if os.access(memory, os.W_OK) else None
    made = Path(tempfile.mkdtemp(prefix="hupai-fuzz-", dir=where))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
