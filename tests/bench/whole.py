"""Cost of whole runs: against their engine time, until the first block, and in memory."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.bench.memory import Watched, watch

TIPOFF = [sys.executable, "-m", "sim"]


def beginner_tips(deals: int) -> tuple[Watched, float]:
    """Play the shipped experiment; return what it cost, and its seconds in the loop a worker."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", "club_fight/beginner_tips", "--deals", str(deals)]
        cost = watch([*TIPOFF, *words], Path(folder))
        (store,) = Path(folder).rglob("results.sqlite")
        return cost, in_loop(store) / (os.cpu_count() or 1)


def in_loop(store: Path) -> float:
    """Return the seconds that all workers together spent playing what is in a store."""
    with closing(sqlite3.connect(store)) as opened:
        (seconds,) = opened.execute("select sum(seconds) from block").fetchone()
    return float(seconds)


def cold_start() -> Watched:
    """Play a few deals with an empty cache of compiled code."""
    kept = os.environ.get("TIPOFF_CACHE_DIR")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TIPOFF_CACHE_DIR"] = cache
        try:
            return beginner_tips(200)[0]
        finally:
            del os.environ["TIPOFF_CACHE_DIR"]
            if kept is not None:
                os.environ["TIPOFF_CACHE_DIR"] = kept
