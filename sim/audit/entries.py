"""Entries against themselves: leaves, digests, counts and rates."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.audit.check import MOST_DEALS, disagreeing, no_digest, who
from sim.audit.ranges import faults_of_ranges, faults_of_sums
from sim.audit.until import sequence_of
from sim.results import Entry, Results
from sim.stats.intervals import mean_interval, wilson
from sim.stats.paired import MOST_LEFT, Sums, mean_estimate
from sim.stats.sequence import Sequence
from sim.tally import LEAF, WORST, run_digest

WHOLE = 1e-3  # a sum of turns this near to a whole number is one


def faults_of_entries(results: Results) -> Iterator[str]:
    """Yield what does not agree within entries, and of the run as a whole."""
    named = [who(entry) for entry in results.entries]
    yield from (
        f"{name} stands there twice" for name in sorted(set(named)) if named.count(name) > 1
    )
    if results.baseline not in {entry.label for entry in results.entries}:
        yield f"baseline is '{results.baseline}', but no entry has that label"
    sequence = sequence_of(results)
    for entry in results.entries:
        yield from _faults_of(entry, sequence, results.counts is not None)
    if results.counts is not None:
        yield from faults_of_ranges(results, results.counts)
        return
    digest = run_digest(entry.digest for entry in results.entries)
    yield from disagreeing("the run", results, {"digest": digest})


def _faults_of(entry: Entry, sequence: Sequence | None, summed: bool) -> Iterator[str]:
    counts = entry.leftover_histogram
    if not 0 < len(counts) <= WORST or min(counts) < 0 or not 0 < sum(counts) < MOST_DEALS:
        yield f"{who(entry)}: leftover_histogram counts no deals"
        return
    yield from disagreeing(who(entry), entry, _of_histogram(counts, sequence))
    yield from (faults_of_sums if summed else _faults_of_leaves)(entry)
    turns = entry.turns_mean * sum(counts)
    if not 0 <= entry.turns_mean < WORST or abs(turns - round(turns)) > WHOLE:
        yield (
            f"{who(entry)}: turns_mean is {entry.turns_mean}, which is no whole number of turns "
            f"over {sum(counts):,} deals"
        )


def _of_histogram(counts: tuple[int, ...], sequence: Sequence | None) -> dict[str, Any]:
    """Return all that follows from how many deals ended with how many cards left."""
    deals, wins = sum(counts), counts[0]
    mean, mean_low, mean_high = mean_interval(np.array(counts))
    if sequence is None:
        low, high = wilson(wins, deals)
    else:
        low, high = wilson(wins, deals, float(sequence.critical(deals)))
        mean_low, mean_high = _mean_bounds(np.array(counts), sequence)
    return {
        "deals": deals,
        "wins": wins,
        "win_rate": wins / deals,
        "win_rate_low": low,
        "win_rate_high": high,
        "leftover_mean": mean,
        "leftover_low": mean_low,
        "leftover_high": mean_high,
    }


def _mean_bounds(counts: NDArray[np.int64], sequence: Sequence) -> tuple[float, float]:
    """Return the bounds of the mean cards left, which lie within what can be left."""
    cards = np.arange(len(counts))
    deals, total, squares = (np.array(counts @ power) for power in (cards**0, cards, cards**2))
    sums = Sums(deals, total, squares, 0, MOST_LEFT)
    found = mean_estimate(sums, sequence.critical(deals))
    return max(0.0, float(found.low)), min(float(cards[-1]), float(found.high))


def _faults_of_leaves(entry: Entry) -> Iterator[str]:
    wanted = -(-sum(entry.leftover_histogram) // LEAF)
    if len(entry.leaves) != wanted:
        yield f"{who(entry)}: there are {len(entry.leaves)} leaves, but {wanted} for its deals"
    for number, leaf in enumerate(entry.leaves):
        yield from no_digest(f"{who(entry)}: leaf {number}", leaf)
    digest = sha256("".join(entry.leaves).encode()).hexdigest()
    yield from disagreeing(who(entry), entry, {"digest": digest})
