"""How every chart looks: one palette, one type size, one frame of title and footer.

Charts are drawn without pyplot and start from matplotlib's own defaults, so neither a user's
matplotlibrc nor an earlier figure can change a byte of them.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import matplotlib.style
from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import TextToPath
from matplotlib.ticker import ScalarFormatter
from matplotlib.typing import LineStyleType

FONT = "DejaVu Sans"  # comes with matplotlib, so it is there on every machine
TITLE, PANEL, TEXT, SMALL = 13.0, 10.5, 9.5, 8.5  # points
DPI = 150

INK = "#1a1a1a"
QUIET = "#5c5c5c"  # second-rank text
RULE = "#dedede"  # grid lines
BLUE = "#0072b2"
PALE = "#9fc7e3"
RED = "#d55e00"

# Okabe and Ito's colour-blind safe set without its yellow, which is lost on white. The order makes
# neighbours differ in lightness too, and each colour has its own marker and line style.
COLOURS = ("#0072b2", "#e69f00", "#000000", "#009e73", "#d55e00", "#56b4e9", "#cc79a7")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[LineStyleType, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.2, 1.2)),
    (0, (6, 1.5, 1.2, 1.5)),
    "-",
    (0, (3, 1)),
    "-",
)

LOOK = {
    "font.family": [FONT],
    "font.size": TEXT,
    "text.parse_math": False,  # a "$" in a label is a dollar
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": QUIET,
    "axes.labelsize": TEXT,
    "axes.titlesize": PANEL,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelsize": TEXT,
    "ytick.labelsize": TEXT,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "legend.fontsize": TEXT,
    "lines.solid_capstyle": "butt",
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
}

_SIDE = 0.16  # inches between the edge of a figure and what is drawn in it
_HEADER_GAP, _FOOTER = 0.14, 0.36  # inches


@dataclass(frozen=True)
class Pen:
    """What one line of a chart is drawn with: told apart by more than its colour."""

    colour: str
    marker: str
    dash: LineStyleType


def pen(index: int, count: int) -> Pen:
    """Return the pen of one of `count` lines; many get colours from dark to light."""
    if count <= len(COLOURS):
        colour = COLOURS[index]
    else:
        colour = to_hex(colormaps["cividis"](0.85 * index / (count - 1)))
    return Pen(colour, MARKERS[index % len(MARKERS)], DASHES[index % len(DASHES)])


class Percent(ScalarFormatter):
    """Ticks in percent, all with as many decimals as the finest of them needs."""

    def __init__(self) -> None:
        super().__init__(useOffset=False)

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the text of the tick at x."""
        return f"{super().__call__(x, pos)} %"


class Signed(ScalarFormatter):
    """Ticks of differences, with a sign on both sides of zero."""

    def __init__(self) -> None:
        super().__init__(useOffset=False)

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the text of the tick at x."""
        text = super().__call__(x, pos)
        return f"+{text}" if x > 0 else text


@contextmanager
def look() -> Iterator[None]:
    """Use the house style, on top of matplotlib's defaults, until the block ends."""
    with matplotlib.style.context([LOOK], after_reset=True):
        yield


def png(draw: Callable[[], Figure]) -> bytes:
    """Draw a fresh figure and return it as PNG: the same bytes for the same results.

    Fresh, because layout goes on improving a figure each time it is drawn.
    """
    buffer = io.BytesIO()
    with look():
        draw().savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


@lru_cache(maxsize=4096)
def text_width(line: str, size: float = TEXT, weight: str = "normal") -> float:
    """Return the width of one line of text in inches."""
    font = FontProperties(family=FONT, size=size, weight=weight)
    points, _, _ = TextToPath().get_text_width_height_descent(line, font, ismath=False)
    return float(points) / 72


def wrap(text: str, inches: float, size: float = TEXT, weight: str = "normal") -> str:
    """Break text into as few lines no wider than `inches` as possible, all about as long."""
    found: list[str] = []
    most = int(inches * 72 / (0.25 * size)) + 1  # characters: even an "i" is wider than that
    for characters in range(max(min(len(text), most), 1), 0, -1):
        lines = textwrap.wrap(text, characters) or [""]
        if found and len(lines) > len(found):
            break
        if found or all(text_width(line, size, weight) <= inches for line in lines):
            found = lines
    return "\n".join(found or lines)


def block_width(texts: Sequence[str], size: float = TEXT, weight: str = "normal") -> float:
    """Return the width in inches of the widest line in any of the texts."""
    lines = [line for text in texts for line in text.split("\n")]
    return max((text_width(line, size, weight) for line in lines), default=0.0)


def panel_title(text: str, inches: float) -> str:
    """Return the title of a panel, wrapped to its width."""
    return wrap(text, inches, PANEL, "bold")


def line_height(size: float = TEXT) -> float:
    """Return the distance of two lines of text in inches."""
    return 1.25 * size / 72


def framed(width: float, body: float, title: str, subtitle: str, footer: str) -> Figure:
    """Return an empty figure with room for `body` inches of panels between title and footer."""
    inner = width - 2 * _SIDE
    title = wrap(title, inner, TITLE, "bold")
    subtitle = wrap(subtitle, inner, TEXT)
    title_height = (title.count("\n") + 1) * line_height(TITLE)
    header = title_height + (subtitle.count("\n") + 1) * line_height() + _SIDE + _HEADER_GAP
    footer = wrap(footer, inner, SMALL)
    below = _FOOTER + footer.count("\n") * line_height(SMALL)
    height = header + body + below
    rect = (0.0, below / height, 1.0, body / height)
    layout = ConstrainedLayoutEngine(w_pad=_SIDE, h_pad=0.1, hspace=0, wspace=0, rect=rect)
    figure = Figure(figsize=(width, height), layout=layout)
    left, top = _SIDE / width, 1 - _SIDE / height
    figure.text(left, top, title, size=TITLE, weight="bold", va="top", gid="title")
    top -= (title_height + 0.03) / height
    figure.text(left, top, subtitle, size=TEXT, color=QUIET, va="top", gid="subtitle")
    figure.text(left, 0.12 / height, footer, size=SMALL, color=QUIET, va="bottom", gid="footer")
    return figure


def fixed(figure: Figure) -> float:
    """Keep a framed figure from being laid out; return the upper end of its body in inches."""
    layout = figure.get_layout_engine()
    assert isinstance(layout, ConstrainedLayoutEngine)
    _, bottom, _, height = layout.get()["rect"]
    figure.set_layout_engine("none")
    return float(bottom + height) * figure.get_figheight()


Range = tuple[float, float]


def limits(ranges: Sequence[Range], sizes: Sequence[int]) -> list[Range]:
    """Return the axis limits of panels that show values in these ranges.

    One scale for all, so that panels can be compared by eye, unless some panel with several
    values would be squashed into less than a quarter of it: then each has its own.
    """
    union = (min(low for low, _ in ranges), max(high for _, high in ranges))
    quarter = (union[1] - union[0]) / 4
    many = [high - low for (low, high), size in zip(ranges, sizes, strict=True) if size > 1]
    if all(span >= quarter for span in many):
        return [_padded(union)] * len(ranges)
    return [_padded(span) for span in ranges]


def _padded(span: Range) -> Range:
    low, high = span
    pad = 0.06 * (high - low) or 0.5
    if 0 <= low < 0.3 * high:  # so near to nothing that the axis may as well start there
        return (0.0 - pad / 2, high + pad)
    return (low - pad, high + pad)
