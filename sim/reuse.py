"""What a run finds in its store: which cells it reuses, which it plays anew, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sim.cell import Cell
from sim.counts import together
from sim.deals import STREAM_VERSION
from sim.plan import Plan
from sim.schedule import gaps
from sim.store import Store

MOST_NAMES = 5  # labels named

FATES = ("reused", "extended", "new")  # others are "replayed because ..."

# What was noted of a cell and is another now, and what that means; the first that fits counts.
CAUSES = {
    "rules_version": "the rules of the game changed",
    "stream": "the stream of deals changed",
    "source": "its source changed",
}


def note_of(plan: Plan, cell: Cell) -> dict[str, Any]:
    """Return what is noted of a cell beside its stamp, which itself tells nothing."""
    return {
        "label": cell.label,
        **cell.about(),
        "seeds": [plan.seed, plan.tie_seed],
        "rules_version": plan.game.rules_version,
        "stream": STREAM_VERSION,
    }


class Found:
    """What a store holds of the cells of a plan, before they are noted and played."""

    def __init__(self, plan: Plan, stamps: Sequence[str], store: Store) -> None:
        notes = store.notes()
        self._blocks = [store.coverage(stamp) for stamp in stamps]
        self._causes = [
            "" if blocks else _cause(note_of(plan, cell), notes, store.coverage)
            for cell, blocks in zip(plan.cells, self._blocks, strict=True)
        ]

    def fates(self, cells: Sequence[Cell]) -> Iterator[tuple[str, str]]:
        """Yield how each cell fares, given how many deals it has in the end, and its label."""
        for cell, blocks, cause in zip(cells, self._blocks, self._causes, strict=True):
            if blocks:
                yield "extended" if gaps(blocks, cell.deals) else "reused", cell.label
            else:
                yield f"replayed because {cause}" if cause else "new", cell.label


class FoundCounts(Found):
    """What a store of counts holds: all cells of the plan together, or none of them."""

    def __init__(self, plan: Plan, stamps: Sequence[str], store: Store) -> None:
        notes, blocks = store.notes(), store.coverage(together(stamps))
        held = {
            member
            for stamp, note in notes.items()
            if note.get("seeds") == [plan.seed, plan.tie_seed] and store.coverage(stamp)
            for member in note.get("members", ())
        }
        self.others = not blocks and bool(held)  # counts of other entries of the same deals
        self._blocks = [blocks for _ in stamps]
        self._causes = [
            self._why(note_of(plan, cell), stamp, notes, held) if self.others else ""
            for cell, stamp in zip(plan.cells, stamps, strict=True)
        ]

    def _why(
        self,
        now: Mapping[str, Any],
        stamp: str,
        notes: Mapping[str, Mapping[str, Any]],
        held: Collection[str],
    ) -> str:
        if stamp in held:
            return "the entries changed, and counts are of all of them together"
        return _cause(now, notes, held.__contains__)


def note_of_all(plan: Plan, stamps: Sequence[str]) -> dict[str, Any]:
    """Return what is noted of the counts of all cells."""
    entries, variants = (len(set(names)) for names in _names(plan))
    return {
        "label": f"{entries} entries together",
        "rules": f"{variants} rules variants" if variants > 1 else plan.cells[0].variant,
        "seeds": [plan.seed, plan.tie_seed],
        "members": list(stamps),
    }


def _names(plan: Plan) -> tuple[list[str], list[str]]:
    return [cell.label for cell in plan.cells], [cell.variant for cell in plan.cells]


def words(fates: Iterable[tuple[str, str]]) -> str:
    """Say how many cells fare how, those that are replayed by name; "" if all are new."""
    labels: dict[str, list[str]] = {}
    for fate, label in fates:
        labels.setdefault(fate, []).append(label)
    if not labels.keys() - {"new"}:
        return ""
    order = [*(fate for fate in FATES if fate in labels), *sorted(labels.keys() - set(FATES))]
    return "cells: " + ", ".join(_count(fate, labels[fate]) for fate in order)


def _count(fate: str, labels: Sequence[str]) -> str:
    if fate in FATES:
        return f"{len(labels)} {fate}"
    names = list(dict.fromkeys(labels))
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{len(labels)} {fate} ({', '.join(names[:MOST_NAMES])}{more})"


def _cause(
    now: Mapping[str, Any],
    notes: Mapping[str, Mapping[str, Any]],
    held: Callable[[str], object],
) -> str:
    """Return why the deals of a cell that was played before do not count, "" if it is new."""
    for before, note in notes.items():
        if _is_same(now, note) and held(before):
            for name, cause in CAUSES.items():
                if note.get(name) != now[name]:
                    return cause
    return ""


def _is_same(now: Mapping[str, Any], note: Mapping[str, Any]) -> bool:
    """Tell whether a note is that of the same cell, before something else changed."""
    same = all(note.get(name) == now[name] for name in ("seeds", "strategy", "rules"))
    return same and any(note.get(name) == now[name] for name in ("params", "label"))
