"""`win_rate.png`: sorted dots with 95 % Wilson intervals, one panel a rules variant."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sim.report import style
from sim.report.rows import Chart, Column, Panel, dot, panel
from sim.report.wording import by_win_rate, deals_text, interval, percent, rate_places, rate_span
from sim.results import Entry, Results

_PITCH = 0.3  # inches a row


def draw(results: Results) -> Figure:
    """Draw the win rate of every entry, best on top."""
    panels = tuple(
        panel(results, variant, by_win_rate(results.of_variant(variant)), _PITCH)
        for variant in results.variant_names()
    )
    scales = style.limits([_range(p) for p in panels], [len(p.entries) for p in panels])
    chart = Chart(
        results=results,
        panels=panels,
        columns=(Column(f"won ({interval(results)})", tuple(_numbers(p) for p in panels)),),
        title=f"Win rate over {deals_text(results.entries)}",
        subtitle=_subtitle(interval(results), panels, own_scales=len(set(scales)) > 1),
        axis_label="win rate (share of deals won)",
        plot_width=3.8,
    )
    figure, axes = chart.begin()
    for ax, part, scale in zip(axes, panels, scales, strict=True):
        ax.set_xlim(*scale)
        ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
        ax.xaxis.set_major_formatter(style.Percent())
        _dots(ax, part)
    return figure


def _range(part: Panel) -> style.Range:
    lows = [100 * entry.win_rate_low for entry in part.entries]
    return min(lows), max(100 * entry.win_rate_high for entry in part.entries)


def _numbers(part: Panel) -> tuple[str, ...]:
    decimals = rate_places(part.entries)
    return tuple(_number(entry, decimals) for entry in part.entries)


def _number(entry: Entry, decimals: int) -> str:
    return f"{percent(entry.win_rate, decimals)} % ({rate_span(entry, decimals)})"


def _subtitle(ends: str, panels: tuple[Panel, ...], own_scales: bool) -> str:
    parts = [f"Dot: share of deals won. Bar, where wider than the dot: {ends}."]
    if any(part.baseline is not None for part in panels):
        parts.append("Diamond and dashed line: baseline.")
    if own_scales:
        parts.append("Each panel has its own scale.")
    return " ".join(parts)


def _dots(ax: Axes, part: Panel) -> None:
    for row, (centre, entry) in enumerate(zip(part.centres, part.entries, strict=True)):
        rate, low, high = (
            100 * number for number in (entry.win_rate, entry.win_rate_low, entry.win_rate_high)
        )
        ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
        dot(ax, part, row, rate, (low, high))
        if row == part.baseline:
            ax.axvline(rate, color=style.INK, linewidth=1, linestyle=(0, (4, 3)), zorder=2)
