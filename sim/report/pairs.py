"""`pairs.png`: every two entries against each other, one panel a rules variant.

Up to MOST_CELLS entries are drawn as a square of cells; more are drawn by `sim.report.standing`.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from sim.report import standing
from sim.report.rows import Chart, Column, panel
from sim.report.squares import MOST_CELLS, PITCH, Cell, Square, drawn, letters, room
from sim.report.versus import SAME, bare_places, both_ways
from sim.report.wording import by_win_rate, deals_text, rank_text
from sim.results import Entry, Results


def draw(results: Results) -> Figure:
    """Draw the differences of win rates of all pairs, or for many entries where each stands."""
    parts = [
        (variant, by_win_rate(results.of_variant(variant)))
        for variant in results.variant_names()
        if any(pair.variant == variant for pair in results.pairs)
    ]
    if max(len(entries) for _, entries in parts) > MOST_CELLS:
        return standing.draw(results, parts)
    return _cells(results, parts)


def _cells(results: Results, parts: Sequence[tuple[str, list[Entry]]]) -> Figure:
    decimals = bare_places(results.pairs)
    squares = [_square(results, variant, part, decimals) for variant, part in parts]
    width, aside = room(squares)
    chart = Chart(
        results=results,
        panels=tuple(
            panel(results, variant, entries, PITCH, letters(len(entries)))
            for variant, entries in parts
        ),
        columns=(Column("rank", tuple(tuple(map(rank_text, entries)) for _, entries in parts)),),
        title=f"Every entry against every other on {deals_text(results.entries)}",
        subtitle="Win rate of the row minus win rate of the column in percentage points. "
        f"Purple: the row wins more deals; orange: fewer; “{SAME}”: not separated (Holm over all "
        "pairs of the panel). Highest win rate on top and at the left.",
        axis_label="",
        plot_width=width,
        aside=aside,
    )
    return drawn(chart, squares)


def _square(results: Results, variant: str, entries: Sequence[Entry], decimals: int) -> Square:
    cells = {
        labels: Cell(100 * pair.difference, pair.separated)
        for labels, pair in both_ways(results, variant).items()
    }
    return Square([entry.label for entry in entries], cells, decimals)
