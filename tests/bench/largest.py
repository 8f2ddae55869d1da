"""The largest run there may be, 10^12 games on 10,000 workers, played by a model of the cluster.

Measured are the parent's cost of a job (`tests.bench.parent`), how much the times of blocks differ
(`tests.bench.blocks`) and the cost of a game (`docs/performance.md`); assumed is how often a worker
is lost. Shards are alike, so one of them is played, with its part of the workers and of the deals.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sim.count_store import Span, size_of
from sim.counting import Together
from sim.counts import EVERY, RANGE
from sim.schedule import Job, Load, Schedule
from sim.store import Packed
from tests.bench import figures, parent
from tests.bench.blocks import Times
from tests.bench.cluster_model import Parent, Run, Simulation, Site

GAMES = 10**12
WORKERS = 10_000
CELLS = 100  # times the 10^10 deals that an experiment may have at most
GREEDY = 5.5e-6  # seconds a game of the greedy strategy, docs/performance.md
STORED = 0.7  # bytes a game of a store that keeps every deal: the shipped galleries
PART = 10  # one in so many of the games is played by the model where blocks are short
SHARDS = {"deals": (1, 16, 64, 256), "counts": (1, 4, 16, 64)}
LOSSES = (0.0, 0.01, 0.1, 1.0, 10.0)  # of a worker, per hour
SEED = 1


@dataclass(frozen=True)
class Setting:
    """How the games are played."""

    kind: str  # what the store keeps: "deals" or "counts"
    parent: Parent
    shards: int = 1
    losses: float = 0.0
    workers: int = WORKERS
    games: int = GAMES
    cells: int = CELLS

    @property
    def part(self) -> int:
        """Return of how many games one is played."""
        return PART if self.kind == "deals" else 1


def a_game() -> float:
    """Return the mean cost of a game over all strategies, in seconds."""
    ratios = [ratio for name, ratio in figures.load().items() if name.endswith(" / greedy")]
    return GREEDY * statistics.mean([1.0, *(1 / ratio for ratio in ratios)])


def schedule_of(setting: Setting) -> Schedule:
    """Return the real schedule of a shard, or of its part."""
    deals = setting.games // setting.cells // setting.shards // setting.part
    if setting.kind == "deals":
        return Schedule(Load(deals, [(0, deals)]) for _ in range(setting.cells))
    found = Together(Span(deals, [(0, deals)]))
    found.share_among(setting.workers // setting.shards)
    return found


def played(setting: Setting, times: Times) -> Run:
    """Play a shard, or its part."""
    rng, game = random.Random(SEED), a_game()

    def seconds(job: Job) -> float:
        games = job.count * (setting.cells if job.cell == EVERY else 1)
        return games * game * times.draw(rng)

    site = Site(setting.workers // setting.shards, losses=setting.losses)
    return Simulation(schedule_of(setting), seconds, setting.parent, site, rng).play()


def told(setting: Setting, run: Run) -> tuple[str, ...]:
    """Return what came of it as cells of a table."""
    workers = setting.workers // setting.shards
    wall, used = run.wall * setting.part, run.playing / (workers * run.wall)
    return (
        f"{run.playing / run.jobs:.1f} s",
        f"{run.jobs / run.wall:,.0f}",
        f"{run.parent / run.wall:.0%}",
        f"{wall / 60:,.1f} min",
        f"{setting.games / wall / 1e6:,.0f} M",
        f"{1 - used:.0%}",
    )


HEAD = ("blocks", "jobs/s a parent", "parent busy", "wall", "games/s", "lost of it")


def table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table, each as soon as it is known."""
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def by_shards(settings: dict[str, Setting], times: Times) -> Iterator[tuple[str, ...]]:
    """Yield a row for each kind of store and number of shards."""
    for kind, setting in settings.items():
        for shards in SHARDS[kind]:
            one = replace(setting, shards=shards)
            yield f"`{kind}`", str(shards), *told(one, played(one, times))


def by_losses(setting: Setting, times: Times) -> Iterator[tuple[str, ...]]:
    """Yield a row for each rate of losses."""
    for losses in LOSSES:
        one = replace(setting, losses=losses)
        run = played(one, times)
        lost = run.lost * setting.shards
        yield f"{losses:g}", f"{lost:,}", str(run.worst), *told(one, run)[3:]


def report() -> Iterator[str]:
    """Measure the parent, play the model, and yield what is to be said."""
    times, dask = Times.measured(), parent.dask()
    costs = {
        "deals": parent.cost(CELLS, "deals", 100_000),
        "counts": parent.cost(CELLS, "counts", 3_000, asked=RANGE // 2),
    }
    yield from measured(dask, costs)
    for disk in (True, False):
        settings = {
            kind: Setting(kind, Parent(dask, cost.commit if disk else cost.processor))
            for kind, cost in costs.items()
        }
        yield f"\nthe disk is {'as measured' if disk else 'never waited for'}:"
        yield from table(("store", "shards", *HEAD), by_shards(settings, times))
    head = ("losses a worker and hour", "blocks lost", "most of one", *HEAD[3:])
    for shards in SHARDS["counts"][-2:]:
        yield f"\ncounts, {shards} shards, the disk never waited for:"
        one = replace(settings["counts"], shards=shards)
        yield from table(head, by_losses(one, times))


def measured(dask: float, costs: dict[str, parent.Cost]) -> Iterator[str]:
    """Yield what a game, a job and a store cost."""
    perfect = GAMES * a_game() / WORKERS
    yield f"a game: {a_game() * 1e6:.2f} µs; perfect: {perfect / 60:.1f} min"
    yield f"parent, a job: Dask {dask * 1e3:.1f} ms of processor"
    for kind, cost in costs.items():
        own = f"{cost.commit * 1e3:.1f} ms, {cost.processor * 1e3:.1f} ms of it processor"
        yield f"commit of a block, `{kind}`: {own}; {cost.block:,} bytes"
    kept, summed = GAMES * STORED / 1e9, _counted(costs["counts"]) / 1e6
    yield f"store: {kept:,.0f} GB of deals, {summed:,.0f} MB of counts"
    spent = costs["counts"].counting
    yield f"a worker's time for counts / for deals: {spent:.2f}"


def _counted(cost: parent.Cost) -> int:
    block = Packed(bytes(cost.block), b"", 0.0)
    return size_of(block, GAMES // CELLS)
