"""Shared by all tests: one cache folder for compiled code, and players that are built once."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path

# Before anything compiled is imported; one folder for all runs, so that only the first is slow.
os.environ.setdefault("TIPOFF_CACHE_DIR", str(Path(tempfile.gettempdir()) / "tipoff-test-cache"))

from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from sim.cli import main
from sim.lanes import Player
from sim.registry import Registry, discover
from sim.settings import params_of
from sim.work import Spec
from tests.command import Tipoff, config, tipoff_in, without_charts

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
        return Spec(listing.origin, params_of(listing, params), None).player(game)

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


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the config of `tests.command` was played; not to be written to."""
    folder = tmp_path_factory.mktemp("finished")
    before = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch:
        without_charts(patch)
        patch.chdir(folder)
        assert main(["run", str(config(Path()))]) == 0
    signal.signal(signal.SIGTERM, before)
    return folder


@pytest.fixture
def finished(finished_run: Path, empty_folder: Path) -> Path:
    """The working folder, with a copy of that run in it."""
    shutil.copytree(finished_run, empty_folder, dirs_exist_ok=True)
    return empty_folder
