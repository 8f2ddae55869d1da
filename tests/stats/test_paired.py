"""Paired comparison against published tables, brute force, scipy, and by simulation."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest, norm

from sim.stats.gram import gram_of
from sim.stats.intervals import Z
from sim.stats.paired import (
    Discordance,
    Estimate,
    Sums,
    compare,
    discordance,
    discordance_given,
    left_difference_sums,
    left_variances,
    mcnemar_p,
    mcnemar_z,
    mean_estimate,
    mean_p,
    unpaired_deals,
    win_difference,
    win_variances,
)

EXPERIMENTS = 20_000
LEVELS = (0.01, 0.05, 0.1)

counts = st.integers(0, 300)
tables = st.tuples(counts, counts, counts, counts).filter(any)


def table(numbers: tuple[int, int, int, int]) -> Discordance:
    return Discordance(*(np.array(number) for number in numbers))


# --- Tango's interval ---

# Both, only a, only b, neither; critical value; bounds as printed.
PUBLISHED = {
    "Tango 1998, cross-over trial of two lens cleaners, 90 %": (
        (43, 0, 1, 0),
        float(norm.ppf(0.95)),
        (-0.096, 0.037),
    ),
    "Tango 1998, 32 pairs": ((4, 9, 3, 16), Z, (-0.027, 0.390)),
    "Agresti and Min 2005, Statistics in Medicine 24, 729": ((53, 16, 8, 9), Z, (-0.020, 0.207)),
    "Fagerland et al. 2014, Statistics in Medicine 33, table V": (
        (1, 1, 7, 12),
        Z,
        (-0.517, -0.026),
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_intervals(name: str) -> None:
    numbers, z, printed = PUBLISHED[name]
    found = win_difference(table(numbers), z)
    assert (round(float(found.low), 3), round(float(found.high), 3)) == printed


@pytest.mark.parametrize("numbers", [(5, 9, 3, 16), (0, 20, 0, 30), (2, 1, 30, 4), (0, 3, 3, 0)])
@pytest.mark.parametrize("difference", [-0.6, -0.05, 0.0, 0.1, 0.7])
def test_restricted_estimate_is_the_likeliest(
    numbers: tuple[int, int, int, int], difference: float
) -> None:
    """Against a search for the greatest likelihood, no formula."""
    both, only_a, only_b, neither = numbers
    deals = sum(numbers)

    def surprise(smaller: float) -> float:
        rates = (smaller + max(difference, 0), smaller + max(-difference, 0))
        found = zip((only_a, only_b, both + neither), (*rates, 1 - sum(rates)), strict=True)
        return -sum(number * np.log(max(rate, 1e-300)) for number, rate in found)

    best = minimize_scalar(surprise, bounds=(0, (1 - abs(difference)) / 2), method="bounded")
    rate = discordance_given(*(np.array(float(x)) for x in (difference, only_a, only_b, deals)))
    assert rate == pytest.approx(2 * best.x + abs(difference), abs=1e-4)


@given(tables, st.floats(0.5, 6))
def test_bounds_are_where_the_score_is_z(numbers: tuple[int, int, int, int], z: float) -> None:
    found, pairs = win_difference(table(numbers), z), table(numbers)
    for bound, sign in ((found.low, 1), (found.high, -1)):
        if abs(bound) < 1 - 1e-9:
            rate = discordance_given(
                bound, *(np.asarray(x, float) for x in (pairs.only_a, pairs.only_b, pairs.deals))
            )
            score = pairs.surplus - pairs.deals * bound
            assert score == pytest.approx(
                sign * z * np.sqrt(pairs.deals * (rate - bound**2)), rel=1e-6, abs=1e-6
            )


@given(tables)
def test_interval_is_wide_bounded_and_around_the_difference(
    numbers: tuple[int, int, int, int],
) -> None:
    found = win_difference(table(numbers))
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found.high - found.low > 0


@given(tables)
def test_swapping_the_two_changes_signs_and_nothing_else(
    numbers: tuple[int, int, int, int],
) -> None:
    both, only_a, only_b, neither = numbers
    one, other = table(numbers), table((both, only_b, only_a, neither))
    here, there = win_difference(one), win_difference(other)
    assert (here.value, here.low, here.high) == (-there.value, -there.high, -there.low)
    assert mcnemar_p(one) == mcnemar_p(other)


def test_one_table_at_several_critical_values() -> None:
    found, each = win_difference(table((4, 9, 3, 16)), np.array([1.0, Z])), table((4, 9, 3, 16))
    assert found.low.tolist() == [win_difference(each, z).low for z in (1.0, Z)]
    assert found.high.tolist() == [win_difference(each, z).high for z in (1.0, Z)]


@pytest.mark.parametrize("deals", [1, 10, 1_000_000, 20_000_000])
def test_without_discordant_deals_the_bounds_are_known(deals: int) -> None:
    found = win_difference(table((0, 0, 0, deals)))
    assert found.high == pytest.approx(Z**2 / (deals + Z**2), rel=1e-9)
    assert found.low == -found.high


def test_many_discordant_deals_give_the_normal_interval() -> None:
    pairs = table((300_000, 60_000, 40_000, 600_000))
    half = Z * np.sqrt((0.1 - 0.02**2) / 1_000_000)
    assert win_difference(pairs).half_width == pytest.approx(half, rel=1e-4)


# Deals, rate that a alone wins, rate that b alone wins: at least 20 discordant deals each way.
SCENARIOS = [
    (2_000, 0.01, 0.01),
    (100_000, 0.0002, 0.0002),
    (500, 0.3, 0.04),
    (400, 0.05, 0.25),
    (5_000, 0.004, 0.02),
    (60, 0.35, 0.35),
    (1_000_000, 0.01, 0.009),
]


def paired_tables(
    deals: int, rate_a: float, rate_b: float, seed: int, runs: int = EXPERIMENTS
) -> Discordance:
    same = 1 - rate_a - rate_b
    rates = [0.2 * same, rate_a, rate_b, 0.8 * same]
    return Discordance(*np.random.default_rng(seed).multinomial(deals, rates, runs).T)


def covered(found: Estimate, truth: float) -> float:
    return float(((found.low <= truth) & (truth <= found.high)).mean())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_win_interval_covers_as_often_as_it_says(scenario: tuple[int, float, float]) -> None:
    deals, rate_a, rate_b = scenario
    found = win_difference(paired_tables(deals, rate_a, rate_b, seed=1))
    assert 0.94 <= covered(found, rate_a - rate_b) <= 0.96


# --- McNemar's test ---


def test_published_p_values() -> None:
    """Agresti, Categorical Data Analysis, 2nd ed. (2002), table 10.1: approval of a prime minister.

    And Fagerland et al. (2014): the exact conditional test of 1 against 7 is 0.0703.
    """
    approval = table((794, 150, 86, 570))
    assert mcnemar_z(approval) ** 2 == pytest.approx(17.36, abs=0.005)
    assert round(float(mcnemar_p(table((1, 1, 7, 12)))), 4) == 0.0703


@given(st.integers(0, 600), st.integers(0, 390))
def test_few_discordant_deals_are_tested_exactly(only_a: int, only_b: int) -> None:
    exact = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    assert mcnemar_p(table((3, only_a, only_b, 5))) == pytest.approx(exact, rel=1e-9)


@given(st.integers(1_000, 5_000), st.floats(0.4, 0.6))
@settings(deadline=None)
def test_many_discordant_deals_are_tested_normally(discordant: int, share: float) -> None:
    only_a = round(discordant * share)
    p = float(mcnemar_p(table((0, only_a, discordant - only_a, 0))))
    assert p == pytest.approx(2 * norm.sf(abs(2 * only_a - discordant) / discordant**0.5))
    assert p == pytest.approx(binomtest(only_a, discordant).pvalue, rel=0.2, abs=0.03)


def refuted_too_often(p: NDArray[np.float64]) -> list[float]:
    """Return the levels at which p-values under the null are too small, too often."""
    return [
        level
        for level in LEVELS
        if (p <= level).mean() > level + 3 * (level * (1 - level) / len(p)) ** 0.5
    ]


@pytest.mark.parametrize(
    ("deals", "rate"), [(60, 0.35), (2_000, 0.01), (100_000, 0.0002), (2_000, 0.26), (5_000, 0.4)]
)
def test_mcnemar_refutes_what_is_true_no_more_than_it_says(deals: int, rate: float) -> None:
    assert refuted_too_often(mcnemar_p(paired_tables(deals, rate, rate, seed=2))) == []


# --- Difference of means ---


def sums_of(numbers: NDArray[np.int64], most: int = 255) -> Sums:
    return Sums(
        np.array(len(numbers)),
        np.array(numbers.sum()),
        np.array((numbers**2).sum()),
        -most,
        most,
    )


def test_mean_interval_is_the_one_of_the_textbook() -> None:
    numbers = np.random.default_rng(4).integers(-52, 53, 500)
    found = mean_estimate(sums_of(numbers))
    error = numbers.std(ddof=1) / 500**0.5
    assert (found.value, found.half_width) == pytest.approx((numbers.mean(), Z * error))
    assert mean_p(sums_of(numbers)) == pytest.approx(2 * norm.sf(abs(numbers.mean() / error)))


@given(st.lists(st.integers(-52, 52), min_size=1, max_size=20))
def test_mean_interval_is_never_a_point(values: list[int]) -> None:
    numbers = np.array(values)
    found, mirrored = mean_estimate(sums_of(numbers)), mean_estimate(sums_of(-numbers))
    assert found.low < found.value < found.high
    assert (found.value, found.low, found.high) == pytest.approx(
        (-mirrored.value, -mirrored.high, -mirrored.low)
    )
    assert 0 <= mean_p(sums_of(numbers)) <= 1


def test_equal_numbers_are_bounded_by_the_rule_of_three() -> None:
    found = mean_estimate(sums_of(np.full(300, 2), most=52))
    assert (found.low, found.value, found.high) == pytest.approx((2 - 54 / 100, 2, 2 + 50 / 100))
    assert mean_p(sums_of(np.full(9, 2))) == pytest.approx(2 * norm.sf(3))
    assert mean_p(sums_of(np.zeros(9, int))) == 1


def test_equality_is_found_where_floats_would_miss_it() -> None:
    """One deal of twenty million differs from the rest."""
    deals = 20_000_000
    same = Sums(np.array(deals), np.array(3 * deals), np.array(9 * deals), -255, 255)
    other = Sums(np.array(deals), np.array(3 * deals + 1), np.array(9 * deals + 7), -255, 255)
    assert same.constant and not other.constant
    assert other.variance == pytest.approx(1 / deals)


def left_experiments(
    deals: int, likeness: float, shift: int, seed: int, runs: int = EXPERIMENTS
) -> tuple[Sums, float]:
    """Play deals on which b leaves what a leaves with a chance, else something of its own."""
    mine = np.array([0.3, 0.05, 0.1, 0.15, 0.25, 0.15])
    joint = likeness * np.diag(mine) + (1 - likeness) * np.outer(mine, np.roll(mine, shift))
    gap = np.subtract.outer(np.arange(6), np.arange(6)).ravel()
    times = np.random.default_rng(seed).multinomial(deals, joint.ravel(), runs)
    sums = Sums(np.full(runs, deals), times @ gap, times @ gap**2, -5, 5)
    return sums, float(joint.ravel() @ gap)


@pytest.mark.parametrize(
    "scenario", [(1_000, 0.7, 0), (2_000, 0.97, 0), (1_000, 0.5, 1), (300, 0.0, 2)]
)
def test_left_interval_covers_as_often_as_it_says(scenario: tuple[int, float, int]) -> None:
    sums, truth = left_experiments(*scenario, seed=5)
    assert 0.94 <= covered(mean_estimate(sums), truth) <= 0.96


@pytest.mark.parametrize(("deals", "likeness"), [(1_000, 0.7), (2_000, 0.97), (300, 0.0)])
def test_left_test_refutes_what_is_true_no_more_than_it_says(deals: int, likeness: float) -> None:
    sums, _ = left_experiments(deals, likeness, 0, seed=6)
    assert refuted_too_often(mean_p(sums)) == []


# --- What pairing saved ---


def test_unpaired_deals_give_the_same_width() -> None:
    left = hard_and_easy_deals(3, 20_000)
    gram = gram_of(left)
    wins = compare(gram).wins.half_width[0, 1]
    variances = win_variances(gram)
    deals = unpaired_deals(variances, variances.T, np.where(np.eye(3) > 0, 1.0, wins))[0, 1]
    assert Z * np.sqrt((variances[0, 1] + variances[1, 0]) / deals) == pytest.approx(wins)
    assert deals > 1.5 * 20_000, "entries that win the same deals gain by pairing"


def hard_and_easy_deals(entries: int, deals: int, seed: int = 7) -> NDArray[np.uint8]:
    """Return cards left by entries that find the same deals hard."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 2, deals)
    return np.clip(rng.normal(hard, 1, (entries, deals)).round() + 1, 0, 52).astype(np.uint8)


# --- All pairs at once ---


def test_all_pairs_are_what_each_is_alone() -> None:
    left = hard_and_easy_deals(4, 300)
    played = np.array([300, 300, 120, 40])
    pairs = compare(gram_of(left, played))
    for a in range(4):
        for b in range(4):
            deals = min(played[a], played[b])
            x, y = left[a, :deals].astype(int), left[b, :deals].astype(int)
            won = np.array([[((x == 0) == p) & ((y == 0) == q) for q in (1, 0)] for p in (1, 0)])
            alone = table(tuple(won.sum(axis=2).ravel()))
            assert_same(pairs.table, alone, (a, b))
            assert pairs.wins_p[a, b] == mcnemar_p(alone)
            assert pairs.left_p[a, b] == pytest.approx(float(mean_p(sums_of(x - y))))
            if a != b:
                assert_near(pairs.wins, win_difference(alone), (a, b))
                assert_near(pairs.left, mean_estimate(sums_of(x - y)), (a, b))


def assert_same(found: Discordance, alone: Discordance, at: tuple[int, int]) -> None:
    for name in ("both", "only_a", "only_b", "neither", "deals"):
        assert np.asarray(getattr(found, name))[at] == getattr(alone, name)


def assert_near(found: Estimate, alone: Estimate, at: tuple[int, int]) -> None:
    for name in ("value", "low", "high"):
        assert getattr(found, name)[at] == pytest.approx(float(getattr(alone, name)))


def test_an_entry_against_itself_differs_by_exactly_nothing() -> None:
    pairs = compare(gram_of(hard_and_easy_deals(3, 100)))
    for estimate in (pairs.wins, pairs.left):
        for part in (estimate.value, estimate.low, estimate.high):
            assert (part.diagonal() == 0).all()
    assert (pairs.wins_p.diagonal() == 1).all() and (pairs.left_p.diagonal() == 1).all()


def test_entries_that_never_differ_still_have_an_interval() -> None:
    left = np.repeat(hard_and_easy_deals(1, 1_000), 2, axis=0)
    pairs = compare(gram_of(left))
    assert pairs.wins.low[0, 1] < 0 < pairs.wins.high[0, 1]
    assert pairs.left.low[0, 1] < 0 < pairs.left.high[0, 1]
    assert pairs.wins_p[0, 1] == pairs.left_p[0, 1] == 1


def test_pairs_are_antisymmetric() -> None:
    pairs = compare(gram_of(hard_and_easy_deals(6, 500), np.array([500, 400, 500, 30, 77, 500])))
    for estimate in (pairs.wins, pairs.left):
        assert np.array_equal(estimate.value, -estimate.value.T)
        assert np.allclose(estimate.low, -estimate.high.T, rtol=0, atol=1e-15)
    for part in (pairs.wins_p, pairs.left_p, pairs.unpaired):
        assert np.array_equal(part, part.T)


def test_variances_are_those_of_the_common_deals() -> None:
    left = hard_and_easy_deals(2, 400)
    gram = gram_of(left, np.array([400, 150]))
    cards, won = left[0, :150].astype(float), left[0, :150] == 0
    assert left_variances(gram)[0, 1] == pytest.approx(cards.var(ddof=1))
    assert win_variances(gram)[0, 1] == pytest.approx(won.var())
    assert left_difference_sums(gram).deals[0, 1] == discordance(gram).deals[0, 1] == 150


def test_pairs_without_common_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="common deal"):
        compare(gram_of(np.zeros((2, 4), np.uint8), np.array([0, 4])))


def test_all_pairs_of_forty_entries_take_no_time() -> None:
    gram = gram_of(hard_and_easy_deals(40, 2_000))
    start = time.process_time()
    compare(gram)
    assert time.process_time() - start < 1
