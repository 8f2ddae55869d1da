"""`leftover.png`: how many cards were left at the end, one panel a rules variant.

Up to six entries a panel are drawn as step curves of the share of deals that ended with at most
that many cards; more are drawn as rows of histograms.
"""

from __future__ import annotations

from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MultipleLocator

from sim.report import style
from sim.report.rows import TALL, Chart, Column, Panel, panel
from sim.report.wording import (
    by_leftover,
    deals_text,
    full_label,
    interval,
    mean_places,
    mean_span,
    origin,
    percent,
    rate_places,
)
from sim.results import Entry, Results

MOST_CURVES = 6  # entries a panel
_PITCHES = (0.42, 0.34)  # inches a row of the histograms, and of more than TALL of them
_FILL = 0.9  # of a row that the highest bar takes
_LONGEST_WIN = 14.0  # card widths, for the block of wins
_SEEN = 0.05  # percent of the deals; less would not show on any of the scales
_CURVES, _PANEL = 4.8, 2.9  # inches: width and height of a panel of curves
_LEGEND = 2.6  # inches: width of the labels beside it


def draw(results: Results) -> Figure:
    """Draw the distribution of the cards left for every entry."""
    parts = [
        (variant, by_leftover(results.of_variant(variant))) for variant in results.variant_names()
    ]
    if max(len(entries) for _, entries in parts) <= MOST_CURVES:
        return _curves(results, parts)
    pitch = _PITCHES[max(len(entries) for _, entries in parts) > TALL]
    panels = tuple(panel(results, variant, entries, pitch) for variant, entries in parts)
    return _histograms(results, panels)


def _title(results: Results) -> str:
    return f"Cards left at the end of {deals_text(results.entries)}"


def _last_card(results: Results) -> int:
    """The most cards that some entry was left with often enough for the eye to see it."""
    seen = [
        c for entry in results.entries for c, share in enumerate(_shares(entry)) if share >= _SEEN
    ]
    return max([1, *seen])


def _card_ticks(last: int) -> range:
    return range(0, last + 1, 5 * (1 + last // 60))


def _shares(entry: Entry) -> list[float]:
    return [100 * count / max(entry.deals, 1) for count in entry.leftover_histogram]


# --- Step curves ---


def _curves(results: Results, parts: list[tuple[str, list[Entry]]]) -> Figure:
    legends = [_legend(results, entries) for _, entries in parts]
    heights = [max(_PANEL, _lines(texts) * style.line_height()) for texts in legends]
    width = _CURVES + max(style.block_width(texts) for texts in legends) + 1.5
    subtitle = (
        "Share of deals that ended with at most that many cards left: the higher the curve, "
        "the better."
    )
    if any(len(entries) > 1 for _, entries in parts):
        subtitle += " Fewest cards left on average first."
    body = sum(heights) + 0.9 * len(heights)
    figure = style.framed(width, body, _title(results), subtitle, origin(results))
    grid = figure.subplots(len(parts), 1, squeeze=False, sharex=True, height_ratios=heights)
    names = list(dict.fromkeys(entry.label for entry in results.entries))
    last = _last_card(results)
    for ax, (variant, entries), texts in zip(grid.flat, parts, legends, strict=True):
        ax.set_title(style.panel_title(variant, _CURVES))
        for entry, text in zip(entries, texts, strict=True):
            _curve(ax, entry, text, style.pen(names.index(entry.label), len(names)), last)
        _scales(ax, last)
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03), labelspacing=0.7)
    grid[-1, 0].set_xlabel("cards left (0 = deals won)")
    return figure


def _legend(results: Results, entries: list[Entry]) -> list[str]:
    cards, rate = mean_places(entries), rate_places(entries)
    return [
        f"{style.wrap(full_label(results, entry), _LEGEND)}\n"
        f"mean {entry.leftover_mean:.{cards}f} left, {percent(entry.win_rate, rate)} % won"
        for entry in entries
    ]


def _lines(texts: list[str]) -> float:
    return sum(text.count("\n") + 1.6 for text in texts)


def _curve(ax: Axes, entry: Entry, text: str, pen: style.Pen, last: int) -> None:
    reached = list(accumulate(_shares(entry)))[: last + 1]
    reached += [reached[-1]] * (last + 1 - len(reached))
    ax.step(
        range(last + 2),  # one step more, so that the last count has a tread of its own
        [*reached, reached[-1]],
        where="post",
        label=text,
        color=pen.colour,
        marker=pen.marker,
        linestyle=pen.dash,
        markevery=list(range(style.MARKERS.index(pen.marker) % 3, last + 1, 3)),
        markersize=5,
        linewidth=1.6,
        clip_on=False,
        gid="curve",
    )


def _scales(ax: Axes, last: int) -> None:
    ax.set_xlim(-0.4, last + 1)
    ax.set_ylim(0, 102)
    ax.set_xticks(_card_ticks(last))
    ax.yaxis.set_major_locator(MultipleLocator(20))
    ax.yaxis.set_major_formatter(style.Percent())
    ax.tick_params(labelbottom=True)
    ax.set_ylabel("share of deals")


# --- Histograms ---


def _histograms(results: Results, panels: tuple[Panel, ...]) -> Figure:
    """Draw a row of bars for each entry, all areas on one scale.

    The wins are most of a good player's deals, and a bar that high would flatten the rest. So the
    bar at 0 is no higher than its row and as much broader: its area is still its share.
    """
    share = _full_height(results)  # percent of the deals
    chart = Chart(
        results=results,
        panels=panels,
        columns=(Column(f"mean ({interval(results)})", tuple(_means(part) for part in panels)),),
        title=_title(results),
        subtitle=f"Pale bars: share of the deals; full height is {share:.2g} %. Dark block: deals "
        "won, 0 cards left, grown to the left so that its area is true. Upright line: mean.",
        axis_label="cards left (0 = deals won)",
        plot_width=4.2,
    )
    figure, axes = chart.begin()
    last = _last_card(results)
    for ax, part in zip(axes, panels, strict=True):
        for entry, centre in zip(part.entries, part.centres, strict=True):
            _row(ax, entry, centre + part.pitch / 2, _FILL * part.pitch, share)
        longest = max(100 * entry.win_rate for entry in results.entries) / share
        ax.set_xlim(0.5 - max(longest, 1.0) - 0.4, last + 0.8)
        ax.set_xticks(_card_ticks(last))  # none in the block of wins: it counts no cards
    return figure


def _full_height(results: Results) -> float:
    peaks = [max(_shares(entry)[1:], default=0.0) for entry in results.entries]
    wins = [100 * entry.win_rate / _LONGEST_WIN for entry in results.entries]
    return max([*peaks, *wins]) or 1.0


def _means(part: Panel) -> tuple[str, ...]:
    decimals = mean_places(part.entries)
    return tuple(
        f"{entry.leftover_mean:.{decimals}f} ({mean_span(entry, decimals)})"
        for entry in part.entries
    )


def _row(ax: Axes, entry: Entry, floor: float, top: float, full: float) -> None:
    won, *lost = (share / full for share in _shares(entry))
    edges = [card + 0.5 for card in range(len(lost) + 1)]
    heights = [floor - top * share for share in lost]
    ax.stairs(heights, edges, baseline=floor, fill=True, color=style.PALE, gid="lost")
    block = Rectangle((0.5 - won, floor - top), won, top, color=style.BLUE, linewidth=0, gid="won")
    ax.add_patch(block)
    ax.axhline(floor, color=style.RULE, linewidth=0.7, zorder=0.5)
    mean = entry.leftover_mean
    ax.plot([mean, mean], [floor, floor - top], color=style.RED, linewidth=2.0, gid="mean")
