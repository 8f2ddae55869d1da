"""Means over deals: exact sums, intervals by hand, and no interval of no width."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm

from sim.stats.scores import (
    REACH,
    Moments,
    mean_estimate,
    moments_from,
    moments_of,
    nothing,
    zero_p,
)

quick = settings(max_examples=50, deadline=None, database=None)
ONE = np.array([1])


@given(arrays(np.int64, (2, 9), elements=st.integers(1 - REACH, REACH - 1)), st.integers(0, 9))
@quick
def test_sums_are_exact_wherever_they_are_cut(values: np.ndarray, cut: int) -> None:
    rows = values.tolist()
    found = nothing(2) + moments_of(values[:, :cut]) + moments_of(values[:, cut:])
    assert found.total == tuple(map(sum, rows))
    assert found.squares == tuple(sum(value**2 for value in row) for row in rows)
    assert found.largest == tuple(max(map(abs, row)) for row in rows)


def test_many_large_numbers_do_not_overflow() -> None:
    piece = moments_of(np.full((1, 50_000), 400_000))
    many = Moments(*(2_000 * part for part in (50_000,)), *((0,),) * 3)
    for _ in range(2_000):
        many = Moments(
            many.deals,
            *(
                tuple(map(sum, zip(a, b, strict=True)))
                for a, b in zip(
                    (many.total, many.squares), (piece.total, piece.squares), strict=True
                )
            ),
            piece.largest,
        )
    assert many.squares == (10**8 * 400_000**2,) and many.squares[0] > 2**63
    assert many.constant.all()


def test_an_interval_is_that_of_the_normal_distribution() -> None:
    values = np.array([[3, 5, 10, -2, 4]])
    found = mean_estimate(moments_of(values), np.array([2]))
    mean, error = values.mean() / 2, values.std(ddof=1) / sqrt(5) / 2
    low, high = norm.interval(0.95, mean, error)
    assert found.value == pytest.approx(mean)
    assert found.low == pytest.approx(low) and found.high == pytest.approx(high)
    assert zero_p(moments_of(values)) == pytest.approx(2 * norm.sf(mean / error))


def test_bounds_hold() -> None:
    found = mean_estimate(
        moments_of(np.array([[0, 0, 1], [2, 2, 1]])), np.array([2, 2]), (0.0, 1.0)
    )
    assert found.low[0] == 0 and found.high[1] == 1


@pytest.mark.parametrize("deals", [1, 2, 100])
def test_where_all_deals_agree_the_interval_has_a_width(deals: int) -> None:
    values = np.repeat([[0], [7], [-7]], deals, axis=1)
    moments = moments_of(values)
    found, unseen = mean_estimate(moments, np.ones(3)), min(1, 3 / deals)
    np.testing.assert_allclose(found.low, [-7 * unseen, 7 - 14 * unseen, -7])
    np.testing.assert_allclose(found.high, [7 * unseen, 7, -7 + 14 * unseen])
    assert (found.high > found.low).all()
    sign = 2 * norm.sf(sqrt(deals))
    np.testing.assert_allclose(zero_p(moments), [1, sign, sign])


def test_nobody_ever_scored() -> None:
    found = mean_estimate(moments_of(np.zeros((1, 10), np.int64)), ONE)
    assert (found.low[0], found.high[0]) == (pytest.approx(-0.3), pytest.approx(0.3))


def test_moments_from_sums_alone() -> None:
    values = np.array([[3, 5, 10, -2, 4], [6, 6, 6, 6, 6]])
    found = moments_from(5, values.sum(axis=1), (values**2).sum(axis=1))
    full = moments_of(values)
    assert (found.total, found.squares) == (full.total, full.squares)
    assert found.largest[1] == 6 and found.largest[0] <= full.largest[0]


@pytest.mark.slow
def test_intervals_cover() -> None:
    """Of 4,000 runs of 400 skewed deals, about 95 % hold the mean, and p < 5 % in 5 %."""
    dice = np.random.Generator(np.random.PCG64(5))
    values = dice.geometric(0.3, (4_000, 400)) * 10 - 30
    moments = moments_of(values)
    found, truth = mean_estimate(moments, np.ones(1)), 10 / 0.3 - 30
    covered = ((found.low < truth) & (truth < found.high)).mean()
    assert 0.935 < covered < 0.965
    differences = values[:2_000] - values[2_000:]
    assert 0.035 < (zero_p(moments_of(differences)) < 0.05).mean() < 0.065
