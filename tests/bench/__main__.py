"""`make bench`: one table of ratios and speeds, to be pasted into the README.

With `--engine` only the engine is measured, without whole runs; with `--save` the ratios are
written to `docs/performance/figures.json`, which the next table is compared with. With `--simulate`
nothing of that: a model of a cluster plays the largest run (`tests.bench.largest`).
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numba

from sim.lanes import Player
from sim.registry import discover
from tests.bench import curves, engine, figures, growth, largest, reference, shares, tables, whole

DEALS = 100_000
PLAIN_DEALS = 200


class Row(NamedTuple):
    """One line of the table, and the ratio in it that is kept and compared, if there is one."""

    what: str
    measured: str
    name: str = ""  # of the ratio
    ratio: float = 0.0

    def before(self, ratios: dict[str, float]) -> str:
        """Return the ratio measured last time, or "" if there is none."""
        return f"{ratios[self.name]:.2f}" if self.name in ratios else ""


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


def engine_rows() -> Iterator[Row]:
    """Measure the engine."""
    players = engine.players(discover())
    greedy = players["greedy-most-cards"]
    engine.speed(greedy, 2_000)
    if reference.binary():
        ours, theirs, ratio = engine.against_reference(greedy, DEALS)
        yield Row("greedy-most-cards, one core, games/s", f"{ours:,.0f}")
        yield Row("hand-written C++ loop, same run, games/s", f"{theirs:,.0f}")
        what = "**ratio to C++** (median of five pairs; bar 1.0)"
        yield Row(what, f"**{ratio:.2f}**", "greedy / C++ loop", ratio)
    else:
        yield Row("ratio to C++", "not measured: no C++ compiler here")
    yield Row("one deal, both decks shuffled", f"{engine.dealing(200_000):,.0f} ns")
    for name, player in players.items():
        yield from strategy_rows(name, player, greedy)


def strategy_rows(name: str, player: Player, greedy: Player) -> Iterator[Row]:
    """Measure one strategy in both lanes and against greedy."""
    compiled, plain = engine.both_lanes(player, DEALS // 5, PLAIN_DEALS)
    what = f"`{name}`, games/s compiled / plain Python"
    yield Row(
        what, f"{compiled:,.0f} / {plain:,.0f}", f"{name}, compiled / plain", compiled / plain
    )
    if player is not greedy:
        ratio = engine.against(player, greedy, DEALS // 5)
        bar = "" if name in engine.BEYOND_TIPS else " (bar 0.6)"
        yield Row(f"`{name}` / greedy{bar}", f"{ratio:.2f}", f"{name} / greedy", ratio)


def share_rows() -> Iterator[Row]:
    """Measure what each part of a greedy game costs."""
    found = shares.shares(engine.players(discover())["greedy-most-cards"])
    whole = found.pop("whole")
    yield Row("a greedy game", f"{whole:,.0f} ns")
    for part, cost in found.items():
        yield Row(f"of it {part}", f"{cost:,.0f} ns, {cost / whole:.0%}")


def table_rows() -> Iterator[Row]:
    """Measure games for several."""
    found = tables.speeds(discover())
    for label, speed in found.items():
        what = f"Stiche ansagen, four of `{label}`, games/s (bar 5,000)"
        yield Row(what, f"{speed:,.0f}")
    if theirs := tables.open_spiel():
        yield Row("OpenSpiel's random play of as many tricks, games/s", f"{theirs:,.0f}")
        ratio = found["aces-and-trumps"] / theirs
        yield Row("`aces-and-trumps` / OpenSpiel", f"{ratio:.1f}", "tables / OpenSpiel", ratio)


def run_rows() -> Iterator[Row]:
    """Measure whole runs."""
    cold = whole.cold_start()
    yield Row("cold start: first block after (bar 15 s)", f"{cold.first_worker:.1f} s")
    cost, engine_seconds = whole.beginner_tips(1_000_000)
    yield Row("warm start: first block after (bar 2 s)", f"{cost.first_worker:.1f} s")
    yield Row("`beginner_tips`, 16 million games, charts included", f"{cost.seconds:.0f} s")
    ratio = cost.seconds / engine_seconds
    what = "**whole run / engine time** (bar 1.15)"
    yield Row(what, f"**{ratio:.2f}**", "engine time / whole run", 1 / ratio)
    yield Row("memory of all its processes (PSS; bar 800 MB)", f"{cost.peak:,.0f} MB")


def growth_rows() -> Iterator[Row]:
    """Measure how costs grow, and draw the curves."""
    cores = os.cpu_count() or 1
    gains = growth.in_workers(engine.players(discover())["greedy-most-cards"], cores, DEALS, 5)
    last = gains[-1]
    yield Row(f"**{cores} workers against one** (bar 1.8 on 2)", f"**{last.ours:.2f}**")
    if last.control:
        yield Row(f"{cores} copies of the C++ loop against one", f"{last.control:.2f}")
        what = "what workers gain / what copies of the C++ loop gain (bar 0.95)"
        yield Row(what, f"{last.by_control:.2f}", "workers / copies of C++", last.by_control)
    deals, strategies = list(growth.in_deals()), list(growth.in_strategies())
    for by, costs in (("deals", deals), ("strategies", strategies)):
        first, most = getattr(costs[0], by), getattr(costs[-1], by)
        what = f"a game with {first:,} to {most:,} {by}, dearest / cheapest (bar 1.05)"
        yield Row(what, f"{1 + growth.spread(costs):.3f}")
    biggest = deals[-1]
    what = f"memory of {biggest.deals:,} deals of {biggest.strategies} strategies (bar 800 MB)"
    yield Row(what, f"{biggest.peak:,.0f} MB")
    for path in curves.draw(machine(), deals, strategies, gains):
        yield Row("drawn", path.name)


def main() -> None:
    """Print the table, row by row as it is measured, and what fell behind the last figures."""
    if "--simulate" in sys.argv:
        for line in chain([machine()], largest.report()):
            print(line, flush=True)
        return
    before, now = figures.load(), dict[str, float]()
    print(f"{machine()}\n\n| what | measured | before |\n|---|---|---|", flush=True)
    rows = [engine_rows, share_rows, table_rows, run_rows, growth_rows]
    rows = rows[: 3 if "--engine" in sys.argv else None]
    for row in (row for measure in rows for row in measure()):
        if row.name:
            now[row.name] = row.ratio
        print(f"| {row.what} | {row.measured} | {row.before(before)} |", flush=True)
    for line in figures.drops(before, now):
        print(f"\n!!! SLOWER !!! {line}")
    if "--save" in sys.argv:
        figures.save(machine(), now)


if __name__ == "__main__":
    main()
