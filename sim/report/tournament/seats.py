"""`seats.png`: what every entry scores at each seat, one panel a variant, one row an entry."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from sim.report import style
from sim.report.rows import Chart, Panel
from sim.report.tournament.dots import PLOT, panel_of
from sim.report.tournament.words import in_order
from sim.report.wording import deals_text
from sim.standings import Standing, Standings

_STEP = 0.115  # inches between the seats of an entry
_BETWEEN = 0.2  # inches between two entries
_ASIDE = 0.9  # inches for the key


def draw(standings: Standings) -> Figure:
    """Draw the mean points of every entry at each seat, best entry on top."""
    groups = [in_order(standings, variant) for variant in standings.variant_names()]
    panels = tuple(_panel(standings, entries) for entries in groups)
    scales = style.limits([_range(group) for group in groups], [len(group) for group in groups])
    own = " Each panel has its own scale." if len(set(scales)) > 1 else ""
    chart = Chart(
        results=standings,
        panels=panels,
        columns=(),
        title=f"Points per game at each seat over {deals_text(standings.entries)}",
        subtitle="Mark: mean points per game of an entry while it sat at that seat; every deal is "
        f"played from every seat. Bar, where wider than the mark: 95 % interval.{own}",
        axis_label="mean points per game",
        plot_width=PLOT,
        aside=_ASIDE,
    )
    figure, axes = chart.begin()
    for ax, part, entries, scale in zip(axes, panels, groups, scales, strict=True):
        ax.set_xlim(*scale)
        ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        ax.xaxis.set_major_formatter(ScalarFormatter(useOffset=False))
        for centre, entry in zip(part.centres, entries, strict=True):
            _row(ax, centre, entry)
    _key(axes[0], max(entry.seats for entry in standings.entries))
    return figure


def _panel(standings: Standings, entries: Sequence[Standing]) -> Panel:
    return panel_of(standings, entries, entries[0].seats * _STEP + _BETWEEN)


def _range(entries: Sequence[Standing]) -> style.Range:
    return (
        min(low for entry in entries for low in entry.seat_lows),
        max(high for entry in entries for high in entry.seat_highs),
    )


def _row(ax: Axes, centre: float, entry: Standing) -> None:
    """The seats of an entry below each other, joined so that its shape is seen."""
    ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
    first = centre - _STEP * (entry.seats - 1) / 2
    heights = [first + _STEP * seat for seat in range(entry.seats)]
    ax.plot(entry.seat_means, heights, color=style.QUIET, linewidth=0.9, zorder=2, gid="shape")
    spans = zip(heights, entry.seat_means, entry.seat_lows, entry.seat_highs, strict=True)
    for seat, (y, mean, low, high) in enumerate(spans):
        pen = style.pen(seat, entry.seats)
        ax.plot([low, high], [y, y], color=pen.colour, linewidth=1.8, zorder=3, gid="interval")
        ax.plot([mean], [y], pen.marker, color=pen.colour, ms=5, zorder=4, gid="seat")


def _key(ax: Axes, seats: int) -> None:
    """Name the marks, right of the first panel, in the order in which they stand in a row."""
    pens = [style.pen(seat, seats) for seat in range(seats)]
    handles = [
        Line2D([], [], color=pen.colour, marker=pen.marker, linestyle="", markersize=5)
        for pen in pens
    ]
    names = [f"seat {seat}" for seat in range(seats)]
    ax.legend(
        handles,
        names,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.05),
        handlelength=1.0,
        borderpad=0.2,
        labelspacing=0.25,
    )
