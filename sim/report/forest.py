"""Forest plots: differences of win rates with their intervals about a line at zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sim.report import style
from sim.report.rows import Chart, Column, Panel
from sim.report.versus import (
    Measured,
    Weighed,
    left_places,
    left_texts,
    win_places,
    win_texts,
)
from sim.report.wording import interval
from sim.results import Results

PITCH = 0.3  # inches a row
_DOT = 6.5  # points

Part = tuple[Panel, Sequence[Weighed]]  # the rows of a panel and what is drawn in each


def forest(
    results: Results, parts: Sequence[Part], title: str, subtitle: str, axis_label: str
) -> Figure:
    """Draw what was measured in each row, its numbers and those of the cards left beside it."""
    rows = [measured for _, measured in parts]
    scales = style.limits([_range(row) for row in rows], [len(row) for row in rows])
    if len(set(scales)) > 1:
        subtitle += " Each panel has its own scale."
    chart = Chart(
        results=results,
        panels=tuple(part for part, _ in parts),
        columns=_columns(rows, interval(results)),
        title=title,
        subtitle=subtitle,
        axis_label=axis_label,
        plot_width=3.6,
    )
    figure, axes = chart.begin()
    for ax, (part, measured), scale in zip(axes, parts, scales, strict=True):
        ax.set_xlim(*scale)
        ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
        ax.xaxis.set_major_formatter(style.Signed())
        ax.axvline(0, color=style.INK, linewidth=1, zorder=2, gid="zero")
        for centre, one in zip(part.centres, measured, strict=True):
            _row(ax, centre, one)
    return figure


def _columns(rows: Sequence[Sequence[Weighed]], ends: str) -> tuple[Column, Column]:
    """The numbers at the right: the differences drawn and, smaller, those of the cards left."""
    win = win_places(one for row in rows for one in row)
    left = left_places(one for row in rows for one in row)
    return (
        Column(f"points ({ends})", tuple(win_texts(row, win) for row in rows)),
        Column(
            f"cards left ({ends})",
            tuple(left_texts(row, left) for row in rows),
            style.SMALL,
            style.QUIET,
        ),
    )


def _range(row: Sequence[Measured]) -> style.Range:
    """Return the range drawn, zero in it."""
    lows, highs = [100 * one.low for one in row], [100 * one.high for one in row]
    return min(0.0, *lows), max(0.0, *highs)


def _row(ax: Axes, centre: float, one: Measured) -> None:
    value, low, high = (100 * number for number in (one.difference, one.low, one.high))
    colour = style.BLUE if value > 0 else style.RED
    look: dict[str, Any] = {"color": colour if one.separated else style.QUIET}
    ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
    ax.plot([low, high], [centre, centre], linewidth=2.2, zorder=3, gid="interval", **look)
    if not one.separated:
        look |= {"mfc": "white", "mew": 1.6}
    ax.plot([value], [centre], marker="o", markersize=_DOT, zorder=4, gid="dot", **look)
