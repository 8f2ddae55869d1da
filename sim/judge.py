"""From a finished store to results: tallies, digests and intervals of every cell."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version

import sim
from sim.deals import STREAM_VERSION
from sim.errors import StoreDamaged
from sim.plan import Cell, Plan
from sim.results import Entry, Results
from sim.stats.intervals import mean_interval, wilson
from sim.store import Store
from sim.tally import Tally, run_digest, tally

LIBRARIES = ("numpy", "numba")


def results(plan: Plan, store: Store, stamps: Sequence[str], lanes: Sequence[str]) -> Results:
    """Return the results of a plan whose deals are all in the store.

    Args:
        plan: the plan that was played.
        store: its store.
        stamps: the stamp of each cell.
        lanes: the lane in which each cell's strategy plays.

    Raises:
        StoreDamaged: if blocks are missing or damaged.
    """
    tallies = [
        tally(store.outcomes(stamp, cell.deals))
        for cell, stamp in zip(plan.cells, stamps, strict=True)
    ]
    entries = tuple(
        entry(cell, counted, lane, plan.game.worst)
        for cell, counted, lane in zip(plan.cells, tallies, lanes, strict=True)
    )
    return Results(
        experiment=plan.experiment,
        game=plan.game.name,
        seed=plan.seed,
        ties=plan.ties,
        tie_seed=plan.tie_seed,
        baseline=plan.baseline,
        digest=run_digest(entry.digest for entry in entries),
        versions=versions(plan.game.rules_version),
        entries=entries,
    )


def entry(cell: Cell, counted: Tally, lane: str, worst: int) -> Entry:
    """Return one line of the results."""
    histogram = counted.histogram[: worst + 1]
    if histogram.sum() != counted.deals:
        raise StoreDamaged(f"'{cell.label}': some deals ended with more than {worst} cards left")
    low, high = wilson(counted.wins, counted.deals)
    mean, mean_low, mean_high = mean_interval(histogram)
    return Entry(
        label=cell.label,
        strategy=cell.listing.name,
        params=dict(cell.params),
        swept=cell.swept,
        rules=dict(cell.rules_dict),
        variant=cell.variant,
        lane=lane,
        clairvoyant=cell.listing.cls.clairvoyant,
        deals=counted.deals,
        wins=counted.wins,
        digest=counted.digest,
        leaves=counted.leaves,
        win_rate=counted.wins / counted.deals,
        win_rate_low=low,
        win_rate_high=high,
        leftover_mean=mean,
        leftover_low=mean_low,
        leftover_high=mean_high,
        leftover_histogram=tuple(histogram.tolist()),
        turns_mean=counted.turns / counted.deals,
    )


def versions(rules_version: int) -> dict[str, str | int]:
    """Return the versions of everything a result could depend on."""
    known: dict[str, str | int] = {
        "tipoff": sim.__version__,
        "rules": rules_version,
        "stream": STREAM_VERSION,
        "python": platform.python_version(),
    }
    return known | {name: version(name) for name in LIBRARIES}
