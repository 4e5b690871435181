"""Talking with the user: on a terminal, or from a script in tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kiosk.pictures import write_picture
from kiosk.trouble import Trouble

Picture = NDArray[np.uint8]


class Talk(Protocol):
    """Says, shows and asks."""

    def say(self, text: str) -> None:
        """A line for the user."""

    def ask(self, question: str) -> str:
        """One line from the user, without spaces around; empty for just Enter."""

    def show(self, picture: Picture, file: Path) -> None:
        """A picture to look at: written to `file`, and named."""


class Terminal:
    """Standard input and output."""

    def say(self, text: str) -> None:
        print(text, flush=True)

    def ask(self, question: str) -> str:
        """Raises Trouble when nobody is there to answer."""
        try:
            return input(f"{question} ").strip()
        except EOFError:
            raise Trouble("this needs answers: run it in a terminal.") from None

    def show(self, picture: Picture, file: Path) -> None:
        print(f"see {write_picture(file, picture)}", file=sys.stdout, flush=True)


def agreed(talk: Talk, question: str, default: bool) -> bool:
    """A yes or no; Enter means `default`."""
    hint = "[Y/n]" if default else "[y/N]"
    while True:
        answer = talk.ask(f"{question} {hint}").lower()
        if not answer:
            return default
        if answer in ("y", "yes", "n", "no"):
            return answer.startswith("y")
        talk.say("Please answer y or n.")
