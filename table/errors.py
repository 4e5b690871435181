"""What can go wrong with a ledger; each message says what to do next."""

from __future__ import annotations

from pathlib import Path


class LedgerError(Exception):
    """Anything a ledger cannot do. What was acknowledged before is kept."""


class EventError(LedgerError):
    """An event that cannot be: a foreign player, a hand that is no certain win, a sum not zero.

    `no` is the number of the event in the log, or 0 for one that is not in it yet.
    """

    def __init__(self, why: str, no: int = 0) -> None:
        super().__init__(f"event {no}: {why}" if no else why)
        self.no = no
        self.why = why


class MovedOnError(LedgerError):
    """Somebody else wrote first, so that what was shown is no longer what would happen."""


class KeyReusedError(LedgerError):
    """The record key already stands for another event."""


class StorageError(LedgerError):
    """The file or the server cannot be read or written: full, read-only, locked, gone."""


class DamagedError(StorageError):
    """The stored events are not what was written. `backup` is the newest good copy, if any."""

    def __init__(self, why: str, backup: Path | None = None) -> None:
        offer = (
            f"a good copy lies at {backup}; `hupai ledger restore` puts it back and keeps the "
            "damaged file beside it"
            if backup
            else "there is no backup beside it"
        )
        super().__init__(f"{why}; {offer}")
        self.backup = backup
