"""The store of a run: one SQLite file of compressed blocks of outcomes.

A row is a cell's stamp, the first deal, how many deals, their outcomes and counters. What a cell
covers is the union of its rows; overlaps are refused. Resuming, adding deals and adding strategies
are all the same: play the blocks that are missing. The parent process is the only writer. A store
is data: opening one from a stranger runs no code.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sim import database
from sim.errors import StoreDamaged
from sim.game import Block, Game

FILE_NAME = "results.sqlite"

# Far more than there ever is: what lies beyond was not written by us.
MOST_DEALS = 10**7  # in one block
FASTEST = 1e12  # games a second
LONGEST_NOTE = 100_000  # characters
LARGEST_PART = 1 << 26  # bytes of a block unpacked; the largest that is played has less than 1 MB


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

    most_deals = MOST_DEALS

    def __init__(self, path: Path, game: Game, read_only: bool = False) -> None:
        """Open or create the store; to read only, it must be there, and others may read it too.

        Raises:
            BadInput: if another process is writing to it, or it cannot be written.
            StoreDamaged: if the file is no store.
        """
        self.path, self.game = path, game
        self._db = database.opened(path, read_only)
        self._inode = path.stat().st_ino

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        """Close it; without an error, look whether all is there.

        Raises:
            StoreDamaged: if the file was damaged or deleted under the run.
        """
        try:
            if error is None:
                list(self._rows("select 1"))
        finally:
            self._db.close()

    def meta(self) -> dict[str, Any]:
        """Return what the run has noted about itself."""
        try:
            return {key: json.loads(value) for key, value in self._rows("select * from meta")}
        except (RecursionError, TypeError, ValueError) as error:
            raise self._damaged(error) from error

    def told(self, key: str) -> str:
        """Return a text that the run has noted about itself, or "" if there is none."""
        value = self.meta().get(key)
        # No lone surrogates: they cannot be written anywhere.
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""

    def note(self, facts: Mapping[str, Any]) -> None:
        """Note facts about the run."""
        self._put("meta", facts)

    def note_cells(self, about: Mapping[str, Mapping[str, Any]]) -> None:
        """Note in words what stamps stand for."""
        self._put("cell", about)

    def notes(self) -> dict[str, dict[str, Any]]:
        """Return what was noted of stamps."""
        found: dict[str, dict[str, Any]] = {}
        query = "select stamp, substr(about, 1, ?) from cell"
        for stamp, about in self._rows(query, LONGEST_NOTE):
            try:
                found[str(stamp)] = dict(json.loads(about))
            except (RecursionError, TypeError, ValueError) as error:
                raise self._damaged(f"the note of a cell: {error}") from error
        return found

    def blocks(self, stamp: str) -> Iterator[tuple[int, int, Packed]]:
        """Yield the blocks of a cell as (first, count, bytes), in deal order, to be copied."""
        query = "select first, count, outcomes, counters, seconds from block where stamp = ?"
        for first, count, *parts in self._rows(f"{query} order by first", stamp):
            yield *self._place(first, count), Packed(*parts)

    def coverage(self, stamp: str) -> list[tuple[int, int]]:
        """Return the blocks of a cell as (first, count), in deal order."""
        query = "select first, count from block where stamp = ? order by first"
        return [self._place(first, count) for first, count in self._rows(query, stamp)]

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

    def outcomes(self, stamp: str, deals: int, first: int = 0) -> Iterator[NDArray[np.uint8]]:
        """Yield the outcomes of deals `first` .. `deals` - 1 of a cell, (columns, n) a block.

        Raises:
            StoreDamaged: if deals are missing or a block cannot be read.
        """
        query = (
            "select first, count, outcomes from block "
            "where stamp = ? and first < ? and first + count > ? order by first"
        )
        reached = first
        for *place, packed in self._rows(query, stamp, deals, first):
            start, count = self._place(*place)
            if reached > first and start < reached:
                raise self._damaged(f"block {start} overlaps the one before")
            if start > reached:
                break
            shape = self.game.width, count
            values = np.frombuffer(self._unpack(packed, start, prod(shape)), np.uint8)
            yield values.reshape(shape)[:, reached - start : deals - start]
            reached = start + count
        if reached < deals:
            raise StoreDamaged(
                f"{self.path}: deal {reached} is missing; run the same command again"
            )

    def counters(self, stamp: str, deals: int) -> tuple[int, dict[str, NDArray[np.int64]]]:
        """Return the counters of a cell, and over how many of its first deals they are summed.

        These are `deals`, or fewer where a block reaches beyond: a sum cannot be cut.
        """
        totals = {name: np.zeros(one.shape, np.int64) for name, one in self.game.counters.items()}
        size = sum(total.nbytes for total in totals.values())
        covered = 0
        query = "select first, count, counters from block where stamp = ? and first + count <= ?"
        for first, count, packed in self._rows(query, stamp, deals):
            values = np.frombuffer(self._unpack(packed, first, size), np.int64)
            start = 0
            for total in totals.values():
                total += values[start : start + total.size].reshape(total.shape)
                start += total.size
            covered += count
        return covered, totals

    def speed(self, stamp: str) -> float:
        """Return the games a second at which the stored blocks of a cell were played, or 0."""
        query = "select sum(count), sum(seconds) from block where stamp = ?"
        ((count, seconds),) = self._rows(query, stamp)
        if not seconds:
            return 0.0
        if not (isinstance(count, int) and 0 < count <= seconds * FASTEST):
            raise self._damaged(f"{count} games took {seconds} seconds")
        return float(count / seconds)

    def _place(self, first: Any, count: Any) -> tuple[int, int]:
        """Return where a block lies; a stranger's file may say anything."""
        numbers = isinstance(first, int) and isinstance(count, int)
        if not (numbers and first >= 0 and 0 < count <= self.most_deals):
            raise self._damaged(f"a block of {count!r} deals from {first!r}"[:100])
        return first, count

    def _unpack(self, packed: bytes, first: int, size: int) -> bytes:
        """Decompress a part of a block, which must have `size` bytes: no bomb goes off here."""
        if not isinstance(size, int) or not 0 <= size <= LARGEST_PART:
            raise self._damaged(f"block {first} has the wrong size")
        unpacker = zlib.decompressobj()
        try:
            found = unpacker.decompress(packed, size + 1)
        except (zlib.error, TypeError, ValueError, OverflowError) as error:
            raise self._damaged(f"block {first}: {error}") from error
        if len(found) != size or not unpacker.eof:
            raise self._damaged(f"block {first} has the wrong size")
        return found

    def _put(self, table: str, values: Mapping[str, Any]) -> None:
        """Write rows of a key and its value in one transaction, for each takes ten milliseconds."""
        self._execute("begin")
        for key, value in values.items():
            self._execute(f"insert or replace into {table} values (?, ?)", key, json.dumps(value))
        self._execute("commit")

    def _execute(self, query: str, *values: Any) -> None:
        list(self._rows(query, *values))

    def _rows(self, query: str, *values: Any) -> Iterator[Any]:
        try:
            self._look()
            # Not `yield from`: it would close the cursor when the store may be closed already.
            for row in self._db.execute(query, values):  # noqa: UP028
                yield row
        except sqlite3.OperationalError as error:  # such as a full disk: nothing is lost
            raise StoreDamaged(
                f"{self.path} cannot be used ({error}); what is in it stays, "
                "put that right and run the same command again"
            ) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._damaged(error) from error

    def _look(self) -> None:
        """Look whether the file is still the one that was opened, and whole: SQLite does not."""
        try:
            found = self.path.stat()
        except OSError as error:
            raise self._gone("was deleted") from error
        if found.st_ino != self._inode:
            raise self._gone("was replaced by another file")
        if self._db.in_transaction:
            return
        pages, size = (
            self._db.execute(f"pragma page_{what}").fetchone()[0] for what in ("count", "size")
        )
        if found.st_size < pages * size:
            aside = self.path.with_name(f"{self.path.name}.damaged")
            self._db.close()
            os.replace(self.path, aside)  # so that the same command can begin anew
            raise self._gone(f"was cut short, and is now {aside}")

    def _gone(self, what: str) -> StoreDamaged:
        return StoreDamaged(f"{self.path} {what} during the run; run the same command again")

    def _damaged(self, why: object) -> StoreDamaged:
        return database.damaged(self.path, why)
