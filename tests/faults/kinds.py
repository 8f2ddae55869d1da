"""What is done to a run: one function a fault, at a moment that a seed decides.

Each returns what came of it; `undisturbed` is the digest that the same command must end with.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sim.errors import Status
from sim.store import FILE_NAME
from tests.faults.harness import (
    COMMAND,
    FINISHES,
    STOPS,
    WITHOUT_CHARTS,
    Blocks,
    Run,
    again,
    blocks,
    left_of,
    orphans,
    remount,
    small_disk,
)


class Missed(Exception):
    """The run had ended before anything could be done to it."""


@dataclass(frozen=True)
class Case:
    """Where and when a fault happens."""

    folder: Path
    dice: random.Random
    window: float  # seconds for which blocks come, after the store is there
    whole: float  # seconds of a whole run
    size: int  # bytes of all it writes
    undisturbed: str  # digest
    charts: bool  # where the report matters, it is drawn
    pause: float  # seconds for which processes are stopped

    def run(self, charts: bool = False) -> Run:
        command = COMMAND if charts and self.charts else WITHOUT_CHARTS
        return Run(self.folder, command=command)

    def while_playing(self) -> Run:
        """Start a run and wait until some moment while blocks are played."""
        run = self.run()
        run.wait_for_store()
        return self.hit(run, 0, self.window)

    def hit(self, run: Run, least: float, most: float) -> Run:
        """Wait for some moment, which must come before the run has ended."""
        time.sleep(self.dice.uniform(least, most))
        if run.process.poll() is not None:
            run.finish(STOPS)
            raise Missed
        return run


@dataclass(frozen=True)
class Outcome:
    """What came of a fault."""

    lost: int = 0  # blocks that had been committed
    hung: bool = False
    ended: float = 0.0  # seconds from the fault to the end of the run it hit
    committed: int = 0  # blocks at the moment of the fault


DISK = 2**21  # bytes
Fault = Callable[[Case], Outcome]


# ---- what each must lead to


def settled(case: Case, run: Run, before: Blocks, ended: float | None) -> Outcome:
    """Check what a run has left behind, and that the same command goes on from there."""
    assert orphans(run.pid) == []
    assert "Traceback" not in run.err, run.err
    after = blocks(run.store)
    assert again(case.folder) == case.undisturbed
    lost = len(before - after) + len(after - blocks(run.store))
    return Outcome(lost, ended is None, ended or 0.0, len(before))


def stopped_by(case: Case, run: Run, send: Callable[[], None], status: int) -> Outcome:
    before = run.committed()
    over = (run.store.parent / "results.json").exists()  # the signal may come too late
    send()
    run.goes_on()
    ended = run.finish(STOPS)
    assert run.status == status or (over and run.status == 0), (run.status, run.err)
    if run.status == Status.INTERRUPTED:
        assert run.err == (
            "stopped; what was finished is stored. To go on: tipoff run tiny.yaml --workers 2\n"
        )
    return settled(case, run, before, ended)


def unnoticed(case: Case, run: Run, before: Blocks) -> Outcome:
    """Check a run that was to end as if nothing had happened."""
    ended = run.finish(FINISHES)
    assert (run.status, run.err) == (0, ""), (run.status, run.err)
    return settled(case, run, before, ended)


# ---- processes that end


def kill_worker(case: Case) -> Outcome:
    run = case.while_playing()
    before = run.committed()
    workers = run.workers()
    if not workers:  # it was frozen before it started them
        run.goes_on()
        run.finish(FINISHES)
        raise Missed
    os.kill(case.dice.choice(workers), signal.SIGKILL)
    run.goes_on()
    return unnoticed(case, run, before)


def kill_workers_for_ever(case: Case) -> Outcome:
    """Whoever takes a block is killed: three times, and the run says which block it was."""
    run = case.while_playing()
    before = run.committed()
    run.goes_on()
    started = time.monotonic()
    while run.process.poll() is None and time.monotonic() - started < STOPS:
        for pid in run.workers():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)
    hung = run.finish(STOPS) is None
    ended = None if hung else time.monotonic() - started
    if run.status != 0:  # else all had been played
        block = r"deals \d+ to \d+ of '.+'"
        message = f"tipoff: a worker died 3 times on {block}, the last time with exit code -9\n"
        assert run.status == Status.FAILED and re.fullmatch(message, run.err), run.err
    return settled(case, run, before, ended)


def kill_parent(case: Case) -> Outcome:
    run = case.while_playing()
    return stopped_by(case, run, lambda: run.send(signal.SIGKILL), -9)


def kill_parent_any_time(case: Case) -> Outcome:
    """Also while modules are imported, and while charts are drawn."""
    run = case.hit(case.run(charts=True), 0, case.whole)
    return stopped_by(case, run, lambda: run.send(signal.SIGKILL), -9)


# ---- signals that ask to end


def ctrl_c(case: Case) -> Outcome:
    run = case.while_playing()
    return stopped_by(case, run, lambda: run.signal(signal.SIGINT), 130)


def ctrl_c_any_time(case: Case) -> Outcome:
    run = case.hit(case.run(charts=True), 0.1, case.whole)  # before, it is Python that starts
    return stopped_by(case, run, lambda: run.signal(signal.SIGINT), 130)


def ctrl_c_many_times(case: Case) -> Outcome:
    def send() -> None:
        run.goes_on()
        for _ in range(5):
            run.signal(signal.SIGINT)
            time.sleep(0.02)

    run = case.while_playing()
    return stopped_by(case, run, send, 130)


def terminate(case: Case) -> Outcome:
    run = case.while_playing()
    return stopped_by(case, run, lambda: run.send(signal.SIGTERM), 130)


def terminate_all(case: Case) -> Outcome:
    run = case.while_playing()
    return stopped_by(case, run, lambda: run.signal(signal.SIGTERM), 130)


def hang_up(case: Case) -> Outcome:
    """The terminal is closed."""
    run = case.while_playing()
    return stopped_by(case, run, lambda: run.signal(signal.SIGHUP), -1)


def stop_and_continue(case: Case) -> Outcome:
    run = case.while_playing()
    before = run.committed()
    run.signal(signal.SIGSTOP)
    time.sleep(case.pause)
    assert run.process.poll() is None or not left_of(run.pid)
    run.signal(signal.SIGCONT)
    return unnoticed(case, run, before)


# ---- disks and files


def full_disk(case: Case) -> Outcome:
    """A disk of two megabytes, of which only some is free."""
    with small_disk(case.folder) as disk:
        disk_run(case, disk)
        filler = disk / "filler"
        # Small more often than large, for the store comes before the charts.
        free = 30_000 + int(case.dice.random() ** 3 * min(case.size, DISK - 100_000))
        filler.write_bytes(bytes(DISK - free))
        run = case.run(charts=True)
        ended = run.finish(FINISHES)
        assert run.status in (0, Status.FAILED, Status.BAD_INPUT, Status.STORE_DAMAGED), run.err
        assert run.status == 0 or "full" in run.err or "No space left" in run.err, run.err
        before = blocks(run.store)
        filler.unlink()
        return settled(case, run, before, ended)


def read_only(case: Case) -> Outcome:
    """A folder with a part of a run becomes read-only, then writable again."""
    with small_disk(case.folder) as disk:
        disk_run(case, disk)
        run = case.while_playing()
        run.signal(signal.SIGKILL)
        run.finish(STOPS)
        assert orphans(run.pid) == []
        before = blocks(run.store)
        remount(disk, "ro")
        run = case.run()
        ended = run.finish(STOPS)
        remount(disk, "rw")
        assert run.status == Status.BAD_INPUT and "cannot be written" in run.err, run.err
        return settled(case, run, before, ended)


def disk_run(case: Case, disk: Path) -> None:
    """Let the run's folder lie on a disk of its own."""
    (case.folder / "reports").symlink_to(disk, target_is_directory=True)


def below_a_file(case: Case) -> Outcome:
    (case.folder / "reports").write_text("mine")
    run = case.run()
    ended = run.finish(STOPS)
    assert run.status == Status.BAD_INPUT and "cannot be written" in run.err, run.err
    assert (case.folder / "reports").read_text() == "mine"
    (case.folder / "reports").unlink()
    return settled(case, run, frozenset(), ended)


def delete_store(case: Case) -> Outcome:
    return spoiled(case, "was deleted during the run", lambda store: store.unlink())


def replace_store(case: Case) -> Outcome:
    def swap(store: Path) -> None:
        other = store.with_name("other")
        other.write_bytes(b"")
        os.replace(other, store)

    return spoiled(case, "was replaced by another file during the run", swap)


def truncate_store(case: Case) -> Outcome:
    def cut(store: Path) -> None:
        os.truncate(store, case.dice.randrange(store.stat().st_size))

    return spoiled(case, "was cut short, and is now ", cut)


def spoiled(case: Case, said: str, spoil: Callable[[Path], None]) -> Outcome:
    """The store is spoiled by a stranger: what was in it is lost, but the run says so."""
    run = case.while_playing()
    before = run.committed()
    while run.commits():  # SQLite would fill what is cut now: found when it is opened again
        run.goes_on()
        time.sleep(0.005)
        before = run.committed()
    over = (run.store.parent / "results.json").exists()
    spoil(run.store)
    run.goes_on()
    ended = run.finish(STOPS)
    if over and run.status == 0:
        raise Missed  # it was closed before
    assert run.status == Status.STORE_DAMAGED and said in run.err, (run.status, run.err)
    return replace(settled(case, run, frozenset(), ended), committed=len(before))


def second_run(case: Case) -> Outcome:
    """Another run in the same folder is refused, and told who is there."""
    run = case.while_playing()
    before = run.committed()
    command = [sys.executable, "-m", "sim", "run", "tiny.yaml"]
    second = subprocess.run(
        command, cwd=case.folder, capture_output=True, text=True, timeout=FINISHES, check=False
    )
    alive = run.process.poll() is None
    run.goes_on()
    if alive and run.store.exists() and second.returncode != 0:
        assert second.returncode == Status.BAD_INPUT
        who = f"{FILE_NAME} is in use by another run: process {run.pid} ("
        assert who in second.stderr, second.stderr
    return unnoticed(case, run, before)


FAULTS: dict[str, Fault] = {
    "`kill -9` of a worker": kill_worker,
    "`kill -9` of every worker, again and again": kill_workers_for_ever,
    "`kill -9` of the parent": kill_parent,
    "`kill -9` of the parent, at any time": kill_parent_any_time,
    "Ctrl-C": ctrl_c,
    "Ctrl-C, at any time": ctrl_c_any_time,
    "Ctrl-C, five times": ctrl_c_many_times,
    "SIGTERM to the parent": terminate,
    "SIGTERM to all": terminate_all,
    "SIGHUP: the terminal is closed": hang_up,
    "all stopped, and continued": stop_and_continue,
    "a full disk": full_disk,
    "a disk that is read-only": read_only,
    "a folder below a file": below_a_file,
    "the store deleted": delete_store,
    "the store replaced by an empty file": replace_store,
    "the store cut short": truncate_store,
    "a second run in the same folder": second_run,
}
