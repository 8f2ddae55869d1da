"""A store looked through: the cells it holds, what is damaged in it, and dropping what is not used.

A store may come from a stranger: everything in it is data, and nothing is believed to have the type
or the size it should have.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from math import prod
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.count_store import layout_sizes
from sim.counts import Layout
from sim.errors import BadInput, StoreDamaged, did_you_mean
from sim.game import Game, Outcome
from sim.schedule import gaps
from sim.settings import rules_of
from sim.store import Store

LABEL = 80  # characters of a label or of rules that are shown

# Stands in until the store has said what game it holds; then it is replaced.
NO_GAME = Game("", "", (1, 1), (), Outcome.WIN, object, 0, ())


@dataclass(frozen=True)
class Stored:
    """A cell as it lies in a store."""

    stamp: str
    label: str  # as it was noted when it was last played
    variant: str  # the rules in words
    deals: int
    blocks: int
    bytes: int  # compressed
    speed: float  # games a second and worker; 0 if not known
    missing: list[tuple[int, int]] = field(default_factory=list)  # (first, count) between blocks
    members: tuple[str, ...] = ()  # stamps of the cells that these counts are of


@dataclass(frozen=True)
class Damage:
    """A block that cannot be read."""

    stamp: str
    first: int
    reason: str


class Cells(Store):
    """A store opened to be looked through."""

    def cells(self) -> list[Stored]:
        """Return what the store holds, by label, rules and stamp.

        Raises:
            StoreDamaged: if a row is not what it should be.
        """
        notes = self.notes()
        query = (
            "select stamp, first, count, length(outcomes) + length(counters), seconds "
            "from block order by stamp, first"
        )
        found = map(self._checked, self._rows(query))
        held = {stamp: list(rows) for stamp, rows in groupby(found, itemgetter(0))}
        cells = [self._stored(stamp, rows, notes.get(stamp, {})) for stamp, rows in held.items()]
        return sorted(cells, key=lambda cell: (cell.label, cell.variant, cell.stamp))

    def _checked(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        kinds = (str, int, int, int, float)
        fits = all(isinstance(value, kind) for value, kind in zip(row, kinds, strict=True))
        if not fits or not (row[1] >= 0 and row[2] > 0):
            raise self._damaged("a block is not where it says")
        return row

    def _stored(self, stamp: str, rows: list[tuple[Any, ...]], about: Mapping[str, Any]) -> Stored:
        _, firsts, counts, sizes, seconds = zip(*rows, strict=True)
        ranges = list(zip(firsts, counts, strict=True))
        end = max(first + count for first, count in ranges)
        members = _members(about)
        games = sum(counts) * max(1, len(members))
        return Stored(
            stamp=stamp,
            label=str(about.get("label", "?"))[:LABEL],
            variant=self._variant(about.get("rules", {}))[:LABEL],
            deals=sum(counts),
            blocks=len(rows),
            bytes=sum(sizes),
            speed=games / sum(seconds) if sum(seconds) > 0 else 0.0,
            missing=[gap for gap in gaps(ranges, end) if gap[1] > 0],
            members=members,
        )

    def _variant(self, rules: Any) -> str:
        """Return noted rules in words, as far as the game still knows them."""
        try:
            return str(rules_of(self.game, rules))
        except (AttributeError, BadInput):
            return str(rules)

    def damages(self) -> Iterator[Damage]:
        """Unpack every block; yield those that cannot be read.

        Raises:
            StoreDamaged: if the file itself cannot be read.
        """
        layouts = self._layouts()
        query = "select stamp, first, count, outcomes, counters from block order by stamp, first"
        before, reached = None, 0
        for stamp, first, count, *packed in self._rows(query):
            self._checked((stamp, first, count, 0, 0.0))
            sizes = self._sizes(layouts.get(stamp), count)
            if stamp == before and first < reached:
                yield Damage(stamp, first, "overlaps the one before")
            elif reason := self._unreadable(first, packed, sizes):
                yield Damage(stamp, first, reason)
            before, reached = stamp, first + count

    def _layouts(self) -> dict[str, Layout]:
        """Return how the counts lie that are there, by stamp; none if every deal was kept."""
        if self.meta().get("store") != "counts":
            return {}
        members = {stamp: _members(note) for stamp, note in self.notes().items()}
        return {
            stamp: Layout.of(self.game, len(found)) for stamp, found in members.items() if found
        }

    def _sizes(self, layout: Layout | None, count: int) -> tuple[int, int]:
        """Return how many bytes the two parts of a block must have."""
        if layout is not None:
            return layout_sizes(layout, count)
        counters = sum(8 * prod(one.shape) for one in self.game.counters.values())
        return self.game.width * count, counters

    def _unreadable(self, first: int, packed: Iterable[bytes], sizes: Iterable[int]) -> str:
        """Return why a block cannot be unpacked, or ""."""
        for part, size in zip(packed, sizes, strict=True):
            try:
                self._unpack(part, first, size)
            except StoreDamaged as error:
                return str(error.__cause__ or "has the wrong size")
        return ""

    def between(self, stamp: str, first: int, count: int) -> NDArray[np.uint8] | None:
        """Return the outcomes of some deals of a cell, (columns, count); None if not all are there.

        Raises:
            StoreDamaged: if a block cannot be read.
        """
        missing = gaps(self.coverage(stamp), first + count)
        if any(start + length > first for start, length in missing):
            return None
        return np.concatenate(list(self.outcomes(stamp, first + count, first)), axis=1)

    def drop(self, stamps: Iterable[str], damages: Iterable[Damage] = ()) -> None:
        """Drop cells and damaged blocks for ever, and make the file smaller."""
        self._execute("begin")
        for stamp in stamps:
            self._execute("delete from block where stamp = ?", stamp)
            self._execute("delete from cell where stamp = ?", stamp)
        for block in damages:
            query = "delete from block where stamp = ? and first = ?"
            self._execute(query, block.stamp, block.first)
        self._execute("commit")
        self._execute("vacuum")


def _members(about: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the stamps of the cells that counts are of; a stranger's note may say anything."""
    found = about.get("members")
    return tuple(map(str, found)) if isinstance(found, list) else ()


@contextmanager
def open_cells(path: Path, games: Mapping[str, Game]) -> Iterator[Cells]:
    """Open a store that says itself which game it holds, and close it afterwards.

    Raises:
        BadInput: if there is no store, its game is not known, or it is in use.
        StoreDamaged: if the file is no store.
    """
    if not os.path.isfile(path):  # never raises, however long the name
        raise BadInput(f"{path} is missing; `tipoff run` makes one")
    with Cells(path, NO_GAME) as cells:
        name = str(cells.meta().get("game"))
        if name not in games:
            raise BadInput(f"{path} holds the unknown game {name!r}{did_you_mean(name, games)}")
        cells.game = games[name]
        yield cells
