"""Holm's method against its definition by closed testing, and the ranks that follow."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.stats.family import holm, holm_pairs, rank_range, separation

chances = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def closed_bonferroni(p: list[float]) -> list[float]:
    """Return for each hypothesis the largest Bonferroni p-value of any set that holds it.

    Source: R. Marcus, E. Peritz and K. R. Gabriel, Biometrika 63 (1976) 655-660.
    """
    sets = [c for size in range(1, len(p) + 1) for c in combinations(range(len(p)), size)]
    return [
        max(min(1, len(one) * min(p[i] for i in one)) for one in sets if index in one)
        for index in range(len(p))
    ]


@given(chances)
def test_holm_is_the_closed_test(p: list[float]) -> None:
    assert holm(np.array(p)).tolist() == pytest.approx(closed_bonferroni(p))


@given(chances)
def test_adjusted_values_keep_their_order_and_grow(p: list[float]) -> None:
    values, adjusted = np.array(p), holm(np.array(p))
    assert (adjusted >= values).all() and (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(values)]) >= 0).all()


def test_textbook_example() -> None:
    """Four hypotheses as in the encyclopaedia's article on the Holm-Bonferroni method."""
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])).tolist() == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )


def test_a_family_of_none_is_empty() -> None:
    assert holm(np.array([])).tolist() == []


def test_family_of_pairs_counts_each_pair_once() -> None:
    p = np.array([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])
    adjusted = holm_pairs(p)
    assert adjusted == pytest.approx(np.array([[1, 0.03, 0.06], [0.03, 1, 0.06], [0.06, 0.06, 1]]))


def test_ranks_are_ranges() -> None:
    """The first is separated above the last two, the second above the last only."""
    difference = np.subtract.outer([0.4, 0.3, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1])
    separated = separation(np.where(abs(difference) > 0.15, 0.049, 0.05), difference)
    assert separated.tolist() == [[0, 0, 1, 1], [0, 0, 0, 1], [-1, 0, 0, 0], [-1, -1, 0, 0]]
    assert rank_range(separated).tolist() == [[1, 2], [1, 3], [2, 4], [3, 4]]


def test_ranks_of_entries_all_apart_are_single_numbers() -> None:
    difference = np.subtract.outer([3.0, 1.0, 2.0], [3.0, 1.0, 2.0])
    ranks = rank_range(separation(np.zeros((3, 3)), difference))
    assert ranks.tolist() == [[1, 1], [3, 3], [2, 2]]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_a_rank_range_is_within_the_ranks(rates: list[float]) -> None:
    difference = np.subtract.outer(rates, rates)
    ranks = rank_range(separation(np.where(abs(difference) > 0.3, 0.0, 1.0), difference))
    assert (ranks[:, 0] >= 1).all() and (ranks[:, 1] <= len(rates)).all()
    assert (ranks[:, 0] <= ranks[:, 1]).all()
