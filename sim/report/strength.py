"""How strongly to follow a tip: the best values of every sweep, and the best again on other deals.

The best of several values is chosen on the very deals it is judged by, which flatters it: what it
wins on deals of a fresh seed does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sim.report.document import Block, Table, said
from sim.report.versus import against, both_ways, win_places, win_span
from sim.report.wording import (
    by_win_rate,
    deals_text,
    interval,
    listed,
    percent,
    rate_span,
    rate_width,
    signed,
    table_places,
    value_text,
)
from sim.results import Entry, Pair, Results


@dataclass(frozen=True)
class Strength:
    """The values of one sweep under one rules variant."""

    strategy: str
    names: tuple[str, ...]  # the parameters that vary
    variant: str
    entries: tuple[Entry, ...]  # in the order of the config
    best: Entry
    level: tuple[Entry, ...]  # those not separated from the best, and itself

    @property
    def range(self) -> str:
        """The values not separated from the best: "0.4 to 0.75" if they stand side by side."""
        values = [value_of(entry) for entry in self.level]
        first, last = (self.entries.index(entry) for entry in (self.level[0], self.level[-1]))
        if len(values) > 1 and last - first == len(values) - 1:
            return f"{values[0]} to {values[-1]}"
        return listed(values)


def value_of(entry: Entry) -> str:
    """Return what an entry of a sweep has for the parameters that vary."""
    return " × ".join(value_text(entry.params[name]) for name in entry.swept)


def strengths(results: Results) -> list[Strength]:
    """Return every sweep under every rules variant; none of a factorial design."""
    return [] if results.effects else list(_strengths(results))


def _strengths(results: Results) -> Iterator[Strength]:
    groups: dict[tuple[object, ...], list[Entry]] = {}
    for entry in results.entries:
        fixed = tuple((k, repr(v)) for k, v in entry.params.items() if k not in entry.swept)
        key = (entry.strategy, entry.swept, fixed, entry.variant)
        if entry.swept:
            groups.setdefault(key, []).append(entry)
    for entries in groups.values():
        best = by_win_rate(entries)[0]
        pairs = both_ways(results, best.variant)
        level = [e for e in entries if e is best or not pairs[best.label, e.label].separated]
        yield Strength(best.strategy, best.swept, best.variant, tuple(entries), best, tuple(level))


# --- On the page ---


def strength_told(results: Results) -> tuple[Block, ...]:
    """Return the table of the best values, with what they win on fresh deals if that was played."""
    found = strengths(results)
    if not found:
        return ()
    tables = [_table(results, variant, found) for variant in results.variant_names()]
    note = (
        "The value that wins most, and the range of those not separated from it (Holm over all "
        "pairs of the rules variant)."
    )
    if results.fresh is not None:
        note += (
            " The best of several is chosen on the very deals it is judged by, which flatters it; "
            f"so it was played again, with the baseline, on {deals_text(results.fresh.entries)} of "
            f"seed {results.fresh.seed} (digest {results.fresh.digest[:12]})."
        )
    return (said(note), *tables)


def _table(results: Results, variant: str, found: list[Strength]) -> Table:
    own = [one for one in found if one.variant == variant]
    ends = interval(results)
    places = table_places([one.best for one in own], rate_width)
    head = ["strategy", "parameter", "best", "not separated", "won, %", ends]
    rows = [
        [
            one.strategy,
            ", ".join(one.names),
            value_of(one.best),
            one.range,
            percent(one.best.win_rate, places),
            rate_span(one.best, places),
        ]
        for one in own
    ]
    if results.fresh is not None:
        head += ["fresh deals: won, %", ends, "gain, points", ends]
        for row, one in zip(rows, own, strict=True):
            row += _again(results.fresh, one)
    return Table(variant, tuple(head), tuple(map(tuple, rows)))


def _again(fresh: Results, one: Strength) -> list[str]:
    entries = fresh.of_variant(one.variant)
    (entry,) = (entry for entry in entries if entry.label == one.best.label)
    places = table_places(entries, rate_width)
    rate = [percent(entry.win_rate, places), rate_span(entry, places)]
    pair: Pair | None = against(fresh, fresh.baseline).get((one.variant, entry.label))
    if pair is None:
        return [*rate, "–", "–"]
    decimals = win_places([pair])
    return [*rate, signed(100 * pair.difference, decimals), win_span(pair, decimals)]
