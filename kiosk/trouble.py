"""What can go wrong at the command line, and the exit code each kind ends with."""

from __future__ import annotations

GOOD = 0
NOT_GOOD = 1  # the hand or the picture is not good, or not certain
WRONG_USE = 2


class Trouble(Exception):  # noqa: N818 - read as a sentence where it is raised
    """Something the user can mend; the message is one sentence that says what to do next."""

    exit_code = NOT_GOOD


class WrongUse(Trouble):
    """The command was not written as it must be."""

    exit_code = WRONG_USE
