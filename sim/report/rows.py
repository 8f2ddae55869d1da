"""Charts of labelled rows: one panel a rules variant, its numbers at the right.

A row is an entry, or whatever else has a label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import offset_copy

from sim.report import style
from sim.report.wording import full_label, origin
from sim.results import Entry, Results
from sim.standings import Standings

LABEL_WIDTH = 2.7  # inches; longer labels are wrapped
TALL = 20  # rows; a panel of more has its scale at the top as well
_GAP = 0.22  # inches between two columns
_HEADING = 0.28  # inches above a group of rows
_ABOVE, _BELOW, _AXIS_LABEL = 0.4, 0.34, 0.24  # inches: panel title, tick labels, axis label


@dataclass(frozen=True)
class Panel:
    """The rows of one rules variant, best on top, measured in inches from the top of the panel."""

    title: str
    entries: tuple[Entry, ...]  # one a row, unless the rows are of something else
    labels: tuple[str, ...]  # already wrapped
    baseline: int | None  # the row of the baseline
    centres: tuple[float, ...]
    height: float
    pitch: float  # of a row with a one-line label
    headings: tuple[tuple[float, str], ...] = ()  # what stands above groups of rows, and where

    @property
    def label_width(self) -> float:
        """The width of the widest label line in inches."""
        headings = style.block_width([text for _, text in self.headings], style.SMALL)
        return max(style.block_width(self.labels, weight="bold"), headings)


def panel(
    results: Results,
    title: str,
    entries: Sequence[Entry],
    pitch: float,
    tags: Sequence[str] | None = None,
) -> Panel:
    """Lay out the rows of one panel; a label of several lines gets a taller row.

    A tag stands behind each label.
    """
    texts = [full_label(results, entry) for entry in entries]
    if tags is not None:
        texts = [f"{text}\u00a0\u00a0{tag}" for text, tag in zip(texts, tags, strict=True)]
    names = [entry.label for entry in entries]
    row = names.index(results.baseline) if results.baseline in names else None
    return replace(stacked(title, texts, pitch), entries=tuple(entries), baseline=row)


def stacked(
    title: str, texts: Sequence[str], pitch: float, headings: Mapping[int, str] | None = None
) -> Panel:
    """Lay out rows with these labels; a heading stands above the row with its number."""
    above = headings or {}
    labels = tuple(style.wrap(text, LABEL_WIDTH, weight="bold") for text in texts)
    line = style.line_height()
    heights = [max(pitch, (label.count("\n") + 1) * line + 0.12) for label in labels]
    ends = list(
        accumulate(height + (_HEADING if i in above else 0) for i, height in enumerate(heights))
    )
    centres = tuple(end - height / 2 for end, height in zip(ends, heights, strict=True))
    places = tuple((ends[i] - heights[i] - _HEADING / 2 + 0.03, text) for i, text in above.items())
    return Panel(title, (), labels, None, centres, ends[-1], pitch, places)


@dataclass(frozen=True)
class Column:
    """Numbers at the right of the rows."""

    heading: str
    texts: tuple[tuple[str, ...], ...]  # of each panel, one a row
    size: float = style.TEXT
    colour: str = style.INK

    @property
    def width(self) -> float:
        """The width of its widest text in inches."""
        widest = max(style.block_width(texts, self.size) for texts in self.texts)
        return max(widest, style.block_width([self.heading], style.SMALL))


@dataclass(frozen=True)
class Chart:
    """What is drawn around and beside the rows.

    Panels are stacked: their scales stand exactly above each other, and the picture stays narrow
    enough for its text to be read when a page shrinks it.
    """

    results: Results | Standings
    panels: tuple[Panel, ...]
    columns: tuple[Column, ...]
    title: str
    subtitle: str
    axis_label: str
    plot_width: float  # inches
    aside: float = 0.0  # inches kept free at the right

    def begin(self) -> tuple[Figure, list[Axes]]:
        """Return a figure with a framed, labelled, still empty panel for each variant."""
        heights = [panel.height for panel in self.panels]
        titles = [style.panel_title(panel.title, self.plot_width) for panel in self.panels]
        extra = sum(title.count("\n") for title in titles) * style.line_height(style.PANEL)
        body = sum(heights) + len(heights) * (_ABOVE + _BELOW) + _AXIS_LABEL + extra
        figure = style.framed(self._width(), body, self.title, self.subtitle, origin(self.results))
        grid = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)
        axes: list[Axes] = list(grid.flat)
        for index, (ax, panel) in enumerate(zip(axes, self.panels, strict=True)):
            ax.set_title(titles[index])
            self._furnish(ax, panel)
            self._print(ax, panel, index)
        axes[-1].set_xlabel(self.axis_label)
        return figure, axes

    def _width(self) -> float:
        labels = max(panel.label_width for panel in self.panels)
        columns = sum(column.width + _GAP for column in self.columns)
        return labels + self.plot_width + columns + self.aside + 0.6 - _GAP

    def _furnish(self, ax: Axes, panel: Panel) -> None:
        ax.grid(False, axis="y")
        ax.set_ylim(panel.height, 0)
        ax.set_yticks(panel.centres, panel.labels)
        ax.tick_params(axis="y", length=0, labelcolor=style.INK, pad=6)
        ax.spines["left"].set_visible(False)
        if panel.baseline is not None:
            ax.get_yticklabels()[panel.baseline].set_fontweight("bold")
        if len(panel.labels) > TALL:
            ax.tick_params(axis="x", top=True, labeltop=True)
        for y, text in panel.headings:
            place: dict[str, Any] = {
                "xycoords": ax.get_yaxis_transform(),
                "textcoords": "offset points",
            }
            heading = ax.annotate(text, (0, y), (-6, 0), ha="right", va="center", **place)
            heading.set(size=style.SMALL, color=style.QUIET, gid="group")

    def _print(self, ax: Axes, panel: Panel, index: int) -> None:
        figure, left = ax.get_figure(root=True), 0.03 * self.plot_width
        for column in self.columns:
            beside = offset_copy(ax.get_yaxis_transform(), figure, x=left)  # down: inches
            look: dict[str, Any] = {
                "size": column.size,
                "color": column.colour,
                "transform": beside,
            }
            for y, text in zip(panel.centres, column.texts[index], strict=True):
                ax.text(1, y, text, va="center_baseline", gid="number", **look)
            above = (72 * left, 8)
            heading = ax.annotate(column.heading, (1, 1), above, "axes fraction", "offset points")
            heading.set(size=style.SMALL, color=style.QUIET, gid="heading")
            left += column.width + _GAP


def dot(ax: Axes, part: Panel, row: int, x: float, ends: style.Range) -> None:
    """Draw an entry of a panel: its value, its interval, and a diamond for the baseline."""
    centre, is_baseline = part.centres[row], row == part.baseline
    colour = style.INK if is_baseline else style.BLUE
    ax.plot(ends, [centre, centre], color=colour, linewidth=2.2, zorder=3)
    ax.plot(
        [x],
        [centre],
        color=colour,
        marker="D" if is_baseline else "o",
        markersize=5.5 if is_baseline else 6,
        zorder=4,
        gid="dot",
    )
