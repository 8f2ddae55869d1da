"""Results of a run that kept counts: their leaves and digests."""

from __future__ import annotations

from collections.abc import Iterator

from sim.audit.check import disagreeing, no_digest, who
from sim.counts import MOST_CELLS, RANGE
from sim.results import Entry, Ranges, Results
from sim.tally import WORST, counts_digest, summed_digest


def faults_of_ranges(results: Results, ranges: Ranges) -> Iterator[str]:
    """Yield what does not agree in the leaves of a run."""
    if ranges.deals != RANGE:
        yield f"the run: its ranges have {ranges.deals} deals, here they have {RANGE}"
        return
    if len(results.entries) > MOST_CELLS:
        yield f"the run: it has {len(results.entries)} entries, but counts hold {MOST_CELLS}"
    deals = {sum(entry.leftover_histogram) for entry in results.entries}
    if len(deals) > 1:
        yield "the run: its entries have not all the same deals, as those of counts have"
    wanted = -(-max(deals) // RANGE)
    if len(ranges.leaves) != wanted:
        yield f"the run: there are {len(ranges.leaves)} leaves, but {wanted} for its deals"
    for number, leaf in enumerate(ranges.leaves):
        yield from no_digest(f"the run: leaf {number}", leaf)
    yield from disagreeing("the run", results, {"digest": counts_digest(ranges.leaves)})


def faults_of_sums(entry: Entry) -> Iterator[str]:
    """Yield what does not agree in the digest of an entry of which no deal was kept."""
    if entry.leaves:
        yield f"{who(entry)}: it has leaves, but the run kept counts"
    if not 0 <= entry.turns_mean < WORST:
        return
    turns = round(entry.turns_mean * sum(entry.leftover_histogram))
    digest = summed_digest(entry.leftover_histogram, turns)
    yield from disagreeing(who(entry), entry, {"digest": digest})
