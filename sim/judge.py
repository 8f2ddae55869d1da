"""From a finished store to results: tallies, digests and intervals of every cell."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import chain, repeat
from typing import Any

import sim
from sim.cell import Cell
from sim.compare import (
    Group,
    additive_of,
    by_label,
    by_variant,
    changes_of,
    effects_of,
    pairs_of,
)
from sim.counted import meanings
from sim.deals import STREAM_VERSION
from sim.errors import StoreDamaged
from sim.ladder import ladder_of
from sim.plan import Plan
from sim.policy import source_of, written
from sim.results import Deals, Entry, Results
from sim.rounds import Stopped
from sim.stats.intervals import mean_interval, wilson
from sim.stats.sequence import Sequence as Bounds
from sim.stats.sequence import left_bounds, rate_bounds
from sim.store import Store
from sim.sums import sums_of
from sim.tally import Tally

LIBRARIES = ("numpy", "numba")


def results(
    plan: Plan,
    store: Store,
    stamps: Sequence[str],
    lanes: Sequence[str],
    stopped: Stopped | None = None,
) -> Results:
    """Return the results of a plan whose deals are all in the store.

    Args:
        plan: the plan that was played; of one that was stopped the cells have the deals played.
        store: its store.
        stamps: the stamp of each cell.
        lanes: the lane in which each cell's strategy plays.
        stopped: where it was stopped, unless it has a fixed number of deals.

    Raises:
        StoreDamaged: if blocks are missing or damaged.
    """
    variants, labels = by_variant(plan.cells), by_label(plan.cells)
    summed = sums_of(plan, store, stamps, [*variants, *labels])
    tallies = summed.tallies
    sequence = stopped.sequence if stopped else None
    compared = [group.compared(sequence) for group in variants]
    places, spans = dict[int, tuple[int, int]](), dict[int, Spans]()
    for group, pairs in zip(variants, compared, strict=True):
        places |= zip(group.cells, pairs.ranks(), strict=True)
        spans |= zip(group.cells, _spans(group, tallies, plan.game.worst, sequence), strict=True)
    entries = tuple(
        replace(
            entry(cell, tallies[i], lanes[i], places[i], spans[i], plan.game.worst),
            counted=summed.counted[i],
        )
        for i, cell in enumerate(plan.cells)
    )
    found = Results(
        experiment=plan.experiment,
        game=plan.game.name,
        seed=plan.seed,
        ties=plan.ties,
        tie_seed=plan.tie_seed,
        baseline=plan.baseline,
        digest=summed.digest,
        versions=versions(plan.game.rules_version),
        entries=entries,
        pairs=tuple(chain(*map(pairs_of, variants, compared, repeat(plan.cells)))),
        variants=tuple(
            change
            for group in labels
            for change in changes_of(group, group.compared(sequence), plan.cells)
        ),
        counters=meanings(plan.game),
        pace=plan.game.pace,
        until=stopped.until if stopped else None,
        counts=summed.ranges,
        deal_set=_deals(plan),
        **(_factorial(plan, variants) if plan.factors else {}),
    )
    return replace(found, ladder=ladder_of(found, *plan.ladder)) if plan.ladder else found


def _deals(plan: Plan) -> Deals | None:
    chosen = plan.deal_set
    return Deals(chosen.numbers, chosen.about, chosen.digest) if chosen else None


def _factorial(plan: Plan, variants: Sequence[Group]) -> dict[str, Any]:
    """Return what only the results of a factorial design have."""
    given = plan.cells, plan.factors
    return {
        "effects": tuple(effect for group in variants for effect in effects_of(group, *given)),
        "additive": tuple(additive_of(group, *given) for group in variants),
    }


@dataclass(frozen=True)
class Spans:
    """The intervals of one entry."""

    rate: tuple[float, float]  # of the win rate
    mean: tuple[float, float]  # of the mean cards left


def _spans(
    group: Group, tallies: Sequence[Tally], worst: int, sequence: Bounds | None
) -> Iterator[Spans]:
    """Yield the intervals of the entries of a group, or with a sequence their bounds."""
    if sequence is None:
        for counted in (tallies[cell] for cell in group.cells):
            _, low, high = mean_interval(counted.histogram[: worst + 1])
            yield Spans(wilson(counted.wins, counted.deals), (low, high))
        return
    rates, means = rate_bounds(group.gram, sequence), left_bounds(group.gram, sequence)
    for i in range(len(group.cells)):
        low, high = max(0.0, float(means.low[i])), min(float(worst), float(means.high[i]))
        yield Spans((float(rates.low[i]), float(rates.high[i])), (low, high))


def entry(
    cell: Cell, counted: Tally, lane: str, place: tuple[int, int], spans: Spans, worst: int
) -> Entry:
    """Return one line of the results."""
    histogram = counted.histogram[: worst + 1]
    if histogram.sum() != counted.deals:
        raise StoreDamaged(f"'{cell.label}': some deals ended with more than {worst} cards left")
    mean, _, _ = mean_interval(histogram)
    return Entry(
        label=cell.label,
        strategy=cell.listing.name,
        params=written(cell.params),
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
        win_rate_low=spans.rate[0],
        win_rate_high=spans.rate[1],
        leftover_mean=mean,
        leftover_low=spans.mean[0],
        leftover_high=spans.mean[1],
        leftover_histogram=tuple(histogram.tolist()),
        turns_mean=counted.turns / counted.deals,
        rank=place,
        source=source_of(cell.listing.origin, cell.params),
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
