"""From a finished store to results: tallies, digests and intervals of every cell."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from itertools import zip_longest

import sim
from sim.compare import (
    Group,
    additive_of,
    by_label,
    by_variant,
    changes_of,
    effects_of,
    pairs_of,
)
from sim.deals import STREAM_VERSION
from sim.errors import StoreDamaged
from sim.plan import Cell, Plan
from sim.results import Entry, Results
from sim.source import closure_hash
from sim.stats.intervals import mean_interval, wilson
from sim.store import Store
from sim.tally import LEAF, Tally, recut, run_digest, tally

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
    variants, labels = by_variant(plan.cells), by_label(plan.cells)
    tallies = count(plan, store, stamps, [*variants, *labels])
    compared = [group.compared() for group in variants]
    places = dict[int, tuple[int, int]]()
    for group, pairs in zip(variants, compared, strict=True):
        places |= zip(group.cells, pairs.ranks(), strict=True)
    entries = tuple(
        entry(cell, tallies[i], lanes[i], places[i], plan.game.worst)
        for i, cell in enumerate(plan.cells)
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
        pairs=tuple(
            pair
            for group, pairs in zip(variants, compared, strict=True)
            for pair in pairs_of(group, pairs, plan.cells)
        ),
        variants=tuple(
            change for group in labels for change in changes_of(group, group.compared(), plan.cells)
        ),
        effects=tuple(
            effect
            for group in variants
            if plan.factors
            for effect in effects_of(group, plan.cells, plan.factors)
        ),
        additive=tuple(
            additive_of(group, plan.cells, plan.factors) for group in variants if plan.factors
        ),
    )


def count(plan: Plan, store: Store, stamps: Sequence[str], groups: Sequence[Group]) -> list[Tally]:
    """Read the store once, a leaf of all cells at a time: tallies, and the sums of the groups."""
    tallies = [tally(()) for _ in plan.cells]
    readers = [
        recut(store.outcomes(stamp, cell.deals), LEAF)
        for cell, stamp in zip(plan.cells, stamps, strict=True)
    ]
    for pieces in zip_longest(*readers):
        for i, piece in enumerate(pieces):
            if piece is not None:
                tallies[i] = tallies[i].then(tally((piece,)))
        for group in groups:
            group.add(pieces)
    return tallies


def entry(cell: Cell, counted: Tally, lane: str, place: tuple[int, int], worst: int) -> Entry:
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
        rank=place,
        source=closure_hash(cell.listing.cls),
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
