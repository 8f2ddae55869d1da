"""The hand-written C++ loop that the engine races, built on first use."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("club_fight_reference.cpp")


@cache
def binary() -> str:
    """Build the loop and return its path, or "" where there is no compiler."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        return ""
    target = Path(tempfile.mkdtemp(prefix="tipoff-bench-")) / "club_fight_reference"
    subprocess.run([compiler, "-O3", "-march=native", "-o", target, SOURCE], check=True)
    return str(target)


def speed(deals: int) -> float:
    """Return greedy games a second of processor, the start of the program included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    games_per_second(deals)
    return deals / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def games_per_second(deals: int, copies: int = 1) -> float:
    """Return greedy games a second of all copies together, each playing `deals` easy deals."""
    command = [binary(), "greedy", "1", str(deals), "7"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(copies)]
    answers = [json.loads(process.communicate()[0]) for process in running]
    return float(sum(answer["games_per_s"] for answer in answers))
