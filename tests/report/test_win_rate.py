"""`win_rate.png`: what is drawn, where, and that it can be read."""

from __future__ import annotations

from functools import cache

import pytest
from matplotlib.figure import Figure

from sim.report import style, win_rate
from tests.report.drawn import drawn, flat, outside, overlaps, texts, with_gid
from tests.report.make import EASY, HARD, LONG, field, make_entry, make_results, wordy


def labels(figure: Figure) -> list[list[str]]:
    return [[flat(text.get_text()) for text in ax.get_yticklabels()] for ax in figure.axes]


@cache
def of_field(count: int) -> Figure:
    """Two variants with this many entries, drawn once for all tests that only look."""
    return drawn(lambda: win_rate.draw(field(count)))


@pytest.mark.parametrize("count", [1, 3, 12, 40])
def test_every_text_is_whole_and_by_itself(count: int) -> None:
    check_readable(of_field(count), count)


def test_long_labels_and_fewer_deals_leave_every_text_whole_and_by_itself() -> None:
    check_readable(drawn(lambda: win_rate.draw(wordy())), 4)


def check_readable(figure: Figure, count: int) -> None:
    assert overlaps(figure) == []
    assert outside(figure) == []
    assert all(len(ax.get_yticks()) == count for ax in figure.axes)
    assert all(ax.get_position().width * figure.get_figwidth() > 3.4 for ax in figure.axes)


def test_one_panel_a_variant_each_sorted_by_its_own_win_rate() -> None:
    entries = [
        make_entry(label, rate, variant)
        for variant, rates in ((EASY, (0.1, 0.3, 0.2)), (HARD, (0.3, 0.1, 0.2)))
        for label, rate in zip("abc", rates, strict=True)
    ]
    figure = drawn(lambda: win_rate.draw(make_results(entries, baseline="c")))
    assert [ax.get_title("left") for ax in figure.axes] == [EASY[0], HARD[0]]
    assert labels(figure) == [["b", "c (baseline)", "a"], ["a", "c (baseline)", "b"]]
    for dots in with_gid(figure, "dot"):
        assert [x for x, _ in dots] == pytest.approx([30, 20, 10])
    first = figure.axes[0]
    assert [y for _, y in with_gid(figure, "dot")[0]] == pytest.approx(list(first.get_yticks()))
    assert first.get_ylim()[0] > first.get_ylim()[1]  # so the first row is the top row


def test_the_numbers_stand_at_the_right_of_their_rows() -> None:
    results = make_results([make_entry("a", 0.341, deals=1_000_000)])
    figure = drawn(lambda: win_rate.draw(results))
    (number,) = [text for text in texts(figure) if text.get_gid() == "number"]
    assert number.get_text() == "34.1 % (34.0–34.2)"
    ax = figure.axes[0]
    assert number.get_position()[1] == ax.get_yticks()[0]
    assert number.get_window_extent().x0 > ax.get_window_extent().x1


def test_the_interval_is_drawn() -> None:
    entry = make_entry("a", 0.5, deals=100)
    figure = drawn(lambda: win_rate.draw(make_results([entry])))
    ends = [list(line.get_xdata()) for line in figure.axes[0].get_lines()]
    assert [100 * entry.win_rate_low, 100 * entry.win_rate_high] in ends


def test_the_baseline_is_a_dashed_line_over_the_whole_panel() -> None:
    figure = drawn(lambda: win_rate.draw(field(3, two=False)))
    baseline = field(3).entries[1]
    dashed = [line for line in figure.axes[0].get_lines() if line.get_linestyle() == "--"]
    assert [list(line.get_xdata()) for line in dashed] == [[100 * baseline.win_rate] * 2]
    assert list(dashed[0].get_ydata()) == [0, 1]


def test_a_variant_without_the_baseline_has_no_line() -> None:
    results = make_results([make_entry("a", 0.3), make_entry("b", 0.2, HARD)], baseline="a")
    figure = drawn(lambda: win_rate.draw(results))
    dashed = [[x.get_linestyle() for x in ax.get_lines()].count("--") for ax in figure.axes]
    assert dashed == [1, 0]


def test_fewer_deals_are_said_beside_the_label_and_in_the_title() -> None:
    entries = [make_entry("all", 0.3), make_entry("few", 0.2, deals=100_000)]
    figure = drawn(lambda: win_rate.draw(make_results(entries)))
    assert labels(figure) == [["all (baseline)", "few (100,000 deals)"]]
    seen = [text.get_text() for text in texts(figure)]
    assert "Win rate over up to 1,000,000 of the same deals" in seen


def test_title_and_footer_say_what_and_whence() -> None:
    results, figure = field(3), of_field(3)
    by_gid = {text.get_gid(): text.get_text() for text in texts(figure)}
    assert by_gid["title"] == "Win rate over the same 1,000,000 deals"
    assert f"seed {results.seed}" in by_gid["footer"]
    assert results.digest[:12] in by_gid["footer"]


def test_long_labels_are_wrapped_not_cut() -> None:
    figure = drawn(lambda: win_rate.draw(wordy()))
    assert f"{LONG[0]} (baseline)" in labels(figure)[0]
    shown = {label.replace(" ", "") for label in labels(figure)[0]}
    assert LONG[1].replace(" ", "") in shown  # a word too long for its line may be broken


def test_forty_rows_grow_the_figure_and_keep_the_text() -> None:
    small, large = of_field(3), of_field(40)
    assert large.get_figheight() > 5 * small.get_figheight()
    assert large.get_figwidth() < 1.2 * small.get_figwidth()
    sizes = [{t.get_size() for f in (small, large) for t in f.axes[0].get_yticklabels()}]
    assert sizes == [{style.TEXT}]


def test_panels_share_a_scale_only_while_that_squashes_none() -> None:
    far = [
        make_entry(f"{label}", rate, variant, deals=1_000_000)
        for variant, rates in ((EASY, (0.340, 0.341)), (HARD, (0.200, 0.201)))
        for label, rate in zip("ab", rates, strict=True)
    ]
    shared = of_field(8)
    own = drawn(lambda: win_rate.draw(make_results(far)))
    assert shared.axes[0].get_xlim() == shared.axes[1].get_xlim()
    assert own.axes[0].get_xlim() != own.axes[1].get_xlim()
    subtitle = next(text.get_text() for text in texts(own) if text.get_gid() == "subtitle")
    assert "own scale" in flat(subtitle)


def test_dollars_and_underscores_are_only_text() -> None:
    results = make_results([make_entry("$a_b$ ^ \\frac", 0.3)])
    assert labels(drawn(lambda: win_rate.draw(results))) == [["$a_b$ ^ \\frac (baseline)"]]
