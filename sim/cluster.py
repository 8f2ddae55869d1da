"""The workers of a Dask cluster, behind the same `map_unordered(jobs)` as processes have.

Each worker process is told whom to play and looked over before it gets a job, whenever it joins.
Jobs are pinned to workers, two each, one that is played and one that waits. So it is known here
what went down with a worker that is lost: those blocks are handed out again, three times at most.

Dask sends pickles both ways, and whoever can reach a scheduler can run code on its workers and on
its clients: connect only to a cluster you trust. The store of a run stays free of them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count as numbers
from typing import Any, Self
from uuid import uuid4

from distributed import as_completed

from sim.dask_client import connected, quiet
from sim.errors import BadInput, TipoffError, WorkerFailed
from sim.parcel import Parcel
from sim.remote import Answer, play, prepare
from sim.work import Parts
from sim.workers import MOST_TRIES

AHEAD = 2  # jobs a worker: one is played while the other waits
LOOK = 0.5  # seconds between two looks at who is in the cluster
PATIENCE = 0.01  # seconds of sleep when nothing was finished: workers have a job waiting
MOST_SHOWN = 5  # refused workers in one message


class SchedulerLost(TipoffError):
    """The scheduler of a Dask cluster does not answer any more."""


@dataclass(eq=False)
class _Host:
    """A worker process of the cluster."""

    address: str
    ready: bool = False
    jobs: int = 0  # in flight


@dataclass(eq=False)
class _Flight:
    """Something that a worker was asked to do; no job: to get ready."""

    host: _Host
    future: Any
    job: Any = None


@dataclass
class _Round:
    """The jobs of one call of `map_unordered`."""

    source: Iterator[Any]
    waiting: deque[Any] = field(default_factory=deque)  # those of workers that were lost
    tries: dict[Any, int] = field(default_factory=dict)
    drawn_out: bool = False

    def draw(self) -> Any:
        """Return the next job, or None if there is none now."""
        if self.waiting:
            return self.waiting.popleft()
        job = None if self.drawn_out else next(self.source, None)
        self.drawn_out = job is None
        return job


class Cluster:
    """All workers of a Dask cluster; use it as a context manager."""

    def __init__(
        self,
        parts: Parts,
        count: int,
        scheduler: str = "",
        name: Callable[[Any], str] = "block {}".format,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Connect, and see to it that every worker is ready.

        Args:
            parts: whom to play.
            count: how many workers to start, unless a scheduler is given.
            scheduler: its address; "": a cluster of this machine, which ends with the run.
            name: says in messages which job it was.
            tell: is told of the cluster and its dashboard, and of workers that are not used.

        Raises:
            BadInput: if no scheduler answers, or a worker has other versions or strategies.
        """
        self._parcel, self._name, self._tell = Parcel.of(parts), name, tell
        self._hosts: dict[str, _Host] = {}
        self._refused: dict[str, str] = {}  # by address, what is wrong there
        self._flights: dict[str, _Flight] = {}
        self._keys = (f"tipoff-{uuid4().hex[:12]}-{number}" for number in numbers())
        self._next_look, self._deaths = 0.0, 0
        self._waits = self._plays = False
        with ExitStack() as opened:
            opened.enter_context(quiet())
            self._client = opened.enter_context(connected(scheduler, count))
            self._landing = as_completed(loop=self._client.loop, with_results=True)
            opened.callback(self._cancel)
            self._assemble()
            self._close = opened.pop_all().close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def count(self) -> int:
        """Return how many workers are ready."""
        return sum(host.ready for host in self._hosts.values())

    def map_unordered(self, jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield (job, result) for each job, in the order in which they are finished.

        Jobs are drawn one by one, as workers become free.

        Raises:
            TipoffError: as raised by the work function.
            WorkerFailed: if a job's worker was lost three times, or work raised anything else.
            SchedulerLost: if the scheduler does not answer any more.
            RuntimeError: if an earlier round was left before its end.
        """
        if self._busy():
            raise RuntimeError("an earlier round of these workers was left before its end")
        todo = _Round(iter(jobs))
        for depth in range(1, AHEAD + 1):  # first one each
            for host in list(self._hosts.values()):
                self._hand_out(host, todo, depth)
        while todo.waiting or not todo.drawn_out or self._busy():
            self._look(todo)
            for flight, fine, answer in self._landed():
                yield from self._collect(flight, fine, answer, todo)

    def _busy(self) -> bool:
        return any(flight.job is not None for flight in self._flights.values())

    def _assemble(self) -> None:
        """Wait until all workers that are there are ready.

        Raises:
            BadInput: if one of them has not what it needs.
        """
        while not self.count or self._flights:
            self._look(_Round(iter(())))
            for flight, fine, answer in self._landed():
                self._welcome(flight, fine, answer)
            if self._refused and not self._flights:
                lines = [f"worker {where} has {what}" for where, what in self._refused.items()]
                raise BadInput(
                    "\n".join([*lines[:MOST_SHOWN], *["..."][: len(lines) > MOST_SHOWN]])
                )
        self._plays = True
        self._tell(f"{self.count} workers of the Dask cluster {self._client.scheduler.address}")
        if "dashboard" in self._client.scheduler_info()["services"]:
            self._tell(f"its dashboard: {self._client.dashboard_link}")

    def _look(self, todo: _Round) -> None:
        """See which workers came and went."""
        if time.monotonic() < self._next_look:
            return
        present = self._present()
        self._next_look = time.monotonic() + LOOK
        for address in self._hosts.keys() - present:
            self._lose(self._hosts.pop(address), todo)
        for address in sorted(present - self._hosts.keys() - self._refused.keys()):
            self._hosts[address] = _Host(address)
            self._ask_to_prepare(self._hosts[address])
        if not self._hosts and not self._waits:
            self._tell("the cluster has no worker that can play; waiting for one to join")
        self._waits = not self._hosts

    def _present(self) -> set[str]:
        """Return the addresses of all workers."""
        try:
            if self._client.status == "running":
                return set(self._client.nthreads())
        except (OSError, TimeoutError):
            pass
        raise SchedulerLost(
            "the scheduler of the Dask cluster does not answer any more; "
            "what was finished is stored, and the same command goes on"
        )

    def _lose(self, host: _Host, todo: _Round) -> None:
        """Put what a worker that is gone was asked to do back among what waits."""
        for flight in [flight for flight in self._flights.values() if flight.host is host]:
            del self._flights[flight.future.key]
            flight.future.cancel()
            self._again(flight, todo)
        for other in list(self._hosts.values()):
            self._hand_out(other, todo)

    def _again(self, flight: _Flight, todo: _Round) -> None:
        if flight.job is None:
            self._deaths += 1
            if self._deaths >= MOST_TRIES and not self.count:
                raise WorkerFailed(f"workers were lost {self._deaths} times before they could play")
            return
        tried = todo.tries[flight.job] = todo.tries.get(flight.job, 0) + 1
        if tried >= MOST_TRIES:
            where = flight.host.address
            raise WorkerFailed(
                f"a worker was lost {tried} times on {self._name(flight.job)}, "
                f"the last time {where}"
            )
        todo.waiting.append(flight.job)

    def _hand_out(self, host: _Host, todo: _Round, most: int = AHEAD) -> None:
        """Give a worker as many jobs as it may have in flight."""
        while host.ready and host.jobs < most and (job := todo.draw()) is not None:
            host.jobs += 1
            self._send(host, job, play, self._parcel.key, job)

    def _ask_to_prepare(self, host: _Host) -> None:
        host.ready = False
        parcel = self._parcel
        self._send(host, None, prepare, parcel.key, parcel.expected, parcel.packed)

    def _send(self, host: _Host, job: Any, function: Callable[..., Any], *words: Any) -> None:
        future = self._client.submit(
            function, *words, workers=[host.address], key=next(self._keys), pure=False
        )
        self._flights[future.key] = _Flight(host, future, job)
        self._landing.add(future)

    def _landed(self) -> Iterator[tuple[_Flight, bool, Any]]:
        """Yield what was answered by now: the flight, whether all is well, and the answer."""
        batch = self._landing.next_batch(block=False)
        if not batch:
            time.sleep(PATIENCE)
        for future, answer in batch:
            flight = self._flights.pop(future.key, None)
            if flight is not None:  # else its worker was thought to be gone
                flight.host.jobs -= flight.job is not None
                yield flight, future.status == "finished", answer

    def _collect(
        self, flight: _Flight, fine: bool, answer: Any, todo: _Round
    ) -> Iterator[tuple[Any, Any]]:
        if flight.job is None:
            self._welcome(flight, fine, answer)
            self._hand_out(flight.host, todo)
            return
        given = answer if fine and isinstance(answer, Answer) else Answer()
        if given == Answer():  # it or its result is lost, or a new process has its old address
            self._present()
            self._again(flight, todo)
            if flight.host.ready:
                self._ask_to_prepare(flight.host)
            return
        self._hand_out(flight.host, todo)  # before the result is used: no worker stands idle
        if given.block is None:
            raise given.error or WorkerFailed(f"{self._name(flight.job)} failed:\n{given.fault}")
        yield flight.job, given.block

    def _welcome(self, flight: _Flight, fine: bool, answer: Any) -> None:
        """Hear whether a worker is ready; one that has not what it needs gets no jobs."""
        host = flight.host
        if fine and not answer:
            host.ready, self._deaths = True, 0
            return
        self._hosts.pop(host.address, None)
        if not fine and not isinstance(answer, tuple):  # cancelled: it will be asked again
            return
        wrong = "; ".join(answer) if fine else f"no tipoff like this one ({answer[1]!r})"
        self._refused[host.address] = wrong
        if self._plays:
            self._tell(f"worker {host.address} is not used: it has {wrong}")

    def _cancel(self) -> None:
        """Take back what was asked for, so that a cluster of others is free at once."""
        futures = [flight.future for flight in self._flights.values()]
        if futures and self._client.status == "running":
            with suppress(OSError, TimeoutError):
                self._client.cancel(futures)
