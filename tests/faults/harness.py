"""Real runs that something is done to: started, frozen, looked into, and started again."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import (
    chdir,
    closing,
    contextmanager,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from pathlib import Path
from unittest.mock import patch

import pytest

from sim.cli import main
from sim.store import FILE_NAME
from tests.command import results, write_results

LINUX = sys.platform.startswith("linux")
FINISHES = 120  # seconds a run may take that nobody stops; it takes a few
STOPS = 5  # seconds in which a stopped run must have ended: five times what is promised
WEIGHTS = [n / 10 for n in range(14)]

# Many short cells: a block is committed every few hundredths of a second.
CONFIG = """\
experiment: tiny
game: club_fight
deals: {deals}
seed: 7
strategies: [greedy-most-cards, random, {{use: save-middle-clubs, weight: {weights}}}]
"""
COMMAND = (sys.executable, "-m", "sim")
WORDS = ("run", "tiny.yaml", "--workers", "2")
# The same command, but the report is only results.json: drawing takes seconds.
WITHOUT_CHARTS = (
    sys.executable,
    "-c",
    """
import os, sys, types
def write(results, folder, *_):
    path, draft = folder / "results.json", folder / "draft"
    draft.write_text(results.to_json(), encoding="utf-8")
    os.replace(draft, path)
    return [path]
sys.modules["sim.report.write"] = types.SimpleNamespace(write_report=write)
from sim.cli import main
sys.exit(main())
""",
)


@contextmanager
def as_in_a_terminal() -> Iterator[None]:
    """Let processes that are started hear all signals, also if these tests run under `nohup`."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [(number, signal.getsignal(number)) for number in numbers]
    for number, handler in before:
        if handler == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


Blocks = frozenset[tuple[object, ...]]


def prepare(folder: Path, deals: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tiny.yaml").write_text(CONFIG.format(deals=deals, weights=WEIGHTS))
    return folder


class Run:
    """A run of `tiny.yaml` in a process group of its own, as a shell starts it."""

    def __init__(self, folder: Path, *words: str, command: Sequence[str] = COMMAND) -> None:
        self.folder = folder
        pipe = subprocess.PIPE
        paths = os.pathsep.join(path for path in sys.path if path)
        with as_in_a_terminal():
            self.process = subprocess.Popen(
                [*command, *WORDS, *words],
                cwd=folder,
                stdout=pipe,
                stderr=pipe,
                text=True,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": paths, "PYTHONFAULTHANDLER": "1"},
            )
        self.pid = self.process.pid
        self.out = self.err = ""

    @property
    def store(self) -> Path:
        return self.folder / "reports" / "tiny" / FILE_NAME

    def wait_until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + FINISHES
        while not condition() and self.process.poll() is None:
            assert time.monotonic() < end
            time.sleep(0.002)

    def wait_for_store(self) -> None:
        """Wait until blocks may come at any moment."""
        self.wait_until(self.store.exists)

    def workers(self) -> list[int]:
        path = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        return [int(word) for word in path.read_text().split()] if path.exists() else []

    def signal(self, number: int) -> None:
        """Signal all processes, as a terminal does."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def send(self, number: int) -> None:
        """Signal the parent alone."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def finish(self, seconds: float) -> float | None:
        """Wait for the end; return how long it took, or None if it hung and had to be killed.

        Seconds in which it could not run because others used the machine are not counted.
        """
        started, before, idle = time.monotonic(), queued(self.pid), 0.0
        while self.process.poll() is None:
            idle = max(idle, queued(self.pid) - before)
            if time.monotonic() - started - idle > seconds:
                self.send(signal.SIGABRT)  # tells on standard error where it stands
                self.goes_on()  # else one that is frozen would never hear of it
                self.out, self.err = self.process.communicate()
                self.signal(signal.SIGKILL)
                print(self.err)
                return None
            time.sleep(0.005)
        ended = time.monotonic() - started - idle
        self.out, self.err = self.process.communicate()
        return ended

    @property
    def status(self) -> int:
        return int(self.process.returncode)

    def committed(self) -> Blocks:
        """What is committed at this moment: the parent is frozen while its files are copied."""
        if self.process.poll() is None:
            self.send(signal.SIGSTOP)
            self.wait_until(lambda: state(self.pid) in "TZX")
        aside = self.folder / "aside"
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir()
        for path in (self.store, self.store.with_name(f"{FILE_NAME}-journal")):
            if path.exists():
                shutil.copy(path, aside)
        return blocks(aside / FILE_NAME)

    def commits(self) -> bool:
        """Return whether the frozen parent is in the middle of a commit: its journal has a head."""
        journal = self.store.with_name(f"{FILE_NAME}-journal")
        return journal.exists() and any(journal.read_bytes()[:8])

    def goes_on(self) -> None:
        self.send(signal.SIGCONT)


def blocks(path: Path) -> Blocks:
    """Return all blocks in a store that nobody holds; what was half committed is rolled back."""
    if not path.exists():
        return frozenset()
    with closing(sqlite3.connect(path)) as db:
        if not list(db.execute("select 1 from sqlite_master where name = 'block'")):
            return frozenset()
        rows = db.execute("select stamp, first, count, outcomes, counters from block")
        return frozenset((*row[:3], hashlib.sha256(b"".join(row[3:])).hexdigest()) for row in rows)


def state(pid: int) -> str:
    """Return a letter for the state of a process: T is stopped, Z and X are over."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def queued(pid: int) -> float:
    """Return the seconds for which the main thread of a process has waited for a processor."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def left_of(group: int) -> list[int]:
    """Return the living processes of a group; zombies do not count."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            letter, _, of = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of) == group and letter not in "ZX":
            found.append(int(path.parent.name))
    return found


def orphans(group: int, seconds: float = STOPS) -> list[int]:
    """Return the processes of a group that are still there after some seconds."""
    end = time.monotonic() + seconds
    while (found := left_of(group)) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def again(folder: Path) -> str:
    """Run the same command again, undisturbed; return the digest.

    Here, without charts: to start and to draw takes seconds.
    """
    out, err = io.StringIO(), io.StringIO()
    with (
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        patch("sim.report.write.write_report", write_results),
    ):
        status = main(WORDS)
    assert (status, err.getvalue()) == (0, ""), err.getvalue()
    digest: str = results(folder / "reports" / "tiny")["digest"]
    return digest


@contextmanager
def small_disk(folder: Path, options: str = "size=2m") -> Iterator[Path]:
    """A disk of two megabytes; skips where mounting is refused."""
    disk = folder / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True)
