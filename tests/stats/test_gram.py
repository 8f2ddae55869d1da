"""The sums over pairs against counting deal by deal."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.stats import gram as module
from sim.stats.gram import BLOCK, Gram, empty, gram_of

FIELDS = ("common", "wins", "wins_both", "left", "left_squares", "left_product")


def by_hand(left: NDArray[np.uint8], played: list[int]) -> Gram:
    """Count every deal of every pair on its own."""
    total = empty(len(left))
    for a, mine in enumerate(left.tolist()):
        for b, theirs in enumerate(left.tolist()):
            for x, y in list(zip(mine, theirs, strict=True))[: min(played[a], played[b])]:
                for name, value in zip(
                    FIELDS, (1, x == 0, x == y == 0, x, x * x, x * y), strict=True
                ):
                    getattr(total, name)[a, b] += value
    return total


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[NDArray[np.uint8], list[int]]:
    entries, deals = draw(st.integers(1, 5)), draw(st.integers(0, 30))
    cards = st.sampled_from([0, 0, 0, 1, 2, 52, 255])
    rows = st.lists(cards, min_size=deals, max_size=deals)
    left = draw(st.lists(rows, min_size=entries, max_size=entries))
    played = draw(st.lists(st.integers(0, deals), min_size=entries, max_size=entries))
    return np.array(left, np.uint8).reshape(entries, deals), played


@given(tournaments(), st.sampled_from([1, 7, BLOCK]))
@settings(max_examples=80, deadline=None)
def test_sums_are_those_counted_by_hand(
    tournament: tuple[NDArray[np.uint8], list[int]], block: int
) -> None:
    left, played = tournament
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        assert gram_of(left, np.array(played)) == by_hand(left, played)


@given(tournaments(), st.integers(0, 30))
@settings(max_examples=50, deadline=None)
def test_blocks_add(tournament: tuple[NDArray[np.uint8], list[int]], cut: int) -> None:
    left, played = tournament
    cut = min(cut, left.shape[1])
    ends = np.array(played)
    first = gram_of(left[:, :cut], np.minimum(ends, cut))
    second = gram_of(left[:, cut:], np.maximum(ends - cut, 0))
    assert first + second == second + first == gram_of(left, ends)
    assert empty(len(left)) + first == first


def test_all_deals_played_is_what_is_meant_by_default() -> None:
    left = np.random.default_rng(1).integers(0, 3, (3, 2 * BLOCK + 5)).astype(np.uint8)
    total = gram_of(left)
    assert total == gram_of(left, np.full(3, left.shape[1]))
    assert (total.common == left.shape[1]).all()


def test_sums_are_exact_where_they_are_largest() -> None:
    total = gram_of(np.full((2, 3 * BLOCK), 255, np.uint8))
    assert (total.left_product == 255**2 * 3 * BLOCK).all()
    assert (total.left_squares == total.left_product).all()


def test_unplayed_deals_may_hold_anything() -> None:
    left = np.array([[0, 5, 0, 9], [1, 0, 0, 0]], np.uint8)
    other = np.array([[0, 5, 77, 88], [1, 0, 0, 0]], np.uint8)
    assert gram_of(left, np.array([2, 4])) == gram_of(other, np.array([2, 4]))


def test_some_entries_in_another_order() -> None:
    left = np.random.default_rng(2).integers(0, 3, (4, 50)).astype(np.uint8)
    played = np.array([50, 20, 30, 0])
    assert gram_of(left, played).of([2, 0]) == gram_of(left[[2, 0]], played[[2, 0]])
    assert len(gram_of(left).of([2, 0])) == 2


def test_equality_is_of_all_sums() -> None:
    some, none = gram_of(np.zeros((2, 3), np.uint8)), empty(2)
    assert some != none
    assert none != "no sums"


@pytest.mark.parametrize("played", [[1], [1, 2, 3], [-1, 2], [0, 5]])
def test_impossible_numbers_of_deals_are_refused(played: list[int]) -> None:
    with pytest.raises(ValueError, match="played"):
        gram_of(np.zeros((2, 4), np.uint8), np.array(played))


@pytest.mark.slow
def test_forty_entries_on_a_million_deals_take_seconds() -> None:
    left = np.random.default_rng(3).integers(0, 5, (40, 1_000_000)).astype(np.uint8)
    start = time.process_time()
    gram_of(left)
    assert time.process_time() - start < 10
