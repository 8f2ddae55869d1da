"""The share of the way between two entries: by hand, at its ends, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.stats.way import covariance, share_of_way


def sums(won: list[NDArray[np.bool_]]) -> tuple[list[float], NDArray[np.float64]]:
    """Return win rates and covariances of entries that played the first deals of one list."""
    wins, deals, both = (np.zeros((len(won), len(won)), np.int64) for _ in range(3))
    for i, row in enumerate(won):
        for j, column in enumerate(won):
            deals[i, j] = common = min(len(row), len(column))
            wins[i, j] = row[:common].sum()
            both[i, j] = (row[:common] & column[:common]).sum()
    return [float(row.mean()) for row in won], covariance(wins, deals, both)


def test_the_covariances_of_equal_deals_are_those_of_numpy() -> None:
    won = np.random.default_rng(1).random((3, 500)) < [[0.1], [0.5], [0.9]]
    won[1] |= won[0]
    _, found = sums(list(won))
    assert found == pytest.approx(np.cov(won.astype(float), bias=True) / 500)


def test_by_hand() -> None:
    spread = np.diag([0.0, 0.0001, 0.0])  # the top alone is uncertain: 0.8 +- 1.96 x 0.01
    share, low, high = share_of_way((0.0, 0.8, 0.4), spread, 1.96) or (0.0, 0.0, 0.0)
    assert share == 0.5
    assert (low, high) == pytest.approx((0.4 / (0.8 + 0.0196), 0.4 / (0.8 - 0.0196)))


def test_ends_that_may_be_one_have_no_way_between() -> None:
    spread = np.diag([0.0001, 0.0001, 0.0001])
    assert share_of_way((0.50, 0.52, 0.51), spread) is None
    assert share_of_way((0.50, 0.54, 0.51), spread) is not None


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    """One entry played all deals, the top a tenth of them; they win the easy deals together."""
    rng = np.random.default_rng(20261130)
    runs, misses = 1_500, 0
    for _ in range(runs):
        easy = rng.random(3_000)
        bottom, one = easy < 0.05, easy + 0.2 * rng.random(3_000) < 0.5
        top = easy[:300] < 0.9 - 0.1 * rng.random(300)
        rates, spread = sums([bottom, top, one])
        _, low, high = share_of_way(rates, spread) or (0.0, -1.0, -1.0)
        misses += not low <= (0.4 - 0.05) / (0.85 - 0.05) <= high
    assert 0.035 < misses / runs < 0.068, misses / runs
