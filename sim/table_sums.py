"""The tables of one variant added up: of every player, and of every two on the same deals.

A player's number of a deal is the sum over all its sittings: whoever sits twice at a table counts
for both seats, and two players are compared once for each two seats that they have at one table.
Against a field only the entrant of a table is measured, and two entrants are compared on the same
deals at their two tables. What a store holds is read a range of deals after the other, so that
memory does not grow with the deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.lineups import Table
from sim.seat_bytes import Layout, Sums, pair_places
from sim.stats.ratings import batch_size
from sim.stats.scores import Moments, moments_of, nothing
from sim.store import Store
from sim.tally import LEAF, LeafHasher, recut

VALUES = 1 << 24  # numbers that are held at once, about: 128 MB
FEWEST = 5_000  # deals of a piece

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Own:
    """What the players of a variant got, a row a player."""

    points: Moments
    firsts: Moments  # in units of `Layout.units`
    ranks: Moments  # twice the rank


class TableSums:
    """The sums over the tables of a variant; all play the same deals."""

    def __init__(self, tables: Sequence[Table], layout: Layout, ranked: bool) -> None:
        """Begin with no deals; if only ranks count, these are compared."""
        self.tables, self.layout, self._ranked = list(tables), layout, ranked
        self.seats, self.deals = tables[0].seats, tables[0].deals
        self.players = sorted({member for table in tables for member in table.members})
        self.pairs = [(int(a), int(b)) for a, b in np.transpose(np.triu_indices(self.count, 1))]
        self._number = {pair: number for number, pair in enumerate(self.pairs)}
        self.by_field = tables[0].entrant is not None
        self._hashers = [LeafHasher() for _ in tables]
        self._count_sittings()
        self._batch = batch_size(self.deals)
        shape = -(-self.deals // self._batch), len(self.pairs)
        self.half_wins = np.zeros(shape, np.int64)  # of the first of a pair, by batches of deals
        self.own = Own(*(nothing(self.count) for _ in range(3)))
        self.differences = nothing(
            len(self.pairs)
        )  # of points, the first of a pair minus the other

    @property
    def count(self) -> int:
        """Return how many play."""
        return len(self.players)

    @property
    def games(self) -> Ints:
        """Return (batches, pairs): the games that every two met in, by batches of deals."""
        firsts = np.arange(len(self.half_wins)) * self._batch
        deals = np.minimum(self._batch, self.deals - firsts)
        return np.asarray(np.outer(deals, self.seats * self.met))

    def leaves(self) -> list[tuple[str, ...]]:
        """Return the leaves of each table."""
        return [hasher.leaves() for hasher in self._hashers]

    def read(self, store: Store, stamps: Sequence[str]) -> None:
        """Add up all deals.

        Raises:
            StoreDamaged: if deals are missing or blocks are damaged.
        """
        held = 4 * self.count + 2 * len(self.pairs)
        size = min(LEAF, max(FEWEST, VALUES // held))
        for first in range(0, self.deals, size):
            self._add(store, stamps, first, min(size, self.deals - first))

    def _count_sittings(self) -> None:
        """Count, for each deal, who sits how often, who is compared how often, and who meets."""
        self.sittings = np.zeros(self.count, np.int64)
        self.compared, self.met = (np.zeros(len(self.pairs), np.int64) for _ in range(2))
        for table in self.tables:
            for player in self._measured(table):
                self.sittings[player] += 1
            for pair, _, _ in self._meetings(table):
                self.met[pair] += 1
        self.compared[:] = 1 if self.by_field else self.met

    def _seated(self, table: Table) -> list[int]:
        """Return the row of each member."""
        return [self.players.index(member) for member in table.members]

    def _measured(self, table: Table) -> list[int]:
        """Return the rows of those whose numbers count: against a field, the first."""
        return self._seated(table)[: 1 if self.by_field else None]

    def _meetings(self, table: Table) -> Iterator[tuple[int, int, bool]]:
        """Yield every two members who are not the same player.

        Their number among the pairs of players and of the table, and whether they stand there the
        other way round.
        """
        seated = self._seated(table)
        for place, (i, j) in enumerate(pair_places(self.seats)):
            a, b = seated[i], seated[j]
            if a != b:
                yield self._number[min(a, b), max(a, b)], place, a > b

    def _add(self, store: Store, stamps: Sequence[str], first: int, deals: int) -> None:
        """Add the deals from `first` on of all tables."""
        own = np.zeros((3, self.count, deals), np.int64)
        apart = np.zeros((len(self.pairs), deals), np.int64)
        for table, stamp, hasher in zip(self.tables, stamps, self._hashers, strict=True):
            (piece,) = recut(store.outcomes(stamp, first + deals, first), deals)
            hasher.feed(piece)
            sums = self.layout.unpacked(piece, self.seats)
            numbers = np.stack([sums.points, sums.firsts, doubled_ranks(sums, self.seats)])
            for place, player in enumerate(self._measured(table)):
                own[:, player] += numbers[:, :, place]
            self._add_meetings(table, sums, self._judged(numbers), first, apart)
        if self.by_field:
            a, b = np.triu_indices(self.count, 1)
            judged = self._judged(own)
            apart = judged[a] - judged[b]
        new = Own(*map(moments_of, own))
        old = self.own
        self.own = Own(old.points + new.points, old.firsts + new.firsts, old.ranks + new.ranks)
        self.differences += moments_of(apart)

    def _judged(self, numbers: Ints) -> Ints:
        """Return what players are compared by, the more the better, of points, firsts, ranks."""
        return np.negative(numbers[2]) if self._ranked else np.asarray(numbers[0])

    def _add_meetings(
        self, table: Table, sums: Sums, judged: Ints, first: int, apart: Ints
    ) -> None:
        """Add the half wins of a table, and what its members are apart, (deals, members)."""
        deals = np.arange(first, first + len(judged)) // self._batch
        starts = np.flatnonzero(np.diff(deals, prepend=-1))
        wins = np.add.reduceat(sums.ahead, starts, axis=0)
        games = np.diff(starts, append=len(judged)) * self.seats
        places = pair_places(self.seats)
        for pair, place, turned in self._meetings(table):
            own = wins[:, place]
            self.half_wins[deals[starts], pair] += 2 * games - own if turned else own
            if not self.by_field:
                i, j = places[place][::-1] if turned else places[place]
                apart[pair] += judged[:, i] - judged[:, j]


def doubled_ranks(sums: Sums, members: int) -> Ints:
    """Return (deals, members): twice the ranks, summed over the games of a deal, one a seat.

    A rank is 1, and 1 more for each other member ahead, half for each tie, which is the mean of the
    ranks that those tied share. So twice the rank of a member is 2 and the half wins over it.
    """
    found = np.full((len(sums.points), members), 2 * members, np.int64)
    for place, (i, j) in enumerate(pair_places(members)):
        found[:, j] += sums.ahead[:, place]
        found[:, i] += 2 * members - sums.ahead[:, place]
    return found
