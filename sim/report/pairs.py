"""`pairs.png`: every two entries against each other, one panel a rules variant.

Up to MOST_CELLS entries are drawn as a square of cells; more are drawn by `sim.report.standing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from string import ascii_uppercase

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Colormap, FuncNorm, LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sim.report import standing, style
from sim.report.rows import Chart, Column, Panel, panel
from sim.report.versus import SAME, bare_places, both_ways
from sim.report.wording import by_win_rate, deals_text, rank_text, signed
from sim.results import Entry, Pair, Results

MOST_CELLS = 20  # entries a panel
MOST_NUMBERS = 12  # with numbers in the cells
_PITCH = 0.31  # inches: the height of a cell
_NARROW, _LEAST = 0.31, 3.0  # inches: width of a cell without number, and of all cells at least
_BAR = 0.95  # inches for the scale of colours

Floats = NDArray[np.float64]


def draw(results: Results) -> Figure:
    """Draw the differences of win rates of all pairs, or for many entries where each stands."""
    parts = [
        (variant, by_win_rate(results.of_variant(variant)))
        for variant in results.variant_names()
        if any(pair.variant == variant for pair in results.pairs)
    ]
    if max(len(entries) for _, entries in parts) > MOST_CELLS:
        return standing.draw(results, parts)
    return _cells(results, parts)


def _cells(results: Results, parts: Sequence[tuple[str, list[Entry]]]) -> Figure:
    decimals = bare_places(results.pairs)
    squares = [_Square(part, both_ways(results, variant), decimals) for variant, part in parts]
    most = max(len(entries) for _, entries in parts)
    numbered = most <= MOST_NUMBERS
    width = max(square.cell_width() for square in squares) if numbered else _NARROW
    chart = Chart(
        results=results,
        panels=tuple(
            panel(results, variant, entries, _PITCH, ascii_uppercase[: len(entries)])
            for variant, entries in parts
        ),
        columns=(Column("rank", tuple(tuple(map(rank_text, entries)) for _, entries in parts)),),
        title=f"Every entry against every other on {deals_text(results.entries)}",
        subtitle="Win rate of the row minus win rate of the column in percentage points. "
        f"Purple: the row wins more deals; orange: fewer; “{SAME}”: not separated (Holm over all "
        "pairs of the panel). Highest win rate on top and at the left.",
        axis_label="",
        plot_width=max(most * width, _LEAST),
        aside=0.0 if numbered else _BAR,
    )
    figure, axes = chart.begin()
    scale = max(square.largest() for square in squares) or 1.0
    for ax, part, square in zip(axes, chart.panels, squares, strict=True):
        mesh = square.fill(ax, part, scale, most)
        square.write(ax, part, scale, numbered)
        if not numbered:
            _colour_bar(figure, ax, mesh, scale)
    return figure


class _Square:
    """The pairs of one variant, ordered by win rate both ways."""

    def __init__(
        self, entries: Sequence[Entry], pairs: Mapping[tuple[str, str], Pair], decimals: int
    ) -> None:
        self.labels = [entry.label for entry in entries]
        self.pairs = pairs
        self.decimals = decimals

    def at(self, row: int, column: int) -> Pair | None:
        return self.pairs.get((self.labels[row], self.labels[column]))

    def points(self) -> Floats:
        """The differences in percentage points; NaN where none is to be coloured."""
        shown = np.full((len(self.labels),) * 2, np.nan)
        for row, column in np.ndindex(shown.shape):
            pair = self.at(row, column)
            if pair is not None and pair.separated:
                shown[row, column] = 100 * pair.difference
        return shown

    def largest(self) -> float:
        return max((100 * abs(pair.difference) for pair in self.pairs.values()), default=0.0)

    def text(self, row: int, column: int) -> str:
        pair = self.at(row, column)
        if pair is None:
            return ""
        return signed(100 * pair.difference, self.decimals) if pair.separated else SAME

    def cell_width(self) -> float:
        size = len(self.labels)
        texts = [self.text(row, column) for row in range(size) for column in range(size)]
        return style.block_width(texts, style.SMALL) + 0.14

    def fill(self, ax: Axes, part: Panel, scale: float, most: int) -> QuadMesh:
        """Colour the cells and name the columns; the diagonal is grey."""
        size = len(self.labels)
        edges = range(size + 1)
        floors = _edges(part)
        grey = np.where(np.eye(size) > 0, 0.0, np.nan)
        mesh = ax.pcolormesh(
            edges, floors, self.points(), cmap=_colours(), norm=_norm(scale), gid="cells"
        )
        ax.pcolormesh(edges, floors, grey, cmap="Greys_r", vmin=-7, vmax=1)
        for position in edges:
            ax.vlines(position, 0, part.height, color="white", linewidth=1.2)
            ax.hlines(floors[position], 0, size, color="white", linewidth=1.2)
        ax.set_xlim(0, most)
        ax.set_xticks([column + 0.5 for column in range(size)], list(ascii_uppercase[:size]))
        ax.tick_params(axis="x", length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        ax.grid(False)
        ax.spines[:].set_visible(False)
        return mesh

    def write(self, ax: Axes, part: Panel, scale: float, numbered: bool) -> None:
        """Print the numbers, or only what is not separated, and the letter on the diagonal."""
        shade, place = _colours(), _norm(scale)
        for row, centre in enumerate(part.centres):
            for column in range(len(self.labels)):
                text = ascii_uppercase[row] if row == column else self.text(row, column)
                pair = self.at(row, column)
                if not numbered and pair is not None and pair.separated:
                    continue
                points = 0.0 if pair is None else 100 * pair.difference
                dark = text not in (SAME, "") and _dark(shade(float(place(points))))
                ax.text(
                    column + 0.5,
                    centre,
                    text,
                    size=style.SMALL,
                    ha="center",
                    va="center_baseline",
                    color="white" if dark and row != column else style.INK,
                    gid="letter" if row == column else "cell",
                )


def _edges(part: Panel) -> list[float]:
    """The upper and lower ends of the rows: each centre is the middle of two of them."""
    heights = accumulate(part.centres, lambda edge, centre: 2 * centre - edge, initial=0.0)
    return list(heights)


def _colours() -> Colormap:
    """PuOr without its darkest orange, so that in grey purple is the darker side."""
    halves = np.linspace(0.17, 0.5, 128), np.linspace(0.5, 0.97, 128)
    return LinearSegmentedColormap.from_list("pairs", colormaps["PuOr"](np.concatenate(halves)))


def _norm(scale: float) -> FuncNorm:
    """The root of a difference chooses its colour, so that small ones are not lost on white."""
    return FuncNorm((_root, _square), vmin=-scale, vmax=scale)


def _root(points: Floats) -> Floats:
    return np.asarray(np.sign(points) * np.sqrt(np.abs(points)))


def _square(roots: Floats) -> Floats:
    return np.asarray(np.sign(roots) * roots**2)


def _dark(colour: tuple[float, ...]) -> bool:
    red, green, blue = colour[:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.48


def _colour_bar(figure: Figure, ax: Axes, mesh: QuadMesh, scale: float) -> None:
    bar = figure.colorbar(mesh, ax=ax, location="right", aspect=18, pad=0.02, shrink=0.8)
    ends = [scale * part for part in (-1, -0.25, 0, 0.25, 1)]
    bar.set_ticks(ends, labels=[signed(end, 0 if scale >= 8 else 1) for end in ends])
    bar.outline.set_visible(False)
