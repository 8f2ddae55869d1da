"""What a run finds in its store: which cells it reuses, which it plays anew, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.deals import STREAM_VERSION
from sim.plan import Cell, Plan
from sim.schedule import gaps
from sim.source import closure_hash
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
        "strategy": cell.listing.name,
        "params": dict(cell.params),
        "rules": dict(cell.rules_dict),
        "rules_version": plan.game.rules_version,
        "stream": STREAM_VERSION,
        "source": closure_hash(cell.listing.cls),
    }


def summary(plan: Plan, stamps: Sequence[str], store: Store) -> str:
    """Return in words what a store holds of the cells to be played, or "" if it holds nothing.

    To be asked before the cells are noted.
    """
    notes, fates = store.notes(), dict[str, list[str]]()
    for cell, stamp in zip(plan.cells, stamps, strict=True):
        fates.setdefault(_fate(plan, cell, stamp, notes, store), []).append(cell.label)
    if not fates.keys() - {"new"}:
        return ""
    return "cells: " + ", ".join(_words(fates))


def _words(fates: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield how many cells fare how; those that are replayed are named."""
    for fate in [*(fate for fate in FATES if fate in fates), *sorted(fates.keys() - set(FATES))]:
        names = list(dict.fromkeys(fates[fate]))
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        named = "" if fate in FATES else f" ({', '.join(names[:MOST_NAMES])}{more})"
        yield f"{len(fates[fate])} {fate}{named}"


def _fate(
    plan: Plan, cell: Cell, stamp: str, notes: Mapping[str, Mapping[str, Any]], store: Store
) -> str:
    blocks = store.coverage(stamp)
    if blocks:
        return "extended" if gaps(blocks, cell.deals) else "reused"
    now = note_of(plan, cell)
    for before, note in notes.items():
        if _is_same(now, note) and store.coverage(before):
            for name, cause in CAUSES.items():
                if note.get(name) != now[name]:
                    return f"replayed because {cause}"
    return "new"


def _is_same(now: Mapping[str, Any], note: Mapping[str, Any]) -> bool:
    """Tell whether a note is that of the same cell, before something else changed."""
    if (
        note.get("rules") != now["rules"]
        or note.get("strategy", now["strategy"]) != now["strategy"]
    ):
        return False
    return bool(note.get("params") == now["params"] or note.get("label") == now["label"])
