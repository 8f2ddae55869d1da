"""`players.png`: mean points against the number of players, one line an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import offset_copy

from sim.report import style
from sim.report.tournament.words import has_points
from sim.report.wording import deals_text, origin, value_text
from sim.standings import Standing, Standings

_WIDTH, _HEIGHT = 3.4, 2.9  # inches of a panel
_LEGEND = 2.2  # inches; longer labels are wrapped
_SHIFT = 5.0  # points that neighbouring lines are moved apart, at most
_ROOM = 40.0  # points for all lines at one number of players


@dataclass(frozen=True)
class Group:
    """The entries under the same rules at several numbers of players."""

    title: str
    lines: Mapping[str, Sequence[Standing]]  # by label, fewest players first

    @property
    def seats(self) -> list[int]:
        """The numbers of players, fewest first."""
        return sorted({entry.seats for line in self.lines.values() for entry in line})


def groups(standings: Standings) -> list[Group]:
    """Return what is played at several numbers of players with points; often nothing."""
    found: dict[str, list[Standing]] = {}
    for entry in standings.entries if has_points(standings) else ():
        rules = ", ".join(f"{name} {value_text(value)}" for name, value in entry.rules.items())
        found.setdefault(rules, []).append(entry)
    several = [entries for entries in found.values() if len({e.seats for e in entries}) > 1]
    titles = _titles(several)
    return [Group(title, _lines(entries)) for title, entries in zip(titles, several, strict=True)]


def _lines(entries: Sequence[Standing]) -> dict[str, list[Standing]]:
    """Return the entries by label, the best with most players first, as their lines end."""
    found: dict[str, list[Standing]] = {}
    for entry in sorted(entries, key=lambda entry: entry.seats):
        found.setdefault(entry.label, []).append(entry)
    ends = sorted(found, key=lambda label: (-found[label][-1].seats, -found[label][-1].points_mean))
    return {label: found[label] for label in ends}


def _titles(several: Sequence[Sequence[Standing]]) -> list[str]:
    """Return for each the options in which it differs from the others; "" where there is one."""
    rules = [entries[0].rules for entries in several]
    names = list(dict.fromkeys(name for one in rules for name in one))
    varied = [name for name in names if len({repr(one.get(name)) for one in rules}) > 1]
    return [
        ", ".join(f"{name} {value_text(one[name])}" for name in varied if name in one)
        for one in rules
    ]


def draw(standings: Standings) -> Figure:
    """Draw the mean points of every entry at each number of players, a panel for the same rules."""
    found = groups(standings)
    names = list(dict.fromkeys(label for group in found for label in group.lines))
    figure, axes = _frame(standings, found, names)
    for ax, group in zip(axes, found, strict=True):
        for label, line in group.lines.items():
            _line(ax, line, names.index(label), len(names))
        _furnish(ax, group)
    handles = [
        Line2D([], [], color=pen.colour, marker=pen.marker, linestyle=pen.dash, markersize=6)
        for pen in (style.pen(index, len(names)) for index in range(len(names)))
    ]
    figure.legend(handles, _wrapped(names), loc="outside right center")
    return figure


def _frame(
    standings: Standings, found: Sequence[Group], names: Sequence[str]
) -> tuple[Figure, list[Axes]]:
    legend = sum(name.count("\n") + 1.5 for name in _wrapped(names)) * style.line_height() + 0.2
    title_lines = sum(style.panel_title(group.title, _WIDTH).count("\n") + 1 for group in found)
    body = len(found) * (_HEIGHT + 0.6) + title_lines * style.line_height(style.PANEL)
    figure = style.framed(
        _WIDTH + style.block_width(_wrapped(names)) + 1.7,
        max(body, legend),
        "Points per game by the number of players",
        f"Over {deals_text(standings.entries)}. Mark: mean points per game; bar: 95 % interval. In "
        "the key, the best with most players stands on top.",
        origin(standings),
    )
    grid = figure.subplots(len(found), 1, squeeze=False)
    return figure, list(grid.flat)


def _wrapped(names: Sequence[str]) -> list[str]:
    return [style.wrap(name, _LEGEND) for name in names]


def _line(ax: Axes, line: Sequence[Standing], index: int, count: int) -> None:
    """Draw a line, moved aside by some points so that its bars do not hide another's."""
    pen = style.pen(index, count)
    shift = min(_SHIFT, _ROOM / count) * (index - (count - 1) / 2)
    aside = offset_copy(ax.transData, ax.get_figure(root=True), x=shift, units="points")
    look: dict[str, Any] = {"color": pen.colour, "transform": aside}
    seats, means = [entry.seats for entry in line], [entry.points_mean for entry in line]
    ax.plot(seats, means, linestyle=pen.dash, linewidth=1.4, gid="line", **look)
    for entry in line:
        ends = [entry.points_low, entry.points_high]
        ax.plot([entry.seats] * 2, ends, linewidth=1.6, gid="interval", **look)
        ax.plot([entry.seats], [entry.points_mean], pen.marker, ms=6, gid="point", **look)


def _furnish(ax: Axes, group: Group) -> None:
    spans = [entry for line in group.lines.values() for entry in line]
    low, high = min(e.points_low for e in spans), max(e.points_high for e in spans)
    pad = 0.08 * (high - low) or 0.5
    ax.set_title(style.panel_title(group.title, _WIDTH))
    ax.set_ylim(low - pad, high + pad)
    ax.set_xticks(range(group.seats[0], group.seats[-1] + 1))
    ax.set_xlim(group.seats[0] - 0.4, group.seats[-1] + 0.4)
    ax.set_xlabel("players")
    ax.set_ylabel("mean points per game")
