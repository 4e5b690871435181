"""`hupai train` and `hupai export` without the training libraries say how to get them."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import pytest

from kiosk.cli import main


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without torch, whether or not this one has it."""
    real: Callable[..., Any] = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in ("torch", "ultralytics"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    for module in ("train_detector", "train_reader", "export"):
        monkeypatch.delitem(__import__("sys").modules, f"training.{module}", raising=False)


@pytest.mark.usefixtures("no_torch")
@pytest.mark.parametrize(
    "words", [["train", "detector"], ["train", "reader", "--minutes", "1"], ["export"]]
)
def test_it_says_what_is_missing(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    err = capsys.readouterr().err
    assert "make train-env" in err
    assert err.count("\n") == 1


def test_the_network_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["train", "dectector"])
    assert end.value.code == 2
    assert "detector" in capsys.readouterr().err
