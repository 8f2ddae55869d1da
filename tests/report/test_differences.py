"""`differences.png`: what is drawn, where, and that it can be read."""

from __future__ import annotations

from functools import cache

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from sim.report import differences, style
from sim.report.versus import against
from sim.results import Results
from tests.report.drawn import drawn, flat, outside, overlaps, texts, with_gid
from tests.report.make import EASY, HARD, field, make_entry, make_results, wordy


@cache
def of_field(count: int) -> Figure:
    """Two variants of entries so close that some are not separated."""
    return drawn(lambda: differences.draw(close(count)))


def close(count: int) -> Results:
    return field(count, two=count <= 12, deals=4_000, spread=0.09)


def labels(ax: Axes) -> list[str]:
    return [flat(text.get_text()) for text in ax.get_yticklabels()]


def lines(ax: Axes, gid: str) -> list[Line2D]:
    return [line for line in ax.get_lines() if line.get_gid() == gid]


def numbers(figure: Figure) -> list[str]:
    return [text.get_text() for text in texts(figure) if text.get_gid() == "number"]


@pytest.mark.parametrize("count", [3, 12, 40])
def test_every_text_is_whole_and_by_itself(count: int) -> None:
    figure = of_field(count)
    assert overlaps(figure) == []
    assert outside(figure) == []
    assert all(len(ax.get_yticks()) == count - 1 for ax in figure.axes)


def test_long_labels_and_fewer_deals_leave_every_text_whole_and_by_itself() -> None:
    figure = drawn(lambda: differences.draw(wordy()))
    assert overlaps(figure) == []
    assert outside(figure) == []
    assert "Short (900 deals)" in labels(figure.axes[0])


def test_rows_are_all_but_the_baseline_largest_gain_on_top() -> None:
    results, figure = close(12), of_field(12)
    found = against(results, results.baseline)
    for ax, dots, variant in zip(
        figure.axes, with_gid(figure, "dot"), results.variant_names(), strict=True
    ):
        values = sorted((100 * p.difference for (v, _), p in found.items() if v == variant))
        assert [x for x, _ in dots] == pytest.approx(values[::-1])
        assert [y for _, y in dots] == pytest.approx(list(ax.get_yticks()))
        assert ax.get_ylim()[0] > ax.get_ylim()[1]
        assert results.baseline not in " ".join(labels(ax))
        assert [found[variant, label].difference > 0 for label in labels(ax)] == [
            value > 0 for value in values[::-1]
        ]


def test_what_is_not_separated_is_hollow_and_marked() -> None:
    results, figure = close(12), of_field(12)
    found = against(results, results.baseline)
    marked = []
    for ax, variant in zip(figure.axes, results.variant_names(), strict=True):
        for label, dot in zip(labels(ax), lines(ax, "dot"), strict=True):
            hollow = dot.get_markerfacecolor() == "white"
            assert hollow == (not found[variant, label].separated)
            marked.append(hollow)
    assert 0 < sum(marked) < len(marked)
    wins = numbers(figure)[:11]
    assert [text.endswith(" =") for text in wins] == marked[:11]


def test_the_intervals_are_drawn_about_a_line_at_zero() -> None:
    results = make_results([make_entry("a", 0.3), make_entry("b", 0.4, deals=1_000)], baseline="a")
    (pair,) = against(results, "a").values()
    ax = drawn(lambda: differences.draw(results)).axes[0]
    (bar,) = lines(ax, "interval")
    assert list(bar.get_xdata()) == pytest.approx([100 * pair.low, 100 * pair.high])
    (zero,) = lines(ax, "zero")
    assert list(zero.get_xdata()) == [0, 0]
    low, high = ax.get_xlim()
    assert low < 0 < 100 * pair.high < high


def test_both_differences_stand_at_the_right_the_cards_left_smaller() -> None:
    results = make_results([make_entry("a", 0.3), make_entry("b", 0.4)], baseline="a")
    figure = drawn(lambda: differences.draw(results))
    won, left = [text for text in texts(figure) if text.get_gid() == "number"]
    assert won.get_text() == "+10.0 (+9.8 to +10.2)"
    assert left.get_text().startswith("−")
    assert left.get_size() < won.get_size() == style.TEXT
    edges = [figure.axes[0].get_window_extent().x1, won.get_window_extent().x1]
    assert edges[0] < won.get_window_extent().x0
    assert edges[1] < left.get_window_extent().x0


def test_a_variant_without_the_baseline_has_no_panel() -> None:
    entries = [make_entry("a", 0.3), make_entry("b", 0.2)]
    entries += [make_entry("c", 0.3, HARD), make_entry("d", 0.2, HARD)]
    figure = drawn(lambda: differences.draw(make_results(entries, baseline="a")))
    assert [ax.get_title("left") for ax in figure.axes] == [EASY[0]]


def test_the_title_names_the_baseline_and_the_subtitle_the_family() -> None:
    by_gid = {text.get_gid(): flat(text.get_text()) for text in texts(of_field(3))}
    assert by_gid["title"] == f"Win rate against {close(3).baseline} on the same 4,000 deals"
    assert "Holm over all pairs of the panel" in by_gid["subtitle"]


def test_ticks_have_signs() -> None:
    ticks = [text.get_text() for text in of_field(12).axes[0].get_xticklabels()]
    assert "0" in ticks
    assert any(tick.startswith("+") for tick in ticks)
    assert any(tick.startswith("−") for tick in ticks)
