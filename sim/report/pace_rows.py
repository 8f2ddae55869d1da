"""`pace.png` of many entries: a row each, with the cards left at three turns of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim.report import style
from sim.report.bands import Band, both_after, halfway, lost_and_won, milestones
from sim.report.rows import Chart, Column, Panel, panel
from sim.report.wording import deals_text, listed
from sim.results import Entry, Results

_PITCH = 0.3  # inches a row
_APART = 0.065  # inches from the middle of a row up to the deals won, down to those lost
_SHAPES = (("circle", "o"), ("square", "s"), ("triangle", "^"))  # of the turns, in order


def draw(results: Results, parts: Sequence[tuple[str, list[Entry]]]) -> Figure:
    """Draw medians and quartiles; the entries of each part are sorted by win rate."""
    turns = milestones(results)
    panels = tuple(panel(results, variant, entries, _PITCH) for variant, entries in parts)
    texts = tuple(_texts(results, part, halfway(results)) for part in panels)
    chart = Chart(
        results=results,
        panels=panels,
        columns=(Column(f"won / lost, turn {halfway(results)}", texts),),
        title=f"Cards left on the way through {deals_text(results.entries)}",
        subtitle=f"{_named(turns)}. Filled, upper: deals won in the end; hollow, lower: deals "
        "lost. Mark: median; bar: the middle half of the deals. Only deals in which the turn was "
        "made are counted. Highest win rate on top.",
        axis_label="cards left",
        plot_width=4.2,
    )
    figure, axes = chart.begin()
    for ax, part in zip(axes, panels, strict=True):
        bands = [lost_and_won(results, entry) for entry in part.entries]
        for centre in part.centres:
            ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
        lost = [
            (centre + _APART, one) for centre, (one, _) in zip(part.centres, bands, strict=True)
        ]
        won = [(centre - _APART, one) for centre, (_, one) in zip(part.centres, bands, strict=True)]
        for turn, (_, marker) in zip(turns, _SHAPES, strict=False):
            _marks(ax, lost, turn, marker, {"color": style.RED, "mfc": "white"})
            _marks(ax, won, turn, marker, {"color": style.BLUE})
        ax.set_xlim(left=-0.5)
    return figure


def _named(turns: Sequence[int]) -> str:
    names = [f"{name}: after turn {turn}" for turn, (name, _) in zip(turns, _SHAPES, strict=False)]
    return listed(names).capitalize()


def _texts(results: Results, part: Panel, turn: int) -> tuple[str, ...]:
    return tuple(both_after(*lost_and_won(results, entry), turn) for entry in part.entries)


def _marks(
    ax: Axes, rows: Sequence[tuple[float, Band]], turn: int, marker: str, look: dict[str, Any]
) -> None:
    """Draw a turn in all rows at once: hundreds of lines of their own would take seconds."""
    there = [
        (y, *(quartile[turn - 1] for quartile in (band.low, band.middle, band.high)))
        for y, band in rows
        if turn in band.turns
    ]
    heights, lows, middles, highs = np.array(there).reshape(-1, 4).T
    ax.hlines(heights, lows, highs, color=look["color"], linewidth=1.4, zorder=3, gid="band")
    ax.plot(middles, heights, marker, markersize=4.6, zorder=4, gid="median", **look)
