"""`pairs.png` of many entries: which places the evidence leaves to each, and its lead.

A square of hundreds of cells would need text too small to read. What is read off it is how far down
the ranking one must go until entries are separated, so that is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim.report import style
from sim.report.rows import Chart, Column, Panel, panel
from sim.report.versus import SAME, both_ways, win_places, win_texts
from sim.report.wording import deals_text, interval, rank_text
from sim.results import Entry, Results

_PITCH = 0.28  # inches a row


def draw(results: Results, parts: Sequence[tuple[str, list[Entry]]]) -> Figure:
    """Draw the range of places of every entry; the entries of each part are sorted by win rate."""
    panels = tuple(panel(results, variant, entries, _PITCH) for variant, entries in parts)
    chart = Chart(
        results=results,
        panels=panels,
        columns=(
            Column("rank", tuple(tuple(map(rank_text, entries)) for _, entries in parts)),
            Column(
                f"points over the next ({interval(results)})",
                tuple(_leads(results, part) for part in panels),
                style.SMALL,
                style.QUIET,
            ),
        ),
        title=f"Who is separated from whom on {deals_text(results.entries)}",
        subtitle="Dot: place by win rate. Bar: the places left open by the entries it is not "
        "separated from (Holm over all pairs of the panel); without a bar the place is settled. "
        f"“{SAME}”: not separated from the next.",
        axis_label="place by win rate (1 = best)",
        plot_width=3.4,
    )
    figure, axes = chart.begin()
    for ax, part in zip(axes, panels, strict=True):
        ranges(ax, part, [entry.rank for entry in part.entries])
    return figure


def _leads(results: Results, part: Panel) -> tuple[str, ...]:
    """How far each is above the next, and nothing for the last."""
    pairs = both_ways(results, part.title)
    leads = [pairs[one.label, other.label] for one, other in pairwise(part.entries)]
    return (*win_texts(leads, win_places(leads)), "")


def ranges(ax: Axes, part: Panel, places: Sequence[tuple[int, int]]) -> None:
    """Draw the best and the worst place that each row may have; the rows are in order."""
    rows = zip(places, part.centres, strict=True)
    for place, ((best, worst), centre) in enumerate(rows, start=1):
        certain = best == worst
        ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
        if not certain:
            ends = [best - 0.35, worst + 0.35]
            ax.plot(ends, [centre, centre], color=style.PALE, linewidth=9, zorder=2, gid="range")
        face = style.BLUE if certain else "white"
        ax.plot([place], [centre], "o", color=style.BLUE, mfc=face, ms=5.5, zorder=4, gid="dot")
    ax.set_xlim(0.2, len(places) + 0.8)
    ax.set_xticks([1, *range(10, len(places) + 1, 10 * (1 + len(places) // 100))])
