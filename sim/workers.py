"""Worker processes and `map_unordered(jobs)`: a dead worker costs one block, not the run.

`Pool` of multiprocess hangs for ever when a worker is killed, so a small supervisor stands here:
one pipe and one job in flight a worker. A worker that dies is replaced and its job handed out
again, three times at most. Workers ignore Ctrl-C (the parent decides) and end with their parent,
however it ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import multiprocess
from multiprocess import resource_tracker
from multiprocess.connection import wait

from sim.errors import TipoffError, WorkerFailed

START_METHODS = ("fork", "forkserver", "spawn")
MOST_TRIES = 3
# Seconds of waiting for an answer at a time: if another thread took a signal, Ctrl-C for instance,
# Python notices only when the wait is over.
PATIENCE = 0.2
PR_SET_PDEATHSIG = 1  # from linux/prctl.h

Setup = Callable[[], Callable[[Any], Any]]


def default_start_method() -> str:
    """Return fork on Linux, where it starts in milliseconds, and spawn elsewhere.

    A process with threads, such as a notebook's, is not forked: a lock that one of them holds would
    stay locked in the worker for ever.
    """
    if not sys.platform.startswith("linux"):
        return "spawn"
    return "fork" if threading.active_count() == 1 else "forkserver"


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # fewer than the machine has, in a container
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class _Worker:
    process: Any
    pipe: Any
    job: Any = None


class Processes:
    """A fixed number of worker processes; use it as a context manager."""

    def __init__(
        self,
        setup: Setup,
        count: int,
        start_method: str = "",
        name: Callable[[Any], str] = "block {}".format,
    ) -> None:
        """Start the workers.

        Args:
            setup: called once in each worker; returns the function from a job to its result.
            count: how many workers.
            start_method: one of `START_METHODS`; by default that of the platform.
            name: says in messages which job it was.
        """
        self._context = multiprocess.get_context(start_method or default_start_method())
        self._setup, self._name, self.count = setup, name, count
        self._workers = [self._start() for _ in range(count)]

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.process.pid for worker in self._workers]

    def map_unordered(self, jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield (job, result) for each job, in the order in which they are finished.

        Jobs are drawn one by one, as workers become free.

        Raises:
            TipoffError: as raised by the work function.
            WorkerFailed: if a job's worker died three times, or work raised anything else.
            RuntimeError: if an earlier round was left before its end: its results would be taken
                for those of this one.
        """
        if any(worker.job is not None for worker in self._workers):
            raise RuntimeError("an earlier round of these workers was left before its end")
        waiting, tries, source = deque[Any](), dict[Any, int](), iter(jobs)
        for worker in self._workers:
            self._hand_out(worker, waiting, source)
        while busy := [worker for worker in self._workers if worker.job is not None]:
            ready = wait([worker.pipe for worker in busy], PATIENCE)
            for worker in busy:
                if worker.pipe in ready:
                    yield from self._collect(worker, waiting, tries, source)

    def _collect(
        self, worker: _Worker, waiting: deque[Any], tries: dict[Any, int], source: Iterator[Any]
    ) -> Iterator[tuple[Any, Any]]:
        job = worker.job
        try:
            fine, result = worker.pipe.recv()
        except (EOFError, OSError):
            tries[job] = tries.get(job, 0) + 1
            self._replace(worker, job, tries[job])
            waiting.append(job)
            self._hand_out(worker, waiting, source)
            return
        self._hand_out(worker, waiting, source)  # before the result is used: no worker stands idle
        if not fine:
            raise self._failure(job, result)
        yield job, result

    def _hand_out(self, worker: _Worker, waiting: deque[Any], source: Iterator[Any]) -> None:
        worker.job = waiting.popleft() if waiting else next(source, None)
        if worker.job is not None:
            with suppress(OSError):  # if it is dead, its end of the pipe says so at the next wait
                worker.pipe.send(worker.job)

    def _replace(self, worker: _Worker, job: Any, tried: int) -> None:
        worker.process.join()
        worker.pipe.close()
        if tried >= MOST_TRIES:
            raise WorkerFailed(
                f"a worker died {tried} times on {self._name(job)}, "
                f"the last time with exit code {worker.process.exitcode}"
            )
        fresh = self._start()
        worker.process, worker.pipe = fresh.process, fresh.pipe

    def _failure(self, job: Any, reason: TipoffError | str) -> TipoffError:
        if isinstance(reason, TipoffError):
            return reason
        return WorkerFailed(f"{self._name(job)} failed:\n{reason}")

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._setup), daemon=True)
        method = self._context.get_start_method()
        with _interrupts_held(method), main_hidden(method):
            process.start()
        theirs.close()
        return _Worker(process, ours)


@contextmanager
def _interrupts_held(start_method: str) -> Iterator[None]:
    """Hold Ctrl-C back while a process starts: half started, it would print a traceback.

    A new process inherits what the thread that starts it blocks; here, another may still be told.
    Only the main thread may handle signals; started from another, the process alone is spared.
    """
    came: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if is_main else ()
    before = {number: signal.signal(number, lambda n, _: came.append(n)) for number in numbers}
    try:
        with _interrupts_blocked(start_method):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for late in came:
        signal.raise_signal(late)


@contextmanager
def _interrupts_blocked(start_method: str) -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    if start_method != "fork":
        resource_tracker.ensure_running()  # first: starting it lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def main_hidden(start_method: str) -> Iterator[None]:
    """Keep a new process from running the main script again, which no worker needs.

    A script that starts its run without `if __name__ == "__main__":` would start another one there,
    and one that was typed into standard input has no file to be run from.
    """
    main = sys.modules["__main__"]
    names = () if start_method == "fork" else ("__file__", "__spec__")
    before: dict[str, Any] = {name: vars(main)[name] for name in names if name in vars(main)}
    vars(main).update(dict.fromkeys(before))
    try:
        yield
    finally:
        vars(main).update(before)


def _serve(pipe: Any, setup: Setup) -> None:
    """Live as a worker: answer jobs until the parent closes the pipe or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = os.getppid()
    _die_with_parent()
    work: Callable[[Any], Any] | None = None
    try:
        while True:
            while not pipe.poll(1.0):
                # A forked sibling may hold the other end open: look for the parent itself.
                if os.getppid() != parent:
                    return
            job = pipe.recv()
            try:
                work = work or setup()
                answer = True, work(job)
            except TipoffError as error:
                answer = False, error
            except Exception:
                answer = False, traceback.format_exc()
            pipe.send(answer)
    except (EOFError, OSError):
        return


def _die_with_parent() -> None:
    """See to it that this process ends with its parent, even in the middle of a job.

    Linux does so for who was started by the parent itself; not so if a fork server stands between,
    which these processes keep alive. Then a thread waits for the end of a pipe.
    """
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_outwait_parent, daemon=True).start()


def _outwait_parent() -> None:
    wait([multiprocess.parent_process().sentinel])
    os._exit(1)
