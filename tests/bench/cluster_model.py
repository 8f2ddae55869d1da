"""Ten thousand workers and one parent, as a simulation of events.

The jobs are those of the real schedule (`sim.schedule`, `sim.counting`), drawn when a real run
draws them and told how long they took. Simulated are the clock, the workers, which are lost at
times and replaced, and the parent, which does one thing at a time: it takes a result, hands out the
next job to that worker, and commits the block, as `sim.cluster` and `sim.playing` do.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from sim.schedule import Job, Schedule

END, LOSS, JOIN = range(3)
FOREVER = float("inf")


@dataclass(frozen=True)
class Parent:
    """What the parent spends on a job, in seconds."""

    transport: float  # handing out a job and taking its result, half of it each
    commit: float


@dataclass(frozen=True)
class Site:
    """The workers."""

    workers: int
    ahead: int = 2  # jobs a worker has in flight, as `sim.cluster` hands them out
    losses: float = 0.0  # of a worker, per hour
    replaced: float = 60.0  # seconds until another one has joined
    latency: float = 0.002  # seconds from the parent to a worker


@dataclass
class Run:
    """What came of it."""

    wall: float = 0.0  # seconds
    playing: float = 0.0  # seconds that all workers spent on blocks that counted
    parent: float = 0.0  # seconds that the parent was busy
    jobs: int = 0
    lost: int = 0  # jobs that went down with a worker
    worst: int = 0  # times that one and the same job did


@dataclass(eq=False)
class _Worker:
    lost_at: float
    up: bool = True
    jobs: deque[Job] = field(default_factory=deque)  # the first one is played
    seconds: float = 0.0  # of that one


class Simulation:
    """A run of a schedule at a site."""

    def __init__(
        self,
        schedule: Schedule,
        seconds: Callable[[Job], float],
        parent: Parent,
        site: Site,
        rng: random.Random,
    ) -> None:
        """Get ready; `seconds` says how long a worker takes for a job."""
        self.schedule, self.seconds, self.parent = schedule, seconds, parent
        self.site, self.rng, self.run = site, rng, Run()
        self._workers = [_Worker(self._next_loss(0.0)) for _ in range(site.workers)]
        self._events: list[tuple[float, int, int, _Worker]] = []
        self._number = 0
        self._waiting, self._tries = deque[Job](), dict[Job, int]()
        self._free = 0.0  # when the parent is

    def play(self) -> Run:
        """Play all; first a block of each cell whose speed is not known."""
        for source in (self.schedule.probes(), self.schedule.jobs()):
            self._round(source)
        return self.run

    def _round(self, source: Iterator[Job]) -> None:
        for _ in range(self.site.ahead):
            for worker in self._workers:
                if not self._hand_out(worker, source):
                    break
        while self._events:
            now, _, what, worker = heappop(self._events)
            self._free = max(self._free, now)
            (self._ended, self._lost, self._joined)[what](now, worker, source)

    def _ended(self, now: float, worker: _Worker, source: Iterator[Job]) -> None:
        job, seconds = worker.jobs.popleft(), worker.seconds
        if worker.jobs:
            self._begin(worker, now)
        self._spend(self.parent.transport / 2)
        self._hand_out(worker, source)
        self._spend(self.parent.commit)
        self.schedule.played(job, seconds)
        self.run.jobs, self.run.wall = self.run.jobs + 1, self._free
        self.run.playing += seconds

    def _lost(self, now: float, worker: _Worker, source: Iterator[Job]) -> None:
        for job in worker.jobs:
            self._tries[job] = self._tries.get(job, 0) + 1
            self.run.worst = max(self.run.worst, self._tries[job])
        self.run.lost += len(worker.jobs)
        self._waiting.extend(worker.jobs)
        worker.jobs.clear()
        worker.up = False
        for other in self._workers:
            if self._waiting and other.up and not other.jobs:
                self._hand_out(other, source)
        worker.lost_at = self._next_loss(now + self.site.replaced)
        self._push(now + self.site.replaced, JOIN, worker)

    def _joined(self, now: float, worker: _Worker, source: Iterator[Job]) -> None:
        worker.up = True
        for _ in range(self.site.ahead):
            self._hand_out(worker, source)

    def _hand_out(self, worker: _Worker, source: Iterator[Job]) -> bool:
        job = self._waiting.popleft() if self._waiting else next(source, None)
        if job is None:
            return False
        worker.jobs.append(job)
        self._spend(self.parent.transport / 2)
        if len(worker.jobs) == 1:
            self._begin(worker, self._free + self.site.latency)
        return True

    def _begin(self, worker: _Worker, now: float) -> None:
        worker.seconds = self.seconds(worker.jobs[0])
        end = now + worker.seconds
        if worker.lost_at < end:
            self._push(max(now, worker.lost_at), LOSS, worker)
        else:
            self._push(end, END, worker)

    def _spend(self, seconds: float) -> None:
        self._free += seconds
        self.run.parent += seconds

    def _next_loss(self, now: float) -> float:
        if not self.site.losses:
            return FOREVER
        return now + self.rng.expovariate(self.site.losses / 3600)

    def _push(self, when: float, what: int, worker: _Worker) -> None:
        self._number += 1
        heappush(self._events, (when, self._number, what, worker))
