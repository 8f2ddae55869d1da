"""`ladder.png`: from one end to the other on a log-odds scale, and how far everybody gets."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from sim.report import style
from sim.report.rows import Chart, Column, Panel, dot, panel
from sim.report.wording import (
    by_win_rate,
    deals_text,
    interval,
    percent,
    places,
    rate_span,
    rate_width,
    span,
)
from sim.results import Entry, Ladder, Results, Rung

CHART = "ladder.png"
_PITCH = 0.3  # inches a row
_ARROW = 12.0  # points
_TICKS = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
_EDGE = 0.05  # of the axis: no tick so near to the numbers at the right
_MOST_TICKS = 8
_MARGIN = 0.8  # log-odds beyond the outermost interval, with room for an arrow


def draw(results: Results) -> Figure:
    """Draw the win rate of every entry on a log-odds scale, best on top."""
    assert results.ladder is not None
    panels = tuple(
        panel(results, variant, by_win_rate(results.of_variant(variant)), _PITCH)
        for variant in results.variant_names()
    )
    bottom, top = results.ladder.bottom, results.ladder.top
    chart = Chart(
        results=results,
        panels=panels,
        columns=(
            Column(f"won ({interval(results)})", tuple(map(_rates, panels))),
            Column(
                "of the way (95 %)",
                tuple(way_texts(results.ladder, p.entries) for p in panels),
                style.SMALL,
                style.QUIET,
            ),
        ),
        title=f"From {bottom} to {top}, over {deals_text(results.entries)}",
        subtitle="Dot: share of deals won, on a log-odds scale: equal steps are equal factors of "
        "the odds. Arrow: nothing or everything was won; it starts at the end of the 95 % "
        f"interval. Of the way: what an entry gains on {bottom}, by what {top} gains.",
        axis_label="win rate (log-odds scale)",
        plot_width=4.4,
    )
    figure, axes = chart.begin()
    low, high = _scale(results.entries)
    for ax, part in zip(axes, panels, strict=True):
        ax.set_xlim(low, high)
        shown = [log_odds(tick) for tick in _TICKS]
        inside = [odds for odds in shown if low < odds < high - _EDGE * (high - low)]
        ax.xaxis.set_major_locator(FixedLocator(_thinned(inside, (high - low) / _MOST_TICKS)))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: _tick(x)))
        _dots(ax, part)
    return figure


def log_odds(rate: float) -> float:
    """Return the logarithm of the odds of a rate in (0, 1)."""
    return log(rate / (1 - rate))


def way_texts(ladder: Ladder, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the share of the way of each entry in percent, with its interval."""
    rungs = {(rung.variant, rung.label): rung for rung in ladder.rungs}
    decimals = places([100 * (rung.high - rung.low) for rung in ladder.rungs], 1)
    fixed = {ladder.bottom: "0 %: bottom", ladder.top: "100 %: top"}
    return tuple(
        fixed.get(entry.label) or _way(rungs.get((entry.variant, entry.label)), decimals)
        for entry in entries
    )


def _way(rung: Rung | None, decimals: int) -> str:
    if rung is None:
        return "–"
    ends = span(100 * rung.low, 100 * rung.high, decimals)
    return f"{percent(rung.share, decimals)} % ({ends})"


def _rates(part: Panel) -> tuple[str, ...]:
    return tuple(map(_rate, part.entries))


def _rate(entry: Entry) -> str:
    """The entries of a ladder lie so far apart that each has decimals of its own."""
    decimals = max(1, places([rate_width(entry)], 4))
    rate = percent(entry.win_rate, decimals)
    if entry.wins == 0:
        return f"0 % (0–{rate_span(entry, decimals).partition('–')[2]})"
    return f"{rate} % ({rate_span(entry, decimals)})"


def _ends(entry: Entry) -> style.Range:
    """Return the bounds of a win rate as log odds; one that would be nowhere is the other."""
    low = entry.win_rate_low if entry.wins else entry.win_rate_high
    high = entry.win_rate_high if entry.wins < entry.deals else entry.win_rate_low
    return log_odds(low), log_odds(high)


def _scale(entries: tuple[Entry, ...]) -> style.Range:
    """Return the range of the axis: all bounds but those at 0 and 1, which are nowhere."""
    ends = [_ends(entry) for entry in entries]
    return min(low for low, _ in ends) - _MARGIN, max(high for _, high in ends) + _MARGIN


def _thinned(ticks: list[float], apart: float) -> list[float]:
    """Return ticks no nearer to each other than `apart`."""
    kept: list[float] = []
    for tick in ticks:
        if not kept or tick - kept[-1] >= apart:
            kept.append(tick)
    return kept


def _tick(odds: float) -> str:
    rate = 1 / (1 + exp(-odds))
    return f"{100 * rate:.6g} %"


def _dots(ax: Axes, part: Panel) -> None:
    for row, (centre, entry) in enumerate(zip(part.centres, part.entries, strict=True)):
        ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
        if entry.wins in (0, entry.deals):
            _arrow(ax, centre, entry, style.INK if row == part.baseline else style.BLUE)
        else:
            dot(ax, part, row, log_odds(entry.win_rate), _ends(entry))


def _arrow(ax: Axes, centre: float, entry: Entry, colour: str) -> None:
    """Draw the one bound there is, and that the rate may be anywhere beyond."""
    bound, outwards = _ends(entry)[0], 1 if entry.wins else -1
    ax.plot([bound], [centre], color=colour, marker="|", markersize=9, mew=2.2, gid="bound")
    ax.annotate(
        "",
        (bound, centre),
        (outwards * _ARROW, 0),
        "data",
        "offset points",
        arrowprops={"arrowstyle": "<-", "color": colour, "linewidth": 2.0, "shrinkB": 0},
    )
