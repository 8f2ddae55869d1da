"""`sweep_<strategy>_<parameter>.png`: win rate and cards left against a parameter that varies."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import offset_copy

from sim.report import style
from sim.report.wording import deals_text, interval, origin, value_text
from sim.results import Entry, Results

Value = float | int | bool

_WIDTH, _HEIGHTS = 3.8, (2.5, 2.0)  # inches: of a panel of win rates and of one of cards left
_ACROSS = 2  # panels side by side; more would make the text too small on a page
_LEGEND = 2.4  # inches
_SHIFT = 3.0  # points between the bars of two lines at one value
_ORDERS = 20  # a wider ratio of the largest to the smallest value gets even steps


@dataclass(frozen=True)
class Line:
    """The entries of one line: all alike but for the parameter on the axis."""

    variant: str
    rest: str  # the other parameters that vary, in words; "" if none
    entries: tuple[Entry, ...]  # by the value on the axis


@dataclass(frozen=True)
class Sweep:
    """One parameter of one strategy, played at several values."""

    strategy: str
    parameter: str
    lines: tuple[Line, ...]

    @property
    def entries(self) -> list[Entry]:
        """All entries of all lines."""
        return [entry for line in self.lines for entry in line.entries]

    @property
    def values(self) -> list[Value]:
        """The values played, in rising order."""
        return sorted({_value(entry, self.parameter) for entry in self.entries})

    def panels(self) -> list[tuple[Line, ...]]:
        """The lines that share a panel: all, or those of one variant where that reads better."""
        names = list(dict.fromkeys(line.variant for line in self.lines))
        ranges, sizes = zip(*((_range([x]), len(x.entries)) for x in self.lines), strict=True)
        squashed = len(set(style.limits(ranges, sizes))) > 1
        if not squashed and not any(line.rest for line in self.lines):
            return [self.lines]
        return [tuple(line for line in self.lines if line.variant == name) for name in names]


def _value(entry: Entry, parameter: str) -> Value:
    """Return what an entry has for a parameter that is a number."""
    value = entry.params[parameter]
    assert not isinstance(value, Mapping)
    return value


def sweeps(results: Results) -> list[Sweep]:
    """Return every sweep of at least two values, in the order of the config."""
    pairs = dict.fromkeys(
        (e.strategy, name)
        for e in results.entries
        for name in e.swept
        if not isinstance(e.params[name], Mapping)  # strategies have no order
    )
    found = [Sweep(*pair, _lines(results, *pair)) for pair in pairs]
    return [sweep for sweep in found if len(sweep.values) > 1]


def _lines(results: Results, strategy: str, parameter: str) -> tuple[Line, ...]:
    entries = [e for e in results.entries if e.strategy == strategy and parameter in e.swept]
    names = dict.fromkeys(name for entry in entries for name in entry.params if name != parameter)
    varied = [
        name for name in names if len({repr(entry.params.get(name)) for entry in entries}) > 1
    ]
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        known = [name for name in varied if name in entry.params]
        rest = ", ".join(f"{name} = {value_text(entry.params[name])}" for name in known)
        groups.setdefault((entry.variant, rest), []).append(entry)
    return tuple(
        Line(*key, tuple(sorted(group, key=lambda entry: _value(entry, parameter))))
        for key, group in groups.items()
    )


def file_names(found: Sequence[Sweep]) -> list[str]:
    """Return a file name for each sweep, all different even where case does not count."""
    names: list[str] = []
    for sweep in found:
        stem = re.sub(r"([^\w-]|_)+", "_", f"sweep_{sweep.strategy}_{sweep.parameter}")
        name, again = f"{stem}.png", 2
        while name.lower() in (taken.lower() for taken in names):
            name, again = f"{stem}_{again}.png", again + 1
        names.append(name)
    return names


# --- Drawing ---


def draw(results: Results, sweep: Sweep) -> Figure:
    """Draw win rate above mean cards left, with their intervals, against the values played."""
    panels = sweep.panels()
    figure, pairs = _frame(results, sweep, panels)
    axis = _Axis.of(sweep)
    names = _names(sweep, panels)
    for (upper, lower), lines in zip(pairs, panels, strict=True):
        for line in lines:
            index = names.index(_name(line, panels))
            pen, shift = style.pen(index, len(names)), axis.shift(index, len(names))
            x = [axis.places[_value(entry, sweep.parameter)] for entry in line.entries]
            _plot(upper, x, [_rate(entry) for entry in line.entries], max, pen, shift)
            _plot(lower, x, [_left(entry) for entry in line.entries], min, pen, shift)
        _furnish(upper, lower, lines)
        axis.label(upper, lower)
    if len(names) > 1:
        _legend(figure, pairs[min(len(pairs), _ACROSS) - 1][0], names)
    return figure


def _frame(
    results: Results, sweep: Sweep, panels: Sequence[Sequence[Line]]
) -> tuple[Figure, list[tuple[Axes, Axes]]]:
    """Return a figure with an upper and a lower panel for each group of lines."""
    across = min(len(panels), _ACROSS)
    down = math.ceil(len(panels) / across)
    names = _names(sweep, panels)
    side = style.block_width(_wrapped(names)) + 0.7 if len(names) > 1 else 0.0
    body = max(down * (sum(_HEIGHTS) + 0.95), _legend_height(names))
    title = f"{sweep.strategy}: win rate and cards left by {sweep.parameter}"
    subtitle = (
        f"Over {deals_text(sweep.entries)}. Bars: {interval(results)}. Ring: best of its line. "
        "Filled: interval overlaps that of the best; hollow: it does not."
    )
    width = across * (_WIDTH + 0.75) + side + 0.3
    figure = style.framed(width, body, title, subtitle, origin(results))
    grid = figure.subplots(2 * down, across, squeeze=False, height_ratios=_HEIGHTS * down)
    pairs = [
        (grid[2 * row, column], grid[2 * row + 1, column])
        for row in range(down)
        for column in range(across)
    ]
    for upper, lower in pairs[len(panels) :]:
        upper.remove()
        lower.remove()
    return figure, pairs[: len(panels)]


def _name(line: Line, panels: Sequence[Sequence[Line]]) -> str:
    """What tells the line from the others of its panel; the title of the panel says the rest."""
    return line.rest if len(panels) > 1 or line.rest else line.variant


def _names(sweep: Sweep, panels: Sequence[Sequence[Line]]) -> list[str]:
    return list(dict.fromkeys(_name(line, panels) for line in sweep.lines))


def _wrapped(names: Sequence[str]) -> list[str]:
    return [style.wrap(name, _LEGEND) for name in names]


def _legend_height(names: Sequence[str]) -> float:
    return sum(name.count("\n") + 1.5 for name in _wrapped(names)) * style.line_height() + 0.2


def _legend(figure: Figure, corner: Axes, names: Sequence[str]) -> None:
    """Name the lines, right of the upper panel or, if they are many, of all panels."""
    handles = [
        Line2D([], [], color=pen.colour, marker=pen.marker, linestyle=pen.dash, markersize=6)
        for pen in (style.pen(index, len(names)) for index in range(len(names)))
    ]
    if _legend_height(names) > _HEIGHTS[0]:
        figure.legend(handles, _wrapped(names), loc="outside right center")
    else:
        corner.legend(handles, _wrapped(names), loc="upper left", bbox_to_anchor=(1.02, 1.03))


Interval = tuple[float, float, float]  # low, middle, high


def _rate(entry: Entry) -> Interval:
    return 100 * entry.win_rate_low, 100 * entry.win_rate, 100 * entry.win_rate_high


def _left(entry: Entry) -> Interval:
    return entry.leftover_low, entry.leftover_mean, entry.leftover_high


def _range(lines: Sequence[Line], measure: Callable[[Entry], Interval] = _rate) -> style.Range:
    spans = [measure(entry) for line in lines for entry in line.entries]
    return min(low for low, _, _ in spans), max(high for _, _, high in spans)


def _plot(
    ax: Axes,
    x: Sequence[float],
    intervals: Sequence[Interval],
    best: Callable[[Sequence[float]], float],
    pen: style.Pen,
    shift: float,
) -> None:
    """Draw one line, moved aside by some points so that its bars do not hide another's."""
    lows, middles, highs = zip(*intervals, strict=True)
    top = middles.index(best(middles))
    aside = offset_copy(ax.transData, ax.get_figure(root=True), x=shift, units="points")
    look: dict[str, Any] = {"color": pen.colour, "transform": aside}
    ax.plot(x, middles, linestyle=pen.dash, linewidth=1.4, gid="line", **look)
    for here, low, middle, high in zip(x, lows, middles, highs, strict=True):
        ax.plot([here, here], [low, high], linewidth=1.6, **look)
        face = pen.colour if low <= highs[top] and high >= lows[top] else "white"
        ax.plot([here], [middle], pen.marker, mfc=face, ms=6, zorder=3, gid="point", **look)
        if middle == middles[top]:
            ring: dict[str, Any] = {"mfc": "none", "mec": style.INK, "ms": 11, "gid": "best"}
            ax.plot([here], [middle], "o", transform=aside, zorder=4, **ring)


def _furnish(upper: Axes, lower: Axes, lines: Sequence[Line]) -> None:
    variants = list(dict.fromkeys(line.variant for line in lines))
    if len(variants) == 1:  # otherwise the legend names them
        upper.set_title(style.panel_title(variants[0], _WIDTH))
    upper.yaxis.set_major_formatter(style.Percent())
    upper.set_ylabel("win rate")
    lower.set_ylabel("mean cards left")
    for ax, measure in ((upper, _rate), (lower, _left)):
        ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        low, high = _range(lines, measure)  # points moved aside do not scale an axis themselves
        ax.set_ylim(low - 0.1 * (high - low), high + 0.1 * (high - low))


@dataclass(frozen=True)
class _Axis:
    """The axis of the values: to scale, or in even steps where a scale could not be read."""

    name: str
    places: Mapping[Value, float]

    @classmethod
    def of(cls, sweep: Sweep) -> _Axis:
        values = sweep.values
        if _to_scale(values):
            return cls(sweep.parameter, {value: float(value) for value in values})
        even = {value: float(step) for step, value in enumerate(values)}
        return cls(f"{sweep.parameter} (not to scale)", even)

    def _gap(self) -> float:
        """The least distance of two ticks in inches."""
        ticks = list(self.places.values())
        return _WIDTH * min(b - a for a, b in pairwise(ticks)) / (1.12 * (ticks[-1] - ticks[0]))

    def shift(self, index: int, count: int) -> float:
        """Return how far to move one of `count` lines aside, in points."""
        step = min(_SHIFT, 72 * self._gap() / (2 * count))
        return step * (index - (count - 1) / 2)

    def label(self, upper: Axes, lower: Axes) -> None:
        """Put a tick at every value played and a label at as many as there is room for."""
        ticks = list(self.places.values())
        every = math.ceil(_label_width(list(self.places)) / self._gap())
        texts = ["" if i % every else value_text(value) for i, value in enumerate(self.places)]
        pad = (0.06 if len(ticks) > 2 else 0.3) * (ticks[-1] - ticks[0])
        for ax, labels in ((upper, []), (lower, texts)):
            ax.set_xticks(ticks, labels)
            ax.set_xlim(ticks[0] - pad, ticks[-1] + pad)
        lower.set_xlabel(self.name)


def _to_scale(values: Sequence[Value]) -> bool:
    gaps = [after - before for before, after in pairwise(values)]
    if max(gaps) < 1.01 * min(gaps):
        return True
    sizes = [abs(value) for value in values if value]
    room = min(gaps) * _WIDTH / (values[-1] - values[0])
    return max(sizes) <= _ORDERS * min(sizes) and room >= _label_width(values)


def _label_width(values: Sequence[Value]) -> float:
    return style.block_width([value_text(value) for value in values]) + 0.1
