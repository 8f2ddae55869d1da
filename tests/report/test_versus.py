"""Pairs the right way round, and how differences are printed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sim.report import versus
from sim.report.wording import rank_text, signed, signed_span
from sim.results import Pair
from tests.report.make import EASY, HARD, field, make_entry, make_results, pair_of


def pair(difference: float = 0.1, half: float = 0.01, p_holm: float = 0.001) -> Pair:
    made = pair_of(make_entry("a", 0.3), make_entry("b", 0.2))
    return replace(
        made,
        difference=difference,
        low=difference - half,
        high=difference + half,
        p_holm=p_holm,
        leftover_p_holm=p_holm,
    )


def test_a_turned_pair_is_b_minus_a() -> None:
    one = pair_of(make_entry("a", 0.3), make_entry("b", 0.2))
    other = pair_of(make_entry("b", 0.2), make_entry("a", 0.3))
    assert versus.turned(one) == other
    assert versus.turned(other) == one


def test_against_holds_every_entry_minus_the_baseline() -> None:
    results = field(5)
    found = versus.against(results, results.baseline)
    rates = {(entry.variant, entry.label): entry.win_rate for entry in results.entries}
    others = [key for key in rates if key[1] != results.baseline]
    assert sorted(found) == sorted(others)
    for (variant, label), one in found.items():
        gain = rates[variant, label] - rates[variant, results.baseline]
        assert (one.a, one.b) == (label, results.baseline)
        assert one.difference == pytest.approx(gain, abs=1e-9)
        assert one.low < one.difference < one.high


def test_against_leaves_out_variants_without_the_baseline() -> None:
    entries = [make_entry("a", 0.3), make_entry("b", 0.2)]
    entries += [make_entry("c", 0.3, HARD), make_entry("d", 0.2, HARD)]
    results = make_results(entries, baseline="a")
    assert list(versus.against(results, "a")) == [(EASY[0], "b")]
    assert dict(versus.against(results, "nobody")) == {}


def test_both_ways_are_each_others_opposite() -> None:
    results = field(4)
    found = versus.both_ways(results, HARD[0])
    assert len(found) == 12
    for (a, b), one in found.items():
        assert (one.a, one.b, one.variant) == (a, b, HARD[0])
        assert one.difference == -found[b, a].difference
        assert one.low == -found[b, a].high


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(10.84, 1, "+10.8"), (-3.0, 0, "−3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (0.0, 2, "0.00")],
)
def test_differences_have_signs_unless_they_round_to_nothing(
    value: float, decimals: int, text: str
) -> None:
    assert signed(value, decimals) == text


def test_intervals_of_differences_are_rounded_outwards() -> None:
    assert signed_span(10.61, 10.99, 1) == "+10.6 to +11.0"
    assert signed_span(-0.31, 0.11, 1) == "−0.4 to +0.2"


def test_what_is_not_separated_is_marked_whatever_its_interval() -> None:
    texts = versus.win_texts([pair(0.1), pair(-0.02, p_holm=0.06)], 1)
    assert texts == ("+10.0 (+9.0 to +11.0)", "\u2007−2.0 (−3.0 to −1.0) =")
    (text,) = versus.left_texts([pair(p_holm=0.05)], 2)
    assert text.endswith(") =")


def test_rounding_lets_no_separated_interval_touch_zero() -> None:
    near = pair(0.0049, 0.0044)
    assert versus.win_places([near]) == 2
    assert versus.win_span(near, 2) == "+0.05 to +0.93"
    assert versus.win_places([replace(near, p_holm=0.2)]) == 1


def test_a_separated_difference_never_rounds_to_nothing() -> None:
    assert versus.bare_places([pair(0.1), pair(0.0004, 0.0002)]) == 2
    assert versus.bare_places([pair(0.1)]) == 1


def test_a_size_has_no_direction() -> None:
    assert versus.size_text(pair(0.108, 0.001)) == "10.8 points (10.7 to 10.9)"
    assert versus.size_text(pair(-0.108, 0.001)) == "10.8 points (10.7 to 10.9)"


def test_the_made_ranks_are_ranges_where_entries_are_close() -> None:
    close = field(12, two=False, deals=4_000, spread=0.09)
    ranks = [rank_text(entry) for entry in sorted(close.entries, key=lambda e: -e.win_rate)]
    assert ranks[0] == "1–4"
    assert [rank_text(entry) for entry in field(1).entries] == ["1", "1"]
