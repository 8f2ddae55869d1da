"""A ladder against the entries and pairs it was worked out from."""

from __future__ import annotations

from collections.abc import Iterator

from sim.audit.check import disagreeing, first_difference
from sim.ladder import ladder_of
from sim.results import Results


def faults_of_ladder(results: Results) -> Iterator[str]:
    """Yield what does not agree in the shares of the way."""
    if results.ladder is None:
        return
    bottom, top = results.ladder.bottom, results.ladder.top
    for variant in results.variant_names():
        known = {entry.label for entry in results.of_variant(variant)}
        if missing := {bottom, top} - known:
            yield f"ladder: no entry '{missing.pop()}' under {variant}"
            return
    wanted = ladder_of(results, bottom, top).rungs
    found = [(rung.variant, rung.label) for rung in results.ladder.rungs]
    if parted := first_difference(found, [(rung.variant, rung.label) for rung in wanted]):
        yield f"ladder: {parted}"
        return
    for given, rung in zip(results.ladder.rungs, wanted, strict=True):
        yield from disagreeing(f"ladder: '{rung.label}' under {rung.variant}", given, vars(rung))
