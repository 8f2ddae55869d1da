"""What the parent of a run spends on a job, measured: the real commit, and Dask's client."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from sim import folder
from sim.api import load
from sim.backend import PROCESSES
from sim.cast import Cast, cast_of
from sim.config import Config
from sim.counting import playing_of
from sim.counts import EVERY
from sim.plan import make
from sim.progress import Progress
from sim.registry import discover
from sim.schedule import Job
from sim.store import Packed
from sim.work import player_of_blocks

DEALS = 10**10  # of an experiment: the most there may be
BATCHES, BATCH = 5, 40  # jobs; the quietest batch counts, for the disk is shared
DASK_JOBS = 600


class Cost(NamedTuple):
    """What a job costs."""

    commit: float  # seconds of the parent, waiting for the disk included
    processor: float  # of these
    block: int  # bytes that travel, and lie in the store
    counting: float  # the worker's time over that of keeping every deal


def config(cells: int, kind: str) -> dict[str, object]:
    """Return an experiment of so many cells that differ in a weight alone."""
    weights = [number / 100 for number in range(cells)]
    return {
        "experiment": "largest",
        "game": "club_fight",
        "store": kind,
        "deals": DEALS,
        "seed": 1,
        "strategies": [{"use": "joker-first", "weight": weights}],
    }


def cast(cells: int, kind: str) -> Cast:
    """Return the cast of such an experiment."""
    found: Config = load(config(cells, kind))._config
    return cast_of(make(found, discover()), require_compiled=False)


def cost(cells: int, kind: str, deals: int, asked: int = 0) -> Cost:
    """Measure what a job of so many deals costs; counts cost the parent the same for any number.

    Args:
        cells: how many the experiment has.
        kind: "deals" or "counts".
        deals: that are really played.
        asked: that jobs shall have, if it is counts.
    """
    players = cast(cells, kind)
    work = player_of_blocks(players.plan.game, players.dice, players.specs, players.stamps)
    every = [EVERY] if kind == "counts" else [0]
    block, seconds = _timed(work, every, deals)
    _, apart = _timed(work, range(cells) if kind == "counts" else [0], deals)
    commit, processor = _commit(players, replace(block, seconds=1.0), asked or deals)
    size = len(block.outcomes) + len(block.counters)
    return Cost(commit, processor, size, seconds / apart)


def _timed(work: Callable[[Job], Packed], cells: Iterable[int], deals: int) -> tuple[Packed, float]:
    """Return the last block, and the processor time of all; the quietest of 3."""
    found = []
    for _ in range(3):
        started = time.process_time()
        for cell in cells:
            block = work(Job(cell, 0, deals))
        found.append(time.process_time() - started)
    return block, min(found)


def _commit(players: Cast, block: Packed, deals: int) -> tuple[float, float]:
    """Return the seconds that the real parent takes to keep a block and show it.

    And how many of them are the processor's.
    """
    with (
        tempfile.TemporaryDirectory() as place,
        Progress(players.plan.cells, 1, False) as bar,
        folder.opened(Path(place), players.plan) as store,
    ):
        playing = playing_of(players, store, 1, PROCESSES, True, False)
        schedule = playing.schedule = playing._schedule([DEALS] * len(players.stamps))
        for one in schedule.loads:
            one.speed = float(deals)
        jobs = schedule.jobs()
        return min(_batch(playing._commit, jobs, block, bar) for _ in range(BATCHES))


def _batch(
    commit: Callable[[Iterator[tuple[Job, Packed]], Progress], None],
    jobs: Iterator[Job],
    block: Packed,
    bar: Progress,
) -> tuple[float, float]:
    finished = [(job, block) for job, _ in zip(jobs, range(BATCH), strict=False)]
    started, before = time.perf_counter(), time.process_time()
    commit(iter(finished), bar)
    return (time.perf_counter() - started) / BATCH, (time.process_time() - before) / BATCH


def dask() -> float:
    """Return the processor time of client and scheduler for a job, or 0 without Dask."""
    if not find_spec("distributed"):
        return 0.0
    from sim.cluster import Cluster

    players = cast(1, "deals")
    parts = (players.plan.game, players.dice, players.specs, players.stamps)
    with Cluster(parts, 2) as cluster:
        list(cluster.map_unordered(Job(0, first, 1) for first in range(20)))
        started = time.process_time()
        list(cluster.map_unordered(Job(0, first, 1) for first in range(DASK_JOBS)))
        return (time.process_time() - started) / DASK_JOBS
