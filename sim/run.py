"""One experiment from its config to its charts."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sim import config, folder, plan
from sim.cast import Cast, cast_of
from sim.errors import BadInput, Status, TipoffError
from sim.experiments import find, question
from sim.progress import Progress
from sim.registry import Registry, discover
from sim.results import Results
from sim.say import say
from sim.schedule import Job, Load, Schedule, gaps
from sim.store import Packed, Store
from sim.tally import tally_block
from sim.work import player_of_blocks
from sim.workers import Processes, cores

ASK_ABOVE = 4 * 3600.0  # seconds of play


@dataclass(frozen=True)
class Options:
    """What the command line adds to a config."""

    config: str
    deals: str | None = None
    seed: str | None = None
    workers: int | None = None
    out: Path | None = None
    plugins: tuple[Path, ...] = ()
    start_method: str = ""
    require_compiled: bool = False
    yes: bool = False


class Declined(TipoffError):
    """The user was asked about a long run and said no."""

    status = Status.INTERRUPTED


@dataclass(frozen=True)
class Finished:
    """What a run gave."""

    results: Results
    paths: list[Path]
    played: int  # games played now
    reused: int  # games that were in the store
    engine_seconds: float  # spent playing, divided by the workers


def run(options: Options) -> Finished:
    """Play what is missing of an experiment and write its report.

    Raises:
        TipoffError: as the message says; what was finished stays stored.
    """
    wanted = _plan(options, discover())
    out = options.out or Path("reports") / wanted.experiment
    folder.claim(out, wanted)
    cast = cast_of(wanted, options.require_compiled)
    with Store(folder.store_path(out), wanted.game) as store:
        folder.check_store(out, wanted, store)
        store.note({"command": reproduce(options), "question": question(find(options.config))})
        (out / folder.CONFIG).write_text(plan.resolved(wanted), encoding="utf-8")
        game = _Play(cast, store, options)
        game.play()
        results, paths = _report(cast, store, out)
    return Finished(results, paths, game.played, game.reused, game.seconds / game.workers)


def redraw(out: Path) -> tuple[Results, list[Path]]:
    """Write the report of a run folder again from its store, without playing.

    Raises:
        BadInput: if it is no run folder.
        StoreDamaged: if deals are missing, or were played by other versions of the strategies.
    """
    for path in (out / folder.CONFIG, folder.store_path(out)):
        if not path.is_file():
            raise BadInput(f"{out} is no run folder: {path} is missing; `tipoff run` makes one")
    cast = cast_of(plan.make(config.load(out / folder.CONFIG), discover()), False)
    with Store(folder.store_path(out), cast.plan.game) as store:
        folder.check_store(out, cast.plan, store)
        return _report(cast, store, out)


def _report(cast: Cast, store: Store, out: Path) -> tuple[Results, list[Path]]:
    from sim import judge  # scipy and matplotlib take a second each: only after the play
    from sim.report.write import write_report

    results = judge.results(cast.plan, store, cast.stamps, cast.lanes)
    return results, write_report(results, out, store.told("command"), store.told("question"))


def reproduce(options: Options) -> str:
    """Return the command that plays the same experiment again."""
    words: list[object] = ["tipoff", "run", options.config]
    for name, value in (("--deals", options.deals), ("--seed", options.seed)):
        words += [name, value] if value is not None else []
    for path in options.plugins:
        words += ["--plugin", path]
    return folder.command(*words, *(["--out", options.out] if options.out else []))


def _plan(options: Options, registry: Registry) -> plan.Plan:
    loaded = config.load(find(options.config))
    for path in options.plugins:
        registry.add_plugin(path, loaded.experiment.game)
    return plan.make(loaded, registry, options.deals, options.seed)


class _Play:
    """Plays the blocks that are missing, and commits each as it comes."""

    def __init__(self, cast: Cast, store: Store, options: Options) -> None:
        self.plan, self.stamps, self.store, self.options = cast.plan, cast.stamps, store, options
        self.workers = options.workers or cast.plan.workers or cores()
        game = cast.plan.game
        self.setup = partial(player_of_blocks, game, cast.dice, cast.specs, cast.stamps)
        store.note_cells(dict(zip(cast.stamps, map(_about, cast.plan.cells), strict=True)))
        self.schedule = Schedule(self._load(i) for i in range(len(cast.plan.cells)))
        self.played = self.schedule.left
        self.reused = sum(cell.deals for cell in cast.plan.cells) - self.played
        self.seconds = 0.0

    def _load(self, number: int) -> Load:
        cell, stamp = self.plan.cells[number], self.stamps[number]
        missing = gaps(self.store.coverage(stamp), cell.deals)
        return Load(cell.deals, missing, self.store.speed(stamp))

    def play(self) -> None:
        """Play all that is missing."""
        if not self.schedule.left:
            return
        with (
            Processes(self.setup, self.workers, self.options.start_method, self._name) as processes,
            Progress(self.plan.cells, self.schedule.left) as progress,
        ):
            self._commit(processes.map_unordered(self.schedule.probes()), progress)
            self._confirm(progress)
            self._commit(processes.map_unordered(self.schedule.jobs()), progress)

    def _commit(self, finished: Iterable[tuple[Job, Packed]], progress: Progress) -> None:
        for job, block in finished:
            self.store.add(self.stamps[job.cell], job.first, job.count, block)
            self.schedule.played(job, block.seconds)
            self.seconds += block.seconds
            outcomes = np.frombuffer(block.unpacked(), np.uint8)
            progress.add(job.cell, tally_block(outcomes.reshape(-1, job.count)))

    def _name(self, job: Job) -> str:
        label = self.plan.cells[job.cell].label
        return f"deals {job.first} to {job.first + job.count - 1} of '{label}'"

    def _confirm(self, progress: Progress) -> None:
        seconds = self.schedule.seconds_left(self.workers)
        if seconds <= ASK_ABOVE:
            return
        progress.clear()
        say(f"this run will take about {seconds / 3600:.1f} hours on {self.workers} workers")
        if not self.options.yes and sys.stdin and sys.stdin.isatty() and not _agrees():
            raise Declined("stopped before the long part; the same command goes on from here")


def _about(cell: plan.Cell) -> dict[str, Any]:
    return {"label": cell.label, "params": dict(cell.params), "rules": dict(cell.rules_dict)}


def _agrees() -> bool:
    try:
        return input("go on? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl-D
        return False
