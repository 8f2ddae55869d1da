"""Deals: frozen for ever, fair, and unrelated to one another."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import islice, pairwise
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from sim.cards import JOKER, card_text
from sim.deals import INCREMENT, STREAM_VERSION, TIES, deal_key, mix, shuffle, stream_root
from sim.game import Dice
from sim.games.club_fight import slow
from sim.games.club_fight.steps import keys, new_room, set_up
from sim.games.club_fight.text import club_text
from sim.jit import door

GOLDEN = json.loads((Path(__file__).parent / "golden" / "deals_club_fight.json").read_text())
SEED = 2024
DEALS = 100_000
UNLIKELY = 1e-4  # the seeds are fixed: a test that passes once passes always

quick = settings(max_examples=100, deadline=None, database=None)

Decks = tuple[NDArray[np.int8], NDArray[np.int8]]


# ---- doors into the engine, which Python cannot call


@door
def fill(room: Any, keys: Any, first: Any, jokers: Any, grids: Any, clubs: Any) -> None:
    """Write both decks of deals `first`, `first + 1`, ..., top card first."""
    for i in range(grids.shape[0]):
        set_up(room, keys, first + i, jokers)
        for place in range(grids.shape[1]):
            grids[i, place] = room.table.grid_deck[place]
        for place in range(clubs.shape[1]):
            clubs[i, place] = room.table.clubs_deck[place]


@door
def permute(seed: Any, cards: Any, out: Any) -> None:
    root = stream_root(seed, TIES)
    for i in range(out.shape[0]):
        for card in range(cards.size):
            cards[card] = card
        shuffle(cards, cards.size, deal_key(root, i))
        for place in range(cards.size):
            out[i, place] = cards[place]


@door
def tie_key(seed: Any, deal: Any) -> Any:
    return deal_key(stream_root(seed, TIES), deal)


@door
def mixed(z: Any) -> Any:
    return mix(z)


@cache
def decks(jokers: int, seed: int = SEED, first: int = 0, count: int = DEALS) -> Decks:
    grids, clubs = np.zeros((count, 39 + jokers), np.int8), np.zeros((count, 13), np.int8)
    fill(new_room(), keys(Dice(seed, 0)), first, jokers, grids, clubs)
    return grids, clubs


def texts(jokers: int, seed: int, deal: int) -> tuple[list[str], list[str]]:
    grids, clubs = decks(jokers, seed, deal, 1)
    return [card_text(int(c)) for c in grids[0]], [club_text(int(v)) for v in clubs[0]]


def counts_of(rows: Any, columns: Any) -> NDArray[np.int64]:
    found = np.zeros((int(rows.max()) + 1, int(columns.max()) + 1), np.int64)
    np.add.at(found, (rows, columns), 1)
    return found[found.any(axis=1)][:, found.any(axis=0)]


def unrelated(rows: Any, columns: Any) -> bool:
    return bool(stats.chi2_contingency(counts_of(rows, columns)).pvalue > UNLIKELY)


# ---- frozen


def test_golden_deals_belong_to_this_stream() -> None:
    assert GOLDEN["stream"] == STREAM_VERSION and len(GOLDEN["deals"]) >= 5


@pytest.mark.parametrize("deal", GOLDEN["deals"], ids=lambda deal: f"{deal['seed']}-{deal['deal']}")
def test_golden_deals(deal: dict[str, Any]) -> None:
    seed, number = deal["seed"], deal["deal"]
    for jokers, name in ((1, "grid_one_joker"), (2, "grid_two_jokers")):
        grid, clubs = texts(jokers, seed, number)
        assert (" ".join(grid), " ".join(clubs)) == (deal[name], deal["clubs"])
    assert int(tie_key(seed, number)) == int(deal["tie_key"], 16)


@given(st.integers(0, 2**63 - 1), st.integers(0, 10**10), st.sampled_from([1, 2]))
@quick
def test_any_deal_is_that_of_the_twin(seed: int, number: int, jokers: int) -> None:
    assert texts(jokers, seed, number) == slow.deal(seed, number, jokers)


def test_the_generator_is_splitmix64() -> None:
    """Its first outputs for the seed 1234567, as published with many implementations."""
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert list(islice(slow.stream(1234567), 3)) == expected
    with np.errstate(over="ignore"):
        states = [np.uint64(1234567) + INCREMENT * np.uint64(n) for n in (1, 2, 3)]
    assert [int(mixed(state)) for state in states] == expected


def test_a_deal_does_not_depend_on_those_dealt_before() -> None:
    grids, clubs = decks(2)
    for first, count in ((0, 1), (99_999, 1), (50_000, 7), (12_345, 100)):
        part = slice(first, first + count)
        alone = decks(2, SEED, first, count)
        assert np.array_equal(alone[0], grids[part]) and np.array_equal(alone[1], clubs[part])


# ---- whole decks, shared by both levels


@pytest.mark.parametrize("jokers", [1, 2])
def test_decks_are_whole(jokers: int) -> None:
    grids, clubs = decks(jokers)
    whole = [*range(39), *[JOKER] * jokers]
    assert (np.sort(grids, axis=1) == whole).all()
    assert (np.sort(clubs, axis=1) == range(1, 14)).all()


def test_both_levels_share_their_deals() -> None:
    one, two = decks(1)[0], decks(2)[0]
    joker = two == JOKER
    first, last = joker.argmax(axis=1), 40 - joker[:, ::-1].argmax(axis=1)
    kept = [
        np.delete(two, np.arange(DEALS) * 41 + gone).reshape(DEALS, 40) for gone in (first, last)
    ]
    without_first, without_last = ((one == deck).all(axis=1) for deck in kept)
    assert (without_first | without_last).all()
    share = without_first[last - first > 1].mean()  # neither of the two is always the one to go
    assert abs(share - 0.5) < 0.01


def test_clubs_do_not_depend_on_the_level() -> None:
    assert np.array_equal(decks(1)[1], decks(2)[1])


# ---- fair


def permutation_p(orders: NDArray[Any]) -> float:
    """How likely these counts of card x position are if all orders are (n - 1)^2 free cells."""
    deals, n = orders.shape
    found = np.zeros((n, n))
    ranks = np.unique(orders, return_inverse=True)[1].reshape(orders.shape)
    for place in range(n):
        found[:, place] = np.bincount(ranks[:, place], minlength=n)
    square = ((found - deals / n) ** 2).sum() * n / deals * (n - 1) / n
    return float(2 * min(stats.chi2.sf(square, (n - 1) ** 2), stats.chi2.cdf(square, (n - 1) ** 2)))


def test_every_card_lies_in_every_place_equally_often() -> None:
    grids, clubs = decks(1)
    assert permutation_p(grids) > UNLIKELY
    assert permutation_p(clubs) > UNLIKELY
    orders = np.zeros((DEALS, 41), np.int8)
    permute(SEED, np.zeros(41, np.int64), orders)
    assert permutation_p(orders) > UNLIKELY


@pytest.mark.parametrize("size", [2, 3, 5])
def test_all_orders_are_equally_likely(size: int) -> None:
    orders = np.zeros((DEALS, size), np.int8)
    permute(SEED, np.zeros(size, np.int64), orders)
    found = Counter(map(bytes, orders))
    assert len(found) == factorial(size)
    assert stats.chisquare(list(found.values())).pvalue > UNLIKELY


def test_the_single_joker_lies_in_every_place_equally_often() -> None:
    places = (decks(1)[0] == JOKER).argmax(axis=1)
    assert stats.chisquare(np.bincount(places, minlength=40)).pvalue > UNLIKELY


def test_two_jokers_lie_in_every_pair_of_places_equally_often() -> None:
    first, last = np.nonzero(decks(2)[0] == JOKER)[1].reshape(DEALS, 2).T
    pairs = np.bincount(first * 41 + last, minlength=41 * 41).reshape(41, 41)
    assert stats.chisquare(pairs[np.triu_indices(41, 1)]).pvalue > UNLIKELY
    assert pairs[np.tril_indices(41)].sum() == 0


def test_a_card_does_not_tell_the_next_one() -> None:
    grids, clubs = decks(1)
    assert stats.chisquare(successors(grids, 40)).pvalue > UNLIKELY
    assert stats.chisquare(successors(clubs - 1, 13)).pvalue > UNLIKELY


def successors(orders: NDArray[Any], n: int) -> NDArray[Any]:
    """How often each card lies right above each other one, anywhere in the deck."""
    ranks = np.unique(orders, return_inverse=True)[1].reshape(orders.shape)
    pairs = np.bincount((ranks[:, :-1] * n + ranks[:, 1:]).ravel(), minlength=n * n)
    return pairs.reshape(n, n)[~np.eye(n, dtype=bool)]


# ---- unrelated


def test_no_deal_occurs_twice() -> None:
    rows = np.hstack(decks(1))
    assert len(np.unique(rows, axis=0)) == DEALS
    other = {bytes(row) for row in np.hstack(decks(1, SEED + 1))}
    assert not other & {bytes(row) for row in rows}


def shifted() -> Decks:
    grids, clubs = decks(1)
    return np.roll(grids, -1, axis=0), np.roll(clubs, -1, axis=0)


OTHERS: dict[str, Callable[[], Decks]] = {
    "next deal": shifted,
    "next seed": lambda: decks(1, SEED + 1),
    "seed with another high bit": lambda: decks(1, SEED ^ 1 << 40),
    "seed upside down": lambda: decks(1, 2**63 - 1 - SEED),
    "next deal of the next seed": lambda: decks(1, SEED + 1, 1),
}


@pytest.mark.parametrize("name", OTHERS)
def test_neighbours_are_unrelated(name: str) -> None:
    other = OTHERS[name]()
    for mine, theirs in zip(decks(1), other, strict=True):
        same = (mine == theirs).sum()  # matching places: one a deal on average, with variance one
        assert abs(same - DEALS) < 4.5 * DEALS**0.5
        for place in (0, 12):
            assert unrelated(mine[:, place], theirs[:, place]), place


def test_clubs_and_grid_are_unrelated() -> None:
    grids, clubs = decks(1)
    for place in (0, 8, 12):
        assert unrelated(grids[:, place], clubs[:, 0]) and unrelated(grids[:, 0], clubs[:, place])


def test_tie_keys_are_unrelated_to_one_another() -> None:
    tied = [int(tie_key(SEED, deal)) for deal in range(4000)]
    flips = [(a ^ b).bit_count() for a, b in pairwise(tied)]
    assert abs(np.mean(flips) - 32) < 4.5 * 4 / len(flips) ** 0.5  # 64 bits, each flipped or not
    assert len(set(tied)) == len(tied)
