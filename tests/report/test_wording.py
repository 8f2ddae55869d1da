"""The words and numbers that charts and tables share."""

from __future__ import annotations

import pytest

from sim.report import wording
from tests.report.make import make_entry, make_results


@pytest.mark.parametrize(
    ("width", "decimals"), [(0.18, 1), (0.1, 1), (0.09, 2), (1.0, 0), (9.0, 0), (0.00001, 2)]
)
def test_decimals_just_tell_the_ends_of_an_interval_apart(width: float, decimals: int) -> None:
    assert wording.places([width], 2) == decimals


def test_the_narrowest_interval_counts_in_a_chart() -> None:
    assert wording.places([5.0, 0.2], 2) == 1
    assert wording.places([], 2) == 0


def test_a_table_shows_one_decimal_more_than_its_full_runs_resolve() -> None:
    entries = [make_entry("a", 0.34), make_entry("b", 0.03), make_entry("c", 0.3, deals=50)]
    assert wording.table_places(entries, wording.rate_width) == 2


def test_order_is_best_first_and_stable() -> None:
    entries = [make_entry(label, rate) for label, rate in (("a", 0.2), ("b", 0.3), ("c", 0.3))]
    assert [entry.label for entry in wording.by_win_rate(entries)] == ["b", "c", "a"]
    assert [entry.label for entry in wording.by_leftover(entries)] == ["b", "c", "a"]


def test_notes_stand_in_one_pair_of_brackets() -> None:
    entries = [make_entry("a", 0.2, deals=500), make_entry("b", 0.3, deals=1000)]
    results = make_results(entries)
    labels = [wording.full_label(results, entry) for entry in entries]
    assert labels == ["a (baseline, 500 deals)", "b"]
    assert wording.deals_text(entries) == "up to 1,000 of the same deals"
    assert wording.deals_text(entries[:1]) == "the same 500 deals"


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (False, "false"), (3, "3"), (1_000_000, "1000000"), (0.1 + 0.2, "0.3")],
)
def test_values_are_spelt_as_in_a_config(value: float, text: str) -> None:
    assert wording.value_text(value) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(0.0, 0.000384, "0.00–0.01"), (33.994, 34.006, "33.99–34.01"), (0.3, 100.0, "0.30–100.00")],
)
def test_intervals_are_rounded_outwards(low: float, high: float, text: str) -> None:
    assert wording.span(low, high, 2) == text
