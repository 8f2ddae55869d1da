"""What a store holds, added up: of every entry, and into the groups that are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sim.compare import Group, add_deals
from sim.count_store import CountStore
from sim.counted import as_counted, counted
from sim.counts import RANGE, Counts, Layout, together
from sim.plan import Plan
from sim.results import Counted, Ranges
from sim.store import Store
from sim.tally import LEAF, WORST, Summed, Tally, counts_digest, recut, run_digest, tally


@dataclass(frozen=True)
class Sums:
    """All that a store gives results, one of each a cell."""

    tallies: Sequence[Tally]
    counted: Sequence[Counted]
    ranges: Ranges | None  # of a run that kept counts

    @property
    def digest(self) -> str:
        """Return the digest of the run."""
        if self.ranges is not None:
            return counts_digest(self.ranges.leaves)
        return run_digest(tally.digest for tally in self.tallies)


def sums_of(plan: Plan, store: Store, stamps: Sequence[str], groups: Sequence[Group]) -> Sums:
    """Add up what a store holds of a plan, and fill the groups.

    Raises:
        StoreDamaged: if deals are missing or blocks are damaged.
        BadInput: if counts cannot be cut at the deals of the plan.
    """
    if isinstance(store, CountStore):
        return _of_counts(plan, store, stamps, groups)
    own = count(plan, store, stamps, groups)
    found = [counted(store, *each) for each in zip(stamps, own, strict=True)]
    return Sums(own, found, None)


def count(plan: Plan, store: Store, stamps: Sequence[str], groups: Sequence[Group]) -> list[Tally]:
    """Read the store once, a leaf of all cells at a time: tallies, and the sums of the groups."""
    tallies = [tally(()) for _ in plan.cells]
    readers = [
        recut(store.outcomes(stamp, cell.deals), LEAF)
        for cell, stamp in zip(plan.cells, stamps, strict=True)
    ]
    for pieces in add_deals(groups, readers):
        for i, piece in enumerate(pieces):
            if piece is not None:
                tallies[i] = tallies[i].then(tally((piece,)))
    return tallies


def _of_counts(
    plan: Plan, store: CountStore, stamps: Sequence[str], groups: Sequence[Group]
) -> Sums:
    layout = Layout.of(plan.game, len(plan.cells))
    total, leaves = store.total(together(stamps), plan.deals, layout)
    for group in groups:
        group.take(total.gram())
    own = list(tallies(total))
    found = [
        as_counted(total.deals, one.turns, total.counters_of(cell, plan.game))
        for cell, one in enumerate(own)
    ]
    return Sums(own, found, Ranges(RANGE, leaves))


def tallies(counts: Counts) -> Iterator[Tally]:
    """Yield the tally of each cell."""
    places = counts.layout.places
    for left, turns in zip(counts.left, counts.turns.tolist(), strict=True):
        histogram = np.zeros(WORST, np.int64)
        histogram[:places] = left
        yield Summed(histogram, turns, places=places)
