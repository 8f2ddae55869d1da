"""Luck and skill in a run: its games once more with other dice for the ties, and what follows.

The second games lie in the store of the run, under stamps of their own, and are played once. From
both, `sim.stats.luck` tells what is due to strategy, deal, both, and ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sim
from sim.backend import PROCESSES
from sim.cast import cast_of
from sim.compare import by_variant
from sim.deal_set import DealSet
from sim.errors import BadInput, StoreDamaged
from sim.fields import MAX_SEED
from sim.folder import check_store, store_path
from sim.plan import Plan
from sim.playing import Playing
from sim.run import planned, stopped
from sim.schedule import gaps
from sim.stats.luck import Part, parts, sums_of
from sim.stats.telling import discrimination, hardness
from sim.store import Store
from sim.tally import recut

GROUPS = 100  # of deals, at least, for the jackknife
FEWEST = 2 * GROUPS  # deals
WHICH = ("telling", "hardest")

Left = NDArray[np.uint8]  # (2, cells, deals) cards left with each tie seed


@dataclass(frozen=True)
class Luck:
    """What the results of a rules variant are due to."""

    variant: str
    labels: tuple[str, ...]
    deals: int
    win_rate: float  # of all strategies, with both tie seeds
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Chosen:
    """Deals that were chosen for what they tell, in ascending order."""

    which: str
    numbers: tuple[int, ...]
    considered: int
    variants: tuple[str, ...]
    labels: tuple[str, ...]


class Table:
    """The outcomes of all cells of a plan on the same deals, with two tie seeds."""

    def __init__(
        self, plans: tuple[Plan, Plan], store: Store, stamps: Sequence[Sequence[str]], deals: int
    ) -> None:
        """Take both plans, which differ in their tie seed alone, and the stamps of their cells."""
        self.plan, self.deals = plans[0], deals
        self.tie_seeds = plans[0].tie_seed, plans[1].tie_seed
        self._store, self._stamps = store, stamps
        groups = by_variant(self.plan.cells)
        self.variants = {self.plan.cells[one.cells[0]].variant: one.cells for one in groups}

    def pieces(self, cells: Sequence[int]) -> Iterator[Left]:
        """Yield all deals of some cells, a group of the jackknife at a time."""
        size = max(1, self.deals // GROUPS)
        readers = [
            recut(self._store.outcomes(stamps[cell], self.deals), size)
            for stamps in self._stamps
            for cell in cells
        ]
        for pieces in zip(*readers, strict=True):
            left = np.array([piece[0] for piece in pieces])
            yield left.reshape(2, len(cells), -1)

    def luck(self, variant: str) -> Luck:
        """Return what the results of a rules variant are due to."""
        cells = self.variants[variant]
        groups = [sums_of(*(left == 0)) for left in self.pieces(cells)]
        wins = sum(int(group.wins.sum()) for group in groups)
        labels = tuple(self.plan.cells[cell].label for cell in cells)
        rate = wins / (2 * len(cells) * self.deals)
        return Luck(variant, labels, self.deals, rate, parts(groups))

    def chosen(self, which: str, count: int, variants: Sequence[str]) -> Chosen:
        """Return the deals that are hardest, or that tell best, under all these rules together."""
        scores = sum((self._scores(which, self.variants[one]) for one in variants), start=0)
        # The first of equal deals, so that the same are chosen everywhere.
        order = np.argsort(-np.asarray(scores), kind="stable")[:count]
        labels = dict.fromkeys(
            self.plan.cells[cell].label for one in variants for cell in self.variants[one]
        )
        numbers = tuple(sorted(order.tolist()))
        return Chosen(which, numbers, self.deals, tuple(variants), tuple(labels))

    def set_of(self, chosen: Chosen) -> DealSet:
        """Return chosen deals as a set to be played, with what they were chosen for."""
        plan = self.plan
        own = plan.deal_set
        numbers = [own.numbers[k] for k in chosen.numbers] if own else list(chosen.numbers)
        rules = " and ".join(chosen.variants)
        which = {"telling": "most telling", "hardest": "hardest"}[chosen.which]
        return DealSet(
            game=plan.game.name,
            seed=plan.seed,
            numbers=tuple(sorted(numbers)),
            about=f"the {len(numbers):,} {which} of {chosen.considered:,} deals, {rules}",
            chosen={
                "experiment": plan.experiment,
                "strategies": chosen.labels,
                "tie_seeds": self.tie_seeds,
                "tipoff": sim.__version__,
            },
        )

    def _scores(self, which: str, cells: Sequence[int]) -> NDArray[np.int64]:
        if which == "hardest":
            found = [hardness(left.reshape(-1, left.shape[2])) for left in self.pieces(cells)]
            return np.concatenate(found)
        wins = sum(((left == 0).sum(axis=(0, 2)) for left in self.pieces(cells)), start=0)
        telling = (
            discrimination((left == 0).reshape(-1, left.shape[2]), np.asarray(wins))
            for left in self.pieces(cells)
        )
        return np.concatenate(list(telling))


@contextmanager
def measured(
    folder: Path,
    tie_seed: int | None = None,
    deals: int | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Iterator[Table]:
    """Open a finished run and play what is missing of its second games.

    Args:
        folder: of the run.
        tie_seed: of the second games; by default one more than that of the run.
        deals: look at so many only, from the first on.
        workers: how many processes; None: as the plan says, or one a core.
        progress: a bar; None: on a terminal.

    Raises:
        BadInput: if it is no run folder, its ties are not drawn, or it has too few deals.
        StoreDamaged: if deals of the run are missing.
    """
    wanted = planned(folder)
    wanted.game.alone("luck")
    if wanted.ties != "hashed":
        raise BadInput(f"{folder}: its ties are not drawn (ties: {wanted.ties}): no luck in them")
    with Store(store_path(folder), wanted.game) as store:
        check_store(folder, wanted, store)
        cast = cast_of(wanted, require_compiled=False)
        ended = stopped(wanted, cast.stamps, store)
        wanted = ended.plan if ended else wanted
        count = min(deals or wanted.deals, *(cell.deals for cell in wanted.cells))
        if count < FEWEST:
            raise BadInput(f"{folder}: {count} deals of each entry; expected {FEWEST} or more")
        _none_missing(wanted, cast.stamps, store, count)
        twin = cast_of(_with_ties(wanted, tie_seed), require_compiled=False)
        with Playing(twin, store, workers, PROCESSES, yes=False, progress=progress) as playing:
            playing.play([count] * len(wanted.cells))
        yield Table((wanted, twin.plan), store, (cast.stamps, twin.stamps), count)


def _with_ties(plan: Plan, tie_seed: int | None) -> Plan:
    """Return the plan with other dice for the ties, to the end of its deals."""
    other = (plan.tie_seed + 1) % (MAX_SEED + 1) if tie_seed is None else tie_seed
    if other == plan.tie_seed:
        raise BadInput(f"--tie-seed: expected another than that of the run, {other}")
    return replace(plan, tie_seed=other, until=None, fresh_seed=None)


def _none_missing(plan: Plan, stamps: Sequence[str], store: Store, deals: int) -> None:
    for cell, stamp in zip(plan.cells, stamps, strict=True):
        for first, _ in gaps(store.coverage(stamp), deals):
            raise StoreDamaged(
                f"{store.path}: deal {first} of '{cell.label}' is missing, or its strategy was "
                "edited since; run the same command again"
            )
