"""Playing until the comparisons are sure enough: who plays on after each round, and when it ends.

Every rules variant is decided by itself, on complete rounds in deal order, from nothing but the
outcomes: the stopping points are the same for any number of workers, interrupted or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from sim.compare import Group, add_deals, by_variant
from sim.plan import Plan
from sim.results import Stop, Until
from sim.stats import sequence as bounds
from sim.stats.outlook import Aim, Outlook
from sim.store import Store
from sim.tally import LEAF, recut
from sim.until import HalfWidth


@dataclass(frozen=True)
class Stopped:
    """Where a run ended: the plan with the deals that were played, and what the bounds are."""

    plan: Plan
    sequence: bounds.Sequence
    until: Until


class Variant:
    """The entries of one rules variant, round after round."""

    def __init__(self, plan: Plan, group: Group, sequence: bounds.Sequence) -> None:
        self.group = group
        self.labels = [plan.cells[cell].label for cell in group.cells]
        self.aim = aim_of(plan, sequence, self.labels)
        self.name = plan.cells[group.cells[0]].variant
        self.rules = dict(plan.cells[group.cells[0]].rules_dict)
        self.deals = [0] * len(group.cells)
        self.decision: bounds.Decision | None = None

    @property
    def over(self) -> bool:
        """Whether nobody plays on."""
        done = self.decision is not None and self.decision.done
        return done or max(self.deals) >= self.aim.at_most

    def reach(self, deals: int) -> None:
        """Let all that play on have so many deals."""
        for i in self._going():
            self.deals[i] = deals

    def playing(self) -> list[int]:
        """Return the numbers of the cells that play on."""
        return [self.group.cells[i] for i in self._going()]

    def _going(self) -> list[int]:
        early = np.zeros(len(self.deals), bool) if self.decision is None else self.decision.worse
        return [int(i) for i in np.flatnonzero(~early)]

    def look(self) -> None:
        """Decide who plays on."""
        self.decision = self.aim.judged(bounds.win_bounds(self.group.gram, self.aim.sequence))

    def outlook(self) -> Outlook:
        """Return when the target will be met if all rates stay as they are."""
        return self.aim.outlook(self.group.gram)

    def stop(self) -> Stop:
        """Return where it ended."""
        assert self.decision is not None
        most = max(self.deals)
        early = (name for name, deals in zip(self.labels, self.deals, strict=True) if deals < most)
        return Stop(
            most, self.decision.done, self.decision.open, tuple(early), self.rules, self.name
        )


Play = Callable[[Sequence[int]], None]  # plays all that is missing below so many deals of each cell
Hear = Callable[[Sequence[Variant], Sequence[int]], None]  # is told after a round who plays on


def play_until(plan: Plan, stamps: Sequence[str], store: Store, play: Play, hear: Hear) -> Stopped:
    """Play round by round until every rules variant is decided.

    Raises:
        StoreDamaged: if deals are missing after they were played, or blocks are damaged.
    """
    assert plan.until is not None
    sequence = sequence_of(plan)
    variants = [Variant(plan, group, sequence) for group in by_variant(plan.cells)]
    before = [0] * len(plan.cells)
    for reach in chain(plan.until.looks(), (plan.deals,)):
        playing = [variant for variant in variants if not variant.over]
        if not playing:
            break
        for variant in playing:
            variant.reach(reach)
        now = _deals(variants, len(before))
        play(now)
        _count(playing, before, now, stamps, store)
        for variant in playing:
            variant.look()
        hear([variant for variant in playing if not variant.over], now)
        before = now
    return _stopped(plan, variants, sequence)


def target_of(plan: Plan) -> bounds.Target:
    """Return what a plan aims at, as the statistics know it."""
    assert plan.until is not None
    wanted = plan.until.until
    if isinstance(wanted, HalfWidth):
        return bounds.HalfWidth(wanted.half_width)
    return bounds.Ranked(wanted.margin)


def aim_of(plan: Plan, sequence: bounds.Sequence, labels: Sequence[str]) -> Aim:
    """Return what the entries of a rules variant, with these labels, are played for."""
    assert plan.until is not None
    baseline = labels.index(plan.baseline)
    return Aim(target_of(plan), sequence, baseline, plan.until.round, plan.deals)


def sequence_of(plan: Plan) -> bounds.Sequence:
    """Return the bounds of each comparison of a plan."""
    variants = len({cell.variant for cell in plan.cells})
    entries = len(plan.cells) // variants
    return bounds.sequence_for(target_of(plan), entries, variants, plan.deals)


def _deals(variants: Sequence[Variant], cells: int) -> list[int]:
    """Return the deals of each cell so far."""
    found = [0] * cells
    for variant in variants:
        for cell, deals in zip(variant.group.cells, variant.deals, strict=True):
            found[cell] = deals
    return found


def _count(
    playing: Sequence[Variant],
    before: Sequence[int],
    now: Sequence[int],
    stamps: Sequence[str],
    store: Store,
) -> None:
    """Add the deals of a round to the sums."""
    readers: list[Iterator[np.ndarray]] = [
        recut(store.outcomes(stamp, last, first), LEAF) if last > first else iter(())
        for stamp, first, last in zip(stamps, before, now, strict=True)
    ]
    for _ in add_deals([variant.group for variant in playing], readers):
        pass


def _stopped(plan: Plan, variants: Sequence[Variant], sequence: bounds.Sequence) -> Stopped:
    assert plan.until is not None
    wanted = plan.until.until
    deals = _deals(variants, len(plan.cells))
    cells = (replace(cell, deals=own) for cell, own in zip(plan.cells, deals, strict=True))
    known = Until(
        target="half_width" if isinstance(wanted, HalfWidth) else "ranked",
        size=wanted.half_width if isinstance(wanted, HalfWidth) else wanted.margin,
        words=str(wanted),
        at_most=plan.deals,
        round=plan.until.round,
        comparisons=target_of(plan).comparisons(len(plan.cells) // len(variants)) * len(variants),
        alpha=sequence.alpha,
        tuned_for=sequence.tuned_for,
        stops=tuple(variant.stop() for variant in variants),
    )
    return Stopped(replace(plan, cells=tuple(cells)), sequence, known)
