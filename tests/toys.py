"""The games that live in `tests/toy`, put on the paths of `sim.games` and `strategies`."""

from __future__ import annotations

import importlib
import io
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import sim.games
import strategies
from sim import cli

ROOT = Path(__file__).parents[1]
TOY = Path(__file__).parent / "toy"

_kept: dict[tuple[str, ...], dict[str, ModuleType]] = {}  # a game is compiled once a process


@contextmanager
def on_path(package: Any, folders: Sequence[Path], forget: str) -> Iterator[None]:
    """Let a package look for its modules in `folders`; afterwards all is as before.

    Modules whose names begin with `forget` are those of `folders`, and afterwards again those of
    the old place.
    """
    path, names = package.__path__, dict(vars(package))
    before = _modules_below(forget)
    package.__path__ = [str(folder) for folder in folders]
    sys.modules.update(_kept.get(tuple(package.__path__), {}))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        _kept[tuple(package.__path__)] = _modules_below(forget)
        sys.modules.update(before)
        vars(package).clear()
        vars(package).update(names | {"__path__": path})


def _modules_below(name: str) -> dict[str, ModuleType]:
    """Take modules whose names begin so out of memory and return them."""
    found = [module for module in sys.modules if module.startswith(name)]
    return {module: sys.modules.pop(module) for module in found}


@contextmanager
def installed(games: Path = TOY / "games", advice: Path = TOY / "strategies") -> Iterator[None]:
    """Install the toys beside what is shipped."""
    with (
        on_path(sim.games, [ROOT / "sim" / "games", games], "sim.games.toy_"),
        on_path(strategies, [ROOT / "strategies", advice], "strategies.toy_"),
    ):
        yield


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


def tipoff(*words: object) -> Said:
    """Run a command; SIGTERM is Ctrl-C to it, but not to the tests."""
    on_term, out, err = signal.getsignal(signal.SIGTERM), io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = cli.main([str(word) for word in words])
    finally:
        signal.signal(signal.SIGTERM, on_term)
    return Said(status, out.getvalue(), err.getvalue())
