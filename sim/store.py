"""The store of a run: one SQLite file of compressed blocks of outcomes.

A row is a cell's stamp, the first deal, how many deals, their outcomes and counters. What a cell
covers is the union of its rows; overlaps are refused. Resuming, adding deals and adding strategies
are all the same: play the blocks that are missing. The parent process is the only writer. A store
is data: opening one from a stranger runs no code.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.errors import BadInput, StoreDamaged
from sim.game import Block, Game

FILE_NAME = "results.sqlite"
LAYOUT = 1  # version of the tables below

TABLES = """
create table if not exists meta (key text primary key, value text not null);
create table if not exists cell (stamp text primary key, about text not null);
create table if not exists block (
    stamp text not null, first integer not null, count integer not null,
    outcomes blob not null, counters blob not null, seconds real not null,
    primary key (stamp, first)
) without rowid;
"""


@dataclass(frozen=True)
class Packed:
    """A block as it travels from a worker and lies in the store: compressed bytes."""

    outcomes: bytes
    counters: bytes
    seconds: float  # spent playing it

    @classmethod
    def of(cls, block: Block) -> Packed:
        """Compress a block that was just played."""
        counters = b"".join(part.tobytes() for part in block.counters.values())
        return cls(
            zlib.compress(block.outcomes.tobytes(), 6), zlib.compress(counters, 1), block.seconds
        )

    def unpacked(self) -> bytes:
        """Return the outcome bytes, column after column."""
        return zlib.decompress(self.outcomes)


class Store:
    """The open store of one run folder; use it as a context manager."""

    def __init__(self, path: Path, game: Game) -> None:
        """Open or create the store.

        Raises:
            BadInput: if another process is writing to it.
            StoreDamaged: if the file is no store.
        """
        self.path, self.game = path, game
        try:
            self._db = sqlite3.connect(path, timeout=0, isolation_level=None)
            self._db.execute("pragma locking_mode = exclusive")
            self._db.execute("pragma journal_mode = delete")
            self._db.execute("pragma synchronous = normal")
            self._db.executescript(f"begin immediate; {TABLES} commit;")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BadInput(
                    f"{path} is in use by another run; wait for it or stop it"
                ) from error
            raise BadInput(f"{path} cannot be written: {error}") from error
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def meta(self) -> dict[str, Any]:
        """Return what the run has noted about itself."""
        return {key: json.loads(value) for key, value in self._rows("select * from meta")}

    def note(self, facts: Mapping[str, Any]) -> None:
        """Note facts about the run."""
        for key, value in facts.items():
            self._execute("insert or replace into meta values (?, ?)", key, json.dumps(value))

    def note_cell(self, stamp: str, about: Mapping[str, Any]) -> None:
        """Note in words what a stamp stands for."""
        self._execute("insert or replace into cell values (?, ?)", stamp, json.dumps(about))

    def coverage(self, stamp: str) -> list[tuple[int, int]]:
        """Return the blocks of a cell as (first, count), in deal order."""
        query = "select first, count from block where stamp = ? order by first"
        return list(self._rows(query, stamp))

    def add(self, stamp: str, first: int, count: int, block: Packed) -> None:
        """Commit one block.

        Raises:
            ValueError: if it overlaps a block that is there.
            StoreDamaged: if the file was damaged or deleted under the run.
        """
        overlap = "select 1 from block where stamp = ? and first < ? and first + count > ?"
        if list(self._rows(overlap, stamp, first + count, first)):
            raise ValueError(f"deals {first} to {first + count - 1} are already stored")
        values = (block.outcomes, block.counters, block.seconds)
        self._execute("insert into block values (?, ?, ?, ?, ?, ?)", stamp, first, count, *values)

    def outcomes(self, stamp: str, deals: int) -> Iterator[NDArray[np.uint8]]:
        """Yield the outcomes of deals 0 .. `deals` - 1 of a cell, a (columns, n) array a block.

        Raises:
            StoreDamaged: if deals are missing or a block cannot be read.
        """
        query = (
            "select first, count, outcomes from block where stamp = ? and first < ? order by first"
        )
        reached = 0
        for first, count, packed in self._rows(query, stamp, deals):
            if first != reached:
                break
            values = np.frombuffer(self._unpack(packed, first), np.uint8)
            if values.size != count * len(self.game.columns):
                raise self._damaged(f"block {first} has the wrong size")
            yield values.reshape(len(self.game.columns), count)[:, : deals - first]
            reached = first + count
        if reached < deals:
            raise StoreDamaged(
                f"{self.path}: deal {reached} is missing; run the same command again"
            )

    def counters(self, stamp: str) -> dict[str, NDArray[np.int64]]:
        """Return the counters of a cell, summed over all its blocks."""
        totals = {name: np.zeros(shape, np.int64) for name, shape in self.game.counters.items()}
        for first, packed in self._rows("select first, counters from block where stamp = ?", stamp):
            values = np.frombuffer(self._unpack(packed, first), np.int64)
            if values.size != sum(total.size for total in totals.values()):
                raise self._damaged(f"block {first} has counters of the wrong size")
            start = 0
            for total in totals.values():
                total += values[start : start + total.size].reshape(total.shape)
                start += total.size
        return totals

    def speed(self, stamp: str) -> float:
        """Return the games a second at which the stored blocks of a cell were played, or 0."""
        query = "select sum(count), sum(seconds) from block where stamp = ?"
        ((count, seconds),) = self._rows(query, stamp)
        return count / seconds if seconds else 0.0

    def _unpack(self, packed: bytes, first: int) -> bytes:
        try:
            return zlib.decompress(packed)
        except (zlib.error, TypeError) as error:
            raise self._damaged(f"block {first}: {error}") from error

    def _execute(self, query: str, *values: Any) -> None:
        if not self.path.exists():
            raise StoreDamaged(
                f"{self.path} was deleted during the run; run the same command again"
            )
        list(self._rows(query, *values))

    def _rows(self, query: str, *values: Any) -> Iterator[Any]:
        try:
            yield from self._db.execute(query, values)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _damaged(self, why: object) -> StoreDamaged:
        return StoreDamaged(
            f"{self.path} is damaged ({why}); delete it and run the same command again"
        )
