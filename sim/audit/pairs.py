"""Comparisons against the entries they compare: paired tables, differences, p-values, ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sim.audit.check import disagreeing, first_difference, same, who
from sim.audit.spread import ROUGH, Spread
from sim.audit.until import sequence_of
from sim.results import Comparison, Entry, Results
from sim.stats.family import holm, rank_range, separation
from sim.stats.paired import (
    MOST_LEFT,
    Discordance,
    Estimate,
    mcnemar_p,
    mcnemar_z,
    unpaired_deals,
    win_difference,
)
from sim.stats.sequence import FIRST_LOOK
from sim.stats.sequence import Sequence as Bounds

TABLE = ("both", "only_a", "only_b", "neither")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Family:
    """Entries that are compared with each other, and every two of them in order."""

    where: str
    entries: Sequence[Entry]
    found: Sequence[Comparison]
    sequence: Bounds | None  # set if the run was stopped by its results

    def each(self) -> Iterator[tuple[str, Entry, Entry, Comparison]]:
        """Yield how messages name a comparison, its two entries, and what is said of them."""
        for (a, b), found in zip(combinations(self.entries, 2), self.found, strict=True):
            yield f"'{found.a}' against '{found.b}' {self.where}", a, b, found

    def column(self, name: str) -> Floats:
        """Return one number of every comparison."""
        return np.array([float(getattr(one, name)) for one in self.found])


def faults_of_pairs(results: Results) -> Iterator[str]:
    """Yield what does not agree in the comparisons of entries and of rules variants."""
    variants = [results.of_variant(variant) for variant in results.variant_names()]
    labels = [group for group in _by_label(results) if len(group) > 1]
    pairs = [(e[0].variant, a.label, b.label) for e in variants for a, b in combinations(e, 2)]
    changes = [(e[0].label, a.variant, b.variant) for e in labels for a, b in combinations(e, 2)]
    for name, wanted, found in (
        ("pairs", pairs, [(pair.variant, pair.a, pair.b) for pair in results.pairs]),
        ("variants", changes, [(one.label, one.a, one.b) for one in results.variants]),
    ):
        if parted := first_difference(found, wanted):
            yield f"{name}: {parted}"
            return
    sequence = sequence_of(results)
    for family in _families("under {0.variant}", variants, results.pairs, sequence):
        yield from _faults_of(family, ranked=True)
    for family in _families("of '{0.label}'", labels, results.variants, sequence):
        yield from _faults_of(family, ranked=False)
    rules = {entry.variant: entry.rules for entry in results.entries}
    for pair in results.pairs:
        where = f"'{pair.a}' against '{pair.b}' under {pair.variant}"
        yield from disagreeing(where, pair, {"rules": rules[pair.variant]})


def _by_label(results: Results) -> list[list[Entry]]:
    labels = dict.fromkeys(entry.label for entry in results.entries)
    return [[entry for entry in results.entries if entry.label == label] for label in labels]


def _families(
    where: str,
    groups: Sequence[Sequence[Entry]],
    found: Sequence[Comparison],
    sequence: Bounds | None,
) -> Iterator[Family]:
    """Deal the comparisons out to the groups they belong to, in order."""
    start = 0
    for entries in groups:
        stop = start + len(entries) * (len(entries) - 1) // 2
        yield Family(where.format(entries[0]), entries, found[start:stop], sequence)
        start = stop


def _faults_of(family: Family, ranked: bool) -> Iterator[str]:
    wrong = [fault for one in family.each() for fault in _faults_of_table(*one)]
    yield from wrong
    if wrong:
        return
    wins, p_holm = _of_wins(family)
    left = _of_cards_left(family)
    for i, (where, _, _, found) in enumerate(family.each()):
        numbers = {name: float(column[i]) for name, column in (wins | left).items()}
        yield from disagreeing(where, found, numbers)
    yield from _faults_of_cards_left(family)
    if ranked:
        yield from _faults_of_ranks(family, wins["difference"], p_holm)


def _faults_of_table(where: str, a: Entry, b: Entry, found: Comparison) -> Iterator[str]:
    """Check the four fields of a paired table against each other and against both entries."""
    fields = [getattr(found, name) for name in TABLE]
    if min(fields) < 0 or sum(fields) != found.deals:
        yield f"{where}: {', '.join(TABLE)} do not add up to {found.deals:,} deals"
        return
    yield from disagreeing(where, found, {"deals": min(a.deals, b.deals)})
    for entry, only in ((a, "only_a"), (b, "only_b")):
        won = found.both + getattr(found, only)
        if entry.deals == found.deals and won != entry.wins:
            yield f"{where}: both and {only} make {won:,} wins, but {who(entry)} has {entry.wins:,}"


def _of_wins(family: Family) -> tuple[dict[str, Floats], Floats]:
    """Return all numbers that follow from the paired tables, and the adjusted p-values."""
    table = Discordance(*(family.column(name) for name in TABLE))
    wins, p = win_difference(table), mcnemar_p(table)
    rates = [
        (family.column("both") + family.column(only)) / table.deals for only in ("only_a", "only_b")
    ]
    variances = [rate * (1 - rate) for rate in rates]
    unpaired = unpaired_deals(variances[0], variances[1], wins.half_width)
    if family.sequence is not None:
        wins, p = _always(table, family.sequence)
    p_holm = holm(p)
    return {
        "difference": wins.value,
        "low": wins.low,
        "high": wins.high,
        "p": p,
        "p_holm": p_holm,
        "unpaired_deals": np.where(sum(variances) > 0, unpaired, table.deals),
    }, p_holm


def _always(table: Discordance, sequence: Bounds) -> tuple[Estimate, Floats]:
    """Return bounds and p-values that hold at every look."""
    known = win_difference(table, sequence.critical(table.deals))
    early = table.deals < FIRST_LOOK
    low, high = np.where(early, -1.0, known.low), np.where(early, 1.0, known.high)
    return Estimate(known.value, low, high), sequence.p(mcnemar_z(table), table.deals)


def _of_cards_left(family: Family) -> dict[str, Floats]:
    """Return what follows from the histograms, where both entries played the same deals."""
    wanted = [
        (_cards(a) - _cards(b)) / found.deals if a.deals == b.deals else found.leftover_difference
        for _, a, b, found in family.each()
    ]
    return {
        "leftover_difference": np.array(wanted),
        "leftover_p_holm": holm(family.column("leftover_p")),
    }


def _cards(entry: Entry) -> int:
    return sum(cards * deals for cards, deals in enumerate(entry.leftover_histogram))


def _faults_of_cards_left(family: Family) -> Iterator[str]:
    """Check intervals and p-values of cards left against each other."""
    for where, _, _, found in family.each():
        low, high = found.leftover_low, found.leftover_high
        value = found.leftover_difference
        spread = Spread(value, low, high, found.deals, MOST_LEFT, family.sequence)
        if fault := spread.fault():
            yield f"{where}: leftover_low, leftover_high: {fault}"
        elif not same(found.leftover_p, spread.p, ROUGH):
            yield (
                f"{where}: leftover_p is {found.leftover_p}, but {spread.p} goes with "
                "leftover_low and leftover_high"
            )


def _faults_of_ranks(family: Family, difference: Floats, p_holm: Floats) -> Iterator[str]:
    size = len(family.entries)
    apart, adjusted = np.zeros((size, size)), np.ones((size, size))
    above = np.triu_indices(size, 1)
    apart[above], adjusted[above] = difference, p_holm
    separated = separation(np.minimum(adjusted, adjusted.T), apart - apart.T)
    for entry, rank in zip(family.entries, rank_range(separated).tolist(), strict=True):
        yield from disagreeing(who(entry), entry, {"rank": tuple(rank)})
