"""`pairs.png`: cells for few entries, places for many, and that both can be read."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from sim.report import pairs, style
from sim.report.versus import SAME, both_ways
from sim.report.wording import by_win_rate
from sim.results import Results
from tests.report.drawn import drawn, flat, outside, overlaps, texts, with_gid
from tests.report.make import EASY, HARD, field, make_entry, make_results, wordy


def close(count: int) -> Results:
    return field(count, two=count <= 12, deals=4_000, spread=0.09)


@cache
def of_field(count: int) -> Figure:
    return drawn(lambda: pairs.draw(close(count)))


def panels(figure: Figure) -> list[Axes]:
    """The panels without the scales of colours beside them."""
    return [ax for ax in figure.axes if ax.get_title("left")]


def mesh(ax: Axes) -> QuadMesh:
    (found,) = [one for one in ax.collections if one.get_gid() == "cells"]
    assert isinstance(found, QuadMesh)
    return found


def cells(ax: Axes, gid: str = "cell") -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_gid() == gid]


@pytest.mark.parametrize("count", [3, 12, 17, 40])
def test_every_text_is_whole_and_by_itself(count: int) -> None:
    assert overlaps(of_field(count)) == []
    assert outside(of_field(count)) == []


def test_long_labels_and_fewer_deals_leave_every_text_whole_and_by_itself() -> None:
    figure = drawn(lambda: pairs.draw(wordy()))
    assert overlaps(figure) == []
    assert outside(figure) == []


# --- Cells ---


def test_a_cell_is_row_minus_column_both_by_win_rate() -> None:
    entries = [
        make_entry(label, rate, variant)
        for variant, rates in ((EASY, (0.1, 0.3, 0.2)), (HARD, (0.2, 0.1, 0.3)))
        for label, rate in zip("xyz", rates, strict=True)
    ]
    figure = drawn(lambda: pairs.draw(make_results(entries, baseline="x")))
    names = [[flat(text.get_text()) for text in ax.get_yticklabels()] for ax in figure.axes]
    assert [[name.split()[0] for name in panel] for panel in names] == [list("yzx"), list("zxy")]
    assert [[name.split()[-1] for name in panel] for panel in names] == [list("ABC")] * 2
    for ax in figure.axes:
        assert cells(ax) == ["+10.0", "+20.0", "−10.0", "+10.0", "−20.0", "−10.0"]
        assert cells(ax, "letter") == list("ABC")
        assert [text.get_text() for text in ax.get_xticklabels()] == list("ABC")


@pytest.mark.parametrize("count", [12, 17])
def test_only_what_is_separated_is_coloured_the_rest_is_equal(count: int) -> None:
    results, figure = close(count), of_field(count)
    for ax, variant in zip(panels(figure), results.variant_names(), strict=True):
        found = both_ways(results, variant)
        order = [entry.label for entry in by_win_rate(results.of_variant(variant))]
        values = np.ma.getdata(mesh(ax).get_array()).reshape(count, count)
        for row, a in enumerate(order):
            for column, b in enumerate(order):
                coloured = a != b and found[a, b].separated
                assert np.isfinite(values[row, column]) == coloured
                if coloured:
                    assert values[row, column] == pytest.approx(100 * found[a, b].difference)
        equal = sum(not pair.separated for pair in found.values())
        assert cells(ax).count(SAME) == equal > 0


def test_few_entries_have_numbers_more_have_a_scale() -> None:
    few, more = of_field(12), of_field(17)
    assert len(few.axes) == 2
    assert len(more.axes) == 2
    assert set(cells(panels(few)[0])) > {SAME}
    assert set(cells(panels(more)[0])) == {SAME}
    ticks = [flat(text.get_text()) for text in more.axes[1].get_yticklabels()]
    assert ticks[2] == "0"
    assert ticks[0].startswith("−")
    assert ticks[-1].startswith("+")


def test_colours_are_centred_on_zero_one_scale_for_all_and_told_apart_in_grey() -> None:
    norms = {(mesh(ax).norm.vmin, mesh(ax).norm.vmax) for ax in panels(of_field(12))}
    ((low, high),) = norms
    assert low == -high
    colours, norm = mesh(panels(of_field(12))[0]).get_cmap(), mesh(panels(of_field(12))[0]).norm
    white, worst, best = (np.dot(to_rgb(colours(norm(x))), (0.3, 0.6, 0.1)) for x in (0, low, high))
    assert white > 0.95
    assert best < worst - 0.2


def test_ranks_stand_at_the_right() -> None:
    results, figure = close(12), of_field(12)
    shown = [text.get_text() for text in texts(figure) if text.get_gid() == "number"]
    assert shown[0] == "1–4"
    assert len(shown) == len(results.entries)


# --- Places ---


def test_many_entries_become_ranges_of_places_without_smaller_text() -> None:
    results, figure = close(40), of_field(40)
    for ax, variant in zip(figure.axes, results.variant_names(), strict=True):
        entries = by_win_rate(results.of_variant(variant))
        assert [flat(t.get_text()).split(" (")[0] for t in ax.get_yticklabels()] == [
            entry.label for entry in entries
        ]
        ranges = [line for line in ax.get_lines() if line.get_gid() == "range"]
        ends = [[round(x) for x in line.get_xdata()] for line in ranges]
        assert ends == [list(entry.rank) for entry in entries if len(set(entry.rank)) > 1]
    assert [x for x, _ in with_gid(figure, "dot")[0]] == list(range(1, 41))
    assert {text.get_size() for text in figure.axes[0].get_yticklabels()} == {style.TEXT}
    assert min(text.get_size() for text in texts(figure)) == style.SMALL


def test_each_says_how_far_it_is_above_the_next() -> None:
    results, figure = close(40), of_field(40)
    shown = [text.get_text() for text in texts(figure) if text.get_gid() == "number"]
    leads = [text.strip("\u2007") for text in shown if "(" in text]
    assert len(leads) == 39
    first, second = by_win_rate(results.of_variant(EASY[0]))[:2]
    lead = both_ways(results, EASY[0])[first.label, second.label]
    assert leads[0].startswith(f"+{100 * lead.difference:.1f} (−")
    assert leads[0].endswith("=")
