"""`leftover.png`: curves for few entries, rows of histograms for many."""

from __future__ import annotations

from functools import cache
from itertools import accumulate

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, StepPatch

from sim.report import leftover
from tests.report.drawn import drawn, flat, outside, overlaps, texts, with_gid
from tests.report.make import EASY, HARD, WORDY, field, make_entry, make_results, wordy


@cache
def of_field(count: int) -> Figure:
    """Two variants with this many entries, drawn once for all tests that only look."""
    return drawn(lambda: leftover.draw(field(count)))


@pytest.mark.parametrize("count", [1, 6, 12, 40])
def test_every_text_is_whole_and_by_itself(count: int) -> None:
    check_readable(of_field(count))


def test_long_labels_and_fewer_deals_leave_every_text_whole_and_by_itself() -> None:
    check_readable(drawn(lambda: leftover.draw(wordy())))


def check_readable(figure: Figure) -> None:
    assert overlaps(figure) == []
    assert outside(figure) == []
    assert all(ax.get_position().width * figure.get_figwidth() > 3.4 for ax in figure.axes)
    titles = [flat(ax.get_title("left")) for ax in figure.axes]
    assert titles in ([EASY[0], HARD[0]], [WORDY[0], HARD[0]])


def legends(figure: Figure) -> list[list[str]]:
    boxes = [ax.get_legend() for ax in figure.axes]
    return [[text.get_text().split("\n")[0] for text in box.get_texts()] for box in boxes if box]


def test_few_entries_are_curves_of_at_most_that_many_cards() -> None:
    results, figure = field(3), of_field(3)
    for ax, variant in zip(figure.axes, results.variant_names(), strict=True):
        lines = {flat(line.get_label().rsplit("\n", 1)[0]): line for line in ax.get_lines()}
        for entry in results.of_variant(variant):
            line = next(line for label, line in lines.items() if label.startswith(entry.label))
            reached = [100 * n / entry.deals for n in accumulate(entry.leftover_histogram)]
            shown = list(line.get_ydata())[:-1]
            assert shown == pytest.approx(reached[: len(shown)])
            assert line.get_drawstyle() == "steps-post"
            assert shown[0] == pytest.approx(100 * entry.win_rate)
            assert shown[-1] > 99.9


def test_curves_are_named_in_the_order_of_their_means_with_the_mean() -> None:
    results, figure = field(3), of_field(3)
    ordered = sorted(results.of_variant(EASY[0]), key=lambda entry: entry.leftover_mean)
    names = [name.removesuffix(" (baseline)") for name in legends(figure)[0]]
    assert names == [entry.label for entry in ordered]
    last = figure.axes[0].get_legend().get_texts()[-1].get_text()
    assert f"mean {ordered[-1].leftover_mean:.2f} left" in last


def test_a_strategy_looks_the_same_in_every_panel_and_not_by_colour_alone() -> None:
    figure = of_field(6)
    looks = [
        {
            line.get_label().split("\n")[0]: (line.get_color(), line.get_marker())
            for line in ax.get_lines()
        }
        for ax in figure.axes
    ]
    assert looks[0] == looks[1]
    assert len({marker for _, marker in looks[0].values()}) == 6


@pytest.mark.parametrize("count", [3, 12])
def test_the_axis_says_that_nothing_left_is_a_win(count: int) -> None:
    figure = of_field(count)
    assert figure.axes[-1].get_xlabel() == "cards left (0 = deals won)"


def test_many_entries_are_rows_fewest_cards_on_top_with_their_means() -> None:
    results, figure = field(12), of_field(12)
    for ax, ticks, variant in zip(
        figure.axes, with_gid(figure, "mean"), results.variant_names(), strict=True
    ):
        means = sorted(entry.leftover_mean for entry in results.of_variant(variant))
        assert [x for x, _ in ticks] == pytest.approx(means)
        numbers = [text.get_text() for text in ax.texts if text.get_gid() == "number"]
        assert [text.split()[0] for text in numbers] == [f"{mean:.2f}" for mean in means]


def won_and_lost(figure: Figure) -> list[tuple[float, float]]:
    """The areas of the block of wins and of the bars, row by row."""
    patches = figure.axes[0].patches
    blocks = [p for p in patches if isinstance(p, Rectangle) and p.get_gid() == "won"]
    stairs = [p.get_data() for p in patches if isinstance(p, StepPatch)]
    won = [block.get_width() * block.get_height() for block in blocks]
    lost = [float(sum(floor - values)) for values, _, floor in stairs]
    return list(zip(won, lost, strict=True))


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.34, 0.9])
def test_the_block_of_wins_has_the_area_of_its_share(rate: float) -> None:
    entries = [make_entry(f"e{i}", rate + 0.01 * i, deals=100_000) for i in range(7)]
    figure = drawn(lambda: leftover.draw(make_results(entries)))
    areas = won_and_lost(figure)
    by_mean = sorted(entries, key=lambda entry: entry.leftover_mean)
    shares = [won / (won + lost) for won, lost in areas]
    assert shares == pytest.approx([entry.win_rate for entry in by_mean])
    wholes = [won + lost for won, lost in areas]
    assert wholes == pytest.approx([wholes[0]] * 7)  # one scale for all rows


def test_bars_stay_within_their_rows_and_the_panel() -> None:
    figure = drawn(lambda: leftover.draw(field(12, two=False)))
    ax = figure.axes[0]
    rows = list(ax.get_yticks())
    stairs = [patch.get_data() for patch in ax.patches if isinstance(patch, StepPatch)]
    for row, (values, edges, floor) in zip(rows, stairs, strict=True):
        assert floor - 0.42 < min(values) <= max(values) <= floor
        assert row < floor < row + 0.22
        assert edges[0] == 0.5
    blocks = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert all(block.get_x() >= ax.get_xlim()[0] for block in blocks)


def test_title_says_over_how_many_deals() -> None:
    figure = of_field(3)
    seen = [text.get_text() for text in texts(figure)]
    assert "Cards left at the end of the same 1,000,000 deals" in seen
