"""The outcome of a deal where several play: how the numbers of a line-up lie in its bytes.

A deal is played once from each rotation of the seats, and its numbers are sums over these games:

    points  int32    of each member
    firsts  uint16   of each member: parts of first places, in units that any number of ties divides
    ahead   uint8    of every two members i < j: 2 for each game in which i ended ahead, 1 for a tie

They lie one after the other, little-endian, for as many members as the game has seats at most; of a
smaller line-up the rest is 0. So a deal has as many bytes whoever plays, and a digest is of bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Sums:
    """What the members of a line-up got out of each deal, summed over its games."""

    points: Ints  # (deals, members)
    firsts: Ints  # (deals, members) in units of `Layout.units`
    ahead: Ints  # (deals, pairs) half wins of i over j, pairs as `pair_places` lists them


@dataclass(frozen=True)
class Layout:
    """The bytes of a deal in a game with at most `seats` seats."""

    seats: int

    @property
    def units(self) -> int:
        """Return the parts of one first place."""
        return lcm(*range(1, self.seats + 1))

    @property
    def width(self) -> int:
        """Return the bytes of a deal."""
        return self._record.itemsize

    @cached_property
    def _record(self) -> np.dtype[np.void]:
        pairs = max(1, comb(self.seats, 2))
        shapes = (("points", "<i4", self.seats), ("firsts", "<u2", self.seats))
        return np.dtype([*((n, k, (s,)) for n, k, s in shapes), ("ahead", "u1", (pairs,))])

    def packed(self, sums: Sums) -> NDArray[np.uint8]:
        """Return the bytes, (width, deals)."""
        rows = np.zeros(len(sums.points), self._record)
        for name, values in vars(sums).items():
            rows[name][:, : values.shape[1]] = values
        return rows.view(np.uint8).reshape(-1, self.width).T

    def unpacked(self, outcomes: NDArray[np.uint8], members: int) -> Sums:
        """Return the numbers of (width, deals) bytes of a line-up with so many members."""
        rows = np.ascontiguousarray(outcomes.T).view(self._record).reshape(-1)
        sizes = {"points": members, "firsts": members, "ahead": comb(members, 2)}
        return Sums(**{name: rows[name][:, :n].astype(np.int64) for name, n in sizes.items()})


def pair_places(members: int) -> list[tuple[int, int]]:
    """Return every two of so many members, in the order in which pairs lie in a deal's bytes."""
    return [(i, j) for i in range(members) for j in range(i + 1, members)]
