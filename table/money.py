"""What a point is worth, and who pays whom at the end with the fewest transfers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from .errors import EventError

EXACT_UP_TO = 12
"""So many open accounts are settled with provably the fewest transfers; more, greedily."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """`point` is the money of one point, `currency` a code such as TWD, `start` the points
    everybody begins with, `bust_ends` whether the night ends when a player has none left.
    """

    point: Decimal = Decimal(1)
    currency: str = ""
    start: int = 0
    bust_ends: bool = False

    @classmethod
    def of(cls, data: Any) -> Stakes:
        """Read the `stakes` field of an event. Raises EventError."""
        known = {"point", "currency", "start", "bust_ends"}
        if not isinstance(data, Mapping) or not set(data) <= known:
            raise EventError(f"stakes have the fields {', '.join(sorted(known))}")
        try:
            point = Decimal(str(data.get("point", "1")))
        except InvalidOperation:
            raise EventError(
                f"stakes: point is an amount of money, not {data['point']!r}"
            ) from None
        if not point.is_finite() or not 0 < point < 10**9 or point.as_tuple().exponent < -4:  # type: ignore[operator]
            raise EventError("stakes: a point is worth more than 0, with at most four decimals")
        currency = data.get("currency", "")
        if not isinstance(currency, str) or not re.fullmatch(r"([A-Za-z]{3})?", currency):
            raise EventError(f"stakes: a currency is three letters such as TWD, not {currency!r}")
        start, ends = data.get("start", 0), data.get("bust_ends", False)
        if type(start) is not int or start < 0 or not isinstance(ends, bool):
            raise EventError("stakes: start is a whole number, bust_ends true or false")
        if ends and not start:
            raise EventError("stakes: bust_ends needs points to start with")
        return cls(point, currency.upper(), start, ends)

    def to_json(self) -> dict[str, Any]:
        return {
            "point": str(self.point),
            "currency": self.currency,
            "start": self.start,
            "bust_ends": self.bust_ends,
        }

    def money(self, points: int) -> str:
        """So many points as money, such as `-120 TWD`; just the number without a currency."""
        amount = f"{points * self.point:f}"
        return f"{amount} {self.currency}" if self.currency else amount


@dataclass(frozen=True, slots=True)
class Payment:
    """One transfer of a settlement."""

    payer: str
    payee: str
    points: int


def settle(totals: Mapping[str, int]) -> list[Payment]:
    """The fewest transfers after which everybody has what the totals say.

    n open accounts need n − g transfers, where g is the largest number of groups that each add
    up to zero. Raises ValueError when the totals do not add up to zero.
    """
    if sum(totals.values()):
        raise ValueError(f"totals add up to {sum(totals.values())}, not to zero")
    open_accounts = [(name, points) for name, points in totals.items() if points]
    payments: list[Payment] = []
    for group in _groups(open_accounts):
        payments += _pay_off(dict(group))
    return payments


def _groups(accounts: list[tuple[str, int]]) -> list[list[tuple[str, int]]]:
    """The accounts in as many groups of sum zero as there can be."""
    n = len(accounts)
    if n > EXACT_UP_TO:
        return [accounts]
    sums = [0] * (1 << n)
    for mask in range(1, 1 << n):
        low = mask & -mask
        sums[mask] = sums[mask ^ low] + accounts[low.bit_length() - 1][1]

    @cache
    def most(mask: int) -> tuple[int, int]:
        """(Number of groups in `mask`, the last account taken on the best way): taking accounts
        one by one, a group closes whenever what is left adds up to zero."""
        if not mask:
            return 0, 0
        best = (-1, 0)
        for i in range(n):
            if mask >> i & 1:
                rest = most(mask ^ 1 << i)[0] + (sums[mask ^ 1 << i] == 0)
                best = max(best, (rest, i))
        return best

    groups: list[list[tuple[str, int]]] = []
    mask, group = (1 << n) - 1, []
    while mask:
        i = most(mask)[1]
        group.append(accounts[i])
        mask ^= 1 << i
        if not sums[mask]:
            groups.append(group)
            group = []
    return groups


def _pay_off(accounts: dict[str, int]) -> list[Payment]:
    """Biggest debtor to biggest creditor, at most one transfer less than there are accounts."""
    payments = []
    while any(accounts.values()):
        payer = min(accounts, key=lambda name: accounts[name])
        payee = max(accounts, key=lambda name: accounts[name])
        points = min(-accounts[payer], accounts[payee])
        accounts[payer] += points
        accounts[payee] -= points
        payments.append(Payment(payer, payee, points))
    return payments
