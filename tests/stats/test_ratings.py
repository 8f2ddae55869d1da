"""Ratings against a closed form, published strengths, scipy, and by simulation."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_expit

from sim.stats.ratings import POINTS, batch_size, draws, fit, rated

quick = settings(max_examples=50, deadline=None, database=None)

tables = st.integers(2, 5).flatmap(
    lambda k: arrays(np.float64, (k, k), elements=st.integers(0, 10**6).map(float))
)

# A. Agresti, Categorical Data Analysis (2nd ed. 2002), table 10.10: American League 1987, the wins
# of the row over the column; teams Milwaukee, Detroit, Toronto, New York, Boston, Cleveland,
# Baltimore. Strengths relative to Baltimore as printed there in section 10.6.
LEAGUE = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
)
STRENGTHS = (1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0)


def test_published_strengths() -> None:
    found = fit(2.0 * LEAGUE, prior=1e-6)
    np.testing.assert_allclose(found - found[-1], STRENGTHS, atol=0.006)


@pytest.mark.parametrize(("won", "lost"), [(30, 10), (5, 0), (10**8, 0), (7, 7)])
def test_two_players(won: int, lost: int) -> None:
    """By symmetry the prior is a game drawn by each, against one halfway between the two."""
    table = np.array([[0, 2 * won], [2 * lost, 0]], float)
    a, b = fit(table, prior=1e-6) if lost else fit(table)
    assert a == pytest.approx(-b, abs=1e-9)
    if lost:
        assert a - b == pytest.approx(log(won / lost), abs=1e-6)
    else:
        a = float(a)  # gradient: won (1 - F(2a)) = prior (F(a) - 1/2)
        pull = 1 / (1 + np.exp(-a)) - 0.5
        assert won / (1 + np.exp(2 * a)) == pytest.approx(pull, rel=1e-6)


@given(tables)
@quick
def test_it_is_the_maximum_that_scipy_finds(table: NDArray[np.float64]) -> None:
    np.fill_diagonal(table, 0)
    scale = max(1.0, table.sum())

    def loss(x: NDArray[np.float64]) -> float:
        prior = (log_expit(x) + log_expit(-x)).sum() / 2
        return -float((table / 2 * log_expit(x[:, None] - x)).sum() + prior) / scale

    found = fit(table)
    witness = minimize(loss, np.zeros(len(table)), method="BFGS", options={"gtol": 1e-10}).x
    centre = minimize(lambda shift: loss(found + shift), 0.0, options={"gtol": 1e-10}).x
    assert loss(found + centre) <= loss(witness) + 1e-9
    for player in range(len(table)):
        for aside in (-0.1, 0.1):
            moved = found + centre
            moved[player] += aside
            assert loss(moved) >= loss(found + centre) - 1e-12


@given(tables, st.randoms(use_true_random=False))
@quick
def test_the_order_of_players_does_not_matter(table: NDArray[np.float64], dice: object) -> None:
    order = np.arange(len(table))
    dice.shuffle(order)  # type: ignore[attr-defined]
    np.testing.assert_allclose(fit(table[np.ix_(order, order)]), fit(table)[order], atol=1e-8)


def test_the_diagonal_is_not_read() -> None:
    np.testing.assert_array_equal(fit(2.0 * LEAGUE + 99 * np.eye(7)), fit(2.0 * LEAGUE))


def test_sets_without_common_games_lie_around_zero() -> None:
    table = np.zeros((4, 4))
    table[0, 1], table[1, 0], table[2, 3], table[3, 2] = 20, 10, 20, 10
    found = fit(table)
    np.testing.assert_allclose(found[:2], found[2:], atol=1e-9)
    np.testing.assert_allclose(found[:2].sum(), 0, atol=1e-9)


# --- The bootstrap ---


def by_pairs(wins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (batches, pairs) of (batches, k, k)."""
    a, b = np.triu_indices(wins.shape[-1], 1)
    return wins[:, a, b]


def test_batches_are_a_thousand_at_most() -> None:
    for deals in (1, 999, 1_000, 1_001, 10**8):
        size = batch_size(deals)
        assert -(-deals // size) <= 1_000
        assert size == 1 or -(-deals // (size - 1)) > 1_000


def test_draws_are_the_same_for_ever() -> None:
    found = draws(10)
    assert found.shape == (400, 10) and (found.sum(axis=1) == 10).all()
    assert found[0].tolist() == FIRST
    assert abs(found.var() - 0.9) < 0.1  # binomial: 10 draws, chance 1 in 10


FIRST = [3, 1, 5, 0, 0, 0, 0, 0, 1, 0]


def test_an_unbeaten_player_has_an_interval() -> None:
    games = np.full((100, 3), 4)
    wins = np.array([8, 8, 4]) * np.ones((100, 1), np.int64)
    found = rated(wins, games, 3, 100)
    assert np.isfinite(found.high).all() and (found.high > found.low).all()
    assert (found.low <= found.value).all() and (found.value <= found.high).all()
    assert found.value.sum() == pytest.approx(0, abs=1e-5)


def test_ratings_of_players_in_another_order() -> None:
    dice = np.random.Generator(np.random.PCG64(1))
    wins = dice.integers(0, 9, (50, 4, 4))
    full = np.triu(wins, 1) + np.swapaxes(np.triu(8 - wins, 1), 1, 2)
    order = [2, 0, 3, 1]
    games = np.full((50, 6), 4)
    one = rated(by_pairs(full), games, 4, 50)
    other = rated(by_pairs(full[:, order][:, :, order]), games, 4, 50)
    for a, b in zip(vars(one).values(), vars(other).values(), strict=True):
        np.testing.assert_allclose(a[order], b, atol=2e-6)


@pytest.mark.slow
def test_strengths_of_a_plackett_luce_model_come_back_and_intervals_cover() -> None:
    """Orders by exponential times, 200 runs of 300 deals with 4 players: Gumbel's race."""
    dice = np.random.Generator(np.random.PCG64(3))
    truth = np.array([0.6, 0.2, -0.2, -0.6])
    covered, values = [], []
    for _ in range(200):
        scores = truth + dice.gumbel(size=(300, 4))
        wins = 2 * (scores[:, :, None] > scores[:, None, :]).astype(np.int64)
        found = rated(by_pairs(wins), np.ones((300, 6), np.int64), 4, 300)
        covered.append((found.low <= POINTS * truth) & (POINTS * truth <= found.high))
        values.append(found.value)
    assert 0.91 < np.mean(covered) < 0.98
    np.testing.assert_allclose(np.mean(values, axis=0), POINTS * truth, atol=6)
