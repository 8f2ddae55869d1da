"""What does not go together in an experiment, although each key by itself is right."""

from __future__ import annotations

from collections.abc import Iterator

from sim.config import Experiment
from sim.counts import MOST_CELLS
from sim.until import FromFile, Until
from sim.yaml_lines import Problem

COUNTS = "counts"  # what `store` may say


def misfits(wanted: Experiment, until: Until | None, entries: int, variants: int) -> list[Problem]:
    """Return what does not go together.

    Args:
        wanted: the experiment.
        until: its target, unless a number of deals was given instead.
        entries: how many there are, sweeps multiplied out.
        variants: how many rules variants.
    """
    found = list(_against_until(wanted, entries)) if until else []
    if wanted.store == COUNTS:
        found += _against_counts(wanted, until, entries * variants)
    return found


def alone_only(wanted: Experiment) -> Iterator[Problem]:
    """Find what a tournament cannot have so far."""
    if not isinstance(wanted.deals, int):
        yield Problem(("deals",), "deals: a tournament wants a number of deals")
    if wanted.store == COUNTS:
        yield Problem(("store",), "store: a tournament keeps every deal")
    for key in ("design", "ladder", "fresh_seed"):
        if getattr(wanted, key) is not None:
            message = f"{key}: is for games that one plays alone"
            yield Problem((key,), message, at_key=True)


def _against_until(wanted: Experiment, entries: int) -> Iterator[Problem]:
    """Find what does not go together with playing until something is known."""
    if entries < 2:
        yield Problem(("deals",), "until: there must be two entries to compare")
    if wanted.design:
        yield Problem(("design",), "design: factorial wants a fixed number of deals, not `until`")
    for index, entry in enumerate(wanted.strategies):
        if entry.deals:
            message = "deals: an entry cannot have its own where `until` decides"
            yield Problem(("strategies", index, "deals"), message)


def _against_counts(wanted: Experiment, until: Until | None, cells: int) -> Iterator[Problem]:
    """Find what does not go together with keeping sums over all entries instead of their deals."""
    if until:
        message = "store: counts wants a fixed number of deals: with `until` entries stop early"
        yield Problem(("store",), message)
    if isinstance(wanted.deals, FromFile):
        message = "store: counts is for very many deals, not for a set of them from a file"
        yield Problem(("store",), message)
    if cells > MOST_CELLS:
        message = f"store: counts can hold {MOST_CELLS} cells, and these are {cells:_}"
        yield Problem(("store",), message)
    for index, entry in enumerate(wanted.strategies):
        if entry.deals and not until:
            message = "deals: an entry cannot have its own with `store: counts`, which adds up all"
            yield Problem(("strategies", index, "deals"), message)
