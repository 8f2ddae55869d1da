"""Results against themselves: every number that follows from others is worked out again.

Nothing is played. An entry stands on its leaves and on its histogram of cards left, a comparison on
its paired table and its two entries; whatever else results.json tells must agree with them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.audit.effects import faults_of_effects
from sim.audit.entries import faults_of_entries
from sim.audit.pairs import faults_of_pairs
from sim.results import Results


def faults(results: Results) -> list[str]:
    """Return what does not agree, each naming entry and number; an empty list if all is well."""
    return list(_faults(results))


def _faults(results: Results) -> Iterator[str]:
    """Yield faults, the roots first: what stands on something wrong is not looked at."""
    for look in (faults_of_entries, faults_of_pairs, faults_of_effects):
        found = list(look(results))
        yield from found
        if found:
            return
