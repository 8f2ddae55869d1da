"""A Dask cluster for tests: a scheduler and workers, each a process, and runs that play on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.command import config

ROOT = Path(__file__).parents[2]
needs_dask = pytest.mark.skipif(not find_spec("distributed"), reason="distributed is missing")

CONFIG = """experiment: tiny
game: club_fight
deals: 30_000
seed: 7
strategies: [greedy-most-cards, {use: joker-first, weight: 1}]
"""
ON_PROCESSES = {"backend": "processes", "scheduler": "", "workers": 2}

# Plays on a cluster, with blocks so short that there are many. After some of them, something
# happens: a process is killed, a command is run, or it waits for a file.
DRIVER = """
import json, os, signal, subprocess, sys, time
from pathlib import Path

import sim
from sim import parcel, schedule
from sim.errors import TipoffError
from sim.games.club_fight.view import Move, View
from sim.store import Store

told = json.loads(sys.argv[1])
schedule.BLOCK_SECONDS = 0.03
blocks, add = [], Store.add


class Typed(sim.Strategy):
    \"\"\"Clear many.\"\"\"

    def score(self, view: View, move: Move) -> float:
        return 2.0 * move.cleared


def adding(store, *block):
    add(store, *block)
    blocks.append(block)
    if len(blocks) == 8:
        if told.get("kill"):
            os.kill(told["kill"], told.get("signal", signal.SIGKILL))
        if told.get("command"):
            subprocess.run(told["command"], check=True)
        if told.get("wait"):
            Path("waiting").touch()
        while told.get("wait") and not os.path.exists(told["wait"]):
            time.sleep(0.05)


def packing(parts, of=parcel.Parcel.of):
    packed = of(parts)
    for path in told.get("gone", ()):
        os.unlink(path)
    return packed


Store.add = adding
parcel.Parcel.of = packing
try:
    typed = [Typed] if told.get("typed") else []
    run = sim.load(told["config"], strategies=typed).run(progress=True, **told["how"])
    print(run.results.digest, len(blocks))
except TipoffError as error:
    print(error, file=sys.stderr)
    raise SystemExit(int(error.status))
except KeyboardInterrupt:
    raise SystemExit(130)
"""


@dataclass
class Site:
    """A scheduler and workers, each a process of its own, and the folder they work in."""

    folder: Path
    host: str = "127.0.0.1"  # of the scheduler
    scheduler: str = ""  # its address
    settings: dict[str, str] = field(default_factory=dict)  # of Dask, as environment variables
    processes: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, what: str, *words: object, before: Sequence[str] = ()) -> subprocess.Popen[str]:
        """Start `python -m distributed.cli.dask_...`, with other words before it."""
        module = [*before, sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{what}"]
        log = (self.folder / f"{what}-{len(self.processes)}.log").open("w")
        with log:
            process = subprocess.Popen(
                [*module, *map(str, words)], cwd=self.folder, env=self.env, stderr=log, text=True
            )
        self.processes.append(process)
        return process

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, **self.settings, "PYTHONPATH": str(ROOT)}

    def start_scheduler(self, before: Sequence[str] = ()) -> subprocess.Popen[str]:
        file = self.folder / "scheduler.json"
        where = ("--host", self.host, "--port", 0, "--dashboard-address", f"{self.host}:0")
        process = self.start("scheduler", *where, "--scheduler-file", file, before=before)
        self.wait_for(file.name, "}")
        self.scheduler = json.loads(file.read_text(encoding="utf-8"))["address"]
        return process

    def start_worker(self, *words: object, before: Sequence[str] = ()) -> subprocess.Popen[str]:
        """Start a worker, and wait until the scheduler has it."""
        number = len(self.processes)
        process = self.start(
            "worker", self.scheduler, "--no-nanny", "--no-dashboard", "--nthreads", 2,
            "--local-directory", self.folder / f"worker-{number}", *words, before=before,
        )  # fmt: skip
        self.wait_for(f"worker-{number}.log", "Registered to")
        return process

    def wait_for(self, name: str, text: str = "") -> None:
        """Wait until a file of the folder is there, and holds a text."""
        file = self.folder / name
        for _ in range(1200):
            if file.exists() and text in file.read_text(encoding="utf-8"):
                return
            time.sleep(0.05)
        raise AssertionError(f"{name}: {file.exists() and file.read_text(encoding='utf-8')}")

    def started(self, told: dict[str, Any]) -> subprocess.Popen[str]:
        """Start the driver on this cluster."""
        (self.folder / "driver.py").write_text(DRIVER, encoding="utf-8")
        how = {"backend": "dask", "scheduler": self.scheduler} | told.pop("how", {})
        words = [sys.executable, "-W", "ignore", "driver.py", json.dumps(told | {"how": how})]
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            env=self.env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.processes.append(process)
        return process

    def play(self, status: int = 0, **told: Any) -> tuple[str, str]:
        """Play on this cluster, and return what was printed on both streams."""
        process = self.started(told)
        out, err = process.communicate(timeout=120)
        assert process.returncode == status, err
        assert "Traceback" not in err
        return out, err


@contextmanager
def site_in(folder: Path) -> Iterator[Site]:
    """A site with a small experiment; all its processes end with it."""
    made = Site(folder)
    config(folder, CONFIG)
    try:
        yield made
    finally:
        for process in made.processes:
            process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()
