"""What share of the deals can be won at all, where an entry sees the hidden cards.

A deal is known to be winnable if that entry won it, or another one did: each win is a proof. A deal
that nobody won is undecided; it counts as lost for the lower bound of the share, and as winnable
for the upper one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.report.versus import both_ways
from sim.results import Entry, Pair, Results


def seer(results: Results, variant: str) -> Entry | None:
    """Return the entry of a rules variant that sees hidden cards: the one with most wins."""
    seers = [entry for entry in results.of_variant(variant) if entry.clairvoyant]
    return max(seers, key=lambda entry: (entry.win_rate, entry.deals), default=None)


def of_winnable(
    results: Results, variant: str, entries: Sequence[Entry]
) -> tuple[float | None, ...]:
    """Return for each entry which part it won of the deals known to be winnable, in [0, 1].

    Counted over the deals that it and the clairvoyant entry both played; None where there is no
    such entry, or they were not compared.
    """
    known, pairs = seer(results, variant), both_ways(results, variant)
    if known is None:
        return (None,) * len(entries)
    return tuple(_part(pairs, entry, known) for entry in entries)


def _part(pairs: Mapping[tuple[str, str], Pair], entry: Entry, known: Entry) -> float | None:
    if (pair := pairs.get((entry.label, known.label))) is None:
        return None
    winnable = pair.both + pair.only_a + pair.only_b
    return (pair.both + pair.only_a) / winnable if winnable else None


def told(results: Results) -> list[str]:
    """Return sentences for each rules variant in which the share of winnable deals is known."""
    return [
        f"Winnable, {variant}: '{known.label}' sees the hidden cards and won {known.wins:,} of "
        f"{known.deals:,} deals, each a proof; the rest are undecided. So between "
        f"{100 * known.win_rate_low:.4g} and 100 % of all deals can be won (95 % interval, the "
        "undecided ones counted both ways). Percent of winnable: of the deals won by it or by the "
        "entry, those that the entry won."
        for variant in results.variant_names()
        if (known := seer(results, variant))
    ]
