"""One experiment from its config to its charts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from sim import config, folder, plan
from sim.errors import Status, StrategyFailed, TipoffError
from sim.experiments import find
from sim.game import Dice
from sim.lanes import Player
from sim.progress import Progress
from sim.registry import Registry, discover
from sim.results import Results
from sim.schedule import Job, Load, Schedule, gaps
from sim.store import Packed, Store
from sim.tally import tally_block
from sim.work import Spec, player_of_blocks
from sim.workers import Processes

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
    registry = discover()
    wanted = _plan(options, registry)
    out = options.out or Path("reports") / wanted.experiment
    folder.claim(out, wanted)
    specs = [Spec(cell.listing.origin, cell.params, cell.rules) for cell in wanted.cells]
    players = _players(wanted, specs, options.require_compiled)
    dice = Dice(wanted.seed, wanted.tie_seed, wanted.ties)
    stamps = [spec.stamp(wanted.game, dice) for spec in specs]
    with Store(folder.store_path(out), wanted.game) as store:
        folder.check_store(out, wanted, store)
        (out / "config.yaml").write_text(plan.resolved(wanted), encoding="utf-8")
        game = _Play(wanted, store, stamps, dice, specs, options)
        game.play()
        from sim import judge  # scipy: likewise

        results = judge.results(wanted, store, stamps, [player.lane for player in players])
    from sim.report.write import write_report  # matplotlib takes a second: after the play

    paths = write_report(results, out, reproduce(options, wanted))
    return Finished(results, paths, game.played, game.reused, game.seconds / game.workers)


def reproduce(options: Options, wanted: plan.Plan) -> str:
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


def _players(wanted: plan.Plan, specs: Sequence[Spec], require_compiled: bool) -> list[Player]:
    """Build all players here, before any worker is forked; warn of each that stays plain Python."""
    from sim import jit

    if jit.is_cold():
        _say("compiling the engine and the strategies (only the first time) ...")
    with jit.interruptible():
        players = [spec.player(wanted.game) for spec in specs]
    plain = {player.strategy.name: player.reason for player in players if player.reason}
    for name, reason in plain.items():
        text = f"strategy '{name}' cannot be compiled: {reason}"
        if require_compiled:
            raise StrategyFailed(text)
        _say(f"warning: {text}; it plays in plain Python, about a hundred times slower")
    return players


class _Play:
    """Plays the blocks that are missing, and commits each as it comes."""

    def __init__(
        self,
        wanted: plan.Plan,
        store: Store,
        stamps: Sequence[str],
        dice: Dice,
        specs: Sequence[Spec],
        options: Options,
    ) -> None:
        self.plan, self.store, self.stamps, self.options = wanted, store, stamps, options
        self.workers = options.workers or wanted.workers or _cores()
        self.setup = partial(player_of_blocks, wanted.game, dice, specs, stamps)
        self.schedule = Schedule(self._load(i) for i in range(len(wanted.cells)))
        self.played = self.schedule.left
        self.reused = sum(cell.deals for cell in wanted.cells) - self.played
        self.seconds = 0.0

    def _load(self, number: int) -> Load:
        cell, stamp = self.plan.cells[number], self.stamps[number]
        self.store.note_cell(
            stamp,
            {"label": cell.label, "params": dict(cell.params), "rules": dict(cell.rules_dict)},
        )
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
            self._confirm()
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

    def _confirm(self) -> None:
        seconds = self.schedule.seconds_left(self.workers)
        if seconds <= ASK_ABOVE:
            return
        _say(f"this run will take about {seconds / 3600:.1f} hours on {self.workers} workers")
        if not self.options.yes and sys.stdin and sys.stdin.isatty() and not _agrees():
            raise Declined("stopped before the long part; the same command goes on from here")


def _agrees() -> bool:
    try:
        return input("go on? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl-D
        return False


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # fewer than the machine has, in a container
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
