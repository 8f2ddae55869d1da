"""A run cut into shards, for machines that know nothing of each other: `--shard 2/8`.

Shard i of n plays the i-th of n equal ranges of the deals of every cell, into a folder of its own;
`sim.merge` puts the folders together. No deal is in two shards, and none in no shard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from sim.errors import BadInput

MOST = 100_000  # shards

Range = tuple[int, int]  # (first, count) of deals


@dataclass(frozen=True)
class Shard:
    """Number `index` of `count`, counted from 1."""

    index: int
    count: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read "2/8".

        Raises:
            BadInput: if it is not of that form, or the shard does not exist.
        """
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        index, count = map(int, found.groups()) if found else (0, 0)
        if not 1 <= index <= count <= MOST:
            raise BadInput(f"--shard: expected I/N, such as 2/8, with I from 1 to N, got '{text}'")
        return cls(index, count)

    def __str__(self) -> str:
        """Return "2/8"."""
        return f"{self.index}/{self.count}"

    def part(self, deals: int) -> range:
        """Return the deals of this shard, of so many from 0 on; they may be none."""
        ends = (deals * (self.index - 1) // self.count, deals * self.index // self.count)
        return range(*ends)

    def within(self, ranges: Iterable[Range], deals: int) -> list[Range]:
        """Return what of some ranges of deals lies in this shard."""
        part = self.part(deals)
        cut = ((max(first, part.start), min(first + count, part.stop)) for first, count in ranges)
        return [(first, last - first) for first, last in cut if last > first]


WHOLE = Shard(1, 1)
