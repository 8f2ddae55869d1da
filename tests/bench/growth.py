"""How the cost of a game and the memory of a run grow with deals, strategies and workers.

Costs are seconds of processor of the command and all its workers, less those of the same command
with hardly any deals (imports, compiled code read from disk, charts): so what is left is played
games, their way into the store, and out of it into the statistics.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from sim.lanes import Player
from tests.bench import reference
from tests.bench.engine import on_workers
from tests.bench.memory import watch
from tests.bench.whole import TIPOFF, in_loop

FEW = 100  # deals of a run that costs nothing but its start and its charts
DEALS = (100_000, 1_000_000, 10_000_000)
STRATEGIES = (1, 2, 4, 8, 16, 32)
MANY, SOME = 8, 300_000  # strategies while deals grow, deals while strategies grow
ROUNDS = {100_000: 5, 300_000: 3, 1_000_000: 3, 10_000_000: 1}
HEAD = "experiment: growth\ngame: club_fight\ndeals: {}\nseed: 1\nworkers: 2\nstrategies:\n"
ENTRY = "  - {{use: joker-first, weight: {0}, label: joker-first {0}}}\n"  # all play alike


class Point(NamedTuple):
    """What one run cost."""

    deals: int
    strategies: int
    processor: float  # seconds
    engine: float  # seconds in the loop, on both workers
    peak: float  # MB of PSS, all processes together

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return self.deals * self.strategies


class Cost(NamedTuple):
    """What games cost at one size: medians over its rounds."""

    deals: int
    strategies: int
    game: float  # microseconds of processor
    by_engine: float  # the same by what the loop alone takes
    peak: float  # MB


def played(deals: int, strategies: int) -> Point:
    """Play so many deals with so many strategies, and see what that costs."""
    text = HEAD.format(deals) + "".join(ENTRY.format(100 + i) for i in range(strategies))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "growth.yaml"
        path.write_text(text, encoding="utf-8")
        cost = watch([*TIPOFF, "run", str(path)], Path(folder))
        (store,) = Path(folder).rglob("results.sqlite")
        return Point(deals, strategies, cost.processor, in_loop(store), cost.peak)


def cost(deals: int, strategies: int) -> Cost:
    """Measure what a game costs at one size."""
    pairs = [(played(FEW, strategies), played(deals, strategies)) for _ in range(ROUNDS[deals])]
    seconds = [many.processor - few.processor for few, many in pairs]
    by_engine = [
        spent / (many.engine - few.engine)
        for spent, (few, many) in zip(seconds, pairs, strict=True)
    ]
    games = (deals - FEW) * strategies
    peak = max(many.peak for _, many in pairs)
    return Cost(deals, strategies, 1e6 * median(seconds) / games, median(by_engine), peak)


def in_deals() -> Iterator[Cost]:
    """Measure with more and more deals."""
    return (cost(deals, MANY) for deals in DEALS)


def in_strategies() -> Iterator[Cost]:
    """Measure with more and more strategies."""
    return (cost(SOME, strategies) for strategies in STRATEGIES)


def spread(costs: Sequence[Cost]) -> float:
    """Return how far the dearest game lies above the cheapest, as a share, in units of the engine.

    The loop is timed in the same run, so a machine that is slower for a while does not count.
    """
    shares = [cost.by_engine for cost in costs]
    return max(shares) / min(shares) - 1


class Gain(NamedTuple):
    """How much faster some are than one: medians over rounds."""

    workers: int
    ours: float
    control: float  # copies of the C++ loop; 0 without a compiler
    by_control: float  # the median of the ratios of each round


def in_workers(player: Player, cores: int, deals: int, rounds: int) -> list[Gain]:
    """Measure with more and more workers, beside as many copies of the C++ loop."""
    return [_gain(player, workers, deals, rounds) for workers in range(1, cores + 1)]


def _gain(player: Player, workers: int, deals: int, rounds: int) -> Gain:
    if workers == 1:
        return Gain(1, 1.0, 1.0 if reference.binary() else 0.0, 1.0)
    ours, control = [], []
    for _ in range(rounds):
        ours.append(on_workers(player, workers, deals) / on_workers(player, 1, deals))
        if reference.binary():
            alone = reference.games_per_second(2 * deals)
            control.append(reference.games_per_second(2 * deals, workers) / alone)
    ratios = [a / b for a, b in zip(ours, control, strict=False)]
    return Gain(workers, median(ours), median(control or [0.0]), median(ratios or [0.0]))
