"""Results against themselves: every number that follows from others is worked out again.

Nothing is played. An entry stands on its leaves and on its histogram of cards left, a comparison on
its paired table and its two entries; whatever else results.json tells must agree with them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.audit.effects import faults_of_effects
from sim.audit.entries import faults_of_entries
from sim.audit.ladder import faults_of_ladder
from sim.audit.pairs import faults_of_pairs
from sim.audit.until import faults_of_stops, faults_of_until
from sim.results import Results

LOOKS = (
    faults_of_until,
    faults_of_entries,
    faults_of_pairs,
    faults_of_effects,
    faults_of_ladder,
    faults_of_stops,
)


def faults(results: Results) -> list[str]:
    """Return what does not agree, each naming entry and number; an empty list if all is well."""
    found = list(_faults(results))
    if results.fresh is not None:
        found += [f"on the fresh seed: {fault}" for fault in faults(results.fresh)]
    return found


def _faults(results: Results) -> Iterator[str]:
    """Yield faults, the roots first: what stands on something wrong is not looked at."""
    for look in LOOKS:
        found = list(look(results))
        yield from found
        if found:
            return
