"""What a run gave, for Python: results, the outcome of every deal, charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.cast import Cast
from sim.cell import Cell
from sim.errors import BadInput, did_you_mean
from sim.folder import no_counts, store_path, whole
from sim.results import Entry, Pair, Results
from sim.run import Finished
from sim.store import Store
from sim.tally import LEAF, recut

Variant = str | Mapping[str, Any] | None


class Run:
    """A finished run: `print` shows its table, `outcomes` yields its deals."""

    def __init__(self, cast: Cast, folder: Path, finished: Finished) -> None:
        self._cast, self._store = cast, store_path(folder).absolute()
        self.folder: Path = folder
        """Where its store lies; if temporary, as long as this object lives."""
        assert isinstance(finished.results, Results)
        self.results: Results = finished.results
        """All results, as results.json holds them."""
        self.played: int = finished.played
        """Games that were played for it."""
        self.reused: int = finished.reused
        """Games that were in the folder already."""
        self.paths: list[Path] = finished.paths
        """Charts and pages that were written."""

    def __str__(self) -> str:
        from sim.report.tables import terminal

        return terminal(self.results)

    def __repr__(self) -> str:
        return f"<run of '{self.results.experiment}': {len(self.entries)} entries>"

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries in the order of the config, one for each rules variant."""
        return self.results.entries

    def outcomes(self, label: str, variant: Variant = None) -> Iterator[NDArray[Any]]:
        """Yield every deal of an entry, 50,000 in an array, in order from deal 0.

        Arrays are structured: `"deal"` is its number (int64), the others are the game's columns
        (uint8), such as `"leftover"`, cards left, 0 for a win, and `"turns"`. Those of two entries
        hold the same deals, so that `zip` compares deal with deal. They are read as they are asked
        for: a run of any size needs the memory of one array.

        Args:
            label: of the entry.
            variant: the rules in words as in `entry.variant`, or some of their options, such as
                `{"jokers": 2}`; not needed if there is but one.

        Raises:
            BadInput: if there is no such entry, or if there are several, or the run kept counts.
            StoreDamaged: if the folder was changed since.
        """
        number = self._number(label, variant)
        no_counts(self._cast.plan, self.folder, "there are no outcomes to yield")
        return self._outcomes(self._cast.stamps[number], self.entries[number].deals)

    def _outcomes(self, stamp: str, deals: int) -> Iterator[NDArray[Any]]:
        plan, first = self._cast.plan, 0
        game = plan.game
        with Store(self._store, game, read_only=True) as store:
            for piece in recut(store.outcomes(stamp, deals), LEAF):
                yield structured(piece, plan.numbers(first, piece.shape[1]), game.columns)
                first += piece.shape[1]

    def compare(self, a: str, b: str, variant: Variant = None) -> Pair:
        """Return how the entry labelled `a` does against `b` on the deals both played, a minus b.

        Raises:
            BadInput: if there are no such two entries under these rules.
        """
        from sim.report.versus import both_ways

        one, other = (self.entries[self._number(label, variant)] for label in (a, b))
        pairs = both_ways(self.results, one.variant)
        if (a, b) not in pairs:
            raise BadInput(f"'{a}' and '{other.label}' are one and the same")
        return pairs[a, b]

    def summary(self) -> dict[str, Any]:
        """Return the results as plain dicts and lists, as in results.json; histograms as arrays.

        `["entries"][i]["leftover_histogram"]` is int64, [c] = deals that ended with c cards left.
        Rates lie in [0, 1].
        """
        found = self.results.plain()
        for entry in found["entries"]:
            entry["leftover_histogram"] = np.array(entry["leftover_histogram"], np.int64)
        return {key: list(part) if isinstance(part, tuple) else part for key, part in found.items()}

    def chart(self, name: str) -> Chart:
        """Draw a chart of the report: `"differences"`, `"win_rate"`, `"leftover"`, `"pairs"` ...

        Raises:
            BadInput: if these results have no such chart; the message says which there are.
        """
        from sim.report.pictures import pictures
        from sim.report.style import png

        known = {
            picture.image.file.removesuffix(".png"): picture for picture in pictures(self.results)
        }
        if name not in known:
            raise BadInput(f"there is no chart '{name}'{did_you_mean(name, known)}")
        return Chart(name, png(known[name].draw))

    def _number(self, label: str, variant: Variant) -> int:
        """Return the place of the one entry that is meant."""
        cells = list(enumerate(self._cast.plan.cells))
        labels = {cell.label for _, cell in cells}
        if label not in labels:
            raise BadInput(f"no entry has the label '{label}'{did_you_mean(label, labels)}")
        found = [(i, cell) for i, cell in cells if cell.label == label and _under(cell, variant)]
        if len(found) == 1:
            return found[0][0]
        variants = ", ".join(f"'{cell.variant}'" for _, cell in cells if cell.label == label)
        said = "is played under several rules" if found else f"is not played under {variant!r}"
        raise BadInput(f"'{label}' {said}; expected one of {variants}")


@dataclass(frozen=True)
class Chart:
    """A chart as PNG; a notebook shows it."""

    name: str
    png: bytes = b""

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<chart '{self.name}'>"

    def save(self, path: str | Path) -> Path:
        """Write it to a file, whole or not at all."""
        with whole(Path(path)) as draft:
            draft.write_bytes(self.png)
        return Path(path)


def structured(
    outcomes: NDArray[np.uint8], deals: Sequence[int], columns: tuple[str, ...]
) -> NDArray[Any]:
    """Return (columns, deals) outcomes as a structured array with the numbers of the deals."""
    kinds = [("deal", np.int64), *((name, np.uint8) for name in columns)]
    rows = np.empty(outcomes.shape[1], np.dtype(kinds))
    rows["deal"] = deals
    for name, values in zip(columns, outcomes, strict=True):
        rows[name] = values
    return rows


def _under(cell: Cell, variant: Variant) -> bool:
    if isinstance(variant, Mapping):
        return variant.items() <= cell.rules_dict.items()
    return variant in (None, cell.variant)
