"""How the entries played, told by the counters of their game: a table for each rules variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.report.document import Block, Bullets, Image, Table, said
from sim.report.wording import by_win_rate, deals_text, full_label
from sim.results import Entry, Meaning, Results

_NONE = "–"


def counts_told(results: Results, images: Sequence[Image]) -> tuple[Block, ...]:
    """Return what is said of the counters: how to read the tables, the tables, the chart."""
    tables = [_table(results, variant) for variant in results.variant_names()]
    tables = [table for table in tables if table.rows and len(table.head) > 1]
    if not tables:
        return tuple(images)
    return (said(_what(results)), _how_to_read(results), *tables, *images)


def _what(results: Results) -> str:
    whole = all(entry.counted.deals == entry.deals for entry in results.entries)
    deals = deals_text(results.entries) if whole else "as many deals as each row says"
    return (
        f"How each entry played: plain counts over {deals}, so without intervals. What never "
        "happened has no column."
    )


def _how_to_read(results: Results) -> Bullets:
    """The notes of the counters, those that share their columns together."""
    groups = ((base, *_behind(results, base)) for base in _bases(results))
    return Bullets(tuple((" ".join(one.note for one in group),) for group in groups))


def _bases(results: Results) -> list[Meaning]:
    """The counters that have columns of their own: shares of the turns or of the deals."""
    return [
        meaning
        for meaning in results.counters
        if meaning.per in ("turns", "deals") and meaning.name != results.pace
    ]


def _behind(results: Results, base: Meaning) -> list[Meaning]:
    """The counters that are divided by this one, and printed behind it."""
    return [meaning for meaning in results.counters if meaning.per == base.name]


def _table(results: Results, variant: str) -> Table:
    entries = [entry for entry in results.of_variant(variant) if entry.counted.deals]
    entries = by_win_rate(entries)
    columns = [column for base in _bases(results) for column in _columns(results, base, entries)]
    head = ("strategy", *(name for name, _ in columns))
    cells = [[_label(results, entry) for entry in entries], *(texts for _, texts in columns)]
    return Table(variant, head, tuple(zip(*cells, strict=True)))


def _label(results: Results, entry: Entry) -> str:
    label = full_label(results, entry)
    if entry.counted.deals == entry.deals:
        return label
    return f"{label}, counted over {entry.counted.deals:,} deals"


def _columns(
    results: Results, base: Meaning, entries: Sequence[Entry]
) -> Iterator[tuple[str, list[str]]]:
    """Yield head and cells of each place that was counted at least once."""
    behind = [meaning.name for meaning in _behind(results, base)]
    for place, name in enumerate(base.places):
        if any(entry.counted.counts[base.name][place] for entry in entries):
            yield name, [_cell(entry, base, behind, place) for entry in entries]


def _cell(entry: Entry, base: Meaning, behind: Sequence[str], place: int) -> str:
    counts = entry.counted.counts
    times = counts[base.name][place]
    if not times:
        return _NONE
    share = 100 * times / (entry.counted.turns if base.per == "turns" else entry.counted.deals)
    shown = f"{share:.0f} %" if share >= 0.5 else "<1 %"  # results.json holds the counts
    return " × ".join([shown, *(f"{counts[name][place] / times:.1f}" for name in behind)])
