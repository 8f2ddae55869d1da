"""The tables of the counters: what is divided by what, and over how many deals."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import pytest

from sim.report.as_html import html
from sim.report.as_markdown import escaped, markdown
from sim.report.counts import counts_told
from sim.report.document import Bullets, Image, Paragraph, Table
from sim.report.page import page
from sim.results import NOT_COUNTED, Counted, Results
from tests.report.make import EASY, HARD, PNG, field, make_entry, make_results
from tests.report.make_counts import MEANINGS, with_counts

IMAGE = Image("pace.png", "Pace.", "Lines.")


def told(results: Results) -> tuple[str, Bullets, list[Table]]:
    """What is said of the counters: sentence, list, tables."""
    first, notes, *tables = counts_told(results, ())
    assert isinstance(first, Paragraph)
    assert isinstance(notes, Bullets)
    return "".join(first.text), notes, [one for one in tables if isinstance(one, Table)]


def two() -> Results:
    """Two entries of 1,000 deals: one is known to the last count, one never sweeps."""
    entries = [make_entry("a", 0.2, deals=1000), make_entry("b", 0.3, deals=1000)]
    a = Counted(
        1000, 4000, {"kinds": (1000, 3000, 0), "cleared": (2500, 3000, 0), "jammed": (125,)}
    )
    b = Counted(1000, 5000, {"kinds": (0, 5000, 0), "cleared": (0, 6250, 0), "jammed": (3,)})
    results = make_results([replace(entries[0], counted=a), replace(entries[1], counted=b)])
    return replace(results, counters=MEANINGS[:3])


def test_shares_are_of_turns_or_deals_and_means_are_per_use() -> None:
    *_, (table,) = told(two())
    assert table.title == EASY[0]
    assert table.head == ("strategy", "sweep", "pick", "door jammed")  # "never" never happened
    assert table.rows == (
        ("b", "–", "100 % × 1.2", "<1 %"),
        ("a (baseline)", "25 % × 2.5", "75 % × 1.0", "12 %"),
    )


def test_a_counter_without_another_behind_it_stands_alone() -> None:
    results = two()
    *_, (table,) = told(replace(results, counters=results.counters[::2]))
    assert table.rows[1] == ("a (baseline)", "25 %", "75 %", "12 %")


def test_the_words_are_those_of_the_card_and_say_how_many_deals() -> None:
    sentence, notes, tables = told(with_counts(field(3)))
    assert "plain counts over the same 1,000,000 deals, so without intervals" in sentence
    assert notes.items == (
        ("Kinds: the share of the turns. Behind it: cards a use.",),
        ("Jammed: the share of the deals.",),
    )
    assert [table.title for table in tables] == [EASY[0], HARD[0]]


def test_entries_counted_over_fewer_deals_say_so() -> None:
    results = two()
    short = replace(results.entries[0].counted, deals=800, turns=3200)
    entries = (replace(results.entries[0], counted=short), results.entries[1])
    sentence, _, (table,) = told(replace(results, entries=entries))
    assert "over as many deals as each row says" in sentence
    assert table.rows[1][0] == "a (baseline), counted over 800 deals"
    assert table.rows[1][3] == "16 %"  # 125 of 800


def test_an_entry_that_was_not_counted_has_no_row() -> None:
    results = two()
    entries = (replace(results.entries[0], counted=NOT_COUNTED), results.entries[1])
    *_, (table,) = told(replace(results, entries=entries))
    assert [row[0] for row in table.rows] == ["b"]


@pytest.mark.parametrize("results", [field(2), replace(two(), counters=())])
def test_without_counters_nothing_is_said(results: Results) -> None:
    assert counts_told(results, ()) == ()
    titles = [section.title for section in page(results, (), "x", "").sections]
    assert "How they play" not in titles


def test_the_chart_of_the_pace_stands_below_the_tables_on_both_pages() -> None:
    results = with_counts(field(3))
    whole = page(results, (Image("a.png", "A.", "A."), Image("b.png", "B.", "B."), IMAGE), "x", "")
    titles = [section.title for section in whole.sections]
    assert titles[2:5] == ["Charts", "How they play", "What the rules change"]
    assert whole.sections[3].blocks[-1] == IMAGE
    assert IMAGE not in whole.sections[2].blocks
    text, form = markdown(whole), html(whole, dict.fromkeys(("a.png", "b.png", "pace.png"), PNG))
    for row in told(results)[2][0].rows:
        assert f"| {' | '.join(map(escaped, row))} |" in text
        assert all(escape(cell).replace(" %", "\u00a0%") in form for cell in row)
