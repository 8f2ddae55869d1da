"""The best values of sweeps, and what they win where they were not chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sim.report.document import Table
from sim.report.strength import strength_told, strengths
from sim.results import Entry, Results
from tests.report.make import EASY, HARD, make_entry, make_results, without_pairs


def tip(weight: float, rate: float, variant: tuple[str, dict[str, int | bool]] = EASY) -> Entry:
    label = f"tip weight={weight:g}"
    return make_entry(
        label, rate, variant, 10_000, strategy="tip", params={"weight": weight}, swept=("weight",)
    )


def results(rates: Sequence[float]) -> Results:
    return make_results([make_entry("base", 0.3, deals=10_000), *map(tip, WEIGHTS, rates)])


WEIGHTS = (0.0, 0.5, 1.0, 2.0)


@pytest.mark.parametrize(
    ("rates", "best", "span"),
    [
        ((0.1, 0.4, 0.2, 0.3), "tip weight=0.5", "0.5"),
        ((0.1, 0.4, 0.401, 0.3), "tip weight=1", "0.5 to 1"),
        ((0.4, 0.4, 0.4, 0.4), "tip weight=0", "0 to 2"),
        ((0.4, 0.3, 0.401, 0.2), "tip weight=1", "0 and 1"),
        ((0.401, 0.3, 0.4, 0.4), "tip weight=0", "0, 1 and 2"),
    ],
)
def test_the_best_and_those_not_separated(rates: Sequence[float], best: str, span: str) -> None:
    (found,) = strengths(results(rates))
    assert (found.best.label, found.range) == (best, span)


def test_each_variant_and_each_line_by_itself() -> None:
    hard = [make_entry("base", 0.3, HARD, 10_000), tip(0.0, 0.5, HARD), tip(0.5, 0.2, HARD)]
    easy = [make_entry("base", 0.3, deals=10_000), tip(0.0, 0.1), tip(0.5, 0.4)]
    other = [replace(e, label=f"{e.label} x", params={**e.params, "x": 1}) for e in easy[1:]]
    found = strengths(make_results([*easy, *other, *hard]))
    assert [one.best.label for one in found] == [
        "tip weight=0.5",
        "tip weight=0.5 x",
        "tip weight=0",
    ]


def test_two_values_that_vary_together_are_shown_together() -> None:
    entries = [
        make_entry(f"t {a} {b}", rate, params={"a": a, "b": b}, swept=("a", "b"), deals=10_000)
        for a, b, rate in ((0, 1.0, 0.2), (0, 2.0, 0.4), (1, 1.0, 0.3))
    ]
    (found,) = strengths(make_results(entries))
    assert found.range == "0 × 2"


def tables(found: Results) -> list[Table]:
    return [block for block in strength_told(found) if isinstance(block, Table)]


def test_the_page_tells_what_the_best_wins_on_fresh_deals() -> None:
    first = results((0.1, 0.4, 0.2, 0.3))
    fresh = make_results([make_entry("base", 0.3, deals=10_000), tip(0.5, 0.38)])
    (table,) = tables(replace(first, fresh=replace(fresh, seed=99)))
    (row,) = table.rows
    assert row[:5] == ("tip", "weight", "0.5", "0.5", "40.0") and row[6] == "38.0"
    assert row[8].startswith("+8.0"), "the gain on the fresh deals"
    assert "of seed 99" in str(strength_told(replace(first, fresh=replace(fresh, seed=99))))
    (alone,) = tables(first)
    assert len(alone.rows[0]) == 6


def test_nothing_without_a_sweep() -> None:
    assert strength_told(make_results([make_entry("base", 0.3)])) == ()


def test_fresh_results_survive_the_file() -> None:
    first = replace(results((0.1, 0.4, 0.2, 0.3)), fresh=without_pairs(results((0.1,) * 4)))
    assert Results.from_json(first.to_json()) == first
