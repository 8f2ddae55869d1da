"""`pace.png`: panels for few entries, rows for many, and the numbers both are drawn from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from sim.report import pace
from sim.report.bands import Band, after, halfway, lost_and_won, milestones, paced, quantile
from sim.report.pictures import pictures
from sim.results import NOT_COUNTED, Results
from tests.report.drawn import drawn, flat, outside, overlaps, texts
from tests.report.make import EASY, HARD, WORDY, field, make_entry, make_results, wordy
from tests.report.make_counts import TURNS, with_counts


@cache
def counted_field(count: int) -> Results:
    return with_counts(field(count))


@cache
def of_field(count: int) -> Figure:
    """Two variants with this many entries, drawn once for all tests that only look."""
    return drawn(lambda: pace.draw(counted_field(count)))


# --- The numbers ---


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any), st.sampled_from([1, 2, 3]))
def test_quartiles_are_those_of_the_deals_written_out(counts: list[int], quarters: int) -> None:
    deals = np.repeat(np.arange(len(counts)), counts)
    expected = np.quantile(deals, quarters / 4, method="inverted_cdf")
    assert quantile(counts, quarters) == expected


def test_a_band_follows_the_deals_in_which_the_turn_was_made() -> None:
    results = with_counts(make_results([make_entry("a", 0.3, deals=1000)]))
    lost, won = lost_and_won(results, results.entries[0])
    assert lost == Band(
        (700,) * TURNS,
        tuple(range(30, 0, -5)),
        tuple(range(31, 1, -5)),
        tuple(range(31, 1, -5)),
    )
    assert won.deals == (300, 300, 300, 300, 300, 200)  # a third was over after turn 5
    assert won.middle[-2:] == (1, 0)
    assert won.low[-2:] == (0, 0)
    assert after(won, 6) == "0"


def test_no_deal_won_makes_no_band() -> None:
    results = with_counts(make_results([make_entry("a", 0.0, deals=1000)]))
    _, won = lost_and_won(results, results.entries[0])
    assert won == Band((), (), (), ())
    assert after(won, 1) == "–"
    drawn(lambda: pace.draw(results))


def test_the_turns_told_of_are_spread_over_the_longest_game() -> None:
    assert milestones(counted_field(3)) == [2, 3, 5]
    assert halfway(counted_field(3)) == 3


# --- Both forms ---


@pytest.mark.parametrize("count", [1, 2, 3, 12, 13, 40])
def test_every_text_is_whole_and_by_itself(count: int) -> None:
    assert overlaps(of_field(count)) == []
    assert outside(of_field(count)) == []


def test_long_labels_leave_every_text_whole_and_by_itself() -> None:
    figure = drawn(lambda: pace.draw(with_counts(wordy())))
    assert overlaps(figure) == []
    assert outside(figure) == []
    assert WORDY[0] in {flat(text.get_text()) for text in texts(figure)}


@pytest.mark.parametrize("count", [3, 40])
def test_text_never_shrinks_and_the_picture_stays_narrow(count: int) -> None:
    figure = of_field(count)
    assert min(text.get_fontsize() for text in texts(figure)) >= 8.5
    assert figure.get_figwidth() < 8.5


@pytest.mark.parametrize("count", [3, 13])
def test_the_chart_says_which_deals_are_counted(count: int) -> None:
    seen = flat(" ".join(text.get_text() for text in texts(of_field(count))))
    assert "Only deals in which the turn was made are counted" in seen
    assert "the same 1,000,000 deals" in seen
    assert EASY[0] in seen
    assert HARD[0] in seen


# --- Panels ---


def lines(figure: Figure, panel: int, gid: str) -> list[Line2D]:
    return [line for line in figure.axes[panel].get_lines() if line.get_gid() == gid]


def test_a_panel_has_the_medians_of_deals_lost_and_won() -> None:
    results, figure = counted_field(3), of_field(3)
    assert len(figure.axes) == 6
    entries = sorted(results.of_variant(EASY[0]), key=lambda entry: -entry.win_rate)
    for panel, entry in enumerate(entries):
        assert flat(figure.axes[panel].get_title("left")).startswith(entry.label)
        shown = [list(line.get_ydata()) for line in lines(figure, panel, "median")]
        assert shown == [list(band.middle) for band in lost_and_won(results, entry)]


def test_bands_reach_from_quartile_to_quartile() -> None:
    results, figure = counted_field(3), of_field(3)
    best = max(results.of_variant(EASY[0]), key=lambda entry: entry.win_rate)
    fills = [one for one in figure.axes[0].collections if isinstance(one, PolyCollection)]
    for fill, band in zip(fills, lost_and_won(results, best), strict=True):
        corners = {(int(x), int(y)) for x, y in fill.get_paths()[0].vertices}
        expected = set(zip([*band.turns] * 2, [*band.low, *band.high], strict=True))
        assert corners == expected


def test_won_and_lost_differ_by_more_than_colour() -> None:
    lost, won = lines(of_field(3), 0, "median")
    assert lost.get_linestyle() != won.get_linestyle()
    assert lost.get_marker() != won.get_marker()


def test_turns_that_fewer_than_half_of_the_deals_reached_are_hollow() -> None:
    results = counted_field(1)
    counts = dict(results.entries[0].counted.counts)
    counts["pace"] = (((), (0, 0, 9), (0, 9), (5,), (4,)), ((), (0, 2), (2,)))
    entry = replace(results.entries[0], counted=replace(results.entries[0].counted, counts=counts))
    figure = drawn(lambda: pace.draw(replace(results, entries=(entry,))))
    hollow = [line for line in lines(figure, 0, "point") if line.get_mfc() == "white"]
    assert [list(line.get_xdata()) for line in hollow] == [[4]]


def test_panels_share_their_scales() -> None:
    axes = of_field(12).axes
    assert len({ax.get_xlim() for ax in axes}) == len({ax.get_ylim() for ax in axes}) == 1
    assert len({tuple(np.round(ax.get_position().size, 9)) for ax in axes}) == 1


def test_panels_say_how_often_was_won_and_the_medians_half_way() -> None:
    results, figure = counted_field(3), of_field(3)
    best = max(results.of_variant(EASY[0]), key=lambda entry: entry.win_rate)
    (text,) = (text for text in figure.axes[0].texts if text.get_gid() == "told")
    assert text.get_text() == f"{100 * best.win_rate:.1f} % won\nturn 3: 14 / 21"


# --- Rows ---


def test_more_entries_than_panels_are_rows() -> None:
    assert len(of_field(pace.MOST_PANELS).axes) == 2 * pace.MOST_PANELS
    assert len(of_field(pace.MOST_PANELS + 1).axes) == 2


def marks(figure: Figure, panel: int) -> list[tuple[float, int, int, bool]]:
    """Height and place of every mark of a panel, its turn and whether it is filled."""
    shapes = dict(zip("os^", milestones(counted_field(13)), strict=True))
    return [
        (float(y), int(x), shapes[line.get_marker()], line.get_mfc() != "white")
        for line in lines(figure, panel, "median")
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    ]


def test_a_row_has_three_turns_of_deals_won_above_those_lost() -> None:
    results, figure = counted_field(13), of_field(13)
    for panel, variant in enumerate(results.variant_names()):
        entries = sorted(results.of_variant(variant), key=lambda entry: -entry.win_rate)
        expected = [
            (band.middle[turn - 1], turn, band is won)
            for lost, won in (lost_and_won(results, entry) for entry in entries)
            for band in (won, lost)  # downwards
            for turn in milestones(results)
        ]
        found = sorted(marks(figure, panel), key=lambda mark: (round(mark[0], 6), mark[2]))
        assert [mark[1:] for mark in found] == expected
        heights = dict.fromkeys(round(y, 6) for y, *_ in found)
        rows = list(zip(*[iter(heights)] * 2, strict=True))
        assert [sum(row) / 2 for row in rows] == pytest.approx(figure.axes[panel].get_yticks())
    numbers = [text.get_text() for text in figure.axes[0].texts if text.get_gid() == "number"]
    assert numbers == ["14 / 21"] * 13


def test_the_bars_of_a_row_reach_from_quartile_to_quartile() -> None:
    results, figure = counted_field(13), of_field(13)
    bars = [one for one in figure.axes[0].collections if one.get_gid() == "band"]
    ends = {tuple(map(int, path.vertices[:, 0])) for one in bars for path in one.get_paths()}
    expected = {
        (band.low[turn - 1], band.high[turn - 1])
        for entry in results.of_variant(EASY[0])
        for band in lost_and_won(results, entry)
        for turn in milestones(results)
    }
    assert ends == expected
    assert len(bars) == 6


# --- Whether there is a chart at all ---


def test_only_counted_entries_are_drawn() -> None:
    results = counted_field(3)
    first, *others = results.entries
    some = replace(results, entries=(replace(first, counted=NOT_COUNTED), *others))
    assert len(paced(some)) == len(paced(results)) - 1
    assert len(drawn(lambda: pace.draw(some)).axes) == 5
    names = [picture.image.file for picture in pictures(results)]
    assert "pace.png" in names
    assert "pace.png" not in [picture.image.file for picture in pictures(field(3))]


def test_caption_and_alternative_text_say_what_is_drawn() -> None:
    images = [picture.image for picture in pictures(counted_field(3))]
    (image,) = (image for image in images if image.file == "pace.png")
    assert "A turn counts the deals in which it was made" in image.caption
    assert "at least half of these deals do not exceed" in image.caption
    assert image.alt.startswith("Cards left after turn 3, medians. 1 joker (easy): ")
    assert "has 14 in deals won, 21 in deals lost" in image.alt
