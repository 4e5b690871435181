"""Lessons: why a hand is worth what it is, what was near, what it waits for, and practice.

    >>> from scorer import Hand, Situation, Wind
    >>> from teach.waits import waits
    >>> hand = Hand.parse("66678m11333p555z[222z]")
    >>> found = waits(hand, Situation(seat=Wind.WEST, round=Wind.EAST))
    >>> [(wait.tile.code, wait.left, wait.by_draw.total) for wait in found]
    [('6m', 1, 4), ('9m', 4, 4), ('1p', 2, 4)]

Explained is what `scorer` answers, nothing is computed a second time: `why`, `almost`, `waits`,
`discards`, `repair`. Below them lie `neighbours` (complete hands one or two tiles away), `distance`
and `groups`. Practice is `dealing` (hands), `questions` (facts), `asking` (words), `cards` (spaced
repetition), `progress` (its file) and `lesson` (what comes next). `dictionary`, `winds` and `sheet`
are for looking up. No clock and no screen; of the disk only `progress`.
"""
