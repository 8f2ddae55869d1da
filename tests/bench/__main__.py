"""`make bench`: one table of ratios and speeds, to be pasted into the README."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numba

from sim.registry import discover
from tests.bench import engine, reference, whole

DEALS = 100_000
PLAIN_DEALS = 200


def machine() -> str:
    """Return processor, cores, Python and numba in one line."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        name = models[0].partition(":")[2].strip() if models else name
    today = datetime.now(UTC).date()
    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"numba {numba.__version__}, {today}"
    )


def engine_rows() -> Iterator[tuple[str, str]]:
    """Measure the engine."""
    players = engine.players(discover())
    greedy = players["greedy-most-cards"]
    engine.speed(greedy, 2_000)
    if reference.binary():
        ours, theirs, ratio = engine.against_reference(greedy, DEALS)
        yield "greedy-most-cards, one core, games/s", f"{ours:,.0f}"
        yield "hand-written C++ loop, same run, games/s", f"{theirs:,.0f}"
        yield "**ratio to C++** (median of five pairs; bar 0.7)", f"**{ratio:.2f}**"
    else:
        yield "ratio to C++", "not measured: no C++ compiler here"
    yield "one deal, both decks shuffled", f"{engine.dealing(200_000):,.0f} ns"
    cores = os.cpu_count() or 1
    ours, control = engine.scaling(greedy, cores, DEALS)
    yield f"**{cores} workers against one** (bar 1.8 on 2)", f"**{ours:.2f}**"
    yield f"{cores} copies of the C++ loop against one", f"{control:.2f}"
    for name, player in players.items():
        compiled, plain = engine.both_lanes(player, DEALS // 5, PLAIN_DEALS)
        yield f"`{name}`, games/s compiled / plain Python", f"{compiled:,.0f} / {plain:,.0f}"


def run_rows() -> Iterator[tuple[str, str]]:
    """Measure whole runs."""
    cold = whole.cold_start()
    yield "cold start: first block after (bar 15 s)", f"{cold.first_worker:.1f} s"
    cost, engine_seconds = whole.beginner_tips(1_000_000)
    yield "warm start: first block after (bar 2 s)", f"{cost.first_worker:.1f} s"
    yield "`beginner_tips`, 16 million games, charts included", f"{cost.seconds:.0f} s"
    yield "**whole run / engine time** (bar 1.25)", f"**{cost.seconds / engine_seconds:.2f}**"
    yield "memory of all its processes (PSS; bar 800 MB)", f"{cost.peak:,.0f} MB"
    million, ten = whole.one_strategy(1_000_000), whole.one_strategy(10_000_000)
    yield "memory at 1 and at 10 million deals", f"{million.peak:,.0f} and {ten.peak:,.0f} MB"


def main() -> None:
    """Print the table, row by row as it is measured."""
    print(f"{machine()}\n\n| what | measured |\n|---|---|", flush=True)
    rows = [engine_rows] if "--engine" in sys.argv else [engine_rows, run_rows]
    for measure in rows:
        for what, measured in measure():
            print(f"| {what} | {measured} |", flush=True)


if __name__ == "__main__":
    main()
