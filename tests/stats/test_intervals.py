"""Intervals of one entry, against scipy, published numbers and their own promise."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from sim.stats.intervals import LEVEL, Z, mean_interval, wilson

Histogram = NDArray[np.int64]

EXPERIMENTS = 20_000


def histogram(*counts: int) -> Histogram:
    return np.array(counts, np.int64)


def values(counts: Histogram) -> Histogram:
    return np.repeat(np.arange(len(counts)), counts)


def test_the_level_is_95_percent() -> None:
    assert LEVEL == 0.95
    assert pytest.approx(stats.norm.ppf(0.975), rel=1e-15) == Z


# --- Wilson ---


@pytest.mark.parametrize("deals", [1, 2, 3, 5, 10, 29, 100, 263, 1000, 50_000, 10**6, 10**9])
def test_wilson_agrees_with_scipy(deals: int) -> None:
    shares = (0.001, 0.01, 0.1, 1 / 3, 0.5, 0.77, 0.999)
    for wins in {0, 1, deals - 1, deals, *(round(share * deals) for share in shares)}:
        theirs = stats.binomtest(wins, deals).proportion_ci(0.95, "wilson")
        assert wilson(wins, deals) == pytest.approx((theirs.low, theirs.high), rel=1e-12, abs=1e-15)


def test_wilson_agrees_with_scipy_for_every_count_of_small_samples() -> None:
    for deals in (7, 40):
        for wins in range(deals + 1):
            theirs = stats.binomtest(wins, deals).proportion_ci(0.95, "wilson")
            assert wilson(wins, deals) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


# R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven
# methods", Statistics in Medicine 17 (1998) 857-872, table I, method 3 (score, no correction).
NEWCOMBE = {
    (81, 263): (0.2553, 0.3662),
    (15, 148): (0.0624, 0.1605),
    (0, 20): (0.0, 0.1611),
    (1, 29): (0.0061, 0.1718),
}


@pytest.mark.parametrize(("sample", "printed"), NEWCOMBE.items())
def test_wilson_gives_newcombes_numbers(
    sample: tuple[int, int], printed: tuple[float, float]
) -> None:
    assert tuple(round(end, 4) for end in wilson(*sample)) == printed


def test_wilson_solves_its_own_equation() -> None:
    """An end p of the interval is where the test of p just rejects: (rate - p)^2 = z^2 p(1-p)/n."""
    for wins, deals in ((3, 10), (77, 5000), (999_999, 1_000_000)):
        for end in wilson(wins, deals):
            assert (wins / deals - end) ** 2 == pytest.approx(Z**2 * end * (1 - end) / deals)


@given(st.integers(1, 10**10).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_an_interval_around_the_rate(sample: tuple[int, int]) -> None:
    wins, deals = sample
    low, high = wilson(wins, deals)
    assert 0 <= low <= wins / deals <= high <= 1 and low < high
    assert wilson(deals - wins, deals) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_wilson_at_the_ends_is_exact_and_no_point() -> None:
    for deals in (1, 10, 1000, 10**9):
        assert wilson(0, deals)[0] == 0 and wilson(deals, deals)[1] == 1
        assert wilson(0, deals)[1] == pytest.approx(Z**2 / (deals + Z**2))  # solved by hand
        assert wilson(deals, deals)[0] < 1


# --- The mean ---

SHAPES = {
    "few": histogram(3, 1, 0, 2),
    "skewed": histogram(9000, 20, 0, 5, 1),
    "two values": histogram(1, 0, 0, 0, 1),
    "one that differs": histogram(999_999, 1),
    "a solitaire": histogram(*(int(1e6 * math.exp(-c / 9)) for c in range(42))),
}


@pytest.mark.parametrize("counts", SHAPES.values(), ids=SHAPES)
def test_mean_interval_is_the_normal_one_of_scipy(counts: Histogram) -> None:
    sample = values(counts)
    mean, low, high = mean_interval(counts)
    theirs = stats.norm.interval(0.95, loc=sample.mean(), scale=stats.sem(sample))
    assert mean == pytest.approx(sample.mean(), rel=1e-14)
    assert (low, high) == pytest.approx(np.clip(theirs, 0, len(counts) - 1), rel=1e-9, abs=1e-9)


def test_students_interval_is_the_same_for_as_many_deals_as_one_plays() -> None:
    counts = SHAPES["a solitaire"]
    sample = values(counts)
    theirs = stats.t.interval(0.95, len(sample) - 1, loc=sample.mean(), scale=stats.sem(sample))
    assert mean_interval(counts)[1:] == pytest.approx(theirs, abs=1e-7)
    # The price of the simpler one, known in theory: at 100 deals it is 1.2 % too narrow.
    assert stats.t.ppf(0.975, 99) / Z == pytest.approx(1.012, abs=0.001)


def test_mean_interval_is_exact_where_squares_of_floats_are_not() -> None:
    """A spread of a few in 10^10 deals: mean of squares minus square of mean would lose it."""
    counts = np.zeros(256, np.int64)
    counts[254], counts[255] = 10**10 - 3, 3
    mean, low, high = mean_interval(counts)
    share = 3 / 10**10
    assert mean == pytest.approx(254 + share, rel=1e-15)
    assert high - low == pytest.approx(2 * Z * math.sqrt(share / 10**10), rel=1e-4)


@pytest.mark.parametrize("card", [0, 3, 5])
@pytest.mark.parametrize("deals", [1, 2, 3, 100, 10**9])
def test_where_all_are_equal_the_rule_of_three_bounds_the_rest(card: int, deals: int) -> None:
    counts = np.zeros(6, np.int64)
    counts[card] = deals
    mean, low, high = mean_interval(counts)
    unseen = min(1.0, 3 / deals)
    assert mean == card
    assert low == pytest.approx(card - unseen * card)  # all unseen ones left nothing
    assert high == pytest.approx(card + unseen * (5 - card))  # all unseen ones left all five
    assert 0 <= low <= mean <= high <= 5 and low < high


def test_the_rule_of_three_is_a_95_percent_bound() -> None:
    """Hanley and Lippman-Hand: if 3/n of all deals differ, one misses them all 1 time in 20."""
    for deals in (100, 1000, 10**6):
        assert stats.binom.pmf(0, deals, 3 / deals) == pytest.approx(0.05, abs=0.003)


def test_a_histogram_of_nothing_but_wins_with_no_room_for_more() -> None:
    assert mean_interval(histogram(7)) == (0.0, 0.0, 0.0)


# --- The promise: 95 of 100 intervals hold the truth ---


def coverage(truth: float, intervals: Callable[[int], tuple[float, float]]) -> float:
    """Return how often the truth lies in the interval of one experiment after the other."""
    hits = 0
    for number in range(EXPERIMENTS):
        low, high = intervals(number)
        hits += low <= truth <= high
    return hits / EXPERIMENTS


@pytest.mark.parametrize(("rate", "deals"), [(0.2, 150), (0.34, 1000), (0.02, 2000), (0.97, 900)])
def test_wilson_holds_the_true_rate_95_times_in_100(rate: float, deals: int) -> None:
    assert min(rate, 1 - rate) * deals >= 20
    wins = np.random.default_rng(1927).binomial(deals, rate, EXPERIMENTS).tolist()
    assert 0.94 <= coverage(rate, lambda number: wilson(wins[number], deals)) <= 0.96


def test_mean_interval_holds_the_true_mean_95_times_in_100() -> None:
    shares = np.array([0.34, 0.02, 0.04, 0.06, 0.08, 0.1, 0.1, 0.1, 0.08, 0.05, 0.03])
    truth = float(shares @ np.arange(len(shares)))
    counts = np.random.default_rng(1983).multinomial(300, shares, EXPERIMENTS)
    assert 0.94 <= coverage(truth, lambda number: mean_interval(counts[number])[1:]) <= 0.96
