"""`pace.png`: cards left after each turn, of deals won in the end and of deals lost.

Up to MOST_PANELS entries a rules variant have a panel each; more are drawn by
`sim.report.pace_rows`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from sim.report import pace_rows, style
from sim.report.bands import Band, both_after, halfway, longest, lost_and_won, paced
from sim.report.wording import by_win_rate, deals_text, full_label, origin, percent
from sim.results import Entry, Results

MOST_PANELS = 12  # entries of one rules variant
_WIDTHS = (4.8, 3.4, 2.3)  # inches a panel, when one, two or three stand side by side
_HEIGHT = 1.5
_LEFT, _BETWEEN, _RIGHT = 0.64, 0.28, 0.2  # inches beside the panels
_KEY, _HEADING, _TICKS, _AXIS_LABEL = 0.4, 0.26, 0.3, 0.36  # inches above and below them

WON: dict[str, Any] = {"color": style.BLUE, "linestyle": "-", "marker": "o"}
LOST: dict[str, Any] = {"color": style.RED, "linestyle": (0, (4, 1.5)), "marker": "s"}
_FILLS = {style.BLUE: style.PALE, style.RED: "#f4cdb2"}  # of the bands

Part = tuple[str, list[Entry]]  # a rules variant and its entries, best first


def draw(results: Results) -> Figure:
    """Draw the pace of every entry whose pace was counted."""
    known = paced(results)
    parts = [
        (variant, by_win_rate(entry for entry in known if entry.variant == variant))
        for variant in dict.fromkeys(entry.variant for entry in known)
    ]
    if max(len(entries) for _, entries in parts) > MOST_PANELS:
        return pace_rows.draw(results, parts)
    return _panels(results, parts)


@dataclass(frozen=True)
class _Place:
    """Where a panel stands, in inches from the upper left corner of the body."""

    entry: Entry
    label: str  # wrapped to the panel
    left: float
    top: float
    first: bool  # of its row
    last: bool  # nothing stands below it


class _Layout:
    """Panels side by side and below each other, under a heading for each rules variant."""

    def __init__(self, results: Results, parts: Sequence[Part]) -> None:
        self.across = min(max(len(entries) for _, entries in parts), len(_WIDTHS))
        self.panel = _WIDTHS[self.across - 1]
        self.width = _LEFT + self.across * (self.panel + _BETWEEN) - _BETWEEN + _RIGHT
        self.headings: list[tuple[float, str]] = []
        self.places: list[_Place] = []
        self.height = _KEY
        for variant, entries in parts:
            self._block(results, variant, entries)
        self.height -= _AXIS_LABEL / 2

    def _block(self, results: Results, variant: str, entries: Sequence[Entry]) -> None:
        heading = style.wrap(variant, self.width - _LEFT - _RIGHT, style.PANEL, "bold")
        self.headings.append((self.height, heading))
        self.height += _HEADING + heading.count("\n") * style.line_height(style.PANEL)
        for start in range(0, len(entries), self.across):
            row = entries[start : start + self.across]
            below = len(entries) - start - self.across  # entries in the rows below
            self._row(results, row, [column >= below for column in range(len(row))])
        self.height += _AXIS_LABEL

    def _row(self, results: Results, entries: Sequence[Entry], last: Sequence[bool]) -> None:
        texts = [full_label(results, entry) for entry in entries]
        labels = [style.wrap(text, self.panel, weight="bold") for text in texts]
        self.height += max(label.count("\n") + 1 for label in labels) * style.line_height() + 0.1
        for column, (entry, label) in enumerate(zip(entries, labels, strict=True)):
            left = _LEFT + column * (self.panel + _BETWEEN)
            place = _Place(entry, label, left, self.height, column == 0, last[column])
            self.places.append(place)
        self.height += _HEIGHT + _TICKS


def _panels(results: Results, parts: Sequence[Part]) -> Figure:
    layout = _Layout(results, parts)
    figure = style.framed(
        layout.width,
        layout.height,
        f"Cards left after each turn of {deals_text(results.entries)}",
        "Line: median. Band: the middle half of the deals. Only deals in which the turn was made "
        "are counted; hollow: fewer than half of them got that far. "
        f"At the right: medians after turn {halfway(results)}, won / lost. Highest win rate first.",
        origin(results),
    )
    top = style.fixed(figure)
    _key(figure, top)
    for y, heading in layout.headings:
        where = _LEFT / layout.width, (top - y) / figure.get_figheight()
        figure.text(*where, heading, size=style.PANEL, weight="bold", va="top", gid="heading")
    limits = longest(results), halfway(results), _most_cards(results)
    for place in layout.places:
        size = layout.panel / layout.width, _HEIGHT / figure.get_figheight()
        corner = place.left / layout.width, (top - place.top - _HEIGHT) / figure.get_figheight()
        ax = figure.add_axes((*corner, *size))
        _panel(ax, results, place, limits)
    return figure


def _key(figure: Figure, top: float) -> None:
    """Say once, above all panels, what is won and what is lost."""
    handles: list[Any] = [
        (Patch(**_fill(look)), Line2D([], [], markersize=4.5, linewidth=1.5, **look))
        for look in (WON, LOST)
    ]
    corner = _LEFT / figure.get_figwidth(), (top - 0.06) / figure.get_figheight()
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": corner, "ncols": 2}
    names = ["deals won in the end", "deals lost in the end"]
    figure.legend(handles, names, borderaxespad=0, borderpad=0, handlelength=3.2, **place)


def _most_cards(results: Results) -> int:
    bands = [band for entry in paced(results) for band in lost_and_won(results, entry)]
    return max(max(band.high, default=0) for band in bands)


def _panel(ax: Axes, results: Results, place: _Place, limits: tuple[int, int, int]) -> None:
    turns, middle, cards = limits
    lost, won = lost_and_won(results, place.entry)
    weight = "bold" if place.entry.label == results.baseline else "normal"
    ax.set_title(place.label, size=style.TEXT, weight=weight, pad=5)
    for band, look in zip((lost, won), (LOST, WON), strict=True):
        _band(ax, band, look)
    told = (
        f"{percent(place.entry.win_rate, 1)} % won\nturn {middle}: {both_after(lost, won, middle)}"
    )
    ax.text(0.99, 0.98, told, ha="right", va="top", transform=ax.transAxes, gid="told")
    ax.set_xlim(0.6, turns + 0.4)
    ax.set_ylim(0, 1.05 * cards + 0.5)
    ax.set_xticks(range(1, turns + 1, max(1, math.ceil((turns - 1) / 4))))
    ax.yaxis.set_major_locator(MaxNLocator(5, integer=True, steps=[1, 2, 5, 10]))
    ax.tick_params(labelleft=place.first)
    if place.first:
        ax.set_ylabel("cards left")
    if place.last:
        ax.set_xlabel("turns made", labelpad=2)


def _fill(look: dict[str, Any]) -> dict[str, Any]:
    return {"facecolor": _FILLS[look["color"]], "edgecolor": look["color"], "linewidth": 0.5}


def _band(ax: Axes, band: Band, look: dict[str, Any]) -> None:
    ax.fill_between(band.turns, band.low, band.high, zorder=1.5, alpha=0.75, **_fill(look))
    ax.plot(band.turns, band.middle, linewidth=1.5, zorder=3, gid="median", **look, markersize=0)
    for face, points in _points(band, look["color"]):
        place: dict[str, Any] = {"marker": look["marker"], "color": look["color"], "ms": 4.2}
        ax.plot(
            *zip(*points, strict=True),
            linestyle="",
            gid="point",
            mfc=face,
            zorder=4,
            clip_on=False,
            **place,
        )


def _points(band: Band, colour: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the medians of many deals, filled, and those of fewer than half of them, hollow."""
    points = list(zip(band.turns, band.middle, strict=True))
    many = [2 * deals >= band.deals[0] for deals in band.deals]
    for face, wanted in ((colour, True), ("white", False)):
        if found := [
            point for point, is_many in zip(points, many, strict=True) if is_many == wanted
        ]:
            yield face, found
