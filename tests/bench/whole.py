"""Cost of whole runs: against their engine time, until the first block, and in memory."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from tests.bench.memory import Watched, watch

TIPOFF = [sys.executable, "-m", "sim"]
ONE = "experiment: one\ngame: club_fight\ndeals: {}\nseed: 1\nstrategies: [greedy-most-cards]\n"


def beginner_tips(deals: int) -> tuple[Watched, float]:
    """Play the shipped experiment; return what it cost, and its engine time in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", "club_fight/beginner_tips", "--deals", str(deals)]
        cost = watch([*TIPOFF, *words], Path(folder))
    found = re.search(r"engine time ([\d.]+) s", cost.output)
    assert found, cost.output
    return cost, float(found.group(1))


def one_strategy(deals: int) -> Watched:
    """Play greedy alone over many deals."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "one.yaml"
        config.write_text(ONE.format(deals))
        return watch([*TIPOFF, "run", str(config)], Path(folder))


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
