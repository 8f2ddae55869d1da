"""Squares of cells: what every two of some rows differ by, one panel a rules variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from string import ascii_uppercase

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Colormap, FuncNorm, LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sim.report import style
from sim.report.rows import Chart, Panel
from sim.report.versus import SAME
from sim.report.wording import signed

MOST_CELLS = 20  # rows a panel
MOST_NUMBERS = 12  # with numbers in the cells
PITCH = 0.31  # inches: the height of a cell
_NARROW, _LEAST = 0.31, 3.0  # inches: width of a cell without number, and of all cells at least
_BAR = 0.95  # inches for the scale of colours

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """What a row is above a column by."""

    value: float  # in the units of the chart
    separated: bool


def letters(count: int) -> list[str]:
    """Return short names of rows and columns: A to Z, then AA, AB ..."""
    firsts = ["", *ascii_uppercase]
    return [firsts[place // 26] + ascii_uppercase[place % 26] for place in range(count)]


def room(squares: Sequence[Square]) -> tuple[float, float]:
    """Return the inches that the cells of a chart take, and those beside them."""
    most = max(len(square.labels) for square in squares)
    if most > MOST_NUMBERS:
        return max(most * _NARROW, _LEAST), _BAR
    return max(most * max(square.cell_width() for square in squares), _LEAST), 0.0


def drawn(chart: Chart, squares: Sequence[Square]) -> Figure:
    """Draw a square in each panel of a chart, and a scale of colours where numbers are too many."""
    most = max(len(square.labels) for square in squares)
    numbered = most <= MOST_NUMBERS
    figure, axes = chart.begin()
    scale = max(square.largest() for square in squares) or 1.0
    for ax, part, square in zip(axes, chart.panels, squares, strict=True):
        mesh = square.fill(ax, part, scale, most)
        square.write(ax, part, scale, numbered)
        if not numbered:
            _colour_bar(figure, ax, mesh, scale)
    return figure


class Square:
    """The pairs of one variant, in the same order both ways; blank where there is none."""

    def __init__(
        self, labels: Sequence[str], cells: Mapping[tuple[str, str], Cell], decimals: int
    ) -> None:
        self.labels = labels
        self.cells = cells
        self.decimals = decimals

    def at(self, row: int, column: int) -> Cell | None:
        """Return what stands in a cell; None if the two were never compared."""
        return self.cells.get((self.labels[row], self.labels[column]))

    def values(self) -> Floats:
        """Return the differences; NaN where none is to be coloured."""
        shown = np.full((len(self.labels),) * 2, np.nan)
        for row, column in np.ndindex(shown.shape):
            cell = self.at(row, column)
            if cell is not None and cell.separated:
                shown[row, column] = cell.value
        return shown

    def largest(self) -> float:
        """Return the largest difference, whatever its direction."""
        return max((abs(cell.value) for cell in self.cells.values()), default=0.0)

    def text(self, row: int, column: int) -> str:
        """Return what is printed in a cell."""
        cell = self.at(row, column)
        if cell is None:
            return ""
        return signed(cell.value, self.decimals) if cell.separated else SAME

    def cell_width(self) -> float:
        """Return the width in inches that the widest number needs."""
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
            edges, floors, self.values(), cmap=_colours(), norm=_norm(scale), gid="cells"
        )
        ax.pcolormesh(edges, floors, grey, cmap="Greys_r", vmin=-7, vmax=1)
        for position in edges:
            ax.vlines(position, 0, part.height, color="white", linewidth=1.2)
            ax.hlines(floors[position], 0, size, color="white", linewidth=1.2)
        ax.set_xlim(0, most)
        ax.set_xticks([column + 0.5 for column in range(size)], letters(size))
        ax.tick_params(axis="x", length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        ax.grid(False)
        ax.spines[:].set_visible(False)
        return mesh

    def write(self, ax: Axes, part: Panel, scale: float, numbered: bool) -> None:
        """Print the numbers, or only what is not separated, and the letter on the diagonal."""
        shade, place = _colours(), _norm(scale)
        names = letters(len(self.labels))
        for row, centre in enumerate(part.centres):
            for column in range(len(self.labels)):
                text = names[row] if row == column else self.text(row, column)
                cell = self.at(row, column)
                if not numbered and cell is not None and cell.separated:
                    continue
                value = 0.0 if cell is None else cell.value
                dark = text not in (SAME, "") and _dark(shade(float(place(value))))
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


def _root(values: Floats) -> Floats:
    return np.asarray(np.sign(values) * np.sqrt(np.abs(values)))


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
