"""Playing for a store of counts: one job plays all cells of some deals, and sends back sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sim import schedule
from sim.backend import Workers
from sim.cast import Cast
from sim.count_store import CountStore, Span, unpack
from sim.counts import EVERY, Layout, together
from sim.playing import Playing
from sim.progress import Progress
from sim.reuse import Found, FoundCounts, note_of_all
from sim.schedule import Job, Schedule
from sim.store import Packed, Store
from sim.sums import tallies

MOST_A_SECOND = 30  # jobs that one parent shall commit: with more workers, blocks take longer


class Together(Schedule):
    """Hands out deals to be played by all cells at once: one load, the last of one, EVERY."""

    def __init__(self, span: Span) -> None:
        super().__init__([span])
        self._span = span

    def share_among(self, workers: int) -> None:
        """Let blocks take so long that one parent keeps up with so many workers."""
        self._span.workers = workers
        self._span.seconds = max(schedule.BLOCK_SECONDS, workers / MOST_A_SECOND)

    def probes(self) -> Iterator[Job]:
        """Yield one block if the speed is not known."""
        return (replace(job, cell=EVERY) for job in super().probes())

    def jobs(self) -> Iterator[Job]:
        """Yield blocks until nothing is left."""
        return (replace(job, cell=EVERY) for job in super().jobs())


class Counting(Playing):
    """The workers and the bar of a run that keeps counts; use it as a context manager."""

    store: CountStore

    def __init__(self, cast: Cast, store: Store, *how: Any) -> None:
        """Get ready. Arguments are those of `Playing`."""
        self._stamp = together(cast.stamps)
        self._layout = Layout.of(cast.plan.game, len(cast.plan.cells))
        super().__init__(cast, store, *how)
        store.note_cells({self._stamp: note_of_all(cast.plan, cast.stamps)})

    def play(self, deals: Sequence[int]) -> None:
        """Play all that is missing; say before if other entries were counted."""
        games = self._games(self._schedule(deals))
        if isinstance(self.found, FoundCounts) and self.found.others and games:
            self._tell(
                "counts are of all entries together, and the entries changed: "
                f"all {self._layout.cells} are played again, {games:,} games"
            )
        super().play(deals)

    def _start(self) -> tuple[Workers, Progress]:
        started = super()._start()
        if isinstance(self.schedule, Together):
            self.schedule.share_among(self.workers)
        return started

    def each(self, cell: int) -> int:
        """Return the games of one deal of a job: that of every cell."""
        return self._layout.cells

    def _look_through(self, cast: Cast) -> Found:
        return FoundCounts(cast.plan, cast.stamps, self.store)

    def _schedule(self, deals: Sequence[int]) -> Schedule:
        load = self._load(self._stamp, max(deals))
        return Together(Span(load.deals, load.gaps, load.speed, load.probe))

    def _keep(self, job: Job, block: Packed, progress: Progress) -> None:
        self.store.add(self._stamp, job.first, job.count, block)
        counts = unpack(self._layout, job.count, block)
        progress.add_all(dict(enumerate(tallies(counts))))

    def _name(self, job: Job) -> str:
        return f"deals {job.first} to {job.first + job.count - 1} of all entries"


def playing_of(cast: Cast, store: Store, *how: Any) -> Playing:
    """Return the workers and the bar of a run. Arguments are those of `Playing`."""
    return (Counting if cast.plan.counts else Playing)(cast, store, *how)
