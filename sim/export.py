"""The outcome of every deal of a run as a table for other programs: CSV or Parquet.

One row a deal and entry: the options of the rules, the label, the number of the deal, the game's
columns. Rows are written as they are read, so a run of any size needs the memory of a few blocks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from sim.cast import stamps_of
from sim.cell import Cell
from sim.errors import BadInput, StoreDamaged
from sim.folder import check_store, no_counts, store_path, whole
from sim.plan import Plan
from sim.run import planned, stopped
from sim.schedule import gaps
from sim.store import Store
from sim.tally import recut

ROWS = 200_000  # written at once

Pieces = Iterator[tuple[Cell, int, NDArray[np.uint8]]]  # cell, first deal, (columns, deals)


@dataclass(frozen=True)
class Export:
    """What is exported: the deals of a plan that lie in a store."""

    plan: Plan
    stamps: list[str]
    store: Store

    def check(self) -> None:
        """See to it that no deal is missing, before anything is written.

        Raises:
            StoreDamaged: naming the first one.
        """
        for cell, stamp in zip(self.plan.cells, self.stamps, strict=True):
            for first, _ in gaps(self.store.coverage(stamp), cell.deals):
                raise StoreDamaged(
                    f"{self.store.path}: deal {first} of '{cell.label}' is missing, or its "
                    "strategy was edited since; run the same command again"
                )

    def pieces(self) -> Pieces:
        """Yield all deals, entry after entry."""
        for cell, stamp in zip(self.plan.cells, self.stamps, strict=True):
            first = 0
            for piece in recut(self.store.outcomes(stamp, cell.deals), ROWS):
                yield cell, first, piece
                first += piece.shape[1]

    @property
    def options(self) -> list[str]:
        """Return the columns of the rules, named so that they clash with no other."""
        return [f"rules.{name}" for name in self.plan.cells[0].rules_dict]

    @property
    def numbers(self) -> list[str]:
        """Return the columns that differ from deal to deal."""
        return ["deal", *self.plan.game.columns]


@contextmanager
def opened(folder: Path) -> Iterator[Export]:
    """Open a run folder whose deals are all there.

    Raises:
        BadInput: if it is no run folder.
        StoreDamaged: if deals are missing, or were played by other versions of the strategies.
    """
    wanted = planned(folder)
    wanted.game.alone("export")
    no_counts(wanted, folder, "there is nothing to export")
    with Store(store_path(folder), wanted.game, read_only=True) as store:
        check_store(folder, wanted, store)
        stamps = stamps_of(wanted)
        ended = stopped(wanted, stamps, store)
        found = Export(ended.plan if ended else wanted, stamps, store)
        found.check()
        yield found


def write_csv(found: Export, out: TextIO) -> None:
    """Write a head and all rows; what holds a comma or a quote is quoted."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*found.options, "label", *found.numbers])
    for cell, first, piece in found.pieces():
        head = _csv_head(cell).replace("%", "%%")
        row = f"{head},%d{',%d' * len(piece)}\n"
        deals = found.plan.numbers(first, piece.shape[1])
        out.write("".join(map(row.__mod__, zip(deals, *piece.tolist(), strict=True))))


def _csv_head(cell: Cell) -> str:
    """Return what all rows of an entry begin with."""
    text = io.StringIO()
    values = [str(v).lower() if isinstance(v, bool) else v for v in cell.rules_dict.values()]
    csv.writer(text, lineterminator="").writerow([*values, cell.label])
    return text.getvalue()


def csv_file(found: Export, path: Path) -> None:
    """Write a CSV file, whole or not at all.

    Raises:
        BadInput: if it cannot be written.
    """
    with whole(path) as draft, draft.open("w", encoding="utf-8", newline="") as out:
        write_csv(found, out)


def parquet_file(found: Export, path: Path) -> None:
    """Write a Parquet file, whole or not at all; labels are dictionaries, numbers are packed.

    Raises:
        BadInput: if it cannot be written, or pyarrow is not installed.
    """
    arrow, parquet = _pyarrow()
    tables = _tables(arrow, found)
    first = next(tables)
    # Neighbouring deals differ by one: stored as differences they take no room at all.
    packed = {"column_encoding": {"deal": "DELTA_BINARY_PACKED"}, "compression": "zstd"}
    words = ["label", *found.options, *found.numbers[1:]]
    with (
        whole(path) as draft,
        parquet.ParquetWriter(draft, first.schema, use_dictionary=words, **packed) as out,
    ):
        out.write_table(first)
        for table in tables:
            out.write_table(table)


def _tables(arrow: Any, found: Export) -> Iterator[Any]:
    for cell, first, piece in found.pieces():
        count = piece.shape[1]
        same = zip(found.options, cell.rules_dict.values(), strict=True)
        columns = {name: arrow.repeat(arrow.scalar(value), count) for name, value in same}
        places = arrow.array(np.zeros(count, np.int32))
        columns["label"] = arrow.DictionaryArray.from_arrays(places, [cell.label])
        columns["deal"] = arrow.array(np.array(found.plan.numbers(first, count)))
        for name, values in zip(found.plan.game.columns, piece, strict=True):
            columns[name] = arrow.array(np.ascontiguousarray(values))
        yield arrow.table(columns)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise BadInput(
            "Parquet needs pyarrow; install it with `pip install 'tipoff[parquet]'` "
            "or `pip install pyarrow`, or take --csv"
        ) from error
    return pyarrow, pyarrow.parquet


FORMATS: dict[str, Callable[[Export, Path], None]] = {"csv": csv_file, "parquet": parquet_file}
