"""Tipoff from Python: load an experiment, run it, look at every deal.

    import sim
    from sim.games.club_fight.view import Move, View, popcount

    class HeartsFirst(sim.Strategy):
        '''Clear hearts before anything else.'''

        def score(self, view: View, move: Move) -> float:
            return popcount(view.hearts & move.cells)

    experiment = sim.load("club_fight/beginner_tips", strategies=[HeartsFirst])
    run = experiment.run(deals=20_000)
    print(run)

Nothing is printed unless asked for, and errors are `sim.TipoffError`, the message ready to be read,
with the `status` the command would end with. Strategies may be classes of a notebook cell, a shell
or the running script. Where processes are spawned (macOS, Windows), a script must start the run
below `if __name__ == "__main__":`, as with all of Python's processes.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim import folder, plan
from sim.backend import Backend
from sim.cast import WARNING, Cast, cast_of
from sim.config import Config, Entry
from sim.errors import BadInput, TipoffError, did_you_mean
from sim.experiments import question
from sim.fields import Deals, Seed, Workers
from sim.game import Game
from sim.given import Given, classes_in, config_of
from sim.played import Run
from sim.registry import Registry, discover
from sim.run import Options, play
from sim.settings import settle
from sim.strategy import Strategy
from sim.typed import Typed, add_class
from sim.workers import START_METHODS

__all__ = ["Experiment", "Run", "Strategy", "TipoffError", "load"]


def load(
    experiment: Given,
    *,
    strategies: Iterable[type[Strategy]] = (),
    plugins: Iterable[str | Path] = (),
) -> Experiment:
    """Read an experiment and check it; nothing is played yet.

    Args:
        experiment: the path of a config, the name of a shipped one (`"club_fight/all_clear"`), the
            text of a config, or a mapping with the keys of a config, in which strategies may stand
            as classes: `{"use": HeartsFirst, "weight": [1, 2]}`.
        strategies: classes that take part beside those of the config. One that the config names
            plays as it says there; any other is added to the end, with its defaults.
        plugins: files with more strategies, which the config then may name.

    Raises:
        TipoffError: naming file, line and column of what is wrong.
    """
    found, registry = config_of(experiment), discover()
    for path in plugins:
        registry.add_plugin(Path(path), found.experiment.game)
    classes = list(dict.fromkeys([*classes_in(experiment), *strategies]))
    for one in classes:
        add_class(registry, one, found.experiment.game)
    return Experiment(_with(found, classes), registry)


class Experiment:
    """An experiment that was read and found right; `run` plays it."""

    def __init__(self, config: Config, registry: Registry) -> None:
        self._config, self._registry = config, registry
        self._plan = plan.make(config, registry)
        if self._plan.tournament:
            raise BadInput(
                f"{self._plan.game.title} is played by several: `tipoff run` plays a tournament"
            )

    @property
    def name(self) -> str:
        """Its name, as in the config."""
        return self._plan.experiment

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._plan.game

    @property
    def labels(self) -> list[str]:
        """The labels of its entries, in the order of the config."""
        return list(dict.fromkeys(cell.label for cell in self._plan.cells))

    @property
    def variants(self) -> list[str]:
        """The rules variants in words, in the order of the config."""
        return list(dict.fromkeys(cell.variant for cell in self._plan.cells))

    def __repr__(self) -> str:
        return (
            f"<experiment '{self.name}': {len(self.labels)} entries, {len(self.variants)} rules "
            f"variants, {self._plan.deals:,} deals of seed {self._plan.seed}>"
        )

    def run(
        self,
        *,
        deals: int | None = None,
        seed: int | None = None,
        workers: int | None = None,
        out: str | Path | None = None,
        start_method: str = "",
        backend: str = "processes",
        scheduler: str = "",
        require_compiled: bool = False,
        progress: bool = False,
    ) -> Run:
        """Play what is missing and return the run.

        A strategy that cannot be compiled plays in plain Python after a `UserWarning`.

        Args:
            deals: deals per entry and rules variant, instead of the config's.
            seed: instead of the config's.
            workers: processes; by default as many as there are cores.
            out: the folder of the run, as `tipoff run --out` makes it, with charts and pages: the
                same again goes on in it. Without, deals are kept in a temporary folder that is
                removed with the object that is returned. Of a class that no file holds, commands
                such as `tipoff report` know nothing: load the folder's config.yaml with it.
            start_method: "fork", "forkserver" or "spawn"; by default fork where that is safe.
            backend: "processes", or "dask" for a Dask cluster.
            scheduler: the address of its scheduler; by default the cluster is one of this machine.
            require_compiled: refuse strategies that cannot be compiled.
            progress: draw a bar on standard error.

        Raises:
            TipoffError: as the message says; what was finished stays in `out`.
        """
        if start_method not in ("", *START_METHODS):
            raise BadInput(f"start_method: unknown '{start_method}'" + _hint(start_method))
        who = Backend(backend, scheduler, start_method)
        who.check(workers)
        options = Options(
            config="",
            workers=_number("workers", Workers, workers),
            backend=who,
            yes=True,
            progress=progress,
            report=out is not None,
        )
        total, seeded = _number("deals", Deals, deals), _number("seed", Seed, seed)
        wanted = plan.make(self._config, self._registry, total, seeded)
        if out is None:
            return _run_in_passing(cast_of(wanted, require_compiled, _tell), options)
        folder.claim(Path(out), wanted)
        return self._play(cast_of(wanted, require_compiled, _tell), Path(out), options)

    def _play(self, cast: Cast, out: Path, options: Options) -> Run:
        path = self._config.document.path
        asked = question(path) if path.is_file() else ""
        return Run(cast, out, play(cast, out, options, _command(cast, out), asked))


def _run_in_passing(cast: Cast, options: Options) -> Run:
    """Play in a folder that is gone when the run is no longer used."""
    out = Path(tempfile.mkdtemp(prefix="tipoff-"))
    try:
        run = Run(cast, out, play(cast, out, options, "", ""))
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise
    weakref.finalize(run, _remove, out, os.getpid())
    return run


def _remove(out: Path, owner: int) -> None:
    if os.getpid() == owner:  # not in a worker that was forked with all we know
        shutil.rmtree(out, ignore_errors=True)


def _with(found: Config, classes: Iterable[type[Strategy]]) -> Config:
    """Return the config with entries for the strategies that it does not name."""
    named = {entry.use for entry in found.experiment.strategies}
    added = [Entry.model_validate({"use": one.name}) for one in classes if one.name not in named]
    entries = (*found.experiment.strategies, *added)
    return replace(found, experiment=found.experiment.model_copy(update={"strategies": entries}))


def _command(cast: Cast, out: Path) -> str:
    """Return what makes the same numbers from the resolved config in the folder."""
    path = out / folder.CONFIG
    listings = [cell.listing for cell in cast.plan.cells]
    typed = {one.cls.__name__ for one in listings if isinstance(one.origin, Typed)}
    if typed:
        return f"sim.load({str(path)!r}, strategies=[{', '.join(sorted(typed))}]).run()"
    return f"tipoff run {shlex.quote(str(path))} --out {shlex.quote(str(out))}"


def _number(name: str, kind: Any, value: Any) -> int | None:
    """Return a whole number in place of the config's own, checked like that; 1e6 is one."""
    if value is None:
        return None
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    try:
        return int(settle(kind, whole))
    except ValueError as error:
        raise BadInput(f"{name}: {error}") from None


def _tell(text: str) -> None:
    """Pass on what a user should not miss; that compiling takes a while goes without saying."""
    if text.startswith(WARNING):
        warnings.warn(text.removeprefix(WARNING), stacklevel=5)


def _hint(word: str) -> str:
    return did_you_mean(word, START_METHODS)
