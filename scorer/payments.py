"""Adding up who pays whom."""

from __future__ import annotations

from collections.abc import Iterable

from .result import Transfer
from .ruleset import Paid
from .winds import Wind

WINDS = tuple(Wind)


def paid(transfers: Iterable[Transfer], dealer_line: int = 0) -> Paid:
    """The sum of the transfers for each seat; it is zero over the four seats."""
    all_transfers = tuple(transfers)
    sums = dict.fromkeys(WINDS, 0)
    for transfer in all_transfers:
        sums[transfer.payer] -= transfer.amount
        sums[transfer.payee] += transfer.amount
    return Paid(sums, all_transfers, dealer_line)


UNKNOWN = Paid(None)
"""Who pays cannot be said yet."""
