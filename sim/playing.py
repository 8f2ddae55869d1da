"""Playing what is missing: blocks are handed out to worker processes and committed as they come."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack

import numpy as np

from sim.backend import Backend, Workers
from sim.cast import Cast
from sim.errors import Status, TipoffError
from sim.progress import Progress
from sim.reuse import Found, note_of
from sim.say import say
from sim.schedule import SLOW_PROBE, Job, Load, Schedule, gaps
from sim.shards import WHOLE, Shard
from sim.store import Packed, Store
from sim.table_progress import TableProgress
from sim.workers import cores

ASK_ABOVE = 4 * 3600.0  # seconds of play


class Declined(TipoffError):
    """The user was asked about a long run and said no."""

    status = Status.INTERRUPTED


class Playing:
    """The workers and the bar of a run; use it as a context manager.

    Both start when there is something to play, and stay until the end.
    """

    def __init__(
        self,
        cast: Cast,
        store: Store,
        workers: int | None,
        backend: Backend,
        yes: bool,
        progress: bool | None = None,
        shard: Shard = WHOLE,
    ) -> None:
        """Get ready.

        Args:
            cast: whom to play.
            store: where to put the blocks.
            workers: how many; None: as the plan says, or one a core.
            backend: who plays.
            yes: do not ask before a long run.
            progress: a bar; None: on a terminal; False: nothing is said or asked.
            shard: the part that is to be played.
        """
        self.plan, self.stamps, self.store = cast.plan, cast.stamps, store
        self.workers = workers or cast.plan.workers or cores()
        self.parts = (cast.plan.game, cast.dice, cast.specs, cast.stamps)
        self.backend, self.yes, self._told = backend, yes, False
        self.shown, self.shard = progress, shard
        self.played, self.seconds = 0, 0.0  # games, and seconds spent on them by all workers
        self.schedule = Schedule(())
        self._open = ExitStack()
        self._processes: Workers | None = None
        self._progress: Progress | None = None
        self.found = self._look_through(cast)
        notes = [note_of(cast.plan, cell) for cell in cast.plan.cells]
        store.note_cells(dict(zip(cast.stamps, notes, strict=True)))

    def __enter__(self) -> Playing:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def play(self, deals: Sequence[int]) -> None:
        """Play all that is missing below so many deals of each cell.

        Raises:
            TipoffError: as a strategy, a worker or the store gives cause for.
        """
        self.schedule = self._schedule(deals)
        if not self.schedule.left:
            return
        processes, progress = self._start()
        self._commit(processes.map_unordered(self.schedule.probes()), progress)
        self.confirm(self.schedule.seconds_left(self.workers))
        self._commit(processes.map_unordered(self.schedule.jobs()), progress)

    def expect(self, deals: Sequence[int]) -> None:
        """Tell the bar, and if it is long the user, that each cell will be played so far."""
        ahead = self._schedule(deals)
        if self._progress is not None:
            self._progress.expect(self.played + self._games(ahead))
        self.confirm(ahead.seconds_left(self.workers))

    def confirm(self, seconds: float) -> None:
        """Ask once whether a long run shall go on.

        Raises:
            Declined: if not.
        """
        if seconds <= ASK_ABOVE or self._told or self.shown is False:
            return
        self._told = True
        if self._progress is not None:
            self._progress.clear()
        say(f"this run will take about {seconds / 3600:.1f} hours on {self.workers} workers")
        if not self.yes and sys.stdin and sys.stdin.isatty() and not agrees("go on?"):
            raise Declined("stopped before the long part; the same command goes on from here")

    def _start(self) -> tuple[Workers, Progress]:
        if self._processes is None or self._progress is None:
            started = self.backend.start(self.parts, self.workers, self._name, self._tell)
            self._processes = self._open.enter_context(started)
            self.workers = self._processes.count
            self._progress = self._open.enter_context(self._bar())
        return self._processes, self._progress

    def _bar(self) -> Progress:
        if self.plan.tournament:
            return TableProgress(self.plan, self._most(), self.shown)
        return Progress(self.plan.cells, self._most(), self.shown)

    def _most(self) -> int:
        """Return how many games are missing if every cell is played to its end."""
        return self._games(self._schedule([cell.deals for cell in self.plan.cells]))

    def each(self, cell: int) -> int:
        """Return the games of one deal of a job for a cell."""
        games: int = self.plan.cells[cell].games
        return games

    def _games(self, schedule: Schedule) -> int:
        """Return how many games a schedule has."""
        return sum(load.left * self.each(cell) for cell, load in enumerate(schedule.loads))

    def _look_through(self, cast: Cast) -> Found:
        return Found(cast.plan, cast.stamps, self.store)

    def _schedule(self, deals: Sequence[int]) -> Schedule:
        """Return what is missing below so many deals of each cell."""
        return Schedule(map(self._load, self.stamps, deals))

    def _load(self, stamp: str, deals: int) -> Load:
        missing = self.shard.within(gaps(self.store.coverage(stamp), deals), deals)
        probe = SLOW_PROBE if self._think(stamp) else 0
        return Load(deals, missing, self.store.speed(stamp), probe)

    def _think(self, stamp: str) -> bool:
        """Return whether somebody who plays under a stamp may take long for a game."""
        together = stamp not in self.stamps
        cells = zip(self.plan.cells, self.stamps, strict=True)
        found = (cell.chooses for cell, own in cells if together or own == stamp)
        return any(found)

    def _commit(self, finished: Iterable[tuple[Job, Packed]], progress: Progress) -> None:
        for job, block in finished:
            self._keep(job, block, progress)
            self.schedule.played(job, block.seconds)
            self.played += job.count * self.each(job.cell)
            self.seconds += block.seconds

    def _keep(self, job: Job, block: Packed, progress: Progress) -> None:
        self.store.add(self.stamps[job.cell], job.first, job.count, block)
        outcomes = np.frombuffer(block.unpacked(), np.uint8)
        progress.add_block(job.cell, outcomes.reshape(-1, job.count))

    def _tell(self, text: str) -> None:
        if self.shown is not False:
            say(text)

    def _name(self, job: Job) -> str:
        label = self.plan.cells[job.cell].label
        return f"deals {job.first} to {job.first + job.count - 1} of '{label}'"


def agrees(question: str) -> bool:
    """Ask the user, who may as well answer with Ctrl-D: no."""
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl-D
        return False
