"""`differences.png`: every entry against the baseline on the same deals, one panel a variant."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sim.report import style
from sim.report.rows import Chart, Column, Panel, panel
from sim.report.versus import against, left_places, left_texts, win_places, win_texts
from sim.report.wording import deals_text
from sim.results import Pair, Results

_PITCH = 0.3  # inches a row
_DOT = 6.5  # points


def draw(results: Results) -> Figure:
    """Draw the paired difference of win rates of every entry from the baseline, best on top."""
    parts = _parts(results)
    panels = tuple(part for part, _ in parts)
    scales = style.limits([_range(pairs) for _, pairs in parts], [len(pairs) for _, pairs in parts])
    chart = Chart(
        results=results,
        panels=panels,
        columns=_columns([pairs for _, pairs in parts]),
        title=f"Win rate against {results.baseline} on {deals_text(results.entries)}",
        subtitle=_subtitle(results.baseline, own_scales=len(set(scales)) > 1),
        axis_label="difference of win rates (percentage points)",
        plot_width=3.6,
    )
    figure, axes = chart.begin()
    for ax, (part, pairs), scale in zip(axes, parts, scales, strict=True):
        ax.set_xlim(*scale)
        ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
        ax.xaxis.set_major_formatter(style.Signed())
        ax.axvline(0, color=style.INK, linewidth=1, zorder=2, gid="zero")
        for centre, pair in zip(part.centres, pairs, strict=True):
            _difference(ax, centre, pair)
    return figure


def _parts(results: Results) -> list[tuple[Panel, list[Pair]]]:
    """Return the rows of each variant with what is drawn in them."""
    found = against(results, results.baseline)
    parts = []
    for variant in results.variant_names():
        entries = [e for e in results.of_variant(variant) if (variant, e.label) in found]
        entries.sort(key=lambda entry: -found[variant, entry.label].difference)
        if entries:
            pairs = [found[variant, entry.label] for entry in entries]
            parts.append((panel(results, variant, entries, _PITCH), pairs))
    return parts


def _columns(panels: list[list[Pair]]) -> tuple[Column, Column]:
    """The numbers at the right: the differences drawn and, smaller, those of the cards left."""
    win = win_places(pair for pairs in panels for pair in pairs)
    left = left_places(pair for pairs in panels for pair in pairs)
    return (
        Column("points (95 % interval)", tuple(win_texts(pairs, win) for pairs in panels)),
        Column(
            "cards left (95 % interval)",
            tuple(left_texts(pairs, left) for pairs in panels),
            style.SMALL,
            style.QUIET,
        ),
    )


def _range(pairs: list[Pair]) -> style.Range:
    """Return the range drawn, zero in it."""
    lows, highs = [100 * pair.low for pair in pairs], [100 * pair.high for pair in pairs]
    return min(0.0, *lows), max(0.0, *highs)


def _subtitle(baseline: str, own_scales: bool) -> str:
    parts = [
        f"Right of the line: wins more than {baseline}. Bar, where wider than the dot: paired "
        "95 % interval. Hollow dot and “=”: not separated (Holm over all pairs of the panel)."
    ]
    if own_scales:
        parts.append("Each panel has its own scale.")
    return " ".join(parts)


def _difference(ax: Axes, centre: float, pair: Pair) -> None:
    value, low, high = (100 * number for number in (pair.difference, pair.low, pair.high))
    colour = style.BLUE if value > 0 else style.RED
    look: dict[str, Any] = {"color": colour if pair.separated else style.QUIET}
    ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
    ax.plot([low, high], [centre, centre], linewidth=2.2, zorder=3, gid="interval", **look)
    if not pair.separated:
        look |= {"mfc": "white", "mew": 1.6}
    ax.plot([value], [centre], marker="o", markersize=_DOT, zorder=4, gid="dot", **look)
