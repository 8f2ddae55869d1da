"""Shared by all tests: one cache folder for compiled code, and players that are built once."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

# Before anything compiled is imported; one folder for all runs, so that only the first is slow.
os.environ.setdefault("TIPOFF_CACHE_DIR", str(Path(tempfile.gettempdir()) / "tipoff-test-cache"))

from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from sim.lanes import Player
from sim.registry import Registry, discover
from sim.work import Spec
from tests.command import Tipoff, tipoff_in, without_charts

MakePlayer = Callable[..., Player]

# The same examples every time, so that a red run is red again; look for new ones with
# `pytest --hypothesis-profile=explore`.
settings.register_profile("steady", derandomize=True)
settings.register_profile("explore")
settings.load_profile("steady")


@pytest.fixture(scope="session")
def registry() -> Registry:
    """Everything that is shipped."""
    return discover()


@pytest.fixture(scope="session")
def player(registry: Registry) -> MakePlayer:
    """A function from a strategy's name and parameters to its player for Club Fight."""
    game = registry.game("club_fight")

    def make(name: str, **params: float) -> Player:
        listing = registry.strategy("club_fight", name)
        return Spec(listing.origin, params, None).player(game)

    return make


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder of its own."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@pytest.fixture
def tipoff(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> Tipoff:
    """The command in this process, in a folder of its own, with reports of results.json only."""
    without_charts(monkeypatch)
    return tipoff_in(capsys)
