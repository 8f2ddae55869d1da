"""Look at a drawn figure as a reader would: which texts stand where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from sim.report import style


def drawn(draw: Callable[[], Figure]) -> Figure:
    """Return the figure, laid out and drawn once."""
    with style.look():
        figure = draw()
        FigureCanvasAgg(figure).draw()
    return figure


def texts(figure: Figure) -> list[Text]:
    """Return every text that can be seen."""
    axes = [axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    ticks = {text for axis in axes for text in _labels(axis, everywhere=True)}
    others = [text for text in figure.findobj(Text) if text not in ticks]
    inside = [text for axis in axes for text in _labels(axis, everywhere=False)]
    return [text for text in others + inside if text.get_visible() and text.get_text().strip()]


def _labels(axis: Axis, everywhere: bool) -> Iterator[Text]:
    low, high = sorted(axis.get_view_interval())
    for tick in axis.get_major_ticks() + axis.get_minor_ticks():
        if everywhere or low <= tick.get_loc() <= high:
            yield from (tick.label1, tick.label2)


def box(text: Text) -> Bbox:
    """Return where a text stands, in pixels; half a pixel of its edge may touch another."""
    extent = text.get_window_extent()
    return Bbox.from_extents(extent.x0 + 0.5, extent.y0 + 0.5, extent.x1 - 0.5, extent.y1 - 0.5)


def overlaps(figure: Figure) -> list[tuple[str, str]]:
    """Return the pairs of texts that overlap."""
    boxes = [(text.get_text(), box(text)) for text in texts(figure)]
    return [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.overlaps(two)]


def outside(figure: Figure) -> list[str]:
    """Return the texts that reach over the edge of the figure."""
    width, height = figure.canvas.get_width_height(physical=True)
    edge = Bbox.from_extents(0, 0, width, height)
    return [
        text.get_text()
        for text in texts(figure)
        if Bbox.intersection(edge, box(text)) is None
        or not edge.fully_containsx(box(text).x0)
        or not edge.fully_containsx(box(text).x1)
        or not edge.fully_containsy(box(text).y0)
        or not edge.fully_containsy(box(text).y1)
    ]


def with_gid(figure: Figure, gid: str) -> list[list[tuple[float, float]]]:
    """Return the data of the lines with this id, panel by panel, as (x, y) of their first point."""
    return [
        [
            (float(line.get_xdata()[0]), float(line.get_ydata()[0]))
            for line in ax.get_lines()
            if line.get_gid() == gid
        ]
        for ax in figure.axes
    ]


def flat(text: str) -> str:
    """Return a wrapped text on one line."""
    return text.replace("\n", " ")
