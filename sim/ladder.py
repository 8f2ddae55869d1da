"""How far each entry gets on the way from one entry to another: the rungs of a ladder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from sim.results import Entry, Ladder, Pair, Results, Rung
from sim.stats.way import covariance, share_of_way

Pairs = Mapping[tuple[str, str, str], Pair]  # by variant and both labels


def ladder_of(results: Results, bottom: str, top: str) -> Ladder:
    """Return the ladder between two labels, worked out from entries and pairs."""
    pairs = {(pair.variant, pair.a, pair.b): pair for pair in results.pairs}
    rungs = (
        rung
        for variant in results.variant_names()
        for rung in _rungs(results.of_variant(variant), pairs, bottom, top)
    )
    return Ladder(bottom, top, tuple(rungs))


def _rungs(entries: list[Entry], pairs: Pairs, bottom: str, top: str) -> Iterator[Rung]:
    named = {entry.label: entry for entry in entries}
    for entry in entries:
        if entry.label in (bottom, top):
            continue
        found = _share(pairs, (named[bottom], named[top], entry))
        if found is not None:
            share, low, high = found
            yield Rung(entry.label, share, low, high, entry.rules, entry.variant)


def _share(pairs: Pairs, three: tuple[Entry, Entry, Entry]) -> tuple[float, float, float] | None:
    wins, deals, both = (np.zeros((3, 3), np.int64) for _ in range(3))
    for i, row in enumerate(three):
        for j, column in enumerate(three):
            wins[i, j], deals[i, j], both[i, j] = _common(pairs, row, column)
    rates = [entry.wins / entry.deals for entry in three]
    return share_of_way(rates, covariance(wins, deals, both))


def _common(pairs: Pairs, row: Entry, column: Entry) -> tuple[int, int, int]:
    """Return on the deals that two entries played: what the row won, their number, both won."""
    if row is column:
        return row.wins, row.deals, row.wins
    pair = pairs.get((row.variant, row.label, column.label))
    if pair is not None:
        return pair.both + pair.only_a, pair.deals, pair.both
    pair = pairs[row.variant, column.label, row.label]
    return pair.both + pair.only_b, pair.deals, pair.both
