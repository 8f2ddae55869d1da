"""Sorted dots with intervals: one panel a variant, one row an entry, its numbers at the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from sim.report import style
from sim.report.rows import Chart, Column, Panel, dot, stacked
from sim.report.tournament.words import Measure, Span, full_label
from sim.standings import Standing, Standings

PITCH = 0.3  # inches a row
PLOT = 3.6  # inches


@dataclass(frozen=True)
class Dots:
    """What stands in one panel."""

    panel: Panel
    spans: tuple[Span, ...]  # of each row
    even: float | None = None  # what everybody would have were all alike


def panel_of(
    standings: Standings,
    entries: Sequence[Standing],
    pitch: float = PITCH,
    tags: Sequence[str] = (),
) -> Panel:
    """Lay out a row for each of some entries of one variant; a tag stands behind each label."""
    labels = [full_label(standings, entry) for entry in entries]
    if tags:
        labels = [f"{label}\u00a0\u00a0{tag}" for label, tag in zip(labels, tags, strict=True)]
    names = [entry.label for entry in entries]
    row = names.index(standings.baseline) if standings.baseline in names else None
    return replace(stacked(entries[0].variant, labels, pitch), baseline=row)


def dots_of(
    standings: Standings,
    entries: Sequence[Standing],
    measure: Measure,
    even: float | None = None,
) -> Dots:
    """Return the panel of some entries of one variant."""
    return Dots(panel_of(standings, entries), tuple(map(measure, entries)), even)


def draw(
    standings: Standings,
    parts: Sequence[Dots],
    columns: tuple[Column, ...],
    title: str,
    subtitle: str,
    axis_label: str,
    least: float | None = None,
) -> Figure:
    """Draw every panel; no axis begins below `least`."""
    scales = style.limits([_range(part) for part in parts], [len(part.spans) for part in parts])
    chart = Chart(
        results=standings,
        panels=tuple(part.panel for part in parts),
        columns=columns,
        title=title,
        subtitle=" ".join([subtitle, *_key(parts, own_scales=len(set(scales)) > 1)]),
        axis_label=axis_label,
        plot_width=PLOT,
    )
    figure, axes = chart.begin()
    for ax, part, (low, high) in zip(axes, parts, scales, strict=True):
        ax.set_xlim(low if least is None else max(low, least - 0.03 * (high - least)), high)
        ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        ax.xaxis.set_major_formatter(ScalarFormatter(useOffset=False))
        _fill(ax, part)
    return figure


def _range(part: Dots) -> style.Range:
    own = [] if part.even is None else [part.even]
    lows, highs = [span.low for span in part.spans], [span.high for span in part.spans]
    return min(lows + own), max(highs + own)


def _key(parts: Sequence[Dots], own_scales: bool) -> list[str]:
    found = []
    if any(part.panel.baseline is not None for part in parts):
        found.append("Diamond and dashed line: baseline.")
    if own_scales:
        found.append("Each panel has its own scale.")
    return found


def _fill(ax: Axes, part: Dots) -> None:
    if part.even is not None:
        ax.axvline(part.even, color=style.QUIET, linewidth=1, zorder=1.5, gid="even")
    for row, (centre, span) in enumerate(zip(part.panel.centres, part.spans, strict=True)):
        ax.axhline(centre, color=style.RULE, linewidth=0.7, zorder=0.5)
        dot(ax, part.panel, row, span.value, (span.low, span.high))
        if row == part.panel.baseline:
            look: dict[str, Any] = {"color": style.INK, "linewidth": 1, "zorder": 2}
            ax.axvline(span.value, linestyle=(0, (4, 3)), gid="baseline", **look)
