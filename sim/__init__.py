"""Tipoff: find out which advice for a card game is any good."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.api import Experiment, load
    from sim.errors import TipoffError
    from sim.played import Run
    from sim.strategy import Strategy

__version__ = "0.1.0"
__all__ = ["Experiment", "Run", "Strategy", "TipoffError", "load"]

# Where the names of the Python API live. They are imported when they are first used, so that
# `import sim`, with which every command begins, stays light.
_HOMES = {
    "Experiment": "sim.api",
    "Run": "sim.played",
    "Strategy": "sim.strategy",
    "TipoffError": "sim.errors",
    "load": "sim.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sim' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
