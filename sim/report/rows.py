"""Charts of labelled rows: one panel a rules variant, one row an entry, its number at the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim.report import style
from sim.report.wording import full_label, origin
from sim.results import Entry, Results

LABEL_WIDTH = 2.7  # inches; longer labels are wrapped
TALL = 20  # rows; a panel of more has its scale at the top as well
_ABOVE, _BELOW, _AXIS_LABEL = 0.4, 0.34, 0.24  # inches: panel title, tick labels, axis label


@dataclass(frozen=True)
class Panel:
    """The rows of one rules variant, best on top, measured in inches from the top of the panel."""

    title: str
    entries: tuple[Entry, ...]
    labels: tuple[str, ...]  # already wrapped
    baseline: int | None  # the row of the baseline
    centres: tuple[float, ...]
    height: float
    pitch: float  # of a row with a one-line label

    @property
    def label_width(self) -> float:
        """The width of the widest label line in inches."""
        return style.block_width(self.labels, weight="bold")


def panel(results: Results, title: str, entries: Sequence[Entry], pitch: float) -> Panel:
    """Lay out the rows of one panel; a label of several lines gets a taller row."""
    texts = [full_label(results, entry) for entry in entries]
    labels = tuple(style.wrap(text, LABEL_WIDTH, weight="bold") for text in texts)
    line = style.line_height()
    heights = [max(pitch, (label.count("\n") + 1) * line + 0.12) for label in labels]
    ends = list(accumulate(heights))
    centres = tuple(end - height / 2 for end, height in zip(ends, heights, strict=True))
    names = [entry.label for entry in entries]
    row = names.index(results.baseline) if results.baseline in names else None
    return Panel(title, tuple(entries), labels, row, centres, ends[-1], pitch)


@dataclass(frozen=True)
class Chart:
    """What is drawn around and beside the rows.

    Panels are stacked: their scales stand exactly above each other, and the picture stays narrow
    enough for its text to be read when a page shrinks it.
    """

    results: Results
    panels: tuple[Panel, ...]
    numbers: tuple[tuple[str, ...], ...]  # one text a row, printed at its right
    heading: str  # above the numbers
    title: str
    subtitle: str
    axis_label: str
    plot_width: float  # inches

    def begin(self) -> tuple[Figure, list[Axes]]:
        """Return a figure with a framed, labelled, still empty panel for each variant."""
        heights = [panel.height for panel in self.panels]
        titles = [style.panel_title(panel.title, self.plot_width) for panel in self.panels]
        extra = sum(title.count("\n") for title in titles) * style.line_height(style.PANEL)
        body = sum(heights) + len(heights) * (_ABOVE + _BELOW) + _AXIS_LABEL + extra
        figure = style.framed(self._width(), body, self.title, self.subtitle, origin(self.results))
        grid = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)
        axes: list[Axes] = list(grid.flat)
        for ax, panel, title, numbers in zip(axes, self.panels, titles, self.numbers, strict=True):
            ax.set_title(title)
            self._furnish(ax, panel, numbers)
        axes[-1].set_xlabel(self.axis_label)
        return figure, axes

    def _width(self) -> float:
        labels = max(panel.label_width for panel in self.panels)
        numbers = max(style.block_width(texts) for texts in self.numbers)
        heading = style.block_width([self.heading], style.SMALL)
        return labels + self.plot_width + max(numbers, heading) + 0.6

    def _furnish(self, ax: Axes, panel: Panel, numbers: Sequence[str]) -> None:
        ax.grid(False, axis="y")
        ax.set_ylim(panel.height, 0)
        ax.set_yticks(panel.centres, panel.labels)
        ax.tick_params(axis="y", length=0, labelcolor=style.INK, pad=6)
        ax.spines["left"].set_visible(False)
        if panel.baseline is not None:
            ax.get_yticklabels()[panel.baseline].set_fontweight("bold")
        if len(panel.entries) > TALL:
            ax.tick_params(axis="x", top=True, labeltop=True)
        self._print(ax, panel, numbers)

    def _print(self, ax: Axes, panel: Panel, numbers: Sequence[str]) -> None:
        beside = ax.get_yaxis_transform()  # across: the panel is 0 to 1; down: inches
        for y, text in zip(panel.centres, numbers, strict=True):
            ax.text(1.03, y, text, transform=beside, va="center_baseline", gid="number")
        heading = ax.annotate(self.heading, (1.03, 1), (0, 8), "axes fraction", "offset points")
        heading.set(size=style.SMALL, color=style.QUIET, gid="heading")
