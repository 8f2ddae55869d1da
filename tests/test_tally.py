"""Adding up: leaves that do not know of blocks, and digests that anybody can work out again."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.tally import LEAF, WORST, LeafHasher, Tally, run_digest, tally, tally_block

quick = settings(max_examples=100, deadline=None, database=None)

MOST = 120_000  # two leaves and a short one


def outcomes_of(deals: int, seed: int = 1) -> NDArray[np.uint8]:
    """Outcomes of whatever game: cards left, turns."""
    dice = np.random.default_rng(seed)
    rows = dice.integers(0, 42, deals), dice.integers(1, 14, deals)
    return np.array(rows, np.uint8)


WHOLE = outcomes_of(MOST)


def leaves_by_hand(outcomes: NDArray[np.uint8]) -> list[str]:
    """The documented format: bytes deal after deal, a leaf each 50,000 deals, counted from 0."""
    pairs = list(zip(outcomes[0].tolist(), outcomes[1].tolist(), strict=True))
    text = bytes(value for pair in pairs for value in pair)
    return [sha256(text[i : i + 100_000]).hexdigest() for i in range(0, len(text), 100_000)]


@given(st.lists(st.integers(0, MOST), max_size=8), st.integers(1, MOST))
@quick
def test_leaves_do_not_depend_on_how_blocks_are_cut(cuts: list[int], deals: int) -> None:
    edges = [0, *sorted(min(cut, deals) for cut in cuts), deals]
    blocks = [WHOLE[:, a:b] for a, b in pairwise(edges)]
    cut, whole = tally(blocks), tally([WHOLE[:, :deals]])
    assert cut.leaves == whole.leaves and cut.digest == whole.digest
    assert np.array_equal(cut.histogram, whole.histogram) and cut.turns == whole.turns
    assert len(cut.leaves) == -(-deals // LEAF)


@pytest.mark.parametrize("deals", [1, LEAF - 1, LEAF, LEAF + 1, 2 * LEAF, MOST])
def test_digests_can_be_worked_out_by_hand(deals: int) -> None:
    outcomes = WHOLE[:, :deals]
    found, leaves = tally([outcomes]), leaves_by_hand(outcomes)
    assert list(found.leaves) == leaves
    assert found.digest == sha256("".join(leaves).encode()).hexdigest()


def test_a_published_leaf_can_be_checked_by_replaying_it_alone() -> None:
    assert tally([WHOLE[:, LEAF : 2 * LEAF]]).leaves == (tally([WHOLE]).leaves[1],)


def test_one_deal_more_changes_the_last_leaf_only() -> None:
    before, after = tally([WHOLE[:, : LEAF + 7]]).leaves, tally([WHOLE[:, : LEAF + 8]]).leaves
    assert before[0] == after[0] and before[1] != after[1]


def test_leaves_can_be_asked_for_while_more_is_to_come() -> None:
    hasher = LeafHasher()
    assert hasher.leaves() == ()
    hasher.feed(WHOLE[:, :10])
    first = hasher.leaves()
    assert hasher.leaves() == first
    hasher.feed(WHOLE[:, 10:20])
    assert hasher.leaves() == tally([WHOLE[:, :20]]).leaves != first


def test_the_order_of_columns_matters() -> None:
    assert tally([WHOLE[:, :9]]).digest != tally([WHOLE[::-1, :9]]).digest


def test_a_block_is_counted() -> None:
    found = tally_block(np.array([[0, 3, 0, 41], [13, 12, 9, 255]], np.uint8))
    assert (found.deals, found.wins, found.turns) == (4, 2, 289)  # no byte overflows
    assert found.histogram.shape == (WORST,)
    assert {c: n for c, n in enumerate(found.histogram.tolist()) if n} == {0: 2, 3: 1, 41: 1}


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 9))
@quick
def test_tallies_add(first: int, second: int, seed: int) -> None:
    outcomes = outcomes_of(first + second, seed)
    total = tally_block(outcomes[:, :first]) + tally_block(outcomes[:, first:])
    whole = tally_block(outcomes)
    assert np.array_equal(total.histogram, whole.histogram)
    assert (total.deals, total.wins, total.turns) == (whole.deals, whole.wins, whole.turns)
    assert total.deals == first + second and total.leaves == ()


def test_sums_of_billions_do_not_overflow() -> None:
    histogram = np.zeros(WORST, np.int64)
    histogram[0] = 10**10
    total = Tally(histogram, 13 * 10**10) + Tally(histogram, 13 * 10**10)
    assert (total.wins, total.turns) == (2 * 10**10, 26 * 10**10)


def test_the_digest_of_a_run_does_not_depend_on_the_order_of_entries() -> None:
    entries = [tally([outcomes_of(50, seed)]).digest for seed in range(4)]
    by_hand = sha256("".join(sorted(entries)).encode()).hexdigest()
    assert run_digest(entries) == run_digest(reversed(entries)) == by_hand
    assert run_digest(entries[:3]) != by_hand
