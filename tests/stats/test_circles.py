"""Circles in tables of who is above whom."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.stats.circles import circles


def table(players: int, *above: tuple[int, int]) -> NDArray[np.int64]:
    found = np.zeros((players, players), np.int64)
    for a, b in above:
        found[a, b], found[b, a] = 1, -1
    return found


def test_an_order_has_no_circle() -> None:
    assert circles(table(1)) == []
    assert circles(table(4, (0, 1), (1, 2), (0, 2), (3, 0))) == []


def test_three_in_a_circle() -> None:
    assert circles(table(5, (3, 1), (1, 4), (4, 3), (0, 1))) == [(1, 4, 3)]


def test_a_long_circle_and_the_shortest_of_two() -> None:
    ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
    assert circles(table(5, *ring)) == [(0, 1, 2, 3, 4)]
    assert circles(table(5, *ring, (3, 1))) == [(1, 2, 3)]


def test_each_set_has_its_own() -> None:
    both = [(0, 2), (2, 4), (4, 0), (1, 3), (3, 5), (5, 1), (0, 1)]
    assert circles(table(6, *both)) == [(0, 2, 4), (1, 3, 5)]


@given(
    st.integers(3, 7).flatmap(
        lambda k: st.lists(st.integers(-1, 1), min_size=k * k, max_size=k * k)
    )
)
@settings(max_examples=100, deadline=None, database=None)
def test_each_is_one_and_no_circle_is_missed(values: list[int]) -> None:
    k = int(len(values) ** 0.5)
    upper = np.triu(np.reshape(values, (k, k)), 1)
    separated = upper - upper.T
    found = circles(separated)
    for circle in found:
        assert all(
            separated[a, b] == 1 for a, b in zip(circle, circle[1:] + circle[:1], strict=True)
        )
        assert circle[0] == min(circle) and len(set(circle)) == len(circle)
    paths, cyclic = (separated > 0).astype(np.int64), False
    for _ in range(k):
        cyclic = cyclic or bool(paths.trace())
        paths = (paths @ (separated > 0) > 0).astype(np.int64)
    assert cyclic == bool(found)
