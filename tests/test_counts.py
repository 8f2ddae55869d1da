"""Deals added up: by whatever cuts, to the same numbers, and in rows that become one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import count_store, counts, database
from sim.count_store import CountStore, Span, leaves_in, pack, unpack
from sim.counts import Counts, Layout, count, together
from sim.errors import BadInput, StoreDamaged, WorkerFailed
from sim.game import Block, Counter, Game, Outcome
from sim.stats.gram import gram_of
from sim.store import FILE_NAME, MOST_DEALS, Packed, Store

GAME = Game(
    "g",
    "G",
    (1, 1),
    (),
    Outcome.WIN,
    object,
    1,
    (),
    ("leftover", "turns"),
    9,
    {"one": Counter((2,), ("a", "b"), "deals", ""), "two": Counter((1, 3), ("c",), "deals", "")},
)
CELLS, DEALS = 3, 1000
LAYOUT = Layout.of(GAME, CELLS)
RNG = np.random.default_rng(5)
LEFT = RNG.integers(0, 10, (CELLS, DEALS), dtype=np.uint8) * RNG.integers(
    0, 2, (CELLS, DEALS), dtype=np.uint8
)
TURNS = RNG.integers(0, 256, (CELLS, DEALS), dtype=np.uint8)


def play(cell: int, first: int, deals: int) -> Block:
    part = slice(first, first + deals)
    outcomes = np.stack([LEFT[cell, part], TURNS[cell, part]])
    own = {"one": np.array([deals, cell]), "two": np.array([[first, deals, 1]])}
    return Block(outcomes, own, 0.5)


def counted(first: int, deals: int) -> Counts:
    return count(LAYOUT, play, first, deals)[0]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of 10 deals, and two rows to become one."""
    for module in (counts, count_store):
        monkeypatch.setattr(module, "RANGE", 10)
    monkeypatch.setattr(count_store, "FAN", 2)
    monkeypatch.setattr(CountStore, "most_deals", 40)
    monkeypatch.setitem(database.SETTINGS, "synchronous", "off")  # a commit takes milliseconds


@pytest.fixture
def store(tmp_path: Path, small: None) -> Iterator[CountStore]:
    with CountStore(tmp_path / FILE_NAME, GAME) as opened:
        yield opened


def put(store: CountStore, first: int, deals: int) -> None:
    store.add("s", first, deals, pack(counted(first, deals), 1.0))


def test_counts_hold_all_that_the_statistics_need() -> None:
    found = counted(0, DEALS)
    assert found.gram() == gram_of(LEFT)
    for cell in range(CELLS):
        assert found.left[cell].tolist() == np.bincount(LEFT[cell], minlength=10).tolist()
        assert found.turns[cell] == int(TURNS[cell].sum(dtype=np.int64))
        counters = found.counters_of(cell, GAME)
        assert counters["one"].tolist() == [DEALS, cell]
        assert counters["two"].tolist() == [[0, DEALS, 1]]


@given(st.lists(st.integers(1, DEALS - 1), max_size=5, unique=True))
def test_they_add_however_the_deals_are_cut(cuts: list[int]) -> None:
    ends = [0, *sorted(cuts), DEALS]
    total = Counts.nothing(LAYOUT)
    for first, last in pairwise(ends):
        total += counted(first, last - first)
    assert total.deals == DEALS and total.digest == counted(0, DEALS).digest


def test_memory_is_that_of_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def played(cell: int, first: int, deals: int) -> Block:
        asked.append(deals)
        return play(cell, first, deals)

    monkeypatch.setattr(counts, "PIECE", 300)
    found, seconds = count(LAYOUT, played, 0, DEALS)
    assert asked == [300] * 9 + [100] * 3 and seconds == 12 * 0.5
    assert found.digest == counted(0, DEALS).digest


def test_more_cards_than_there_can_be_are_an_error() -> None:
    def wrong(cell: int, first: int, deals: int) -> Block:
        return Block(np.full((2, deals), 10, np.uint8), {}, 0.1)

    with pytest.raises(WorkerFailed, match="10 cards left"):
        count(LAYOUT, wrong, 0, 5)


def test_a_cell_alone_has_no_pairs() -> None:
    alone = count(Layout.of(GAME, 1), play, 0, 50)[0]
    assert alone.gram() == gram_of(LEFT[:1, :50])


def test_the_leaf_covers_every_sum_and_no_counter() -> None:
    found = counted(0, 100)
    for place in range(len(found.sums)):
        sums = found.sums.copy()
        sums[place] += 1
        assert Counts(LAYOUT, 100, sums, found.counters).digest != found.digest
    assert Counts(LAYOUT, 100, found.sums, found.counters + 1).digest == found.digest


def test_a_stamp_is_of_all_cells_in_order() -> None:
    assert len({together(["a", "b"]), together(["b", "a"]), together(["a"]), together([])}) == 4


def test_rows_travel_as_bytes() -> None:
    found = counted(0, 77)
    again = unpack(LAYOUT, 77, pack(found, 2.0))
    assert again.digest == found.digest
    assert np.array_equal(again.counters, found.counters)


def test_no_block_lies_in_two_ranges(small: None) -> None:
    load = Span(50, [(3, 4), (18, 24)], speed=1e6)
    taken = []
    while load.gaps:
        taken.append(load.take())
    assert taken == [(3, 4), (18, 2), (20, 10), (30, 10), (40, 2)]
    assert [leaves_in(deals) for deals in (5, 10, 20, 40)] == [0, 0, 2, 4]


def test_the_last_blocks_are_shorter() -> None:
    load = Span(400_000, [(0, 400_000)], speed=20_000.0, workers=5)
    sizes = []
    while load.gaps:
        sizes.append(load.take()[1])
    assert sizes[0] == 20_000 and sizes.count(20_000) == 11, "half of them"
    cut = [size for size in sizes if size < 20_000]
    assert sorted(cut, reverse=True) == cut and cut[-2] == 5_000, "and then down to a quarter"


ORDERS = [
    [(0, 4), (4, 6), (10, 10), (20, 3), (23, 7), (30, 10), (40, 5)],
    [(40, 5), (30, 10), (23, 7), (10, 10), (4, 6), (20, 3), (0, 4)],
    [(20, 3), (0, 4), (30, 10), (40, 5), (4, 6), (23, 7), (10, 10)],
]


@pytest.mark.parametrize("blocks", ORDERS)
def test_rows_become_one_in_any_order(blocks: list[tuple[int, int]], store: CountStore) -> None:
    for first, deals in blocks:
        put(store, first, deals)
    assert store.coverage("s") == [(0, 40), (40, 5)]
    found, leaves = store.total("s", 45, LAYOUT)
    whole = counted(0, 45)
    assert found.digest == whole.digest and np.array_equal(found.turns, whole.turns)
    places = [(0, 10), (10, 10), (20, 10), (30, 10), (40, 5)]
    assert leaves == tuple(counted(*place).digest for place in places)
    assert store.speed("s") == 45 / 7


def test_counters_of_joined_rows_are_kept(store: CountStore) -> None:
    for first in range(0, 40, 5):
        put(store, first, 5)
    found, _ = store.total("s", 40, LAYOUT)
    assert found.counters_of(2, GAME)["one"].tolist() == [40, 16]


def test_a_range_that_was_not_joined_has_the_same_leaf(
    store: CountStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a store that another version wrote."""
    with monkeypatch.context() as patch:
        patch.setattr(CountStore, "_made_one", lambda *_: False)
        for first, deals in ORDERS[0]:
            put(store, first, deals)
    assert len(store.coverage("s")) == 7
    leaves = store.total("s", 45, LAYOUT)[1]
    put(store, 45, 5)  # a later one finds all of its own range only
    assert store.total("s", 50, LAYOUT)[1][:4] == leaves[:4]


def test_a_row_that_cannot_be_joined_is_not_there(
    store: CountStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, 0, 5)
    with monkeypatch.context() as patch:
        patch.setattr(CountStore, "_replace", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            put(store, 5, 5)
    assert store.coverage("s") == [(0, 5)]
    put(store, 5, 5)
    assert store.coverage("s") == [(0, 10)]


def test_overlaps_are_refused_also_with_what_was_joined(store: CountStore) -> None:
    for first in range(0, 40, 10):
        put(store, first, 10)
    for first, deals in ((0, 10), (13, 2), (39, 1)):
        with pytest.raises(ValueError, match="already stored"):
            put(store, first, deals)


def test_what_is_missing_or_cannot_be_cut_is_said(store: CountStore) -> None:
    for first in (0, 10, 30):
        put(store, first, 10)
    with pytest.raises(StoreDamaged, match="deal 20 is missing"):
        store.total("s", 40, LAYOUT)
    with pytest.raises(BadInput, match="deals 0 to 19, which cannot be cut at 15"):
        store.total("s", 15, LAYOUT)
    assert store.total("s", 20, LAYOUT)[0].deals == 20
    with pytest.raises(StoreDamaged, match="wrong size"):
        store.total("s", 20, Layout.of(GAME, 2))


def test_a_row_of_another_size_is_damage(store: CountStore) -> None:
    put(store, 0, 5)
    other = count(Layout.of(GAME, 2), play, 5, 5)[0]
    with pytest.raises(StoreDamaged, match="wrong size"):
        store.add("s", 5, 5, pack(other, 1.0))


def sizes(path: Path, deals: int) -> tuple[int, int]:
    """Return rows and bytes of a store after so many deals, in blocks of ten."""
    with CountStore(path, GAME) as store:
        for first in range(0, deals, 10):
            store.add("s", first, 10, pack(counted(first % DEALS, 10), 1.0))
        return len(store.coverage("s")), sum(len(b.outcomes) for *_, b in store.blocks("s"))


def test_disk_is_flat(tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many deals a range has, and but for 32 bytes a range however many there are."""
    monkeypatch.setattr(count_store, "FAN", 4)
    monkeypatch.setattr(CountStore, "most_deals", 10**6)
    few, size = sizes(tmp_path / "few", 160)
    many, more = sizes(tmp_path / "many", 640)  # four times the ranges
    assert (few, many) == (1, 4) and more < 4 * size + 100
    for module in (counts, count_store):
        monkeypatch.setattr(module, "RANGE", 100)
    large, still = sizes(tmp_path / "large", 1600)  # as many ranges as the few, of more deals
    assert large == 1 and still < 1.2 * size, "only the digits of sums are more"


def test_other_stores_are_as_strict_as_before() -> None:
    assert Store.most_deals == MOST_DEALS == 10**7 < CountStore.most_deals
    assert isinstance(pack(counted(0, 5), 0.0), Packed)
