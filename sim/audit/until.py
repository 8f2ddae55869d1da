"""Runs that stopped by their results: the target, its bounds, and where they stopped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sim import until as words
from sim.audit.check import disagreeing, first_difference, who
from sim.results import Results, Until
from sim.stats.paired import Estimate
from sim.stats.sequence import HalfWidth, Ranked, Sequence, Target, judge, sequence_for

TARGETS: dict[str, type[HalfWidth] | type[Ranked]] = {"half_width": HalfWidth, "ranked": Ranked}


def sequence_of(results: Results) -> Sequence | None:
    """Return the bounds that the numbers of a run are told with; None = plain intervals."""
    until = results.until
    return None if until is None else Sequence(until.alpha, until.tuned_for)


def faults_of_until(results: Results) -> Iterator[str]:
    """Yield what does not agree about target and bounds."""
    until = results.until
    if until is None:
        return
    variants = [results.of_variant(variant) for variant in results.variant_names()]
    if until.target not in TARGETS or not 0 < until.size < 1 or until.at_most < 1:
        yield f"until: {until.target} of {until.size}, {until.at_most} deals at most, is no target"
        return
    target, entries = _target(until), len(variants[0])
    sequence = sequence_for(target, entries, len(variants), until.at_most)
    numbers = {
        "comparisons": target.comparisons(entries) * len(variants),
        "alpha": sequence.alpha,
        "tuned_for": float(sequence.tuned_for),
        "words": _words(until),
    }
    yield from disagreeing("until", until, numbers)
    for entry in results.entries:
        if entry.deals != until.at_most and (until.round < 1 or entry.deals % until.round):
            yield f"{who(entry)}: {entry.deals:,} deals are no whole rounds of {until.round:,}"


def faults_of_stops(results: Results) -> Iterator[str]:
    """Yield what does not agree about where the rules variants stopped."""
    until = results.until
    if until is None:
        return
    if parted := first_difference([one.variant for one in until.stops], results.variant_names()):
        yield f"stops: {parted}"
        return
    for stop in until.stops:
        entries = results.of_variant(stop.variant)
        most = max(entry.deals for entry in entries)
        baseline = [entry.label for entry in entries].index(results.baseline)
        decision = judge(_bounds(results, stop.variant), baseline, _target(until))
        wanted = {
            "deals": most,
            "reached": decision.done,
            "open": decision.open,
            "early": tuple(entry.label for entry in entries if entry.deals < most),
            "rules": entries[0].rules,
        }
        yield from disagreeing(f"stop under {stop.variant}", stop, wanted)


def _target(until: Until) -> Target:
    return TARGETS[until.target](until.size)


def _words(until: Until) -> str:
    if until.target == "ranked":
        return str(words.Ranked(ranked=True, margin=until.size))
    return str(words.HalfWidth(half_width=until.size, of="difference"))


def _bounds(results: Results, variant: str) -> Estimate:
    """Return the differences of all pairs of a rules variant, each (k, k)."""
    size = len(results.of_variant(variant))
    pairs = [pair for pair in results.pairs if pair.variant == variant]
    value, low, high = np.zeros((3, size, size))
    above = np.triu_indices(size, 1)
    for matrix, numbers, mirrored in (
        (value, [one.difference for one in pairs], [-one.difference for one in pairs]),
        (low, [one.low for one in pairs], [-one.high for one in pairs]),
        (high, [one.high for one in pairs], [-one.low for one in pairs]),
    ):
        matrix[above] = numbers
        matrix.T[above] = mirrored
    return Estimate(value, low, high)
