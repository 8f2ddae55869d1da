"""Time and memory of a whole command, with all its processes, read from /proc (Linux only)."""

from __future__ import annotations

import re
import resource
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.02  # seconds between looks until the first worker appears
LATER = 0.25


@dataclass(frozen=True)
class Watched:
    """What a command cost."""

    output: str
    seconds: float
    processor: float  # seconds, of all its processes
    first_worker: float  # seconds until the first worker was there
    peak: float  # MB of PSS, all processes together


def watch(command: Sequence[str], folder: Path) -> Watched:
    """Run a command in a folder and watch it until it ends."""
    started, before = time.perf_counter(), spent()
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    first, peak = 0.0, 0.0
    while process.poll() is None:
        family = [process.pid, *children(process.pid)]
        if not first and len(family) > 1:
            first = time.perf_counter() - started
        peak = max(peak, sum(map(pss, family)))
        time.sleep(LATER if first else EVERY)
    seconds = time.perf_counter() - started
    assert process.stdout
    output = process.stdout.read()
    if process.returncode:
        raise RuntimeError(output)
    return Watched(output, seconds, spent() - before, first, peak)


def spent() -> float:
    """Return the seconds of processor of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def children(pid: int) -> list[int]:
    """Return the processes started by a process."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def pss(pid: int) -> float:
    """Return the proportional set size of a process in MB, 0 if it has ended."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found.group(1)) / 1024 if found else 0.0
